"""The pieces of recovered code: cells, each after a line `# %%` if there are several."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .lines import Lines, NumberedLine

_MARKER = re.compile(r"# ?%%")
BLANK = NumberedLine(0, "")
MARKER = NumberedLine(0, "# %%")
"""What stands in front of each piece: a cell of a notebook shows its last expression."""


@dataclass(slots=True)
class CodePieces:
    """Pieces of code, in their order; empty ones are left out of the lines."""

    pieces: list[list[NumberedLine]]

    def lines(self) -> list[NumberedLine]:
        """The lines of all pieces, each after a marker if there are several."""
        pieces = [piece for piece in map(trimmed, self.pieces) if piece]
        if len(pieces) == 1:
            return pieces[0]
        found: list[NumberedLine] = []
        for piece in pieces:
            found += [*([BLANK] if found else []), MARKER, *piece]
        return found


def cells_of(lines: Lines) -> CodePieces:
    """The pieces of `lines`."""
    pieces: list[list[NumberedLine]] = [[]]
    for line in lines:
        if _MARKER.match(line.text):
            pieces.append([])
        else:
            pieces[-1].append(line)
    return CodePieces([piece for piece in map(trimmed, pieces) if piece])


def each_cell(
    change: Callable[[Lines], list[NumberedLine]],
) -> Callable[[Lines], list[NumberedLine]]:
    """A recovery of every piece by itself."""
    return lambda lines: CodePieces([change(piece) for piece in cells_of(lines).pieces]).lines()


def trimmed(piece: Lines) -> list[NumberedLine]:
    """The lines without blank ones at both ends."""
    filled = [i for i, line in enumerate(piece) if not line.is_blank]
    return list(piece[filled[0] : filled[-1] + 1]) if filled else []
