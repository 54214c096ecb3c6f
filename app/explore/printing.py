"""Frames to print, a page each: the picture, the frame's number and its explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import parse_qsl

from markupsafe import Markup

from app.explore import explanation
from app.explore.explorer import Explorer, HtmlAnswer
from app.explore.film import Film
from app.explore.frame_list import ALL, ENDS, THIS, FrameListError, chosen
from app.explore.offline import without_links
from app.picture import layout
from app.picture.drawing import standalone_svg
from app.picture.grains import DEFAULT, FrameSpan, place_of
from app.program_address import View
from engine.graph_export.graph import NothingToExport
from engine.program import ProgramError, UnknownLeaf

PATH = "/print"
PARAMETER = "frames"
TEMPLATE = "print.html"
UNREAD = "The leaf {name} needs a number."
TOO_LONG = "The layout takes too long; add &grouped=1 to the address."
CHOICES = ((ALL, "All frames"), (THIS, "This frame"), (ENDS, "End of each pass"))


class PrintedPage(NamedTuple):
    """A page: the frame's number, counted from 1, its pass, picture and explanation."""

    number: int
    pass_: str
    picture: Markup
    explanation: Markup


class FramesLink(NamedTuple):
    """A link to other frames of the same program."""

    title: str
    href: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Handout:
    """The variables of print.html; `message` says why there are no sheets."""

    frames: str
    back: str
    fields: Sequence[tuple[str, str]]
    choices: Sequence[FramesLink]
    title: str = ""
    count: int = 0
    sheets: Sequence[PrintedPage] = ()
    broken: object | None = None
    message: str = ""
    unit: str = "frame"


class _Refused(ValueError):
    """The reason for printing nothing."""


def print_page(explorer: Explorer, view: View, frames: str) -> HtmlAnswer:
    """The page with the frames that `frames` names, or with the reason for having none."""
    frames = frames.strip() or ALL
    message, cacheable = "", True
    try:
        if view.unread:
            raise _Refused(UNREAD.format(name=view.unread[0][:64]))
        film = explorer.film(view)
        view = replace(view, program=film.trace.program)
        sheets = _sheets(explorer, film, view, frames)
    except ProgramError as error:
        message = f"Line {error.line}: {error.sentences}"
    except (NothingToExport, UnknownLeaf, FrameListError, _Refused) as error:
        message = str(error)
    except layout.LayoutError:
        message, cacheable = TOO_LONG, False
    if message:
        page = _handout(view, frames, message=message)
    else:
        count = len(film.now.steps)
        name = film.trace.names()[film.trace.drawn]
        page = _handout(view, frames, name, count, sheets, film.broken)
        unit = "frame" if film.now.grain is DEFAULT else "step"
        page = replace(page, unit=unit)
    text = explorer.renderer.page(TEMPLATE, {"handout": page, "page": "print"})
    return HtmlAnswer(text, 422 if message else 200, cacheable)


def _handout(
    view: View,
    frames: str,
    title: str = "",
    count: int = 0,
    sheets: Sequence[PrintedPage] = (),
    broken: object | None = None,
    message: str = "",
) -> Handout:
    query = view.query()
    choices = [
        FramesLink(words, f"{PATH}?{query}&{PARAMETER}={name}", name == frames)
        for name, words in CHOICES
    ]
    fields = parse_qsl(query, keep_blank_values=True)
    return Handout(frames, f"/?{query}", fields, choices, title, count, sheets, broken, message)


def _sheets(explorer: Explorer, film: Film, view: View, frames: str) -> list[PrintedPage]:
    """The pages. Raises FrameListError, _Refused."""
    among = film.now.steps
    this = place_of(among, film.now.step) + 1
    passes = [film.trace.frames[step.frame].pass_ for step in among]
    numbers = chosen(frames, len(among), this, passes.count("forward"))
    most = explorer.settings.whole("print_pages")
    if len(numbers) > most:
        raise _Refused(
            f"{len(numbers):,} frames were asked for; at most {most:,} are printed at once."
            f" Choose fewer, such as {numbers[0]}-{numbers[most - 1]}."
        )
    found, size, limit = list[PrintedPage](), 0, explorer.settings.whole("page_bytes")
    for sheet in _drawn(film, view, [(number, among[number - 1]) for number in numbers]):
        size += len(sheet.picture)
        if size > limit:
            raise _Refused(
                f"The pictures take more than {limit:,} bytes after {len(found):,} of"
                f" {len(numbers):,} pages. Choose fewer frames, or draw groups."
            )
        found.append(sheet)
    return found


def _drawn(
    film: Film, view: View, frames: Sequence[tuple[int, FrameSpan]]
) -> Iterator[PrintedPage]:
    """The page of each step, given its number."""
    for number, step in frames:
        picture = standalone_svg(film.trace, film.placement, step, view.on_edges)
        words = without_links(explanation.step_card(film.trace, step, film.now.closed))
        safe = Markup(picture)  # noqa: S704  all text is escaped
        yield PrintedPage(number, film.trace.frames[step.frame].pass_, safe, words)
