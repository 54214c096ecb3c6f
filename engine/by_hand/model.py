"""The verdict on gradients of arrays that a program computed by hand, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.array_ops.flat import Flat
from engine.parser_lock import Span
from engine.verdict.model import Fix

RIGHT, SCALED, WRONG, FOLLOWS, SHAPE, OPEN = "right", "scaled", "wrong", "follows", "shape", "open"
LUCKY, MEAN = "lucky", "mean"
"""States of a gradient: `scaled` is the true one times a number that later lines take back,
`follows` is wrong because another one is, `shape` has a shape that its array has not, `open` could
not be judged, `lucky` is right for the program's own numbers and wrong for others, `mean` is the
true one divided by the number of samples, as all are."""


class Equality(NamedTuple):
    """How two arrays compare, as `cmp` of the makemore lectures says it."""

    exact: bool
    approximate: bool
    maxdiff: float


@dataclass(frozen=True, slots=True)
class HandGradient:
    """An array that is meant to be the gradient of another, which is called `of`.

    `name` is as the line has it, and `shown` with the variable of its object: `net.dW1`.
    `node` is its place among the arrays of the run, `span` what was assigned last. `due` is the
    true gradient, None if it is unknown, and `factor` what a `scaled` one is multiplied by.
    `because` is the gradient that it follows.
    """

    name: str
    shown: str
    of: str
    node: int
    target: int
    span: Span
    written: Flat
    due: Flat | None
    state: str
    equality: Equality | None = None
    factor: float = 1.0
    because: str = ""


class HandMistake(NamedTuple):
    """What made the gradient `name` wrong: its kind, in words, the line, and a fix that works."""

    kind: str
    title: str
    message: str
    why: str
    span: Span
    name: str
    fix: Fix | None
    fixes: frozenset[str] = frozenset()
    """The gradients that are right with the fix."""


@dataclass(frozen=True, slots=True)
class HandVerdict:
    """All gradients of arrays that a program computed, in the order of the text, and the mistakes.

    `loss` is the number that they are of, with its name and place; `of` is its node.
    """

    gradients: Sequence[HandGradient]
    mistakes: Sequence[HandMistake] = ()
    loss: str = ""
    of: int = 0
    number: float = 0.0
    loss_span: Span = (1, 1, 1, 2)

    @property
    def right(self) -> int:
        return sum(it.state in (RIGHT, SCALED) for it in self.gradients)

    @property
    def checked(self) -> int:
        return sum(it.state != OPEN for it in self.gradients)
