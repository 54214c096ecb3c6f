"""The words of a run: what the program prints, and notes for its reader."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .model import Note
from .source import Limits, Source, Span

NOTES = 20


class Output:
    """Printed lines and notes, within the limits; `node` is the present place."""

    node: ast.AST

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.printed: list[str] = []
        self.line = ""
        """What was printed without an end of line."""
        self.redirected: list[Callable[[str], None]] = []
        """Takes what is printed in place of the output; the last one counts."""
        self.notes: list[Note] = []

    def note(self, message: str, node: ast.AST | None = None) -> None:
        if len(self.notes) < NOTES and not any(note.message == message for note in self.notes):
            self.notes.append(Note(message, self.source.span(node or self.node)))

    def note_at(self, message: str, span: Span) -> None:
        """A note on a place that is no part of the syntax tree."""
        if len(self.notes) < NOTES:
            self.notes.append(Note(message, span))

    def printed_lines(self) -> list[str]:
        """All that was printed so far."""
        return [*self.printed, self.line] if self.line else self.printed

    def print_text(self, text: str) -> None:
        """Print, up to the limits of lines and of their length; more is cut with a note."""
        if self.redirected:
            self.redirected[-1](text)
            return
        *lines, rest = (self.line + text).split("\n")
        room = self.limits.printed_lines - len(self.printed)
        if len(lines) > room:
            self.note(f"Only the first {self.limits.printed_lines:,} lines of output are kept.")
        length = self.limits.line_length
        kept = [line if len(line) <= length else line[:length] + "…" for line in lines[:room]]
        self.printed += kept
        self.line = rest[: length + 1]
        if self.emit is not None and room > 0:
            self.emit("stdout", text[: length * (room + 1)])

    emit: Callable[[str, str], None] | None = None
    """Takes what is printed at once, so that it is kept if the run is stopped."""
