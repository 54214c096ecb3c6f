"""Code without the prose around it."""

from __future__ import annotations

from .cells import CodePieces
from .lines import Lines, NumberedLine
from .prose import is_prose, pieces_of


def code_alone(lines: Lines) -> list[NumberedLine]:
    """The pieces of code in the lines; all lines, if nothing between them reads as prose.

    A line that is no Python may be a program's own mistake: only beside prose is it left out.
    """
    pieces = pieces_of(lines)
    kept = {line.number for piece in pieces for line in piece}
    if not any(is_prose(line.text) for line in lines if line.number not in kept):
        return list(lines)
    return CodePieces(pieces).lines() if pieces else list(lines)
