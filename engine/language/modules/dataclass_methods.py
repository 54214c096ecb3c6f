"""The methods of a dataclass, each a closure over its fields."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from typing import Any, TypeVar

from engine.language.contract import Machine
from engine.language.texts import repr_text
from engine.language.weights import check_key, weigh

from .named_tuples import enumerated

FIELDS = "_seegrad_fields"
Named = TypeVar("Named", bound=Callable[..., Any])
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge,
}  # fmt: skip


class _Sign:
    """A name that stands for itself."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return self.shown


MISSING: Any = _Sign("<dataclasses._MISSING_TYPE object>")
KW_ONLY: Any = _Sign("dataclasses.KW_ONLY")


class InitVar:
    """`InitVar[int]`: an argument of `__init__` that is handed to `__post_init__` only."""

    def __init__(self, kind: Any = None) -> None:
        self.kind = kind

    def __getitem__(self, kind: Any) -> InitVar:
        return InitVar(kind)

    def __repr__(self) -> str:
        return f"dataclasses.InitVar[{getattr(self.kind, '__name__', self.kind)}]"


class Field:
    """A field of a dataclass, as `field(…)` describes it."""

    def __init__(self, default: Any = MISSING) -> None:
        self.name, self.type, self.default = "", None, default
        self.default_factory: Any = MISSING
        self.init = self.repr = self.compare = True
        self.hash: Any = None
        self.kw_only: Any = MISSING
        self.metadata: Any = {}
        self.only_init = False

    @property
    def required(self) -> bool:
        """Whether `__init__` needs an argument for it."""
        return self.default is MISSING and self.default_factory is MISSING


Found = Mapping[str, Field]


def fields_of(x: Any) -> list[Field]:
    """The fields that an object of a dataclass holds."""
    found: Found = getattr(type(x), FIELDS)
    return [f for f in found.values() if not f.only_init]


# __init__


def make_init(m: Machine, cls: Any, found: Found, *, frozen: bool) -> Callable[..., None]:
    """`__init__` with the fields as parameters, defaults, factories and `__post_init__`."""
    fields = list(found.values())
    positional = [f for f in fields if f.init and not f.kw_only]
    _check_order(positional)
    call = f"{cls.__qualname__}.__init__()"
    store = object.__setattr__ if frozen else m.set_attribute

    def init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        m.spend(4 + 2 * len(fields))
        given = _bind(call, positional, found, args, kwargs)
        passed = []
        for f in fields:
            value = given[f.name] if f.name in given else _default(m, f)
            if f.only_init:
                passed.append(value)
            elif value is not MISSING and (f.init or f.default_factory is not MISSING):
                store(self, f.name, value)
        if hasattr(type(self), "__post_init__"):
            m.get_attribute(self, "__post_init__")(*passed)

    init.__name__, init.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    return init


def _default(m: Machine, f: Field) -> Any:
    return f.default if f.default_factory is MISSING else m.call(f.default_factory)


def _check_order(positional: list[Field]) -> None:
    optional = False
    for f in positional:
        if f.required and optional:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
        optional = optional or not f.required


def _bind(
    call: str, positional: list[Field], found: Found,
    args: tuple[Any, ...], kwargs: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """The arguments by name, or the error of CPython's call."""
    if len(args) > len(positional):
        most, least = len(positional) + 1, 1 + sum(f.required for f in positional)
        span = f"{most}" if least == most else f"from {least} to {most}"
        plural = "" if most == 1 else "s"
        message = f"{call} takes {span} positional argument{plural} but {len(args) + 1}"
        raise TypeError(f"{message} were given")
    given = {f.name: value for f, value in zip(positional, args, strict=False)}
    for name, value in kwargs.items():
        if name not in found or not found[name].init:
            raise TypeError(f"{call} got an unexpected keyword argument {name!r}")
        if name in given:
            raise TypeError(f"{call} got multiple values for argument {name!r}")
        given[name] = value
    lacking = [f for f in found.values() if f.init and f.required and f.name not in given]
    if lacking:
        words = [f.name for f in lacking if not f.kw_only]
        text = enumerated(words or [f.name for f in lacking])
        raise TypeError(
            f"{call} missing {text if words else text.replace('positional', 'keyword-only')}"
        )
    return given


# The others


def make_repr(m: Machine, found: Found) -> Callable[[Any], str]:
    shown = [f.name for f in found.values() if f.repr and not f.only_init]

    def written(self: Any) -> str:
        if id(self) in m.natives.writing:
            return "..."
        m.natives.writing.add(id(self))
        try:
            parts = [f"{name}={repr_text(m, m.get_attribute(self, name))}" for name in shown]
        finally:
            m.natives.writing.discard(id(self))
        return f"{type(self).__qualname__}({', '.join(parts)})"

    return _called("__repr__", written)


def _compared(m: Machine, found: Found) -> Callable[[Any], tuple[Any, ...]]:
    names = [f.name for f in found.values() if f.compare and not f.only_init]

    def values(x: Any) -> tuple[Any, ...]:
        m.spend(1 + len(names))
        made = tuple(getattr(x, name) for name in names)
        weigh(m, made)
        return made

    return values


def make_equal(m: Machine, cls: Any, found: Found) -> Callable[[Any, Any], Any]:
    values = _compared(m, found)

    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return _called("__eq__", equal)


def make_comparisons(m: Machine, cls: Any, found: Found) -> dict[str, Callable[[Any, Any], Any]]:
    values = _compared(m, found)

    def comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def compared(self: Any, other: Any) -> Any:
            if type(other) is not type(self):
                return NotImplemented
            return compare(values(self), values(other))

        return compared

    return {name: _called(name, comparison(compare)) for name, compare in COMPARISONS.items()}


def make_hash(m: Machine, found: Found) -> Callable[[Any], int]:
    names = [
        f.name
        for f in found.values()
        if (f.compare if f.hash is None else f.hash) and not f.only_init
    ]

    def hashed(self: Any) -> int:
        key = tuple(getattr(self, name) for name in names)
        check_key(m, key, 0)
        return hash(key)

    return _called("__hash__", hashed)


def make_frozen(cls: Any, found: Found) -> dict[str, Callable[..., None]]:
    """`__setattr__` and `__delattr__` that raise FrozenInstanceError."""

    def set_one(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in found:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def delete_one(self: Any, name: str) -> None:
        if type(self) is cls or name in found:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    return {"__setattr__": set_one, "__delattr__": delete_one}


def _called(name: str, function: Named) -> Named:
    function.__name__ = name
    return function
