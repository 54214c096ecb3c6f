"""What is known at a frame: the numbers that are there by now, and where the eye should go."""

from __future__ import annotations

from dataclasses import dataclass

from engine.trace.model import Trace


@dataclass(frozen=True, slots=True)
class State:
    """What one frame of a trace shows.

    `data` and `grads` hold the numbers that are there by now. `active` is the Value whose op and
    edges are lit, "" in frames without an op; `slots` are its args that data or gradient flows
    through. `changed` Values got a number in this frame, from those in `sources`.
    """

    frame: int
    direction: str
    active: str
    slots: frozenset[int]
    changed: frozenset[str]
    sources: frozenset[str]
    data: dict[str, float]
    grads: dict[str, float]


def state(trace: Trace, frame: int | None = None) -> State:
    """The numbers and highlights at `frame`; None is the last, others are clamped to the range."""
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
