"""The table beside PyTorch: results and gradients of every operation that PyTorch has, recorded."""

from __future__ import annotations

from typing import Any

import pytest

from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS
from tests.engine.array_ops.samples import cases
from tests.oracles.records import Oracle

NOT_ASKED = {
    # of no peer, or asked under the name that the table has for PyTorch's own
    "asin", "acos", "atan", "asinh", "acosh", "atanh", "cbrt", "degrees", "radians", "mod", "neg",
    "heaviside", "threshold", "clip", "floor", "ceil", "trunc", "round", "sign", "floor_divide",
    "transpose", "moveaxis", "unsqueeze", "slice", "take", "masked_select", "copy",
    "diagonal_matrix", "scatter_add", "hinge_loss", "dropout", "one_hot", "argmax", "argmin",
    "all", "any", "exp2", "expm1", "log2", "log10", "log1p", "fmod", "copysign", "erf", "erfc",
    "sinh", "cosh", "abs", "sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "sigmoid", "relu",
    "atan2",
}  # fmt: skip
"""Elementwise functions are asked one by one of `tests.oracles.torch_operations`, steps have no
gradient, and the moves left are told by those that are asked."""
_COMPARED = {"greater", "less", "greater_equal", "less_equal", "equal", "not_equal"}


def test_results_and_gradients_are_those_of_pytorch(oracle: Oracle) -> None:
    asked = 0
    for op, args, params in cases(set(ARRAY_OPS) - NOT_ASKED - _COMPARED):
        if op.name == "prod" and len(params.get("axes", ())) > 1:
            continue  # PyTorch takes one axis
        if params.get("ties"):
            continue
        y = op.forward(args, params)
        weights = [0.5 + 0.25 * i for i in range(len(y.data))]
        plain = {k: v for k, v in params.items() if k not in ("first", "second")}
        question: tuple[Any, ...] = (
            op.name, [list(x.shape) for x in args], [x.data for x in args], plain, weights,
        )  # fmt: skip
        shape, data, gradients = oracle("array_operations.gradients", *_listed(question))
        assert list(y.shape) == shape, op.name
        assert y.data == pytest.approx(data, rel=1e-9, abs=1e-12), (op.name, params)
        sent = op.vjp(Flat(y.shape, weights), args, y, params)
        for slot, (found, due) in enumerate(zip(sent, gradients, strict=True)):
            if found is not None and due is not None:
                assert found.data == pytest.approx(due, rel=1e-7, abs=1e-12), (op.name, slot)
        asked += 1
    assert asked > 100


def _listed(x: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(x, dict):
        return {key: _listed(value) for key, value in x.items()}
    return [_listed(y) for y in x] if isinstance(x, (list, tuple)) else x
