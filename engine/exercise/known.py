"""The numbers that a student may know: those given, and those answered or shown so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine.numbers import in_sentence

from .exercise import DATA, GRAD, Exercise


@dataclass(frozen=True, slots=True)
class Known:
    """The known numbers of an exercise; `data` and `grads` lack those that are still hidden."""

    data: Mapping[str, float]
    grads: Mapping[str, float]

    def number(self, node: str, kind: str) -> float | None:
        """The number of a Value, None while it is hidden."""
        return (self.data if kind == DATA else self.grads).get(node)

    def text(self, node: str, kind: str) -> str:
        """The number for a sentence; "" while it is hidden."""
        found = self.number(node, kind)
        return "" if found is None else in_sentence(found)


def known(exercise: Exercise, answered: Collection[str] = ()) -> Known:
    """The numbers known once the questions with the keys `answered` are."""
    hidden = {(q.node, q.kind) for q in exercise.questions if q.key not in answered}
    asked = {(q.node, q.kind) for q in exercise.questions}
    data: dict[str, float] = {}
    grads: dict[str, float] = {}
    for node in exercise.trace.nodes:
        if (node.id, DATA) not in hidden:
            data[node.id] = node.data
        is_seed = node.id == exercise.trace.output
        withheld = exercise.hides_data and (node.id, GRAD) not in asked and not is_seed
        if node.grad is not None and (node.id, GRAD) not in hidden and not withheld:
            grads[node.id] = node.grad
    return Known(data, grads)
