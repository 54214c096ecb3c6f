"""Sums, means, extremes and other functions of the elements along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import add, mul
from typing import Any, Self

from engine.array_ops import folding
from engine.array_ops.flat import kept_axes
from engine.array_ops.grid import from_items

from .arrangement import axis_of
from .dtypes import BOOL, INT64, DType
from .elementwise import elementwise
from .session import Session
from .sums import adjacent_sum, column_sums
from .tensor_array import TensorArray
from .whole import by_steps, picked, record, whole


class Extremes(tuple[Any, Any]):  # noqa: SLOT001 - a tuple has no room for slots
    """Values and indices: what max, min and sort along an axis return; `name` is the function."""

    def __new__(cls, values: Any, indices: Any, name: str) -> Self:
        made = super().__new__(cls, (values, indices))
        made.name = name
        return made

    name: str

    @property
    def values(self) -> Any:
        return self[0]

    @property
    def indices(self) -> Any:
        return self[1]

    def __repr__(self) -> str:
        return (
            f"torch.return_types.{self.name}(\nvalues={self.values!r},\nindices={self.indices!r})"
        )


def _axes(array: TensorArray, dim: Any) -> list[int]:
    if dim is None:
        return list(range(array.ndim))
    dims = dim if isinstance(dim, tuple | list) else [dim]
    axes = [axis_of(k, array.ndim) for k in dims]
    return (axes if array.shape else []) or list(range(array.ndim))


def total(session: Session, cells: Sequence[Any], dtype: DType) -> Any:
    """The sum of elements that lie next to each other."""
    return adjacent_sum(cells, session.adder(dtype)) if cells else dtype.convert([0])[0]


def sum_of(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, name: str = "SumBackward"
) -> Any:
    """The sum along `dim`, by default of all elements; integers for truth values."""
    array = session.array(x)
    dtype = INT64 if array.dtype.category < 2 else array.dtype
    axes = _axes(array, dim)
    rows = folding.rows_along(array.grid, axes)[1]
    if len(axes) == 1 and axes[0] < array.ndim - 1 and array.size:
        items = column_sums(rows, session.adder(dtype))
    else:
        items = [total(session, row, dtype) for row in rows]
    out = session.tensor(dtype.convert(items), kept_axes(array.shape, axes, keepdim), dtype)
    params = {"axes": axes, "keepdims": keepdim}
    return record(session, "sum", out, [array], params, f"{name}{int(dim is not None)}",
                  saves=False)  # fmt: skip


def mean(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The mean along `dim`. Raises RuntimeError for integers."""
    array = session.array(x)
    if array.dtype.category < 2:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {array.dtype.title}"
        )
    axes = _axes(array, dim)
    count = math.prod(array.shape[k] for k in axes)
    return by_steps(
        session, "mean", [array], {"axes": axes, "keepdims": keepdim},
        f"MeanBackward{int(dim is not None)}",
        lambda x: elementwise(session, "/", sum_of(session, x, dim, keepdim), count), saves=False,
    )  # fmt: skip


def _spread(
    session: Session, op: str, x: Any, dim: Any, keepdim: bool, correction: float,
    finish: Callable[[Any], Any],
) -> Any:  # fmt: skip
    array = session.array(x)
    axes = _axes(array, dim)
    count = max(math.prod(array.shape[k] for k in axes) - correction, 0)

    def compute(x: Any) -> Any:
        centred = elementwise(session, "-", x, mean(session, x, dim, True))
        sums = sum_of(session, elementwise(session, "**", centred, 2), dim, keepdim)
        return finish(elementwise(session, "/", sums, count))

    params = {"axes": axes, "keepdims": keepdim, "ddof": correction}
    return by_steps(session, op, [array], params, f"{op.capitalize()}Backward0", compute)


def variance(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, correction: float = 1
) -> Any:
    """Σ(x − mean)² / (n − correction) along `dim`."""
    return _spread(session, "var", x, dim, keepdim, correction, lambda found: found)


def deviation(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, correction: float = 1
) -> Any:
    return _spread(session, "std", x, dim, keepdim, correction,
                   lambda found: elementwise(session, "sqrt", found))  # fmt: skip


def length(session: Session, x: Any, dim: Any, keepdim: bool, p: Any = 2) -> Any:
    """(Σ|x|^p)^(1/p) along axes."""
    array = session.array(x)
    p = 2.0 if p == "fro" else float(p)

    def compute(x: Any) -> Any:
        if p == 1:
            return sum_of(session, elementwise(session, "abs", x), dim, keepdim)
        squares = sum_of(session, elementwise(session, "**", x, 2), dim, keepdim)
        return elementwise(session, "sqrt", squares)

    params = {"axes": _axes(array, dim), "keepdims": keepdim, "p": p}
    if p not in (1, 2):
        if p <= 0:
            session.machine.refuse("Norms are those of p > 0 here.", "Write x.norm().")
        return whole(session, "norm", [array], params)
    return by_steps(session, "norm", [array], params, "LinalgVectorNormBackward0", compute)


def product(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    array = session.array(x)
    dtype = INT64 if array.dtype.category < 2 else array.dtype

    def times(row: list[Any]) -> Any:
        result: Any = row[0] if row else 1
        for number in row[1:]:
            (result,) = dtype.convert([result * number])
        return result

    return folded(session, array, dim, keepdim, times, dtype, "prod",
                  f"ProdBackward{int(dim is not None)}")  # fmt: skip


def folded(
    session: Session, array: TensorArray, dim: Any, keepdim: bool, f: Callable[[list[Any]], Any],
    dtype: DType, op: str = "", name: str = "", **params: Any,
) -> Any:  # fmt: skip
    """`f` of the numbers along `dim`; `op` is it in the table of arrays."""
    axes = _axes(array, dim)
    rows = folding.rows_along(array.grid, axes)[1]
    items = dtype.convert(map(f, rows))
    out = session.tensor(items, kept_axes(array.shape, axes, keepdim), dtype)
    if not op:
        return out
    params |= {"axes": axes, "keepdims": keepdim}
    return record(session, op, out, [array], params, name)


def place_of(row: Sequence[Any], largest: bool) -> int:
    """The index of the first extreme; that of the first nan if there is one."""
    for i, x in enumerate(row):
        if x != x:
            return i
    return row.index((max if largest else min)(row))


def _extreme_of(largest: bool) -> Callable[[list[Any]], Any]:
    return lambda row: row[place_of(row, largest)]


def extreme(
    session: Session,
    x: Any,
    other: Any = None,
    keepdim: bool = False,
    *,
    largest: bool,
    dim: Any = None,
) -> Any:
    """max or min: of all elements, along an axis with indices, or of two tensors."""
    name = "max" if largest else "min"
    if isinstance(other, TensorArray):
        return elementwise(session, name, x, other)
    dim = other if dim is None else dim
    array = session.array(x)
    _check_elements(array, name)
    title = f"{name.capitalize()}Backward{int(dim is None)}"
    if dim is None:
        return folded(session, array, dim, keepdim, _extreme_of(largest), array.dtype, f"a{name}",
                      title)  # fmt: skip
    values = folded(session, array, dim, keepdim, _extreme_of(largest), array.dtype, f"a{name}",
                    title, ties="first")  # fmt: skip
    return Extremes(values, arg_extreme(session, x, dim, keepdim, largest=largest), name)


def _check_elements(array: TensorArray, name: str) -> None:
    if not array.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )


def amplitude(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, *, largest: bool
) -> Any:
    """amax or amin."""
    array = session.array(x)
    _check_elements(array, "amax" if largest else "amin")

    name = "amax" if largest else "amin"
    return folded(session, array, dim, keepdim, _extreme_of(largest), array.dtype, name,
                  f"{name.capitalize()}Backward0")  # fmt: skip


def arg_extreme(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, *, largest: bool
) -> Any:
    """The index of the first extreme along `dim`, by default in the flattened tensor."""
    array = session.array(x).detached()
    name = "argmax" if largest else "argmin"
    if not array.size:
        raise IndexError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
        )
    return folded(session, array, dim, keepdim, lambda row: place_of(row, largest), INT64)


def truth(session: Session, x: Any, dim: Any = None, keepdim: bool = False, *, every: bool) -> Any:
    """all or any."""
    fold: Callable[[list[Any]], bool] = all if every else any
    return folded(session, session.array(x).detached(), dim, keepdim, fold, BOOL)


def _running(session: Session, x: Any, dim: Any, name: str, step: Callable[[Any, Any], Any]) -> Any:
    """Each element along an axis combined with those before it, each step rounded."""
    array = session.array(x)
    dtype = INT64 if array.dtype.category < 2 else array.dtype
    axis = axis_of(dim, array.ndim)

    def running(row: list[Any]) -> list[Any]:
        return list(accumulate(row, lambda a, b: dtype.convert([step(a, b)])[0]))

    grid = from_items(dtype.convert(array.numbers()), array.shape or (1,))
    out = session.tensor(folding.along(grid, axis, running).items(), array.shape, dtype)
    return record(session, name, out, [array], {"axis": axis}, f"{name.capitalize()}Backward0")


def cumulative(session: Session, x: Any, dim: int) -> Any:
    """The running sum along an axis."""
    return _running(session, x, dim, "cumsum", add)


def running_product(session: Session, x: Any, dim: int) -> Any:
    """The running product along an axis."""
    return _running(session, x, dim, "cumprod", mul)


def moved(
    session: Session, array: TensorArray, dim: Any, f: Callable[[list[int]], list[int]], name: str
) -> Any:
    """Each row along an axis replaced by the elements at the places that `f` makes of theirs."""
    grid = from_items(list(range(array.size)), array.shape or (1,))
    found = folding.along(grid, axis_of(dim, array.ndim), f)
    return picked(session, array, found.items(), found.shape if array.shape else (), name)


def ranks(
    session: Session, array: TensorArray, dim: Any, order: Callable[[list[Any]], list[int]],
    name: str,
) -> tuple[Any, Any]:  # fmt: skip
    """The elements along an axis at the indices that `order` makes of their numbers, and these."""
    numbers = array.numbers()
    values = moved(
        session, array, dim, lambda at: [at[i] for i in order([numbers[k] for k in at])], name
    )
    grid = from_items(numbers, array.shape or (1,))
    indices = folding.along(grid, axis_of(dim, array.ndim), order).items()
    return values, session.tensor(indices, values.shape, INT64)


def ordering(session: Session, x: Any, dim: int = -1, descending: bool = False) -> tuple[Any, Any]:
    """The sorted elements along an axis and where they were; equal elements keep their order."""

    def order(row: list[Any]) -> list[int]:
        return sorted(range(len(row)), key=lambda i: -row[i] if descending else row[i])

    return ranks(session, session.array(x), dim, order, "SortBackward0")
