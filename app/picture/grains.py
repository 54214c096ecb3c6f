"""The grain of stepping: which frames, or parts of frames, are one step.

Frames stay what they are, and addresses count them. A coarse grain joins several to one step, of
which the last frame's numbers are shown; the finest takes the contributions of a backward frame one
by one. What happens inside a closed box without a break is one step of every grain.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from app.picture.steps import ClosedBox, Folded, steps
from engine.numbers import counted
from engine.trace.model import Frame, Group, Node
from engine.trace.traced import Trace

NO_CALLS = ("loop", "iteration", "formula", "array")
"""Kinds of groups that are not calls."""
RUNS = ("iteration", "function")
"""Kinds of groups in each of which a line runs anew."""


class FrameSpan(NamedTuple):
    """A step: its last frame, whose numbers it shows, and all its frames.

    With a `slot`, of the frame only the contribution to the arg in this slot. `words` say what
    several frames are, `box` is the closed box that all of them are inside.
    """

    frame: int
    frames: tuple[int, ...]
    slot: int | None = None
    words: str = ""
    box: ClosedBox | None = None


class TraceIndex(NamedTuple):
    """The Values and groups of a trace by id, and the closed boxes by the Values inside them."""

    nodes: Mapping[str, Node]
    groups: Mapping[str, Group]
    boxes: Mapping[str, ClosedBox]

    @classmethod
    def of(cls, trace: Trace, boxes: Mapping[str, ClosedBox]) -> TraceIndex:
        nodes = {node.id: node for node in trace.nodes}
        return cls(nodes, {group.id: group for group in trace.groups}, boxes)

    def box(self, frame: Frame) -> ClosedBox | None:
        """The closed box that the operation of a frame is inside."""
        at_work = frame.written.user if frame.written else None
        return self.boxes.get(at_work or frame.node)

    def line(self, frame: Frame) -> int:
        """The line of the program that a frame belongs to: of the write, or of the Value."""
        return (frame.written or self.nodes[frame.node]).span[0]

    def run(self, frame: Frame) -> Hashable:
        """The line of a frame; each turn of a loop and each call of a function runs it anew."""
        return self.line(frame), self._around(frame, lambda kind: kind in RUNS)

    def call(self, frame: Frame) -> str | None:
        """The innermost call, of a function, a neuron or a layer, by id."""
        return self._around(frame, lambda kind: kind not in NO_CALLS)

    def title(self, frame: Frame) -> str:
        """The title of the innermost call; a gradient may be written for a Value outside of it."""
        home = self.call(frame)
        return self.groups[home].title if home is not None else "several calls"

    def _around(self, frame: Frame, is_kind: Callable[[str], bool]) -> str | None:
        """The innermost group of some kinds around the Value of a frame."""
        home = self.nodes[frame.node].group
        while home is not None and not is_kind(self.groups[home].kind):
            home = self.groups[home].parent
        return home


class Grain(NamedTuple):
    """A grain, with its name in the address and its meaning.

    Consecutive frames of a pass with equal `key` are one step; with None, each frame is one.
    `place` names the frames of a step together. With `by_slot`, each contribution is a step.
    """

    name: str
    says: str
    key: Callable[[TraceIndex, Frame], Hashable] = lambda _, frame: None
    place: Callable[[TraceIndex, Frame], str] = lambda _, frame: ""
    by_slot: bool = False


GRAINS: dict[str, Grain] = {
    grain.name: grain
    for grain in (
        Grain("contribution", "each contribution to a gradient", by_slot=True),
        Grain("op", "each operation"),
        Grain("line", "a line of the program", TraceIndex.run, lambda at, f: f"line {at.line(f)}"),
        Grain("call", "a call of a function, layer or neuron", TraceIndex.call, TraceIndex.title),
        Grain("pass", "a whole pass", lambda _, f: f.pass_, lambda _, f: f"the {f.pass_} pass"),
    )
}
"""Every grain by name, from fine to coarse."""
DEFAULT, PASS = GRAINS["op"], GRAINS["pass"]
NO_BOXES: Mapping[str, ClosedBox] = {}


class Chosen(NamedTuple):
    """What the parameter `by` of an address names: a grain, and the slot of a contribution."""

    grain: Grain
    slot: int | None = None


def chosen(text: str) -> Chosen:
    """The grain of `line`, or grain and slot of `contribution:1`; the default if it is unknown."""
    name, _, slot = text.partition(":")
    grain = GRAINS.get(name, DEFAULT)
    has_slot = grain.by_slot and slot.isascii() and slot.isdigit() and len(slot) < 4
    return Chosen(grain, int(slot) if has_slot else None)


def steps_by(
    trace: Trace,
    closed: Mapping[str, Folded],
    grain: Grain = DEFAULT,
    boxes: Mapping[str, ClosedBox] = NO_BOXES,
) -> list[FrameSpan]:
    """The steps through `trace`, in order.

    `closed` are its closed formulas, `boxes` the closed groups by the Values inside them.
    """
    index = TraceIndex.of(trace, boxes)
    found: list[FrameSpan] = []
    for run, box in _runs(trace, steps(trace, closed), grain, index):
        at, frames = run[-1], tuple(run)
        slots = [c.slot for c in trace.frames[at].contributions] if grain.by_slot else []
        if box is None and len(run) == 1 and len(slots) > 1:
            found += [FrameSpan(at, frames, slot) for slot in slots]
        else:
            found.append(FrameSpan(at, frames, None, _words(trace, run, grain, index, box), box))
    return found


def _runs(
    trace: Trace, among: Iterable[int], grain: Grain, index: TraceIndex
) -> Iterator[tuple[list[int], ClosedBox | None]]:
    """The frames `among` by steps, each with the closed box that all of them are inside.

    The given numbers and the seed of a pass stand alone.
    """
    run: list[int] = []
    box: ClosedBox | None = None
    before: _Place | None = None
    for at in among:
        now = _place(trace.frames[at], grain, index)
        if before is not None and now is not None and before.goes_on(now):
            run.append(at)
            box = box if box is now.box else None
        else:
            if run:
                yield run, box
            run, box = [at], now and now.box
        before = now
    if run:
        yield run, box


class _Place(NamedTuple):
    """Where a frame belongs: to what the grain joins, and to a closed box."""

    pass_: str
    key: Hashable
    box: ClosedBox | None

    def goes_on(self, after: _Place) -> bool:
        """Whether a frame directly after is in the same step."""
        is_joined = self.key is not None and self.key == after.key
        is_boxed = self.box is not None and self.box is after.box
        return self.pass_ == after.pass_ and (is_joined or is_boxed)


def _place(frame: Frame, grain: Grain, index: TraceIndex) -> _Place | None:
    """Where a frame belongs; None if it stands alone."""
    if frame.given or (frame.seed is not None and grain is not PASS):
        return None
    return _Place(frame.pass_, grain.key(index, frame), index.box(frame))


def _words(
    trace: Trace, run: Sequence[int], grain: Grain, index: TraceIndex, box: ClosedBox | None
) -> str:
    """What a step of several frames consists of; empty for one frame."""
    frames = [trace.frames[at] for at in run]
    count = sum(frame.seed is None for frame in frames)
    noun = "gradient write" if any(frame.written for frame in frames) else "operation"
    if box is not None:
        return counted(count, noun)
    return f"{counted(count, noun)} of {grain.place(index, frames[-1])}" if len(run) > 1 else ""


def step_at(among: Sequence[FrameSpan], frame: int, slot: int | None = None) -> FrameSpan:
    """The step that ends with a frame; of one inside a step, the frame alone."""
    here = [step for step in among[first_from(among, frame) :] if step.frame == frame]
    parts = {step.slot: step for step in here}
    return parts.get(slot) or parts.get(None) or FrameSpan(frame, (frame,))


def first_from(among: Sequence[FrameSpan], frame: int) -> int:
    """The place of the first step that ends with `frame` or later."""
    return bisect_left(among, frame, key=lambda step: step.frame)


def place_of(among: Sequence[FrameSpan], step: FrameSpan) -> int:
    """The place of a step; of a frame inside one, that of this; of a frame shown whole where its
    contributions are steps, that of the last.
    """
    start = first_from(among, step.frame)
    end = bisect_right(among, step.frame, key=lambda other: other.frame)
    for at in range(start, end):
        if among[at] == step:
            return at
    return max(start, end - 1)
