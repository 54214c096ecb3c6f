"""Elements at edges, on diagonals, in triangles and at chosen places."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from math import prod
from typing import Any, Self

from engine.array_ops import folding
from engine.array_ops.grid import Grid, Shape, expanded_items, indices, shape_text
from engine.array_ops.places import gathered, triangle

from .arrangement import ravel, reshape
from .array import Array, as_array, combined
from .context import Context
from .dtypes import BOOL, INT64, cast
from .joining import concatenate
from .making import ones
from .scalars import Int64, scalar
from .shapes import axis_of, shape_of


def pad(
    array: Array, pad_width: Any, mode: str = "constant", constant_values: Any = 0
) -> Array:  # fmt: skip
    """The array with an edge: of a constant, of the nearest elements, reflected or wrapped."""
    widths = _widths(array, pad_width)
    if min((n for pair in widths for n in pair), default=0) < 0:
        raise ValueError("index can't contain negative values")
    context = array.context
    context.admit(tuple(n + a + b for n, (a, b) in zip(array.shape, widths, strict=True)))
    if mode not in _INSIDE and mode != "constant":
        context.host.refuse(f"np.pad has no mode {mode!r} here.", 'Write mode="constant".')
    grid = array.grid
    for axis, (width, ends) in enumerate(zip(widths, _widths(array, constant_values), strict=True)):
        grid = folding.along(grid, axis, _edged(mode, width, cast(list(ends), array.dtype)))
    return array.like(grid if array.ndim else grid.copy())


def _edged(mode: str, width: tuple[int, int], ends: list[Any]) -> Callable[[list[Any]], list[Any]]:
    """A function that gives a row its edges."""
    before, after = width

    def edged(row: list[Any]) -> list[Any]:
        if mode == "constant":
            return [ends[0]] * before + row + [ends[1]] * after
        if not row:
            raise ValueError(
                "can't extend empty axis 0 using modes other than 'constant' or 'empty'"
            )
        return [row[_INSIDE[mode](i, len(row))] for i in range(-before, len(row) + after)]

    return edged


def _widths(a: Array, given: Any) -> list[tuple[Any, Any]]:
    """A pair for each axis: of one number, of one pair, or of pairs."""
    table, ndim = as_array(a.context, given), a.ndim
    if table.ndim > 2 or table.size not in (1, 2, 2 * ndim, ndim * (table.shape[-1:] == (1,))):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(table.shape)}  and requested shape ({ndim},2)"
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


# Triangles and diagonals


def _triangle(keep: Callable[[int], bool]) -> Callable[..., Array]:
    """A copy of matrices in the last two axes with zeros on one side of a diagonal."""
    plan = triangle(keep)

    def function(m: Array, k: int = 0) -> Array:
        if m.ndim == 0:
            raise ValueError("m must be at least 1-d")
        shape = m.shape if m.ndim > 1 else (m.size, m.size)
        m.context.admit(shape)
        items = [*expanded_items(m.grid, shape), cast([0], m.dtype)[0]]
        return m.made([items[i] for i in plan([shape], {"diagonal": k})[1]], shape)

    return function


triu, tril = _triangle(lambda offset: offset >= 0), _triangle(lambda offset: offset <= 0)


def tri(context: Context, N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Array:  # noqa: N803
    """Ones below a diagonal."""
    return tril(ones(context, (N, N if M is None else M), dtype), k)


def _triangle_indices(keep: Callable[[int, int], bool]) -> Callable[..., tuple[Array, ...]]:
    def function(context: Context, n: int, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
        shape = (n, n if m is None else m)
        context.admit(shape)
        at = [(i, j) for i, j in indices(shape) if keep(j - i, k)]
        return tuple(as_array(context, [pair[axis] for pair in at], INT64) for axis in (0, 1))

    return function


triu_indices, tril_indices = _triangle_indices(operator.ge), _triangle_indices(operator.le)


def diag_indices(context: Context, n: int, ndim: int = 2) -> tuple[Array, ...]:
    return tuple(as_array(context, range(n), INT64) for _ in range(ndim))


def fill_diagonal(a: Array, val: Any) -> None:
    """Replace the diagonal of a matrix."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    values = as_array(a.context, val, a.dtype).items()
    for k in range(min(a.shape)):
        a[(k,) * a.ndim] = values[k % len(values)]


# Chosen places


def take(a: Array, indices: Any, axis: Any = None) -> Any:
    """The elements or slices at indices."""
    key = as_array(a.context, indices) if isinstance(indices, (list, tuple)) else indices
    return ravel(a)[key] if axis is None else a[(slice(None),) * axis_of(axis, a.ndim) + (key,)]


def put(a: Array, ind: Any, v: Any, mode: str = "raise") -> None:
    """Elements at places in row-major order replaced, the new ones over and over."""
    places, values = as_array(a.context, ind).items(), as_array(a.context, v, a.dtype).items()
    items = a.items()
    for k, place in enumerate(places):
        if not -len(items) <= place < len(items):
            raise IndexError(f"index {place} is out of bounds for axis 0 with size {len(items)}")
        items[place] = values[k % len(values)]
    a.grid.write(items)


def copyto(dst: Array, src: Any, where: Any = True) -> None:
    """Elements replaced by those of another array, where a mask holds."""
    if where is True:
        dst[...] = src
        return
    mask, new = as_array(dst.context, where), as_array(dst.context, src)
    dst[mask] = new[mask] if new.shape else src


def take_along_axis(arr: Array, indices: Any, axis: Any = -1) -> Array:
    """One element of each row for each index in the same row of `indices`."""
    wanted = as_array(arr.context, indices)
    if arr.ndim != wanted.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    k, items = axis_of(axis, arr.ndim), arr.items()
    if any(n != m for i, (n, m) in enumerate(zip(arr.shape, wanted.shape, strict=True)) if i != k):
        arr.context.host.refuse("take_along_axis takes arrays of one shape here.", "Repeat rows.")
    params = {"axis": k, "index": wanted.items(), "index_shape": wanted.shape}
    return arr.made([items[i] for i in gathered([arr.shape], params)[1]], wanted.shape)


def flatnonzero(a: Array) -> Array:
    """The places of the true elements in row-major order."""
    return a.row([i for i, x in enumerate(a.items()) if x], INT64)


def insert(arr: Array, obj: Any, values: Any, axis: Any = None) -> Array:
    """A copy with values before an index."""
    if axis is None:
        arr, axis = ravel(arr), 0
    k, context = axis_of(axis, arr.ndim), arr.context
    if not isinstance(obj, int):
        context.host.refuse("insert takes one index here.", "Insert one after the other.")
    n = arr.shape[k]
    if not -n <= obj <= n:
        raise IndexError(f"index {obj} is out of bounds for axis {k} with size {n}")
    at = obj + n if obj < 0 else obj
    new, lead = as_array(context, values, arr.dtype), (slice(None),) * k
    shape = (*arr.shape[:k], *arr.shape[k + 1 :])
    count = new.size if arr.ndim == 1 else 1
    items = new.items() if arr.ndim == 1 else expanded_items(new.grid, shape)
    middle = arr.made(items, (*arr.shape[:k], count, *arr.shape[k + 1 :]))
    return concatenate(
        context, [arr[(*lead, slice(None, at))], middle, arr[(*lead, slice(at, None))]], k
    )


def delete(arr: Array, obj: Any, axis: Any = None) -> Array:
    """A copy without the elements or slices at indices."""
    if axis is None:
        arr, axis = ravel(arr), 0
    k = axis_of(axis, arr.ndim)
    n = arr.shape[k]
    if isinstance(obj, slice):
        named: Any = range(*obj.indices(n))
    else:
        found = as_array(arr.context, obj)
        named = flatnonzero(found).items() if found.dtype is BOOL else map(
            operator.index, found.items()
        )  # fmt: skip
    gone = set()
    for i in named:
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of bounds for axis {k} with size {n}")
        gone.add(i % n)
    kept = [i for i in range(n) if i not in gone]
    return arr.like(folding.along(arr.grid, k, lambda row: [row[i] for i in kept]))


def piecewise(x: Array, condlist: Any, funclist: Any) -> Array:
    """For each element the function, or the number, of the last condition that holds."""
    tests = [as_array(x.context, c) for c in condlist]
    if len(funclist) not in (len(tests), len(tests) + 1):
        raise ValueError(
            f"with {len(tests)} condition(s), either {len(tests)} or {len(tests) + 1} functions "
            "are expected"
        )
    found = x.made(cast([0] * x.size, x.dtype))
    taken = [any(truths) for truths in zip(*(test.items() for test in tests), strict=True)]
    rest = x.made([not t for t in taken], dtype=BOOL)
    for test, value in zip([*tests, rest], funclist, strict=False):
        found[test] = x.context.host.call(value, x[test]) if callable(value) else value
    return found


def isin(element: Array, test_elements: Any, invert: bool = False) -> Any:
    """Whether each element is one of others."""
    known = as_array(element.context, test_elements).items()
    return element.answer([(x in known) is not invert for x in element.items()], dtype=BOOL)


def flat_vectors(*arrays: Array) -> None:
    """Raises ValueError for arrays of several axes."""
    if any(x.ndim > 1 for x in arrays):
        raise ValueError("object too deep for desired array")


def convolve(a: Array, v: Any, mode: str = "full") -> Array:
    """Σⱼ a[j]·v[i − j] of two vectors: all, as many as the longer has, or without edges."""
    pair = [a, as_array(a.context, v)]
    flat_vectors(*pair)
    pair = [reshape(x, -1) for x in pair]
    for x, name in zip(pair, "av", strict=True):
        if not x.size:
            raise ValueError(f"{name} cannot be empty")
    long, short = sorted(pair, key=len, reverse=True)
    n, k = len(long), len(short)
    lead = {"full": 0, "same": (k - 1) // 2, "valid": k - 1}[mode]
    length = {"full": n + k - 1, "same": n, "valid": n - k + 1}[mode]
    a.context.admit((length,))
    one, other = (combined(a.context, "*", 1, x).items() for x in (long, short))
    return as_array(a.context, [_overlap(one, other, i + lead) for i in range(length)])


def _overlap(a: list[Any], v: list[Any], i: int) -> Any:
    return sum(a[j] * v[i - j] for j in range(max(0, i - len(v) + 1), min(len(a), i + 1)))


# Indices


def ndenumerate(arr: Array) -> Iterator[tuple[Any, Any]]:
    """Pairs of an index and its element."""
    for at, x in zip(indices(arr.shape), arr.items(), strict=True):
        yield at, scalar(x, arr.dtype)


def ndindex(context: Context, *shape: Any) -> Iterator[tuple[int, ...]]:
    """All indices of a shape."""
    sizes = shape_of(shape[0] if len(shape) == 1 else shape)
    context.admit(sizes)
    yield from indices(sizes)


def unravel_index(context: Context, index: Any, shape: Any) -> tuple[Any, ...]:
    """The index, axis by axis, of a place in row-major order."""
    at, sizes, found = operator.index(index), shape_of(shape), []
    if not 0 <= at < prod(sizes):
        raise ValueError(f"index {at} is out of bounds for array with size {prod(sizes)}")
    for n in reversed(sizes):
        at, rest = divmod(at, n)
        found.append(Int64(rest))
    return tuple(reversed(found))


def ravel_multi_index(context: Context, multi_index: Any, dims: Any) -> Any:
    """The place in row-major order of an index, axis by axis."""
    found: Any = 0
    for i, n in zip(multi_index, shape_of(dims), strict=True):
        index = as_array(context, i)
        if any(not 0 <= x < n for x in index.items()):
            raise ValueError("invalid entry in coordinates array")
        found = found * n + (index if index.shape else scalar(index.item(), index.dtype))
    return found


class Walk:
    """`np.nditer` over one array: each element as an array without axes, and where it stands."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.places: list[Shape] = list(indices(array.shape))
        self.index, self.begun = 0, False

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
    return Walk(as_array(context, op))
