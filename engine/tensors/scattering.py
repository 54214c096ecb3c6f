"""Elements at places along an axis that an index names: read, replaced, added to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.array_ops import grid
from engine.array_ops.grid import indices

from .arrangement import axis_of
from .dtypes import INT64
from .session import Session
from .tensor_array import TensorArray, called
from .whole import picked, record


def gather(session: Session, x: Any, dim: int, index: Any) -> Any:
    """The elements whose place along `dim` is written in `index`."""
    array, wanted = session.array(x), session.array(index)
    at = _places(session, array, dim, wanted, "gather")
    return picked(session, array, at, wanted.shape, "GatherBackward0")


def _places(
    session: Session, array: TensorArray, dim: int, index: TensorArray, name: str
) -> list[int]:
    """The places in row-major order that an index names."""
    array_shape = array.shape or (1,)
    if index.dtype is not INT64:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if index.ndim != array.ndim:
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            + ("input tensor" if name == "gather" else "self tensor")
        )
    axis = axis_of(dim, array.ndim)
    if any(
        m > n for k, (m, n) in enumerate(zip(index.shape, array.shape, strict=True)) if k != axis
    ):
        raise RuntimeError(
            f"Size does not match at dimension {axis} expected index {list(index.shape)} to be no "
            f"larger than self {list(array.shape)} apart from dimension {axis}"
        )
    strides, found = grid.row_major(array_shape), []
    for at, number in zip(indices(index.shape or (1,)), index.numbers(), strict=True):
        if not 0 <= number < array_shape[axis]:
            raise RuntimeError(
                f"index {number} is out of bounds for dimension {axis} with size "
                f"{array_shape[axis]}"
            )
        steps = zip((*at[:axis], number, *at[axis + 1 :]), strides, strict=True)
        found.append(sum(i * stride for i, stride in steps))
    return found


def scatter(session: Session, x: Any, dim: int, index: Any, src: Any = None, **options: Any) -> Any:
    """The tensor with other elements at the places along `dim` that `index` names."""
    if "reduce" in options:
        session.machine.refuse("scatter puts elements in place here.", "Write x.scatter_add_(…).")
    return _scattered(session, x, dim, index, options.get("value", src), "scatter")


def scatter_add(session: Session, x: Any, dim: int, index: Any, src: Any) -> Any:
    """The tensor with elements added at the places along `dim` that `index` names."""
    return _scattered(session, x, dim, index, src, "scatter_add")


def _scattered(session: Session, x: Any, dim: int, index: Any, src: Any, name: str) -> Any:
    array, wanted, value = session.array(x), session.array(index), session.array(src)
    places = _places(session, array, dim, wanted, "scatter")
    if value.shape and value.shape != wanted.shape:
        message = f"{name} takes a number or as many numbers as indices here."
        session.machine.refuse(message, "Take the part of the numbers that has an index.")
    new = array.dtype.convert(value.numbers() * (1 if value.shape else wanted.size))
    items, plus = array.numbers(), session.adder(array.dtype)
    adds = name == "scatter_add"
    for place, number in zip(places, new, strict=True):
        items[place] = plus(items[place], number) if adds else number
    out = session.tensor(items, array.shape, array.dtype)
    made_by = "ScatterAddBackward0" if adds else f"ScatterBackward{int(value.is_number)}"
    params = {"places": places, "shape": wanted.shape}
    return record(session, "scatter_add" if adds else "write", out, [array, value], params, made_by,
                  saves=False)  # fmt: skip


def _along_rows(session: Session, x: Any, dim: int, index: Any) -> Any:
    """The slices along `dim` that an index names, as an index of every element of theirs."""
    array, wanted = session.array(x), session.array(index)
    axis, numbers = axis_of(dim, array.ndim), wanted.numbers()
    shape = list(array.shape)
    shape[axis : axis + 1] = [len(numbers)] if array.shape else []
    flat = [numbers[at[axis] if at else 0] for at in indices(tuple(shape))]
    return session.tensor(flat, tuple(shape), INT64)


def index_fill(session: Session, x: Any, dim: int, index: Any, value: Any) -> Any:
    places = _along_rows(session, x, dim, index)
    return called(_scattered(session, x, dim, places, value, "scatter"), "IndexFillBackward0")


def index_add(
    session: Session, x: Any, dim: int, index: Any, source: Any, *, alpha: float = 1
) -> Any:
    if alpha != 1:
        session.machine.refuse("index_add has no alpha here.", "Multiply the source by it.")
    places = _along_rows(session, x, dim, index)
    return called(_scattered(session, x, dim, places, source, "scatter_add"), "IndexAddBackward0")


SCATTERING: dict[str, Callable[..., Any]] = {
    "gather": gather, "scatter": scatter, "scatter_add": scatter_add, "index_fill": index_fill,
    "index_add": index_add,
}  # fmt: skip
"""Names of torch that are methods of tensors too."""
