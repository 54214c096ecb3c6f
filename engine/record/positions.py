"""Places of a text with placeholders, in terms of the text that they stand for.

The parser counts lines from 1 and columns in bytes of UTF-8 from 0; offsets count characters.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Positions:
    """Offsets of a text to lines and columns, and back."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self._is_ascii = text.isascii()
        self._bytes: dict[int, list[int]] = {}

    def offset(self, line: int, column: int) -> int:
        """The offset of a column in bytes."""
        if not self._is_ascii:
            column = bisect_right(self._widths(line), column) - 1
        return self._starts[line - 1] + column

    def offset_of_character(self, line: int, column: int) -> int:
        """The offset of a column in characters, within its line."""
        line = min(line, len(self._lines))
        return self._starts[line - 1] + min(column, len(self._lines[line - 1]))

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column in bytes."""
        line, column = self.character(offset)
        return line, column if self._is_ascii else self._widths(line)[column]

    def character(self, offset: int) -> tuple[int, int]:
        """The line and the column in characters."""
        line = min(bisect_right(self._starts, offset), len(self._lines))
        return line, offset - self._starts[line - 1]

    def _widths(self, line: int) -> list[int]:
        """The bytes of a line before each of its characters, and at its end."""
        if line not in self._bytes:
            sizes = (len(character.encode()) for character in self._lines[line - 1])
            self._bytes[line] = list(accumulate(sizes, initial=0))
        return self._bytes[line]


class RewrittenCode:
    """A part of an original text with pieces replaced.

    Each piece is its text, with the start and the end of what it stands for in the original.
    """

    def __init__(self, original: Positions, pieces: Iterable[tuple[str, int, int]]) -> None:
        self._original = original
        self._pieces = list(pieces)
        self.text = "".join(text for text, _, _ in self._pieces)
        self._starts = list(accumulate((len(text) for text, _, _ in self._pieces), initial=0))
        self._own = Positions(self.text)
        self._touched = self._touched_lines()

    def _touched_lines(self) -> set[int] | None:
        """The lines with replaced pieces; None if other lines have moved as well."""
        if not self._pieces or self._pieces[0][1]:
            return None
        replaced = [
            (start, end)
            for text, start, end in self._pieces
            if text != self._original.text[start:end]
        ]
        lines = [
            (self._original.place(start)[0], self._original.place(end)[0])
            for start, end in replaced
        ]
        return {line for line, _ in lines} if all(a == b for a, b in lines) else None

    def move(self, node: ast.AST) -> None:
        """Give a node of this text's tree its place in the original."""
        if "lineno" not in node._attributes:
            return
        placed: ast.expr = node  # type: ignore[assignment]  # whatever has a place
        if self._touched is not None and self._touched.isdisjoint(
            (placed.lineno, placed.end_lineno or 1)
        ):
            return
        start = self._own.offset(placed.lineno, placed.col_offset)
        end = self._own.offset(placed.end_lineno or 1, placed.end_col_offset or 0)
        placed.lineno, placed.col_offset = self._original.place(self._origin(start))
        placed.end_lineno, placed.end_col_offset = self._original.place(self._origin(end))

    def moved(self, error: SyntaxError) -> SyntaxError:
        """The parser's error, at its place in the original; it counts columns in characters."""
        line, column = error.lineno or 1, error.offset or 1
        start = self._own.offset_of_character(line, max(column, 1) - 1)
        end = start + 1
        if error.end_offset and error.end_offset > 0:
            end = self._own.offset_of_character(error.end_lineno or line, error.end_offset - 1)
        return syntax_error(
            self._original, error.msg, self._origin(start), self._origin(max(end, start))
        )

    def _origin(self, offset: int) -> int:
        """The original's offset; any inside of a placeholder is its beginning."""
        index = min(bisect_right(self._starts, offset), len(self._pieces)) - 1
        text, start, end = self._pieces[index]
        inside = offset - self._starts[index]
        if inside >= len(text):
            return end
        return start + inside if len(text) == end - start else start


def syntax_error(original: Positions, message: str, start: int, end: int) -> SyntaxError:
    """An error at the characters from `start` to `end`."""
    line, column = original.character(start)
    end_line, end_column = original.character(max(start, end))
    place = (None, line, column + 1, None, end_line, end_column + 1)
    return SyntaxError(message, place)
