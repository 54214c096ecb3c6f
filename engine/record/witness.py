"""The witness of a run: who wrote each gradient, in which call, and what each operator returned.

A run for the picture does not pay for this: only runs that are judged have a witness.
"""

from __future__ import annotations

import ast
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from itertools import islice
from types import FunctionType
from typing import Any, NamedTuple

from engine.real import as_float

from .entered import under_way
from .follow import FOLLOWED, STORED, is_a
from .model import Collected, Made, RecordedCall
from .objects import is_object, number_of, serial_hash
from .stacks import Stacks, objects_in

EVENTS = 20_000
"""Calls and results that are kept of one run."""
FRAMES = 32
"""Calls around a number, the innermost, in which its sources are searched."""
ROOM = 8_000_000
"""Words of memory for what is kept of all writes; a run that needs more is not judged."""
WRITE_WORDS = 60
CALL_WORDS = 30
"""Words that a write takes, and each call around it, beside its variables."""
TAKEN = 2
"""Operands of an operator's method."""


class Begun(NamedTuple):
    """A call that began when the log had `at` entries, with its arguments and captured objects."""

    at: int
    serial: int
    name: str
    node: ast.AST
    variables: dict[str, Any]

    @property
    def frame(self) -> Begun:
        return self


class Witness:
    """What is seen of one run beside its log of gradients, whose entries it describes by index."""

    def __init__(self) -> None:
        self.machine: Any = None
        self.stacks: Stacks
        self.lines: dict[int, ast.AST] = {}
        """The statement of the module that led to each entry of the log."""
        self.left: dict[int, ast.AST] = {}
        """The last statement of each call."""
        self.writes: dict[int, tuple[RecordedCall, ...]] = {}
        """The calls around each entry of the log."""
        self.turns: dict[int, int] = {}
        """The calls that had begun before each entry of the log."""
        self.sources: dict[int, Any] = {}
        """The number written by each entry, with its history."""
        self.log: list[Any] = []
        self.begun: list[Begun] = []
        self.dropped = 0
        """Calls that had begun in scenes that are forgotten."""
        self.made: list[Made] = []
        self.updated: list[tuple[int, Any, int]] = []
        """Objects that got a new number, with the length of the log and the number's serial."""
        self.copies: dict[int, Any] = {}
        """The number that each object's number is a copy of, by the serial of the latter."""
        self.unfollowed: dict[int, tuple[Any, ...]] = {}
        """The objects from which a number may come that was computed in a way not followed."""
        self.collected: list[Collected] = []
        self._begun: dict[int, Begun] = {}
        """The calls that are under way, by their serials: captured variables may be set later."""
        self._last: dict[int, ast.AST] = {}
        """The statements by which calls under way returned, by their serials."""
        self._dicts: dict[int, dict[Any, Any]] = {}
        self._addresses: dict[int, Any] = {}
        self._operands: dict[int, tuple[tuple[Any, ...], tuple[float | None, ...]]] = {}
        """The operands and their numbers of the operations under way, by the serial of the call."""
        self._forgotten = 0
        self._before = 0
        """Results that were made before the last scene ended."""
        self.is_full = False
        """Whether the run wrote more than is kept."""
        self._words = self._words_before = self._words_of_starts = 0

    # What the helpers tell

    def entered(self, call: Any) -> None:
        """A function of the program has begun: `call` is its entered call."""
        function = call.function
        variables = call.frame.f_locals
        if function.is_operation:
            names = function.params[:TAKEN]
            operands = tuple([variables[name] for name in names if name in variables])
            self._operands[call.serial] = operands, tuple(map(_number, operands))
        if len(self.begun) < EVENTS:
            held = objects_in(function, variables)
            begun = Begun(len(self.log), call.serial, function.name, function.node, held)
            self._begun[call.serial] = begun
            self.begun.append(begun)

    def ended(self, call: Any) -> None:
        """A function of the program ends."""
        self._operands.pop(call.serial, None)
        self.stacks.ended(call.serial)
        if len(self.left) < EVENTS:
            last = self._last.pop(call.serial, None)
            self.left[call.serial] = last or _end_of(call.function.node)
        begun, code = self._begun.pop(call.serial, None), call.frame.f_code
        if begun is not None and code.co_cellvars:
            now = call.frame.f_locals
            found = {name: now[name] for name in code.co_cellvars if name in now}
            begun.variables.update((name, x) for name, x in found.items() if is_object(x))

    def begun_before(self, count: int) -> int:
        """How many of the calls that are kept were among the first `count` to begin."""
        return max(0, count - self.dropped)

    @property
    def events(self) -> int:
        """The calls, and the gradients that are kept."""
        return self.dropped + len(self.begun) + len(self.writes)

    def ran(self, call: Any, node: ast.AST) -> None:
        """A function ran the statement by which it may end."""
        self._last[call.serial] = node

    def result(self, call: Any, value: Any, node: ast.AST) -> None:
        """A function returns `value` by the statement `node`."""
        self._last[call.serial] = node
        operands, numbers = self._operands.get(call.serial, ((), ()))
        if operands:
            method, sign = call.function.node, call.function.name.strip("_")
            self.returned(sign, operands, value, method, method, numbers)

    def operator(self, sign: str, node: ast.AST, compute: Callable[..., Any]) -> Callable[..., Any]:
        """`compute` of an operator's operands, watched where an object of the program is one."""

        def watched(*operands: Any) -> Any:
            if not any(map(is_object, operands)):
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
        numbers: tuple[float | None, ...],
    ) -> None:
        """An operator or a method of its name gave `result`."""
        number = _number(result) if is_object(result) else None
        if number is not None and None not in numbers and len(self.made) < EVENTS:
            given: Any = numbers
            self.made.append(Made(name, operands, given, result, number, node, method))

    def definition(self, function: FunctionType) -> ast.AST | None:
        """The definition of a function; None if it is none of the program."""
        found: ast.AST | None = self.machine.places.definition(function.__code__)
        return found

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
        before = len(self.begun)
        self.begun = [begun for begun in self.begun if begun.at >= end]
        self.dropped += before - len(self.begun)
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
        calls = self.stacks.calls()
        self._take(calls, is_start=getattr(self.log[at], "is_start", False))
        self.writes[at] = calls
        self.turns[at] = self.dropped + len(self.begun)
        self.lines[at] = self.stacks.line()
        self.sources[at] = value

    def _take(self, calls: tuple[RecordedCall, ...], *, is_start: bool = False) -> None:
        """Count the memory of a write; beyond what there is for all, forget the whole run."""
        words = WRITE_WORDS + sum(CALL_WORDS + len(call.variables) for call in calls)
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
        if is_object(o):
            self._addresses[address] = o

    def collect(self, owner: dict[Any, Any], key: Any, value: Any, node: ast.AST) -> None:
        """The program puts `value` into a dict: a gradient, if `key` is an object or its id."""
        o = self._object(key)
        is_known = id(owner) in self._dicts
        if o is None or not (is_a(value, float) or (is_known and type(value) in STORED)):
            return
        if not _is_plain(owner, o) or self.is_full or len(self.collected) >= EVENTS:
            return
        calls = self.stacks.calls()
        self._take(calls)
        if not is_known:
            self._dicts[id(owner)] = owner
            for other, number in list(owner.items()):
                held = self._object(other)
                if held is not None and type(number) in STORED:
                    first = Collected(
                        len(self.log), held, None, as_float(number), node, calls, number,
                        self.dropped + len(self.begun), owner,
                    )  # fmt: skip
                    self.collected.append(first)
        before = owner.get(key)
        known: Any = before
        was = as_float(known) if type(before) in STORED else None
        self.collected.append(
            Collected(
                len(self.log),
                o,
                was,
                as_float(value),
                node,
                calls,
                value,
                self.dropped + len(self.begun),
                owner,
            )
        )

    def _object(self, key: Any) -> Any:
        if is_object(key):
            return key
        return self._addresses.get(key) if type(key) is int else None

    def took(self, number: Any, value: Any) -> None:
        """An object's `number` is the `value` that it was given, with no operation between."""
        self.copies[number.serial] = value
        if type(value) in FOLLOWED or type(value) not in STORED:
            return
        for call in islice(under_way(self.machine.entered), FRAMES):
            variables = call.frame.f_locals
            held = [o for o in variables.values() if is_object(o) and number_of(o) is not None]
            if held:
                given = [variables[name] for name in call.function.params if name in variables]
                if not any(_is_given(value, x) for x in given):
                    self.unfollowed[number.serial] = tuple(held)
                return

    def update(self, o: Any, serial: int) -> None:
        self.updated.append((len(self.log), o, serial))


def _end_of(function: Any) -> ast.AST:
    """The statement by which a function ends that returns by none."""
    node = function
    while isinstance(node, ast.FunctionDef | ast.For | ast.While | ast.With):
        node = node.body[-1]
    found: ast.AST = node
    return found


def _is_given(value: Any, param: Any) -> bool:
    """Whether a parameter is `value`, or a tuple with it; `float(n)` of a whole number is n."""
    if type(value) is float and type(param) is int:
        return param == value
    return param is value or (type(param) is tuple and any(x is value for x in param))


_DICTS = frozenset({dict, defaultdict, OrderedDict})


def _is_plain(owner: Any, o: Any) -> bool:
    """Whether a dict can be asked for an object, or for its id, without any code of the program."""
    kind: Any = type(o)
    hashes = kind.__hash__ in (object.__hash__, serial_hash)
    return type(owner) in _DICTS and hashes and kind.__eq__ is object.__eq__


def _number(x: Any) -> float | None:
    """The number of an operand: its own, or that of an object."""
    if type(x) in STORED:
        return as_float(x)
    number = number_of(x)
    return None if number is None else as_float(number)
