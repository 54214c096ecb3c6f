"""Shapes and axes as programs write them."""

from __future__ import annotations

from typing import Any

from engine.array_ops.grid import Shape, completed, shape_text


class AxisError(ValueError, IndexError):
    """An axis that an array does not have."""


def shape_of(size: Any) -> Shape:
    """A shape from an integer or a sequence of integers; ValueError for negative lengths."""
    try:
        shape = tuple(int(n.__index__()) for n in size)
    except TypeError:
        shape = (_length(size),)
    except AttributeError:
        raise TypeError(
            f"'{type(next(n for n in size if not hasattr(n, '__index__'))).__name__}' object "
            "cannot be interpreted as an integer"
        ) from None
    if min(shape, default=0) < 0:
        raise ValueError("negative dimensions are not allowed")
    return shape


def _length(size: Any) -> int:
    try:
        return int(size.__index__())
    except AttributeError:
        raise TypeError(
            f"expected a sequence of integers or a single integer, got '{size!r}'"
        ) from None


def axis_of(axis: Any, ndim: int) -> int:
    """A non-negative axis; AxisError if there is none."""
    index = int(axis.__index__())
    if not -ndim <= index < ndim:
        raise AxisError(f"axis {index} is out of bounds for array of dimension {ndim}")
    return index % ndim


def axes_of(axis: Any, ndim: int) -> list[int]:
    """The axes that `axis` names: one, several or, for None, all."""
    if axis is None or (ndim == 0 and axis in (0, -1)):  # a number is taken as it is
        return list(range(ndim))
    if isinstance(axis, (tuple, list)):
        axes = [axis_of(one, ndim) for one in axis]
        if len(set(axes)) < len(axes):
            raise ValueError("duplicate value in 'axis'")
        return axes
    return [axis_of(axis, ndim)]


def reshaped(old: Shape, size: int, wanted: Any) -> Shape:
    """The shape that `reshape` asks for, its -1 filled in; ValueError if it does not fit."""
    shape = tuple(int(n) for n in wanted) if isinstance(wanted, (tuple, list)) else (int(wanted),)
    if sum(n < 0 for n in shape) > 1:
        raise ValueError("can only specify one unknown dimension")
    complete = completed(tuple(-1 if n < 0 else n for n in shape), size)
    if complete is None:
        text = shape_text(tuple(shape)).replace("-1", "newaxis")
        raise ValueError(f"cannot reshape array of size {size} into shape {text}")
    return complete
