"""Attention, written with other operations: softmax(q kᵀ / √d) v."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from .composites import Composite, Step
from .flat import Flat
from .table import ArrayOp, Params, Shapes, define, names, rules

_LOWEST = -1e30
"""What stands in place of −∞ in the scores of masked pairs: their weights are 0 all the same."""


def _constants(shapes: Shapes, params: Params) -> Sequence[Flat]:
    q, k = shapes[:2]
    scale = params.get("scale") or 1.0 / sqrt(q[-1])
    found = [Flat((), [scale])]
    n, m = q[-2], k[-2]
    if params.get("causal"):
        data = [0.0 if j <= i else _LOWEST for i in range(n) for j in range(m)]
        found.append(Flat((n, m), data))
    elif params.get("mask") is not None:
        found.append(Flat(tuple(params["mask_shape"]), list(params["mask"])))
    return found


def _plan(shapes: Shapes, params: Params) -> Sequence[Step]:
    """Numbered: q 0, k 1, v 2, scale 3, a mask 4, then the steps."""
    rank = len(shapes[1])
    masked = bool(params.get("causal")) or params.get("mask") is not None
    at = 5 if masked else 4
    steps = [
        Step("transpose", (1,), {"a": rank - 2, "b": rank - 1}),
        Step("@", (0, at), {}),
        Step("*", (at + 1, 3), {}),
    ]
    scores = at + 2
    if masked:
        steps.append(Step("+", (scores, 4), {}))
        scores += 1
    return [*steps, Step("softmax", (scores,), {"axis": -1}), Step("@", (scores + 1, 2), {})]


_it = Composite(("q", "k", "v"), _plan, _constants)
_SAMPLES: tuple[Any, ...] = (
    (((2, 3), (4, 3), (4, 2)), {}),
    (((1, 3, 2), (1, 3, 2), (1, 3, 2)), {"causal": True}),
    (((2, 2), (2, 2), (2, 2)), {"mask": (0.0, -1.0, 0.5, 0.0), "mask_shape": (2, 2), "scale": 0.7}),
)
define(
    ArrayOp(
        "attention", ("q", "k", "v"), _it.forward, _it.backward, _it.shape, _it.reads, _it.scalar,
        "each query's mean of the values, weighted by how well their keys fit it",
        rules("dS @ k / sqrt(d)", "T(dS) @ q / sqrt(d)", "T(softmax(q @ T(k) / sqrt(d))) @ g"), (),
        names("scaled_dot_product_attention"), "ScaledDotProductAttentionBackward0",
        samples=_SAMPLES,
    )
)  # fmt: skip
