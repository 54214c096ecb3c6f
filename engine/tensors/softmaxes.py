"""Softmax, its logarithm, and the logarithm of a sum of exponentials."""

from __future__ import annotations

from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import from_items
from engine.ops import OPS

from .arrangement import axis_of
from .dtypes import BOOL, FLOAT32, DType
from .reductions import folded, total
from .session import Session
from .tensor_array import TensorArray
from .whole import record


def _shifted(session: Session, row: list[Any], dtype: DType) -> tuple[list[Any], list[Any], Any]:
    """x − max x, e^(x − max x), and the sum of these, of one row."""
    largest = max(row)
    differences = dtype.convert([x - largest for x in dtype.convert(row)])
    exponentials = dtype.convert(map(OPS["exp"].compute, differences))
    return differences, exponentials, total(session, exponentials, dtype)


def softmax(session: Session, x: Any, dim: int) -> Any:
    """e^x / Σ e^x along an axis."""
    array, dtype = _floats(session, x)

    def row_of(row: list[Any]) -> list[Any]:
        _, powers, norm = _shifted(session, row, dtype)
        return dtype.convert([OPS["/"].compute(power, norm) for power in powers])

    return _along(session, array, dim, row_of, dtype, "softmax", "SoftmaxBackward0")


def log_softmax(session: Session, x: Any, dim: int) -> Any:
    """x − log Σ e^x along an axis."""
    array, dtype = _floats(session, x)

    def row_of(row: list[Any]) -> list[Any]:
        shifted, _, norm = _shifted(session, row, dtype)
        (log,) = dtype.convert([OPS["log"].compute(norm)])
        return dtype.convert([x - log for x in shifted])

    return _along(session, array, dim, row_of, dtype, "log_softmax", "LogSoftmaxBackward0")


def _along(
    session: Session, array: TensorArray, dim: Any, f: Any, dtype: DType, op: str, name: str
) -> Any:
    axis, shape = axis_of(dim, array.ndim), array.shape
    items = (
        folding.along(from_items(array.numbers(), shape or (1,)), axis, f).items()
        if array.size
        else []
    )
    out = session.tensor(items, shape, dtype)
    return record(session, op, out, [array], {"axis": axis}, name)


def logsumexp(session: Session, x: Any, dim: Any, keepdim: bool = False) -> Any:
    """log Σ e^x along an axis."""
    array = session.array(x)
    dtype = array.dtype if array.dtype.category == 2 else FLOAT32

    def value_of(row: list[Any]) -> Any:
        _, _, norm = _shifted(session, row, dtype)
        (log,) = dtype.convert([OPS["log"].compute(norm)])
        return log + max(row)

    return folded(session, array, dim, keepdim, value_of, dtype, "logsumexp", "LogsumexpBackward0")


def _floats(session: Session, x: Any) -> tuple[TensorArray, DType]:
    array = session.array(x)
    if array.dtype.category < 2:
        name = "Bool" if array.dtype is BOOL else "Long"
        raise NotImplementedError(f"\"softmax_lastdim_kernel_impl\" not implemented for '{name}'")
    return array, array.dtype if array.dtype is not BOOL else FLOAT32
