"""The module `operator`: signs as functions, followed for the picture, and getters."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine
from engine.language.weights import check_key, weigh

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "concat": "+",
}  # fmt: skip
_COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")
_UNARY = ("neg", "pos", "abs", "not_", "truth", "inv", "invert", "index")


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `operator`."""
    table = {name: _sign(m, name, sign) for name, sign in _SIGNS.items()}
    table |= {f"i{name.rstrip('_')}": table[name] for name in _SIGNS}
    table |= {name: _native(m, name) for name in (*_COMPARISONS, *_UNARY, "is_", "is_not")}
    functions: dict[str, Callable[..., Any]] = {
        "contains": _contains, "countOf": _count, "indexOf": _index, "getitem": _get,
        "setitem": _set, "delitem": _delete, "itemgetter": _item_getter,
        "attrgetter": _attribute_getter, "methodcaller": _method_caller,
    }  # fmt: skip
    return table | {name: bound(m, function, name) for name, function in functions.items()}


def _sign(m: Machine, name: str, sign: str) -> Callable[..., Any]:
    def call(a: Any, b: Any, /) -> Any:
        return m.binary(sign, a, b)

    call.__name__ = call.__qualname__ = name
    return call


def _native(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(operator, name)

    def call(*args: Any) -> Any:
        m.spend(1)
        for arg in args:
            weigh(m, arg)
        return native(*args)

    call.__name__ = call.__qualname__ = name
    return call


def _contains(m: Machine, a: Any, b: Any, /) -> bool:
    return any(item is b or item == b for item in m.items(a))


def _count(m: Machine, a: Any, b: Any, /) -> int:
    return sum(item is b or item == b for item in m.items(a))


def _index(m: Machine, a: Any, b: Any, /) -> int:
    for number, item in enumerate(m.items(a)):
        if item is b or item == b:
            return number
    raise ValueError("sequence.index(x): x not in sequence")


def _item(m: Machine, a: Any, key: Any) -> Any:
    """`a[key]`; a slice is charged as its items are."""
    m.spend(1 + (len(a) if isinstance(key, slice) and hasattr(type(a), "__len__") else 0))
    check_key(m, key, len(a) if isinstance(a, dict) else 0)
    if isinstance(a, type):
        raise TypeError(f"type {a.__name__!r} is not subscriptable")
    return operator.getitem(a, key)


def _get(m: Machine, a: Any, b: Any, /) -> Any:
    return _item(m, a, b)


def _set(m: Machine, a: Any, b: Any, c: Any, /) -> None:
    m.spend(2)
    check_key(m, b, len(a) if isinstance(a, dict) else 0)
    if isinstance(b, slice):
        m.refuse("operator.setitem takes no slice here.", "Write a[i:j] = xs.")
    operator.setitem(a, b, c)


def _delete(m: Machine, a: Any, b: Any, /) -> None:
    m.spend(1 + (len(a) >> 6 if isinstance(a, list) else 0))
    check_key(m, b, len(a) if isinstance(a, dict) else 0)
    operator.delitem(a, b)


def _item_getter(m: Machine, item: Any, *items: Any) -> Callable[[Any], Any]:
    m.spend(4 + len(items))
    if not items:
        return lambda x: _item(m, x, item)
    return lambda x: tuple(_item(m, x, key) for key in (item, *items))


def _attribute_getter(m: Machine, attr: Any, *attrs: Any) -> Callable[[Any], Any]:
    m.spend(4 + len(attrs))
    if not all(isinstance(name, str) for name in (attr, *attrs)):
        raise TypeError("attribute name must be a string")

    def read(x: Any, path: str) -> Any:
        for name in path.split("."):
            x = m.get_attribute(x, name)
        return x

    if not attrs:
        return lambda x: read(x, attr)
    return lambda x: tuple(read(x, path) for path in (attr, *attrs))


def _method_caller(m: Machine, name: Any, /, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    m.spend(4 + len(args) + 2 * len(kwargs))
    if not isinstance(name, str):
        raise TypeError("method name must be a string")
    return lambda x: m.call(m.get_attribute(x, name), *args, **kwargs)
