"""Classes of programs: real Python types, made without any of their dangerous features.

Operators, reflected operands, inheritance, properties, hashing and iteration are therefore those of
Python itself. Special methods that reach beyond the object are refused by name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from types import MemberDescriptorType
from typing import Any

from engine.value import Value

_MADE_UP = 0x7F0000000000
"""Addresses of objects are made up, so that every run prints the same."""


class ProgramType(type):
    """The type of every class that a program defines."""

    _seegrad_plain: bool
    """Whether no class but those of the program and `Thing` is among its bases."""

    _seegrad_sets = False
    """Whether it has a `__setattr__` of the program."""

    _seegrad_ready: Callable[[Any], None] | None = None
    """Completes each class that derives from it, after the program's `__init_subclass__`."""

    _seegrad_protocol: Callable[[Any, Any], Any] | None = None
    """What `isinstance` takes in place of a protocol; None for any other class."""

    _seegrad_items: Mapping[str, Any] | None = None
    """The members of an enumeration by name; None for any other class."""

    def __repr__(cls) -> str:
        kind = "class" if cls._seegrad_items is None else "enum"
        return f"<{kind} '{f'{cls.__module__}.' * (kind == 'class')}{cls.__qualname__}'>"

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._seegrad_members("'type' object is not iterable"))

    def __reversed__(cls) -> Iterator[Any]:
        return iter(cls._seegrad_members("'type' object is not reversible")[::-1])

    def __len__(cls) -> int:
        return len(cls._seegrad_members("object of type 'type' has no len()"))

    def __contains__(cls, x: Any) -> bool:
        members = cls._seegrad_members("argument of type 'type' is not iterable")
        return any(member is x for member in members)

    def __bool__(cls) -> bool:
        return True

    def __getitem__(cls, name: Any) -> Any:
        if cls._seegrad_items is not None:
            return cls._seegrad_items[name]
        subscript = getattr(cls, "__class_getitem__", None)
        if subscript is None:
            raise TypeError(f"type '{cls.__qualname__}' is not subscriptable")
        return subscript(name)

    def _seegrad_members(cls, message: str) -> list[Any]:
        """The members of an enumeration, each once. Raises TypeError for any other class."""
        if cls._seegrad_items is None:
            raise TypeError(message)
        return list(dict.fromkeys(cls._seegrad_items.values()))


_NOTED = "__annotations__"


class Thing:
    """The base of classes without another one; hashes and prints the same in every run."""

    __slots__ = ("_seegrad_children", "_seegrad_name", "_seegrad_number", "_seegrad_serial")
    _seegrad_children: Any
    _seegrad_name: str
    _seegrad_number: Any
    _seegrad_serial: int

    def __repr__(self) -> str:
        return f"<__main__.{type(self).__qualname__} object at {address(self):#x}>"

    def __hash__(self) -> int:
        return serial(self)


for _base in (ProgramType, Thing):
    if _NOTED in vars(_base):
        delattr(_base, _NOTED)  # else every class of a program would inherit, and share, this dict


class MixinType(ProgramType):
    """The type of classes that stand beside a native base: they do without the slots of `Thing`."""

    _seegrad_bare = False
    """Whether the class has neither these slots nor a native base."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        """An object; that of a bare class is made by a class of the same name with the slots."""
        if not cls._seegrad_bare:
            return super().__call__(*args, **keywords)
        if "_seegrad_whole" not in vars(cls):
            names = {"__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
            type.__setattr__(cls, "_seegrad_whole", make_class(cls.__name__, (cls,), names))
        return vars(cls)["_seegrad_whole"](*args, **keywords)


RESERVED = "_seegrad_"
"""No name of a program may begin with this."""


class _Run(threading.local):
    """The count of objects of the run on this thread: each run has a thread of its own."""

    serials: Iterator[int]
    kinds: list[type]
    """Classes of the run that derive from built-in ones."""

    def __init__(self) -> None:
        self.serials, self.kinds = count(1), []


_run = _Run()


def count_anew() -> None:
    """Begin the run of this thread."""
    _run.serials, _run.kinds = count(1), []


_COMPARING = ("__eq__", "__ne__", "__hash__", "__bool__", "__len__")


def end_comparing() -> None:
    """The run of this thread has ended: its Values are drawn without any code of the program."""
    for kind in _run.kinds:
        for name in _COMPARING:
            if name in vars(kind):
                type.__delattr__(kind, name)
    _run.kinds = []


_held_serial: Any = vars(Thing)["_seegrad_serial"].__get__
"""Reads the slot alone: never the program's own `__getattr__`."""


def stored(o: Any, name: str) -> Any:
    """The attribute that an object or its class holds; None if there is none.

    Properties, `__getattr__` and whatever else would run code of the program are left alone.
    """
    try:
        return object.__getattribute__(o, "__dict__")[name]
    except (AttributeError, KeyError):
        held = next((vars(base)[name] for base in type(o).__mro__ if name in vars(base)), None)
    if type(held) is not MemberDescriptorType:
        return None if hasattr(type(held), "__get__") else held
    try:
        return held.__get__(o)
    except AttributeError:
        return None


def serial(thing: Thing) -> int:
    """A number for an object, in the order in which objects were first asked for theirs."""
    try:
        return _held_serial(thing)  # type: ignore[no-any-return]
    except AttributeError:
        found = next(_run.serials)
        object.__setattr__(thing, "_seegrad_serial", found)  # its class may be frozen
        return found


def address(thing: Thing) -> int:
    """The address that an object prints."""
    return _MADE_UP + 16 * serial(thing)


OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and",
    "xor", "or", "matmul",
)  # fmt: skip
SPECIAL = frozenset({
    *(f"__{prefix}{name}__" for name in OPERATORS for prefix in ("", "r", "i")),
    *(f"__{name}__" for name in (
        "init", "repr", "str", "format", "eq", "ne", "lt", "le", "gt", "ge", "hash", "bool",
        "float", "int", "index", "complex", "round", "trunc", "floor", "ceil", "neg", "pos", "abs",
        "invert", "call", "len", "length_hint", "iter", "next", "reversed", "contains", "getitem",
        "setitem", "delitem", "missing", "enter", "exit", "getattr", "post_init", "name", "doc",
        "qualname", "module", "slots", "annotations", "match_args", "copy", "deepcopy",
        "setattr", "delattr", "dir", "get", "set", "delete", "set_name", "init_subclass",
        "class_getitem", "new", "array_priority", "version", "author",
    )),
})  # fmt: skip
"""Names with two underscores on both sides that programs may define and read."""


def is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


READABLE = frozenset({"__cause__", "__suppress_context__", "__notes__"})
"""Attributes of exceptions, which a program may read and not set."""


LINEAGE = frozenset({"__mro__"})
"""What a class of the program derives from, which it may read and not set."""


def is_unreadable(name: str) -> bool:
    """Whether no program may read an attribute of this name."""
    return name not in READABLE and name not in LINEAGE and is_refused(name)


def is_refused(name: str) -> bool:
    """Whether no program may set or define an attribute of this name."""
    return (is_special(name) and name not in SPECIAL) or name.startswith(RESERVED)


class Metaclass:
    """A metaclass that a program may name: each class made with it derives from `base` as well."""

    def __init__(self, base: ProgramType) -> None:
        self.base = base


def make_class(
    name: str,
    bases: tuple[type, ...],
    namespace: Mapping[str, Any],
    *,
    _is_mixin: bool = False,
    **keywords: Any,
) -> ProgramType:
    """The class of a program. Raises TypeError as Python does for bases that do not fit.

    `keywords` go to `__init_subclass__`.
    """
    found = dict.fromkeys(base for base in bases if base is not object)
    own = tuple(found) or (object,)
    if not _is_mixin and all(base is object or is_mixin(base) for base in own):
        own = (*found, Thing)
    names = {**namespace, "__module__": "__main__"}
    names.setdefault("__qualname__", name)
    if "__eq__" in names:
        names.setdefault("__hash__", None)
    if "__setattr__" in names:
        names["_seegrad_sets"] = True
    names["_seegrad_plain"] = all(map(_is_plain, own))
    names["_seegrad_bare"] = _is_mixin
    made = _made(MixinType if _is_mixin else ProgramType, name, own, names, keywords)
    if not made._seegrad_plain and issubclass(made, Value):
        _run.kinds.append(made)
    for base in reversed(made.__mro__[1:]):
        if ready := vars(base).get("_seegrad_ready"):
            ready.__func__(made)
    return made


def _is_plain(base: type) -> bool:
    return base._seegrad_plain if isinstance(base, ProgramType) else base in (Thing, object)


def is_mixin(base: type) -> bool:
    """Whether a class may stand beside a native base: its members are checked for all of these."""
    return isinstance(base, MixinType) and base._seegrad_bare


def native_kind(o: Any) -> Any:
    """The first of the classes of an object that is none of the program's."""
    return next(base for base in type(o).__mro__ if not isinstance(base, ProgramType))


def class_of(o: Any) -> type:
    """The class of an object as the program wrote it."""
    kind = type(o)
    if isinstance(kind, MixinType):
        written: type = kind.__bases__[0]
        return written if vars(written).get("_seegrad_whole") is kind else kind
    return kind


def _made(
    usual: type[ProgramType],
    name: str,
    bases: tuple[type, ...],
    names: Mapping[str, Any],
    keywords: Mapping[str, Any],
) -> ProgramType:
    """The new class; a refusal in a `__set_name__`, which CPython wraps, is raised as it was."""
    metaclass = next((type(base) for base in bases if isinstance(base, ProgramType)), usual)
    try:
        return metaclass(name, bases, dict(names), **keywords)
    except RuntimeError as error:
        if error.__cause__ is None or isinstance(error.__cause__, Exception):
            raise
        raise error.__cause__ from None
