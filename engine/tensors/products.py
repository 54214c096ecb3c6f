"""Products of matrices and vectors."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.einsum import axes_named
from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.grid import Grid, from_items
from engine.array_ops.products import matmul as multiply
from engine.array_ops.products import matmul_shape
from engine.ops import OPS
from engine.real import as_single

from . import blocks
from .arrangement import reshape, t
from .dtypes import INT64, DType
from .elementwise import elementwise
from .saved import save
from .scalar import Tensor
from .session import Session
from .tensor_array import TensorArray
from .whole import whole

_WORDS = {"float32": "float", "float64": "double", "int64": "long long", "int32": "int"}


def matmul(session: Session, a: Any, b: Any) -> Any:
    """a @ b of tensors with one to four axes. Raises RuntimeError as PyTorch does."""
    left, right = session.array(a), session.array(b)
    if left.shape and right.shape:
        _check_types(left, right)
    try:
        shape = matmul_shape([left.shape, right.shape], {})
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    session.room(shape)
    product = _Product(session, left.dtype)
    live = [session.is_live(x) for x in (left, right)]
    numbers = 2 * prod(shape) * left.shape[-1]
    if any(live) and left.dtype.category == 2 and session.is_whole([left, right], numbers):
        name = _name(left.ndim, right.ndim)
        plain = matmul(session, left.detached(), right.detached())
        out = blocks.of_op("@", plain, [left, right], live, {}, name)
        save(out, [x for x, other in ((left, live[1]), (right, live[0])) if other])
        return out
    sides = [from_items(session.cells(x), x.shape) for x in (left, right)]
    if any(live):
        grid = folding.matmul(sides[0], sides[1], product.dot)
    elif min(left.ndim, right.ndim) > 1 and (numbers > LONG or session.is_beyond):
        flats = [Flat(side.shape, side.items()) for side in sides]
        grid = from_items(left.dtype.convert(multiply(flats, {}).data), shape)
    else:
        grid = folding.matmul(sides[0], sides[1], product.plain)
    made_by = _name(left.ndim, right.ndim) if any(live) else ""
    out = session.tensor(grid.items(), shape, left.dtype, made_by)
    if made_by:
        save(out, [x for x, other in ((left, live[1]), (right, live[0])) if other])
    return out


def _check_types(left: TensorArray, right: TensorArray) -> None:
    if left.dtype == right.dtype:
        return
    if left.ndim == right.ndim == 1:
        a, b = left.dtype.title, right.dtype.title
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {a} and {b}")
    a, b = (_WORDS.get(x.dtype.name, x.dtype.name) for x in (left, right))
    raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {a} != {b}")


def _name(left: int, right: int) -> str:
    known = {(1, 1): "Dot", (2, 1): "Mv", (2, 2): "Mm"}
    if (left, right) == (1, 2):
        return "SqueezeBackward4"
    return f"{known[left, right]}Backward0" if (left, right) in known else "UnsafeViewBackward0"


LONG = 20_000
"""Products of more multiplications and additions are rounded once, not after each."""


class _Product:
    """Inner products of rows and columns, from left to right."""

    def __init__(self, session: Session, dtype: DType) -> None:
        self.session, self.dtype = session, dtype
        self.add = session.adder(dtype)

    def dot(self, row: list[Any], column: list[Any]) -> Any:
        if not any(isinstance(x, Tensor) for side in (row, column) for x in side):
            return self.plain(row, column)
        times, total = OPS["*"], None
        for a, b in zip(row, column, strict=True):
            term = self.session.apply(times, self.dtype, a, b)
            total = term if total is None else self.add(total, term)
        return total

    def plain(self, row: list[Any], column: list[Any]) -> Any:
        """Of numbers; 32-bit products are added before they are rounded, as by fused operations."""
        total: Any = self.dtype.convert([0])[0]
        single = self.dtype.name == "float32"
        for a, b in zip(row, column, strict=True):
            total = as_single(total + a * b) if single else total + a * b
        return self.dtype.convert([total])[0]


def mm(session: Session, a: Any, b: Any) -> Any:
    for x, name in ((a, "self"), (b, "mat2")):
        if session.array(x).ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    return matmul(session, a, b)


def dot(session: Session, a: Any, b: Any) -> Any:
    left, right = session.array(a), session.array(b)
    if left.ndim != 1 or right.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {left.ndim}D and {right.ndim}D tensors")
    return matmul(session, a, b)


def inner(session: Session, a: Any, b: Any) -> Any:
    """The products of rows with rows; with a number, each element times it."""
    left, right = session.array(a), session.array(b)
    if not left.shape or not right.shape:
        return elementwise(session, "*", a, b)
    if left.ndim == right.ndim == 1:
        return matmul(session, a, b)
    one, other = "abcdefgh"[: left.ndim - 1], "ijklmnop"[: right.ndim - 1]
    return einsum(session, f"{one}z,{other}z->{one}{other}", a, b)


def outer(session: Session, a: Any, b: Any) -> Any:
    left, right = session.array(a), session.array(b)
    column = reshape(session, left, left.size, 1)
    return elementwise(session, "*", column, right)


def linear(session: Session, x: Any, weight: Any, bias: Any = None) -> Any:
    """x @ weightᵀ + bias"""
    array = session.array(x)
    if not session.array(weight).shape:
        raise RuntimeError("both arguments to linear need to be at least 1D")
    result = matmul(session, x, t(session, weight))
    if bias is None:
        return result
    name = "AddmmBackward0" if array.ndim == 2 else "ViewBackward0"
    return elementwise(session, "+", result, bias, made_by=name)


def einsum(session: Session, equation: str, *operands: Any) -> Any:
    """Σ of products over named axes: `"ij,jk->ik"` is Σⱼ a[i, j]·b[j, k]."""
    given = operands[0] if len(operands) == 1 and isinstance(operands[0], list) else operands
    arrays = [session.array(x) for x in given]
    try:
        inputs, output = axes_named(equation, [x.ndim for x in arrays])
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    if len(arrays) == 1 and set(inputs[0]) == set(output):
        return _seen_along(session, arrays[0], inputs[0], output)
    dtype, alone = arrays[0].dtype, len(arrays) == 1
    if alone and dtype.category < 2:
        dtype = INT64
    return whole(session, "einsum", given, {"equation": equation}, dtype=dtype,
                 made_by="SumBackward1" if alone else "ViewBackward0")  # fmt: skip


def _seen_along(session: Session, x: TensorArray, letters: str, output: str) -> Any:
    """A view of one operand: axes in another order, or diagonals."""
    shape, strides = [], []
    for letter in output:
        own = [k for k, name in enumerate(letters) if name == letter]
        sizes = [x.shape[k] for k in own]
        if len(set(sizes)) > 1:
            raise RuntimeError(
                f"einsum(): subscript {letter} is repeated for operand 0 but the sizes don't "
                f"match, {sizes[1]} != {sizes[0]}"
            )
        shape.append(x.shape[own[0]])
        strides.append(sum(x.grid.strides[k] for k in own))
    grid = Grid(x.grid.flat, tuple(shape), tuple(strides), x.grid.offset)
    return session.view(x, grid, "PermuteBackward0")
