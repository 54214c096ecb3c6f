"""What a program stores in its objects: their numbers, followed, and a log of their gradients.

A number stored under a name of DATA is followed and belongs to the object; the numbers that it was
computed from lead to the objects that it depends on. Every number stored as a gradient
is written to a log, in the order of the program.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from collections.abc import Iterable
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from engine.arrays.array import Array
from engine.real import as_float

from .attribute_names import CHILDREN, DATA, EITHER, WATCHED
from .follow import FOLLOWED, STORED, is_a, plain, taped
from .gradient_names import assigned_in
from .keyed_gradients import KeyedGradients
from .model import Pull, Write
from .objects import (
    COLLECTIONS,
    NO_DICT,
    children_of,
    class_dicts,
    known,
    number_of,
    own_dict,
    stored,
)
from .tape import LEAVES

FORMULA = 8
"""Levels of a formula that are searched for the number that it updates."""
TRACED = 100
"""Numbers of a formula that are searched for one that it depends on."""
HELD = 1000
"""Objects with a gradient that are held for a program that runs no pass."""
CONNECTED = 1000
"""Objects of a collection up to which they are taken as those that a number came from."""


class Stores:
    """The objects of one run that hold numbers and gradients, and the log of their gradients."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.gradients: frozenset[str] = machine.source.gradients
        self.log: list[Write | Pull] = []
        source = machine.source
        is_keyed = source.each(ast.ClassDef) and not source.stores_gradients
        self.keyed = KeyedGradients(machine) if is_keyed else None
        """The gradients of objects that have none themselves."""
        self.holders: deque[Any] = deque(maxlen=HELD)
        """The last objects by the order in which they were first given a gradient."""
        self.names: dict[type, str] = {}
        """The name under which the objects of each class keep their gradients: its first."""
        self.of_arrays: tuple[str, str] | None = None
        """The first class and attribute that held an array where a number is drawn."""
        self.holds = False
        """Whether any object holds a number yet."""
        self.holds_odd = False
        """Whether any object holds something else than numbers and None as its gradient."""
        self.updates: dict[int, int] = {}
        """The first leaf of an object by each later one: `p.data -= 0.1 * p.grad` makes one."""
        self.gradient_classes: defaultdict[str, set[type]] = defaultdict(set)
        """By the name of a gradient, the classes whose objects keep it in their dict alone."""
        self.number_classes: defaultdict[str, set[type]] = defaultdict(set)
        """By the name of a number, the classes whose objects keep it in their dict alone."""
        self._computed: dict[tuple[type, str], bool] = {}

    def is_property(self, kind: type, name: str) -> bool:
        """Whether a class computes what is stored under a name, so that nothing is stored there."""
        found = self._computed.get((kind, name))
        if found is None:
            held = next((each[name] for each in class_dicts(kind) if name in each), None)
            found = type(held) is not MemberDescriptorType and hasattr(type(held), "__set__")
            self._computed[kind, name] = found
        return found

    def learn(self, o: Any, name: str) -> None:
        """Take note of how the objects of a class keep what was just stored under a name."""
        cls = type(o)
        if cls in self.number_classes[name] or cls in self.gradient_classes[name]:
            return
        if cls not in known.classes or not _keeps_in_dict(cls, name):
            return
        if self.names.get(cls) == name and known.numbers.get(cls) not in (None, name):
            self.gradient_classes[name].add(cls)
        elif known.numbers.get(cls) == name:
            self.number_classes[name].add(cls)

    def store(self, o: Any, name: str, value: Any, node: ast.AST, *, is_made: bool = False) -> Any:
        """The value to store as the attribute `name` of an object of the program."""
        if name in CHILDREN:
            if type(value) in COLLECTIONS and value:
                self._children(o, value)
            return value
        kind = type(value)
        if kind not in STORED:
            if is_a(value, Array) and name in DATA and not self.of_arrays:
                self.of_arrays = type(o).__name__, name
            self.holds_odd |= name in self.gradients and value is not None
            if (
                value is None
                and self.names.get(type(o)) == name
                and type(stored(o, name)) in STORED
            ):
                self._gradient(o, name, 0.0, node)  # taken away, which clears what it held
            return value
        if self.is_property(type(o), name):
            return value
        own = known.numbers.get(type(o))
        if name in self.gradients and name != own and not (name in EITHER and own is None):
            if self.names.setdefault(type(o), name) == name:
                self._gradient(o, name, value, node, is_made=is_made)
            return plain(value)  # a gradient is not followed further
        if own is None:
            own = known.numbers[type(o)] = name
        earlier = stored(o, own)
        if type(earlier) not in FOLLOWED or earlier.owner is not o:
            earlier = None
        return self._number(o, value, earlier, node)

    def _number(self, o: Any, value: Any, earlier: Any, node: ast.AST) -> Any:
        """`value` as the number of `o`: followed, and a leaf unless it was computed.

        A number computed from the `earlier` one, as `p.data -= 0.1 * p.grad` does, is an update of
        a leaf.
        """
        self.holds = True
        if self.keyed is not None:
            self.keyed.joined(o)
        if type(value) in FOLLOWED:
            if value.owner is o:
                return value
            is_new = is_computed(value) and value.owner is None and _depends(value)
            if is_new and not _follows(value, earlier):
                value.owner = o
                if earlier is not None:
                    value.name = earlier.name
                return value
        m = self.machine
        if m.witness is not None and earlier is not None:
            m.witness.update(o, m.tape.made)
        number = m.tape.leaf(taped(plain(value)), m.maker_of(o) or node)
        number.owner = o
        if earlier is not None:
            number.name = earlier.name
        elif (found := known.names.pop(id(o), None)) is not None:
            number.name = found[1]
        owner = value.owner if type(value) in FOLLOWED else None
        if owner is not None and owner is not o and earlier is None:
            number.args = (value,)  # another object's number, taken over as it is
        if m.witness is not None:
            m.witness.took(number, value)
        if earlier is not None and earlier.leaf is not None and number.leaf < LEAVES:
            self.updates[number.leaf] = self.updates.get(earlier.leaf, earlier.leaf)
        self._connect(number, children_of(o))
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
        out.op, out.args, out.node, out.scope = None, followed, m.node, m.scope
        out.serial = m.tape.made
        m.tape.made += 1
        return out

    def _children(self, o: Any, children: Any) -> None:
        number = number_of(o)
        if number is not None and number.op is None:
            self._connect(number, children)

    def _connect(self, number: Any, children: Any) -> None:
        """Take the numbers of `children` as the args of a number that could not be followed.

        It has no op, as only the program knows how it was computed. Children made after it are
        left out, so that no cycle can arise.
        """
        if number.op is not None or not children or len(children) > CONNECTED:
            return
        found = [number_of(child) for child in children]
        args = [arg for arg in found if arg is not None and arg.serial < number.serial]
        number.args = tuple(sorted(args, key=_serial))

    def _gradient(
        self, o: Any, name: str, value: float, node: ast.AST, *, is_made: bool = False
    ) -> None:
        m = self.machine
        held: Any = None
        if not is_made:
            is_made = name not in own_dict(o) and m.is_making(o)
            held = _at_hand(o, name, is_made)
        before = as_float(held) if type(held) in STORED else None
        if before is None:
            self.holders.append(o)
        self.log.append(Write(o, before, as_float(value), node, is_made and before is None))
        if m.watches:
            m.witness.wrote(value)

    def name(self, value: Any, name: str) -> None:
        """Note that the variable `name` of the module holds the object `value`."""
        number = number_of(value)
        if number is not None:
            number.name = number.name or name
        else:
            known.names.setdefault(id(value), (value, name))


def _keeps_in_dict(cls: type, name: str) -> bool:
    """Whether objects of a class keep an attribute in their dict, without any code of their own."""
    *own, _ = class_dicts(cls)  # the last one is that of object
    hooks = {name, "__setattr__", "__getattribute__", "__getattr__", "__slots__", "__class__"}
    dicts = [type(held["__dict__"]) for held in own if "__dict__" in held]
    return set(dicts) <= {GetSetDescriptorType} and all(hooks.isdisjoint(held) for held in own)


def watched_in(classes: Iterable[ast.ClassDef], gradients: frozenset[str]) -> frozenset[str]:
    """The names of attributes whose assignments are recorded in a program with these classes."""
    return WATCHED | gradients | first_numbers(classes, gradients)


def first_numbers(definitions: Iterable[ast.ClassDef], gradients: frozenset[str]) -> set[str]:
    """The names under which classes with a gradient keep what they are first given.

    `self.item = item` in the `__init__` of a class that has a `self.grad` too; the first field of a
    dataclass.
    """
    return {name for node in definitions if (name := _first_number(node, gradients))}


def _first_number(node: ast.ClassDef, gradients: frozenset[str]) -> str:
    fields = [
        part.target.id
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    ]
    if fields and not gradients.isdisjoint(fields[1:]):
        return fields[0]
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__" and part.args.args[1:]:
            return _kept(part, part.args.args[1].arg, gradients)
    return ""


def _kept(init: ast.FunctionDef, param: str, gradients: frozenset[str]) -> str:
    """The attribute to which an `__init__` with a gradient assigns its first parameter."""
    kept, has_gradient = "", False
    for node in ast.walk(init):
        for name, value in assigned_in(node):
            has_gradient |= name in gradients
            if not kept and _is_number(value, param):
                kept = name
    return kept if has_gradient and kept not in gradients else ""


def _is_number(value: ast.AST, param: str) -> bool:
    match value:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="float"), args=[ast.Name(id=name)]):
            return name == param
    return False


def _at_hand(o: Any, name: str, is_new: bool) -> Any:
    """As `stored`; not the class's own while the object `is_new`.

    The field `grad: float = 0.0` of a dataclass is no gradient of the object being made.
    """
    held = own_dict(o)
    if name in held:
        return held[name]
    return None if is_new and held is not NO_DICT else stored(o, name)


def _serial(number: Any) -> int:
    serial: int = number.serial
    return serial


def is_computed(number: Any) -> bool:
    """Whether a number came from others, whether or not it is known how."""
    return bool(number.op or number.args)


def _depends(number: Any) -> bool:
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
    return bool(stack)


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
