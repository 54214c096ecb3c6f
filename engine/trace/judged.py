"""Traces with the verdict on what their programs wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.reverse import UNKNOWN, sweep
from engine.value import Value, partials
from engine.verdict.model import Mistake, Verdict

from .model import Frame, Node
from .traced import Trace


def true_grads(values: Sequence[Value], nodes: Sequence[Node]) -> Mapping[str, float | None]:
    """The derivative of the last of `values` by each of them, by reverse accumulation.

    None for what a number that could not be traced depends on.
    """
    true = sweep(values, _partials, {values[-1]: 1.0}, UNKNOWN)
    return {node.id: true.get(value, 0.0) for node, value in zip(nodes, values, strict=True)}


def _partials(value: Value) -> Iterable[tuple[Value, float | None]]:
    return partials(value) if value.op is not None else [(arg, None) for arg in value.args]


def judged(trace: Trace, verdict: Verdict) -> Trace:
    """The trace with the verdict: what was due in each frame, and the frames of the mistakes."""
    forward = sum(frame.pass_ == "forward" for frame in trace.frames)
    frames = tuple(_frame(frame, at - forward, verdict) for at, frame in enumerate(trace.frames))
    count = len(frames)
    names = {node.id: node.name for node in trace.nodes if not node.label}
    mistakes = tuple(
        _named(_placed(mistake, forward, count), names) for mistake in verdict.mistakes
    )
    known = {**trace.true_grads, **verdict.true_grads}
    return replace(
        trace,
        frames=frames,
        true_grads=known,
        verdict=replace(verdict, mistakes=mistakes),
        notes=(*trace.notes, *verdict.notes),
    )


def _frame(frame: Frame, step: int, verdict: Verdict) -> Frame:
    found = verdict.frames.get(step) if step >= 0 else None
    if found is None or frame.written is None:
        return frame
    return frame._replace(written=frame.written._replace(**found._asdict()))


def _named(mistake: Mistake, names: Mapping[str, str]) -> Mistake:
    """The mistake with the name that the picture has for an object without one."""
    name = names.get(mistake.node or "", "")
    if not mistake.subject or not name:
        return mistake
    shown = name if name.isidentifier() or name.endswith(")") else f"({name})"
    changed = {field: getattr(mistake, field).replace(mistake.subject, shown) for field in _TEXTS}
    return mistake._replace(subject=shown, **changed)


_TEXTS = ("message", "why")


def _placed(mistake: Mistake, forward: int, count: int) -> Mistake:
    """The mistake with the index of its frame in the trace."""
    frame = None if mistake.frame is None else mistake.frame + forward
    return mistake._replace(frame=frame if frame is not None and frame < count else None)
