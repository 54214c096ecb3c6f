"""Arrays as the table computes with them: a shape, and the numbers in row-major order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from math import prod
from operator import add
from typing import Any, NamedTuple, TypeAlias

from .grid import (
    Grid,
    Shape,
    broadcast_shape,
    chunks,
    expanded_items,
    from_items,
    shape_text,
    transpose,
)

Numbers: TypeAlias = list[Any]


class Flat(NamedTuple):
    """An array of numbers: `prod(shape)` of them, in row-major order. A scalar has shape ()."""

    shape: Shape
    data: Numbers

    def grid(self) -> Grid:
        return from_items(self.data, self.shape)


class Misfit(ValueError):
    """Shapes that do not fit, in NumPy's words; `of_torch` are PyTorch's."""

    def __init__(self, of_numpy: str, of_torch: str) -> None:
        super().__init__(of_numpy)
        self.of_torch = of_torch


def number(x: float) -> Flat:
    """A scalar."""
    return Flat((), [x])


def broadcast(*shapes: Shape) -> Shape:
    """The common shape of arrays; Misfit if there is none."""
    shape = shapes[0]
    for other in shapes[1:]:
        if other != shape:
            common = broadcast_shape(shape, other)
            if common is None:
                raise unequal(*shapes, at=(shape, other))
            shape = common
    return shape


def unequal(*shapes: Shape, at: tuple[Shape, Shape] | None = None) -> Misfit:
    """What is said of shapes that do not broadcast; `at` are the two of them that do not."""
    a, b = at or (shapes[0], shapes[1])
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    axis = next(
        k for k in reversed(range(rank)) if left[k] != right[k] and 1 not in (left[k], right[k])
    )
    said = " ".join(map(shape_text, shapes))
    return Misfit(
        f"operands could not be broadcast together with shapes {said} ",
        f"The size of tensor a ({left[axis]}) must match the size of tensor b ({right[axis]}) "
        f"at non-singleton dimension {axis}",
    )


def broadcast_axes(shape: Shape, wide: Shape) -> tuple[int, ...]:
    """The axes of `wide` along which broadcasting repeats an array of `shape`.

    Over these the contributions to its gradient are summed.
    """
    own = (1,) * (len(wide) - len(shape)) + tuple(shape)
    lead = len(wide) - len(shape)
    return tuple(k for k, (n, m) in enumerate(zip(own, wide, strict=True)) if k < lead or n != m)


def expanded(x: Flat, shape: Shape) -> Numbers:
    """The numbers of `x` broadcast to `shape`; its own list where nothing is to be done."""
    return x.data if x.shape == shape else expanded_items(x.grid(), shape)


def summed_to(data: Numbers, wide: Shape, shape: Shape) -> Flat:
    """Numbers of the shape `wide`, summed over the axes that broadcast `shape` to it."""
    if wide == shape:
        return Flat(shape, data)
    axes = broadcast_axes(shape, wide)
    if len(axes) == len(wide):
        return Flat(shape, [sum(data)])
    if axes == tuple(range(len(axes))) and prod(wide[: len(axes)]) <= prod(wide[len(axes) :]):
        size = prod(wide[len(axes) :])  # few long rows: whole rows are added
        rows = chunks(data, size, prod(wide[: len(axes)]))
        return Flat(
            shape, reduce(lambda a, b: list(map(add, a, b)), rows) if rows else [0.0] * size
        )
    return Flat(shape, [sum(row) for row in rows_along(Flat(wide, data), axes)])


def kept_axes(shape: Shape, axes: Sequence[int], keepdims: bool) -> Shape:
    """The shape after a reduction over `axes`, which disappear or have length 1."""
    if keepdims:
        return tuple(1 if k in axes else n for k, n in enumerate(shape))
    return tuple(n for k, n in enumerate(shape) if k not in axes)


def axes_of(params: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `params["axes"]` names, all for None, counted from 0."""
    axes = params.get("axes")
    if axes is None:
        return tuple(range(ndim))
    given = (axes,) if isinstance(axes, int) else axes
    return tuple(axis_of(k, ndim) for k in given)


def axis_of(axis: int, ndim: int) -> int:
    """An axis counted from 0; Misfit if there is none."""
    if not -ndim <= axis < ndim:
        low, high = -max(ndim, 1), max(ndim, 1) - 1
        if low <= axis <= high:
            return 0
        raise Misfit(
            f"axis {axis} is out of bounds for array of dimension {ndim}",
            f"Dimension out of range (expected to be in range of [{low}, {high}], but got {axis})",
        )
    return axis % ndim


def order_along(shape: Shape, axes: Sequence[int]) -> tuple[Sequence[int], int]:
    """The row-major places with `axes` moved to the end, and the length of a row along them."""
    length = prod(shape[k] for k in axes)
    others = [k for k in range(len(shape)) if k not in axes]
    order = [*others, *axes]
    if order == list(range(len(shape))):
        return range(prod(shape)), length
    return transpose(from_items([], shape), order).positions(), length


def rows_along(x: Flat, axes: Sequence[int]) -> list[Numbers]:
    """For each index of the other axes, in row-major order, the numbers along `axes`."""
    order, length = order_along(x.shape, axes)
    data = x.data if isinstance(order, range) else [x.data[i] for i in order]
    return chunks(data, length, prod(x.shape[k] for k in range(len(x.shape)) if k not in axes))


def from_rows(rows: Iterable[Numbers], shape: Shape, axes: Sequence[int]) -> Flat:
    """The array of `shape` whose rows along `axes` these are."""
    data = [x for row in rows for x in row]
    order, _ = order_along(shape, axes)
    return Flat(shape, data if isinstance(order, range) else placed(data, order))


def placed(data: Numbers, order: Sequence[int]) -> Numbers:
    """`data[i]` at place `order[i]`, where every place occurs once."""
    out: Numbers = [0.0] * len(data)
    for place, x in zip(order, data, strict=True):
        out[place] = x
    return out


def index_text(name: str, place: int) -> str:
    """The element of an argument in the text of a scalar expression: `a[3]`."""
    return f"{name}[{place}]"
