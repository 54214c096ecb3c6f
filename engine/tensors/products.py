"""Products of matrices and vectors."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import Shape, from_items
from engine.arrays import contractions
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

_WORDS = {"float32": "float", "float64": "double", "int64": "long long", "int32": "int"}


def matmul(session: Session, a: Any, b: Any) -> Any:
    """a @ b of tensors with one to four axes. Raises RuntimeError as PyTorch does."""
    left, right = session.array(a), session.array(b)
    if not left.shape or not right.shape:
        raise RuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{left.ndim}D and {right.ndim}D"
        )
    _check_types(left, right)
    shape = folding.matmul_shape(left.shape, right.shape)
    if shape is None:
        raise RuntimeError(_mismatch(left.shape, right.shape))
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
        grid = from_items(left.dtype.convert(folding.multiplied(*sides)), shape)
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


def _mismatch(a: Shape, b: Shape) -> str:
    if len(a) == len(b) == 1:
        return (
            f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have the same "
            f"number of elements, but got {a[0]} and {b[0]} elements respectively"
        )
    rows = prod(a[:-1])
    if len(b) == 1:
        return f"size mismatch, got input ({rows}), mat ({rows}x{a[-1]}), vec ({b[0]})"
    if len(b) == 2:
        return f"mat1 and mat2 shapes cannot be multiplied ({rows}x{a[-1]} and {b[0]}x{b[1]})"
    return (
        f"Expected size for first two dimensions of batch2 tensor to be: [{b[0]}, {a[-1]}] but got:"
        f" [{b[0]}, {b[-2]}]."
    )


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
    inputs, output = contractions.parsed(
        session.machine.refuse, equation, [x.shape for x in arrays]
    )
    lengths = contractions.lengths_of([x.shape for x in arrays], inputs)
    summed = [name for name in lengths if name not in output]
    shape = tuple(lengths[name] for name in output)
    session.room(shape)
    if len(arrays) == 1 and arrays[0].dtype.category < 2 and summed:
        items = INT64.convert(arrays[0].numbers())
        arrays = [TensorArray(session, from_items(items, arrays[0].shape), INT64)]
    product = _Product(session, arrays[0].dtype)
    rows = [
        contractions.rows_of(from_items(session.cells(x), x.shape), names, output, summed, lengths)
        for x, names in zip(arrays, inputs, strict=True)
    ]
    items = [_contracted(product, list(factors)) for factors in zip(*rows, strict=True)]
    made_by = "ViewBackward0" if session.is_live(*arrays) else ""
    return session.tensor(items, shape, arrays[0].dtype, made_by)


def _contracted(product: _Product, factors: list[list[Any]]) -> Any:
    """The sum of the products of elements in the same place."""
    ones = product.dtype.convert([1] * len(factors[0]))
    left, *rest = factors
    while len(rest) > 1:
        left = [product.session.apply(OPS["*"], product.dtype, a, b)
                for a, b in zip(left, rest.pop(0), strict=True)]  # fmt: skip
    return product.dot(left, rest[0] if rest else ones)
