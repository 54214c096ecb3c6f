"""The graph that a pass goes back through: a node for each recorded operation on tensors.

An operation passes its gradient on by the vector-Jacobian product of the table of arrays. Any of
its elements opens into the scalars that it is made of, by the table's formula of one element, which
is how gradients are differentiated again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import prod
from operator import add, mul
from typing import Any

from engine.array_ops.flat import Flat, broadcast_axes, expanded, rows_along
from engine.array_ops.grid import Shape
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.table import Params
from engine.formulas import evaluate
from engine.ops import OPS
from engine.reverse import Algebra, sweep
from engine.value import Value

from . import dtypes
from .scalar import float_power
from .sums import sums_along
from .tensor_array import TensorArray

Numbers = list[float]
Pulled = Iterable[tuple[int, Numbers]]
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
STEPWISE = 4_000
"""Broadcast contributions that are summed in the order of PyTorch's kernel, each sum rounded."""
_ELEMENT = re.compile(r"\b([a-z]\w*)\[(\d+)\]")


class TensorNode:
    """What a gradient reaches: `args` are the nodes that it is passed on to, None for constants.

    `saves` says that a pass drops what it needs for another, `saved` are the tensors whose numbers
    PyTorch saves for it, `hooks` see its gradient, and `kept` are tensors that keep it.
    """

    __slots__ = ("args", "cells", "dtype", "freed", "hooks", "kept", "saved", "saves", "shape")

    def __init__(
        self,
        shape: Shape,
        dtype: dtypes.DType,
        args: Sequence[TensorNode | None] = (),
        saves: bool = True,
    ) -> None:
        self.shape, self.dtype, self.args, self.saves = shape, dtype, args, saves
        self.freed = False
        self.saved: Sequence[Any] = ()
        self.hooks: list[Any] = []
        self.kept: list[TensorArray] = []
        self.cells: list[Any] = []

    def pulled(self, g: Numbers) -> Pulled:
        """What each argument receives of the gradient, by its place."""
        return ()

    def numbers(self) -> Numbers:
        """The elements in row-major order."""
        return [cell.data if isinstance(cell, Value) else cell for cell in self.cells]

    def opened(self, formula: Any) -> list[Any]:
        """The elements as scalars, once those of the arguments are there."""
        raise NotImplementedError

    def picked(self, places: Sequence[int], shape: Shape) -> TensorNode:
        """The node of the elements at these places."""
        return Operation(
            "index", [self], [Flat(self.shape, range(prod(self.shape)))], Flat(shape, []),  # type: ignore[arg-type]
            self.dtype, {"places": places, "shape": shape}, saves=False,
        )  # fmt: skip

    def view(self, grid: Any) -> TensorNode:
        """The node of a view of all that is stored."""
        return self.picked(grid.positions(), grid.shape)


class LeafNode(TensorNode):
    """A tensor that adds up the gradients of passes."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: TensorArray) -> None:
        super().__init__(tensor.shape, tensor.dtype, saves=False)
        self.tensor = tensor

    @property
    def is_stale(self) -> bool:
        """Whether the numbers are not those that the cells have."""
        return bool(self.cells) and self.tensor.numbers() != [cell.data for cell in self.cells]

    def opened(self, formula: Any) -> list[Any]:
        return [formula.leaf(x) for x in self.tensor.numbers()]


class Kept:
    """The elements of a tensor as an operation read them.

    They are those that it has now as long as no change in place is counted, as PyTorch sees them.
    """

    __slots__ = ("at", "convert", "grid", "numbers", "of", "version")

    def __init__(self, x: TensorArray, convert: Callable[..., Numbers] | None = None) -> None:
        self.of, self.grid, self.convert = x, x.grid, convert
        self.version, self.at = x.storage.version, x.storage.version[0]
        self.numbers = self._read()

    def _read(self) -> Numbers:
        items = self.grid.items()
        return items if self.convert is None else self.convert(items)

    def flat(self) -> Flat:
        same = self.version[0] == self.at
        return Flat(self.grid.shape, self._read() if same else self.numbers)


class Operation(TensorNode):
    """An operation of the table: `given` are its arguments, `result` is what it computed."""

    __slots__ = ("given", "op", "params", "result")

    def __init__(
        self, op: str, args: Sequence[TensorNode | None], given: Sequence[Flat | Kept],
        result: Flat | Kept, dtype: dtypes.DType, params: Params, *, saves: bool = True,
    ) -> None:  # fmt: skip
        shape = result.shape if isinstance(result, Flat) else result.grid.shape
        super().__init__(shape, dtype, args, saves)
        self.op, self.given, self.result, self.params = ARRAY_OPS[op], given, result, params

    def pulled(self, g: Numbers) -> Pulled:
        given, wanted = list(map(flat_of, self.given)), [arg is not None for arg in self.args]
        if self.op.name == "**" and wanted == [True, False] and len(given[1].data) == 1:
            yield 0, self._of_power(g, given[0].data, given[1].data[0])
            return
        wide = [
            Flat(self.shape, expanded(x, self.shape))
            if self.op.name in OPS and x.shape != self.shape and len(g) <= STEPWISE else x
            for x in given
        ]  # fmt: skip
        found = self.op.vjp(Flat(self.shape, g), wide, flat_of(self.result), self.params, wanted)
        for slot, amounts in enumerate(found):
            if amounts is not None:
                rounded = self.dtype.convert(amounts.data)
                yield slot, self._summed(rounded, given[slot].shape, amounts.shape)

    def _summed(self, amounts: Numbers, shape: Shape, wide: Shape) -> Numbers:
        """Contributions of the shape `wide`, summed over the axes that were broadcast."""
        if shape == wide or not amounts:
            return amounts
        axes = broadcast_axes(shape, wide)
        rows = rows_along(Flat(wide, amounts), axes)
        return sums_along(rows, axes, len(wide), self.dtype.adder)

    def _of_power(self, g: Numbers, base: Numbers, exponent: float) -> Numbers:
        """g·(e·xᵉ⁻¹), each step rounded as PyTorch rounds it."""
        if exponent == 0:
            return [0.0] * len(g)
        convert = self.dtype.convert
        single = self.dtype.bits == 32
        slopes = convert(float_power(x, exponent - 1, single=single) for x in base)
        return convert(map(mul, g, convert(exponent * slope for slope in slopes)))

    def opened(self, formula: Any) -> list[Any]:
        given = list(map(flat_of, self.given))
        shapes = [x.shape for x in given]
        columns = {
            self.op.name_of(slot): x.data if arg is None else arg.cells
            for slot, (x, arg) in enumerate(zip(given, self.args, strict=True))
        }
        if self.op.picks is not None:
            (held,) = columns.values()
            return [held[place] for place in self.op.picks(given, self.params)]
        texts = (self.op.scalar(i, shapes, self.params) for i in range(prod(self.shape)))
        return [cell_of(text, columns, formula) for text in texts]


def flat_of(x: Flat | Kept) -> Flat:
    return x if isinstance(x, Flat) else x.flat()


def cell_of(text: str, columns: Any, formula: Any) -> Any:
    """A formula of elements, `a[3] * b[0]`, of the cells of its arguments."""
    names: dict[str, Any] = {}

    def named(found: re.Match[str]) -> str:
        name = f"{found[1]}_{found[2]}"
        names[name] = columns[found[1]][int(found[2])]
        return name

    return evaluate(_ELEMENT.sub(named, text), names, formula)


# Passes


def order_below(
    outputs: Iterable[TensorNode], known: Iterable[TensorNode] = ()
) -> list[TensorNode]:
    """The nodes that `outputs` depend on, themselves included, arguments first.

    Those that are `known` are left out, and what they depend on.
    """
    order: list[TensorNode] = []
    seen = set(known)
    stack = [(node, False) for node in outputs]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(arg, False) for arg in node.args if arg is not None and arg not in seen]
    return order


def check(order: Iterable[TensorNode]) -> None:
    """Raises RuntimeError if what a pass needs was dropped, or has been changed since."""
    order = list(order)
    if any(node.freed for node in order):
        raise RuntimeError(FREED)
    for node in reversed(order):
        for one in node.saved:
            one.check()


def run(
    order: Sequence[TensorNode], seeds: dict[TensorNode, Numbers], *, retain_graph: bool,
    only: Collection[TensorNode] | None = None,
) -> dict[TensorNode, Numbers]:  # fmt: skip
    """A pass: the gradients of all nodes. Leaves add theirs up unless `only` some are wanted."""

    def partials(node: TensorNode) -> Iterator[tuple[TensorNode, tuple[TensorNode, Numbers]]]:
        for hook in node.hooks[:]:
            seeds[node] = hook.answer(seeds[node])
        g = seeds[node]
        if only is None:
            for tensor in [*node.kept, *([node.tensor] if isinstance(node, LeafNode) else [])]:
                accumulate(tensor, g)
        for slot, amounts in node.pulled(g):
            arg = node.args[slot]
            if arg is not None:
                yield arg, (arg, amounts)
        node.freed = node.freed or (node.saves and not retain_graph)

    return sweep(order, partials, seeds, _PASSED)


def _added(before: Numbers | None, sent: tuple[TensorNode, Numbers]) -> Numbers:
    node, amounts = sent
    return node.dtype.convert(amounts if before is None else map(add, before, amounts))


_PASSED: Algebra[Any, tuple[TensorNode, Numbers], tuple[TensorNode, Numbers]] = Algebra(
    None, lambda g, sent: sent, _added
)
"""Gradients in the types of their tensors."""


def accumulate(tensor: TensorArray, numbers: Numbers) -> None:
    """Add to the gradient of a tensor, in the tensor that it is."""
    held = tensor.gradient
    if held is None:
        tensor.gradient = tensor.new(numbers[:])
    else:
        held.storage.version[0] += 1
        held.grid.write(held.dtype.convert(map(add, held.numbers(), numbers)))
