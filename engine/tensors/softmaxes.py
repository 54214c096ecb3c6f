"""Softmax, its logarithm, and the logarithm of a sum of exponentials."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import from_items
from engine.ops import OPS

from .arrangement import axis_of
from .dtypes import FLOAT32, DType
from .elementwise import cast
from .reductions import folded, total
from .tensor_array import TensorArray
from .whole import record

Row = list[Any]


def _shifted(row: Row, dtype: DType) -> tuple[Row, Row, Any]:
    """x − max x, e^(x − max x), and the sum of these, of one row."""
    largest = max(row)
    differences = dtype.convert([x - largest for x in dtype.convert(row)])
    exponentials = dtype.convert(map(OPS["exp"].compute, differences))
    return differences, exponentials, total(exponentials, dtype)


def _softmax(row: Row, dtype: DType) -> Row:
    """e^x / Σ e^x"""
    _, powers, norm = _shifted(row, dtype)
    return dtype.convert([OPS["/"].compute(power, norm) for power in powers])


def _log_softmax(row: Row, dtype: DType) -> Row:
    """x − log Σ e^x"""
    shifted, _, norm = _shifted(row, dtype)
    (log,) = dtype.convert([OPS["log"].compute(norm)])
    return dtype.convert([x - log for x in shifted])


def _along(op: str, f: Callable[[Row, DType], Row]) -> Callable[..., Any]:
    name = f"{op.title().replace('_', '')}Backward0"

    def function(x: Any, dim: int | None = None, dtype: DType | None = None) -> Any:
        x = x if dtype is None else cast(x, dtype)
        if x.dtype.category < 2:
            raise NotImplementedError(
                f"\"softmax_lastdim_kernel_impl\" not implemented for '{x.dtype.title}'"
            )
        axis, items = axis_of(-1 if dim is None else dim, x.ndim), []
        if x.size:
            grid = from_items(x.numbers(), x.shape or (1,))
            items = folding.along(grid, axis, lambda row: f(row, x.dtype)).items()
        return record(op, x.new(items), [x], {"axis": axis}, name)

    return function


softmax, log_softmax = _along("softmax", _softmax), _along("log_softmax", _log_softmax)


def logsumexp(x: TensorArray, dim: Any, keepdim: bool = False) -> Any:
    """log Σ e^x along an axis."""
    dtype = x.dtype if x.dtype.category == 2 else FLOAT32

    def value_of(row: Row) -> Any:
        if not row:
            return -math.inf
        _, _, norm = _shifted(row, dtype)
        (log,) = dtype.convert([OPS["log"].compute(norm)])
        return log + max(row)

    return folded(x, dim, keepdim, value_of, dtype, "logsumexp", "LogsumexpBackward0")
