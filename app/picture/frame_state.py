"""The state at one frame: which numbers are known, and what to highlight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.picture.grains import FrameSpan
from app.picture.steps import Folded
from engine.numbers import full, in_equation, in_sentence, with_minus
from engine.trace.model import Frame
from engine.trace.traced import Trace

NOTHING_YET = "·"
"""The text of a number that is not known yet."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a trace at one frame.

    `data` and `grads` hold the numbers known so far. `active` is the Value whose op and edges are
    highlighted, "" in frames without an op; `slots` are the args that data or gradient flows
    through. `changed` Values received a number in this frame, from those in `sources`. `inner` are
    the Values inside the closed formula that `active` is the result of. `due` are the right
    gradients of Values whose own are wrong, `first` the first of these under a broken rule. In a
    step of several frames, `earlier` are the active Values of those before, with their slots.
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
    due: Mapping[str, float] = field(default_factory=dict)
    first: str | None = None
    earlier: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def is_active(self, node: str) -> bool:
        """Whether the op of a Value is highlighted."""
        return node == self.active or node in self.earlier

    def flows(self, to: str, slot: int) -> bool:
        """Whether the edge into the op of `to` is highlighted; slot -1: that from it to its card"""
        if to in self.inner:
            return True
        own = self.slots if to == self.active else None
        return any(s is not None and (slot < 0 or slot in s) for s in (own, self.earlier.get(to)))


def state(trace: Trace, frame: int | None = None) -> State:
    """The state at `frame`, clamped to the range; None is the last frame."""
    last = len(trace.frames) - 1
    at = last if frame is None else max(0, min(frame, last))
    data: dict[str, float] = {}
    grads: dict[str, float] = {}
    for past, changes in zip(trace.frames[: at + 1], trace.changes, strict=False):
        (data if past.pass_ == "forward" else grads).update(changes.numbers)
    now, first = trace.changes[at], None
    if trace.broken is not None and at == last:
        grads |= trace.broken.grads
        first = trace.broken.first
    return State(
        frame=at,
        direction=trace.frames[at].pass_,
        active="" if now.slots is None else trace.frames[at].node,
        slots=frozenset(now.slots or ()),
        changed=frozenset(now.numbers),
        sources=frozenset(now.sources),
        data=data,
        grads=grads,
        due=due_at(trace, at),
        first=first,
    )


def due_at(trace: Trace, at: int) -> dict[str, float]:
    """The right gradients of Values whose last write up to the frame `at` was wrong.

    In the last frame, of those that end with a wrong one, written or not; and of those that a
    broken rule makes wrong.
    """
    if trace.broken is not None and at == len(trace.frames) - 1:
        right = {node.id: node.grad for node in trace.nodes if node.grad is not None}
        return {node: right[node] for node in trace.broken.grads}
    verdict = trace.verdict
    if verdict is None:
        return {}
    if at == len(trace.frames) - 1:
        wrong = [node for node, is_right in verdict.ends.items() if is_right is False]
        true = {node: trace.true_grads.get(node) for node in wrong}
        return {node: x for node, x in true.items() if x is not None}
    due: dict[str, float] = {}
    for past in trace.frames[: at + 1]:
        _judge(past, due)
    return due


def _judge(frame: Frame, due: dict[str, float]) -> None:
    """Note the right gradient of a wrong write, and that of a right one no more."""
    written = frame.written
    if written is None or written.right is None:
        return
    if written.right or written.due is None:
        due.pop(frame.node, None)
    else:
        due[frame.node] = written.due


def due_texts(trace: Trace) -> dict[int, dict[str, tuple[str, str, str] | None]]:
    """The changes of `due_at` by frame: what a card says, a sentence, all digits."""
    if trace.verdict is None and trace.broken is None:
        return {}
    found: dict[int, dict[str, tuple[str, str, str] | None]] = {}
    known: dict[str, float] = {}
    for at, frame in enumerate(trace.frames[:-1]):
        before = known.get(frame.node)
        _judge(frame, known)
        if (now := known.get(frame.node)) != before:
            found[at] = {frame.node: _due_text(now)}
    end = due_at(trace, len(trace.frames) - 1)
    ids = [key for key in {**known, **end} if known.get(key) != end.get(key)]
    return found | {len(trace.frames) - 1: {key: _due_text(end.get(key)) for key in ids}}


def _due_text(due: float | None) -> tuple[str, str, str] | None:
    return None if due is None else (due_words(due), in_sentence(due), with_minus(full(due)))


def due_words(due: float) -> str:
    """What the card of a wrong gradient says of the right one."""
    return f"due {in_equation(due)}"


def folded_state(now: State, closed: Mapping[str, Folded]) -> State:
    """`now` where the formulas in `closed` are drawn as one operation each."""
    fold = closed.get(now.active) if now.direction == "forward" else None
    if fold is None:
        return now
    return replace(now, sources=frozenset(fold.args), inner=fold.inner)


def step_state(trace: Trace, step: FrameSpan, closed: Mapping[str, Folded]) -> State:
    """The state after a step, with what happened in all of its frames highlighted."""
    if step.slot is not None:
        return _part_state(trace, step.frame, step.slot)
    now = folded_state(state(trace, step.frame), closed)
    if len(step.frames) < 2:
        return now
    changed, sources, inner = set(now.changed), set(now.sources), set(now.inner)
    earlier: dict[str, frozenset[int]] = {}
    for at in step.frames[:-1]:
        frame, changes = trace.frames[at], trace.changes[at]
        fold = closed.get(frame.node) if frame.pass_ == "forward" else None
        changed |= changes.numbers.keys()
        sources |= set(fold.args if fold else changes.sources)
        inner |= fold.inner if fold else frozenset()
        if changes.slots is not None:
            known = earlier.get(frame.node, frozenset())
            earlier[frame.node] = known | frozenset(changes.slots)
    return replace(
        now,
        changed=frozenset(changed),
        sources=frozenset(sources - changed),
        inner=frozenset(inner),
        earlier=earlier,
    )


def _part_state(trace: Trace, at: int, slot: int) -> State:
    """The state after the contributions of a frame up to that of one slot, which is highlighted."""
    now, contributions = state(trace, at), trace.frames[at].contributions
    come = [one for one in contributions if one.slot <= slot]
    if len(come) < len(contributions):
        before = state(trace, at - 1)
        grads = before.grads | {one.to: one.after for one in come}
        now = replace(now, grads=grads, due=before.due, first=None)
    return replace(now, slots=frozenset({slot}), changed=frozenset({come[-1].to}))
