"""Functions of torch that are written with others: products, distances, quantiles, extremes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from engine.array_ops.grid import Grid

from .arrangement import axis_of, cat, reshape, transpose, unsqueeze
from .dtypes import INT64
from .elementwise import elementwise
from .products import einsum, matmul
from .reductions import Extremes, amplitude, mean, ordering, ranks
from .selection import chunk, nonzero
from .session import Session
from .tensor_array import called
from .whole import whole

Function = Callable[..., Any]


class LeastAndMost(tuple[Any, Any]):  # noqa: SLOT001 - a tuple has no room for slots
    """What aminmax returns."""

    @property
    def min(self) -> Any:
        return self[0]

    @property
    def max(self) -> Any:
        return self[1]

    def __repr__(self) -> str:
        return f"torch.return_types.aminmax(\nmin={self[0]!r},\nmax={self[1]!r})"


def aminmax(session: Session, x: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The least and the largest, between whose equals gradients are split."""
    ends = (amplitude(session, x, dim, keepdim, largest=largest) for largest in (False, True))
    return LeastAndMost(called(end, "AminmaxBackward0") for end in ends)


def _running(name: str, better: Callable[[Any, Any], bool]) -> Function:
    """The extremes so far along an axis, and where they stand: the last of equal ones."""

    def function(session: Session, x: Any, dim: int) -> Any:
        def places(numbers: list[Any]) -> list[int]:
            found = [0]
            for i in range(1, len(numbers)):
                best = numbers[found[-1]]
                take = best == best and (better(numbers[i], best) or numbers[i] != numbers[i])
                found.append(i if take else found[-1])
            return found

        title = f"{name.capitalize()}Backward0"
        return Extremes(*ranks(session, session.array(x), dim, places, title), name)

    return function


def kron(session: Session, x: Any, other: Any) -> Any:
    """Blocks x[i, j]·other."""
    a, b = session.array(x), session.array(other)
    rank = max(a.ndim, b.ndim)
    sides = []
    for k, array in enumerate((a, b)):
        shape = (1,) * (rank - array.ndim) + array.shape
        wide = [n for size in shape for n in ((size, 1) if k == 0 else (1, size))]
        sides.append((shape, reshape(session, array, wide)))
    sizes = [n * m for n, m in zip(sides[0][0], sides[1][0], strict=True)]
    product = elementwise(session, "*", sides[0][1], sides[1][1])
    return called(reshape(session, product, sizes), "UnsafeViewBackward0")


def tensordot(session: Session, a: Any, b: Any, dims: Any = 2) -> Any:
    """Sums of products over the last axes of a and the first of b, or over pairs of axes."""
    left, right = session.array(a), session.array(b)
    if isinstance(dims, int):
        dims = [range(left.ndim - dims, left.ndim), range(dims)]
    mine, theirs = ([axis_of(k, x.ndim) for k in given]
                    for x, given in zip((left, right), dims, strict=True))  # fmt: skip
    letters = "abcdefghijklmnopqrst"
    one, other = list(letters[: left.ndim]), list(letters[left.ndim : left.ndim + right.ndim])
    for i, j in zip(mine, theirs, strict=True):
        other[j] = one[i]
    kept = [c for k, c in enumerate(one) if k not in mine]
    kept += [c for k, c in enumerate(other) if k not in theirs]
    return einsum(session, f"{''.join(one)},{''.join(other)}->{''.join(kept)}", a, b)


def cross(session: Session, x: Any, other: Any, dim: int | None = None) -> Any:
    """The vector product along an axis of length 3, by default the first of them."""
    array = session.array(x)
    axis = next(k for k, n in enumerate(array.shape) if n == 3) if dim is None else dim
    a, b = chunk(session, x, 3, axis), chunk(session, other, 3, axis)
    parts = [
        elementwise(session, "-", elementwise(session, "*", a[i], b[j]),
                    elementwise(session, "*", a[j], b[i]))
        for i, j in ((1, 2), (2, 0), (0, 1))
    ]  # fmt: skip
    return called(cat(session, parts, axis), "LinalgCrossBackward0")


def cdist(session: Session, x1: Any, x2: Any, p: float = 2.0) -> Any:
    """The distances of all rows of one matrix from all of another."""
    gap = elementwise(session, "-", unsqueeze(session, x1, -2), unsqueeze(session, x2, -3))
    return whole(session, "norm", [gap], {"p": p, "axes": (-1,)}, made_by="CdistBackward0")


def cov(session: Session, x: Any, *, correction: int = 1) -> Any:
    """The covariances of rows."""
    array = session.array(x)
    rows = unsqueeze(session, x, 0) if array.ndim < 2 else x
    centred = elementwise(session, "-", rows, mean(session, rows, 1, True))
    product = matmul(session, centred, transpose(session, centred, 0, 1))
    found = elementwise(session, "/", product, session.array(rows).shape[1] - correction)
    return found if array.ndim > 1 else reshape(session, found, ())


def quantile(session: Session, x: Any, q: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The number below which the share q lies, between two of them in proportion."""
    array, share = session.array(x), session.array(q)
    if share.shape:
        session.machine.refuse("quantile takes one share here.", "Ask for each by itself.")
    flat = reshape(session, x, -1) if dim is None else x
    axis = axis_of(0 if dim is None else dim, session.array(flat).ndim)
    values, _ = ordering(session, flat, axis)
    n = session.array(flat).shape[axis]
    place = float(share.numbers()[0]) * (n - 1)
    low = int(place)
    key = (slice(None),) * axis
    first, second = (values[(*key, i)] for i in (low, min(low + 1, n - 1)))
    step = elementwise(session, "*", elementwise(session, "-", second, first), place - low)
    found = elementwise(session, "+", first, step)
    if keepdim:
        shape = [1 if k == axis or dim is None else size for k, size in enumerate(array.shape)]
        found = reshape(session, found, shape)
    return called(found, "SqueezeBackward4" if dim is None else "SqueezeBackward1")


def bucketize(session: Session, x: Any, boundaries: Any, *, right: bool = False) -> Any:
    """The place of each number among boundaries in order."""
    find, limits = bisect_right if right else bisect_left, session.array(boundaries).numbers()
    array = session.array(x)
    return session.tensor([find(limits, a) for a in array.numbers()], array.shape, INT64)


def histc(session: Session, x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:  # noqa: A002
    """How many numbers lie in each of equal intervals."""
    array = session.array(x)
    numbers = array.numbers()
    low, high = (min, max) if min != max else (_least(numbers), _most(numbers))
    low, high = (low - 1, high + 1) if low == high else (low, high)
    counts = [0.0] * bins
    for a in numbers:
        if low <= a <= high:
            counts[_at_most(int((a - low) / (high - low) * bins), bins - 1)] += 1
    return session.tensor(array.dtype.convert(counts), (bins,), array.dtype)


_least, _most = min, max


def _at_most(i: int, most: int) -> int:
    return i if i < most else most


def vander(session: Session, x: Any, N: int | None = None, increasing: bool = False) -> Any:  # noqa: N803
    """The powers of numbers side by side."""
    if session.array(x).ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = session.array(x).size if N is None else N
    exponents = list(range(n)) if increasing else list(range(n))[::-1]
    powers = session.tensor(exponents, (n,), INT64)
    return elementwise(session, "**", unsqueeze(session, x, -1), powers)


def of_condition(session: Session, condition: Any) -> tuple[Any, ...]:
    """`torch.where(condition)`: the indices of the true elements, axis by axis."""
    found = nonzero(session, condition)
    axes = session.array(found).shape[1]
    return tuple(reshape(session, part, -1) for part in chunk(session, found, axes, 1))


def unfold(session: Session, x: Any, dimension: int, size: int, step: int) -> Any:
    """A view of windows along an axis, each in an axis of its own at the end."""
    array = session.array(x)
    axis, grid = axis_of(dimension, array.ndim), array.grid
    most = grid.shape[axis]
    if size > most:
        at = f"maximum size for tensor at dimension {axis} is {most}"
        raise RuntimeError(f"{at} but size is {size}")
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    count = (most - size) // step + 1
    shape = (*grid.shape[:axis], count, *grid.shape[axis + 1 :], size)
    strides = list(grid.strides)
    strides[axis] *= step
    whole_grid = Grid(grid.flat, shape, (*strides, grid.strides[axis]), grid.offset)
    return session.view(array, whole_grid, "UnfoldBackward0")


def as_strided(session: Session, x: Any, size: Any, stride: Any, offset: int | None = None) -> Any:
    """A view of the storage by strides."""
    grid = session.array(x).grid
    start = grid.offset if offset is None else offset
    shape, strides = tuple(size), tuple(stride)
    if any(step < 0 for step in strides):
        held = f"got strides: {list(strides)}"
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, {held}")
    if start < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {start}")
    last = start + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    if last >= len(grid.flat):
        raise RuntimeError(
            f"setStorage: sizes {list(shape)}, strides {list(strides)}, storage offset {start}, "
            "and itemsize 4 are out of bounds for storage"
        )
    return session.view(session.array(x), Grid(grid.flat, shape, strides, start),
                        "AsStridedBackward0")  # fmt: skip


COMBINED: dict[str, Function] = {
    "aminmax": aminmax, "cummax": _running("cummax", lambda a, b: a >= b),
    "cummin": _running("cummin", lambda a, b: a <= b), "kron": kron, "cross": cross, "cov": cov,
    "quantile": quantile, "histc": histc, "unfold": unfold, "as_strided": as_strided,
}  # fmt: skip
"""Names of torch that are methods of tensors too."""
OF_MODULE: dict[str, Function] = {
    "tensordot": tensordot,
    "cdist": cdist,
    "bucketize": bucketize,
    "vander": vander,
}
"""Names of torch alone."""
