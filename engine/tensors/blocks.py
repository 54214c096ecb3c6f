"""Operations on whole tensors, for graphs of more numbers than are drawn.

A tensor of such an operation holds plain numbers and its `Block`, which passes gradients on as
lists. A function without a rule for blocks asks for the elements, each of which is then a
`BlockCell` of the scalar graph; and a block takes elements of that graph as its arguments. A pass
goes through both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import add, mul
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import Grid, Shape, from_items, transpose
from engine.ops import Op
from engine.value import contributions

from .dtypes import DType
from .saved import Saved
from .scalar import Tensor
from .tensor_array import TensorArray

Numbers = list[float]
Pull = Callable[[Numbers], Iterator[tuple[int, Numbers]]]
SMALL = 64
"""Numbers that an operation computes at least as a whole."""
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


class Block:
    """An operation on whole tensors; `pull` gives, by the place of each argument, its share.

    `kept` is the gradient that `retain_grad` asks for.
    """

    __slots__ = (
        "args", "cells", "dtype", "freed", "gradient", "kept", "numbers", "pull", "retains",
        "saved", "saves",
    )  # fmt: skip

    def __init__(
        self, numbers: Numbers, dtype: DType, args: Sequence[Any], pull: Pull, saves: bool
    ) -> None:
        self.numbers, self.dtype, self.args, self.pull, self.saves = (
            numbers, dtype, args, pull, saves,
        )  # fmt: skip
        self.cells: list[Any] = []
        self.saved: list[Saved] | None = None
        self.freed = self.retains = False
        self.gradient: Numbers | None = None
        self.kept: Numbers | None = None

    def elements(self) -> list[Any]:
        """The numbers as elements of the scalar graph."""
        if not self.cells:
            self.cells = [BlockCell(x, self, i) for i, x in enumerate(self.numbers)]
        return self.cells

    def take(self, amounts: Numbers) -> None:
        held = self.gradient
        self.gradient = self.dtype.convert(amounts if held is None else map(add, held, amounts))

    def send(self) -> None:
        """Pass the gradient on to the arguments."""
        for cell in self.cells:
            if cell.grad:
                held = self.gradient = self.gradient or [0.0] * len(self.numbers)
                held[cell.index] = cell.rounded(held[cell.index] + cell.grad)
        if self.gradient is None:
            return
        if self.retains:
            before = self.kept or [0.0] * len(self.numbers)
            self.kept = self.dtype.convert(map(add, before, self.gradient))
        for place, amounts in self.pull(self.gradient):
            arg = self.args[place]
            if isinstance(arg, Block):
                arg.take(amounts)
                continue
            for cell, amount in zip(arg, amounts, strict=True):
                if isinstance(cell, Tensor):
                    cell.grad = cell.rounded(cell.grad + amount)


class BlockCell(Tensor):
    """One number of a block as an element of the scalar graph."""

    __slots__ = ("block", "index")

    def __init__(self, data: float, block: Block, index: int) -> None:
        super().__init__(data, single=block.dtype.bits == 32)
        self.block, self.index, self.serial = block, index, 0.0


def source(x: TensorArray, live: bool) -> Any:
    """What a block keeps of an argument: its block, its elements, or nothing without a gradient."""
    return None if not live else x.block or x.grid.items()


def record(
    like: TensorArray, args: Sequence[Any], pull: Pull, name: str, *, saves: bool = True
) -> TensorArray:
    """The tensor of plain numbers `like` as the result of a block."""
    numbers = like.grid.items()
    out = TensorArray(like.session, from_items(numbers, like.shape), like.dtype, True, name)
    out.storage.block = out.own_block = Block(numbers[:], like.dtype, args, pull, saves)
    return out


# Rules


def elementwise(
    op: Op, out: TensorArray, arrays: Sequence[TensorArray], live: Sequence[bool], name: str,
    columns: Sequence[Numbers],
) -> TensorArray:  # fmt: skip
    """`op` of tensors broadcast to the shape of `out`; `columns` are their numbers."""
    results, shape, convert = out.grid.items(), out.shape, out.dtype.convert
    shapes = [x.shape for x in arrays]

    def pull(g: Numbers) -> Iterator[tuple[int, Numbers]]:
        for slot, wanted in enumerate(shapes):
            if live[slot]:
                amounts = _scaled(op, slot, g, results, columns)
                yield slot, summed_to(convert(amounts), shape, wanted)

    args = [source(x, is_live) for x, is_live in zip(arrays, live, strict=True)]
    return record(out, args, pull, name, saves=op.saves)


def _scaled(
    op: Op, slot: int, g: Numbers, results: Numbers, columns: Sequence[Numbers]
) -> Iterable[float]:
    if op.name == "*":
        return map(mul, g, columns[1 - slot])
    if op.partials[slot] == "1":
        return g
    if op.name in _QUICK:
        return _QUICK[op.name](g, results)
    if op.name == "**" and slot == 0 and set(columns[1]) == {2.0}:
        return [a * (2.0 * x) for a, x in zip(g, columns[0], strict=True)]
    return map(mul, g, map(op.derive[slot], results, *columns))


_QUICK: dict[str, Callable[[Numbers, Numbers], Iterable[float]]] = {
    "exp": lambda g, y: map(mul, g, y),
    "tanh": lambda g, y: [a * (1.0 - b * b) for a, b in zip(g, y, strict=True)],
    "sigmoid": lambda g, y: [a * (b * (1.0 - b)) for a, b in zip(g, y, strict=True)],
    "relu": lambda g, y: [a if b > 0 else a * 0.0 for a, b in zip(g, y, strict=True)],
}
"""Partials that are computed from the result, for all elements at once."""


def summed_to(amounts: Numbers, shape: Shape, wanted: Shape) -> Numbers:
    """Amounts of a shape, summed over the axes that broadcasting has added or stretched."""
    if shape == wanted:
        return amounts
    own = (1,) * (len(shape) - len(wanted)) + wanted
    axes = [k for k, (n, m) in enumerate(zip(shape, own, strict=True)) if n != m]
    axes += [k for k in range(len(shape) - len(wanted)) if k not in axes]
    return [sum(row) for row in folding.rows_along(from_items(amounts, shape), axes)[1]]


def total(out: TensorArray, x: TensorArray, axes: Sequence[int], name: str) -> TensorArray:
    """`out`, the sum of `x` along axes: every element has the gradient of its sum."""
    shape, size = x.shape, x.size
    places: list[int] = [0] * size
    _, rows = folding.rows_along(from_items(list(range(size)), shape), axes)
    for k, row in enumerate(rows):
        for i in row:
            places[i] = k
    return record(
        out, [source(x, True)], lambda g: iter([(0, [g[k] for k in places])]), name, saves=False
    )


def chosen(out: TensorArray, x: TensorArray, places: Sequence[int], name: str) -> TensorArray:
    """`out`, the elements of `x` at these places in row-major order."""
    size = x.size

    def pull(g: Numbers) -> Iterator[tuple[int, Numbers]]:
        amounts = [0.0] * size
        for place, amount in zip(places, g, strict=True):
            amounts[place] += amount
        yield 0, amounts

    return record(out, [source(x, True)], pull, name, saves=False)


def matmul(
    out: TensorArray, a: TensorArray, b: TensorArray, live: Sequence[bool], name: str
) -> TensorArray:
    """`out`, the product of two tensors: ∂L/∂a = g bᵀ and ∂L/∂b = aᵀ g."""
    left, right = (from_items(x.numbers(), x.shape) for x in (a, b))
    rows, columns = a.ndim > 1, b.ndim > 1
    shape = out.shape if rows and columns else _with_axes(out.shape, rows, columns)
    wide = (left if rows else from_items(left.flat, (1, *left.shape)),
            right if columns else from_items(right.flat, (*right.shape, 1)))  # fmt: skip

    def pull(g: Numbers) -> Iterator[tuple[int, Numbers]]:
        grid = from_items(g, shape)
        for slot, is_live in enumerate(live):
            if is_live:
                pair = (grid, _turned(wide[1])) if slot == 0 else (_turned(wide[0]), grid)
                found = folding.multiplied(*pair)
                lead = (*shape[:-2], *wide[slot].shape[-2:])
                yield slot, summed_to(found, lead, wide[slot].shape)

    args = [source(x, is_live) for x, is_live in zip((a, b), live, strict=True)]
    return record(out, args, pull, name)


def _with_axes(shape: Shape, rows: bool, columns: bool) -> Shape:
    """The shape of a product of matrices in place of vectors."""
    end = shape[len(shape) - rows - columns :]
    return (*shape[: len(shape) - rows - columns], *(end if rows else (1, *end)),
            *(() if columns else (1,)))  # fmt: skip


def _turned(grid: Grid) -> Grid:
    return transpose(grid, [*range(grid.ndim - 2), grid.ndim - 1, grid.ndim - 2])


def along(
    out: TensorArray, x: TensorArray, axis: int, f: Callable[[Numbers, Numbers], Numbers], name: str
) -> TensorArray:
    """`out`, each row of `x` along an axis replaced: `f(y, g)` are the gradients of a row."""
    rows = folding.rows_along(from_items(out.grid.items(), out.shape), [axis])[1]
    shape = x.shape

    def pull(g: Numbers) -> Iterator[tuple[int, Numbers]]:
        grid = from_items(g, shape)
        pairs = iter(rows)
        yield 0, folding.along(grid, axis, lambda row: f(next(pairs), row)).items()

    return record(out, [source(x, True)], pull, name)


# Passes


def has_block(order: Iterable[Any]) -> bool:
    return any(type(x) is BlockCell for x in order)


def nodes_below(output: Any) -> list[Any]:
    """The blocks and elements that `output` depends on, itself included, arguments first."""
    order: list[Any] = []
    seen: set[int] = set()
    stack = [(output, False)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(arg, False) for arg in _args(node) if id(arg) not in seen]
    return order


def _args(node: Any) -> Iterator[Any]:
    if isinstance(node, Block):
        for arg in node.args:
            if isinstance(arg, Block):
                yield arg
            else:
                yield from (cell for cell in arg or () if isinstance(cell, Tensor))
    elif type(node) is BlockCell:
        yield node.block
    else:
        yield from node.args


def run(order: Sequence[Any], *, retain_graph: bool) -> None:
    """A pass from the last node of `order`, an element."""
    for node in order:
        if (isinstance(node, Block) or node.op is not None) and getattr(node, "freed", False):
            raise RuntimeError(FREED)
        if isinstance(node, Block):
            node.gradient = None
        elif node.op is not None or type(node) is BlockCell:
            node.grad = 0.0
    order[-1].grad += 1.0
    for node in reversed(order):
        if isinstance(node, Block):
            node.send()
            node.freed = not retain_graph and node.saves
        elif node.op is not None:
            contributions(node)
            if isinstance(node, Tensor):
                node.freed = not retain_graph and node.op.saves
