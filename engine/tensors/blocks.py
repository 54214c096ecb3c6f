"""Operations on whole tensors, for graphs of more numbers than are drawn.

A tensor of such an operation holds plain numbers and its `Block`, which passes gradients on as
lists, by the vector-Jacobian product of the table. A function that is none of the table asks for
the elements, each of which is then a `BlockCell` of the scalar graph; and a block takes elements of
that graph as its arguments. A pass goes through both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import add
from typing import Any

from engine.array_ops.flat import Flat
from engine.array_ops.grid import from_items
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.table import Params
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


def of_op(
    op: str, out: TensorArray, arrays: Sequence[TensorArray], live: Sequence[bool], params: Params,
    name: str, *, saves: bool = True,
) -> TensorArray:  # fmt: skip
    """`out`, computed by an operation of the table; `live` arguments receive a gradient."""
    rule, convert, shape = ARRAY_OPS[op], out.dtype.convert, out.shape
    given = [Flat(x.shape, _numbers(x, out)) for x in arrays]
    result = Flat(shape, out.grid.items())

    def pull(g: Numbers) -> Iterator[tuple[int, Numbers]]:
        found = rule.vjp(Flat(shape, g), given, result, params, live)
        for slot, amounts in enumerate(found):
            if amounts is not None:
                yield slot, convert(amounts.data)

    args = [source(x, is_live) for x, is_live in zip(arrays, live, strict=True)]
    return record(out, args, pull, name, saves=saves)


def of_large(
    session: Any, op: str, arrays: Sequence[TensorArray], params: Params, name: str,
    compute: Callable[..., Any], *, constant: int = 0, saves: bool = True,
) -> Any:  # fmt: skip
    """The block of an operation in a graph that is not drawn; None where it is, or records nothing.

    `compute` gives the result from the arrays without their graph. The first `constant` of them
    receive no gradient.
    """
    live = [i >= constant and session.is_live(x) for i, x in enumerate(arrays)]
    if not any(live) or not session.is_large(arrays, sum(x.size for x in arrays)):
        return None
    plain = session.array(compute(*(x.detached() for x in arrays)))
    return of_op(op, plain, arrays, live, params, name, saves=saves)


def _numbers(x: TensorArray, out: TensorArray) -> Numbers:
    """The numbers of an argument as the operation reads them."""
    if x.dtype is out.dtype or (x.dtype.category < 2 <= out.dtype.category and not x.is_number):
        return x.numbers()
    return out.dtype.convert(x.numbers())


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
