"""The parts of a verdict as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.parser_lock import Span
from engine.record.model import Note


class Fix(NamedTuple):
    """The text that fixes a mistake: what stands at `span` becomes `text`.

    `span` is empty where lines are added. The program with it was judged again.
    """

    span: Span
    text: str


class Mistake(NamedTuple):
    """One cause of wrong gradients.

    `node` is the id of the Value whose number it made wrong first, `written` that number and `due`
    the right one; all three are None where there is none. `ends` and `true` are the gradient that
    this Value ends with, and its true one; `subject` is what the message calls it. `frame` is the
    frame of the write.
    `point` says at which numbers it shows, if not at those of the program.
    """

    kind: str
    span: Span
    node: str | None
    written: float | None
    due: float | None
    message: str
    cure: str
    frame: int | None = None
    ends: float | None = None
    true: float | None = None
    subject: str = ""
    point: str = ""
    why: str = ""
    fix: Fix | None = None


class Running(NamedTuple):
    """The function that runs in a frame, and the objects that its variables hold, by node id."""

    function: str
    span: Span
    variables: Mapping[str, str]


class Judged(NamedTuple):
    """A written gradient: what it should have become; None where that cannot be said.

    As a contribution, `amount` came from the operation that computed the node `user`, and
    `arithmetic` is how, in the words of the line.
    """

    due: float | None
    right: bool | None
    running: Running | None
    user: str | None = None
    amount: float | None = None
    arithmetic: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gradients of a scene beside the true ones.

    `true_grads` are by node id. `frames` holds what is known of each backward frame by its index in
    the trace. `right` of `checked` gradients are right, at `points` sets of numbers; `unknown` of
    them cannot be judged, as a number could not be traced.
    """

    true_grads: Mapping[str, float | None]
    frames: Mapping[int, Judged]
    mistakes: tuple[Mistake, ...] = ()
    right: int = 0
    checked: int = 0
    unknown: int = 0
    points: int = 0
    is_own: bool = False
    touched: frozenset[str] = frozenset()
    """The names of the objects whose gradients the program wrote."""
    ends: Mapping[str, bool | None] = field(default_factory=dict)
    """Whether each object ends with its true gradient, by node id; None if that is unknown."""
    because: str = ""
    """Why right gradients are not all there is to judge; empty if they are."""
    later: Mapping[str, float] = field(default_factory=dict)
    """What the program sets gradients to once the pass has ended, by node id."""
    seed: float = 1.0
    """The gradient of the output that the pass starts from."""
    notes: tuple[Note, ...] = ()
