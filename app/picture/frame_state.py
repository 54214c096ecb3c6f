"""The state at one frame: which numbers are known, and what to highlight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.picture.steps import Folded
from engine.trace.traced import Trace


@dataclass(frozen=True, slots=True)
class State:
    """The state of a trace at one frame.

    `data` and `grads` hold the numbers known so far. `active` is the Value whose op and edges are
    highlighted, "" in frames without an op; `slots` are the args that data or gradient flows
    through. `changed` Values received a number in this frame, from those in `sources`. `inner` are
    the Values inside the closed formula that `active` is the result of.
    """

    frame: int
    direction: str
    active: str
    slots: frozenset[int]
    changed: frozenset[str]
    sources: frozenset[str]
    data: dict[str, float]
    grads: dict[str, float]
    inner: frozenset[str] = frozenset()


def state(trace: Trace, frame: int | None = None) -> State:
    """The state at `frame`, clamped to the range; None is the last frame."""
    last = len(trace.frames) - 1
    at = last if frame is None else max(0, min(frame, last))
    data: dict[str, float] = {}
    grads: dict[str, float] = {}
    for past, changes in zip(trace.frames[: at + 1], trace.changes, strict=False):
        (data if past.pass_ == "forward" else grads).update(changes.numbers)
    now = trace.changes[at]
    return State(
        frame=at,
        direction=trace.frames[at].pass_,
        active="" if now.slots is None else trace.frames[at].node,
        slots=frozenset(now.slots or ()),
        changed=frozenset(now.numbers),
        sources=frozenset(now.sources),
        data=data,
        grads=grads,
    )


def folded_state(now: State, closed: Mapping[str, Folded]) -> State:
    """`now` where the formulas in `closed` are drawn as one operation each."""
    fold = closed.get(now.active) if now.direction == "forward" else None
    if fold is None:
        return now
    return replace(now, sources=frozenset(fold.args), inner=fold.inner)
