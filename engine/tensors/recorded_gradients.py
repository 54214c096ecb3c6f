"""Gradients that are results themselves, so that they can be differentiated: `create_graph`.

The chain rule is applied by operations of the table: the text of each partial is evaluated on the
scalar Tensors of the graph. Branches of partials are chosen by the present numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.array_ops.grid import from_items
from engine.formulas import evaluate
from engine.reverse import Algebra, sweep
from engine.value import Value, topological_order

from .blocks import has_block
from .cell_formulas import CellFormula
from .dtypes import FLOAT32, FLOAT64
from .scalar import Tensor
from .session import Session
from .tensor_array import TensorArray


def recorded_gradients(
    session: Session, output: Tensor, wanted: Iterable[Tensor]
) -> dict[int, Any]:
    """∂output/∂x for each x, by its identity: a Tensor of the graph, or a plain number."""
    order = topological_order(output)
    if has_block(order):
        session.machine.refuse(
            "The gradient of a gradient is not computed for a graph this large.",
            "Take fewer samples or a smaller network.",
        )
    inside = {id(x) for x in wanted}
    reaching = {x for x in order if id(x) in inside}
    for value in order:
        if not reaching.isdisjoint(value.args):
            reaching.add(value)

    def partials(value: Any) -> Iterable[tuple[Value, tuple[CellFormula, Any]]]:
        if value.op is None:
            return
        formula = CellFormula(session, FLOAT32 if value.single else FLOAT64)
        cells = [arg if isinstance(arg, Tensor) else arg.data for arg in value.args]
        names = {"y": value, **dict(zip(value.op.params, cells, strict=True))}
        for arg, text in zip(value.args, value.op.partials, strict=True):
            if arg in reaching:
                yield arg, (formula, evaluate(text, names, formula))

    active: list[Value] = [value for value in order if value in reaching]
    seed: dict[Value, Any] = {output: 1.0}
    found = sweep(active, partials, seed, ROUNDED)
    return {id(x): gradient for x, gradient in found.items() if id(x) in inside}


def _product(upstream: Any, partial: tuple[CellFormula, Any]) -> tuple[CellFormula, Any]:
    formula, x = partial
    return formula, upstream if x == 1.0 else formula.operation("*", upstream, x)


def _sum(so_far: Any, term: tuple[CellFormula, Any]) -> Any:
    formula, amount = term
    return amount if so_far is None else formula.operation("+", so_far, amount)


ROUNDED: Algebra[Any, Any, Any] = Algebra(None, _product, _sum)
"""Operations on Tensors, in the precision of the user."""


def gradient_tensor(session: Session, x: Any, found: Mapping[int, Any]) -> Any:
    """The gradient for the tensor `x`, with a grad_fn if it depends on anything recorded."""
    array = session.array(x)
    items = [found.get(id(cell), 0.0) for cell in array.grid.items()]
    if not any(isinstance(cell, Tensor) for cell in items):
        return TensorArray(session, from_items(items, array.shape), array.dtype)
    return session.tensor(items, array.shape, array.dtype, "MulBackward0")
