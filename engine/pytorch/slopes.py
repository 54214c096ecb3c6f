"""Directional differences in float64: what a Node sent, against the slope of its operation.

With incoming gradients g, contributions c and a random direction v of the inputs, Σ c·v has to be
Σ g·(f(x + hv) − f(x − hv)) / 2h. The operation runs again on copies, so that nothing of
the program changes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.pytorch.record import (
    Figures,
    NodeFrame,
    OperationFrame,
    ProgramRecord,
    Sent,
    TensorState,
)

STEP = 1e-6
CLOSE = 2e-3
"""Of the sizes of both: float32 has seven digits, and gradients cancel."""
SEED = 20
TRIES = 2
_DERIVED = ("float", "bfloat", "complex")


class Slope(NamedTuple):
    """What was sent along the direction, and what the differences give; `noise` is their scale."""

    node: str
    name: str
    sent: float
    measured: float
    noise: float
    is_kink: bool = False
    """Whether the slopes on both sides of the point differ, as those of max at a tie do."""

    @property
    def is_right(self) -> bool:
        return abs(self.sent - self.measured) <= CLOSE * self.noise


def slope_of(record: ProgramRecord, run: NodeFrame, op: OperationFrame) -> Slope | None:
    """The slope of a Node's operation; None where its numbers are not kept, or it is random."""
    import torch

    if op.run is None or op.is_random or any(g is None for g in run.incoming[:1]):
        return None
    before = torch.random.get_rng_state()
    try:
        with torch.no_grad():
            found = [_measured(record, run, op, SEED + i) for i in range(TRIES)]
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return None  # an operation that does not run in float64, or not on copies
    finally:
        torch.random.set_rng_state(before)
    slopes = [it for it in found if it is not None]
    # A kink between the two points falsifies one direction, and hardly two.
    return next((it for it in slopes if it.is_right), slopes[0] if slopes else None)


def _measured(record: ProgramRecord, run: NodeFrame, op: OperationFrame, seed: int) -> Slope | None:
    import torch

    func, args, options = op.run
    moved = _moved(record, run, op)
    if not moved:
        return None
    generator = torch.Generator().manual_seed(seed)
    directions: dict[TensorState, Any] = {}
    sent, size = 0.0, 0.0
    for state, contribution in moved:
        kept, given = _kept(record.figures.get(state)), _kept(contribution.figures)
        if kept is None or given is None or kept.shape != given.shape:
            return None
        if state not in directions:
            directions[state] = torch.randn(kept.shape, generator=generator, dtype=torch.float64)
        parts = given * directions[state]
        sent += float(parts.sum())
        size += float(parts.abs().sum())

    def at(step: float) -> list[Any]:
        values = _filled(record, args, directions, step)
        result = func(*values, **_filled(record, options, directions, step))
        return list(result) if isinstance(result, list | tuple) else [result]

    measured, bend = 0.0, 0.0
    for g, high, here, low in zip(run.incoming, at(STEP), at(0.0), at(-STEP), strict=False):
        if g is not None:
            incoming = _kept(g)
            if incoming is None or incoming.shape != high.shape:
                return None
            parts = incoming * _difference(high, low) / (2 * STEP)
            measured += float(parts.sum())
            size += float(parts.abs().sum())
            one, other = _difference(high, here), _difference(here, low)
            bend += float((incoming * (one - other) / STEP).sum())
    noise = size + 1e-12
    return Slope(run.node, run.name, sent, measured, noise, abs(bend) > CLOSE * noise)


def _difference(a: Any, b: Any) -> Any:
    """a − b, 0 where both are the same infinity."""
    return (a - b).masked_fill(a == b, 0.0)


def _moved(
    record: ProgramRecord, run: NodeFrame, op: OperationFrame
) -> list[tuple[TensorState, Sent]]:
    """The inputs with what was sent to them: an edge for each that can have a gradient."""
    if op.is_function:
        inputs = [a.states[0] for a in op.arguments if len(a.states) == 1]
        tensors = [bool(a.states) for a in op.arguments]
        edges = run.sent if len(run.sent) == len(inputs) else [
            sent for sent, is_tensor in zip(run.sent, tensors, strict=False) if is_tensor
        ]  # fmt: skip
    else:
        inputs = [s for s in op.inputs if record.tensors[s.tensor].dtype.startswith(_DERIVED)]
        edges = run.sent
    return [(state, s) for state, s in zip(inputs, edges, strict=False) if s.figures is not None]


def _kept(figures: Figures | None) -> Any:
    """The numbers of a tensor in float64, None where they are not all kept."""
    import torch

    if figures is None or not isinstance(figures.kept, torch.Tensor | list):
        return None
    is_derived = figures.dtype.startswith("float") or figures.dtype == "bfloat16"
    kept = torch.as_tensor(figures.kept).reshape(figures.shape)
    return kept.double() if is_derived else kept if "complex" not in figures.dtype else None


def _filled(record: ProgramRecord, value: Any, directions: Any, step: float) -> Any:
    """Arguments with copies of their tensors, moved along the directions. Raises ValueError."""
    if isinstance(value, TensorState):
        kept = _kept(record.figures.get(value))
        if kept is None:
            raise ValueError(f"the numbers of {value.tensor} are not kept")
        if value in directions:
            return kept + step * directions[value]
        return kept.clone()
    if isinstance(value, list):
        return [_filled(record, x, directions, step) for x in value]
    if isinstance(value, dict):
        return {key: _filled(record, x, directions, step) for key, x in value.items()}
    return value


class CheckedNode(NamedTuple):
    """What a check says of a Node's run: right, wrong, or why it could not be checked."""

    node: str
    name: str
    line: int | None
    verdict: str
    sent: float | None = None
    measured: float | None = None
    why: str = ""


def checked(record: ProgramRecord) -> list[CheckedNode]:
    """Every Node that ran backward, checked by directional differences; leaves by their sums."""
    found = []
    for run in record.node_runs:
        line = None if run.place is None else run.place.line
        if run.leaf:
            verdict, why = _of_leaf(run)
            found.append(
                CheckedNode(
                    run.node, f"{run.name} of {record.name(run.leaf)}", line, verdict, why=why
                )
            )
            continue
        op = None if run.operation is None else record.frames[run.operation]
        slope = slope_of(record, run, op) if isinstance(op, OperationFrame) else None
        if slope is None or (slope.is_kink and not slope.is_right):
            why = _why_not(record, run, op) if slope is None else "it is at a kink"
            found.append(CheckedNode(run.node, run.name, line, "not checked", why=why))
        else:
            verdict = "right" if slope.is_right else "wrong"
            found.append(CheckedNode(run.node, run.name, line, verdict, slope.sent, slope.measured))
    return found


def _of_leaf(run: NodeFrame) -> tuple[str, str]:
    """Whether a leaf's gradient is what it was, and what came in added."""
    import torch

    came, after = _kept(run.incoming[0]), _kept(run.after)
    before = _kept(run.before) if run.before is not None else None
    if came is None or after is None or (run.before is not None and before is None):
        return "not checked", "its numbers are not kept"
    due = came if before is None else before + came
    return ("right" if torch.allclose(due, after, rtol=1e-5, equal_nan=True) else "wrong"), ""


def _why_not(record: ProgramRecord, run: NodeFrame, op: object) -> str:
    if not isinstance(op, OperationFrame):
        return "its operation was not recorded"
    if op.is_random:
        return "it draws random numbers"
    states = [*op.inputs, *op.outputs]
    if any((f := record.figures.get(s)) is None or f.kept is None for s in states):
        return "its numbers are not kept: seegrad.record(keep=…)"
    if run.name.startswith("CopySlices"):
        return "it writes into a view"
    return "its operation does not run in float64 by itself"
