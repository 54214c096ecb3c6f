"""Gradients of built-in Values that an update has used and that the next pass still finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .model import Write

REMEMBERED = 2000
"""Leaves that are remembered from one pass to the next."""


class SpentGradients:
    """What each leaf was when a pass came to it last."""

    def __init__(self) -> None:
        self._leaves: dict[int, tuple[Any, float, float]] = {}
        """By identity: the leaf, its number, and the gradient that was used already."""

    def at(
        self, order: Sequence[Any], grads: Sequence[float], log: Iterable[Any]
    ) -> dict[int, float]:
        """What was used of the gradients that a pass starts from, by the places of leaves in it.

        A gradient that the program itself sets, in `log` since the last pass, is wanted there.
        """
        set_anew = {id(step.of) for step in log if isinstance(step, Write) and step.after != 0}
        found = {}
        for at, (value, grad) in enumerate(zip(order, grads, strict=True)):
            if value.op is not None:
                continue
            _, number, used = self._leaves.pop(id(value), (value, value.data, 0.0))
            if value.data != number:
                used = grad
            if grad == 0 or id(value) in set_anew:
                used = 0.0
            self._leaves[id(value)] = value, value.data, used
            if used != 0:
                found[at] = used
        while len(self._leaves) > REMEMBERED:
            del self._leaves[next(iter(self._leaves))]
        return found
