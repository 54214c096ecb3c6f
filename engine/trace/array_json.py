"""The arrays of a trace as JSON: nested lists, of more than 1,000 elements a summary."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isfinite, prod, sqrt
from typing import Any

from engine.array_ops.flat import Flat
from engine.by_hand.model import HandGradient, HandVerdict

from .array_trace import ArrayContribution, ArrayFrame, ArrayTrace, TracedArray

WHOLE = 1_000
"""Elements up to which an array is written out."""


def arrays_json(trace: ArrayTrace) -> dict[str, Any]:
    """Nodes with shape, dtype, data and gradient, and the frames of both passes."""
    return {
        "output": trace.output,
        "nodes": [_node(node) for node in trace.nodes],
        "frames": [_frame(frame) for frame in trace.frames],
    }


def _node(node: TracedArray) -> dict[str, Any]:
    return {
        "id": node.id,
        "label": node.name if node.is_named else "",
        "op": node.op,
        "args": list(node.args),
        "shape": list(node.data.shape),
        "dtype": node.dtype,
        "data": array_json(node.data),
        "grad": None if node.grad is None else array_json(node.grad),
        "span": list(node.span),
    }


def _frame(frame: ArrayFrame) -> dict[str, Any]:
    found: dict[str, Any] = {"pass": frame.pass_, "node": frame.node or None}
    if frame.pass_ == "backward":
        found["contributions"] = [_contribution(c) for c in frame.contributions]
    return found


def _contribution(c: ArrayContribution) -> dict[str, Any]:
    amount = array_json(c.amount)
    return {"to": c.to, "slot": c.slot, "amount": amount, "summed_axes": list(c.summed)}


def by_hand_json(found: HandVerdict) -> dict[str, Any]:
    """The verdict on gradients of arrays that the program computed itself, and its mistakes."""
    return {
        "loss": found.loss,
        "right": found.right,
        "checked": found.checked,
        "gradients": [_gradient(it) for it in found.gradients],
        "mistakes": [
            {
                **{key: getattr(it, key) for key in ("kind", "name", "title", "message", "why")},
                "span": list(it.span),
                "fix": it.fix and {"span": list(it.fix.span), "text": it.fix.text},
            }
            for it in found.mistakes
        ],
    }


def _gradient(it: HandGradient) -> dict[str, Any]:
    same = it.equality
    return {
        "name": it.shown,
        "of": it.of,
        "span": list(it.span),
        "state": it.state,
        "because": it.because,
        "written": array_json(it.written),
        "due": None if it.due is None else array_json(it.due),
        "exact": None if same is None else same.exact,
        "approximate": None if same is None else same.approximate,
        "maxdiff": None if same is None else _number(same.maxdiff),
    }


def array_json(array: Flat) -> Any:
    """Nested lists of numbers; a summary if there are many."""
    if len(array.data) > WHOLE:
        return _summary(array)
    return _nested(list(map(_number, array.data)), array.shape)


def _number(x: float) -> float | str:
    return x if isfinite(x) else repr(x)


def _nested(data: Sequence[Any], shape: Sequence[int]) -> Any:
    if not shape:
        return data[0]
    step = prod(shape[1:])
    return [_nested(data[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def _summary(array: Flat) -> dict[str, Any]:
    """Least, mean, largest, norm, the count of nan and inf, and the elements at the corners."""
    known = [x for x in array.data if isfinite(x)] or [0.0]
    strides = [prod(array.shape[k + 1 :]) for k in range(len(array.shape))]
    corners = product(*((0, n - 1) for n in array.shape))
    return {
        "least": min(known),
        "mean": sum(known) / len(known),
        "largest": max(known),
        "norm": sqrt(sum(x * x for x in known)),
        "nan": sum(x != x for x in array.data),
        "inf": sum(abs(x) == float("inf") for x in array.data),
        "corners": [
            _number(array.data[sum(i * s for i, s in zip(at, strides, strict=True))])
            for at in corners
        ],
    }
