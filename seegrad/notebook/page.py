"""The page and the picture of a trace, drawn in this process."""

from __future__ import annotations

from functools import cache

from app.explore.cell import cell_page, room_film
from app.explore.film import Film, film
from app.explore.page_json import page_json
from app.explore.stages import Stages
from app.picture.direction import Room
from app.picture.drawing import standalone_svg
from app.picture.layout import LayoutError
from app.program_address import View
from app.recorded.boxes import drawn_record
from app.recorded.page import RecordedPage, recorded_page
from app.serving.rendering import Renderer
from app.settings import from_environment
from engine.live.refusal import CannotShow
from engine.pytorch.questions.table import answers
from engine.pytorch.record import ProgramRecord
from engine.trace.traced import Trace

SLOW = "The layout of this graph takes too long: show a part of it, such as the loss of one sample."

NOTHING = "There is nothing to draw: no operation of PyTorch ran in this thread."
NOTHING_OPEN = (
    "There is nothing to draw: what ran is inside of functions of torch.func, which are not opened."
)


def cell(trace: Trace, theme: str) -> str:
    """The page of a trace. Raises CannotShow."""
    film_, is_stacked = _film(trace)
    return cell_page(_renderer(), film_, is_stacked, theme)


def picture(trace: Trace) -> str:
    """The last frame alone, as SVG. Raises CannotShow."""
    found, _ = _film(trace)
    return standalone_svg(found.trace, found.placement, found.now.step)


def recorded(
    record: ProgramRecord, number: int, opened: tuple[str, ...], theme: str
) -> RecordedPage:
    """The page of a recording. Raises CannotShow."""
    drawn = drawn_record(record, number, opened)
    if not drawn.boxes:
        raise CannotShow(NOTHING_OPEN if record.operations else NOTHING)
    roots = drawn.shown_pass.roots if drawn.shown_pass is not None else ()
    title = record.name(roots[0]) if roots else "a program"
    try:
        return recorded_page(_renderer(), drawn, answers(record), title, theme)
    except LayoutError:
        raise CannotShow(SLOW) from None


def _film(trace: Trace) -> tuple[Film, bool]:
    view, text = View(program=trace.program), page_json(trace)

    def draw(room: Room) -> Film:
        return film(trace, view, _stages(), text, room)

    try:
        return room_film(draw)
    except LayoutError:
        raise CannotShow(SLOW) from None


@cache
def _renderer() -> Renderer:
    return Renderer()


@cache
def _stages() -> Stages:
    return Stages(from_environment({}))
