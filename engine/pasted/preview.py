"""The first lines that change when the code of a text is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .lines import Lines, NumberedLine, numbered

ROWS = 8
"""Rows of a preview."""
WIDTH = 60
"""Letters that are shown of lines that are left out."""


class PreviewRow(NamedTuple):
    """Lines of the text, from `first` to `last`, and what is written for them.

    `kind` is "left-out", "changed" or "kept".
    """

    kind: str
    first: int
    last: int
    text: str

    @property
    def numbers(self) -> str:
        """The numbers of the lines."""
        return f"{self.first}–{self.last}" if self.last > self.first else str(self.first)


def preview(text: str, kept: Lines) -> list[PreviewRow]:
    """The first rows, from the first line on that is changed or left out."""
    found: list[PreviewRow] = []
    for row in _rows(text, {line.number: line.text for line in kept}, moved(kept)):
        if found or row.kind != "kept":
            found.append(row)
        if len(found) == ROWS:
            break
    return found


def moved(lines: Lines) -> set[int]:
    """The numbers of lines that stand in front of one with a smaller number."""
    found: set[int] = set()
    least = 0
    for line in reversed(lines):
        if line.number and least and line.number > least:
            found.add(line.number)
        elif line.number:
            least = line.number
    return found


def _rows(text: str, texts: Mapping[int, str], changed: set[int]) -> Iterator[PreviewRow]:
    """All rows; lines in a row that are left out are one, which quotes the first of them."""
    left_out: list[NumberedLine] = []
    for line in numbered(text):
        if line.number not in texts:
            left_out.append(line)
            continue
        if any(not each.is_blank for each in left_out):
            yield _left_out(left_out)
        left_out = []
        is_kept = texts[line.number] == line.text and line.number not in changed
        kind = "kept" if is_kept else "changed"
        yield PreviewRow(kind, line.number, line.number, texts[line.number])
    if any(not each.is_blank for each in left_out):
        yield _left_out(left_out)


def _left_out(lines: Lines) -> PreviewRow:
    quoted = next(line.text.strip() for line in lines if not line.is_blank)
    short = quoted if len(quoted) <= WIDTH else f"{quoted[: WIDTH - 1]}…"
    return PreviewRow("left-out", lines[0].number, lines[-1].number, short)
