"""Sums of products over named or numbered axes: einsum, tensordot, kron."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import product
from math import prod
from typing import Any

from engine.array_ops.einsum import axes_named
from engine.array_ops.grid import Grid, Shape, from_items

from .array import Array, as_array, combined, result
from .array import product as matrix_product
from .context import Context
from .dtypes import OBJECT, cast, promote, rounded, wrapped
from .joining import concatenate
from .reshaping import reshape, transposed
from .shapes import axis_of


def einsum(context: Context, subscripts: Any, *operands: Any, optimize: Any = False) -> Any:
    """Einstein's summation: `"ij,jk->ik"` is Σⱼ a[i, j]·b[j, k].

    Without `->` the letters that occur once remain, in alphabetical order.
    """
    if not isinstance(subscripts, str):
        context.host.refuse("einsum takes its axes as a text here.", 'Write "ij,jk->ik".')
    arrays = [as_array(context, x) for x in operands]
    inputs, output = parsed(subscripts, [a.shape for a in arrays])
    lengths = lengths_of([a.shape for a in arrays], inputs)
    summed = [name for name in lengths if name not in output]
    shape = tuple(lengths[name] for name in output)
    context.admit(shape)
    dtype = reduce(promote, (a.dtype for a in arrays))
    rows = [
        rows_of(_as(a, dtype), names, output, summed, lengths)
        for a, names in zip(arrays, inputs, strict=True)
    ]
    if dtype is OBJECT:
        items = [_joined(context, list(factors)) for factors in zip(*rows, strict=True)]
    else:
        items = [_summed(factors) for factors in zip(*rows, strict=True)]
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
        named, rest = axes_named(subscripts, [len(shape) for shape in shapes])
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


def lengths_of(shapes: list[Shape], inputs: list[str]) -> dict[str, int]:
    """The length of each named axis; an axis of 1 stretches."""
    found: dict[str, int] = {}
    for shape, names in zip(shapes, inputs, strict=True):
        for name, n in zip(names, shape, strict=True):
            known = found.get(name, 1)
            if 1 not in (known, n) and known != n:
                raise ValueError(
                    "operands could not be broadcast together with remapped shapes "
                    f"[original->remapped]: axis '{name}' is {known} long, and {n}"
                )
            found[name] = n if known == 1 else known
    return found


def rows_of(
    grid: Grid, names: str, output: str, summed: list[str], lengths: dict[str, int]
) -> list[list[Any]]:
    """For each index of the result, the operand's elements along the summed axes."""
    strides: Counter[str] = Counter()
    for name, n, stride in zip(names, grid.shape, grid.strides, strict=True):
        strides[name] += stride if n > 1 else 0
    flat, start = grid.flat, grid.offset
    along = _offsets([(lengths[name], strides[name]) for name in summed])
    places = _offsets([(lengths[name], strides[name]) for name in output])
    return [[flat[start + place + step] for step in along] for place in places]


def _offsets(axes: list[tuple[int, int]]) -> list[int]:
    return [sum(at) for at in product(*(range(0, n * s, s) if s else [0] * n for n, s in axes))]


def _summed(factors: tuple[list[Any], ...]) -> Any:
    if len(factors) == 1:
        return sum(factors[0])
    return sum(prod(row) for row in zip(*factors, strict=True))


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
    rows = reshape(context, transposed(context, left, rest + mine), (-1, inner))
    columns = reshape(context, transposed(context, right, theirs + others), (inner, -1))
    found = as_array(context, matrix_product(context, rows, columns))
    return reshape(context, found, shape)


def kron(context: Context, a: Any, b: Any) -> Any:
    """The Kronecker product of two matrices or vectors: blocks a[i, j]·b."""
    left, right = as_array(context, a), as_array(context, b)
    if left.ndim != right.ndim or not 1 <= left.ndim <= 2:
        context.host.refuse("kron takes two vectors or two matrices here.", "Reshape them.")
    index = [(i, k) for i in range(left.ndim) for k in (0, 1)]
    spread = [
        array[tuple(slice(None) if k == own else None for _, k in index)]
        for own, array in enumerate((left, right))
    ]
    shape = tuple(m * n for m, n in zip(left.shape, right.shape, strict=True))
    context.admit(shape)
    if left.ndim == 1:
        return reshape(context, combined(context, "*", *spread), shape)
    rows = [combined(context, "*", x, right) for x in left.items()]
    width = left.shape[1]
    lines = [concatenate(context, rows[i * width : (i + 1) * width], 1) for i in range(len(left))]
    return concatenate(context, lines, 0)
