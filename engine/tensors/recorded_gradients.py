"""Gradients that are results themselves, so that they can be differentiated: `create_graph`.

The chain rule is applied by operations of the table: the text of each partial is evaluated on the
scalar Tensors of the graph. Branches of partials are chosen by the present numbers.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine import parser_lock
from engine.arrays.grid import from_items
from engine.caches import cached
from engine.formulas import CONSTANTS
from engine.ops import OPS
from engine.value import topological_order

from .dtypes import FLOAT32, FLOAT64, DType
from .scalar import Tensor
from .session import Session, bare
from .tensor_array import TensorArray

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_TESTS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Gt: operator.gt, ast.Lt: operator.lt, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.GtE: operator.ge, ast.LtE: operator.le,
}  # fmt: skip
_NODE_COST = 8
"""Operations: looking at one Value of the graph, beside the operations applied."""


class _Formula:
    """Evaluates the text of a partial on cells: Tensors, and plain numbers for constants."""

    def __init__(self, session: Session, dtype: DType) -> None:
        self.session, self.dtype = session, dtype

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        match node:
            case ast.Constant():
                return float(node.value)  # type: ignore[arg-type]  # the tables hold numbers
            case ast.Name():
                return names[node.id] if node.id in names else CONSTANTS[node.id]
            case ast.UnaryOp(ast.USub(), operand):
                return self.apply("neg", self.value(operand, names))
            case ast.BinOp(left, sign, right) if type(sign) in _SIGNS:
                sides = [self.value(side, names) for side in (left, right)]
                return self.apply(_SIGNS[type(sign)], *sides)
            case ast.IfExp(test, body, orelse):
                return self.value(body if self.holds(test, names) else orelse, names)
            case ast.Call(ast.Name(name), args) if name in OPS:
                return self.apply(name, *[self.value(arg, names) for arg in args])
        return self.session.machine.refuse(
            "A gradient of this gradient is not computed here.", "Leave create_graph out."
        )

    def holds(self, test: ast.expr, names: Mapping[str, Any]) -> bool:
        match test:
            case ast.BoolOp(ast.And(), tests):
                return all(self.holds(part, names) for part in tests)
            case ast.BoolOp(ast.Or(), tests):
                return any(self.holds(part, names) for part in tests)
            case ast.Compare(left, [sign], [right]):
                a, b = bare([self.value(side, names) for side in (left, right)])
                return _TESTS[type(sign)](a, b)
        return bool(bare([self.value(test, names)])[0])

    def apply(self, name: str, *cells: Any) -> Any:
        return self.session.apply(OPS[name], self.dtype, *cells)


@cached("syntax of tensor partials")
def _tree(text: str) -> ast.expr:
    return parser_lock.expression(text)


def recorded_gradients(
    session: Session, output: Tensor, wanted: Iterable[Tensor]
) -> dict[int, Any]:
    """∂output/∂x for each x, by its identity: a Tensor of the graph, or a plain number."""
    order = topological_order(output)
    session.machine.spend(_NODE_COST * len(order))
    inside = {id(x) for x in wanted}
    reaching = set(inside)
    for value in order:
        if any(id(arg) in reaching for arg in value.args):
            reaching.add(id(value))
    found: dict[int, Any] = {id(output): 1.0}
    for value in reversed(order):
        if id(value) in found and id(value) in reaching and value.op is not None:
            _pull(session, value, found, reaching)
    return {key: gradient for key, gradient in found.items() if key in inside}


def _pull(session: Session, value: Any, found: dict[int, Any], reaching: set[int]) -> None:
    """Add the contributions of one operation to the gradients of its args."""
    formula = _Formula(session, FLOAT32 if value.single else FLOAT64)
    cells = [arg if isinstance(arg, Tensor) else arg.data for arg in value.args]
    names = {"y": value, **dict(zip(value.op.params, cells, strict=True))}
    upstream = found[id(value)]
    for arg, text in zip(value.args, value.op.partials, strict=True):
        if id(arg) not in reaching:
            continue
        partial = formula.value(_tree(text), names)
        amount = upstream if partial == 1.0 else formula.apply("*", upstream, partial)
        before = found.get(id(arg))
        found[id(arg)] = amount if before is None else formula.apply("+", before, amount)


def gradient_tensor(session: Session, x: Any, found: Mapping[int, Any]) -> Any:
    """The gradient for the tensor `x`, with a grad_fn if it depends on anything recorded."""
    array = session.array(x)
    items = [found.get(id(cell), 0.0) for cell in array.grid.items()]
    if not any(isinstance(cell, Tensor) for cell in items):
        return TensorArray(session, from_items(items, array.shape), array.dtype)
    return session.tensor(items, array.shape, array.dtype, "MulBackward0")
