"""The native types that programs call: `int(x)`, `list(xs)` … with sizes checked and items counted.

Each constructor is `f(m, *args, **kwargs)`; errors are CPython's own.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from engine.value import Value

from .classes import ProgramType
from .contract import Machine
from .methods_of_mappings import counted, pairs_of, set_items
from .modules import MODULE_CONSTRUCTORS
from .plain import TapedFloat, TapedFloat64, TapedInt, plain, retyped
from .sizes import made_slice
from .texts import str_text
from .weights import listed, text_cost, whole

Constructor = Callable[..., Any]


def _int(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.spend(1)
    if args and isinstance(args[0], str | bytes):
        m.spend(text_cost(args[0]) + (len(args[0]) ** 2 >> 12))
    if args and isinstance(args[0], Value):
        return int(args[0].data)
    if len(args) == 1 and isinstance(type(args[0]), ProgramType) and not kwargs:
        return _int_of_own(m, args[0])
    return m.own.connected(int(*map(plain, args), **kwargs), args)


def _int_of_own(m: Machine, x: Any) -> Any:
    """`int(x)` of an object of the program, whose `__int__` may give a followed number."""
    method = getattr(type(x), "__int__", None)
    found = m.call(method, x) if method and not isinstance(x, int | float | str) else None
    if type(found) in (int, TapedInt):
        return found
    return int(x)


def _float(m: Machine, *args: Any) -> Any:
    m.spend(1)
    if len(args) == 1 and isinstance(args[0], float):
        return _as_float(args[0])
    if len(args) == 1 and isinstance(args[0], Value):
        return float(args[0].data)
    if args and isinstance(args[0], str | bytes):
        m.spend(text_cost(args[0], 4))
    if len(args) == 1 and type(args[0]) is TapedInt:
        return m.own.connected(float(args[0]), args)
    if len(args) == 1 and isinstance(type(args[0]), ProgramType):
        return _of_own(m, args[0])
    return float(*args)


def _of_own(m: Machine, x: Any) -> float:
    """`float(x)` of an object of the program, whose `__float__` may give a followed number."""
    method = getattr(type(x), "__float__", None)
    found = m.call(method, x) if method else None
    return _as_float(found) if isinstance(found, float) else float(x)


def _as_float(x: float) -> float:
    """A float as Python's, not NumPy's; followed as before."""
    if type(x) in (float, TapedFloat):
        return x
    return retyped(x, TapedFloat) if type(x) is TapedFloat64 else float(x)


def _bool(m: Machine, *args: Any) -> bool:
    m.spend(1)
    return bool(*args)


def _str(m: Machine, *args: Any, **kwargs: Any) -> str:
    if len(args) == 1 and not kwargs:
        return str_text(m, args[0])
    if len(args) > 1 and isinstance(args[0], bytes):
        return _decoded(m, *args)
    if kwargs.keys() == {"object"}:
        return str_text(m, kwargs["object"])
    return str(*args, **kwargs)


def _decoded(m: Machine, data: bytes, *args: Any) -> str:
    """`str(data, encoding)`."""
    m.spend(text_cost(data, 8))
    if str(args[0]).lower() not in ("utf-8", "utf8", "ascii", "latin-1"):
        m.refuse(f"The encoding {str(args[0])[:20]!r} is not here.", "Use utf-8.")
    return str(data, *args)


def _items(kind: Callable[..., Any], *, same: bool = False) -> Constructor:
    """The constructor of a sequence from one iterable."""

    def construct(m: Machine, *args: Any, **kwargs: Any) -> Any:
        m.spend(1)
        if len(args) != 1 or kwargs or (same and type(args[0]) is kind):
            return kind(*args, **kwargs)
        return kind(m.consumed(args[0]))

    return construct


def _dict(kind: Callable[..., Any]) -> Constructor:
    def construct(m: Machine, *args: Any, **kwargs: Any) -> Any:
        m.spend(1 + 2 * len(kwargs))
        given = [pairs_of(m, arg) for arg in args[:1]]
        return kind(*given, *args[1:], **kwargs)

    return construct


def _set(kind: Callable[..., Any]) -> Constructor:
    def construct(m: Machine, *args: Any, **kwargs: Any) -> Any:
        m.spend(1)
        if kind is frozenset and args and type(args[0]) is frozenset:
            return kind(*args, **kwargs)
        return kind(*(set_items(m, arg) for arg in args[:1]), *args[1:], **kwargs)

    return construct


def _bytes(m: Machine, *args: Any) -> bytes:
    m.spend(1)
    if len(args) != 1 or isinstance(args[0], bytes):
        return bytes(*args)
    if hasattr(type(args[0]), "__index__"):
        size = whole(args[0])
        m.spend(max(size, 0) >> 5)
        return bytes(size)
    return bytes(*args) if isinstance(args[0], str) else bytes(listed(m, args[0]))


def _range(m: Machine, *args: Any, **kwargs: Any) -> range:
    m.spend(1)
    return range(*map(plain, args), **kwargs)


def _slice(m: Machine, *args: Any) -> slice:
    m.spend(1)
    return made_slice(m, *args) if len(args) != 1 else made_slice(m, None, args[0])


def _deque(m: Machine, *args: Any, **kwargs: Any) -> deque[Any]:
    m.spend(14)
    return deque(*(listed(m, arg) for arg in args[:1]), *args[1:], **kwargs)


def _default_dict(m: Machine, *args: Any, **kwargs: Any) -> defaultdict[Any, Any]:
    m.spend(2 + 2 * len(kwargs))
    factory = args[:1]
    if factory and callable(factory[0]) and factory[0] not in _EMPTY:
        factory = (_factory(m, factory[0]),)
    given = [pairs_of(m, arg) for arg in args[1:2]]
    return defaultdict(*factory, *given, *args[2:], **kwargs)


_EMPTY: tuple[Any, ...] = (int, float, bool, str, list, dict, set, tuple, frozenset, bytes)
"""Types whose call without arguments is harmless."""


def _factory(m: Machine, function: Any) -> Callable[[], Any]:
    """The function of a program that makes the values of a defaultdict."""
    made = m.callable(function)

    def factory() -> Any:
        m.spend(2)
        return made()

    factory.of_program = function  # type: ignore[attr-defined]
    return factory


def _counter(m: Machine, *args: Any, **kwargs: Any) -> Counter[Any]:
    m.spend(2 + 2 * len(kwargs))
    return Counter(*(counted(m, arg) for arg in args[:1]), *args[1:], **kwargs)


def _complex(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.refuse("Complex numbers are not part of this language.", "Use floats.")


def _object(m: Machine, *args: Any) -> Any:
    m.spend(2)
    return object(*args)


CONSTRUCTORS: dict[type, Constructor] = {
    int: _int, float: _float, bool: _bool, str: _str, bytes: _bytes, range: _range, slice: _slice,
    list: _items(list), tuple: _items(tuple, same=True), dict: _dict(dict), set: _set(set),
    frozenset: _set(frozenset), complex: _complex, object: _object, deque: _deque,
    defaultdict: _default_dict, OrderedDict: _dict(OrderedDict), Counter: _counter,
    **MODULE_CONSTRUCTORS,
}  # fmt: skip
"""The guarded constructor of each native type; exceptions are called as they are."""
