"""What is known at a frame: the numbers that are there by now, and where the eye should go.

The picture of a frame needs no frame before it: every state is found from the trace alone, so
that a link can lead to any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.trace.model import Frame, Trace


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
    known: set[str] = set()
    grads: dict[str, float] = {}
    for past in trace.frames[: at + 1]:
        if past.pass_ == "forward":
            known.update(past.given or (past.node,))
        elif past.seed is not None:
            grads[past.node] = past.after
        for one in past.contributions:
            grads[one.to] = one.after
    if at == last:  # a leaf that the output does not depend on has gradient 0 in the end
        grads = {node.id: node.grad for node in trace.nodes if node.grad is not None}
    data = {node.id: node.data for node in trace.nodes if node.id in known}
    now = trace.frames[at]
    return State(at, now.pass_, *_highlights(trace, now), data, grads)


_Ids = frozenset[str]


def _highlights(trace: Trace, now: Frame) -> tuple[str, frozenset[int], _Ids, _Ids]:
    """The active Value, its lit slots, what changed and where it came from."""
    if now.given:
        return "", frozenset(), frozenset(now.given), frozenset()
    if now.seed is not None:
        return "", frozenset(), frozenset((now.node,)), frozenset()
    if now.pass_ == "backward":
        slots = frozenset(one.slot for one in now.contributions)
        changed = frozenset(one.to for one in now.contributions)
        return now.node, slots, changed, frozenset((now.node,))
    args = next(node.args for node in trace.nodes if node.id == now.node)
    return now.node, frozenset(range(len(args))), frozenset((now.node,)), frozenset(args)
