"""Elements chosen by rank, by index, by triangle or by part of a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from engine.array_ops import folding, grid
from engine.array_ops.grid import from_items, indices

from .arrangement import axis_of, cat, get_item, sizes, unsqueeze
from .dtypes import BOOL, INT64
from .elementwise import mapped
from .reductions import Extremes, mean, moved, ordering, sum_of
from .scattering import SCATTERING
from .session import Session
from .tensor_array import TensorArray, called
from .whole import picked


def topk(session: Session, x: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:  # noqa: A002, E501  # fmt: skip
    """The k largest or smallest elements along an axis, in order, and where they were."""
    array = session.array(x)
    axis = axis_of(dim, array.ndim)
    if not array.dtype.category:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not 0 <= k <= (array.shape[axis] if array.shape else 1):
        raise RuntimeError("selected index k out of range")
    values, places = ordering(session, x, dim, largest)
    key = (slice(None),) * axis + (slice(None, k),)
    picked = called(get_item(session, values, key), "TopkBackward0")
    return Extremes(picked, get_item(session, places, key), "topk")


def argsort(session: Session, x: Any, dim: int = -1, descending: bool = False) -> Any:
    return ordering(session, x, dim, descending)[1]


def median(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The element in the middle, of two the smaller; along an axis also where it was."""
    array = session.array(x)
    if dim is None:
        numbers = array.numbers()
        middle = sorted(numbers)[(len(numbers) - 1) // 2]
        ties = [i for i, number in enumerate(numbers) if number == middle]
        if array.dtype.category < 2:
            return session.tensor([middle], (), array.dtype)
        found = picked(session, array, ties, (len(ties),), "MedianBackward0")
        return called(mean(session, found), "MedianBackward0")
    values, places = ordering(session, x, dim)
    axis = axis_of(dim, array.ndim)
    at = (array.shape[axis] - 1) // 2
    key = (slice(None),) * axis + ((slice(at, at + 1) if keepdim else at),)
    middle = called(get_item(session, values, key), "MedianBackward1")
    return Extremes(middle, get_item(session, places, key), "median")


def index_select(session: Session, x: Any, dim: int, index: Any) -> Any:
    array = session.array(x)
    key = (slice(None),) * axis_of(dim, array.ndim) + (session.array(index),)
    return called(get_item(session, x, key), "IndexSelectBackward0")


def split(session: Session, x: Any, size: Any, dim: int = 0) -> tuple[Any, ...]:
    """Parts of one length, the last one shorter, or of the lengths in a list."""
    array = session.array(x)
    axis = axis_of(dim, array.ndim)
    n = array.shape[axis]
    lengths = list(size) if isinstance(size, (list, tuple)) else None
    if lengths is None:
        if size <= 0:
            raise RuntimeError(
                f"split expects split_size be non-negative, but got split_size={size}"
            )
        lengths = [min(size, n - start) for start in range(0, n, size)]
    elif sum(lengths) != n:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at "
            f"dimension {axis}), but got split_sizes={lengths}"
        )
    before, start, parts = (slice(None),) * axis, 0, []
    for length in lengths:
        part = get_item(session, x, (*before, slice(start, start + length)))
        parts.append(called(part, "SplitBackward0"))
        start += length
    return tuple(parts)


def chunk(session: Session, x: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    array = session.array(x)
    n = array.shape[axis_of(dim, array.ndim)]
    return split(session, x, max(1, -(-n // chunks)), dim)


# Rows in another order


def flip(session: Session, x: Any, *dims: Any, **options: Any) -> Any:
    array = session.array(x)
    for dim in sizes(dims or (options["dims"],)):
        array = moved(session, array, dim, lambda row: row[::-1], "FlipBackward0")
    return array


def roll(session: Session, x: Any, shifts: Any, dims: Any = None) -> Any:
    """Elements moved along an axis, those beyond the end to the start."""
    array = session.array(x)
    if isinstance(shifts, tuple) or isinstance(dims, tuple):
        session.machine.refuse("roll moves along one axis here.", "Roll one after the other.")

    def turned(row: list[int]) -> list[int]:
        by = shifts % (len(row) or 1)
        return row[-by:] + row[:-by]

    if dims is None:
        places = turned(list(range(array.size)))
        return picked(session, array, places, array.shape, "RollBackward0")
    return moved(session, array, dims, turned, "RollBackward0")


# Matrices


def _triangle(keep: Callable[[int, int], bool], name: str) -> Callable[..., Any]:
    def triangle(session: Session, x: Any, diagonal: int = 0) -> Any:
        array = session.array(x)
        if array.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        kept = (keep(at[-1] - at[-2], diagonal) for at in indices(array.shape))
        places = [i if keeps else -1 for i, keeps in enumerate(kept)]
        return picked(session, array, places, array.shape, f"{name.capitalize()}Backward0")

    return triangle


tril = _triangle(lambda offset, k: offset <= k, "tril")
triu = _triangle(lambda offset, k: offset >= k, "triu")


def diagonal(session: Session, x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The elements whose places along two axes differ by `offset`, as the last axis of a view."""
    array = session.array(x)
    a, b = axis_of(dim1, array.ndim), axis_of(dim2, array.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return session.view(array, grid.diagonal(array.grid, offset, a, b), "DiagonalBackward0")


of_matrix = diagonal
"""The same, under a name that no argument of `diag` has."""


def diag(session: Session, x: Any, diagonal: int = 0) -> Any:
    """The matrix with a diagonal, or a copy of the diagonal of a matrix."""
    array = session.array(x)
    if array.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {array.ndim}D")
    if array.ndim == 2:
        return of_matrix(session, x, diagonal)
    low, high = max(0, -diagonal), max(0, diagonal)
    n = array.size + abs(diagonal)
    session.room((n, n))
    places = [-1] * (n * n)
    for i in range(array.size):
        places[(i + low) * n + i + high] = i
    return picked(session, array, places, (n, n), "DiagEmbedBackward0")


def trace(session: Session, x: Any) -> Any:
    if session.array(x).ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return called(sum_of(session, diag(session, x)), "TraceBackward0")


def meshgrid(session: Session, *tensors: Any, indexing: str = "ij") -> tuple[Any, ...]:
    """The coordinates of every pair of points of two vectors."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    arrays = [session.array(x) for x in given]
    shape = tuple(x.size for x in arrays)
    session.room(shape)
    found = []
    for k, array in enumerate(arrays):
        numbers = array.numbers()
        items = [numbers[at[k]] for at in product(*map(range, shape))]
        whole = from_items(items, shape)
        if indexing == "xy" and len(shape) > 1:
            whole = grid.transpose(whole, [1, 0, *range(2, len(shape))])
        found.append(TensorArray(session, whole, array.dtype))
    return tuple(found)


def vstack(session: Session, tensors: Sequence[Any]) -> Any:
    rows = [unsqueeze(session, x, 0) if session.array(x).ndim < 2 else x for x in tensors]
    return cat(session, rows, 0)


def hstack(session: Session, tensors: Sequence[Any]) -> Any:
    return cat(session, tensors, 0 if session.array(tensors[0]).ndim < 2 else 1)


# Counts


def bincount(session: Session, x: Any, weights: Any = None, minlength: int = 0) -> Any:
    array = session.array(x)
    if array.ndim != 1 or array.dtype.category != 1 or min(array.numbers(), default=0) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None:
        session.machine.refuse("bincount has no weights here.", "Count in a loop.")
    length = max(max(array.numbers(), default=-1) + 1, minlength)
    session.room((length,))
    counts = [0] * length
    for i in array.numbers():
        counts[i] += 1
    return session.tensor(counts, (length,), INT64)


def unique(
    session: Session, x: Any, sorted: bool = True, return_inverse: bool = False,  # noqa: A002
    return_counts: bool = False,
) -> Any:  # fmt: skip
    """The different elements, rising; with the way back and their counts."""
    array = session.array(x)
    counts: dict[Any, int] = {}
    for number in array.numbers():
        counts[number] = counts.get(number, 0) + 1
    keys = [*counts]
    keys.sort()
    place = {key: i for i, key in enumerate(keys)}
    found = [session.tensor(keys, (len(keys),), array.dtype)]
    if return_inverse:
        way = [place[number] for number in array.numbers()]
        found.append(session.tensor(way, array.shape, INT64))
    if return_counts:
        found.append(session.tensor([counts[key] for key in keys], (len(keys),), INT64))
    return tuple(found) if len(found) > 1 else found[0]


def nonzero(session: Session, x: Any, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not 0: a row each, or a tensor for each axis."""
    array = session.array(x)
    pairs = zip(indices(array.shape), array.numbers(), strict=True)
    rows = [at for at, number in pairs if number]
    session.room((len(rows), max(array.ndim, 1)))
    if as_tuple:
        columns = [[row[k] for row in rows] for k in range(array.ndim)]
        return tuple(session.tensor(column, (len(rows),), INT64) for column in columns)
    flat = [i for row in rows for i in row]
    return session.tensor(flat, (len(rows), array.ndim), INT64)


def repeat_interleave(session: Session, x: Any, repeats: int, dim: Any = None) -> Any:
    """Each element, or slice along an axis, several times."""
    array = session.array(x)
    if not isinstance(repeats, int):
        session.machine.refuse("repeat_interleave takes one count here.", "Write a number.")
    session.room((array.size, max(repeats, 0)))
    shape = array.shape if dim is not None else (array.size,)
    axis = axis_of(dim or 0, len(shape))
    at = from_items(list(range(array.size)), shape)
    found = folding.repeat(at, [repeats] * shape[axis], axis)
    return picked(session, array, found.items(), found.shape, "IndexSelectBackward0")


# Truth


def logical(f: Callable[..., bool]) -> Callable[..., Any]:
    """A function of truth values, element by element."""

    def function(session: Session, *operands: Any) -> Any:
        return mapped(session, f, BOOL, *operands)

    return function


SELECTION: dict[str, Callable[..., Any]] = {
    "topk": topk, "argsort": argsort, "median": median, "split": split,
    "index_select": index_select, **SCATTERING,
    "chunk": chunk, "flip": flip, "roll": roll, "tril": tril,
    "triu": triu, "diag": diag, "diagonal": diagonal, "trace": trace, "bincount": bincount,
    "unique": unique, "nonzero": nonzero, "repeat_interleave": repeat_interleave,
    "logical_and": logical(lambda a, b: bool(a and b)),
    "logical_or": logical(lambda a, b: bool(a or b)),
    "logical_xor": logical(lambda a, b: bool(a) != bool(b)),
    "logical_not": logical(lambda a: not a),
}  # fmt: skip
"""Names of torch that are methods of tensors too."""
