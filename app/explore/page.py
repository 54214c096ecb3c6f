"""The parts of Explore's page, each as the template reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.explore.examples import Example
from app.explore.leaves import LeafRow
from app.explore.nudge import CheckRow
from engine.language.program import ProgramError
from engine.trace.transcript import Line

EMPTY = Markup()


@dataclass(frozen=True, slots=True)
class Form:
    """The program as it was sent, with the view that was asked for and the error, if it is refused.

    `open` lists the groups that are open, between commas.
    """

    program: str
    error: ProgramError | None
    direction: str
    grouped: bool
    open: str
    program_bytes: int
    examples: Sequence[Example]


@dataclass(frozen=True, slots=True)
class Offer:
    """A message in place of a picture whose layout takes too long, with a link to a smaller one."""

    message: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class Stage:
    """The picture with its caption, or an offer; neither for a program that is refused."""

    picture: Markup | None = None
    offer: Offer | None = None
    counts: str = ""
    svg_href: str = ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The frame that is shown, of how many, its explanation, and links to its neighbours."""

    frame: int = 0
    count: int = 0
    pass_: str = "forward"
    explanation: Markup = EMPTY
    templates: Markup = EMPTY
    links: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """The fragment that a dragged leaf renews: the trace, the nudge check, output and notes.

    `check` is None where it would take too many operations.
    """

    trace_json: Markup = EMPTY
    check: Sequence[CheckRow] | None = None
    printed: Sequence[str] = ()
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """Every frame in words, or the reason why they are left out."""

    lines: Sequence[Line] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class ExplorePage:
    """Everything that explore.html names."""

    form: Form
    stage: Stage = Stage()
    timeline: Timeline = Timeline()
    leaves: Sequence[LeafRow] = ()
    numbers: Numbers = Numbers()
    transcript: Transcript = Transcript()
    page: str = "explore"

    def context(self) -> dict[str, Any]:
        """The page's parts by name, for the template."""
        return {name: getattr(self, name) for name in self.__slots__}
