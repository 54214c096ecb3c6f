"""Sums of products over named or numbered axes: einsum, tensordot, kron."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from math import prod
from typing import Any

from engine.array_ops.einsum import axes_named
from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.grid import Grid, Shape, from_items
from engine.array_ops.ops import ARRAY_OPS

from .arrangement import reshape, transposed
from .array import Array, as_array, combined, result
from .array import product as matrix_product
from .context import Context
from .dtypes import OBJECT, cast, promote, rounded, wrapped
from .shapes import axis_of


def einsum(context: Context, subscripts: Any, *operands: Any, optimize: Any = False) -> Any:
    """Einstein's summation: `"ij,jk->ik"` is Σⱼ a[i, j]·b[j, k].

    Without `->` the letters that occur once remain, in alphabetical order.
    """
    if not isinstance(subscripts, str):
        context.host.refuse("einsum takes its axes as a text here.", 'Write "ij,jk->ik".')
    if len(operands) > 63:
        raise ValueError("too many operands")
    arrays = [as_array(context, x) for x in operands]
    inputs, output = parsed(subscripts, [a.shape for a in arrays])
    equation = {"equation": f"{','.join(inputs)}->{output}"}
    op, shapes = ARRAY_OPS["einsum"], [a.shape for a in arrays]
    try:
        shape = op.shape(shapes, equation)
    except Misfit as misfit:
        raise ValueError(str(misfit)) from None
    context.admit(shape)
    dtype = reduce(promote, (a.dtype for a in arrays))
    if dtype is OBJECT:
        columns = [a.items() for a in arrays]
        reads = (op.reads(cell, shapes, equation) for cell in range(prod(shape)))
        picked = (zip(columns, places, strict=True) for places in reads)
        items = [_joined(context, [[c[i] for i in at] for c, at in pairs]) for pairs in picked]
    else:
        given = [Flat(a.shape, _as(a, dtype).items()) for a in arrays]
        items = op.forward(given, equation).data
        items = rounded(items, dtype) if dtype.kind == "f" else wrapped(items, dtype)
        items = cast(items, dtype)
    return result(context, from_items(items, shape), dtype)


def _as(array: Array, dtype: Any) -> Grid:
    if array.dtype is dtype:
        return array.grid
    return from_items(cast(array.items(), dtype), array.shape)


def parsed(subscripts: str, shapes: list[Shape]) -> tuple[list[str], str]:
    """The letters of each operand and of the result. ValueError where they do not fit."""
    if "..." in subscripts:
        try:
            named, rest = axes_named(subscripts, [len(shape) for shape in shapes])
        except Misfit as misfit:
            raise ValueError(str(misfit)) from None
        subscripts = f"{','.join(named)}->{rest}"
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    letters = set(left + output) - {","}
    if bad := "".join(sorted(c for c in letters if not (c.isascii() and c.isalpha())))[:1]:
        raise ValueError(f"invalid subscript '{bad}' in einstein sum subscripts string, subscripts "
                         "must be letters")  # fmt: skip
    if len(inputs) != len(shapes):
        more = "more" if len(inputs) < len(shapes) else "fewer"
        raise ValueError(f"{more} operands provided to einstein sum function than specified in the "
                         "subscripts string")  # fmt: skip
    for at, (names, shape) in enumerate(zip(inputs, shapes, strict=True)):
        if len(names) > len(shape):
            raise ValueError("einstein sum subscripts string contains too many subscripts for "
                             f"operand {at}")  # fmt: skip
        if len(names) < len(shape):
            raise ValueError(
                "operand has more dimensions than subscripts given in einstein sum, but no '...' "
                "ellipsis provided to broadcast the extra dimensions."
            )
    counts = Counter("".join(inputs))
    if not arrow:
        output = "".join(sorted(name for name, n in counts.items() if n == 1))
    for name, n in Counter(output).items():
        if name not in counts:
            raise ValueError(f"einstein sum subscripts string included output subscript '{name}' "
                             "which never appeared in an input")  # fmt: skip
        if n > 1:
            raise ValueError("einstein sum subscripts string includes output subscript "
                             f"'{name}' multiple times")  # fmt: skip
    return inputs, output


def _joined(context: Context, factors: list[list[Any]]) -> Any:
    """The sum of products of objects, by their own operators."""
    terms = [
        reduce(lambda x, y: context.host.binary("*", x, y), row)
        for row in zip(*factors, strict=True)
    ]
    return reduce(lambda x, y: context.host.binary("+", x, y), terms) if terms else 0


def tensordot(context: Context, a: Any, b: Any, axes: Any = 2) -> Array:
    """The sum of products over the last axes of `a` and the first of `b`, or over named ones."""
    left, right = as_array(context, a), as_array(context, b)
    if isinstance(axes, int):
        pairs = list(range(left.ndim - axes, left.ndim)), list(range(axes))
    else:
        pairs = tuple(list(x) if isinstance(x, (list, tuple)) else [x] for x in axes)  # type: ignore[assignment]
    mine = [axis_of(k, left.ndim) for k in pairs[0]]
    theirs = [axis_of(k, right.ndim) for k in pairs[1]]
    if [left.shape[k] for k in mine] != [right.shape[k] for k in theirs]:
        raise ValueError("shape-mismatch for sum")
    rest = [k for k in range(left.ndim) if k not in mine]
    others = [k for k in range(right.ndim) if k not in theirs]
    inner = prod(left.shape[k] for k in mine)
    shape = tuple(left.shape[k] for k in rest) + tuple(right.shape[k] for k in others)
    rows = reshape(transposed(left, rest + mine), (-1, inner))
    columns = reshape(transposed(right, theirs + others), (inner, -1))
    return reshape(as_array(context, matrix_product(context, rows, columns)), shape)


def kron(context: Context, a: Any, b: Any) -> Any:
    """The Kronecker product: blocks a[i, j]·b."""
    left, right = as_array(context, a), as_array(context, b)
    rank = max(left.ndim, right.ndim)
    one, two = ((1,) * (rank - x.ndim) + x.shape for x in (left, right))
    shape = tuple(m * n for m, n in zip(one, two, strict=True))
    context.admit(shape)
    wide = [reshape(left, tuple(n for size in one for n in (size, 1))),
            reshape(right, tuple(n for size in two for n in (1, size)))]  # fmt: skip
    found = as_array(context, combined(context, "*", *wide))
    return result(context, reshape(found, shape).grid, found.dtype)
