"""Sums, means, extremes and other functions of the elements along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Self

from engine.array_ops import folding
from engine.array_ops.grid import from_items
from engine.ops import OPS
from engine.value import Value

from . import blocks
from .arrangement import axis_of
from .dtypes import BOOL, INT64, DType
from .elementwise import elementwise
from .scalar import Tensor
from .session import Session
from .sums import adjacent_sum, column_sums
from .tensor_array import TensorArray


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
    if session.is_live(array) and session.is_whole([array], array.size):
        plain = sum_of(session, array.detached(), dim, keepdim)
        params = {"axes": axes, "keepdims": keepdim}
        title = f"{name}{int(dim is not None)}"
        return blocks.of_op("sum", plain, [array], [True], params, title, saves=False)
    grid = from_items(session.cells(array), array.shape)
    shape, rows = folding.rows_along(grid, axes)
    if len(axes) == 1 and axes[0] < array.ndim - 1 and grid.size:
        items = column_sums(rows, session.adder(dtype))
    else:
        items = [total(session, row, dtype) for row in rows]
    shape = _kept(array, axes, keepdim)
    made_by = f"{name}{int(dim is not None)}" if session.is_live(array) else ""
    return session.tensor(dtype.convert(items) if not made_by else items, shape, dtype, made_by)


def _kept(array: TensorArray, axes: Sequence[int], keepdim: bool) -> tuple[int, ...]:
    if keepdim:
        return tuple(1 if k in axes else n for k, n in enumerate(array.shape))
    return tuple(n for k, n in enumerate(array.shape) if k not in axes)


def mean(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The mean along `dim`. Raises RuntimeError for integers."""
    array = session.array(x)
    if array.dtype.category < 2:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {array.dtype.title}"
        )
    sums = sum_of(session, x, dim, keepdim)
    count = math.prod(array.shape[k] for k in _axes(array, dim))
    return elementwise(session, "/", sums, count, made_by=f"MeanBackward{int(dim is not None)}")


def variance(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, correction: float = 1
) -> Any:
    """Σ(x − mean)² / (n − correction) along `dim`."""
    array = session.array(x)
    centre = mean(session, x, dim, True)
    squares = elementwise(session, "**", elementwise(session, "-", x, centre), 2)
    count = math.prod(array.shape[k] for k in _axes(array, dim)) - correction
    sums = sum_of(session, squares, dim, keepdim)
    return elementwise(session, "/", sums, max(count, 0), made_by="VarBackward0")


def deviation(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, correction: float = 1
) -> Any:
    squares = variance(session, x, dim, keepdim, correction)
    return root(session, squares, "StdBackward0")


def norm(session: Session, x: Any) -> Any:
    """The Euclidean norm of all elements."""
    squares = sum_of(session, elementwise(session, "**", x, 2))
    return root(session, squares, "LinalgVectorNormBackward0")


def root(session: Session, squares: Any, name: str) -> Any:
    """√ of a sum of squares, whose gradient is 0 where it is 0."""
    array = session.array(squares)
    if not session.is_live(array) or all(array.numbers()):
        return elementwise(session, "sqrt", squares, made_by=name)
    op = OPS["sqrt"]
    items = [
        session.apply(op, array.dtype, x) if x.data else session.tied(x, 0.0, array.dtype)
        for x in session.cells(array)
    ]
    return session.tensor(items, array.shape, array.dtype, name)


def product(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    array = session.array(x)
    dtype = INT64 if array.dtype.category < 2 else array.dtype

    def times(row: list[Any]) -> Any:
        result: Any = dtype.convert([1])[0]
        for i, cell in enumerate(row):
            result = session.apply(OPS["*"], dtype, result, cell) if i else cell
        return result

    return folded(session, array, dim, keepdim, times, dtype, f"ProdBackward{int(dim is not None)}")


def folded(
    session: Session,
    array: TensorArray,
    dim: Any,
    keepdim: bool,
    f: Callable[[list[Any]], Any],
    dtype: DType,
    name: str = "",
) -> Any:
    """`f` of the elements along `dim`."""
    axes = _axes(array, dim)
    grid = from_items(session.cells(array), array.shape)
    _, rows = folding.rows_along(grid, axes)
    made_by = name if session.is_live(array) else ""
    return session.tensor([f(row) for row in rows], _kept(array, axes, keepdim), dtype, made_by)


def numbers_of(row: Sequence[Any]) -> list[Any]:
    return [x.data if isinstance(x, Value) else x for x in row]


def place_of(row: Sequence[Any], largest: bool) -> int:
    """The index of the first extreme; that of the first nan if there is one."""
    numbers = numbers_of(row)
    for i, x in enumerate(numbers):
        if x != x:
            return i
    return numbers.index((max if largest else min)(numbers))


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

    axes = {} if dim is None else {"axes": _axes(array, dim), "ties": "first"}
    whole = blocks.of_large(
        session, f"a{name}", [array], {**axes, "keepdims": keepdim}, title,
        lambda plain: _first_of(extreme(session, plain, other, keepdim, largest=largest, dim=dim)),
    )  # fmt: skip

    def chosen(row: list[Any]) -> Any:
        cell = row[place_of(row, largest)]
        return cell if dim is not None else evenly(session, row, cell, array.dtype)

    values = whole
    if values is None:
        values = folded(session, array, dim, keepdim, chosen, array.dtype, title)
    return (
        values
        if dim is None
        else Extremes(values, arg_extreme(session, x, dim, keepdim, largest=largest), name)
    )


def _first_of(found: Any) -> Any:
    return found[0] if isinstance(found, Extremes) else found


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

    def chosen(row: list[Any]) -> Any:
        return evenly(session, row, row[place_of(row, largest)], array.dtype)

    name = "AmaxBackward0" if largest else "AminBackward0"
    axes = {} if dim is None else {"axes": _axes(array, dim)}
    found = blocks.of_large(
        session, "amax" if largest else "amin", [array], {**axes, "keepdims": keepdim}, name,
        lambda plain: amplitude(session, plain, dim, keepdim, largest=largest),
    )  # fmt: skip
    if found is not None:
        return found
    return folded(session, array, dim, keepdim, chosen, array.dtype, name)


def evenly(session: Session, row: Sequence[Any], cell: Any, dtype: DType) -> Any:
    """The number of `cell`, as the mean of all elements of a row that have it."""
    (number,) = numbers_of([cell])
    ties = [x for x in row if isinstance(x, Tensor) and x.data == number]
    if len(ties) < 2:
        return ties[0] if ties else cell
    total = ties[0]
    for x in ties[1:]:
        total = session.apply(OPS["+"], dtype, total, x)
    return session.apply(OPS["/"], dtype, total, float(len(ties)))


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


def cumulative(session: Session, x: Any, dim: int) -> Any:
    """The running sum along an axis."""
    array = session.array(x)
    dtype = INT64 if array.dtype.category < 2 else array.dtype
    if array.dtype is BOOL:
        array = TensorArray(session, from_items(INT64.convert(array.numbers()), array.shape), INT64)
    add = session.adder(dtype)

    def running(row: list[Any]) -> list[Any]:
        out: list[Any] = []
        for cell in row:
            out.append(add(out[-1], cell) if out else cell)
        return out

    return along(session, array, dim, running, dtype, "CumsumBackward0", "cumsum")


def running_product(session: Session, x: Any, dim: int) -> Any:
    """The running product along an axis."""
    array = session.array(x)
    if array.dtype.category < 2:
        array = TensorArray(session, from_items(INT64.convert(array.numbers()), array.shape), INT64)

    def running(row: list[Any]) -> list[Any]:
        out: list[Any] = []
        for cell in row:
            out.append(session.apply(OPS["*"], array.dtype, out[-1], cell) if out else cell)
        return out

    return along(session, array, dim, running, array.dtype, "CumprodBackward0", "cumprod")


def along(
    session: Session,
    array: TensorArray,
    dim: Any,
    f: Callable[[list[Any]], list[Any]],
    dtype: DType,
    name: str,
    op: str = "",
) -> Any:
    """Each row along an axis replaced by `f` of it; `op` is it in the table of arrays."""
    if not array.size:
        return session.tensor([], array.shape, dtype)
    whole = blocks.of_large(
        session, op, [array], {"axis": axis_of(dim, array.ndim)}, name,
        lambda plain: along(session, plain, dim, f, dtype, name),
    ) if op else None  # fmt: skip
    if whole is not None:
        return whole
    grid = from_items(session.cells(array), array.shape or (1,))
    result = folding.along(grid, axis_of(dim, array.ndim), f)
    made_by = name if session.is_live(array) else ""
    shape = result.shape if array.shape else ()
    return session.tensor(result.items(), shape, dtype, made_by)


def ordering(session: Session, x: Any, dim: int = -1, descending: bool = False) -> tuple[Any, Any]:
    """The sorted elements along an axis and where they were; equal elements keep their order."""
    array = session.array(x)

    def places(row: list[Any]) -> list[int]:
        numbers = numbers_of(row)
        return sorted(range(len(row)), key=lambda i: numbers[i], reverse=descending)

    def ranked(row: list[Any]) -> list[int]:
        order = places(row)
        return _stable(numbers_of(row), order) if descending else order

    values = along(
        session, array, dim, lambda row: [row[i] for i in ranked(row)], array.dtype, "SortBackward0"
    )
    return values, along(session, array.detached(), dim, ranked, INT64, "")


def _stable(numbers: Sequence[Any], order: list[int]) -> list[int]:
    return sorted(order, key=lambda i: (-numbers[i], i))
