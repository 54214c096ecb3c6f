"""The built-in functions and types of programs, as CPython names them."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import UnionType
from typing import Any

from engine.ops import OPS
from engine.value import Value

from . import builtin_iteration, builtin_names
from .classes import ProgramType, class_of
from .constructors import CONSTRUCTORS
from .contract import Machine
from .modules.effects import Stream
from .modules.streams import Buffer
from .plain import FOLLOWED, UNTYPED, plain
from .sizes import check_int
from .snapshot import Snapshot
from .text_formatting import ascii_text, formatted
from .texts import identity, name_of_type, repr_text, str_text
from .weights import check_key, joined, whole

__all__ = ["CONSTRUCTORS", "EXCEPTIONS", "NAMES", "REFUSED", "Builtins"]

_UNSET: Any = object()
_TYPES: tuple[str, ...] = (
    "range", "int", "float", "bool", "str", "list", "tuple", "dict", "set", "frozenset",
    "bytes", "complex", "object", "slice", "property", "staticmethod",
    "classmethod",
)  # fmt: skip
EXCEPTIONS: dict[str, type] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}
"""CPython's own exceptions by name."""
REFUSED: tuple[str, ...] = (
    "eval", "exec", "compile", "open", "locals", "input", "breakpoint",
    "__import__", "memoryview", "bytearray", "help", "exit", "quit",
)  # fmt: skip
"""CPython's built-in functions that programs may not call."""
_OUTSIDE = "It could reach outside of the program."
_HINTS = {
    "memoryview": "Use bytes.", "bytearray": "Use a list of ints.", "help": "Remove the line.",
    "exit": "Remove the line.", "quit": "Remove the line.",
}  # fmt: skip


class Builtins(dict[str, Any]):
    """The built-in names of a run; a function is bound to the run when it is first used."""

    def __init__(self, m: Machine) -> None:
        super().__init__(_FIXED)
        self._machine = m

    def __missing__(self, name: str) -> Any:
        """Raises KeyError for a name that is not built in."""
        if name in _REFUSED:
            self[name] = _refused(self._machine, name)
        else:
            self[name] = builtin_iteration.bound(self._machine, _BOUND[name], name)
        return self[name]


def _fixed() -> dict[str, Any]:
    """What the built-in names mean that are the same in every run."""
    table: dict[str, Any] = {name: getattr(builtins, name) for name in _TYPES}
    table |= EXCEPTIONS
    table |= {"property": property, "staticmethod": staticmethod, "classmethod": classmethod}
    table["super"] = super
    return table | {"NotImplemented": NotImplemented, "Ellipsis": ..., "__debug__": True}


def _refused(m: Machine, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        m.refuse(f"{name} is not known here.", _HINTS.get(name, _OUTSIDE))

    call.__name__ = call.__qualname__ = name
    return call


# Output


def print_(
    m: Machine, *args: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False
) -> None:
    for name, given in (("sep", sep), ("end", end)):
        if given is not None and not isinstance(given, str):
            raise TypeError(f"{name} must be None or a string, not {name_of_type(given)}")
    if isinstance(file, Stream) and not (file.shown or isinstance(file, Buffer)):
        return
    separator = " " if sep is None else str.__str__(sep)
    text = joined(m, [str_text(m, arg) for arg in args], separator)
    text += "\n" if end is None else str.__str__(end)
    if isinstance(file, Buffer):
        file.put(text)
    else:
        m.print_text(text)


def repr_(m: Machine, x: Any, /) -> str:
    return repr_text(m, x)


def ascii_(m: Machine, x: Any, /) -> str:
    return ascii_text(m, x)


def format_(m: Machine, x: Any, spec: Any = "", /) -> str:
    if not isinstance(spec, str):
        raise TypeError(f"format() argument 2 must be str, not {name_of_type(spec)}")
    return formatted(m, x, spec)


# Numbers


def abs_(m: Machine, x: Any, /) -> Any:
    m.spend(1)
    if isinstance(x, Value) or type(x) in FOLLOWED:
        return m.apply(OPS["abs"], x)
    if isinstance(x, int):
        check_int(m, x)
    return abs(x)


def round_(m: Machine, number: Any, ndigits: Any = None) -> Any:
    m.spend(1)
    if isinstance(number, Value):
        number = number.data
    if ndigits is not None:
        ndigits = whole(ndigits)
        if isinstance(number, int) and ndigits < 0:
            if ndigits < -4_000:
                return 0
            m.spend(int.bit_length(number) * -ndigits >> 13)
    found = round(plain(number)) if ndigits is None else round(plain(number), ndigits)
    return m.own.connected(found, (number,))


def divmod_(m: Machine, a: Any, b: Any, /) -> Any:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return (m.binary("//", a, b), m.binary("%", a, b))
    m.spend(2)
    return divmod(a, b)


def pow_(m: Machine, base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return m.binary("**", base, exp)
    m.spend(1)
    if all(isinstance(x, int) for x in (base, exp, mod)):
        limbs = mod.bit_length() // 30 + 1
        m.spend(base.bit_length() // 30 + (abs(exp).bit_length() + 1) * limbs * limbs // 8)
    return pow(plain(base), plain(exp), plain(mod))


def chr_(m: Machine, *args: Any) -> str:
    m.spend(1)
    return chr(*args)


def ord_(m: Machine, *args: Any) -> int:
    m.spend(1)
    return ord(*args)


def _digits(native: Callable[[Any], str]) -> Callable[..., str]:
    def digits(m: Machine, x: Any, /) -> str:
        n = whole(x)
        m.spend(1 + (n.bit_length() >> 5))
        return native(n)

    digits.__name__ = native.__name__
    return digits


# Objects


def hash_(m: Machine, x: Any, /) -> int:
    m.spend(1)
    check_key(m, x, 0)
    own: Any = type(x).__hash__
    if own is object.__hash__:
        return identity(m, x) >> 4
    return hash(x)


def id_(m: Machine, x: Any, /) -> int:
    m.spend(1)
    found = identity(m, x)
    if m.witness is not None:
        m.witness.identified(x, found)
    return found


def type_(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.spend(1)
    if len(args) == 1 and not kwargs:
        kind = class_of(args[0])
        return dict if kind is Snapshot else UNTYPED.get(kind, kind)
    return m.refuse("type takes one argument here.", "Write a class statement.")


def isinstance_(m: Machine, x: Any, kinds: Any, /) -> bool:
    m.spend(1)
    return isinstance(x, _classes(m, kinds, "isinstance() arg 2 must be a type"))


def issubclass_(m: Machine, kind: Any, kinds: Any, /) -> bool:
    m.spend(1)
    if not isinstance(kind, type):
        raise TypeError("issubclass() arg 1 must be a class")
    return issubclass(kind, _classes(m, kinds, "issubclass() arg 2 must be a class"))


def _classes(m: Machine, kinds: Any, message: str) -> Any:
    """`kinds` as CPython takes them: a type, a union of types, or a tuple of these."""
    if isinstance(kinds, tuple):
        m.spend(len(kinds))
        return tuple(_classes(m, kind, message) for kind in kinds)
    if isinstance(kinds, ProgramType) and kinds._seegrad_protocol is not None:
        return kinds._seegrad_protocol(m, kinds)
    if isinstance(kinds, type | UnionType) or hasattr(type(kinds), "__instancecheck__"):
        return kinds
    rest = "a tuple of types, or a union" if "type" in message else "a tuple of classes, or a union"
    raise TypeError(f"{message}, {rest}")


def callable_(m: Machine, x: Any, /) -> bool:
    m.spend(1)
    return callable(x)


def hasattr_(m: Machine, x: Any, name: Any, /) -> bool:
    _check_name(name, "hasattr(): attribute name must be string")
    try:
        m.get_attribute(x, name)
    except AttributeError:
        return False
    return True


def getattr_(m: Machine, x: Any, name: Any, default: Any = _UNSET, /) -> Any:
    _check_name(name, f"attribute name must be string, not {name_of_type(name)!r}")
    if default is _UNSET:
        return m.get_attribute(x, name)
    try:
        return m.get_attribute(x, name)
    except AttributeError:
        return default


def setattr_(m: Machine, x: Any, name: Any, value: Any, /) -> None:
    _check_name(name, f"attribute name must be string, not {name_of_type(name)!r}")
    m.spend(6)
    m.set_attribute(x, name, value)


def delattr_(m: Machine, x: Any, name: Any, /) -> None:
    _check_name(name, f"attribute name must be string, not {name_of_type(name)!r}")
    m.delete_attribute(x, name)


def _check_name(name: Any, message: str) -> None:
    if not isinstance(name, str):
        raise TypeError(message)


_FUNCTIONS: tuple[Callable[..., Any], ...] = (
    print_, repr_, ascii_, format_, abs_, round_, divmod_, pow_, chr_, ord_, _digits(bin),
    _digits(hex), _digits(oct), hash_, id_, type_, isinstance_, issubclass_, callable_, hasattr_,
    getattr_, setattr_, delattr_, *builtin_names.FUNCTIONS,
)  # fmt: skip
_FIXED = _fixed()
_BOUND = builtin_iteration.functions() | {
    function.__name__.rstrip("_"): function for function in _FUNCTIONS
}
_REFUSED = frozenset(REFUSED)
NAMES = frozenset({*_FIXED, *_BOUND, *_REFUSED})
"""Every built-in name."""
