"""Products of arrays: `@` of all ranks, sums over named axes, layers x Wᵀ + b."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import add, mul

from .flat import Flat, Misfit, Numbers, broadcast, expanded, summed_to
from .grid import Shape, broadcast_shape, chunks, shape_text, transpose
from .pointwise import place_in
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules

SIGNATURE = "(n?,k),(k,m?)->(n?,m?)"
_SHORT = 8
"""Terms of a short product of a row and a column: there whole rows are scaled and added."""


def transposed(x: Flat) -> Flat:
    """The last two axes exchanged."""
    rank = len(x.shape)
    grid = transpose(x.grid(), [*range(rank - 2), rank - 1, rank - 2])
    return Flat(grid.shape, grid.items())


def multiplied(a: Numbers, b: Numbers, n: int, k: int, m: int) -> Numbers:
    """The n×m numbers of the product of an n×k and a k×m matrix."""
    rows = chunks(a, k, n)
    if 0 < k <= _SHORT:
        lines, items = chunks(b, m, k), []
        for row in rows:
            found = [row[0] * x for x in lines[0]]
            for factor, line in zip(row[1:], lines[1:], strict=True):
                found = [y + factor * x for y, x in zip(found, line, strict=True)]
            items += found
        return items
    columns = [b[j::m] for j in range(m)]
    return [sum(map(mul, row, column)) for row in rows for column in columns]


def matmul_shape(shapes: Shapes, params: Params) -> Shape:
    """The shape of a @ b: rows of a by columns of b, the axes before them broadcast."""
    a, b = shapes
    for at, shape in enumerate(shapes):
        if not shape:
            raise Misfit(
                f"matmul: Input operand {at} does not have enough dimensions (has 0, gufunc core "
                f"with signature {SIGNATURE} requires 1)",
                "both arguments to matmul need to be at least 1D, but they are "
                f"{len(a)}D and {len(b)}D",
            )
    inner = b[-2] if len(b) > 1 else b[0]
    lead = broadcast_shape(tuple(a[:-2]), tuple(b[:-2]))
    if a[-1] != inner:
        raise Misfit(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature {SIGNATURE} (size {inner} is different from {a[-1]})",
            _torch_words(a, b),
        )
    if lead is None:
        raise Misfit(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(tuple(a))} {shape_text(tuple(b))}",
            _torch_words(a, b),
        )
    return (*lead, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def _torch_words(a: Shape, b: Shape) -> str:
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


def _as_matrices(a: Flat, b: Flat) -> tuple[Flat, Flat]:
    """Vectors as a row on the left and a column on the right."""
    left = a if len(a.shape) > 1 else Flat((1, *a.shape), a.data)
    right = b if len(b.shape) > 1 else Flat((*b.shape, 1), b.data)
    return left, right


def _batched(a: Flat, b: Flat) -> Flat:
    """The products of the matrices in the last two axes, the axes before them broadcast."""
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    lead = broadcast(a.shape[:-2], b.shape[:-2])
    shape, count = (*lead, n, m), prod(lead)
    if prod(b.shape[:-2]) == 1:  # one matrix on the right: all rows at once
        return Flat(shape, multiplied(a.data, b.data, prod(a.shape[:-1]), k, m))
    lefts = chunks(expanded(a, (*lead, n, k)), n * k, count)
    rights = chunks(expanded(b, (*lead, k, m)), k * m, count)
    found: Numbers = []
    for x, y in zip(lefts, rights, strict=True):
        found += multiplied(x, y, n, k, m)
    return Flat(shape, found)


def matmul(args: Sequence[Flat], params: Params) -> Flat:
    a, b = args
    shape = matmul_shape([a.shape, b.shape], params)
    return Flat(shape, _batched(*_as_matrices(a, b)).data)


def _matmul_back(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
    a, b = args
    left, right = _as_matrices(a, b)
    lead = broadcast(left.shape[:-2], right.shape[:-2])
    wide = Flat((*lead, left.shape[-2], right.shape[-1]), g.data)
    out: Pulled = [None, None]
    for slot, (one, own) in enumerate(((left, a), (right, b))):
        if not wanted[slot]:
            continue
        if slot == 1 and prod(right.shape[:-2]) == 1 and prod(lead) > 1:
            rows = prod(left.shape[:-1])  # summed over the batch by one product
            n, m = left.shape[-1], right.shape[-1]
            turned = transposed(Flat((rows, n), left.data)).data
            out[slot] = Flat(own.shape, multiplied(turned, wide.data, n, rows, m))
            continue
        pair = (wide, transposed(right)) if slot == 0 else (transposed(left), wide)
        found = _batched(*pair)
        out[slot] = Flat(own.shape, summed_to(found.data, found.shape, one.shape).data)
    return out


def _matmul_reads(cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
    a, b = ((1, *shapes[0]) if len(shapes[0]) == 1 else shapes[0],
            (*shapes[1], 1) if len(shapes[1]) == 1 else shapes[1])  # fmt: skip
    n, k, m = a[-2], a[-1], b[-1]
    lead = broadcast(tuple(a[:-2]), tuple(b[:-2]))
    batch, i, j = cell // (n * m), cell // m % n, cell % m
    x = place_in(batch, lead, tuple(a[:-2])) * n * k
    y = place_in(batch, lead, tuple(b[:-2])) * k * m
    return [[x + i * k + t for t in range(k)], [y + t * m + j for t in range(k)]]


def _matmul_text(cell: int, shapes: Shapes, params: Params) -> str:
    rows, columns = _matmul_reads(cell, shapes, params)
    return " + ".join(f"a[{i}] * b[{j}]" for i, j in zip(rows, columns, strict=True)) or "0"


define(
    ArrayOp(
        "@", ("a", "b"), matmul, _matmul_back, matmul_shape, _matmul_reads, _matmul_text,
        "each row of a times each column of b, the products added", rules("g @ T(b)", "T(a) @ g"),
        names("matmul dot"), names("matmul mm bmm mv dot"), "MmBackward0",
        samples=tuple(
            (shapes, {}) for shapes in (
                ((2, 3), (3, 2)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)),
                ((2, 2, 3), (3, 2)), ((2, 1, 2, 3), (3, 3, 1)), ((2, 9), (9, 2)),
                ((3,), (2, 3, 2)), ((2, 2, 3), (3,)),
            )
        ),
    )
)  # fmt: skip


# x Wᵀ + b


def _linear_shape(shapes: Shapes, params: Params) -> Shape:
    x, w, *b = shapes
    shape = matmul_shape([x, tuple(reversed(w))], params)
    return broadcast(shape, *b)


def _linear(args: Sequence[Flat], params: Params) -> Flat:
    x, w, *b = args
    shape = _linear_shape([a.shape for a in args], params)
    rows = chunks(x.data, x.shape[-1], prod(x.shape[:-1]))
    lines = chunks(w.data, x.shape[-1], prod(w.shape[:-1]))
    found = [sum(map(mul, row, line)) for row in rows for line in lines]
    if b:
        found = list(map(add, found, expanded(b[0], shape)))
    return Flat(shape, found)


def _linear_back(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
    x, w, *b = args
    rows, n, m = prod(x.shape[:-1]), x.shape[-1], prod(w.shape[:-1])
    out: Pulled = [None] * len(args)
    if wanted[0]:
        out[0] = Flat(x.shape, multiplied(g.data, w.data, rows, m, n))
    if wanted[1]:
        turned = transposed(Flat((rows, m), g.data)).data
        out[1] = Flat(w.shape, multiplied(turned, x.data, m, rows, n))
    if b and wanted[2]:
        out[2] = summed_to(g.data, y.shape, b[0].shape)
    return out


def _linear_reads(cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
    x, w, *b = shapes
    n, m = x[-1], prod(w[:-1])
    row, j = cell // m, cell % m
    found = [[row * n + t for t in range(n)], [j * n + t for t in range(n)]]
    wide = _linear_shape(shapes, params)
    return [*found, *([place_in(cell, wide, shape)] for shape in b)]


def _linear_text(cell: int, shapes: Shapes, params: Params) -> str:
    rows, lines, *b = _linear_reads(cell, shapes, params)
    terms = [f"x[{i}] * w[{j}]" for i, j in zip(rows, lines, strict=True)]
    return " + ".join([*terms, *(f"b[{k}]" for (k,) in b)])


define(
    ArrayOp(
        "linear", ("x", "w", "b"), _linear, _linear_back, _linear_shape, _linear_reads,
        _linear_text, "the inputs times the transposed weights, plus the biases",
        rules("g @ w", "T(g) @ x", "sum(g)"), (), names("linear"), "AddmmBackward0", optional=1,
        samples=tuple(
            (shapes, {}) for shapes in (
                ((2, 3), (4, 3), (4,)), ((3,), (2, 3), (2,)), ((2, 2, 3), (2, 3)), ((3,), (3,)),
            )
        ),
    )
)  # fmt: skip


def _outer_shape(shapes: Shapes, params: Params) -> Shape:
    return tuple(prod(shape) for shape in shapes)


def _outer(args: Sequence[Flat], params: Params) -> Flat:
    a, b = args
    return Flat((len(a.data), len(b.data)), [x * y for x in a.data for y in b.data])


def _outer_back(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
    a, b = args
    n, m = len(a.data), len(b.data)
    rows = chunks(g.data, m, n)
    return [
        Flat(a.shape, [sum(map(mul, row, b.data)) for row in rows]),
        Flat(b.shape, [sum(map(mul, g.data[j::m], a.data)) for j in range(m)]),
    ]


define(
    ArrayOp(
        "outer", ("a", "b"), _outer, _outer_back, _outer_shape,
        lambda cell, shapes, params: [[cell // prod(shapes[1])], [cell % prod(shapes[1])]],
        lambda cell, shapes, params: (
            f"a[{cell // prod(shapes[1])}] * b[{cell % prod(shapes[1])}]"
        ),
        "every element of a times every element of b", rules("g @ b", "T(g) @ a"),
        names("outer"), names("outer ger"), "MulBackward0", samples=((((2,), (3,)), {}),),
    )
)  # fmt: skip
