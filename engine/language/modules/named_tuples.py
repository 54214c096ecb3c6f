"""Named tuples: `collections.namedtuple` and `typing.NamedTuple`, made of closures."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

from engine.language.classes import is_refused, make_class
from engine.language.contract import Machine
from engine.language.texts import repr_text, str_text
from engine.language.weights import listed

Namespace = dict[str, Any]


def namedtuple(
    m: Machine, typename: Any, field_names: Any, *,
    rename: Any = False, defaults: Any = None, module: Any = None,
) -> Any:  # fmt: skip
    """`collections.namedtuple`."""
    text = str.__str__(field_names) if isinstance(field_names, str) else None
    given = None if text is None else text.replace(",", " ").split()
    fields = [str_text(m, name) for name in (listed(m, field_names) if given is None else given)]
    typename = str_text(m, typename)
    m.spend(90 + 6 * len(fields))
    if rename:
        first = {name: number for number, name in reversed([*enumerate(fields)])}
        fields = [
            name if _is_fine(name) and first[name] == number else f"_{number}"
            for number, name in enumerate(fields)
        ]
    _check(m, [typename, *fields])
    values = [] if defaults is None else listed(m, defaults)
    if len(values) > len(fields):
        raise TypeError("Got more default values than field names")
    start = len(fields) - len(values)
    return make_class(
        typename,
        (tuple,),
        _namespace(m, typename, fields, dict(zip(fields[start:], values, strict=True))),
    )


def _is_fine(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name) and not name.startswith("_")


def _check(m: Machine, names: list[str]) -> None:
    for name in names:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if iskeyword(name):
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen: set[str] = set()
    for name in names[1:]:
        if name.startswith("_") and not (name[1:].isdigit()):
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)


def _namespace(
    m: Machine, typename: str, fields: list[str], defaults: Mapping[str, Any]
) -> Namespace:
    """What a named tuple has besides a tuple."""
    names = tuple(fields)

    def new(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        m.spend(2 + len(names))
        return tuple.__new__(cls, _bind(typename, names, defaults, args, kwargs))

    def make(cls: Any, iterable: Any) -> Any:
        items = listed(m, iterable)
        if len(items) != len(names):
            raise TypeError(f"Expected {len(names)} arguments, got {len(items)}")
        return tuple.__new__(cls, items)

    def written(self: Any) -> str:
        parts = [f"{name}={repr_text(m, x)}" for name, x in zip(names, self, strict=True)]
        return f"{type(self).__name__}({', '.join(parts)})"

    def as_dict(self: Any) -> dict[str, Any]:
        m.spend(2 * len(names))
        return dict(zip(names, self, strict=True))

    def replace(self: Any, /, **kwargs: Any) -> Any:
        values = [kwargs.pop(name, x) for name, x in zip(names, self, strict=True)]
        if kwargs:
            raise ValueError(f"Got unexpected field names: {list(kwargs)!r}")
        return make(type(self), values)

    return {
        "__slots__": (), "__new__": new, "__repr__": written, "_make": classmethod(make),
        "_asdict": as_dict, "_replace": replace, "_fields": names,
        "_field_defaults": dict(defaults), "__match_args__": names,
        "__doc__": f"{typename}({', '.join(names)})",
        **{name: _item(number) for number, name in enumerate(names)},
    }  # fmt: skip


def _item(number: int) -> property:
    return property(lambda self: tuple.__getitem__(self, number))


def _bind(
    typename: str, names: tuple[str, ...], defaults: Mapping[str, Any],
    args: tuple[Any, ...], kwargs: Mapping[str, Any],
) -> list[Any]:  # fmt: skip
    """The values of the fields, or the error of CPython's `__new__`."""
    call = f"{typename}.__new__()"
    if len(args) > len(names):
        least = 1 + len(names) - len(defaults)
        span = f"{len(names) + 1}" if not defaults else f"from {least} to {len(names) + 1}"
        plural = "s" if len(names) or defaults else ""
        message = f"{call} takes {span} positional argument{plural} but {len(args) + 1} were given"
        raise TypeError(message)
    given = dict(zip(names, args, strict=False))
    for name in kwargs:
        if name not in names:
            raise TypeError(f"{call} got an unexpected keyword argument {name!r}")
        if name in given:
            raise TypeError(f"{call} got multiple values for argument {name!r}")
    given = {**defaults, **given, **kwargs}
    if lacking := [name for name in names if name not in given]:
        raise TypeError(f"{call} missing {enumerated(lacking)}")
    return [given[name] for name in names]


def enumerated(lacking: list[str]) -> str:
    """The end of "missing 2 required positional arguments: 'a' and 'b'"."""
    shown = [repr(name) for name in lacking]
    if len(shown) == 1:
        return f"1 required positional argument: {shown[0]}"
    last = " and " if len(shown) == 2 else ", and "
    listing = ", ".join(shown[:-1]) + last + shown[-1]
    return f"{len(shown)} required positional arguments: {listing}"


def named_tuple_base(m: Machine) -> Any:
    """`typing.NamedTuple`: a base whose subclasses have their annotations as fields."""

    def prepare(cls: Any) -> None:
        if "_fields" in cls.__mro__[1].__dict__:
            return
        fields = [name for name in inspect.get_annotations(cls) if not is_refused(name)]
        defaults = {name: cls.__dict__[name] for name in fields if name in cls.__dict__}
        for name, made in _namespace(m, cls.__name__, fields, defaults).items():
            if name not in ("__slots__", "__doc__") and (
                name in fields or name not in cls.__dict__
            ):
                setattr(cls, name, made)

    def new(cls: Any, typename: str, fields: Any = (), /, **kwargs: Any) -> Any:
        pairs = listed(m, fields) or list(kwargs.items())
        return namedtuple(m, typename, [name for name, _ in pairs])

    return make_class(
        "NamedTuple", (tuple,), {"_seegrad_ready": staticmethod(prepare), "__new__": new}
    )
