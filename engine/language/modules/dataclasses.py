"""The module `dataclasses`: methods made of closures from the annotations of a class."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import ProgramType, is_refused, make_class
from engine.language.contract import Kind, Machine
from engine.language.members import check_lineage, check_member
from engine.language.weights import attribute, listed

from . import dataclass_methods as methods
from .copy import deepcopy
from .dataclass_methods import FIELDS, MISSING, Field, fields_of

_OPTIONS = {
    "init": True, "repr": True, "eq": True, "order": False, "unsafe_hash": False, "frozen": False,
    "match_args": True, "kw_only": False, "slots": False, "weakref_slot": False,
}  # fmt: skip
_FROZEN = "_seegrad_frozen"
KW_ONLY = methods.KW_ONLY
_CLASS_COST = 60


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `dataclasses`."""
    functions: dict[str, Callable[..., Any]] = {
        "dataclass": dataclass, "field": field, "fields": fields, "asdict": asdict,
        "astuple": astuple, "replace": replace, "is_dataclass": is_dataclass,
        "make_dataclass": make_dataclass,
    }  # fmt: skip
    return {
        **{name: bound(m, function, name) for name, function in functions.items()},
        "FrozenInstanceError": dataclasses.FrozenInstanceError,
        "MISSING": MISSING,
        "KW_ONLY": KW_ONLY,
        "InitVar": methods.InitVar(),
        "Field": Field,
    }


_SHOWN = (
    "name", "type", "default", "default_factory", "init", "repr", "compare", "kw_only", "metadata",
    "hash",
)  # fmt: skip
FIELD = Kind(
    Field,
    "a field of a dataclass",
    {name: attribute(name) for name in _SHOWN},
)  # fmt: skip


def field(m: Machine, **options: Any) -> Field:
    """`dataclasses.field`."""
    m.spend(8)
    known = {"default", "default_factory", "init", "repr", "compare", "hash", "kw_only", "metadata"}
    for name in options:
        if name not in known:
            raise TypeError(f"field() got an unexpected keyword argument {name!r}")
    made = Field()
    for name, value in options.items():
        setattr(made, name, value)
    if made.default is not MISSING and made.default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return made


def dataclass(m: Machine, cls: Any = None, /, **options: Any) -> Any:
    """`@dataclass` and `@dataclass(order=True, …)`."""
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"dataclass() got an unexpected keyword argument {name!r}")
    chosen = {name: bool(options.get(name, usual)) for name, usual in _OPTIONS.items()}
    if cls is None:
        return lambda given: _process(m, given, chosen)
    return _process(m, cls, chosen)


def _process(m: Machine, cls: Any, options: dict[str, bool]) -> Any:
    if not isinstance(cls, ProgramType):
        m.refuse("dataclass takes a class of the program.", "Write @dataclass above a class.")
    found = _collect(m, cls, options)
    m.spend(24 + 8 * len(found))
    setattr(cls, FIELDS, found)
    setattr(cls, _FROZEN, options["frozen"])
    if options["order"] and not options["eq"]:
        raise ValueError("eq must be true if order is true")
    for name, method in _methods(m, cls, found, options).items():
        if name in ("__setattr__", "__delattr__") or name not in cls.__dict__:
            setattr(cls, name, method)
        elif name in methods.COMPARISONS:
            raise TypeError(
                f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                "Consider using functools.total_ordering"
            )
    _set_hash(m, cls, found, options)
    return _slotted(m, cls, found) if options["slots"] else cls


def _slotted(m: Machine, cls: Any, found: dict[str, Field]) -> Any:
    """The same class once more, with `__slots__` for those fields that no base has one for."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    left_out = {"__dict__", "__weakref__", *found}
    names = {name: held for name, held in cls.__dict__.items() if name not in left_out}
    names["__qualname__"] = cls.__qualname__
    names["__slots__"] = tuple(name for name in found if name not in inherited)
    m.spend(_CLASS_COST + 2 * len(names))
    return make_class(cls.__name__, cls.__bases__, names)


def _methods(
    m: Machine, cls: Any, found: dict[str, Field], options: dict[str, bool]
) -> dict[str, Callable[..., Any]]:
    """The methods that the options ask for."""
    made: dict[str, Callable[..., Any]] = {}
    if options["init"]:
        made["__init__"] = methods.make_init(m, cls, found, frozen=options["frozen"])
    if options["repr"]:
        made["__repr__"] = methods.make_repr(m, found)
    if options["eq"]:
        made["__eq__"] = methods.make_equal(m, cls, found)
    if options["order"]:
        made |= methods.make_comparisons(m, cls, found)
    if options["frozen"]:
        made |= methods.make_frozen(cls, found)
    if options["match_args"] and "__match_args__" not in cls.__dict__:
        names = (f.name for f in found.values() if f.init and not f.kw_only)
        setattr(cls, "__match_args__", tuple(names))  # noqa: B010 -- read by match
    return made


def _set_hash(m: Machine, cls: Any, found: dict[str, Field], options: dict[str, bool]) -> None:
    """`__hash__` by CPython's table: of the fields if frozen, none if only equality is defined."""
    own = cls.__dict__.get("__hash__")
    explicit = "__hash__" in cls.__dict__ and own is not None
    if explicit:
        return
    if options["unsafe_hash"] or (options["eq"] and options["frozen"]):
        cls.__hash__ = methods.make_hash(m, found)
    elif options["eq"]:
        cls.__hash__ = None


def _collect(m: Machine, cls: Any, options: dict[str, bool]) -> dict[str, Field]:
    """The fields of the bases, then those of the class, by name."""
    found: dict[str, Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        inherited = base.__dict__.get(FIELDS, {})
        if inherited and getattr(base, _FROZEN) != options["frozen"]:
            order = (
                ("non-frozen", "a frozen") if getattr(base, _FROZEN) else ("frozen", "a non-frozen")
            )
            raise TypeError(f"cannot inherit {order[0]} dataclass from {order[1]} one")
        found |= inherited
    kw_only = options["kw_only"]
    for name, kind in inspect.get_annotations(cls).items():
        if kind is KW_ONLY or str(kind).endswith("KW_ONLY"):
            kw_only = True
        elif not _is_class_variable(kind):
            if is_refused(name):
                m.refuse(f"{name[:40]} cannot be a field.", "Choose another name.")
            found[name] = _field_of(cls, name, kind, kw_only)
    return found


def _is_class_variable(kind: Any) -> bool:
    return str(kind).startswith(("ClassVar", "typing.ClassVar"))


def _field_of(cls: Any, name: str, kind: Any, kw_only: bool) -> Field:
    default = cls.__dict__.get(name, MISSING)
    made = default if isinstance(default, Field) else Field(default=default)
    made.name, made.type = name, kind
    made.only_init = str(kind).startswith(("InitVar", "dataclasses.InitVar"))
    made.kw_only = kw_only if made.kw_only is MISSING else made.kw_only
    hashes: Any = getattr(type(made.default), "__hash__", None)
    if hashes is None:
        shown = f"mutable default {type(made.default)} for field {name}"
        raise ValueError(f"{shown} is not allowed: use default_factory")
    if isinstance(default, Field):
        if made.default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, made.default)
    return made


# Functions on objects


def fields(m: Machine, x: Any, /) -> tuple[Field, ...]:
    found = getattr(x, FIELDS, None)
    if found is None:
        raise TypeError("must be called with a dataclass type or instance")
    m.spend(len(found))
    return tuple(f for f in found.values() if not f.only_init)


def is_dataclass(m: Machine, x: Any, /) -> bool:
    return hasattr(x, FIELDS)


def _check_instance(x: Any, name: str) -> None:
    if isinstance(x, type) or not hasattr(x, FIELDS):
        raise TypeError(f"{name}() should be called on dataclass instances")


def asdict(m: Machine, obj: Any, *, dict_factory: Any = dict) -> Any:
    _check_instance(obj, "asdict")
    return _converted(m, obj, m.callable(dict_factory), keyed=True)


def astuple(m: Machine, obj: Any, *, tuple_factory: Any = tuple) -> Any:
    _check_instance(obj, "astuple")
    return _converted(m, obj, m.callable(tuple_factory), keyed=False)


def _converted(m: Machine, x: Any, make: Callable[[Any], Any], *, keyed: bool) -> Any:
    """A dataclass as a dict or tuple of its fields, with what it holds converted alike."""
    m.spend(2)
    if not isinstance(x, type) and hasattr(x, FIELDS):
        pairs = [
            (f.name, _converted(m, getattr(x, f.name), make, keyed=keyed)) for f in fields_of(x)
        ]
        return make(pairs if keyed else [value for _, value in pairs])
    if type(x) in (list, tuple):
        return type(x)(_converted(m, item, make, keyed=keyed) for item in x)
    if type(x) is dict:
        return {
            _converted(m, key, make, keyed=keyed): _converted(m, value, make, keyed=keyed)
            for key, value in x.items()
        }
    return deepcopy(m, x)


def replace(m: Machine, obj: Any, /, **changes: Any) -> Any:
    _check_instance(obj, "replace")
    for f in fields_of(obj):
        if not f.init:
            if f.name in changes:
                message = f"field {f.name} is declared with init=False, it cannot be specified"
                raise ValueError(f"{message} with replace()")
        elif f.name not in changes:
            changes[f.name] = getattr(obj, f.name)
    return m.call(type(obj), **changes)


def make_dataclass(
    m: Machine, cls_name: str, fields: Any, *, bases: Any = (), **options: Any
) -> Any:
    """`make_dataclass("C", ["x", ("y", int), ("z", int, 3)])`."""
    namespace: dict[str, Any] = {"__annotations__": {}}
    for entry in listed(m, fields):
        name, kind, *default = (entry, "typing.Any") if isinstance(entry, str) else tuple(entry)
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        name = str.__str__(name)
        namespace["__annotations__"][name] = kind
        if default:
            namespace[name] = default[0]
    for name in namespace:
        check_member(m, (), name)
    given = listed(m, bases)
    if not all(isinstance(base, ProgramType) for base in given):
        m.refuse("make_dataclass derives from classes of the program.", "Write a class statement.")
    check_lineage(m, given)
    m.spend(_CLASS_COST)
    made = make_class(str.__str__(cls_name), tuple(given), namespace)
    return dataclass(m, made, **options)
