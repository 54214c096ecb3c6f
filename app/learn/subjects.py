"""What a lesson's numbers are read from: the graph of Explore's state, or the run of Train's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.learn.numbers import NumberError
from app.picture.frame_state import state
from engine.exercise.exercise import DATA, ExerciseError, exercise
from engine.exercise.judging import is_right
from engine.exercise.known import Known
from engine.exercise.task import Task
from engine.exercise.thoughts import Thought, taken_for, thoughts
from engine.runs.run import history, train
from engine.trace import gradcheck
from engine.trace.checkpoints import Checkpointing, Checkpoints
from engine.trace.memory import memory
from engine.trace.traced import Trace
from engine.training.snapshot import History
from engine.training.spec import TrainSpec

ALIKE = 0.002
"""Relative distance within which a typed number is taken for that of a Value."""
Arguments = tuple[float, ...] | None


def printed_number(trace: Trace, line: int) -> float:
    """The first number of a line of the output, counted from 1. Raises NumberError, IndexError."""
    for word in trace.printed[line - 1].replace("(", " ").replace(")", " ").split():
        try:
            found = float(word.strip(",:"))
        except ValueError:
            continue
        return int(found) if found.is_integer() and "." not in word else found
    raise NumberError(f"Line {line} of the output holds no number.")


@dataclass(frozen=True)
class GraphNumbers:
    """The numbers of a program's graph, as it is drawn, and those chosen in sections beside it."""

    trace: Trace
    chosen: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The id of the Value with each label, name or source text; the first one counts."""
        found: dict[str, str] = {}
        for part in ("label", "name"):
            for node in self.trace.nodes:
                if text := getattr(node, part):
                    found.setdefault(text, node.id)
        for node in self.trace.nodes:
            found.setdefault(self.trace.source(node), node.id)
        return found

    def node(self, label: str) -> str:
        """The id of a Value. Raises NumberError."""
        if label not in self.labels:
            known = ", ".join(self.labels)
            raise NumberError(f"The graph has no Value {label!r}; it has {known}.")
        return self.labels[label]

    def of_value(self, label: str, slot: str, frame: int | None) -> float:
        """A Value's data or gradient; at the end of the passes, or in a frame counted from 1."""
        node = self.node(label)
        at = state(self.trace, None if frame is None else frame - 1)
        found = (at.data if slot == "data" else at.grads).get(node)
        if found is None and slot == "data":
            found = next(it.data for it in self.trace.nodes if it.id == node)
        if found is None:
            where = "" if frame is None else f" in frame {frame}"
            raise NumberError(f"{label}.{slot} is not known{where}.")
        return found

    def slip(self, label: str | None, slot: str, typed: float) -> str:
        """What likely made a wrong number out of a Value's, or of all Values'; "" if unknown."""
        nodes = self.trace.nodes
        everything = Known(
            {it.id: it.data for it in nodes},
            {it.id: it.grad for it in nodes if it.grad is not None},
        )
        found = self._thoughts(self.node(label), slot) if label else ()
        among = (*found, *taken_for(nodes, everything))
        return next((it.says for it in among if is_right(typed, it.number, ALIKE)), "")

    def _thoughts(self, node: str, slot: str) -> Sequence[Thought]:
        """The slips in the rule that a Value's number comes from; their words name none."""
        try:
            found = exercise(self.trace, Task("", ((node, slot),)))
        except ExerciseError:
            return ()
        data = {it.id: it.data for it in self.trace.nodes if slot != DATA or it.id != node}
        return [*thoughts(found, found.questions[0], Known(data, {}))]

    def number(self, name: str, arguments: Arguments) -> float:
        """A count, or a number that the program printed. Raises NumberError."""
        if name == "printed" and arguments is not None:
            return printed_number(self.trace, int(arguments[0]))
        if name in self.chosen and arguments is None:
            return self.chosen[name]
        if name in SEGMENTED and arguments is not None:
            return SEGMENTED[name](Checkpoints(self.trace).simulate(int(arguments[0])))
        if name not in COUNTS or arguments is not None:
            raise NumberError(f"A graph has no number {name!r}.")
        return COUNTS[name](self.trace)


COUNTS: Mapping[str, Callable[[Trace], float]] = {
    "values": lambda trace: len(trace.nodes),
    "operations": lambda trace: sum(node.op is not None for node in trace.nodes),
    "leaves": lambda trace: sum(node.op is None and node.grad is not None for node in trace.nodes),
    "frames": lambda trace: len(trace.frames),
    "lines": lambda trace: len(trace.printed),
    "mistakes": lambda trace: len(trace.mistakes),
    "kinks": lambda trace: sum(it.verdict.startswith("kink") for it in gradcheck.check(trace)),
    "output": lambda trace: next(it.data for it in trace.nodes if it.id == trace.output),
    "numbers": lambda trace: len(memory(trace).numbers),
    "kept": lambda trace: len(memory(trace).kept),
}
"""The numbers of a whole graph, counted as below the picture: constants are Values, too.

`mistakes` are those that the debugger finds in a class of the program's own, `kinks` the leaves at
a corner. Of the forward pass's
`numbers`, which constants are not among, `kept` are those that the backward pass needs.
"""

SEGMENTED: Mapping[str, Callable[[Checkpointing], int]] = {
    "held": lambda plan: plan.peak,
    "again": lambda plan: len(plan.again),
}
"""The numbers of both passes with checkpoints, by the ops in a segment: the computed numbers held
at once, at most, and the ops that are done again."""


@dataclass(frozen=True)
class RunNumbers:
    """The numbers of a training run."""

    spec: TrainSpec

    @cached_property
    def history(self) -> History:
        """The run's metrics at every step."""
        return history(self.spec)

    def of_value(self, label: str, slot: str, frame: int | None) -> float:
        """A run has no Values. Raises NumberError."""
        raise NumberError(f"{label}.{slot}: a training run has no Values.")

    def number(self, name: str, arguments: Arguments) -> float:
        """A metric at a step, or a number of the whole run. Raises NumberError."""
        if name in WHOLE and arguments is None:
            return WHOLE[name](self)
        if name in METRICS and arguments is not None and len(arguments) == 1:
            found = METRICS[name](self)
            step = int(arguments[0])
            if 0 <= step < len(found) and (number := found[step]) is not None:
                return number
        raise NumberError(f"The run has no number {name!r} {arguments or ''}.")


def _gradients(run: RunNumbers) -> list[float | None]:
    return [math.hypot(*it.gradient) for it in train(run.spec)]


def _losses(run: RunNumbers) -> list[float | None]:
    return [*run.history.losses, run.history.loss]


def _accuracies(run: RunNumbers) -> list[float | None]:
    return [*run.history.accuracies, run.history.accuracy]


def _test_losses(run: RunNumbers) -> list[float | None]:
    return [*run.history.test_losses, run.history.states[-1].test_loss]


def _lowest(run: RunNumbers) -> tuple[float, int]:
    return min((loss, step) for step, loss in enumerate(_test_losses(run)) if loss is not None)


METRICS: Mapping[str, Callable[[RunNumbers], list[float | None]]] = {
    "loss": _losses,
    "accuracy": _accuracies,
    "test_loss": _test_losses,
    "gradient": _gradients,
}
"""The metrics of a run by step, the last state included; `gradient` is the gradient's length."""

WHOLE: Mapping[str, Callable[[RunNumbers], float]] = {
    "parameters": lambda run: run.spec.parameter_count,
    "steps": lambda run: run.spec.total_steps,
    "samples": lambda run: run.spec.samples,
    "learning_rate": lambda run: run.spec.learning_rate,
    "zeroing": lambda run: run.spec.zero_grad,
    "batch": lambda run: run.spec.train_samples if run.spec.batch == "all" else run.spec.batch,
    "lowest_loss": lambda run: min(loss for loss in _losses(run) if loss is not None),
    "lowest_test_loss": lambda run: _lowest(run)[0],
    "lowest_test_step": lambda run: _lowest(run)[1],
}
"""The numbers of a run as a whole."""
