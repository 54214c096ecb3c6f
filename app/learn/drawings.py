"""Drawings in the text of lessons: geometry that words would only tell.

A drawing is an SVG file of `drawings/`. Its numbers are those of the step, `[[expression]]` as in
the text, also where they are lengths; its colours are the page's, by classes of `lesson.css`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup, escape

from app.caches import cached
from app.learn.lesson import LessonDrawing, LessonError
from app.learn.lesson_file import NUMBER

FOLDER = Path(__file__).parent / "drawings"


@cached("drawings of lessons")
def _source(name: str) -> str:
    path = FOLDER / f"{name}.svg"
    if not path.is_file():
        known = ", ".join(sorted(it.stem for it in FOLDER.glob("*.svg")))
        raise LessonError(f"There is no drawing {name!r}; there are {known}.")
    return path.read_text("utf-8")


def drawn(drawing: LessonDrawing, written: Callable[[str], str]) -> Markup:
    """A drawing with its numbers. Raises LessonError."""
    svg = NUMBER.sub(lambda found: str(escape(written(found[1]))), _source(drawing.name))
    named = svg.replace("<svg ", f'<svg aria-label="{escape(drawing.words)}" ', 1)
    return Markup('<figure class="drawing">{}</figure>').format(Markup(named))  # noqa: S704  own files
