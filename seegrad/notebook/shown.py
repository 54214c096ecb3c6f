"""A trace that a notebook shows below its cell, a terminal as a table, and a file as a page."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.live.refusal import CannotShow
from engine.numbers import full
from engine.trace import trace_json
from engine.trace.traced import Trace
from seegrad.notebook.needs import require

HEIGHT, TALLEST = 520, 620
WITH_VERDICT = 80
"""Pixels that a verdict takes."""
ROWS = 40
"""Values of the table in a terminal."""
_FRAME = (
    "<iframe title='{title}' sandbox='allow-scripts' srcdoc='{page}'"
    " style='display:block;width:100%;height:{height}px;border:1px solid #8884;border-radius:8px'>"
    "</iframe>"
)


def framed(page: str, title: str, height: int) -> str:
    """A page in a sandboxed frame, without bare line ends, which notebooks join."""
    inside = html.escape(page, quote=False).replace("'", "&#39;").replace("\n", "&#10;")
    name = html.escape(title[:1].upper() + title[1:], quote=True)
    return _FRAME.format(title=name, page=inside, height=height)


class Shown:
    """A graph with both passes. `save` writes it as one HTML file, `json` as the trace's JSON."""

    def __init__(self, trace: Trace, height: int | None = None, theme: str = "") -> None:
        self.trace = trace
        self.theme = theme
        own = HEIGHT + (WITH_VERDICT if trace.mistakes else 0)
        self.height = min(height or own, TALLEST)

    @cached_property
    def html(self) -> str:
        """The page: one file that asks for nothing and steps by itself. Raises CannotShow."""
        require()
        from seegrad.notebook.page import cell

        return cell(self.trace, self.theme)

    @cached_property
    def svg(self) -> str:
        """The last frame as a picture. Raises CannotShow."""
        require()
        from seegrad.notebook.page import picture

        return picture(self.trace)

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, and return its path."""
        file = Path(path)
        file.write_text(self.html, encoding="utf-8")
        return file

    def json(self) -> str:
        """The trace as JSON, which `seegrad.load` reads."""
        return trace_json.write(self.trace)

    def open(self) -> Path:
        """Open the page in the browser, from a temporary file."""
        with tempfile.NamedTemporaryFile(prefix="seegrad-", suffix=".html", delete=False) as file:
            path = Path(file.name)
        webbrowser.open(self.save(path).as_uri())
        return path

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """For notebooks: the page, a picture for where no script runs, words for terminals."""
        words = repr(self)
        try:
            picture = self.svg
        except CannotShow as error:
            return {"text/html": self._repr_html_(), "text/plain": f"{error}\n{words}"}
        return {"text/html": self._repr_html_(), "image/svg+xml": picture, "text/plain": words}

    def _repr_html_(self) -> str:
        """The page in a frame; what keeps it from being drawn, in a sentence."""
        title = self.trace.names()[self.trace.drawn]
        try:
            return framed(self.html, f"the computation graph of {title}", self.height)
        except CannotShow as error:
            return f"<p>{html.escape(str(error))}</p>"

    def __repr__(self) -> str:
        """The verdict, the notes, and a table of the Values."""
        trace = self.trace
        said = [
            *(mistake.message for mistake in trace.mistakes),
            *(alarm.message for alarm in trace.warnings),
            *(note.message for note in trace.notes),
        ]
        rows = [("", "data", "grad")]
        rows += [
            (node.name, full(node.data), "" if node.grad is None else full(node.grad))
            for node in trace.nodes[-ROWS:]
        ]
        more = len(trace.nodes) - ROWS
        said += [f"The last {ROWS} of {len(trace.nodes):,} Values:"] if more > 0 else []
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        table = [
            "  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in rows
        ]
        return "\n".join([*said, *table])
