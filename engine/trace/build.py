"""Builds the trace of a run: replays both passes and records the numbers of every frame."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.by_hand.verdict import judge_arrays
from engine.numbers import full, short
from engine.ops import OPS
from engine.program import Limits, Note, Program, ProgramError, RecordedRun
from engine.real import same
from engine.record.model import Pull, RunNumber, Stage, TensorNumber, Write
from engine.reverse import Contribution
from engine.value import backpropagate
from engine.verdict.fixes import with_fixes
from engine.verdict.judge import judge
from engine.verdict.opinion import with_opinion
from engine.verdict.sentences import mistakes_of_failure

from . import independence, naming, writes
from .accumulation import remarks
from .array_trace import array_trace
from .arrays import arrays, result_names
from .callers import caller
from .changes import changes
from .formulas import formulas
from .groups import Groups, results
from .judged import judged, true_grads
from .model import Alarm, Frame, Leftover, Listed, Node, WrittenGradient
from .traced import Trace
from .updates import note_on


def trace(
    program: str | Program,
    leaves: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    scene: int | None = None,
) -> Trace:
    """Run a program in the sandbox, and trace it: with `leaves` changed, for a scene or the last.

    `scene` is the id of one of the trace's `scenes`. `record` runs programs in the caller's Python.
    Raises ProgramError for an invalid program and UnknownLeaf for an unknown leaf.
    """
    program = program if isinstance(program, Program) else Program(program, limits)
    try:
        run = program.run(leaves, scene, is_judged=program.writes_gradients)
    except ProgramError as error:
        error.mistakes = with_fixes(program, mistakes_of_failure(program, error))
        raise
    hand = judge_arrays(program, run)
    if hand is not None and not program.uses_arrays:
        program.output = hand.of
        run = replace(program.run(leaves, scene), unused=())  # rates and sums of gradients
    drawn = array_trace(run) if program.uses_arrays else None
    if run.stage is None:
        return replace(_empty(run), by_hand=hand, arrays=drawn)
    built = _Builder(run, run.stage, program.limits.writes).build()
    built = replace(built, by_hand=hand, arrays=drawn)
    verdict = with_opinion(program, run, judge(program, run, leaves, is_kept=True))
    return judged(built, writes.renumbered(verdict, run.stage)) if verdict else built


def _empty(run: RecordedRun) -> Trace:
    """The trace of a program that computes no number: its words, without a graph."""
    return Trace(
        program=run.source.text,
        output=None,
        nodes=(),
        frames=(),
        groups=(),
        printed=tuple(run.printed),
        warnings=(),
        notes=tuple(run.notes),
        changes=(),
        rule="micrograd",
        remarks={},
        stale=frozenset(),
        **_around(run),
    )


def _around(run: RecordedRun) -> dict[str, Any]:
    """The parts of a trace beside its graph: scenes, charts, an early end."""
    listed = tuple(
        [
            Listed(scene.id, scene.kind, run.source.span(scene.node), scene.title, scene.data)
            for scene in run.scenes
        ]
    )
    chosen = run.scene.id if run.scene else None
    return {"scenes": listed, "scene": chosen, "charts": tuple(run.charts), "stopped": run.stopped}


class _Builder:
    """Converts the Values of a run to plain data, resetting their gradients to replay the pass."""

    def __init__(self, run: RecordedRun, stage: Stage, most: int) -> None:
        self.run, self.stage, self.most = run, stage, most
        self.backward = stage.backward
        self.values: list[RunNumber] = stage.backward.order
        self.output = self.values[-1]
        self.ids = {value: f"v{i}" for i, value in enumerate(self.values, 1)}
        self.fixed = _fixed(self.values) if stage.held is None else set(self.values) - {*stage.held}
        self.keys = self._keys()
        self.held = stage.held or {}
        spans = {value: run.source.span(value.node) for value in self.held}
        own = formulas(self.values, self.held, spans)
        found, of_arrays = arrays(self.values, run.arrays, run.updates, own, run.source)
        self.formulas = [*own, *of_arrays]
        self.named = result_names(found, of_arrays, run.source)
        self.groups = Groups(self.values, self.held, self.formulas, run.source, found, self.ids)

    def _keys(self) -> dict[RunNumber, str]:
        found: dict[str, RunNumber] = {}
        for key, value in self.run.keys:
            found.setdefault(key, value)
        return {value: key for key, value in found.items()}

    def build(self) -> Trace:
        self.backward.rewind()
        frames = (*self._forward(), *self._backward())
        nodes = self._nodes()
        by_id = {node.id: node for node in nodes}
        stale = [self.ids[value] for value in self.stage.stale]
        rule = self.output.rule
        return Trace(
            program=self.run.source.text,
            output=self.ids[self.output],
            nodes=nodes,
            frames=frames,
            groups=tuple(self.groups.all),
            printed=tuple(self.run.printed),
            warnings=tuple(_warnings(nodes, frames)),
            notes=(
                *self.run.notes,
                *independence.notes(self.run, self.output),
                *self._overwritten(nodes, stale),
                *note_on(self.stage.changed, dict(zip(self.values, nodes, strict=True)), self.run),
                *writes.notes(self.run, self.stage, self.most),
            ),
            changes=tuple([changes(frame, by_id) for frame in frames]),
            rule=rule,
            remarks={
                at: remarks(frame.leftovers, rule, by_id)
                for at, frame in enumerate(frames)
                if frame.leftovers
            },
            stale=frozenset(stale),
            true_grads=true_grads(self.values, nodes),
            single=self._single(),
            **_around(self.run),
        )

    def _forward(self) -> Iterator[Frame]:
        given = [value for value in self.values if value.op is None and not value.args]
        first = given[0]
        yield Frame("forward", self.ids[first], first.data, given=tuple(self.ids[v] for v in given))
        for value in self.values:
            if value.args:
                yield Frame("forward", self.ids[value], value.data)

    def _backward(self) -> Iterator[Frame]:
        if self.stage.steps is not None:
            yield from map(self._step, self.stage.steps)
            return
        output, before = self.output, self.backward.before
        waiting = self._leftovers()
        found = tuple(_taken(waiting, [self.ids[output]]))
        seed = Frame("backward", self.ids[output], output.data, (), (), 1.0, before, found)
        yield seed
        for value, contributions in backpropagate(self.values, seed.after):
            kept = self._contributions(contributions)
            found = tuple(_taken(waiting, [c.to for c in kept])) if waiting else ()
            yield Frame("backward", self.ids[value], value.data, (), kept, None, 0.0, found)

    def _step(self, step: Write | Pull) -> Frame:
        """The frame of a gradient that the program wrote, or of a `_backward()` that it called."""
        value, id_ = step.of, self.ids[step.of]
        if isinstance(step, Pull):
            for given in step.contributions:
                given.to.grad = given.after
            kept = self._contributions(step.contributions)
            return Frame("backward", id_, value.data, (), kept)
        value.grad = step.after
        statement = self.run.source.assignments.get(step.node, step.node)
        adds = isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add)
        written = WrittenGradient(
            step.before or 0.0, step.after, self.run.source.span(statement), adds
        )
        return Frame("backward", id_, value.data, written=written)

    def _leftovers(self) -> dict[str, Leftover]:
        """The Values whose gradients from earlier passes the rules treat differently, by id.

        Both rules accumulate into leaves and set an interior output to 1.
        """
        output, held = self.output, self.backward.held
        return {
            self.ids[value]: Leftover(self.ids[value], grad, value is output)
            for value, grad in zip(self.values, held, strict=True)
            if grad != 0 and not value.is_plain
            if (value.op is None) == (value is output)
        }

    def _contributions(
        self, given: Iterable[Contribution[RunNumber]]
    ) -> tuple[Contribution[str], ...]:
        ids, fixed = self.ids, self.fixed
        return tuple([Contribution(ids[c[0]], *c[1:]) for c in given if c[0] not in fixed])

    def _nodes(self) -> tuple[Node, ...]:
        nodes = [self._node(value) for value in self.values]
        names = naming.names(nodes, self.run.source.lines, self._neurons(nodes), self._called())
        return tuple([Node(*node[:-1], names[node.id]) for node in nodes])  # faster than _replace

    def _called(self) -> dict[str, naming.Called]:
        """The operation of each of the program's own objects: source text is that of its class."""
        found = {
            self.ids[value]: naming.Called(value.op.name, [self.ids[arg] for arg in value.args])
            for value in self.held
            if value.op is not None
        }
        for formula in self.formulas:
            inner = {*formula.inner, *formula.given}
            args = dict.fromkeys(
                self.ids[arg]
                for value in (*formula.inner, formula.result)
                for arg in value.args
                if arg not in inner
            )
            found[self.ids[formula.result]] = naming.Called(formula.title, list(args))
        for value in self.named:
            found.pop(self.ids[value], None)
        return found

    def _neurons(self, nodes: list[Node]) -> dict[str, str]:
        """The name of each neuron for the last Value of its call, by id."""
        neurons = {g.id: g.title.partition(" ")[2] for g in self.groups.all if g.kind == "neuron"}
        last = {node.group: node.id for node in nodes if node.group in neurons and node.op}
        known = {last[group]: name for group, name in neurons.items() if name and group in last}
        others = {**results(self.values), **self.named}
        return known | {self.ids[value]: name for value, name in others.items()}

    def _node(self, value: RunNumber) -> Node:
        ids, op = self.ids, value.op
        return Node(
            ids[value],
            value.label,
            op.name if op is not None else None,
            tuple([ids[arg] for arg in value.args]),
            value.data,
            None if value in self.fixed else value.grad,
            self.run.source.span(value.node),
            self._kind(value),
            self.keys.get(value),
            self.groups.of(value),
            caller(self.run.source, value),
        )

    def _kind(self, value: RunNumber) -> str:
        if value is self.output:
            return "output"
        if value.args:
            return "value"
        return "constant" if is_constant(value) else "leaf"

    def _single(self) -> frozenset[str]:
        if not isinstance(self.output, TensorNumber):
            return frozenset()
        found = [x for x in self.values if isinstance(x, TensorNumber) and x.single]
        return frozenset([self.ids[value] for value in found])

    def _overwritten(self, nodes: tuple[Node, ...], stale: list[str]) -> Iterator[Note]:
        """A note on the first of the `stale` Values."""
        if not stale:
            return
        for value, node in zip(self.values, nodes, strict=True):
            if node.id != stale[0]:
                continue
            if not same(value.data, value.made_with):
                message = f"The data of {node.name} was set by hand after it was computed."
            else:
                changed = [x for x in value.args if not same(x.data, x.made_with)]
                ids = {self.ids[arg] for arg in changed or value.args}
                names = " or ".join(node.name for node in nodes if node.id in ids)
                message = f"The data of {names} was changed after {node.name} was computed from it."
            yield Note(message, node.span)
            return


def _taken(waiting: dict[str, Leftover], ids: Iterable[str]) -> Iterator[Leftover]:
    """Remove and yield the leftovers of these Values."""
    for name in ids:
        if found := waiting.pop(name, None):
            yield found


def is_constant(value: RunNumber) -> bool:
    """Whether `value` is a number inside an expression, which has no gradient."""
    return value.op is None and not value.is_leaf


def _fixed(values: list[RunNumber]) -> set[RunNumber]:
    """The numbers inside expressions and what is computed from these alone, such as 1 + 1.

    They have no gradient. A result that the program names has one, and so has the output, the last
    of `values`.
    """
    fixed: set[RunNumber] = set()
    for value in values[:-1]:
        if value.op is None:
            is_fixed = is_constant(value)
        else:
            is_fixed = not value.label and fixed.issuperset(value.args)
        if is_fixed:
            fixed.add(value)
    return fixed


def _warnings(nodes: tuple[Node, ...], frames: Iterable[Frame]) -> Iterator[Alarm]:
    """The first non-finite Value with finite args, and the first such contribution."""
    by_id = {node.id: node for node in nodes}
    for node in nodes:
        args = [by_id[arg].data for arg in node.args]
        if not math.isfinite(node.data) and all(map(math.isfinite, args)):
            yield Alarm(node.id, _data_warning(node, args))
            break
    for frame in frames:
        for c in frame.contributions:
            if not math.isfinite(c.amount) and math.isfinite(c.upstream):
                yield Alarm(frame.node, _grad_warning(by_id[frame.node], by_id[c.to], c))
                return


def _data_warning(node: Node, args: list[float]) -> str:
    name = node.label or "A Value"
    if node.op is None:
        start = ", as the program computed it" if node.args else " from the start"
        return f"{name} is {full(node.data)}{start}."
    op = OPS[node.op]
    what = naming.written(node.op, [full(x) for x in args])
    message = f"{name} is {full(node.data)}: {what} gives {full(node.data)}"
    if not op.in_domain(*args) and op.domain:
        return f"{message}. {naming.written(op.name, op.params)} needs {op.domain_says}."
    return (
        f"{message}, beyond the largest 64-bit float." if math.isinf(node.data) else f"{message}."
    )


def _grad_warning(node: Node, to: Node, c: Contribution[str]) -> str:
    name = node.label or f"the result of {node.op}"
    return (
        f"The gradient of {to.label or 'a Value'} is not finite: {name} contributes "
        f"{short(c.upstream)} × {short(c.partial)} = {full(c.amount)}."
    )
