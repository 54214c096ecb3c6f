"""Products of matrices and vectors."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.einsum import axes_named
from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.grid import Grid
from engine.array_ops.products import matmul as multiply
from engine.array_ops.products import matmul_shape
from engine.real import as_single

from .arrangement import reshape, t
from .dtypes import INT64, DType
from .elementwise import elementwise
from .saved import save
from .session import Session
from .tensor_array import TensorArray
from .whole import by_steps, record, whole

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
    if min(left.ndim, right.ndim) > 1 and 2 * prod(shape) * left.shape[-1] >= LONG:
        flats = [Flat(x.shape, x.numbers()) for x in (left, right)]
        items = left.dtype.convert(multiply(flats, {}).data)
    else:
        items = folding.matmul(left.grid, right.grid, _inner_product(left.dtype)).items()
    out = session.tensor(items, shape, left.dtype)
    record(session, "@", out, [left, right], {}, _name(left.ndim, right.ndim))
    if out.requires_grad:
        live = [session.is_live(x) for x in (right, left)]
        save(out, [x for x, other in zip((left, right), live, strict=True) if other])
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


LONG = 4_000
"""Products of more multiplications and additions are rounded once, not after each."""


def _inner_product(dtype: DType) -> Any:
    """The product of a row and a column, from left to right.

    32-bit products are added before they are rounded, as by fused operations.
    """

    def dot(row: list[Any], column: list[Any]) -> Any:
        total: Any = dtype.convert([0])[0]
        single = dtype.name == "float32"
        for a, b in zip(row, column, strict=True):
            total = as_single(total + a * b) if single else total + a * b
        return dtype.convert([total])[0]

    return dot


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
    name = "AddmmBackward0" if array.ndim == 2 else "ViewBackward0"
    if bias is None:
        name = _name(array.ndim, session.array(weight).ndim)

    def compute(x: Any, w: Any, b: Any = None) -> Any:
        found = matmul(session, x, t(session, w))
        return found if b is None else elementwise(session, "+", found, b)

    return by_steps(session, "linear", [x, weight, bias], {}, name, compute)


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
