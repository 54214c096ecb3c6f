"""Tensors opened into the scalars that they are made of, by the table's formulas of one element.

So a tensor of one number has a Value in the picture, and so gradients are differentiated again:
the chain rule is applied to the scalars of a graph, by the texts of the partials.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import prod
from typing import Any

from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.table import Params
from engine.formulas import FUNCTIONS, Conditions, Lazy, condition, evaluate
from engine.ops import OPS, Op
from engine.reverse import sweep, symbols
from engine.value import Value, contributions, topological_order

from .dtypes import FLOAT32, FLOAT64, DType
from .graph import LeafNode, Numbers, Pulled, TensorNode, cell_of, order_below
from .scalar import IN_STEPS, Tensor, result_of
from .tensor_array import TensorArray

OPENED = 20_000
"""Scalars that are differentiated again at most."""


class NotOpened(Exception):
    """A formula holds a function that no Value is computed by."""


class CellFormula(Conditions[Any, bool]):
    """Evaluates the text of a formula on Tensors, and on plain numbers for constants."""

    def __init__(self, apply: Callable[..., Any], dtype: DType) -> None:
        self.apply, self.dtype = apply, dtype

    def leaf(self, x: float) -> Tensor:
        """A leaf of scalars that no picture has."""
        return Tensor(x, single=self.dtype.bits == 32)

    def number(self, x: float, text: str = "", /) -> Any:
        return x

    def operation(self, name: str, /, *args: Any) -> Any:
        """A Tensor if an argument is one, else a number."""
        single = self.dtype.bits == 32
        if not any(isinstance(x, Tensor) for x in args):
            function = OPS[name].compute if name in OPS else FUNCTIONS[name]
            function = IN_STEPS.get(name, function) if single else function
            return self.dtype.convert([function(*args)])[0]
        if name not in OPS:
            raise NotOpened(name)
        out = self.apply(OPS[name], *args)
        if out.single is not single:
            out.single = single
            out.data = out.recomputed()
        return out

    def choose(
        self, test: ast.expr, names: Mapping[str, Any], a: Lazy[Any], b: Lazy[Any], /
    ) -> Any:
        return a() if condition(test, names, self) else b()

    def compare(self, relation: str, a: Any, b: Any, /) -> bool:
        numbers = [x.data if isinstance(x, Value) else x for x in (a, b)]
        return bool(getattr(operator, relation)(*numbers))

    def combine(self, every: bool, parts: Iterable[bool], /) -> bool:
        return all(parts) if every else any(parts)


# Tensors of one number, in the picture


def follow(op: str, out: TensorArray, arrays: Sequence[TensorArray], params: Params) -> None:
    """Let the picture have a Value for a number that was computed from tensors of one number."""
    if out.size != 1 or out.dtype.category < 2 or all(x.cell is None for x in arrays):
        return
    if any(x.size != 1 or (x.cell is None and x.is_live) for x in arrays):
        return
    for x in arrays:
        synchronise(x)
    cells = [x.grid.flat[x.grid.offset] if x.cell is None else x.cell for x in arrays]
    formula = CellFormula(out.session.machine.apply, out.dtype)
    rule = ARRAY_OPS[op]
    try:
        if op in OPS:
            found = formula.operation(op, *cells)
        else:
            columns = {rule.name_of(slot): [cell] for slot, cell in enumerate(cells)}
            found = cell_of(rule.scalar(0, [x.shape for x in arrays], params), columns, formula)
    except (NotOpened, KeyError):
        return
    if isinstance(found, Tensor):
        out.cell = found
        synchronise(out)


def synchronise(x: TensorArray) -> None:
    """Give the Value of a tensor its number, which may have been changed."""
    if x.cell is not None:
        (x.cell.data,) = x.numbers()


# Gradients that can be differentiated


def _detached(op: Op, *args: Any) -> Any:
    return result_of(op, [x if isinstance(x, Value) else Value(x) for x in args])


def _formula(dtype: DType) -> CellFormula:
    return CellFormula(_detached, dtype)


def _open(session: Any, order: Sequence[TensorNode]) -> None:
    """Give every node of a graph its cells, anew where the numbers of a leaf have changed."""
    if any(isinstance(node, LeafNode) and node.is_stale for node in order):
        for node in order:
            node.cells = node.cells if isinstance(node, GradientNode) else []
    try:
        for node in order:
            if not node.cells:
                node.cells = node.opened(_formula(node.dtype))
    except (NotOpened, NotImplementedError):
        session.machine.refuse(
            "A gradient of this gradient is not computed here.", "Leave create_graph out."
        )


def gradient_cells(
    session: Any, order: Sequence[TensorNode], seeds: Mapping[TensorNode, Sequence[Any]],
    wanted: Collection[TensorNode],
) -> dict[TensorNode, list[Any] | None]:  # fmt: skip
    """Σ seed · ∂output/∂x for each x of `wanted`, as scalars of the same leaves; None for none."""
    if sum(len(node.cells) or prod(node.shape) for node in order) > OPENED:
        session.machine.refuse(
            "The gradient of a gradient is not computed for a graph this large.",
            "Take fewer samples or a smaller network.",
        )
    _open(session, order)
    terms = [
        _formula(node.dtype).operation("*", cell, weight) if weight != 1.0 else cell
        for node, weights in seeds.items()
        for cell, weight in zip(node.cells, weights, strict=True)
        if isinstance(cell, Tensor)
    ]
    total = terms[0] if terms else None
    for term in terms[1:]:
        total = _formula(FLOAT64 if not term.single else FLOAT32).operation("+", total, term)
    found = {} if total is None else _gradients(total, {x for n in wanted for x in n.cells})
    return {
        node: [found.get(cell, 0.0) for cell in node.cells]
        if any(cell in found for cell in node.cells) else None
        for node in wanted
    }  # fmt: skip


def _gradients(output: Tensor, wanted: Collection[Value]) -> dict[Value, Any]:
    """The gradients of one scalar, as scalars: sums of products of partials."""
    order = topological_order(output)
    reaching = {x for x in order if x in wanted}
    for value in order:
        if not reaching.isdisjoint(value.args):
            reaching.add(value)

    def partials(value: Any) -> Iterable[tuple[Value, tuple[CellFormula, Any]]]:
        if value.op is None:
            return
        formula = _formula(FLOAT32 if value.single else FLOAT64)
        cells = [arg if isinstance(arg, Tensor) else arg.data for arg in value.args]
        names = {"y": value, **dict(zip(value.op.params, cells, strict=True))}
        for arg, text in zip(value.args, value.op.partials, strict=True):
            if arg in reaching:
                yield arg, (formula, evaluate(text, names, formula))

    active: list[Value] = [value for value in order if value in reaching]
    start: dict[Value, Any] = {output: (None, 1.0)}
    sums = sweep(active, partials, start, symbols(_product, _sum))
    return {x: amount for x, (_, amount) in sums.items() if x in reaching}


def _product(upstream: Any, partial: tuple[CellFormula, Any]) -> tuple[CellFormula, Any]:
    formula, x = partial
    return formula, upstream[1] if x == 1.0 else formula.operation("*", upstream[1], x)


def _sum(so_far: Any, term: tuple[CellFormula, Any]) -> Any:
    formula, amount = term
    return formula, formula.operation("+", so_far[1], amount)


class GradientNode(TensorNode):
    """A gradient as an operation of the leaves of its graph: its elements are scalars of theirs."""

    __slots__ = ("of_leaves",)

    def __init__(self, like: TensorArray, cells: list[Any], leaves: Sequence[TensorNode]) -> None:
        super().__init__(like.shape, like.dtype, leaves)
        self.cells, self.of_leaves = cells, [leaf.cells for leaf in leaves]

    def opened(self, formula: Any) -> list[Any]:
        return self.cells

    def pulled(self, g: Numbers) -> Pulled:
        """By the chain rule on the scalars."""
        tops = [cell for cell in self.cells if isinstance(cell, Tensor)]
        order: dict[Value, None] = {}
        for top in tops:
            order |= dict.fromkeys(topological_order(top))
        for value in (*order, *(cell for cells in self.of_leaves for cell in cells)):
            value.grad = 0.0
        for cell, amount in zip(self.cells, g, strict=True):
            if isinstance(cell, Tensor):
                cell.grad += amount
        for value in _latest_first(order):
            contributions(value)
        for slot, cells in enumerate(self.of_leaves):
            yield slot, [cell.grad for cell in cells]


def _latest_first(values: Collection[Value]) -> list[Value]:
    """Values in reverse topological order: each before all of its args."""
    left = dict.fromkeys(values, 0)
    for value in values:
        for arg in value.args:
            if arg in left:
                left[arg] += 1
    ready, order = [value for value, users in left.items() if not users], []
    while ready:
        value = ready.pop()
        order.append(value)
        for arg in value.args:
            if arg in left:
                left[arg] -= 1
                if not left[arg]:
                    ready.append(arg)
    return [value for value in order if value.op is not None]


def recorded_gradients(
    seeds: Mapping[TensorNode, Sequence[Any]], wanted: Sequence[TensorArray]
) -> list[TensorArray | None]:
    """The gradients for tensors, which are recorded themselves: `create_graph`."""
    order = order_below(seeds)
    found = gradient_cells(wanted[0].session, order, seeds, {x.node for x in wanted})
    leaves = [node for node in order if not node.args]
    return [_tensor(x, found[x.node], leaves) for x in wanted]


def _tensor(
    x: TensorArray, cells: list[Any] | None, leaves: Sequence[TensorNode]
) -> TensorArray | None:
    if cells is None:
        return None
    numbers = [cell.data if isinstance(cell, Value) else cell for cell in cells]
    out = x.new(x.dtype.convert(numbers))
    if any(isinstance(cell, Tensor) for cell in cells):
        out.node = out.storage.node = GradientNode(out, cells, leaves)
        out.made_by = "MulBackward0"
    return out


def hessian(y: TensorArray, x: TensorArray) -> list[Any]:
    """∂²y/∂xᵢ∂xⱼ of a number, row by row."""
    order = order_below([y.node])
    found = gradient_cells(x.session, order, {y.node: [1.0]}, {x.node})[x.node]
    rows: list[Any] = []
    for cell in found or [0.0] * x.size:
        second = _gradients(cell, set(x.node.cells)) if isinstance(cell, Tensor) else {}
        rows += [getattr(slope := second.get(one, 0.0), "data", slope) for one in x.node.cells]
    return rows
