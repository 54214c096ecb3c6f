"""Elements chosen by rank, by index, by triangle or by part of a tensor, and put into another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from engine.array_ops import folding, grid
from engine.array_ops.flat import Misfit, kept_axes
from engine.array_ops.grid import from_items, indices
from engine.array_ops.places import diagonal_matrix, gathered, repeated, triangle

from .arrangement import at_axis, axis_of, get_item, reshape, sizes
from .dtypes import INT64
from .reductions import at_places, mean, moved, ordering, returned, sum_of
from .saved import save_named
from .tensor_array import TensorArray, called
from .whole import picked, record


def topk(
    x: TensorArray, k: int, dim: int = -1, largest: bool = True, sorted: bool = True  # noqa: A002
) -> Any:  # fmt: skip
    """The k largest or smallest elements along an axis, in order, and where they were."""
    axis = axis_of(dim, x.ndim)
    if not x.dtype.category:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not 0 <= k <= (x.shape[axis] if x.shape else 1):
        raise RuntimeError("selected index k out of range")
    values, places = ordering(x, dim, largest)
    key = at_axis(x, dim, slice(None, k))
    return returned("topk", at_places(values, key, "TopkBackward0"), get_item(places, key))


def median(x: TensorArray, dim: Any = None, keepdim: bool = False) -> Any:
    """The element in the middle, of two the smaller; along an axis also where it was."""
    if dim is None:
        numbers = x.numbers()
        odd = [i for i, number in enumerate(numbers) if number != number]
        middle = sorted(numbers)[(len(numbers) - 1) // 2] if not odd else None
        ties = odd or [i for i, number in enumerate(numbers) if number == middle]
        if x.dtype.category < 2:
            return x.new([middle], ())
        found = called(mean(picked(x, ties, (len(ties),), "MeanBackward0")), "MedianBackward0")
        if found.made_by:
            save_named("", found, [x])
        return found
    values, places = ordering(x, dim)
    at = ((x.shape or (1,))[axis_of(dim, x.ndim)] - 1) // 2
    key = at_axis(x, dim, slice(at, at + 1) if keepdim else at)
    return returned("median", at_places(values, key, "MedianBackward1"), get_item(places, key))


def mode(x: TensorArray, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent number along an axis, of several the least, and its last place."""
    numbers, axis, x_shape = x.numbers(), axis_of(dim, x.ndim), x.shape or (1,)

    def chosen(at: list[int]) -> list[int]:
        counts = Counter(numbers[k] for k in at)
        best = min(counts, key=lambda number: (-counts[number], number))
        return [max(k for k in at if numbers[k] == best)]

    places = folding.along(from_items(list(range(x.size)), x_shape), axis, chosen)
    shape = kept_axes(x.shape, [axis], keepdim)
    step = grid.row_major(x_shape)[axis]
    along = [place // step % x_shape[axis] for place in places.items()]
    values = picked(x, places.items(), shape, "ModeBackward0")
    return returned("mode", values, x.new(along, shape, INT64))


def index_select(x: TensorArray, dim: int, index: TensorArray) -> Any:
    return at_places(x, at_axis(x, dim, index), "IndexSelectBackward0")


def split(x: TensorArray, size: Any, dim: int = 0) -> tuple[Any, ...]:
    """Parts of one length, the last one shorter, or of the lengths in a list."""
    axis = axis_of(dim, x.ndim)
    n = x.shape[axis]
    if isinstance(size, (list, tuple)):
        lengths = list(size)
        if sum(lengths) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size "
                f"at dimension {axis}), but got split_sizes={lengths}"
            )
    elif size <= 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    else:
        lengths = [min(size, n - start) for start in range(0, n, size)]
    start, parts = 0, []
    for length in lengths:
        key = at_axis(x, dim, slice(start, start + length))
        parts.append(at_places(x, key, "SplitBackward0"))
        start += length
    return tuple(parts)


def chunk(x: TensorArray, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = x.shape[axis_of(dim, x.ndim)]
    return split(x, max(1, -(-n // chunks)) if n else [0] * chunks, dim)


# Rows in another order


def flip(x: TensorArray, *dims: Any, **options: Any) -> Any:
    for dim in sizes(dims or (options["dims"],)):
        x = moved(x, dim, lambda row: row[::-1], "FlipBackward0")
    return x


def roll(x: TensorArray, shifts: Any, dims: Any = None) -> Any:
    """Elements moved along axes, those beyond the end to the start."""

    def turned(by: int) -> Callable[[list[int]], list[int]]:
        return lambda row: row[-by % len(row) :] + row[: -by % len(row)] if row else row

    if dims is None:
        places = turned(sizes((shifts,))[0])(list(range(x.size)))
        return picked(x, places, x.shape, "RollBackward0")
    for by, dim in zip(sizes((shifts,)), sizes((dims,)), strict=True):
        x = moved(x, dim, turned(by), "RollBackward0")
    return x


# Matrices


def _triangle(name: str, keep: Callable[[int], bool]) -> Callable[..., Any]:
    plan = triangle(keep)

    def function(x: TensorArray, diagonal: int = 0) -> Any:
        if x.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        places = plan([x.shape], {"diagonal": diagonal})[1]
        return picked(x, places, x.shape, f"{name.capitalize()}Backward0")

    return function


def diagonal(x: TensorArray, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The elements whose places along two axes differ by `offset`, as the last axis of a view."""
    a, b = axis_of(dim1, x.ndim), axis_of(dim2, x.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return x.view(grid.diagonal(x.grid, offset, a, b), "DiagonalBackward0")


of_matrix = diagonal
"""The same, under a name that no argument of `diag` has."""


def diag(x: TensorArray, diagonal: int = 0) -> Any:
    """The matrix with a diagonal, or a copy of the diagonal of a matrix."""
    if x.ndim == 2:
        return of_matrix(x, diagonal)
    if x.ndim != 1:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {x.ndim}D")
    n = x.size + abs(diagonal)
    x.session.room((n, n))
    shape, places = diagonal_matrix([x.shape], {"offset": diagonal})
    return picked(x, places, shape, "DiagEmbedBackward0")


def trace(x: TensorArray) -> Any:
    if x.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return called(sum_of(diag(x)), "TraceBackward0")


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Any, ...]:
    """The coordinates of every pair of points of two vectors."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    shape = tuple(x.size for x in given)
    given[0].session.room(shape)
    order = [1, 0, *range(2, len(shape))] if indexing == "xy" and len(shape) > 1 else None
    found = []
    for k, x in enumerate(given):
        wide = reshape(x, (*(1,) * k, x.size, *(1,) * (len(shape) - k - 1)))
        seen = grid.expand(wide.grid, shape)
        found.append(wide.view(grid.transpose(seen, order) if order else seen, "ExpandBackward0"))
    return tuple(found)


# Counts


def bincount(x: TensorArray, weights: Any = None, minlength: int = 0) -> Any:
    numbers = x.numbers()
    if x.ndim != 1 or x.dtype.category != 1 or min(numbers, default=0) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    length = max(max(numbers, default=-1) + 1, minlength)
    x.session.room((length,))
    amounts = [1] * x.size if weights is None else weights.numbers()
    counts = [0 if weights is None else 0.0] * length
    for i, amount in zip(numbers, amounts, strict=True):
        counts[i] += amount
    return x.new(counts, (length,), INT64 if weights is None else weights.dtype)


def unique(
    x: TensorArray, sorted: bool = True, return_inverse: bool = False,  # noqa: A002
    return_counts: bool = False,
) -> Any:  # fmt: skip
    """The different elements, rising; with the place of each among them and their counts."""
    numbers = x.numbers()
    counts = dict.fromkeys(numbers, 0)
    for number in numbers:
        counts[number] += 1
    keys = [*counts]
    keys.sort()
    place, n = {key: i for i, key in enumerate(keys)}, (len(keys),)
    found = [x.new(keys, n)]
    if return_inverse:
        found.append(x.new([place[number] for number in numbers], x.shape, INT64))
    if return_counts:
        found.append(x.new([counts[key] for key in keys], n, INT64))
    return tuple(found) if len(found) > 1 else found[0]


def nonzero(x: TensorArray, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not 0: a row each, or a tensor for each axis."""
    pairs = zip(indices(x.shape), x.numbers(), strict=True)
    rows = [at for at, number in pairs if number]
    x.session.room((len(rows), max(x.ndim, 1)))
    if as_tuple:
        columns = ([row[k] for row in rows] for k in range(x.ndim))
        return tuple(x.new(column, (len(rows),), INT64) for column in columns)
    return x.new([i for row in rows for i in row], (len(rows), x.ndim), INT64)


def repeat_interleave(x: TensorArray, repeats: Any, dim: Any = None) -> Any:
    """Each element, or slice along an axis, several times."""
    shape = x.shape if dim is not None else (x.size,)
    axis = axis_of(dim or 0, len(shape))
    given = repeats.numbers() if isinstance(repeats, TensorArray) else [repeats]
    counts = given * (shape[axis] if len(given) == 1 else 1)
    x.session.room((x.size, max([*counts, 0])))
    shape, places = repeated([shape], {"repeats": counts, "axis": axis})
    return picked(x, places, shape, "IndexSelectBackward0")


# Elements at places along an axis that an index names


def gather(x: TensorArray, dim: int, index: TensorArray) -> Any:
    """The elements whose place along `dim` is written in `index`."""
    return picked(x, _places(x, dim, index, "gather"), index.shape, "GatherBackward0")


def _places(x: TensorArray, dim: int, index: TensorArray, name: str) -> Sequence[int]:
    """The places in row-major order that an index names."""
    if index.dtype is not INT64:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if index.ndim != x.ndim:
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            + ("input tensor" if name == "gather" else "self tensor")
        )
    axis, shape = axis_of(dim, x.ndim), x.shape or (1,)
    sides = enumerate(zip(index.shape, x.shape, strict=True))
    if any(m > n for k, (m, n) in sides if k != axis):
        raise RuntimeError(
            f"Size does not match at dimension {axis} expected index {list(index.shape)} to be no "
            f"larger than self {list(x.shape)} apart from dimension {axis}"
        )
    numbers = index.numbers()
    params = {"axis": axis, "index": numbers, "index_shape": index.shape or (1,)}
    try:
        if min(numbers, default=0) < 0:
            raise Misfit("", f"index {min(numbers)} is out of bounds for dimension {axis} with "
                             f"size {shape[axis]}")  # fmt: skip
        return gathered([shape], params)[1]
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None


def scatter(x: TensorArray, dim: int, index: Any, src: Any = None, **options: Any) -> Any:
    """The tensor with other elements at the places along `dim` that `index` names."""
    if "reduce" in options:
        x.session.machine.refuse("scatter puts elements in place here.", "Write x.scatter_add_(…).")
    return _scattered(x, dim, index, options.get("value", src), "scatter")


def scatter_add(x: TensorArray, dim: int, index: Any, src: Any) -> Any:
    """The tensor with elements added at the places along `dim` that `index` names."""
    return _scattered(x, dim, index, src, "scatter_add")


def _scattered(x: TensorArray, dim: int, index: Any, src: Any, name: str) -> Any:
    value = x.session.array(src)
    places = _places(x, dim, index, "scatter")
    if value.shape and value.shape != index.shape:
        message = f"{name} takes a number or as many numbers as indices here."
        x.session.machine.refuse(message, "Take the part of the numbers that has an index.")
    new = x.dtype.convert(value.numbers() * (1 if value.shape else index.size))
    items, plus, adds = x.numbers(), x.dtype.adder, name == "scatter_add"
    for place, number in zip(places, new, strict=True):
        items[place] = plus(items[place], number) if adds else number
    made_by = "ScatterAddBackward0" if adds else f"ScatterBackward{int(value.is_number)}"
    params = {"places": places, "shape": index.shape}
    return record("scatter_add" if adds else "write", x.new(items), [x, value], params, made_by,
                  saves=False)  # fmt: skip


def _along_rows(x: TensorArray, dim: int, index: TensorArray) -> Any:
    """The slices along `dim` that an index names, as an index of every element of theirs."""
    axis, numbers, shape = axis_of(dim, x.ndim), index.numbers(), list(x.shape)
    shape[axis : axis + 1] = [len(numbers)] if x.shape else []
    flat = [numbers[at[axis] if at else 0] for at in indices(tuple(shape))]
    return x.new(flat, tuple(shape), INT64)


def index_fill(x: TensorArray, dim: int, index: TensorArray, value: Any) -> Any:
    places = _along_rows(x, dim, index)
    return called(_scattered(x, dim, places, value, "scatter"), "IndexFillBackward0")


def index_copy(x: TensorArray, dim: int, index: TensorArray, source: Any) -> Any:
    places = _along_rows(x, dim, index)
    return called(_scattered(x, dim, places, source, "scatter"), "IndexCopyBackward0")


def index_add(
    x: TensorArray, dim: int, index: TensorArray, source: Any, *, alpha: float = 1
) -> Any:  # fmt: skip
    source = source if alpha == 1 else source * alpha
    places = _along_rows(x, dim, index)
    return called(_scattered(x, dim, places, source, "scatter_add"), "IndexAddBackward0")


SELECTION: dict[str, Callable[..., Any]] = {
    "topk": topk, "argsort": lambda x, dim=-1, descending=False, stable=False: ordering(
        x, dim, descending
    )[1],
    "median": median, "mode": mode, "split": split, "index_select": index_select,
    "chunk": chunk, "flip": flip, "roll": roll, "tril": _triangle("tril", lambda k: k <= 0),
    "triu": _triangle("triu", lambda k: k >= 0), "diag": diag, "diagonal": diagonal,
    "trace": trace, "bincount": bincount, "unique": unique, "nonzero": nonzero,
    "repeat_interleave": repeat_interleave, "gather": gather, "scatter": scatter,
    "scatter_add": scatter_add, "index_fill": index_fill, "index_add": index_add,
    "index_copy": index_copy,
}  # fmt: skip
"""Names of torch that are methods of tensors too."""
