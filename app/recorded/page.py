"""The page of a record for the cell of a notebook, and as a file: one line, no request, a policy.

It is made as the page of a trace is: without scripts it shows the last step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from app.caches import cached
from app.explore.cell import joined_lines, packed, small_script
from app.explore.offline import digest
from app.explore.small_style import small_style
from app.picture.layout import LayoutError, Placement
from app.picture.palette import LIGHT
from app.recorded.boxes import DrawnRecord
from app.recorded.picture import laid_out, svg
from app.recorded.words import step_words
from app.serving.rendering import Renderer
from engine.numbers import counted
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import NodeFrame, OperationFrame

MAIN = "js/recorded/main.js"
TEMPLATE = "recorded.html"
SHEETS = ("app", "embed", "cell", "recorded")
SECTIONS = ("the explanation", "the player")
MAPS = ".array-map"
PLAYER = '<section class="embed-player'
TOLD = 6
_TOKEN = re.compile(r"var\(--([\w-]+)\)")
"""Answers that are shown."""


class RecordedPage(NamedTuple):
    """The page as HTML, and its picture alone as SVG."""

    html: str
    svg: str


def recorded_page(
    renderer: Renderer,
    drawn: DrawnRecord,
    answers: Sequence[RunAnswer],
    title: str,
    theme: str = "",
) -> RecordedPage:
    """The page of what is drawn of a record. Raises LayoutError."""
    placement = _placement(drawn)
    words = [step_words(drawn, step) for step in drawn.steps]
    script, start = small_script(renderer.static, MAIN)
    steps = [{"pass": step.pass_, "box": step.box} for step in drawn.steps]
    context = {
        "title": title,
        "unit": "Step",
        "theme": theme,
        "counts": _counts(drawn),
        "picture": Markup(svg(drawn, placement)),  # noqa: S704  all text is escaped
        "explanation": Markup(words[-1] if words else ""),  # noqa: S704  all text is escaped
        "pass_": drawn.steps[-1].pass_ if drawn.steps else "forward",
        "last": max(len(drawn.steps) - 1, 0),
        "answers": answers[:TOLD],
        **dict.fromkeys(("style", "policy", "packed", "start"), ""),
    }
    sheets = _sheets(renderer.static)
    bare = renderer.page(TEMPLATE, context)
    still = small_style(sheets, bare.partition(PLAYER)[0], "js-only")
    moving = small_style(sheets, bare, *words, script)
    context |= {
        "style": Markup(still),  # noqa: S704  the project's own
        "packed": packed(json.dumps(steps), json.dumps(words), "", script, moving),
        "start": Markup(start),  # noqa: S704  the project's own
        "policy": (
            f"default-src 'none'; script-src {digest(start)} {digest(script)}; style-src"
            f" {digest(still)} {digest(moving)}; base-uri 'none'; form-action 'none'"
        ),
    }
    alone = svg(drawn, placement, f"<style>{_sheet_alone(renderer.static)}</style>")
    return RecordedPage(joined_lines(renderer.page(TEMPLATE, context)), alone)


def _placement(drawn: DrawnRecord) -> Placement:
    """The layout from left to right; where that is too long a strip, from top to bottom."""
    across = laid_out(drawn)
    if across.geometry.width < 4 * across.geometry.height:
        return across
    try:
        down = laid_out(drawn, "TB")
    except LayoutError:
        return across
    return down if down.geometry.width < across.geometry.width / 2 else across


def _counts(drawn: DrawnRecord) -> str:
    record = drawn.record
    operations = sum(isinstance(f, OperationFrame) and not f.during for f in record.frames)
    nodes = sum(isinstance(f, NodeFrame) for f in record.frames)
    parts = [counted(operations, "operation"), f"{counted(nodes, 'Node')} backward"]
    if drawn.hidden > 0:
        parts.append(f"{counted(drawn.hidden, 'call')} in closed modules")
    if record.left_out:
        parts.append(f"{record.left_out:,} more were left out")
    if record.strangers:
        parts.append(f"{counted(record.strangers, 'Node')} from before or elsewhere")
    return ", ".join(parts)


@cached("styles of recorded pages")
def _sheets(static: Path) -> str:
    app, *rest = [_sheet(static, name) for name in SHEETS]
    sections = _sheet(static, "explore").split("/* --- ")
    own = [f"/* --- {text}" for text in sections if text.startswith(SECTIONS)]
    own += [rule for rule in _sheet(static, "by-hand").splitlines() if rule.startswith(MAPS)]
    return "\n".join([app, *own, *rest])


def _sheet(static: Path, name: str) -> str:
    return (static / f"css/{name}.css").read_text("utf-8")


def _sheet_alone(static: Path) -> str:
    """The rules of a picture outside of a page, which has no tokens: in the light colours."""
    return _TOKEN.sub(
        lambda found: str(getattr(LIGHT, found[1].replace("-", "_"))),
        _sheet(static, "recorded-alone"),
    )
