"""The parts of a page that have the picture and its player, as read by the templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.picture.grains import DEFAULT

EMPTY = Markup()


@dataclass(frozen=True, slots=True)
class CoarserPicture:
    """A message in place of a picture whose layout timed out, with a link to a coarser one."""

    message: str
    href: str
    words: str


@dataclass(frozen=True, slots=True)
class PictureStage:
    """The picture with its caption, or an offer; neither for an invalid program.

    A program that computes nothing to draw has neither as well, but `idle`: what to do next.
    """

    picture: Markup | None = None
    steps_json: Markup = EMPTY
    """Its steps by every grain, for scripts."""
    offer: CoarserPicture | None = None
    idle: Sequence[str] = ()
    counts: str = ""
    svg_href: str = ""
    output: str = ""
    """The name of the output, if it is short."""
    on_edges: bool = False
    """Whether the edges show contributions."""
    strengths: Sequence[tuple[str, str]] = ()
    """Samples of lines for the caption: the class of each, and the contribution that it means."""
    amounts: Markup = EMPTY
    """What edges show of contributions, frame by frame, for scripts."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The current frame, its place among `count` steps, the explanation, links to adjacent steps.

    `frame` is its index in the trace, `unit` the name of a step of this `grain`.
    """

    frame: int = 0
    step: int = 0
    count: int = 0
    unit: str = "frame"
    grain: str = DEFAULT.name
    pass_: str = "forward"
    explanation: Markup = EMPTY
    templates: Markup = EMPTY
    links: Mapping[str, str | None] | None = None


NO_STAGE = PictureStage()
NO_TIMELINE = Timeline()
