"""The module `enum`: Enum, IntEnum and StrEnum, their members and texts as in CPython 3.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import ProgramType
from engine.language.contract import Machine
from engine.language.texts import repr_text, str_text
from engine.language.weights import weigh

_MEMBERS = "_seegrad_items"


class Auto:
    """`auto()`: the next number."""


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `enum`."""
    enum = _class("Enum", (object,), _namespace(m))
    return {
        "Enum": enum,
        "IntEnum": _class("IntEnum", (int, enum), {"__str__": _int_text, "__format__": _formatted}),
        "StrEnum": _class("StrEnum", (str, enum), {"__str__": _str_text, "__format__": _formatted}),
        "Flag": bound(m, _refused, "Flag"),
        "IntFlag": bound(m, _refused, "IntFlag"),
        "auto": bound(m, lambda m: Auto(), "auto"),
        "unique": bound(m, _unique, "unique"),
        "EnumMeta": type,
        "EnumType": type,
    }


def _class(name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
    """A class for the program to derive from; without `Thing`, whose slots fit no int or str."""
    made = ProgramType(name, bases, {**namespace, "__module__": "enum"})
    made._seegrad_plain = all(type(base) is ProgramType or base is object for base in made.__mro__)
    return made


def _refused(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.refuse("Flags are not part of this language.", "Use IntEnum.")


def _unique(m: Machine, cls: Any, /) -> Any:
    members = getattr(cls, _MEMBERS, None) or {}
    twice = [(name, member.name) for name, member in members.items() if name != member.name]
    if twice:
        shown = ", ".join(f"{alias} -> {name}" for alias, name in twice)
        raise ValueError(f"duplicate values found in {cls!r}: {shown}")
    return cls


def _namespace(m: Machine) -> dict[str, Any]:
    """The methods of Enum."""

    def prepare(cls: Any) -> None:
        for name in ("__repr__", "__str__", "__format__"):
            if any(getattr(cls, name) is getattr(kind, name) for kind in (int, str, float)):
                own = next(base for base in cls.__mro__ if name in base.__dict__ and _is_ours(base))
                type.__setattr__(cls, name, own.__dict__[name])
        _make_members(m, cls)

    def written(self: Any) -> str:
        return f"<{type(self).__name__}.{self.name}: {repr_text(m, self.value)}>"

    def formatted(self: Any, spec: str) -> str:
        return format(str_text(m, self), spec)

    return {
        "__new__": _finder(m),
        "_seegrad_ready": staticmethod(prepare),
        "__repr__": written,
        "__str__": lambda self: f"{type(self).__name__}.{self.name}",
        "__format__": formatted,
        "__hash__": lambda self: hash(self._seegrad_member),
        "name": property(lambda self: self._seegrad_member),
        "value": property(lambda self: self._seegrad_value),
        "_name_": property(lambda self: self._seegrad_member),
        "_value_": property(lambda self: self._seegrad_value),
        "__copy__": lambda self: self,
        "__deepcopy__": lambda self, memo: self,
    }


def _is_ours(base: type) -> bool:
    return isinstance(base, ProgramType)


def _finder(m: Machine) -> Callable[..., Any]:
    """`Color(2)`, and `Color(Color.GREEN)`."""

    def member_of_value(cls: Any, value: Any = None, *args: Any, **kwargs: Any) -> Any:
        weigh(m, value)
        for member in (cls._seegrad_items or {}).values():
            m.spend(1)
            if member is value or member.value == value:
                return member
        raise ValueError(f"{repr_text(m, value)} is not a valid {cls.__qualname__}")

    return member_of_value


def _int_text(self: Any) -> str:
    return int.__repr__(self)


def _str_text(self: Any) -> str:
    return str(self.value)


def _formatted(self: Any, spec: str) -> str:
    return format(self.value, spec)


def _make_members(m: Machine, cls: Any) -> None:
    """Replace the plain values of a class body by its members."""
    members: dict[str, Any] = {}
    for name, value in list(cls.__dict__.items()):
        if name.startswith("_") or _is_method(value):
            continue
        m.spend(12 + (len(members) >> 1))
        weigh(m, value)
        value = _next_value(cls, name, members) if isinstance(value, Auto) else value
        known = next((member for member in members.values() if member.value == value), None)
        member = _member(m, cls, name, value) if known is None else known
        type.__setattr__(cls, name, member)
        members[name] = member
    if members:
        type.__setattr__(cls, _MEMBERS, members)
        type.__setattr__(cls, "__new__", staticmethod(_finder(m)))
        type.__setattr__(cls, "__init__", lambda self, *args: None)  # not again at a lookup


def _is_method(value: Any) -> bool:
    return hasattr(type(value), "__get__") or isinstance(value, type)


def _next_value(cls: Any, name: str, members: dict[str, Any]) -> Any:
    if issubclass(cls, str):
        return name.lower()
    values = [member.value for member in members.values() if isinstance(member.value, int)]
    return max(values, default=0) + 1


def _member(m: Machine, cls: Any, name: str, value: Any) -> Any:
    kind: Any = next((kind for kind in (int, str) if issubclass(cls, kind)), None)
    member = kind.__new__(cls, value) if kind else object.__new__(cls)
    object.__setattr__(member, "_seegrad_member", name)
    object.__setattr__(member, "_seegrad_value", value)
    if "__init__" in {key for base in cls.__mro__[:-1] for key in base.__dict__}:
        m.call(
            m.get_attribute(member, "__init__"), *(value if isinstance(value, tuple) else (value,))
        )
    return member
