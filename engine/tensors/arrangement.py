"""The same elements in another arrangement: views, indexing, joins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.array_ops import grid
from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.grid import ElementIndices, Grid, Shape
from engine.array_ops.ops import ARRAY_OPS
from engine.arrays import indexing

from .dtypes import BOOL
from .session import Session
from .tensor_array import Size, TensorArray
from .whole import picked, record, result_type


def axis_of(dim: Any, rank: int) -> int:
    """A non-negative axis. Raises IndexError as PyTorch does."""
    rank = max(rank, 1)
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise TypeError(f"argument 'dim' must be int, not {type(dim).__name__}")
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], "
            f"but got {dim})"
        )
    return dim % rank


def sizes(args: Sequence[Any]) -> Shape:
    """The shape that is given as several lengths or as one sequence of lengths."""
    if len(args) == 1 and isinstance(args[0], tuple | list):
        args = args[0]
    lengths = []
    for n in args:
        if isinstance(n, TensorArray) and not n.shape:
            n = n.numbers()[0]
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"argument 'size' must be tuple of ints, not {type(n).__name__}")
        lengths.append(int(n))
    return tuple(lengths)


def reshape(session: Session, x: Any, *args: Any) -> Any:
    array, wanted = session.array(x), sizes(args)
    shape = grid.completed(wanted, array.size)
    if shape is None:
        raise RuntimeError(f"shape '{list(wanted)}' is invalid for input of size {array.size}")
    session.room(shape)
    name = "ViewBackward0" if array.grid.is_contiguous else "UnsafeViewBackward0"
    found = grid.reshape(array.grid, shape)
    if found.flat is not array.grid.flat:
        return picked(session, array, range(array.size), shape, name)
    return session.view(array, found, name)


def view(session: Session, x: Any, *args: Any) -> Any:
    """As `reshape`, only without a copy. Raises RuntimeError where one would be needed."""
    array = session.array(x)
    shape = grid.completed(sizes(args), array.size)
    if shape is not None and grid.reshape(array.grid, shape).flat is not array.grid.flat:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return reshape(session, x, *args)


def flatten(session: Session, x: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    array = session.array(x)
    first, last = axis_of(start_dim, array.ndim), axis_of(end_dim, array.ndim)
    if array.shape and first == last:
        return x
    shape = array.shape or (1,)
    middle = Size(shape[first : last + 1]).numel()
    return reshape(session, x, (*shape[:first], middle, *shape[last + 1 :]))


def transpose(session: Session, x: Any, dim0: int, dim1: int, name: str = "Transpose") -> Any:
    array = session.array(x)
    if not array.shape:
        return session.view(array, array.grid, f"{name}Backward0")
    order = list(range(array.ndim))
    a, b = axis_of(dim0, array.ndim), axis_of(dim1, array.ndim)
    order[a], order[b] = order[b], order[a]
    return session.view(array, grid.transpose(array.grid, order), f"{name}Backward0")


def t(session: Session, x: Any) -> Any:
    array = session.array(x)
    if array.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {array.ndim}D")
    if array.ndim < 2:
        return session.view(array, array.grid, "TBackward0")
    return transpose(session, x, 0, 1, "T")


def reversed_axes(session: Session, x: Any) -> Any:
    """x.T"""
    array = session.array(x)
    return session.view(array, grid.transpose(array.grid), "PermuteBackward0")


def permute(session: Session, x: Any, *dims: Any) -> Any:
    array = session.array(x)
    order = [axis_of(dim, array.ndim) for dim in sizes(dims)]
    if sorted(order) != list(range(array.ndim)):
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not "
            f"match the length of the desired ordering of dimensions i.e. "
            f"input.dim() = {array.ndim} is not equal to len(dims) = {len(order)}"
        )
    return session.view(array, grid.transpose(array.grid, order), "PermuteBackward0")


def unsqueeze(session: Session, x: Any, dim: int) -> Any:
    array = session.array(x)
    axis = axis_of(dim, array.ndim + 1)
    session.room((*array.shape, 1))
    return session.view(array, grid.insert_axis(array.grid, axis), "UnsqueezeBackward0")


def squeeze(session: Session, x: Any, dim: int | None = None) -> Any:
    array = session.array(x)
    axes = [k for k, n in enumerate(array.shape) if n == 1]
    if dim is not None:
        axes = [k for k in axes if k == axis_of(dim, array.ndim)]
    name = f"SqueezeBackward{int(dim is not None)}"
    return session.view(array, grid.drop_axes(array.grid, axes), name)


def expand(session: Session, x: Any, *args: Any) -> Any:
    array, wanted = session.array(x), sizes(args)
    lead = len(wanted) - array.ndim
    shape = tuple(
        array.shape[k - lead] if n == -1 and k >= lead else n for k, n in enumerate(wanted)
    )
    return session.view(array, fitted(session, array, shape), "ExpandBackward0")


def fitted(session: Session, array: TensorArray, shape: Shape) -> Grid:
    """The elements broadcast to `shape`. Raises RuntimeError as PyTorch does."""
    if grid.broadcast_shape(array.shape, shape) != shape:
        lead = len(shape) - array.ndim
        own = (1,) * lead + array.shape
        k = next((k for k in reversed(range(len(shape))) if own[k] not in (1, shape[k])), 0)
        raise RuntimeError(
            f"The expanded size of the tensor ({shape[k]}) must match the existing size ({own[k]})"
            f" at non-singleton dimension {k}.  Target sizes: {list(shape)}.  "
            f"Tensor sizes: {list(array.shape)}"
        )
    session.room(shape)
    return grid.expand(array.grid, shape)


# Indexing


def get_item(session: Session, x: Any, key: Any) -> Any:
    array = session.array(x)
    found = _found(session, array, key)
    if isinstance(found, ElementIndices):
        return picked(session, array, array.places_in(found), found.shape, "IndexBackward0")
    return session.view(array, found, f"{_view_name(key)}Backward0")


def _view_name(key: Any) -> str:
    """What PyTorch calls the last of the views that an index stands for."""
    parts = [x for x in (key if isinstance(key, tuple) else (key,)) if x is not Ellipsis]
    named = [x for x in parts if not (isinstance(x, slice) and x == slice(None))]
    if not named:
        return "Slice" if parts and not isinstance(key, tuple) else "Alias"
    if named[-1] is None:
        return "Unsqueeze"
    return "Select" if isinstance(named[-1], int | TensorArray) else "Slice"


def _found(session: Session, array: TensorArray, key: Any) -> Grid | ElementIndices:
    """The elements under a key. Raises IndexError in PyTorch's words."""
    masks = key if isinstance(key, tuple) else (key,)
    if not array.shape and any(
        x is not None and x is not Ellipsis and not isinstance(x, bool)
        and not (isinstance(x, TensorArray) and x.dtype is BOOL and not x.shape) for x in masks
    ):  # fmt: skip
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number"
        )
    if not array.shape and masks and isinstance(masks[-1], TensorArray | bool):
        chosen = [bool(x.numbers()[0]) if isinstance(x, TensorArray) else x for x in masks
                  if x is not None and x is not Ellipsis]  # fmt: skip
        at = [array.grid.offset] * all(chosen)
        return ElementIndices(array.grid.flat, (len(at),), at)
    parts = tuple(_part(session, part) for part in (key if isinstance(key, tuple) else (key,)))
    named = [part for part in parts if part is not None and part is not Ellipsis]
    used = sum(part.ndim if _is_mask(part) else 1 for part in named)
    if used > array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {array.ndim}")
    try:
        return indexing.find(array.grid, parts, session.room)
    except IndexError as error:
        words = str(error).replace("for axis", "for dimension")
        raise IndexError(words) from None


def _is_mask(part: Any) -> bool:
    return isinstance(part, Grid) and bool(part.flat) and type(part.flat[0]) is bool


def _part(session: Session, part: Any) -> Any:
    if isinstance(part, range):
        part = list(part)
    if isinstance(part, list):
        from_list = grid.from_nested(part, lambda p: p if isinstance(p, list) else None, 2)
        return from_list.map(_index)
    if isinstance(part, TensorArray):
        if part.dtype.category == 2:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return part.grid if part.shape or part.dtype is BOOL else part.numbers()[0]
    if isinstance(part, slice):
        if part.step is not None and part.step <= 0:
            raise ValueError("step must be greater than zero")
        return part
    if part is None or part is Ellipsis:
        return part
    return _index(part)


def _index(part: Any) -> Any:
    if isinstance(part, TensorArray) and not part.shape and part.dtype.category < 2:
        return part.numbers()[0]
    if isinstance(part, bool):
        return part
    if isinstance(part, int):
        return int(part)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
        f"indices (got {type(part).__name__})"
    )


def places(session: Session, array: TensorArray, key: Any) -> Grid | ElementIndices:
    """The elements that an assignment to `array[key]` replaces."""
    return _found(session, array, key)


# Joins


def cat(session: Session, tensors: Sequence[Any], dim: int = 0) -> Any:
    arrays = [session.array(x) for x in tensors]
    if not arrays:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    if any(not x.shape for x in arrays):
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    arrays = [x for x in arrays if x.shape != (0,)] or arrays[:1]
    return _joined(session, "concatenate", arrays, axis_of(dim, arrays[0].ndim), "CatBackward0")


def stack(session: Session, tensors: Sequence[Any], dim: int = 0) -> Any:
    arrays = [session.array(x) for x in tensors]
    if not arrays:
        raise RuntimeError("stack expects a non-empty TensorList")
    axis = axis_of(dim, arrays[0].ndim + 1)
    return _joined(session, "stack", arrays, axis, "StackBackward0")


def _joined(session: Session, op: str, arrays: Sequence[TensorArray], axis: int, name: str) -> Any:
    dtype, params = result_type(arrays), {"axis": axis}
    session.room((sum(x.size for x in arrays),))
    given = [Flat(x.shape, dtype.convert(x.numbers())) for x in arrays]
    try:
        found = ARRAY_OPS[op].forward(given, params)
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    session.room(found.shape)
    out = session.tensor(found.data, found.shape, dtype)
    return record(session, op, out, arrays, params, name, saves=False)


def unbind(session: Session, x: Any, dim: int = 0) -> list[Any]:
    """The slices along an axis."""
    array = session.array(x)
    if not array.shape:
        raise TypeError("iteration over a 0-d tensor")
    axis = axis_of(dim, array.ndim)
    before = (slice(None),) * axis
    parts: list[Any] = [
        indexing.find(array.grid, (*before, i), session.room) for i in range(array.shape[axis])
    ]
    return [session.view(array, part, "UnbindBackward0") for part in parts]
