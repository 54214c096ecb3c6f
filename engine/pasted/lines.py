"""The lines of a pasted text, each with the number that it had there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class NumberedLine(NamedTuple):
    """A line; the number counts from 1, and is 0 for a line that the text does not have.

    `is_added` says whether the plus sign of a difference stood in front of it.
    """

    number: int
    text: str
    is_added: bool = False

    def with_text(self, text: str) -> NumberedLine:
        """The same line with another text."""
        return self._replace(text=text)

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


Lines: TypeAlias = Sequence[NumberedLine]


def numbered(text: str) -> list[NumberedLine]:
    """The lines of `text`."""
    return [NumberedLine(i, line) for i, line in enumerate(text.split("\n"), 1)]


def joined(lines: Iterable[NumberedLine]) -> str:
    """The lines as one text."""
    return "\n".join(line.text for line in lines)


def indent_of(text: str) -> int:
    """The spaces in front of a line."""
    return len(text) - len(text.lstrip(" "))


def dedented(lines: Lines) -> list[NumberedLine]:
    """The lines without the indentation that they have in common."""
    common = min((indent_of(line.text) for line in lines if not line.is_blank), default=0)
    return [line.with_text(line.text[common:]) for line in lines]


def flattened(lines: Lines) -> list[NumberedLine]:
    """The lines without any indentation."""
    return [line.with_text(line.text.strip()) for line in lines]
