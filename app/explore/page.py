"""The parts of Explore's page, as read by the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.explore.array_view import ArrayView
from app.explore.examples import Example
from app.explore.leaves import LeafRow
from app.explore.lenses import Section
from app.explore.mistakes import MistakeEffect
from app.explore.picture_parts import EMPTY, NO_STAGE, NO_TIMELINE, PictureStage, Timeline
from app.explore.scenes import SceneChooser
from app.explore.value_card import ValueCard
from app.explore.verdict import NO_VERDICT, VerdictView
from app.explore.way_back import WayBack, way_back
from engine.pasted.recover import RecoveredCode
from engine.program import ProgramError
from engine.trace.transcript import TranscriptLine

WIDE = 34  # letters
NO_SCENES = SceneChooser()


@dataclass(frozen=True, slots=True)
class ProgramForm:
    """The submitted program, the requested view and the error, if any.

    `direction` is empty if the server chose it, `can_group` says whether there are boxes to draw.
    `open` is a comma-separated list of open groups, `words` the address of the table of words,
    `run` the query of a run of Train.
    """

    program: str
    error: ProgramError | None
    direction: str
    grouped: bool
    can_group: bool
    open: str
    program_bytes: int
    examples: Sequence[Example]
    words: str
    run: str = ""
    recovered: RecoveredCode | None = None
    """The code that can be kept of a program that is refused."""

    @property
    def way_back(self) -> WayBack:
        """The way back to the run of Train that the program shows."""
        return way_back(self.run)

    @property
    def is_wide(self) -> bool:
        """Whether a line of the program is too long for the usual width of the editor."""
        return any(len(line) > WIDE for line in self.program.splitlines())


@dataclass(frozen=True, slots=True)
class NumbersFragment:
    """The fragment that dragging a leaf replaces: trace, output and notes.

    The output are the lines printed, the charts plotted, and the traceback of a failure.
    """

    trace_json: Markup = EMPTY
    printed: Sequence[str] = ()
    traceback: Sequence[str] = ()
    charts: Sequence[Markup] = ()
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    verdict: VerdictView = NO_VERDICT
    amounts: Markup = EMPTY
    """What the edges of the picture that the page has show now, and the samples of the caption."""
    strengths: Sequence[tuple[str, str]] = ()
    broken: MistakeEffect | None = None
    """What the rule that is broken on purpose does."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The transcript, or the reason for its omission."""

    lines: Sequence[TranscriptLine] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class ExplorePage:
    """The variables of explore.html; `tab` is the unrolled program, if it is to be shown."""

    form: ProgramForm
    stage: PictureStage = NO_STAGE
    timeline: Timeline = NO_TIMELINE
    scenes: SceneChooser = NO_SCENES
    leaves: Sequence[LeafRow] = ()
    numbers: NumbersFragment = NumbersFragment()
    sections: Sequence[Section] = ()
    tab: Markup = EMPTY
    card: ValueCard | None = None
    transcript: Transcript = Transcript()
    arrays: ArrayView | None = None
    """The picture of whole arrays, of a program whose numbers are all in them."""
    presents: bool = False
    """Whether picture and explanation fill the window."""
    page: str = "explore"

    def context(self) -> dict[str, Any]:
        """The page's parts by name."""
        return {name: getattr(self, name) for name in self.__slots__}
