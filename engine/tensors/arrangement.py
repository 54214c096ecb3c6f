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
from .tensor_array import Size, TensorArray, tensors
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


def at_axis(x: TensorArray, dim: Any, index: Any) -> tuple[Any, ...]:
    """The key of what stands at `index` along an axis; a tensor without axes is all of it."""
    axis = axis_of(dim, x.ndim)
    return (slice(None),) * axis + (index,) if x.shape else ()


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


def reshape(x: TensorArray, *args: Any) -> Any:
    wanted = sizes(args)
    shape = grid.completed(wanted, x.size)
    if shape is None:
        raise RuntimeError(f"shape '{list(wanted)}' is invalid for input of size {x.size}")
    x.session.room(shape)
    name = "ViewBackward0" if x.grid.is_contiguous else "UnsafeViewBackward0"
    found = grid.reshape(x.grid, shape)
    if found.flat is not x.grid.flat:
        return picked(x, range(x.size), shape, name)
    return x.view(found, name)


def view(x: TensorArray, *args: Any) -> Any:
    """As `reshape`, only without a copy. Raises RuntimeError where one would be needed."""
    shape = grid.completed(sizes(args), x.size)
    if shape is not None and grid.reshape(x.grid, shape).flat is not x.grid.flat:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return reshape(x, *args)


def flatten(x: TensorArray, start_dim: int = 0, end_dim: int = -1) -> Any:
    first, last = axis_of(start_dim, x.ndim), axis_of(end_dim, x.ndim)
    if x.shape and first == last:
        return x
    shape = x.shape or (1,)
    middle = Size(shape[first : last + 1]).numel()
    return reshape(x, (*shape[:first], middle, *shape[last + 1 :]))


def transpose(x: TensorArray, dim0: int, dim1: int, name: str = "Transpose") -> Any:
    order = list(range(x.ndim))
    a, b = axis_of(dim0, x.ndim), axis_of(dim1, x.ndim)
    if order:
        order[a], order[b] = order[b], order[a]
    return x.view(grid.transpose(x.grid, order), f"{name}Backward0")


def t(x: TensorArray) -> Any:
    if x.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return x.view(grid.transpose(x.grid), "TBackward0")


def reversed_axes(x: TensorArray) -> Any:
    """x.T"""
    return x.view(grid.transpose(x.grid), "PermuteBackward0")


def permute(x: TensorArray, *dims: Any) -> Any:
    order = [axis_of(dim, x.ndim) for dim in sizes(dims)]
    if sorted(order) != list(range(x.ndim)):
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not "
            f"match the length of the desired ordering of dimensions i.e. "
            f"input.dim() = {x.ndim} is not equal to len(dims) = {len(order)}"
        )
    return x.view(grid.transpose(x.grid, order), "PermuteBackward0")


def movedim(x: TensorArray, source: int, destination: int) -> Any:
    """The axis `source` at another place."""
    order = list(range(x.ndim))
    if order:
        axis = order.pop(axis_of(source, x.ndim))
        order.insert(axis_of(destination, x.ndim), axis)
    return permute(x, order)


def unsqueeze(x: TensorArray, dim: int) -> Any:
    return x.view(grid.insert_axis(x.grid, axis_of(dim, x.ndim + 1)), "UnsqueezeBackward0")


def squeeze(x: TensorArray, dim: int | None = None) -> Any:
    axes = [k for k, n in enumerate(x.shape) if n == 1]
    if dim is not None:
        axes = [k for k in axes if k == axis_of(dim, x.ndim)]
    return x.view(grid.drop_axes(x.grid, axes), f"SqueezeBackward{int(dim is not None)}")


def expand(x: TensorArray, *args: Any) -> Any:
    wanted = sizes(args)
    lead = len(wanted) - x.ndim
    shape = tuple(x.shape[k - lead] if n == -1 and k >= lead else n for k, n in enumerate(wanted))
    return x.view(fitted(x, shape), "ExpandBackward0")


def fitted(x: TensorArray, shape: Shape) -> Grid:
    """The elements broadcast to `shape`. Raises RuntimeError as PyTorch does."""
    if grid.broadcast_shape(x.shape, shape) != shape:
        own = (1,) * (len(shape) - x.ndim) + x.shape
        k = next((k for k in reversed(range(len(shape))) if own[k] not in (1, shape[k])), 0)
        raise RuntimeError(
            f"The expanded size of the tensor ({shape[k]}) must match the existing size ({own[k]})"
            f" at non-singleton dimension {k}.  Target sizes: {list(shape)}.  "
            f"Tensor sizes: {list(x.shape)}"
        )
    x.session.room(shape)
    return grid.expand(x.grid, shape)


# Indexing


def get_item(x: TensorArray, key: Any) -> Any:
    found = places(x, key)
    if isinstance(found, ElementIndices):
        return picked(x, x.places_in(found), found.shape, "IndexBackward0")
    return x.view(found, f"{_view_name(key)}Backward0")


def _view_name(key: Any) -> str:
    """What PyTorch calls the last of the views that an index stands for."""
    parts = [x for x in (key if isinstance(key, tuple) else (key,)) if x is not Ellipsis]
    named = [x for x in parts if not (isinstance(x, slice) and x == slice(None))]
    if not named:
        return "Slice" if parts and not isinstance(key, tuple) else "Alias"
    if named[-1] is None:
        return "Unsqueeze"
    return "Select" if isinstance(named[-1], int | TensorArray) else "Slice"


def places(x: TensorArray, key: Any) -> Grid | ElementIndices:
    """The elements under a key. Raises IndexError in PyTorch's words."""
    given = key if isinstance(key, tuple) else (key,)
    if not x.shape and given:
        truths = [part for part in given if part is not None and part is not Ellipsis]
        if not all(map(_is_truth, truths)):
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        if isinstance(given[-1], TensorArray | bool):
            at = [x.grid.offset] * all(map(bool, truths))
            return ElementIndices(x.grid.flat, (len(at),), at)
    parts = tuple(map(_part, given))
    named = [part for part in parts if part is not None and part is not Ellipsis]
    if sum(part.ndim if _is_mask(part) else 1 for part in named) > x.ndim:
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}")
    try:
        return indexing.find(x.grid, parts, x.session.room)
    except IndexError as error:
        raise IndexError(str(error).replace("for axis", "for dimension")) from None


def _is_truth(part: Any) -> bool:
    """Whether an index is one truth value."""
    return isinstance(part, bool) or (
        isinstance(part, TensorArray) and part.dtype is BOOL and not part.shape
    )


def _is_mask(part: Any) -> bool:
    return isinstance(part, Grid) and bool(part.flat) and type(part.flat[0]) is bool


def _part(part: Any) -> Any:
    if isinstance(part, list | range):
        from_list = grid.from_nested(list(part), lambda p: p if isinstance(p, list) else None, 2)
        return from_list.map(_index)
    if isinstance(part, TensorArray):
        if part.dtype.category == 2:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return part.grid if part.shape or part.dtype is BOOL else part.numbers()[0]
    if isinstance(part, slice) and part.step is not None and part.step <= 0:
        raise ValueError("step must be greater than zero")
    return part if part is None or part is Ellipsis or isinstance(part, slice) else _index(part)


def _index(part: Any) -> Any:
    if isinstance(part, TensorArray) and not part.shape and part.dtype.category < 2:
        return part.numbers()[0]
    if isinstance(part, int):
        return part if isinstance(part, bool) else int(part)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
        f"indices (got {type(part).__name__})"
    )


# Joins


def cat(given: Sequence[Any], dim: int = 0) -> Any:
    if not given:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    arrays = tensors(*given)
    if any(not x.shape for x in arrays):
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    arrays = [x for x in arrays if x.shape != (0,)] or arrays[:1]
    return _joined("concatenate", arrays, axis_of(dim, arrays[0].ndim), "CatBackward0")


def stack(given: Sequence[Any], dim: int = 0) -> Any:
    if not given:
        raise RuntimeError("stack expects a non-empty TensorList")
    arrays = tensors(*given)
    return _joined("stack", arrays, axis_of(dim, arrays[0].ndim + 1), "StackBackward0")


def _joined(op: str, arrays: Sequence[TensorArray], axis: int, name: str) -> Any:
    dtype, params, room = result_type(arrays), {"axis": axis}, arrays[0].session.room
    room((sum(x.size for x in arrays),))
    given = [Flat(x.shape, dtype.convert(x.numbers())) for x in arrays]
    try:
        found = ARRAY_OPS[op].forward(given, params)
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    room(found.shape)
    out = arrays[0].new(found.data, found.shape, dtype)
    return record(op, out, arrays, params, name, saves=False)


def vstack(given: Sequence[Any]) -> Any:
    return cat([unsqueeze(x, 0) if x.ndim < 2 else x for x in given], 0)


def hstack(given: Sequence[Any]) -> Any:
    return cat(given, 0 if given[0].ndim < 2 else 1)


def unbind(x: TensorArray, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis."""
    if not x.shape:
        raise TypeError("iteration over a 0-d tensor")
    keys = [at_axis(x, dim, i) for i in range(x.shape[axis_of(dim, x.ndim)])]
    parts: list[Any] = [indexing.find(x.grid, key, x.session.room) for key in keys]
    return tuple(x.view(part, "UnbindBackward0") for part in parts)
