"""Softmax, its logarithm, and the logarithm of a sum of exponentials."""

from __future__ import annotations

from typing import Any

from engine.array_ops.grid import from_items
from engine.ops import OPS

from . import blocks
from .arrangement import axis_of
from .dtypes import BOOL, FLOAT32, DType
from .reductions import along, folded, numbers_of, total
from .scalar import Tensor
from .session import Session
from .tensor_array import TensorArray


def _shifted(session: Session, row: list[Any], dtype: DType) -> tuple[list[Any], list[Any], Any]:
    """x − max x, e^(x − max x), and the sum of these, of one row.

    The maximum is a constant: the result does not depend on it.
    """
    largest = max(numbers_of(row))
    if not any(isinstance(x, Tensor) for x in row):
        differences = dtype.convert([x - largest for x in dtype.convert(row)])
        exponentials = dtype.convert(map(OPS["exp"].compute, differences))
        return differences, exponentials, total(session, exponentials, dtype)
    minus, exp = OPS["-"], OPS["exp"]
    shifted = [session.apply(minus, dtype, x, largest) for x in row]
    powers = [session.apply(exp, dtype, x) for x in shifted]
    return shifted, powers, total(session, powers, dtype)


def softmax(session: Session, x: Any, dim: int) -> Any:
    """e^x / Σ e^x along an axis."""
    array, dtype = _floats(session, x)
    if array.shape and session.is_live(array) and session.is_whole([array], 4 * array.size):
        plain = softmax(session, array.detached(), dim)
        params = {"axis": axis_of(dim, array.ndim)}
        return blocks.of_op("softmax", plain, [array], [True], params, "SoftmaxBackward0")

    def row_of(row: list[Any]) -> list[Any]:
        _, powers, norm = _shifted(session, row, dtype)
        if not isinstance(norm, Tensor):
            return dtype.convert([OPS["/"].compute(power, norm) for power in powers])
        return [session.apply(OPS["/"], dtype, power, norm) for power in powers]

    return along(session, array, dim, row_of, dtype, "SoftmaxBackward0")


def log_softmax(session: Session, x: Any, dim: int) -> Any:
    """x − log Σ e^x along an axis."""
    array, dtype = _floats(session, x)
    if array.shape and session.is_live(array) and session.is_whole([array], 4 * array.size):
        plain = log_softmax(session, array.detached(), dim)
        params = {"axis": axis_of(dim, array.ndim)}
        return blocks.of_op("log_softmax", plain, [array], [True], params, "LogSoftmaxBackward0")

    def row_of(row: list[Any]) -> list[Any]:
        shifted, _, norm = _shifted(session, row, dtype)
        log = session.apply(OPS["log"], dtype, norm)
        if not isinstance(log, Tensor):
            return dtype.convert([x - log for x in shifted])
        return [session.apply(OPS["-"], dtype, cell, log) for cell in shifted]

    return along(session, array, dim, row_of, dtype, "LogSoftmaxBackward0")


def logsumexp(session: Session, x: Any, dim: Any, keepdim: bool = False) -> Any:
    """log Σ e^x along an axis."""
    array, dtype = session.array(x), FLOAT32
    if array.dtype.category == 2:
        dtype = array.dtype
    else:
        array = TensorArray(session, from_items(dtype.convert(array.numbers()), array.shape), dtype)

    def value_of(row: list[Any]) -> Any:
        _, _, norm = _shifted(session, row, dtype)
        log = session.apply(OPS["log"], dtype, norm)
        return session.apply(OPS["+"], dtype, log, max(numbers_of(row)))

    return folded(session, array, dim, keepdim, value_of, dtype, "LogsumexpBackward0")


def _floats(session: Session, x: Any) -> tuple[TensorArray, DType]:
    array = session.array(x)
    if array.dtype.category < 2:
        name = "Bool" if array.dtype is BOOL else "Long"
        raise NotImplementedError(f"\"softmax_lastdim_kernel_impl\" not implemented for '{name}'")
    return array, array.dtype if array.dtype is not BOOL else FLOAT32
