"""The kinds of CPython's own objects that programs hold, and what the native types have themselves.

A program reaches nothing of these objects but the attributes and methods of these tables.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from . import methods_of_lists as lists
from . import methods_of_mappings as mappings
from . import methods_of_numbers as numbers
from . import methods_of_others as others
from . import methods_of_text as texts
from .contract import Kind, Machine, Method
from .methods_of_dates import DATES, OF_DATES
from .native_specials import is_own_special, special_method
from .plain import UNTYPED
from .snapshot import SNAPSHOT
from .texts import identity, name_of_type
from .weights import listed

NATIVE_KINDS: tuple[Kind, ...] = (
    numbers.FLOAT, numbers.BOOL, numbers.INT, texts.TEXT, lists.LIST, SNAPSHOT, mappings.COUNTER,
    mappings.DEFAULT_DICT, mappings.ORDERED_DICT, mappings.DICT, lists.TUPLE, mappings.SET,
    mappings.FROZENSET, mappings.VIEWS, lists.RANGE, lists.DEQUE, texts.BYTES, others.GENERATOR,
    others.EXCEPTION, others.FUNCTION, others.PARTIAL, others.SLICE, others.PROPERTY,
    others.ITERATORS, *DATES,
    Kind(type(None), "None"), Kind(type(...), "the sign ..."),
)  # fmt: skip
"""Every kind; the first whose type fits an object is its kind, so subclasses stand first."""


def _from_bytes(m: Machine, data: Any, *args: Any, **kwargs: Any) -> int:
    m.spend(1 + len(data))
    return int.from_bytes(
        data if isinstance(data, bytes) else bytes(listed(m, data)), *args, **kwargs
    )


def _fromhex(m: Machine, text: str) -> bytes:
    m.spend(1 + len(text))
    return bytes.fromhex(text)


OF_TYPES: dict[type, dict[str, Callable[..., Any]]] = {
    object: {
        "__hash__": lambda m, x: identity(m, x) >> 4,
        "__repr__": lambda m, x: (
            f"<{type(x).__module__}.{name_of_type(x)} object at {identity(m, x):#x}>"
        ),
        "__eq__": lambda m, x, y: True if x is y else NotImplemented,
    },
    str: {"maketrans": texts.maketrans},
    dict: {"fromkeys": mappings.from_keys},
    OrderedDict: {"fromkeys": lambda m, *args: OrderedDict(mappings.from_keys(m, *args))},
    int: {"from_bytes": _from_bytes},
    bytes: {"fromhex": _fromhex},
    **OF_DATES,
    float: {"fromhex": lambda m, *args: float.fromhex(*args)},
}
"""Functions that belong to a type itself: `dict.fromkeys(keys)`."""

_NAMES = ("__name__", "__qualname__", "__doc__", "__module__")


def attribute_of_type(m: Machine, kind: type, name: str) -> Any:
    """`kind.name` of a native type: `str.upper`, `dict.fromkeys`, `ValueError.__name__`."""
    if name in _NAMES:
        return getattr(UNTYPED.get(kind, kind), name)
    if name in OF_TYPES.get(kind, {}):
        return _bound(m, OF_TYPES[kind][name], name)
    entry = next((entry for entry in NATIVE_KINDS if issubclass(kind, entry.types)), None)
    if entry and name in entry.methods:
        return unbound(m, kind, name, entry.methods[name])
    if is_own_special(kind, name):
        return unbound(m, kind, name, _special(kind, name))
    raise AttributeError(f"type object {kind.__name__!r} has no attribute {name!r}")


def _special(kind: type, name: str) -> Method:
    """`float.__mul__`, as `super()` gives it."""
    return lambda m, x, *args, **keywords: special_method(m, kind, x, name)(*args, **keywords)


def _bound(m: Machine, function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(m, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def unbound(m: Machine, kind: type, name: str, method: Any) -> Callable[..., Any]:
    """The method of a type, which takes an object of this type first."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not args:
            raise TypeError(f"unbound method {kind.__name__}.{name}() needs an argument")
        if not isinstance(args[0], kind):
            wanted, given = kind.__name__, type(args[0]).__name__
            message = (
                f"descriptor {name!r} for {wanted!r} objects doesn't apply to a {given!r} object"
            )
            raise TypeError(message)
        return method(m, *args, **kwargs)

    call.__name__, call.__qualname__ = name, f"{kind.__name__}.{name}"
    return call
