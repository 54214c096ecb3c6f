"""The learner's own graph: objects of the program that hold a number and a gradient.

A number stored under a name of DATA is followed and belongs to the object; the numbers that it was
computed from lead to the objects that it depends on. Every number stored under a name of GRADIENTS
is written to a log, in the order of the program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from engine.arrays.array import Array
from engine.record.attribute_names import (
    CHILDREN,
    DATA,
    EITHER,
    GRADIENTS,
    LABELS,
    OPS,
    WATCHED,
)
from engine.record.model import Pull, Write
from engine.record.source import Source

from .classes import Thing, stored
from .plain import FOLLOWED, STORED, as_float, plain, taped

WRITE_COST = 2
CONNECTED_COST = 6
FORMULA = 8
"""Levels of a formula that are searched for the number that it updates."""
TRACED = 100
"""Numbers of a formula that are searched for one that it depends on."""
CONNECTED = 1000
"""Objects of a collection up to which they are taken as those that a number came from."""


class Own:
    """The objects of one run that hold numbers and gradients, and the log of their gradients."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.watched = watched_in(machine.source)
        """The names of attributes that are looked at when they are set."""
        self.log: list[Write | Pull] = []
        self.holders: list[Any] = []
        """Objects by the order in which they were first given a gradient."""
        self.names: dict[type, str] = {}
        """The name under which the objects of each class keep their gradients: its first."""
        self.of_arrays: tuple[str, str] | None = None
        """The first class and attribute that held an array where a number is drawn."""
        self.holds = False
        """Whether any object holds a number yet."""
        self.updates: dict[int, int] = {}
        """The first leaf of an object by each later one: `p.data -= 0.1 * p.grad` makes one."""

    def store(self, o: Any, name: str, value: Any) -> Any:
        """The value to store as the attribute `name` of an object of the program."""
        if name in CHILDREN:
            if type(value) in _COLLECTIONS and value and isinstance(o, Thing):
                self._children(o, value)
            return value
        if type(value) not in STORED:
            if isinstance(value, Array) and name in DATA and not self.of_arrays:
                self.of_arrays = type(o).__name__, name
            return value
        if name in GRADIENTS and not (name in EITHER and _is_its_number(o, name)):
            if self.names.setdefault(type(o), name) == name:
                self._gradient(o, name, value)
            return plain(value)  # a gradient is not followed further
        if not isinstance(o, Thing):
            return self._number(o, value, None)
        held = _read(_NUMBER, o) or (name, None)
        number = self._number(o, value, held[1])
        if held[0] == name:
            _keep(o, "_seegrad_number", (name, number))
        return number

    def _number(self, o: Any, value: Any, earlier: Any) -> Any:
        """`value` as the number of `o`: followed, and a leaf unless it was computed.

        A number computed from the `earlier` one, as `p.data -= 0.1 * p.grad` does, is an update of
        a leaf.
        """
        self.holds = True
        if type(value) in FOLLOWED:
            if value.owner is o:
                return value
            is_new = is_computed(value) and value.owner is None and self._depends(value)
            if is_new and not _follows(value, earlier):
                value.owner = o
                return value
        m = self.machine
        if m.witness is not None and earlier is not None:
            m.witness.update(o, m.tape.made)
        number = m.tape.leaf(taped(plain(value)), m.maker or m.node)
        number.owner = o
        owner = value.owner if type(value) in FOLLOWED else None
        if owner is not None and owner is not o and earlier is None:
            number.args = (value,)  # another object's number, taken over as it is
        if m.witness is not None:
            m.witness.took(number, value)
        if earlier is not None and earlier.leaf is not None:
            self.updates[number.leaf] = self.updates.get(earlier.leaf, earlier.leaf)
        if isinstance(o, Thing):
            self._connect(number, _read(_CHILDREN, o))
        return number

    def connected(self, result: Any, args: Iterable[Any]) -> Any:
        """A number that was computed from `args` and cannot be followed, as one without an op.

        So the objects stay connected that hold them: `Value(round(a.data, 2))`. As long as no
        object holds a number, `result` is returned as it is.
        """
        if not self.holds or type(result) not in STORED:
            return result
        followed = tuple([arg for arg in args if type(arg) in FOLLOWED])
        if not followed:
            return result
        m, out = self.machine, taped(result)
        m.spend(CONNECTED_COST + len(followed) // 4)
        out.op, out.args, out.node, out.scope = None, followed, m.node, m.scope
        out.serial = m.tape.made
        m.tape.made += 1
        return out

    def _depends(self, number: Any) -> bool:
        """Whether a number was computed from one that the reader can change, or from an object's.

        `Value(0.1 * random.random())` is a leaf.
        """
        for arg in number.args:
            if type(arg) in FOLLOWED and (arg.owner is not None or arg.leaf is not None):
                return True
        seen, stack = {id(number)}, [number]
        while stack and len(seen) < TRACED:
            for arg in stack.pop().args:
                if type(arg) in FOLLOWED and id(arg) not in seen:
                    if arg.leaf is not None or arg.owner is not None:
                        return True
                    seen.add(id(arg))
                    stack.append(arg)
        self.machine.spend(len(seen))
        return bool(stack)

    def _children(self, o: Any, children: Any) -> None:
        number = number_of(o)
        if number is None or number.op is None:
            _keep(o, "_seegrad_children", children)
            self._connect(number, children)

    def _connect(self, number: Any, children: Any) -> None:
        """Take the numbers of `children` as the args of a number that could not be followed.

        It has no op, as only the program knows how it was computed. Children made after it are
        left out, so that no cycle can arise.
        """
        if number is None or number.op is not None or not children or len(children) > CONNECTED:
            return
        self.machine.spend(len(children))
        found = [number_of(child) for child in children]
        args = [arg for arg in found if arg is not None and arg.serial < number.serial]
        number.args = tuple(sorted(args, key=_serial))

    def _gradient(self, o: Any, name: str, value: float) -> None:
        m = self.machine
        m.spend(WRITE_COST)
        is_made = m.maker is not None
        held = _at_hand(o, name, is_made)
        before = as_float(held) if type(held) in STORED else None
        if before is None:
            self.holders.append(o)
        is_start = is_made and before is None
        self.log.append(Write(o, before, as_float(value), m.node, is_start))
        if m.witness is not None:
            m.witness.wrote(value)

    def name(self, value: Any, name: str) -> None:
        """Note that the variable `name` of the module holds the object `value`."""
        if isinstance(value, Thing) and self.machine.depth == 0:
            set_name(value, name)


def watched_in(source: Source) -> frozenset[str]:
    """The names of attributes that are looked at in a program, found once for each."""
    if source.watched is None:
        source.watched = WATCHED | first_numbers(source.each(ast.ClassDef))
    return source.watched


def first_numbers(definitions: Iterable[ast.ClassDef]) -> set[str]:
    """The names under which classes with a gradient keep what they are first given.

    `self.item = item` in the `__init__` of a class that has a `self.grad` too; the first field of a
    dataclass.
    """
    return {name for node in definitions if (name := _first_number(node))}


def _first_number(node: ast.ClassDef) -> str:
    fields = [
        part.target.id
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    ]
    if fields and not GRADIENTS.isdisjoint(fields[1:]):
        return fields[0]
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__" and part.args.args[1:]:
            return _kept(part, part.args.args[1].arg)
    return ""


def _kept(init: ast.FunctionDef, param: str) -> str:
    """The attribute to which an `__init__` with a gradient assigns its first parameter."""
    kept, has_gradient = "", False
    for node in ast.walk(init):
        match node:
            case ast.Assign(targets=targets, value=value):
                names = [target.attr for target in targets if isinstance(target, ast.Attribute)]
                has_gradient |= not GRADIENTS.isdisjoint(names)
                if names and not kept and _is_number(value, param):
                    kept = names[0]
    return kept if has_gradient and kept not in GRADIENTS else ""


def _is_number(value: ast.AST, param: str) -> bool:
    match value:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="float"), args=[ast.Name(id=name)]):
            return name == param
    return False


_keep = object.__setattr__
"""Sets a slot of an object, also of one whose class is frozen."""
_NUMBER: Any = Thing.__dict__["_seegrad_number"]
_NAME: Any = Thing.__dict__["_seegrad_name"]
_CHILDREN: Any = Thing.__dict__["_seegrad_children"]


def _read(slot: Any, o: Any) -> Any:
    """What is in a slot of an object; None if nothing is, without asking its `__getattr__`."""
    try:
        return slot.__get__(o)
    except AttributeError:
        return None


def _is_its_number(o: Any, name: str) -> bool:
    """Whether `name` is what `o` calls its number, or may be."""
    return (_read(_NUMBER, o) or (name,))[0] == name


_COLLECTIONS = frozenset({set, frozenset, tuple, list})


def _at_hand(o: Any, name: str, is_new: bool) -> Any:
    """As `stored`, faster for objects without slots; not the class's own while it `is_new`.

    The field `grad: float = 0.0` of a dataclass is no gradient of the object being made.
    """
    try:
        held: dict[str, Any] = object.__getattribute__(o, "__dict__")
    except AttributeError:
        return stored(o, name)
    if name in held:
        return held[name]
    return None if is_new else stored(o, name)


def _serial(number: Any) -> int:
    serial: int = number.serial
    return serial


def is_computed(number: Any) -> bool:
    """Whether a number came from others, whether or not it is known how."""
    return bool(number.op or number.args)


def _follows(number: Any, earlier: Any) -> bool:
    """Whether the formula of `number` holds `earlier`, an object's own number, at its top."""
    if type(earlier) not in FOLLOWED:
        return False
    level = [number]
    for _ in range(FORMULA):
        level = [arg for x in level for arg in x.args if type(arg) in FOLLOWED]
        if any(arg is earlier for arg in level):
            return True
        level = [arg for arg in level if arg.owner is None][:FORMULA]
    return False


def number_of(o: Any) -> Any:
    """The followed number that an object holds under the first name of DATA that it was given.

    None if it holds none. No code of the program is called.
    """
    if not isinstance(o, Thing):
        return None
    found = _read(_NUMBER, o)
    return found[1] if found and found[1].owner is o else None


def has_gradient(o: Any) -> bool:
    """Whether an object holds a gradient."""
    return any(type(stored(o, name)) in STORED for name in GRADIENTS)


def keeps_gradient(o: Any) -> bool:
    """Whether an object holds a gradient, or None where it will hold one."""
    try:
        held: dict[str, Any] = object.__getattribute__(o, "__dict__")
    except AttributeError:
        held = {}
    return not GRADIENTS.isdisjoint(held) or has_gradient(o)


def gradients_of(o: Any) -> list[float]:
    """The gradients that an object holds, under any name of GRADIENTS."""
    found = (stored(o, name) for name in sorted(GRADIENTS) if not _is_its_number(o, name))
    return [as_float(x) for x in found if type(x) in STORED]


def label_of(o: Any) -> str:
    """The label of an object: its own, or the first variable that held it."""
    for name in LABELS:
        label = _text(stored(o, name))
        if any(map(str.isalnum, label)):
            return label[:64]  # "?" and "" leave the variable's name
    return (_read(_NAME, o) or "") if isinstance(o, Thing) else ""


def set_name(o: Thing, name: str) -> None:
    """Name an object that has no name yet."""
    if _read(_NAME, o) is None:
        _keep(o, "_seegrad_name", name)


def name_of(o: Thing) -> str | None:
    """The name that `set_name` or `rename` gave an object."""
    name: str | None = _read(_NAME, o)
    return name


def rename(o: Thing, name: str) -> None:
    """Name an object whether or not it has a name."""
    _keep(o, "_seegrad_name", name)


def op_text(o: Any) -> str:
    """What an object itself calls the operation that made it; empty if it does not."""
    for name in OPS:
        if text := _text(stored(o, name)):
            return text[:64]
    return ""


def _text(x: Any) -> str:
    """`x` as a plain text, empty if it is none; a text of a class of the program runs no code."""
    return str.__str__(x) if isinstance(x, str) else ""
