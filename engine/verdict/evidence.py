"""The evidence of one run: the objects of its scene, how they depend on each other, the writes.

An edge leads from an object to one that its number was computed from; its partial is the
derivative of the one number by the other, taken on the tape beneath the class by reverse
accumulation (Linnainmaa 1970) through the numbers between.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from engine.program import RecordedRun
from engine.record.model import (
    Pull,
    RecordedCall,
    RecordedObject,
    RecordedWitness,
    RunNumber,
    Write,
)
from engine.reverse import UNKNOWN, sweep

from .syntax import is_getter, is_setter

TURN = 1e-9
"""Offset between the positions in the log of consecutive writes to dicts."""
SEARCHED = 1000
"""Numbers outside the picture that are searched for the objects to which they lead."""


class Dependency(NamedTuple):
    """`user` was computed from `used`."""

    user: RunNumber
    used: RunNumber


@dataclass(frozen=True, slots=True, eq=False)
class GradientEvent:
    """A write to the gradient of an object, or the contributions of a built-in operation.

    `of` is None for an object that the picture does not show. `at` is its place in the log, `frame`
    its place among the steps of the scene that are drawn.
    """

    at: float
    frame: int | None
    of: RunNumber | None
    before: float
    after: float
    node: ast.AST
    calls: tuple[RecordedCall, ...]
    source: Any = None
    pulled: Pull | None = None
    is_first: bool = False
    """Whether it is the first gradient that the object gets: it was made just now."""
    is_collected: bool = False
    """Whether it was put into a dict rather than into the object."""
    begun: int = 0
    """The calls that had begun before it."""


@dataclass(eq=False)
class Evidence:
    """What one run shows: see the module."""

    run: RecordedRun
    witness: RecordedWitness
    order: list[RunNumber]
    objects: dict[RunNumber, Any]
    by_object: dict[int, RunNumber]
    inputs: dict[RunNumber, tuple[RunNumber, ...]] = field(default_factory=dict)
    """The numbers that each was computed from, objects or not."""
    args: dict[RunNumber, tuple[RunNumber, ...]] = field(default_factory=dict)
    results: dict[RunNumber, list[RunNumber]] = field(default_factory=dict)
    """What was computed from each object."""
    cut: frozenset[Dependency] = frozenset()
    """Edges along which nothing is due."""
    partials: dict[Dependency, float | None] = field(default_factory=dict)
    slots: dict[Dependency, list[float]] = field(default_factory=dict)
    true: dict[RunNumber, float | None] = field(default_factory=dict)
    steps: list[GradientEvent] = field(default_factory=list)
    held: dict[RunNumber, float] = field(default_factory=dict)

    def of_cut(self, user: RunNumber) -> list[tuple[RunNumber, float | None]]:
        """The args of an object from some of which it was detached, with its partials."""
        return [(arg, self.partials[Dependency(user, arg)]) for arg in self.args[user]]

    @cached_property
    def begins(self) -> float:
        """The place in the log of the first write of the pass."""
        written = (step.at for step in self.steps if step.after != 0 and not step.is_first)
        return next(written, self.start)

    @cached_property
    def renewed(self) -> dict[int, int]:
        """The serial of the last number that each object got before the pass."""
        found: dict[int, int] = {}
        for at, changed, serial in self.witness.updated:
            if at <= self.begins:
                found[id(changed)] = max(serial, found.get(id(changed), -1))
        return found

    @cached_property
    def births(self) -> dict[int, int]:
        """The first entry of the log for each object."""
        found: dict[int, int] = {}
        for at, entry in self.witness.log.items():
            if self.run.source.stores_gradients or not self.is_own:
                found.setdefault(id(entry.of), at)
        return found

    @cached_property
    def written(self) -> dict[int, int]:
        """For each object the first entry of the log that gives it a gradient."""
        found: dict[int, int] = {}
        for at, entry in self.witness.log.items():
            if isinstance(entry, Write) and not entry.is_start and entry.after != 0:
                found.setdefault(id(entry.of), at)
        return found

    @cached_property
    def constant(self) -> set[ast.AST]:
        """The targets of assignments of a number that stands in the text."""
        return {
            target
            for node in self.run.source.each(ast.Assign)
            if isinstance(node.value, ast.Constant | ast.UnaryOp)
            for target in node.targets
        }

    @property
    def output(self) -> RunNumber:
        return self.order[-1]

    @property
    def start(self) -> int:
        """The length of the log where the pass begins."""
        return self.run.scene.start if self.run.scene else 0

    @cached_property
    def is_pulled(self) -> bool:
        """Whether gradients are computed as they are asked for, each at once."""
        written = [step.of for step in self.steps if step.of and not step.is_first]
        if len(written) > len(set(written)) or any(map(_adds, self.steps)):
            return False
        around = [[call.node for call in step.calls] for step in self.steps]
        return any(nodes and (is_getter(nodes[0]) or nodes[0] in nodes[1:]) for nodes in around)

    @property
    def is_own(self) -> bool:
        """Whether the objects are those of the program's own classes."""
        return self.run.stage is not None and self.run.stage.held is not None

    def users(self, value: RunNumber) -> list[RunNumber]:
        return self.results.get(value, [])

    def set_by_hand(self, value: RunNumber) -> int | None:
        """The place in the log where the module set the gradient to the number the pass found."""
        scene, log, o = self.run.scene, self.witness.log, self.objects.get(value)
        found = [at for at in log if at < self.start and log[at].of is o]
        if scene is None or scene.kind != "backward" or not found:
            return None
        last = log[found[-1]]
        if not isinstance(last, Write) or self.witness.writes.get(found[-1]):
            return None
        is_it = last.after == self.held[value] and not last.is_start
        return found[-1] if is_it and last.node in self.constant else None

    def value_of(self, o: Any) -> RunNumber | None:
        return self.by_object.get(id(o))


def evidence_of(run: RecordedRun) -> Evidence | None:
    """The evidence of a run; None if no gradient was written in its scene, or too many were."""
    stage, witness = run.stage, run.witness
    if stage is None or stage.steps is None or run.scene is None or witness is None:
        return None
    order: list[RunNumber] = stage.backward.order
    objects = stage.held if stage.held is not None else {value: value for value in order}
    found = Evidence(run, witness, order, objects, {id(o): v for v, o in objects.items()})
    found.held = dict(zip(order, stage.backward.held, strict=True))
    found.steps = list(_steps(found, run.scene.start, run.scene.end))
    connect(found)
    return _with_seed(found)


def _adds(step: GradientEvent) -> bool:
    return isinstance(step.node, ast.AugAssign)


def _with_seed(found: Evidence) -> Evidence | None:
    """The evidence with the seed of a pass that writes none: passed on, or taken out of a new dict.

    It is 1 unless all that the output brought shows another; then there is no evidence.
    """
    first = next((step for step in found.steps if step.after != 0), None)
    is_keyed = not found.run.source.stores_gradients
    if not is_keyed or first is None or any(step.of is found.output for step in found.steps):
        return found
    partial = found.partials.get(Dependency(found.output, first.of)) if first.of else None
    if partial is None:
        return None
    seed = GradientEvent(first.at - 0.5, None, found.output, 0.0, 1.0, first.node, ())
    found.steps.insert(0, seed)
    return found


def connect(evidence: Evidence, cut: Collection[Dependency] = ()) -> None:
    """Find how the objects depend on each other; the edges of `cut` lead to no dependence.

    An object may hold another's number and be detached from it on purpose.
    """
    evidence.inputs = {value: value.args for value in evidence.order}
    evidence.cut = frozenset(cut)
    for value, hidden in _hidden(evidence):
        evidence.inputs[value] = hidden
    evidence.args, evidence.partials, evidence.slots, evidence.results = {}, {}, {}, {}
    for value in evidence.order:
        if value in evidence.objects and evidence.inputs[value]:
            _derive(evidence, value)
    _differentiate(evidence)


def _derive(evidence: Evidence, user: RunNumber) -> None:
    """The partials of one object's number by those that it was computed from."""
    below = _below(user, evidence)
    between = [value for value in below if value not in evidence.objects]
    found = sweep([*between, user], lambda x: _locals(evidence, x), {user: 1.0}, UNKNOWN)
    args = tuple(value for value in below if value in evidence.objects)
    evidence.args[user] = args
    is_stale = _is_stale(evidence, user, args)
    for arg in args:
        edge = Dependency(user, arg)
        evidence.results.setdefault(arg, []).append(user)
        evidence.partials[edge] = None if is_stale else found[arg]
        if edge in evidence.cut:
            evidence.partials[edge] = 0.0
        if user.op is not None and arg in user.args:
            evidence.slots[edge] = [
                p for at, p in _locals(evidence, user) if at is arg and p is not None
            ]


def _is_stale(evidence: Evidence, user: RunNumber, args: Sequence[RunNumber]) -> bool:
    """Whether an operand got another number after the operation, but before the pass."""
    renewed = evidence.renewed
    return any(renewed.get(id(evidence.objects[arg]), -1) > user.serial for arg in args)


def _below(user: RunNumber, evidence: Evidence) -> list[RunNumber]:
    """What `user` depends on, in the order computed, not beyond other objects."""
    found, stack = set(evidence.inputs[user]), list(evidence.inputs[user])
    while stack:
        value = stack.pop()
        if value in evidence.objects:
            continue
        fresh = [arg for arg in evidence.inputs[value] if arg not in found]
        found.update(fresh)
        stack += fresh
    return sorted(found, key=lambda value: value.serial)


def _locals(evidence: Evidence, value: RunNumber) -> list[tuple[RunNumber, float | None]]:
    """Each arg of an operation with the partial by it; None where unknown or at a kink."""
    args = evidence.inputs[value]
    unknown = [(arg, None) for arg in args]
    if value.op is None:
        if value not in evidence.witness.copies:
            return list(unknown)
        source = evidence.witness.copies[value]
        return [(arg, 1.0 if arg is source else 0.0) for arg in args]
    numbers = [arg.data for arg in value.args]
    try:
        if value.op.at_kink(*numbers):
            return list(unknown)
        found = [derive(value.data, *numbers) for derive in value.op.derive]
    except (ArithmeticError, ValueError):
        return list(unknown)
    partials = zip(value.args, found, strict=True)
    return [(arg, x if math.isfinite(x) else None) for arg, x in partials]


def _hidden(evidence: Evidence) -> Iterable[tuple[RunNumber, tuple[RunNumber, ...]]]:
    """Objects whose number was computed in a way that is not followed, each with its sources."""
    unfollowed = evidence.witness.unfollowed
    if not unfollowed:
        return
    constants = {
        node.value
        for node in evidence.run.source.each(ast.Constant)
        if isinstance(node.value, int | float)
    }
    for value in evidence.order:
        is_leaf = value.op is None and not value.args
        if is_leaf and value in unfollowed and abs(value.data) not in constants:
            yield value, tuple(_sources(evidence, unfollowed[value]))


def _sources(evidence: Evidence, objects: Sequence[RecordedObject]) -> Iterator[RunNumber]:
    """The objects of the picture to which these lead, by numbers outside of it as well."""
    todo: list[Any] = [o.number for o in objects]
    seen: set[RunNumber] = set()
    while todo and len(seen) < SEARCHED:
        number = todo.pop()
        if not isinstance(number, RunNumber) or number in seen:
            continue
        seen.add(number)
        value = evidence.value_of(number.owner) if number.owner is not None else None
        if value is not None:
            yield value
            continue
        todo += number.args
        todo += [o.number for o in evidence.witness.unfollowed.get(number, ())]


def _differentiate(evidence: Evidence) -> None:
    """The true derivative of the output by every number; None where it cannot be known."""
    cut = {value: evidence.of_cut(value) for value in {edge.user for edge in evidence.cut}}

    def partials(value: RunNumber) -> list[tuple[RunNumber, float | None]]:
        return cut[value] if value in cut else _locals(evidence, value)

    none: dict[RunNumber, float | None] = dict.fromkeys(evidence.order, 0.0)
    evidence.true = sweep(evidence.order, partials, none | {evidence.output: 1.0}, UNKNOWN)


def _notes(evidence: Evidence) -> set[int]:
    """The dicts in which single objects note something about others: no gradients of a pass."""
    found = [x for o in evidence.objects.values() for x in o.dicts]
    return set(found) if len(found) > 1 else set()


def _born(evidence: Evidence) -> int:
    """The place in the log where the output is made: no pass can have begun before."""
    o = evidence.objects.get(evidence.output)
    log = evidence.witness.log
    first = evidence.births.get(id(o)) if o is not None else None
    return first if first is not None and getattr(log[first], "is_start", False) else 0


def _steps(evidence: Evidence, start: int, end: int) -> Iterable[GradientEvent]:
    """The steps of the scene: the entries of the log, and what was put into dicts in between."""
    born = _born(evidence)
    notes = _notes(evidence)
    collected = [
        c
        for c in evidence.witness.collected
        if max(start, born) <= c.at <= end and c.owner not in notes
    ]
    turn = 0
    drawn = 0
    for at in range(start, end + 1):
        while collected and collected[0].at == at:
            put = collected.pop(0)
            turn += 1
            yield GradientEvent(
                at - 0.5 + turn * TURN, None, evidence.value_of(put.of), put.before or 0.0,
                put.after, put.node, put.calls, put.source, is_collected=True, begun=put.begun,
            )  # fmt: skip
        if at == end:
            return
        entry = evidence.witness.log[at]
        value = evidence.value_of(entry.of)
        frame = None
        if value is not None and not getattr(entry, "is_start", False):
            frame, drawn = drawn, drawn + 1
        if at < born:
            continue
        calls = evidence.witness.writes.get(at, ())
        if isinstance(entry, Write):
            before = entry.before or 0.0
            source = evidence.witness.sources.get(at)
            node = entry.node
            if calls and is_setter(calls[0].node):
                node = calls[1].at if len(calls) > 1 else evidence.witness.lines.get(at, node)
                calls = calls[1:]
            yield GradientEvent(
                at, frame, value, before, entry.after, node, calls, source,
                is_first=entry.is_start, begun=evidence.witness.turns.get(at, 0),
            )  # fmt: skip
        else:
            yield GradientEvent(at, frame, value, 0.0, 0.0, entry.node, calls, pulled=entry)
