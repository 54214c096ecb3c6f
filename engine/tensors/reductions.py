"""Sums, means, extremes and other functions of the elements along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import add, mul
from typing import Any

from engine.array_ops import folding
from engine.array_ops.flat import kept_axes
from engine.array_ops.grid import from_items
from engine.array_ops.rows import order_of

from .arrangement import axis_of, get_item
from .dtypes import BOOL, INT64, DType
from .elementwise import cast, elementwise
from .sums import adjacent_sum, sums_along
from .tensor_array import TensorArray
from .whole import by_steps, picked, record, whole

Row = list[Any]


class Returned(tuple[Any, Any]):  # noqa: SLOT001 - a tuple has no room for slots
    """What functions with two results return: values and indices of `max`, `sort`, `topk`."""

    title: str
    fields: tuple[str, str]

    def __getattr__(self, name: str) -> Any:
        if name not in self.fields:
            raise AttributeError(f"'{self.title}' object has no attribute '{name}'")
        return self[self.fields.index(name)]

    def __repr__(self) -> str:
        pairs = zip(self.fields, self, strict=True)
        shown = ",\n".join(f"{name}={x!r}" for name, x in pairs)
        return f"torch.return_types.{self.title}(\n{shown})"


def returned(title: str, one: Any, other: Any, *fields: str) -> Returned:
    """The results of the function `title`."""
    made = Returned((one, other))
    made.title, made.fields = title, fields or ("values", "indices")  # type: ignore[assignment]
    return made


def _axes(x: TensorArray, dim: Any) -> list[int]:
    dims = [] if dim is None else dim if isinstance(dim, tuple | list) else [dim]
    axes = [axis_of(k, x.ndim) for k in dims]
    return (axes if x.shape else []) or list(range(x.ndim))


def total(cells: Sequence[Any], dtype: DType) -> Any:
    """The sum of elements that lie next to each other."""
    return adjacent_sum(cells, dtype.adder) if cells else dtype.convert([0])[0]


def _wide(x: TensorArray) -> DType:
    """The type of sums and products: 64-bit integers for integers and truth values."""
    return INT64 if x.dtype.category < 2 else x.dtype


def sum_of(
    x: Any, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Any:  # fmt: skip
    """The sum along `dim`, by default of all elements; integers for truth values."""
    x = x if dtype is None else cast(x, dtype)
    wide, axes = _wide(x), _axes(x, dim)
    rows = folding.rows_along(x.grid, axes)[1]
    items = sums_along(rows, axes, x.ndim, wide.adder) if x.size else [0] * len(rows)
    out = x.new(wide.convert(items), kept_axes(x.shape, axes, keepdim), wide)
    params, name = {"axes": axes, "keepdims": keepdim}, f"SumBackward{int(dim is not None)}"
    return record("sum", out, [x], params, name, saves=False)


def mean(x: Any, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None) -> Any:
    """The mean along `dim`. Raises RuntimeError for integers."""
    x = x if dtype is None else cast(x, dtype)
    if x.dtype.category < 2:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {x.dtype.title}"
        )
    axes = _axes(x, dim)
    count = math.prod(x.shape[k] for k in axes)
    return by_steps(
        "mean", [x], {"axes": axes, "keepdims": keepdim}, f"MeanBackward{int(dim is not None)}",
        lambda x: sum_of(x, dim, keepdim) / count, saves=False,
    )  # fmt: skip


def _spread(op: str, finish: Callable[[Any], Any]) -> Callable[..., Any]:
    """Σ(x − mean)² / (n − correction) along `dim`, and what `finish` makes of it."""

    def function(
        x: TensorArray, dim: Any = None, unbiased: bool = True, keepdim: bool = False,
        correction: float | None = None,
    ) -> Any:  # fmt: skip
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        by = (1.0 if unbiased else 0.0) if correction is None else correction
        axes = _axes(x, dim)
        count = max(math.prod(x.shape[k] for k in axes) - by, 0)

        def compute(x: Any) -> Any:
            squares = (x - mean(x, dim, True)) ** 2
            return finish(sum_of(squares, dim, keepdim) / count)

        params = {"axes": axes, "keepdims": keepdim, "ddof": by}
        return by_steps(op, [x], params, f"{op.capitalize()}Backward0", compute)

    return function


variance = _spread("var", lambda found: found)
deviation = _spread("std", lambda found: elementwise("sqrt", found))


def length(x: TensorArray, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
    """(Σ|x|^p)^(1/p) along axes."""
    if x.dtype.category < 2:
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.title}"
        )
    p = 2.0 if p == "fro" else float(p)

    def compute(x: Any) -> Any:
        if p == 1:
            return sum_of(abs(x), dim, keepdim)
        return elementwise("sqrt", sum_of(x**2, dim, keepdim))

    params = {"axes": _axes(x, dim), "keepdims": keepdim, "p": p}
    if p not in (1, 2):
        found = whole("norm", [x], params)
        if p == 0 and found.node is not None:
            found.node.args = [None]  # PyTorch hands no gradient on
        return found
    return by_steps("norm", [x], params, "LinalgVectorNormBackward0", compute)


def product(
    x: Any, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Any:  # fmt: skip
    x = x if dtype is None else cast(x, dtype)
    wide = _wide(x)

    def times(row: Row) -> Any:
        result: Any = row[0] if row else 1
        for number in row[1:]:
            (result,) = wide.convert([result * number])
        return result

    return folded(x, dim, keepdim, times, wide, "prod", f"ProdBackward{int(dim is not None)}")


def folded(
    x: TensorArray, dim: Any, keepdim: bool, f: Callable[[Row], Any], dtype: DType, op: str = "",
    name: str = "", **params: Any,
) -> Any:  # fmt: skip
    """`f` of the numbers along `dim`; `op` is it in the table of arrays."""
    axes = _axes(x, dim)
    rows = folding.rows_along(x.grid, axes)[1]
    out = x.new(dtype.convert(map(f, rows)), kept_axes(x.shape, axes, keepdim), dtype)
    if not op:
        return out
    return record(op, out, [x], {**params, "axes": axes, "keepdims": keepdim}, name)


# Extremes


def place_of(row: Sequence[Any], largest: bool) -> int:
    """The index of the first extreme; that of the first nan if there is one."""
    odd = next((i for i, x in enumerate(row) if x != x), None)
    return row.index((max if largest else min)(row)) if odd is None else odd


def _folded_to_extreme(
    x: TensorArray, dim: Any, keepdim: bool, name: str, title: str, **params: Any
) -> Any:
    if not x.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    largest = name.endswith("max")
    return folded(x, dim, keepdim, lambda row: row[place_of(row, largest)], x.dtype,
                  f"a{name[-3:]}", title, **params)  # fmt: skip


def extreme(name: str) -> Callable[..., Any]:
    """max or min: of all elements, along an axis with indices, or of two tensors."""

    def function(x: TensorArray, other: Any = None, keepdim: bool = False, *, dim: Any = None) -> Any:  # noqa: E501  # fmt: skip
        if isinstance(other, TensorArray):
            return elementwise(name, x, other)
        dim = other if dim is None else dim
        title = f"{name.capitalize()}Backward{int(dim is None)}"
        if dim is None:
            return _folded_to_extreme(x, dim, keepdim, name, title)
        values = _folded_to_extreme(x, dim, keepdim, name, title, ties="first")
        return returned(name, values, _place_along(x, dim, keepdim, f"arg{name}"))

    return function


def amplitude(name: str, title: str = "") -> Callable[..., Any]:
    """amax or amin."""

    def function(x: TensorArray, dim: Any = None, keepdim: bool = False) -> Any:
        return _folded_to_extreme(x, dim, keepdim, name, title or f"{name.capitalize()}Backward0")

    return function


def aminmax(x: TensorArray, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The least and the largest, between whose equals gradients are split."""
    ends = (amplitude(name, "AminmaxBackward0")(x, dim, keepdim) for name in ("amin", "amax"))
    return returned("aminmax", *ends, "min", "max")


def _place_along(x: TensorArray, dim: Any, keepdim: bool, name: str) -> Any:
    if not x.size:
        raise IndexError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
        )
    return folded(x, dim, keepdim, lambda row: place_of(row, name == "argmax"), INT64)


def arg_extreme(name: str) -> Callable[..., Any]:
    """The index of the first extreme along `dim`, by default in the flattened tensor."""

    def function(x: TensorArray, dim: Any = None, keepdim: bool = False) -> Any:
        if x.dtype is BOOL:
            raise RuntimeError(f"{name}(): does not support bool input")
        return _place_along(x, dim, keepdim, name)

    return function


def truth(fold: Callable[[Row], bool]) -> Callable[..., Any]:
    """all or any."""

    def function(x: TensorArray, dim: Any = None, keepdim: bool = False) -> Any:
        return folded(x, dim, keepdim, fold, BOOL)

    return function


# Rows as long as before


def _running(name: str, step: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Each element along an axis combined with those before it, each step rounded."""

    def function(x: Any, dim: int, *, dtype: DType | None = None) -> Any:
        x = x if dtype is None else cast(x, dtype)
        wide, axis = _wide(x), axis_of(dim, x.ndim)

        def running(row: Row) -> Row:
            return list(accumulate(row, lambda a, b: wide.convert([step(a, b)])[0]))

        grid = from_items(wide.convert(x.numbers()), x.shape or (1,))
        out = x.new(folding.along(grid, axis, running).items(), x.shape, wide)
        return record(name, out, [x], {"axis": axis}, f"{name.capitalize()}Backward0")

    return function


cumulative, running_product = _running("cumsum", add), _running("cumprod", mul)


def moved(x: TensorArray, dim: Any, f: Callable[[list[int]], list[int]], name: str) -> Any:
    """Each row along an axis replaced by the elements at the places that `f` makes of theirs."""
    grid = from_items(list(range(x.size)), x.shape or (1,))
    found = folding.along(grid, axis_of(dim, x.ndim), f)
    return picked(x, found.items(), found.shape if x.shape else (), name)


def ranks(
    x: TensorArray, dim: Any, order: Callable[[Row], list[int]], name: str
) -> tuple[Any, Any]:  # fmt: skip
    """The elements along an axis at the indices that `order` makes of their numbers, and these."""
    numbers = x.numbers()
    values = moved(x, dim, lambda at: [at[i] for i in order([numbers[k] for k in at])], name)
    grid = from_items(numbers, x.shape or (1,))
    indices = folding.along(grid, axis_of(dim, x.ndim), order).items()
    return values, x.new(indices, values.shape, INT64)


def ordering(x: TensorArray, dim: int = -1, descending: bool = False) -> tuple[Any, Any]:
    """The sorted elements along an axis and where they were; equal elements keep their order."""
    return ranks(x, dim, lambda row: order_of(row, {"descending": descending}), "SortBackward0")


def sort(x: TensorArray, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return returned("sort", *ordering(x, dim, descending))


def running_extreme(name: str, better: Callable[[Any, Any], bool]) -> Callable[..., Any]:
    """The extremes so far along an axis, and where they stand: the last of equal ones."""

    def places(numbers: Row) -> list[int]:
        found = [0] * bool(numbers)
        for i in range(1, len(numbers)):
            best = numbers[found[-1]]
            take = best == best and (better(numbers[i], best) or numbers[i] != numbers[i])
            found.append(i if take else found[-1])
        return found

    def function(x: TensorArray, dim: int) -> Any:
        return returned(name, *ranks(x, dim, places, f"{name.capitalize()}Backward0"))

    return function


def at_places(x: Any, key: Any, name: str) -> Any:
    """x[key] as the result of another function of PyTorch."""
    found = get_item(x, key)
    found.made_by = found.made_by and name
    return found
