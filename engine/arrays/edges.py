"""Elements at edges, on diagonals and at chosen places: pad, rot90, take, insert, delete."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, Self

from engine.array_ops import folding
from engine.array_ops.grid import (
    Grid,
    Shape,
    expanded_items,
    from_items,
    indices,
    reshape,
    transpose,
)

from .array import Array, as_array
from .context import Context
from .dtypes import BOOL, INT64, cast
from .joining import concatenate
from .reshaping import flip, swapaxes
from .shapes import axis_of


def pad(
    context: Context, array: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0
) -> Array:
    """The array with an edge: of a constant, of the nearest elements, reflected or wrapped."""
    source = as_array(context, array)
    widths = _widths(context, pad_width, source.ndim)
    if min((n for pair in widths for n in pair), default=0) < 0:
        raise ValueError("index can't contain negative values")
    shape = tuple(n + a + b for n, (a, b) in zip(source.shape, widths, strict=True))
    context.admit(shape)
    if mode not in _INSIDE and mode != "constant":
        context.host.refuse(f"np.pad has no mode {mode!r} here.", 'Write mode="constant".')
    values = _widths(context, constant_values, source.ndim)
    grid = source.grid
    for axis, (width, ends) in enumerate(zip(widths, values, strict=True)):
        grid = folding.along(grid, axis, _edged(mode, width, cast(list(ends), source.dtype)))
    return source.like(grid if source.ndim else grid.copy())


def _edged(mode: str, width: tuple[int, int], ends: list[Any]) -> Callable[[list[Any]], list[Any]]:
    """A function that gives a row its edges."""
    before, after = width

    def edged(row: list[Any]) -> list[Any]:
        if mode == "constant":
            return [ends[0]] * before + row + [ends[1]] * after
        n = len(row)
        if not n:
            raise ValueError(
                "can't extend empty axis 0 using modes other than 'constant' or 'empty'"
            )
        return [row[_INSIDE[mode](i, n)] for i in range(-before, n + after)]

    return edged


def _widths(context: Context, given: Any, ndim: int) -> list[tuple[Any, Any]]:
    """A pair for each axis: of one number, of one pair, or of pairs."""
    table = as_array(context, given)
    if table.ndim > 2 or table.size not in (1, 2, 2 * ndim, ndim * (table.shape[-1:] == (1,))):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes "
            f"[original->remapped]: {str(table.shape).replace(' ', '')}  and requested shape "
            f"({ndim},2)"
        )
    items = expanded_items(table.grid, (ndim, 2))
    return list(zip(items[::2], items[1::2], strict=True))


def _reflected(i: int, n: int) -> int:
    i %= 2 * n - 2 or 1
    return i if i < n else 2 * n - 2 - i


def _mirrored(i: int, n: int) -> int:
    i %= 2 * n
    return i if i < n else 2 * n - 1 - i


_INSIDE: dict[str, Callable[[int, int], int]] = {
    "edge": lambda i, n: min(max(i, 0), n - 1), "reflect": _reflected, "symmetric": _mirrored,
    "wrap": lambda i, n: i % n,
}  # fmt: skip
"""The place within an axis that a place beyond it repeats."""


def fill_diagonal(context: Context, a: Any, val: Any) -> None:
    """Replace the diagonal of a matrix."""
    if not isinstance(a, Array) or a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    values = as_array(context, val, a.dtype).items()
    for k in range(min(a.shape)):
        a[(k,) * a.ndim] = values[k % len(values)]


def rot90(context: Context, m: Any, k: int = 1) -> Array:
    """A matrix turned by quarters, counterclockwise."""
    array = as_array(context, m)
    if array.ndim < 2:
        raise ValueError("Total number of array dimensions must be >= 2.")
    for _ in range(operator.index(k) % 4):
        array = swapaxes(context, flip(context, array, 1), 0, 1)
    return array


def fliplr(context: Context, m: Any) -> Array:
    return flip(context, m, 1)


def flipud(context: Context, m: Any) -> Array:
    if not as_array(context, m).ndim:
        raise ValueError("Input must be >= 1-d.")
    return flip(context, m, 0)


def moveaxis(context: Context, a: Any, source: Any, destination: Any) -> Array:
    """A view with one axis at another place."""
    array = as_array(context, a)
    if not isinstance(source, int) or not isinstance(destination, int):
        context.host.refuse("moveaxis moves one axis here.", "Move one after the other.")
    origin, target = axis_of(source, array.ndim), axis_of(destination, array.ndim)
    order = [k for k in range(array.ndim) if k != origin]
    order.insert(target, origin)
    return array.like(transpose(array.grid, order))


# Chosen places


def take(context: Context, a: Any, indices: Any, axis: Any = None) -> Any:
    """The elements or slices at indices."""
    array = as_array(context, a)
    if axis is None:
        return array.like(reshape(array.grid, (array.size,)))[_key(context, indices)]
    return array[(slice(None),) * axis_of(axis, array.ndim) + (_key(context, indices),)]


def put(context: Context, a: Array, ind: Any, v: Any, mode: str = "raise") -> None:
    """Elements at places in row-major order replaced, the new ones over and over."""
    places, values = as_array(context, ind).items(), as_array(context, v, a.dtype).items()
    items = a.items()
    for k, place in enumerate(places):
        if not -len(items) <= place < len(items):
            raise IndexError(f"index {place} is out of bounds for axis 0 with size {len(items)}")
        items[place] = values[k % len(values)]
    a.grid.write(items)


def copyto(context: Context, dst: Array, src: Any, where: Any = True) -> None:
    """Elements replaced by those of another array, where a mask holds."""
    if where is True:
        dst[...] = src
        return
    mask = as_array(context, where)
    dst[mask] = as_array(context, src)[mask] if as_array(context, src).shape else src


def rollaxis(context: Context, a: Any, axis: int, start: int = 0) -> Array:
    """A view with an axis moved to stand before `start`."""
    array = as_array(context, a)
    k = axis_of(axis, array.ndim)
    start = start + array.ndim if start < 0 else start
    order = [i for i in range(array.ndim) if i != k]
    order.insert(start - (k < start), k)
    return array.like(transpose(array.grid, order))


def _key(context: Context, indices: Any) -> Any:
    return as_array(context, indices) if isinstance(indices, (list, tuple)) else indices


def take_along_axis(context: Context, arr: Any, indices: Any, axis: Any = -1) -> Array:
    """One element of each row for each index in the same row of `indices`."""
    array, wanted = as_array(context, arr), as_array(context, indices)
    if array.ndim != wanted.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    k = axis_of(axis, array.ndim)
    shape, rows = folding.rows_along(array.grid, [k])
    others, places = folding.rows_along(wanted.grid, [k])
    if shape != others:
        context.host.refuse("take_along_axis takes arrays of one shape here.", "Repeat the rows.")
    picked = [row[i] for row, at in zip(rows, places, strict=True) for i in at]
    order = list(range(array.ndim - 1))
    order.insert(k, array.ndim - 1)
    grid = from_items(picked, (*shape, wanted.shape[k]))
    return array.like(transpose(grid, order).copy())


def flatnonzero(context: Context, a: Any) -> Array:
    """The places of the true elements in row-major order."""
    array = as_array(context, a)
    at = [i for i, x in enumerate(array.items()) if x]
    return Array(context, from_items(at, (len(at),)), INT64)


def insert(context: Context, arr: Any, obj: Any, values: Any, axis: Any = None) -> Array:
    """A copy with values before an index."""
    array = as_array(context, arr)
    if axis is None:
        array, axis = array.like(reshape(array.grid, (array.size,))), 0
    k = axis_of(axis, array.ndim)
    if not isinstance(obj, int):
        context.host.refuse("insert takes one index here.", "Insert one after the other.")
    if not -array.shape[k] <= obj <= array.shape[k]:
        raise IndexError(f"index {obj} is out of bounds for axis {k} with size {array.shape[k]}")
    at = obj + array.shape[k] if obj < 0 else obj
    new = as_array(context, values, array.dtype)
    shape = (*array.shape[:k], *array.shape[k + 1 :])
    count = new.size if array.ndim == 1 else 1
    items = new.items() if array.ndim == 1 else expanded_items(new.grid, shape)
    grid = from_items(items, (*array.shape[:k], count, *array.shape[k + 1 :]))
    lead = (slice(None),) * k
    parts = [array[(*lead, slice(None, at))], array.like(grid), array[(*lead, slice(at, None))]]
    return concatenate(context, parts, k)


def delete(context: Context, arr: Any, obj: Any, axis: Any = None) -> Array:
    """A copy without the elements or slices at indices."""
    array = as_array(context, arr)
    if axis is None:
        array, axis = array.like(reshape(array.grid, (array.size,))), 0
    k = axis_of(axis, array.ndim)
    n = array.shape[k]
    named = list(range(*obj.indices(n))) if isinstance(obj, slice) else _places(context, obj, n)
    for i in named:
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of bounds for axis {k} with size {n}")
    gone = {i % n for i in named}
    kept = [i for i in range(n) if i not in gone]
    return array.like(folding.along(array.grid, k, lambda row: [row[i] for i in kept]))


def _places(context: Context, obj: Any, n: int) -> list[int]:
    found = as_array(context, obj)
    if found.dtype is BOOL:
        return [i for i, x in enumerate(found.items()) if x]
    return [operator.index(i) for i in found.items()]


# Walks


class Walk:
    """`np.nditer` over one array: each element as an array without axes, and where it stands."""

    def __init__(self, context: Context, array: Array) -> None:
        self.context, self.array = context, array
        self.places: list[Shape] = list(indices(array.shape))
        self.index = 0
        self.begun = False

    @property
    def finished(self) -> bool:
        return self.index >= len(self.places)

    @property
    def multi_index(self) -> Shape:
        return self.places[min(self.index, len(self.places) - 1)]

    def iternext(self) -> bool:
        """Go on to the next element; whether there is one."""
        self.index += 1
        return not self.finished

    @property
    def value(self) -> Array:
        """The element where the walk stands; writing to it writes to the array."""
        grid = self.array.grid
        steps = zip(self.multi_index, grid.strides, strict=True)
        place = grid.offset + sum(i * stride for i, stride in steps)
        return self.array.like(Grid(grid.flat, (), (), place))

    def __getitem__(self, which: int) -> Array:
        return self.value

    def __iter__(self) -> Iterator[Array]:
        return self

    def __next__(self) -> Array:
        if self.begun:
            self.iternext()
        self.begun = True
        if self.finished:
            raise StopIteration
        return self.value

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """There is nothing to close."""


def nditer(
    context: Context, op: Any, flags: Any = (), op_flags: Any = (), order: Any = "K"
) -> Walk:
    """A walk over the elements of one array, in row-major order."""
    if isinstance(op, (list, tuple)) and any(isinstance(x, Array) for x in op):
        context.host.refuse("nditer walks over one array here.", "Broadcast and zip the arrays.")
    return Walk(context, as_array(context, op))
