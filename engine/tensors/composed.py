"""Functions of torch that are short combinations of others; methods of tensors as well.

A result that is recorded bears the name that PyTorch gives its function.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from math import prod
from operator import not_
from typing import Any

from engine.array_ops.grid import Grid
from engine.array_ops.places import tiled

from .arrangement import (
    at_axis,
    axis_of,
    cat,
    expand,
    flatten,
    movedim,
    reshape,
    sizes,
    transpose,
    unsqueeze,
)  # fmt: skip
from .dtypes import BOOL, FLOAT32, INT64
from .elementwise import clamp, cut_off, divided_down, elementwise, mapped, where
from .products import dot, matmul
from .reductions import (
    aminmax,
    at_places,
    deviation,
    length,
    mean,
    ordering,
    running_extreme,
    sum_of,
    variance,
)  # fmt: skip
from .saved import save_named
from .selection import chunk, nonzero
from .tensor_array import TensorArray, called
from .whole import record, whole

Function = Callable[..., Any]


def _made(name: str, function: Function) -> Function:
    """`function`, whose results PyTorch's graph calls `name`."""

    def made(*args: Any, **options: Any) -> Any:
        found = called(function(*args, **options), f"{name}Backward0")
        if found.made_by:
            save_named("", found, [x for x in args if isinstance(x, TensorArray)])
        return found

    return made


def _at_least(rank: int) -> Function:
    def function(x: Any) -> Any:
        if rank == 3 and x.ndim == 2:
            return unsqueeze(x, -1)
        while x.ndim < rank:
            x = unsqueeze(x, 0)
        return unsqueeze(x[0], -1) if rank == 3 and x.shape[:2] == (1, 1) else x

    return function


def diff(x: Any, n: int = 1, dim: int = -1) -> Any:
    if not x.shape:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    for _ in range(n):
        x = x[at_axis(x, dim, slice(1, None))] - x[at_axis(x, dim, slice(None, -1))]
    return x


def narrow(x: Any, dim: int, start: int, length: int) -> Any:
    size = x.shape[dim]
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return x[at_axis(x, dim, slice(start, start + length))]


def unflatten(x: TensorArray, dim: int, sizes: Any = (), unflattened_size: Any = ()) -> Any:
    """An axis as several; the layer calls the sizes otherwise."""
    axis = axis_of(dim, x.ndim)
    return reshape(x, (*x.shape[:axis], *(sizes or unflattened_size), *x.shape[axis + 1 :]))


def _scaled_sum(f: Function) -> Function:
    def function(x: Any, a: Any, b: Any, *, value: float = 1) -> Any:
        """x + value·f(a, b)"""
        return x + (f(a, b) if value == 1 else f(a, b) * value)

    return function


def _product_added(f: Function) -> Function:
    def function(x: Any, a: Any, b: Any, *, beta: float = 1, alpha: float = 1) -> Any:
        """beta·x + alpha·(a @ b)"""
        product = f(a, b) if alpha == 1 else f(a, b) * alpha
        return product + (x if beta == 1 else x * beta)

    return function


def matrix_power(x: Any, n: int) -> Any:
    if n < 1:
        x.session.machine.refuse("matrix_power takes a power of 1 or more here.", "Multiply.")
    result = x
    for _ in range(n - 1):
        result = matmul(result, x)
    return result


def logit(x: Any, eps: float | None = None) -> Any:
    """log(x / (1 − x))"""
    return whole("logit", [x if eps is None else clamp(x, eps, 1 - eps)])


def fmod(x: TensorArray, other: Any) -> Any:
    """The remainder with the sign of x."""
    second = x.session.array(other)
    if not x.is_live and not second.is_live:
        return mapped(_remainder, None, x, other)
    return elementwise("fmod", x, other, made_by=f"FmodBackward{int(not second.is_number)}")


def _remainder(a: Any, b: Any) -> Any:
    if b == 0 and isinstance(b, int):
        raise RuntimeError("ZeroDivisionError")
    return math.fmod(a, b) if b != 0 and math.isfinite(a) else math.nan


def _quotient(x: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    if rounding_mode == "floor":
        return divided_down(x, other)
    found = elementwise("/", x, other)
    if rounding_mode is None:
        return found
    if rounding_mode != "trunc":
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    whole = all(side.dtype is INT64 for side in (x, x.session.array(other)))
    return mapped(cut_off, INT64 if whole else None, found)


def is_close(
    x: TensorArray, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:  # fmt: skip
    def close(a: float, b: float) -> bool:
        both = equal_nan and a != a and b != b
        return a == b or both or abs(a - b) <= atol + rtol * abs(b)

    return mapped(close, BOOL, x, other)


def nan_to_num(x: Any, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    most = 3.4028234663852886e38 if x.dtype is FLOAT32 else 1.7976931348623157e308
    limits = {math.inf: most if posinf is None else posinf,
              -math.inf: -most if neginf is None else neginf}  # fmt: skip
    numbers = x.numbers()
    items = [a if math.isfinite(a) else nan if a != a else limits[a] for a in numbers]
    finite = x.new(list(map(math.isfinite, numbers)), dtype=BOOL)
    return where(finite, x, x.new(x.dtype.convert(items)))


def _without_nan(reduce: Function) -> Function:
    def function(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if x.dtype.category < 2:
            return reduce(x, dim, keepdim)
        missing = mapped(lambda a: a != a, BOOL, x)
        total = sum_of(where(missing, 0.0, x), dim, keepdim)
        if reduce is sum_of:
            return called(total, "NansumBackward0")
        return total / sum_of(mapped(not_, BOOL, missing), dim, keepdim)

    return function


def _with_mean(spread: Function) -> Function:
    def function(x: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False) -> Any:
        return spread(x, dim, unbiased, keepdim), mean(x, dim, keepdim)

    return function


def expand_as(x: TensorArray, other: Any) -> Any:
    return expand(x, other.shape)


def repeat(x: Any, *counts: Any) -> Any:
    """The tensor side by side; one count for each axis."""
    times = sizes(counts)
    if len(times) < x.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    x.session.room((x.size, prod(times)))
    shape, places = tiled([x.shape], {"counts": times})
    numbers = x.numbers()
    out = x.new([numbers[i] for i in places], shape)
    return record("tile", out, [x], {"counts": times}, "RepeatBackward0", saves=False)


def tile(x: TensorArray, *counts: Any) -> Any:
    """As `repeat`, with a count of 1 for the leading axes that have none."""
    times = sizes(counts)
    return repeat(x, *(1,) * (x.ndim - len(times)), *times)


def is_in(x: TensorArray, test_elements: Any) -> Any:
    known = set(x.session.array(test_elements).numbers())
    return mapped(lambda a: a in known, BOOL, x)


# Products and distances


def kron(x: TensorArray, other: TensorArray) -> Any:
    """Blocks x[i, j]·other."""
    rank = max(x.ndim, other.ndim)
    one, two = ((1,) * (rank - side.ndim) + side.shape for side in (x, other))
    left = reshape(x, [n for size in one for n in (size, 1)])
    right = reshape(other, [n for size in two for n in (1, size)])
    return called(reshape(left * right, [n * m for n, m in zip(one, two, strict=True)]),
                  "UnsafeViewBackward0")  # fmt: skip


def cross(x: TensorArray, other: TensorArray, dim: int | None = None) -> Any:
    """The vector product along an axis of length 3, by default the first of them."""
    axis = next(k for k, n in enumerate(x.shape) if n == 3) if dim is None else dim
    a, b = chunk(x, 3, axis), chunk(other, 3, axis)
    return cat([a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))], axis)


def cdist(x1: Any, x2: Any, p: float = 2.0) -> Any:
    """The distances of all rows of one matrix from all of another."""
    gap = unsqueeze(x1, -2) - unsqueeze(x2, -3)
    return whole("norm", [gap], {"p": p, "axes": (-1,)})


def cov(x: Any, *, correction: int = 1) -> Any:
    """The covariances of rows."""
    rows = unsqueeze(x, 0) if x.ndim < 2 else x
    centred = rows - mean(rows, 1, True)
    found = matmul(centred, transpose(centred, 0, 1)) / (rows.shape[1] - correction)
    return found if x.ndim > 1 else reshape(found, ())


# Ranks and counts


def quantile(x: Any, q: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The number below which the share q lies, between two of them in proportion."""
    if x.dtype.category < 2:
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    share = x.session.array(q)
    if share.shape:
        x.session.machine.refuse("quantile takes one share here.", "Ask for each by itself.")
    flat = reshape(x, -1) if dim is None else x
    axis = axis_of(0 if dim is None else dim, flat.ndim)
    values, n = ordering(flat, axis)[0], flat.shape[axis]
    place = float(share.numbers()[0]) * (n - 1)
    low = int(place)
    first, second = (values[at_axis(values, axis, i)] for i in (low, min(low + 1, n - 1)))
    found = first + (second - first) * (place - low)
    if keepdim:
        shape = [1 if k == axis or dim is None else size for k, size in enumerate(x.shape)]
        found = reshape(found, shape)
    return called(found, "SqueezeBackward4" if dim is None else "SqueezeBackward1")


def bucketize(x: TensorArray, boundaries: Any, *, right: bool = False) -> Any:
    """The place of each number among boundaries in order."""
    find, limits = bisect_right if right else bisect_left, x.session.array(boundaries).numbers()
    return x.new([find(limits, a) for a in x.numbers()], dtype=INT64)


def searchsorted(sorted_sequence: Any, x: Any, *, right: bool = False) -> Any:
    return bucketize(sorted_sequence.session.array(x), sorted_sequence, right=right)


def histc(x: TensorArray, bins: int = 100, min: float = 0, max: float = 0) -> Any:  # noqa: A002
    """How many numbers lie in each of equal intervals."""
    numbers = sorted(x.numbers())
    low, high = (min, max) if min != max or not numbers else (numbers[0], numbers[-1])
    low, high = (low - 1, high + 1) if low == high else (low, high)
    counts = [0.0] * bins
    for a in numbers:
        if low <= a <= high:
            at = int((a - low) / (high - low) * bins)
            counts[at if at < bins else bins - 1] += 1
    return x.new(x.dtype.convert(counts), (bins,))


def vander(x: TensorArray, N: int | None = None, increasing: bool = False) -> Any:  # noqa: N803
    """The powers of numbers side by side."""
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.size if N is None else N
    exponents = list(range(n)) if increasing else list(range(n))[::-1]
    return elementwise("**", unsqueeze(x, -1), x.new(exponents, (n,), INT64))


def of_condition(condition: Any) -> tuple[Any, ...]:
    """`torch.where(condition)`: the indices of the true elements, axis by axis."""
    found: tuple[Any, ...] = nonzero(condition, as_tuple=True)
    return found


# Views by strides


def unfold(x: TensorArray, dimension: int, size: int, step: int) -> Any:
    """A view of windows along an axis, each in an axis of its own at the end."""
    axis, grid = axis_of(dimension, x.ndim), x.grid
    most = grid.shape[axis]
    if size > most:
        at = f"maximum size for tensor at dimension {axis} is {most}"
        raise RuntimeError(f"{at} but size is {size}")
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    shape = (*grid.shape[:axis], (most - size) // step + 1, *grid.shape[axis + 1 :], size)
    strides = (*grid.strides[:axis], grid.strides[axis] * step, *grid.strides[axis + 1 :],
               grid.strides[axis])  # fmt: skip
    return x.view(Grid(grid.flat, shape, strides, grid.offset), "UnfoldBackward0")


def as_strided(x: TensorArray, size: Any, stride: Any, offset: int | None = None) -> Any:
    """A view of the storage by strides."""
    start = x.grid.offset if offset is None else offset
    shape, strides = tuple(size), tuple(stride)
    if any(step < 0 for step in strides):
        held = f"got strides: {list(strides)}"
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, {held}")
    if start < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {start}")
    last = start + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    if last >= len(x.grid.flat):
        raise RuntimeError(
            f"setStorage: sizes {list(shape)}, strides {list(strides)}, storage offset {start}, "
            "and itemsize 4 are out of bounds for storage"
        )
    return x.view(Grid(x.grid.flat, shape, strides, start), "AsStridedBackward0")


COMPOSED: dict[str, Function] = {
    "atleast_1d": _at_least(1), "atleast_2d": _at_least(2), "atleast_3d": _at_least(3),
    "diff": diff, "select": lambda x, dim, index: x[at_axis(x, dim, index)], "narrow": narrow,
    "take": lambda x, index: at_places(flatten(x), index, "TakeBackward0"),
    "masked_select": lambda x, mask: at_places(x, mask, "MaskedSelectBackward0"),
    "unflatten": unflatten, "broadcast_to": expand, "ravel": lambda x: reshape(x, -1),
    "tile": tile, "swapaxes": transpose, "swapdims": transpose,
    "lerp": _made("Lerp", lambda x, end, weight: x + elementwise("-", end, x) * weight),
    "addcmul": _made("Addcmul", _scaled_sum(lambda a, b: a * b)),
    "addcdiv": _made("Addcdiv", _scaled_sum(lambda a, b: a / b)),
    "addmm": _made("Addmm", _product_added(matmul)),
    "addmv": _made("Addmv", _product_added(matmul)),
    "baddbmm": _made("Baddbmm", _product_added(matmul)), "matrix_power": matrix_power,
    "hypot": _made("Hypot", lambda x, other: elementwise("sqrt", x**2 + other**2)),
    "logit": logit,
    "dist": _made("Dist", lambda x, other, p=2: length(x - other, p)),
    "div": _quotient, "divide": _quotient, "true_divide": _quotient,
    "frac": _made("Frac", lambda x: x - mapped(cut_off, None, x)),
    "floor_divide": divided_down, "fmod": fmod, "movedim": movedim, "moveaxis": movedim,
    "clamp_min": _made("ClampMin", lambda x, low: clamp(x, low, None)),
    "clamp_max": _made("ClampMax", lambda x, high: clamp(x, None, high)),
    "isclose": is_close, "isin": is_in, "nan_to_num": _made("NanToNum", nan_to_num),
    "count_nonzero": lambda x, dim=None: sum_of(mapped(lambda a: a != 0, BOOL, x), dim),
    "nansum": _without_nan(sum_of), "nanmean": _without_nan(mean),
    "vdot": dot,
    "is_nonzero": bool, "is_complex": lambda x: False,
    "signbit": lambda x: mapped(lambda a: math.copysign(1, a) < 0, BOOL, x),
    "is_floating_point": lambda x: x.dtype.is_floating_point,
    "aminmax": aminmax, "cummax": running_extreme("cummax", lambda a, b: a >= b),
    "cummin": running_extreme("cummin", lambda a, b: a <= b), "kron": kron,
    "cross": _made("LinalgCross", cross), "cov": cov, "quantile": quantile, "histc": histc,
    "unfold": unfold, "as_strided": as_strided,
}  # fmt: skip
"""Names of torch that are methods of tensors too."""
OF_MODULE: dict[str, Function] = {
    "std_mean": _with_mean(deviation), "var_mean": _with_mean(variance),
    "cdist": _made("Cdist", cdist), "bucketize": bucketize, "searchsorted": searchsorted,
    "vander": vander,
}  # fmt: skip
"""Names of torch alone."""
