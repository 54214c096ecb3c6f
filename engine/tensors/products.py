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

from .arrangement import axis_of, reshape, t
from .dtypes import INT64, DType
from .saved import save
from .tensor_array import TensorArray, tensors
from .whole import by_steps, record, whole

_WORDS = {"float32": "float", "float64": "double", "int64": "long long", "int32": "int"}


def matmul(a: Any, b: Any) -> Any:
    """a @ b of tensors with one to four axes. Raises RuntimeError as PyTorch does."""
    left, right = tensors(a, b)
    if left.shape and right.shape:
        _check_types(left, right)
    try:
        shape = matmul_shape([left.shape, right.shape], {})
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    left.session.room(shape)
    if min(left.ndim, right.ndim) > 1 and 2 * prod(shape) * left.shape[-1] >= LONG:
        flats = [Flat(x.shape, x.numbers()) for x in (left, right)]
        items = left.dtype.convert(multiply(flats, {}).data)
    else:
        items = folding.matmul(left.grid, right.grid, _inner_product(left.dtype)).items()
    out = left.new(items, shape)
    record("@", out, [left, right], {}, _name(left.ndim, right.ndim))
    if out.requires_grad:
        live = (right.is_live, left.is_live)
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


def mm(a: TensorArray, b: TensorArray) -> Any:
    for x, name in ((a, "self"), (b, "mat2")):
        if x.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    return matmul(a, b)


def dot(a: TensorArray, b: TensorArray) -> Any:
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    return matmul(a, b)


def inner(a: Any, b: Any) -> Any:
    """The products of rows with rows; with a number, each element times it."""
    if not a.shape or not b.shape:
        return a * b
    if a.ndim == b.ndim == 1:
        return matmul(a, b)
    one, other = "abcdefgh"[: a.ndim - 1], "ijklmnop"[: b.ndim - 1]
    return einsum(f"{one}z,{other}z->{one}{other}", a, b)


def outer(a: TensorArray, b: TensorArray) -> Any:
    return reshape(a, a.size, 1) * b


def linear(x: TensorArray, weight: TensorArray, bias: Any = None) -> Any:
    """x @ weightᵀ + bias"""
    if not weight.shape:
        raise RuntimeError("both arguments to linear need to be at least 1D")
    name = "AddmmBackward0" if x.ndim == 2 else "ViewBackward0"
    if bias is None:
        name = _name(x.ndim, weight.ndim)

    def compute(x: Any, w: Any, b: Any = None) -> Any:
        found = matmul(x, t(w))
        return found if b is None else found + b

    return by_steps("linear", [x, weight, bias], {}, name, compute)


def einsum(equation: str, *operands: Any) -> Any:
    """Σ of products over named axes: `"ij,jk->ik"` is Σⱼ a[i, j]·b[j, k]."""
    given = operands[0] if len(operands) == 1 and isinstance(operands[0], list) else operands
    arrays = tensors(*given)
    try:
        inputs, output = axes_named(equation, [x.ndim for x in arrays])
    except Misfit as misfit:
        raise RuntimeError(misfit.of_torch) from None
    alone, dtype = len(arrays) == 1, arrays[0].dtype
    if alone and set(inputs[0]) == set(output):
        return _seen_along(arrays[0], inputs[0], output)
    return whole("einsum", given, {"equation": equation},
                 dtype=INT64 if alone and dtype.category < 2 else dtype,
                 made_by="SumBackward1" if alone else "ViewBackward0")  # fmt: skip


def _seen_along(x: TensorArray, letters: str, output: str) -> Any:
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
    return x.view(grid, "PermuteBackward0")


def tensordot(a: TensorArray, b: TensorArray, dims: Any = 2) -> Any:
    """Sums of products over the last axes of a and the first of b, or over pairs of axes."""
    if isinstance(dims, int):
        dims = [range(a.ndim - dims, a.ndim), range(dims)]
    mine, theirs = ([axis_of(k, x.ndim) for k in given]
                    for x, given in zip((a, b), dims, strict=True))  # fmt: skip
    letters = "abcdefghijklmnopqrst"
    one, other = list(letters[: a.ndim]), list(letters[a.ndim : a.ndim + b.ndim])
    for i, j in zip(mine, theirs, strict=True):
        other[j] = one[i]
    kept = [c for k, c in enumerate(one) if k not in mine]
    kept += [c for k, c in enumerate(other) if k not in theirs]
    return einsum(f"{''.join(one)},{''.join(other)}->{''.join(kept)}", a, b)
