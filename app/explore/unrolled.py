"""The tab with the unrolled program: both passes as Python, with the number of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.numbers import in_equation
from engine.trace.traced import Trace
from engine.trace.unrolled import unrolled

MOST = 1_500  # lines that are listed
LEFT_OUT = "{count:,} more lines are left out here; the export as Python has them all."


class UnrolledRow(NamedTuple):
    """A line: its number, code, comment and result, the Value it assigns, its frames.

    `frames` are numbers separated by spaces, empty for a line without a frame.
    """

    number: int
    code: str
    note: str
    result: str
    node: str
    frames: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The lines of both passes."""

    forward: Sequence[UnrolledRow]
    backward: Sequence[UnrolledRow]
    definitions: Sequence[str]
    left_out: str = ""


def listing(shown: Trace) -> Listing:
    """The unrolled program of a trace."""
    found = unrolled(shown)
    rows = [
        UnrolledRow(
            number, line.code, line.note, in_equation(line.number), line.node, _frames(line.frames)
        )
        for number, line in enumerate(found.lines[:MOST], 1)
    ]
    count = len(found.of("forward"))
    left_out = LEFT_OUT.format(count=len(found.lines) - MOST) if len(found.lines) > MOST else ""
    return Listing(rows[:count], rows[count:], found.definitions, left_out)


def _frames(frames: Sequence[int]) -> str:
    return " ".join(map(str, frames))
