"""The segments of a run for another engine, such as a browser's: code, memory, and what to copy.

A program that runs the code of a segment up to its end, copies the parts of its memory that the
next segment names, and calls `spread` there, continues with the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.training.samples import load
from engine.training.segments import Segment, segments
from engine.training.spec import TrainSpec

from .layout import LOGGED, NUMBER, Layout
from .machines import Machines
from .memory import Copy, taken_over
from .module import program


@dataclass(frozen=True, slots=True)
class HandedSegment:
    """A segment: its code, its memory at its first step, and what it takes from the one before."""

    segment: Segment
    code: bytes
    memory: bytes
    layout: Layout
    copies: list[Copy]


def parts(spec: TrainSpec) -> Iterator[HandedSegment]:
    """The parts of a run, in the order of its segments."""
    machines = Machines(*load(spec))
    before: Layout | None = None
    for segment in segments(spec):
        machine = machines.at_begin(segment)
        layout, memory = machine.layout, machine.instance.read(0, machine.layout.size)
        copies = [] if before is None else _copies(before, layout, segment)
        yield HandedSegment(segment, program(machine.shape).code, memory, layout, copies)
        before = layout


def _copies(before: Layout, after: Layout, segment: Segment) -> list[Copy]:
    """The state that a segment takes over, and the logs of the steps so far."""
    names = ["losses", "hits", *(["test_losses"] if after.shape.tests else [])]
    names += ["penalties"] if before.shape.penalty and after.shape.penalty else []
    logs = [Copy(getattr(before, name), getattr(after, name), NUMBER * LOGGED) for name in names]
    return [*taken_over(before, after, segment), *logs]
