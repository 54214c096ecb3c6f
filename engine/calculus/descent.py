"""Leaves of a program as parameters that follow their gradients, step by step.

Each step runs the program again with the leaves where the last update has put them, so that its
numbers are those that the program gives there, and updates them by a rule of the table of
optimizers. The gradient is the derivative of the output, as one pass from zero gives it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.formulas import compile_text
from engine.numbers import compact
from engine.program import Program, ProgramError, RecordedRun
from engine.real import same
from engine.reverse import UNKNOWN, sweep
from engine.trace import nudge
from engine.trace.build import trace
from engine.trace.model import Node
from engine.trace.replay import Replay
from engine.trace.traced import Trace
from engine.training.optim import OPTIMIZERS, Updater, assignments
from engine.value import Value, partials

OTHER_WAY = "With these numbers the program takes another branch and does not build this graph."
NOT_FINITE = "The update gives a number that is not finite."
GRADIENT = "The gradient is not a finite number, so there is no next step."


class DescentPoint(NamedTuple):
    """The leaves after a number of updates, with the gradient and the output there."""

    step: int
    numbers: tuple[float, ...]
    gradient: tuple[float, ...]
    output: float


@dataclass(frozen=True, slots=True)
class UpdateRule:
    """How leaves are updated: an optimizer of the table, a rate, and whether upwards."""

    optimizer: str = "sgd"
    rate: float = 0.1
    steps: int = 20
    is_up: bool = False


@dataclass(frozen=True, slots=True)
class DescentPath:
    """The places from the start on. `ended` says why there are fewer than were asked for.

    `other_at` is the first step whose output is not the one of the drawn graph, where the program
    takes another branch; None if all are. `is_cut` says that the bound on operations ended it.
    """

    places: tuple[DescentPoint, ...]
    ended: str = ""
    other_at: int | None = None
    is_cut: bool = False


def parameters(program: Program, leaves: Mapping[str, float], shown: Trace) -> list[Node]:
    """The leaves that can follow their gradients: those that the page can move, at their start."""
    starts = program.defaults() | dict(leaves)
    return [
        node
        for node in nudge.movable(shown)
        if node.key is not None and starts.get(node.key) == node.data and math.isfinite(node.data)
    ]


@dataclass
class Descent:
    """A program whose leaves `keys` are moved; `leaves` are those that are changed beside them.

    `most` bounds the operations of all runs together.
    """

    program: Program
    leaves: Mapping[str, float]
    shown: Trace
    keys: Sequence[str]
    most: int
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.most

    def path(self, start: Sequence[float], rule: UpdateRule) -> DescentPath:
        """The path from the numbers `start` on."""
        updater = Updater(OPTIMIZERS[rule.optimizer], len(self.keys))
        numbers, places, ended = tuple(start), [], ""
        for step in range(rule.steps + 1):
            found = self._place(step, numbers)
            if isinstance(found, str):
                ended = found
                break
            places.append(found)
            if step == rule.steps:
                break
            if not all(map(math.isfinite, found.gradient)):
                ended = GRADIENT
                break
            sign = -1.0 if rule.is_up else 1.0
            numbers = tuple(updater.step(numbers, [sign * g for g in found.gradient], rule.rate))
            if not all(map(math.isfinite, numbers)):
                ended = NOT_FINITE
                break
        return DescentPath(tuple(places), ended, self._other(places), is_cut=self.left < 0)

    def _place(self, step: int, numbers: tuple[float, ...]) -> DescentPoint | str:
        """The program run with these numbers; the reason if it does not come to an output."""
        self.left -= self.program.operations + 2 * len(self.shown.nodes)
        if self.left < 0:
            return ""
        moved = {**self.leaves, **dict(zip(self.keys, numbers, strict=True))}
        try:
            run = self.program.run(moved, self.shown.scene)
        except ProgramError as error:
            return error.sentences
        if run.stage is None or (run.scene.id if run.scene else None) != self.shown.scene:
            return OTHER_WAY
        found = _gradients(run)
        if any(key not in found.keys for key in self.keys):
            return OTHER_WAY
        if not math.isfinite(found.output):
            return self._reason(moved)
        gradient = tuple(found.by.get(found.keys[key], 0.0) for key in self.keys)
        return DescentPoint(step, numbers, gradient, found.output)

    def _reason(self, moved: Mapping[str, float]) -> str:
        """What the page says of the first number that is not finite."""
        there = trace(self.program, moved, scene=self.shown.scene)
        return there.warnings[0].message if there.warnings else NOT_FINITE

    def _other(self, places: Sequence[DescentPoint]) -> int | None:
        replay = Replay(self.shown.nodes)
        by_key = {node.key: replay.index[node.id] for node in self.shown.nodes if node.key}
        moved = [by_key[key] for key in self.keys]
        reached = sorted({i for at in moved for i in replay.dependents(at)})
        output = replay.index[self.shown.drawn]
        for place in places:
            drawn = replay.output_at(dict(zip(moved, place.numbers, strict=True)), reached, output)
            if not same(drawn, place.output) and not math.isclose(
                drawn, place.output, rel_tol=1e-6, abs_tol=1e-12
            ):
                return place.step
        return None


class _Found(NamedTuple):
    """The derivatives of a run's output by its Values, and the drawn leaves by key."""

    output: float
    by: Mapping[Value, float]
    keys: Mapping[str, Value]


def _gradients(run: RecordedRun) -> _Found:
    assert run.stage is not None
    run.stage.backward.rewind()
    order = run.stage.backward.order
    found = sweep(order, partials, {order[-1]: 1.0}, UNKNOWN)
    keys: dict[str, Value] = {}
    for key, leaf in run.keys:
        keys.setdefault(key, leaf)
    return _Found(float(order[-1].data), found, keys)


class UpdateLine(NamedTuple):
    """A line of an update rule with numbers: the variable, the expression, its result."""

    name: str
    text: str
    result: float


def arithmetic(
    path: DescentPath, rule: UpdateRule, leaf: int, count: int
) -> list[list[UpdateLine]]:
    """The lines of the first `count` updates of one leaf, with its numbers in place of names."""
    optimizer, found = OPTIMIZERS[rule.optimizer], []
    updater = Updater(optimizer, 1)
    sign = -1.0 if rule.is_up else 1.0
    for place in path.places[:count]:
        before = dict(updater.state[0])
        p, g = place.numbers[leaf], sign * place.gradient[leaf]
        updater.step([p], [g], rule.rate)
        numbers = {**updater.numbers, **before, "p": p, "g": g}
        lines = []
        for name, expression in assignments(optimizer.update):
            text = _WORD.sub(lambda word: _number(word[0], numbers), expression)  # noqa: B023
            numbers[name] = compile_text(expression, tuple(numbers))(**numbers)
            lines.append(UpdateLine(name, text, numbers[name]))
        found.append(lines)
    return found


_WORD = re.compile(r"[A-Za-z_]\w*")


def _number(word: str, numbers: Mapping[str, float]) -> str:
    """The number of a variable, in parentheses if it is negative; other words as they are."""
    if word not in numbers:
        return word
    text = compact(numbers[word])
    return f"({text})" if numbers[word] < 0 else text


def heights(shown: Trace, axes: Sequence[tuple[str, Sequence[float]]]) -> list[list[float]]:
    """The output of the drawn graph over one or two leaves, given by id with their numbers.

    Rows along the second leaf of columns along the first.
    """
    replay = Replay(shown.nodes)
    output = replay.index[shown.drawn]
    moved = [replay.index[leaf] for leaf, _ in axes]
    reached = sorted({i for at in moved for i in replay.dependents(at)})
    rows = [{moved[1]: y} for y in axes[1][1]] if len(axes) > 1 else [{}]
    return [
        [replay.output_at({moved[0]: x, **row}, reached, output) for x in axes[0][1]]
        for row in rows
    ]
