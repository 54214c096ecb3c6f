"""An exercise: the numbers of a trace that are hidden, and a question for each.

A gradient of a Value with several uses is asked for once, when all its contributions have come;
with the option `contributions` each contribution is asked for as it comes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.trace.model import Node
from engine.trace.traced import Trace

from .contributions import SentContribution, contributions, total
from .task import BOTH, FORWARD, GRADIENTS, Task

MOST = 60
"""Questions of an exercise."""
DATA, GRAD, CONTRIBUTION = "data", "grad", "contribution"
_ALIKE = 1e-9
_ALIKE_SINGLE = 1e-4  # of 32-bit tensors

EMPTY = "This program computes nothing that could be asked for."
NOTHING = "Nothing is hidden: the address names no number of this graph that can be asked for."
TOO_MANY = "{count} numbers would be hidden; an exercise asks for at most {most}. Choose some."
NOT_FINITE = "{name} has the {kind} {number}, which cannot be asked for."
NOT_ONE_PASS = (
    "The gradient of {name} is not that of one backward pass from zero, as after a second "
    "backward() or by a wrong rule, so it cannot be asked for. Hide the forward pass instead."
)
CHANGED = "The data of {name} no longer follows from its operation, so it cannot be asked for."


class ExerciseError(ValueError):
    """A reason why a trace gives no exercise, for the visitor."""


class TooMany(ExerciseError):
    """More numbers would be hidden than an exercise asks for: some can be chosen."""


class Question(NamedTuple):
    """One number to find: the data or the gradient of a Value, or one contribution to its gradient.

    `contributions` are those that add up to a gradient; empty for data.
    """

    key: str
    node: str
    kind: str
    answer: float
    contributions: tuple[SentContribution, ...] = ()


@dataclass(frozen=True, slots=True)
class Exercise:
    """The questions on a trace in the order of the pass."""

    trace: Trace
    task: Task
    questions: tuple[Question, ...]
    nodes: Mapping[str, Node]

    def name(self, node: str) -> str:
        """The name of a Value in sentences."""
        return self.nodes[node].name

    @property
    def output(self) -> str:
        """The name of the output."""
        return self.name(self.trace.drawn)

    @property
    def hides_data(self) -> bool:
        """Whether some data are asked for; then gradients that are not asked for stay hidden."""
        return any(question.kind == DATA for question in self.questions)

    def place(self, key: str) -> int | None:
        """The place of the question with this key, None if there is none."""
        places = (at for at, question in enumerate(self.questions) if question.key == key)
        return next(places, None)


def exercise(trace: Trace, task: Task) -> Exercise:
    """The exercise of a task on a trace. Raises ExerciseError."""
    if trace.output is None:
        raise ExerciseError(EMPTY)
    nodes = {node.id: node for node in trace.nodes}
    wanted = _wanted(trace, task)
    asked = (*_data(trace, wanted), *_gradients(trace, task, nodes, wanted))
    if not asked:
        raise ExerciseError(NOTHING)
    if len(asked) > MOST:
        raise TooMany(TOO_MANY.format(count=len(asked), most=MOST))
    return Exercise(trace, task, asked, nodes)


def askable(trace: Trace) -> tuple[tuple[str, str], ...]:
    """The numbers that can be hidden one by one: ids of Values with "data" or "grad"."""
    given = {contribution.to for contribution in contributions(trace)}
    found = []
    for node in trace.nodes:
        if node.op is not None and node.grad is not None:
            found.append((node.id, DATA))
        if node.id in given and node.id != trace.output:
            found.append((node.id, GRAD))
    return tuple(found)


def _wanted(trace: Trace, task: Task) -> set[tuple[str, str]]:
    """The hidden numbers: ids of Values, and "data" or "grad"."""
    possible = askable(trace)
    if task.hide:
        kinds = {GRADIENTS: {GRAD}, FORWARD: {DATA}, BOTH: {DATA, GRAD}}[task.hide]
        return {number for number in possible if number[1] in kinds}
    ids = {node.id: node.id for node in trace.nodes}
    ids |= {node.name.replace(" ", ""): node.id for node in trace.nodes}
    ids |= {node.label.replace(" ", ""): node.id for node in trace.nodes if node.label}
    named = {(ids.get(name.replace(" ", ""), ""), kind) for name, kind in task.chosen}
    return named & set(possible)


def _data(trace: Trace, wanted: set[tuple[str, str]]) -> Iterator[Question]:
    for node in trace.nodes:
        if (node.id, DATA) not in wanted:
            continue
        if node.id in trace.stale:
            raise ExerciseError(CHANGED.format(name=node.name))
        _refuse_infinite(node, DATA, node.data)
        yield Question(f"{node.id}.{DATA}", node.id, DATA, node.data)


def _gradients(
    trace: Trace, task: Task, nodes: Mapping[str, Node], wanted: set[tuple[str, str]]
) -> Iterator[Question]:
    """A question for each hidden gradient, once all its contributions have come."""
    sent = contributions(trace)
    waiting = Counter(contribution.to for contribution in sent)
    come: dict[str, list[SentContribution]] = {}
    for contribution in sent:
        node = nodes[contribution.to]
        parts = come.setdefault(node.id, [])
        parts.append(contribution)
        waiting[node.id] -= 1
        if (node.id, GRAD) not in wanted:
            continue
        if task.with_contributions and (len(parts) > 1 or waiting[node.id]):
            key = f"{node.id}.{CONTRIBUTION}.{contribution.user}.{contribution.slot}"
            yield Question(key, node.id, CONTRIBUTION, contribution.amount, (contribution,))
        if not waiting[node.id]:
            yield _whole(trace, node, tuple(parts))


def _whole(trace: Trace, node: Node, parts: tuple[SentContribution, ...]) -> Question:
    """The question for a gradient, whose answer is the program's own. Raises ExerciseError."""
    found = node.grad if node.grad is not None else math.nan
    _refuse_infinite(node, "gradient", found)
    due = total(part.amount for part in parts)
    size = max(abs(due), abs(found), *(abs(part.amount) for part in parts))
    alike = _ALIKE_SINGLE if node.id in trace.single else _ALIKE
    if not math.isfinite(due) or not abs(due - found) <= alike * size:
        raise ExerciseError(NOT_ONE_PASS.format(name=node.name))
    return Question(f"{node.id}.{GRAD}", node.id, GRAD, found, parts)


def _refuse_infinite(node: Node, kind: str, number: float) -> None:
    if not math.isfinite(number):
        raise ExerciseError(NOT_FINITE.format(name=node.name, kind=kind, number=number))
