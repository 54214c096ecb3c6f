"""Objects of the program that hold a number and a gradient: how they are read.

An object is known by its class, which the program's text defines. Nothing here runs code of the
program: properties, `__getattr__` and the like are left alone. One run is recorded at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import GetSetDescriptorType, MappingProxyType, MemberDescriptorType
from typing import Any

from engine.real import as_float
from engine.value import Value

from .attribute_names import CHILDREN, LABELS, OPS
from .follow import FOLLOWED, STORED, is_a
from .live_numbers import LiveNumber

PLAIN = FOLLOWED | {LiveNumber}
"""The types of plain numbers that are followed, or drawn."""


@dataclass(slots=True)
class KnownObjects:
    """What is known of the program's objects in the run under way."""

    classes: set[type] = field(default_factory=set)
    """The classes that the program has defined."""
    numbers: dict[type, str] = field(default_factory=dict)
    """The attribute under which the objects of each class hold their number."""
    in_class: dict[tuple[type, Collection[str]], bool] = field(default_factory=dict)
    """Whether a class itself, or a slot of it, may hold something under one of these names."""
    dicts: dict[type, Callable[[Any], Any]] = field(default_factory=dict)
    """What reads the dict of an object, by its class."""
    slots: dict[type, list[tuple[str, Any]]] = field(default_factory=dict)
    """The slots of each class."""
    machine: Any = None
    """The recorder of the run."""
    hashed: int = 0
    """The objects that were asked for their hash."""
    names: dict[int, tuple[Any, str]] = field(default_factory=dict)
    """What objects without a number are called, by their identity."""


known = KnownObjects()


def begin(machine: Any) -> None:
    """Forget the objects of the last run; `machine` is the recorder of the next."""
    known.machine, known.hashed = machine, 0
    known.classes, known.numbers, known.names = set(), {}, {}
    known.in_class, known.slots, known.dicts = {}, {}, {}


_COMPARING = ("__eq__", "__ne__", "__hash__", "__bool__", "__len__")


def end_comparing() -> None:
    """The run has ended: its Values are drawn without any code of the program."""
    for cls in known.classes:
        if issubclass(cls, Value):
            for name in _COMPARING:
                if name in _class_dict(cls):
                    type.__delattr__(cls, name)


_mro: Any = type.__dict__["__mro__"].__get__
_class_dict: Any = type.__dict__["__dict__"].__get__
class_name: Any = type.__dict__["__name__"].__get__
"""The name of a class itself, whatever its metaclass calls so."""


def class_dicts(cls: type) -> list[Mapping[str, Any]]:
    """What a class and its bases hold, whatever its metaclass says of them."""
    return [_class_dict(base) for base in _mro(cls)]


NO_DICT: Any = MappingProxyType({})


def own_dict(o: Any) -> Any:
    """The dict of an object, read without any code of the program; NO_DICT if it has none."""
    return (known.dicts.get(type(o)) or _reader(type(o)))(o)


def _reader(cls: type) -> Callable[[Any], Any]:
    found = (held.get("__dict__") for held in class_dicts(cls))
    each = (x.__get__ for x in found if type(x) is GetSetDescriptorType)
    read = known.dicts[cls] = next(each, lambda _: NO_DICT)
    return read


SERIAL = "_seegrad_serial"
"""The entry of an object's dict that its hash is taken from, once it is asked for."""


def serial_hash(o: Any) -> int:
    """The hash of an object: the order of the objects that were asked for theirs.

    Sets of objects are gone through in the order of their hashes. Those of Python are addresses, so
    that a pass would take another way in every run.
    """
    held = object.__getattribute__(o, "__dict__")
    found: int | None = held.get(SERIAL)
    if found is None:
        known.hashed += 1
        found = held[SERIAL] = known.hashed
    return found


def order_by_serial(cls: Any) -> None:
    """Let objects of a class of the program be ordered in sets as they were first put into one."""
    dicts = class_dicts(cls)
    hashed = next(held["__hash__"] for held in dicts if "__hash__" in held)
    has_dict = any("__dict__" in held for held in dicts)
    if hashed is object.__hash__ and has_dict and not issubclass(cls, type):
        type.__setattr__(cls, "__hash__", serial_hash)


def is_object(o: Any) -> bool:
    """Whether `o` is an object of a class of the program."""
    return type(o) in known.classes


def stored(o: Any, name: str) -> Any:
    """The attribute that an object or its class holds; None if there is none."""
    own = (known.dicts.get(type(o)) or _reader(type(o)))(o)
    if name in own:
        return own[name]
    held = None
    for base in _mro(type(o)):
        if name in (each := _class_dict(base)):
            held = each[name]
            break
    if type(held) is not MemberDescriptorType:
        return None if hasattr(type(held), "__get__") else held
    try:
        return held.__get__(o)
    except AttributeError:
        return None


def number_name(o: Any) -> str:
    """The attribute under which an object holds its number; empty if it holds none yet."""
    return known.numbers.get(type(o), "")


def number_of(o: Any) -> Any:
    """The followed number that an object holds as its own; None if it holds none."""
    name = known.numbers.get(type(o))
    if name is None:
        return None
    found = stored(o, name)
    return found if type(found) in FOLLOWED and found.owner is o else None


def held_under(o: Any, names: Collection[str]) -> Iterator[Any]:
    """What an object holds under these names, in their order."""
    cls = type(o)
    in_class = known.in_class.get((cls, names))
    if in_class is None:
        in_class = any(name in held for held in class_dicts(cls) for name in names)
        known.in_class[cls, names] = in_class
    own = own_dict(o)
    for name in names if in_class else filter(own.__contains__, names):
        yield own[name] if name in own else stored(o, name)


def children_of(o: Any) -> Any:
    """The collection of objects that `o` says it was computed from; None if it says nothing."""
    found = (x for x in held_under(o, CHILDREN) if type(x) in COLLECTIONS and x)
    return next(found, None)


COLLECTIONS = frozenset({set, frozenset, tuple, list})


def _gradients(o: Any) -> Iterator[Any]:
    """The numbers that an object holds as gradients, but under the name of its number."""
    own = number_name(o)
    names: frozenset[str] = known.machine.source.gradients
    names = names - {own} if own in names else names
    return (x for x in held_under(o, names) if type(x) in STORED)


def has_gradient(o: Any) -> bool:
    """Whether an object holds a gradient."""
    return next(_gradients(o), None) is not None


def keeps_gradient(o: Any) -> bool:
    """Whether an object holds a gradient, or None where it will hold one."""
    return not known.machine.source.gradients.isdisjoint(own_dict(o)) or has_gradient(o)


def gradients_of(o: Any) -> list[float]:
    """The gradients that an object holds, under any name."""
    return list(map(as_float, _gradients(o)))


def label_of(o: Any) -> str:
    """The label of an object: its own, or the first variable that held it."""
    for label in map(text_of, held_under(o, LABELS)):
        if any(map(str.isalnum, label)):
            return label[:64]  # "?" and "" leave the variable's name
    return name_of(o) or ""


def name_of(o: Any) -> str | None:
    """The name that `set_name` or `rename` gave an object."""
    if not is_object(o):
        return None
    number = number_of(o)
    if number is not None:
        return number.name or None
    found = known.names.get(id(o))
    return found[1] if found is not None else None


def set_name(o: Any, name: str) -> None:
    """Name an object that has no name yet."""
    if name_of(o) is None:
        rename(o, name)


def rename(o: Any, name: str) -> None:
    """Name an object whether or not it has a name."""
    number = number_of(o)
    if number is not None:
        number.name = name
    else:
        known.names[id(o)] = o, name


def op_text(o: Any) -> str:
    """What an object itself calls the operation that made it; empty if it does not."""
    found = filter(None, map(text_of, held_under(o, OPS)))
    return next(found, "")[:64]


def text_of(x: Any) -> str:
    """`x` as a plain text, empty if it is none; a text of a class of the program runs no code."""
    return str.__str__(x) if is_a(x, str) else ""


def attributes_of(o: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, without running code of the program."""
    cls, found = type(o), {}
    slots = known.slots.get(cls)
    if slots is None:
        members = [item for held in class_dicts(cls) for item in held.items()]
        slots = [(name, x) for name, x in members if type(x) is MemberDescriptorType]
        known.slots[cls] = slots
    for name, member in slots:
        with contextlib.suppress(AttributeError):
            found[name] = member.__get__(o)
    found.update(own_dict(o))
    found.pop(SERIAL, None)
    return found
