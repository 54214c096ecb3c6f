"""The witness of a run: who wrote each gradient, in which call, and what each operator returned.

A run for the picture does not pay for this: only runs that are judged have a witness.
"""

from __future__ import annotations

import ast
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple

from engine.named_ops import METHODS
from engine.record.model import Collected, Made

from .classes import ProgramType, Thing
from .own import number_of
from .plain import FOLLOWED, STORED, as_float

DEPTH = 6
"""Calls around a write that are kept, the innermost first."""
EVENTS = 20_000
"""Calls and results that are kept of one run."""
SLOTS = 128
"""Variables of a call that are kept, the first of the function."""
FRAMES = 32
"""Calls around a number, the innermost, in which its sources are searched."""
ROOM = 8_000_000
"""Words of memory for what is kept of all writes; a run that needs more is not judged."""
WRITE_WORDS = 60
CALL_WORDS = 30
"""Words that a write takes, and each call around it, beside its variables."""


class Frame(NamedTuple):
    """A call under way, with the names of the slots of its variables."""

    serial: int
    name: str
    node: ast.AST
    slots: Mapping[str, int]
    cells: frozenset[str]
    params: tuple[int, ...]


class Call(NamedTuple):
    """A call that was under way: `at` is the statement that it was running.

    `content` are its variables at that moment.
    """

    frame: Frame
    content: list[Any]

    @property
    def serial(self) -> int:
        return self.frame.serial

    @property
    def name(self) -> str:
        return self.frame.name

    @property
    def node(self) -> ast.AST:
        return self.frame.node

    @property
    def at(self) -> ast.AST:
        found: ast.AST = self.content[0]
        return found

    @property
    def variables(self) -> dict[str, Any]:
        """The objects that a number belongs to among its variables, by their names."""
        return _variables(self.frame, self.content)


class Begun(NamedTuple):
    """A call that began when the log had `at` entries."""

    at: int
    frame: Frame
    content: list[Any]

    @property
    def serial(self) -> int:
        return self.frame.serial

    @property
    def name(self) -> str:
        return self.frame.name

    @property
    def node(self) -> ast.AST:
        return self.frame.node

    @property
    def variables(self) -> dict[str, Any]:
        """The objects that a number belongs to among its arguments and captured variables."""
        return _variables(self.frame, self.content)


class Witness:
    """What is seen of one run beside its log of gradients, whose entries it describes by index."""

    def __init__(self) -> None:
        self.module: list[Any] = [None]
        """The frame of the module: the statement that it is running."""
        self.lines: dict[int, ast.AST] = {}
        """The statement of the module that led to each entry of the log."""
        self.left: dict[int, ast.AST] = {}
        """The last statement of each call."""
        self.writes: dict[int, tuple[Call, ...]] = {}
        """The calls around each entry of the log."""
        self.turns: dict[int, int] = {}
        """The calls that had begun before each entry of the log."""
        self.sources: dict[int, Any] = {}
        """The number written by each entry, with its history."""
        self.log: list[Any] = []
        self.operations = 0
        """Those of the whole run."""
        self.begun: list[Begun] = []
        self.made: list[Made] = []
        self.functions: dict[int, tuple[Any, ast.AST]] = {}
        """Functions by their identity, each with its definition."""
        self.updated: list[tuple[int, Any, int]] = []
        """Objects that got a new number, with the length of the log and the number's serial."""
        self.copies: dict[int, Any] = {}
        """The number that each object's number is a copy of, by the serial of the latter."""
        self.unfollowed: dict[int, tuple[Any, ...]] = {}
        """The objects from which a number may come that was computed in a way not followed."""
        self.collected: list[Collected] = []
        self._dicts: dict[int, dict[Any, Any]] = {}
        self._addresses: dict[int, Any] = {}
        self._forgotten = 0
        self._before = 0
        """Results that were made before the last scene ended."""
        self._frames: list[tuple[Frame, list[Any]]] = []
        self._serials = count(1)
        self.is_full = False
        """Whether the run wrote more than is kept."""
        self._words = self._words_before = self._words_of_starts = 0

    # What the compiler tells

    def around(
        self, body: Callable[[Any], Any], node: ast.AST, name: str, scope: Any
    ) -> Callable[[Any], Any]:
        """`body` of a function, watched while it runs."""
        slots = {
            key: slot for key, slot in scope.slots.items() if slot < SLOTS and key.isidentifier()
        }
        cells = frozenset({*scope.cells, *scope.free} & slots.keys())
        method = name.strip("_") in METHODS and isinstance(node, ast.FunctionDef)
        given_slots = tuple(slots[param] for param in scope.params if param in slots)
        taken = given_slots[:2]

        def watched(f: list[Any]) -> Any:
            frame = Frame(next(self._serials), name, node, slots, cells, given_slots)
            operands = tuple([_held(f[slot]) for slot in taken]) if method else ()
            self._frames.append((frame, f))
            try:
                if len(self.begun) < EVENTS:
                    self.begun.append(Begun(len(self.log), frame, f[:SLOTS]))
                out = body(f)
            finally:
                self._frames.pop()
                if len(self.left) < EVENTS:
                    self.left[frame.serial] = f[0]
            if operands and out is not None:
                self.returned(name.strip("_"), operands, out[0], node, node)
            return out

        return watched

    def function(self, function: Any, node: ast.AST) -> None:
        if len(self.functions) < EVENTS:
            self.functions[id(function)] = function, node

    def operator(self, sign: str, node: ast.AST, compute: Callable[..., Any]) -> Callable[..., Any]:
        """`compute` of an operator's operands, watched where an object of the program is one."""

        def watched(*operands: Any) -> Any:
            if not any(isinstance(type(operand), ProgramType) for operand in operands):
                return compute(*operands)
            numbers, begun = tuple(map(_number, operands)), len(self.begun)
            result = compute(*operands)
            method = self.begun[begun].node if begun < len(self.begun) else None
            self.returned(sign, operands, result, node, method, numbers)
            return result

        return watched

    def returned(
        self,
        name: str,
        operands: tuple[Any, ...],
        result: Any,
        node: ast.AST,
        method: ast.AST | None,
        numbers: tuple[float | None, ...] | None = None,
    ) -> None:
        number = _number(result) if isinstance(result, Thing) else None
        numbers = tuple(map(_number, operands)) if numbers is None else numbers
        if number is not None and None not in numbers and len(self.made) < EVENTS:
            known: Any = numbers
            self.made.append(Made(name, operands, known, result, number, node, method))

    def definition(self, function: Any) -> ast.AST | None:
        """The definition of a function; None if it is none of the program."""
        found = self.functions.get(id(function))
        return found[1] if found is not None else None

    # What the log tells

    def forget(self, end: int) -> None:
        """Another scene begins: of those before it, nothing but what made their objects is kept.

        `end` is the length of the log where the last one but one ended.
        """
        for held in (self.sources, self.lines):
            for at in range(self._forgotten, end):
                held.pop(at, None)
        for at in range(self._forgotten, end):
            if not getattr(self.log[at], "is_start", False):
                self.writes.pop(at, None)
        self._forgotten = end
        self.begun = [begun for begun in self.begun if begun.at >= end]
        kept = {begun.serial for begun in self.begun}
        self.left = {serial: at for serial, at in self.left.items() if serial in kept}
        self.collected = [put for put in self.collected if put.at >= end]
        self.made, self._before = self.made[self._before :], len(self.made) - self._before
        self._words -= self._words_before
        self._words_before = self._words

    def wrote(self, value: Any = None) -> None:
        """The last entry of the log was made here."""
        if self.is_full:
            return
        at = len(self.log) - 1
        calls = self._calls()
        self._take(calls, is_start=getattr(self.log[at], "is_start", False))
        self.writes[at] = calls
        self.turns[at] = len(self.begun)
        self.lines[at] = self.module[0]
        self.sources[at] = value

    def _take(self, calls: tuple[Call, ...], *, is_start: bool = False) -> None:
        """Count the memory of a write; beyond what there is for all, forget the whole run."""
        words = WRITE_WORDS + sum(CALL_WORDS + len(call.content) for call in calls)
        if is_start:
            self._words_of_starts += words
        else:
            self._words += words
        if self._words + self._words_of_starts > ROOM:
            self.is_full = True
            for kept in (self.writes, self.turns, self.lines, self.sources, self.left):
                kept.clear()
            for listed in (self.begun, self.made, self.collected):
                listed.clear()

    def identified(self, o: Any, address: int) -> None:
        """The program asked for the `id` of an object."""
        if isinstance(o, Thing):
            self._addresses[address] = o

    def collect(self, owner: dict[Any, Any], key: Any, value: Any, node: ast.AST) -> None:
        """The program puts `value` into a dict: a gradient, if `key` is an object or its id."""
        o = self._object(key)
        is_known = id(owner) in self._dicts
        if o is None or not (isinstance(value, float) or (is_known and type(value) in STORED)):
            return
        if not _is_plain(owner, o) or self.is_full or len(self.collected) >= EVENTS:
            return
        calls = self._calls()
        self._take(calls)
        if not is_known:
            self._dicts[id(owner)] = owner
            for other, number in list(owner.items()):
                held = self._object(other)
                if held is not None and type(number) in STORED:
                    first = Collected(
                        len(self.log), held, None, as_float(number), node, calls, number,
                        len(self.begun), owner,
                    )  # fmt: skip
                    self.collected.append(first)
        before = owner.get(key)
        known: Any = before
        was = as_float(known) if type(before) in STORED else None
        self.collected.append(
            Collected(
                len(self.log), o, was, as_float(value), node, calls, value, len(self.begun), owner
            )
        )

    def _object(self, key: Any) -> Any:
        if isinstance(key, Thing):
            return key
        return self._addresses.get(key) if type(key) is int else None

    def took(self, number: Any, value: Any) -> None:
        """An object's `number` is the `value` that it was given, with no operation between."""
        self.copies[number.serial] = value
        if type(value) in FOLLOWED or type(value) not in STORED:
            return
        for frame, content in self._frames[-FRAMES:]:
            variables = _variables(frame, content).values()
            held = [o for o in variables if number_of(o) is not None]
            if held:
                if not any(_is_given(value, content[slot]) for slot in frame.params):
                    self.unfollowed[number.serial] = tuple(held)
                return

    def update(self, o: Any, serial: int) -> None:
        self.updated.append((len(self.log), o, serial))

    def _calls(self) -> tuple[Call, ...]:
        return tuple(
            [Call(frame, _copied(frame, f)) for frame, f in self._frames[: -DEPTH - 1 : -1]]
        )


def _copied(frame: Frame, variables: list[Any]) -> list[Any]:
    """The variables of a call as they are now: captured ones may change before they are read."""
    content = variables[:SLOTS]
    for name in frame.cells:
        slot = frame.slots.get(name)
        if slot is not None and type(content[slot]) is list:
            content[slot] = content[slot][:1]
    return content


def _variables(frame: Frame, content: list[Any]) -> dict[str, Any]:
    """The objects that hold a number among the variables of a call."""
    found = {}
    for name, slot in frame.slots.items():
        value = content[slot]
        if name in frame.cells and type(value) is list and len(value) == 1:
            value = value[0]
        if isinstance(value, Thing):
            found[name] = value
    return found


def _is_given(value: Any, param: Any) -> bool:
    """Whether a parameter is `value`, or a tuple with it; `float(n)` of a whole number is n."""
    param = _held(param)
    if type(value) is float and type(param) is int:
        return param == value
    return param is value or (type(param) is tuple and any(x is value for x in param))


_DICTS = frozenset({dict, defaultdict, OrderedDict})


def _is_plain(owner: Any, o: Any) -> bool:
    """Whether a dict can be asked for an object, or for its id, without any code of the program."""
    kind: Any = type(o)
    return (
        type(owner) in _DICTS and kind.__hash__ is Thing.__hash__ and kind.__eq__ is object.__eq__
    )


def _held(value: Any) -> Any:
    """The content of a slot, or of the cell in it."""
    return value[0] if type(value) is list and len(value) == 1 else value


def _number(x: Any) -> float | None:
    """The number of an operand: its own, or that of an object."""
    if type(x) in STORED:
        return as_float(x)
    number = number_of(x)
    return None if number is None else as_float(number)
