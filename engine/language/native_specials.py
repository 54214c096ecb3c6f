"""What `super()` gives of Python's own classes: their special methods, counted and checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import sizes
from .classes import OPERATORS, SPECIAL
from .constructors import CONSTRUCTORS
from .contract import Machine
from .methods_of_mappings import pairs_of, set_items
from .text_formatting import checked_spec
from .texts import write_as
from .weights import check_key, listed, weigh, whole

_SIGNS = dict(
    zip(
        OPERATORS,
        ["+", "-", "*", "/", "//", "%", "//", "**", "<<", ">>", "&", "^", "|", "@"],
        strict=True,
    )
)
_WRITTEN = frozenset({"__repr__", "__str__"})


def native_arguments(m: Machine, kind: type, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with which an object of a class derived from `kind` is made, gone through."""
    if issubclass(kind, SyntaxError):
        return (*args[:1], *(tuple(m.items(arg)) for arg in args[1:]))
    if len(args) != 1:
        return args
    (given,) = args
    if issubclass(kind, dict):
        return (pairs_of(m, given),)
    if issubclass(kind, set):
        return (set_items(m, given),)
    if issubclass(kind, list | tuple):
        return (listed(m, given),)
    if issubclass(kind, int | float | str):
        base = next(base for base in (int, float, str) if issubclass(kind, base))
        return (CONSTRUCTORS[base](m, given),)
    return args


_OF_CLASSES = frozenset({
    "__class_getitem__", "__init_subclass__", "__set_name__", "__new__", "__setattr__",
    "__delattr__", "__dir__", "__doc__", "__module__", "__hash__",
})  # fmt: skip
"""Names that are no methods of an object, or that are given in another way."""
_WITH_SPECIALS = (int, float, str, list, tuple, dict, set, frozenset)


def is_own_special(kind: type, name: str) -> bool:
    """Whether one of Python's types has a special method that a program may name."""
    return (
        kind in _WITH_SPECIALS
        and name in SPECIAL - _OF_CLASSES
        and any(name in vars(base) for base in kind.__mro__[:-1])
        and callable(getattr(kind, name))
    )


def special_method(m: Machine, base: type, x: Any, name: str) -> Callable[..., Any]:
    """The special method `name` of Python's class `base`, bound to `x`."""
    native = getattr(base, name)

    def call(*args: Any, **keywords: Any) -> Any:
        m.spend(1)
        if isinstance(x, str | bytes) and name in ("__mod__", "__rmod__"):
            return _formatted(m, x, name, args)
        if name in _WRITTEN:
            return write_as(m, base, x, name)
        result = native(x, *_checked(m, x, name, args), **keywords)
        if isinstance(result, int):
            sizes.check_int(m, result)
        return result

    call.__name__ = call.__qualname__ = name
    return call


def _formatted(m: Machine, x: Any, name: str, args: tuple[Any, ...]) -> Any:
    """`text % x`, whose widths and precisions are checked where it is written as a sign."""
    if name != "__mod__" or len(args) != 1 or not isinstance(x, str):
        m.refuse(f"{name} of a text is not part of this language.", "Write text % x.")
    return m.binary("%", str.__str__(x), args[0])


def _checked(m: Machine, x: Any, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a special method, after a charge for its work."""
    if name == "__format__":
        return tuple(checked_spec(m, str(spec)) for spec in args)
    if name == "__init__":
        return native_arguments(m, type(x), args)
    if len(args) == 1 and (sign := _sign(name)):
        return _operand(m, x, name, sign, args[0])
    if name in ("__getitem__", "__setitem__", "__delitem__") and args:
        return _item(m, x, args)
    if name == "__round__":
        return tuple(max(whole(arg), -4_000) for arg in args)
    if len(args) > 1:
        m.refuse(f"{name} takes one argument here.", "Write the operation itself.")
    for part in (x, *args):
        weigh(m, part)
    return args


def _sign(name: str) -> str | None:
    word = name.strip("_")
    return _SIGNS.get(word) or _SIGNS.get(word[1:])


def _operand(m: Machine, x: Any, name: str, sign: str, other: Any) -> tuple[Any, ...]:
    if name == "__iadd__" and isinstance(x, list):
        return (listed(m, other),)
    if name == "__ior__" and isinstance(x, dict):
        return (pairs_of(m, other, len(x)),)
    reflected = name[2] == "r" and name.strip("_") not in _SIGNS
    pair = (other, x) if reflected else (x, other)
    sizes.check_growth(m, sign, *pair)
    pair = sizes.checked_operands(m, sign, *pair)
    return (pair[0] if reflected else pair[1],)


def _item(m: Machine, x: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    at, *rest = args
    if isinstance(x, dict):
        m.spend(2)
        check_key(m, at, len(x))
    elif isinstance(at, slice):
        at = sizes.checked_slice(m, x, at)
        rest = [listed(m, value) for value in rest]
    return (at, *rest)
