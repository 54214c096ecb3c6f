"""A trace as the page below a notebook's cell: picture, explanation, player, notes.

It is one line of HTML, since notebooks join the lines of what they embed. Its script is made of the
modules of other pages, compressed with the trace and the explanations; a policy in it forbids every
request, and any script and style but its own. Without scripts it shows the last frame.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from app.caches import cached
from app.explore import explanation
from app.explore.film import Film
from app.explore.offline import digest, without_links
from app.explore.small_style import small_style
from app.explore.verdict import of_trace
from app.picture.direction import Room, fit
from app.picture.drawing import page_svg
from app.program_address import View
from app.serving.joined_scripts import join
from app.serving.rendering import Renderer
from engine.numbers import counted
from engine.trace.traced import Trace

MAIN, START = "js/explore/cell.js", "js/explore/unpack.js"
TEMPLATE = "cell.html"
SHEETS = ("app", "picture", "verdict", "sabotage", "stepping", "embed", "cell")
SECTIONS = ("the explanation", "the player")
"""The sections of explore.css that the page needs."""
TOLD = 4
"""Notes and warnings that are shown."""
PLAYER = '<section class="embed-player'
"""From here on the page needs its script."""
BESIDE, ABOVE = (540.0, 340.0), (880.0, 210.0)
"""Width and height for the picture in a cell of 900 × 520 pixels: beside its words, above them."""
_BACKWARD = re.compile(r'<template data-explain="backward".*?</template>', re.DOTALL)
_INDENT = re.compile(r"^[ \t]+|^//.*$", re.MULTILINE)
_RAW = -15


class CellNote(NamedTuple):
    text: str
    is_warning: bool


def cell_page(renderer: Renderer, film: Film, is_stacked: bool = False, theme: str = "") -> str:
    """The page of a trace at its last frame, the explanation below the picture or beside it.

    `theme` is light, dark, or empty for the reader's own.
    """
    shown, at = film.trace, film.frame
    script, start = small_script(renderer.static, MAIN)
    sheets, card = _sheets(renderer.static), explanation.step_card
    templates = _templates(shown)
    context = {
        "title": shown.names()[shown.drawn],
        "theme": theme,
        "look": "stacked" if is_stacked else "",
        "counts": _counts(shown),
        "picture": page_svg(shown, film.placement, film.now.step),
        "explanation": without_links(card(shown, film.now.step, film.now.closed)),
        "pass_": shown.frames[at].pass_,
        "place": f"Frame {at + 1} of {len(shown.frames)}",
        "last": len(shown.frames) - 1,
        "notes": _notes(shown),
        "verdict": of_trace(shown, View(program=shown.program)),
        **dict.fromkeys(("style", "policy", "packed", "start"), ""),
    }
    bare = renderer.page(TEMPLATE, context)
    still = small_style(sheets, bare.partition(PLAYER)[0], "js-only")
    moving = small_style(sheets, bare, templates, script)
    context |= {
        "style": Markup(still),  # noqa: S704  the project's own
        "packed": packed(film.trace_json, film.steps_json, templates, script, moving),
        "start": Markup(start),  # noqa: S704  the project's own
        "policy": (
            f"default-src 'none'; script-src {digest(start)} {digest(script)}; style-src"
            f" {digest(still)} {digest(moving)}; base-uri 'none'; form-action 'none'"
        ),
    }
    return joined_lines(renderer.page(TEMPLATE, context))


def joined_lines(page: str) -> str:
    """A page on one line, as notebooks join lines of what they embed."""
    return " ".join(line.strip() for line in page.splitlines())


def room_film(draw: Callable[[Room], Film]) -> tuple[Film, bool]:
    """The film in the room in which its picture is larger, and whether that is above the words."""
    beside, above = draw(BESIDE), draw(ABOVE)
    scales = [
        min(fit(it.placement.geometry, room), 1.0)
        for it, room in ((beside, BESIDE), (above, ABOVE))
    ]
    return (above, True) if scales[1] > scales[0] else (beside, False)


def _templates(shown: Trace) -> str:
    """The explanations of the trace's frames: none of a backward pass that the program wrote."""
    found = str(without_links(explanation.templates(shown)))
    has_contributions = any(frame.contributions for frame in shown.frames)
    return found if has_contributions else _BACKWARD.sub("", found)


def _counts(shown: Trace) -> str:
    operations = counted(sum(node.op is not None for node in shown.nodes), "operation")
    return f"{counted(len(shown.nodes), 'Value')}, {operations}"


def _notes(shown: Trace) -> Sequence[CellNote]:
    warnings = [CellNote(it.message, is_warning=True) for it in shown.warnings]
    notes = [CellNote(it.message, is_warning=False) for it in shown.notes]
    return [*warnings, *notes][:TOLD]


def packed(*texts: str) -> str:
    """Texts as the page's first script unpacks them."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    data = squeezer.compress(json.dumps(texts).encode()) + squeezer.flush()
    return b64encode(data).decode()


@cached("scripts of cells")
def small_script(static: Path, main: str) -> tuple[str, str]:
    """The script of a page, and that which unpacks it, on one line."""
    start = (static / START).read_text("utf-8").splitlines()
    lines = (line.strip() for line in start if not line.startswith("//"))
    return _INDENT.sub("", join(static, main).script), " ".join(lines).replace(
        "*/ (", "*/("
    ).strip()


@cached("styles of cells")
def _sheets(static: Path) -> str:
    """The style sheets, of explore.css the sections that are needed."""
    first, *rest = [(static / f"css/{name}.css").read_text("utf-8") for name in SHEETS]
    sections = (static / "css/explore.css").read_text("utf-8").split("/* --- ")
    own = [f"/* --- {text}" for text in sections if text.startswith(SECTIONS)]
    return "\n".join([first, *own, *rest])
