"""Slips in a partial derivative, made from the text of the op table: what students write instead.

Each slip is a change of the partial's syntax tree: the inputs exchanged, a factor dropped, a power
dropped or not lowered, a sign changed, the input taken for the output. Nothing is listed by hand
for an operation, so an operation that is added to the table has its slips, too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from engine import parser_lock
from engine.caches import cached
from engine.formulas import Function, compile_text
from engine.ops import Op

EXCHANGED = "exchanged"
DROPPED = "dropped"
POWER = "power"
LOWERED = "lowered"
SIGN = "sign"
INPUT = "input"
OUTPUT = "output"


class Slip(NamedTuple):
    """A wrong partial: the kind of slip, its text, and for a dropped factor that factor's text."""

    kind: str
    text: str
    compute: Function
    """A function of the output and the inputs, as `Op.derive` is."""
    lost: str = ""


@cached("slips in partials")
def slips(op: Op, slot: int) -> tuple[Slip, ...]:
    """The slips in the partial for the input `slot` that change it, without repeats."""
    tree = parser_lock.expression(op.partials[slot])
    if isinstance(tree, ast.IfExp):  # the usual case stands first
        tree = tree.body
    found: dict[str, Slip] = {}
    for kind, changed, lost in _changes(tree, op.params):
        text = ast.unparse(ast.fix_missing_locations(changed))
        if text != ast.unparse(tree) and text not in found:
            found[text] = Slip(kind, text, compile_text(text, ("y", *op.params)), lost)
    return tuple(found.values())


def _changes(tree: ast.expr, params: tuple[str, ...]) -> Iterator[tuple[str, ast.expr, str]]:
    """The changed trees with the kind of each change and what was lost."""
    if len(params) == 2:
        a, b = params
        yield EXCHANGED, _renamed(tree, {a: b, b: a}), ""
    if len(params) == 1:
        yield INPUT, _renamed(tree, {"y": params[0]}), ""
        yield OUTPUT, _renamed(tree, {params[0]: "y"}), ""
    for kind, wanted, change in _LOCAL:
        for at in range(sum(isinstance(node, wanted) for node in ast.walk(tree))):
            for changed, lost in _at(tree, wanted, at, change):
                yield kind, changed, lost


def _factors(node: ast.BinOp) -> list[tuple[ast.expr, str]]:
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    if isinstance(node.op, ast.Mult):
        return [(node.right, left), (node.left, right)]
    if isinstance(node.op, ast.Div) and left != "1":
        return [(node.left, right), (ast.BinOp(ast.Constant(1), node.op, node.right), left)]
    return []


def _without_power(node: ast.BinOp) -> list[tuple[ast.expr, str]]:
    return [(node.left, "")] if isinstance(node.op, ast.Pow) else []


def _unlowered(node: ast.BinOp) -> list[tuple[ast.expr, str]]:
    exponent = node.right
    is_lowered = isinstance(exponent, ast.BinOp) and isinstance(exponent.op, ast.Sub)
    if not (isinstance(node.op, ast.Pow) and is_lowered):
        return []
    return [(ast.BinOp(node.left, node.op, exponent.left), "")]  # type: ignore[attr-defined]


def _other_sign(node: ast.BinOp) -> list[tuple[ast.expr, str]]:
    other = {ast.Add: ast.Sub, ast.Sub: ast.Add}.get(type(node.op))
    return [(ast.BinOp(node.left, other(), node.right), "")] if other else []


Change = Callable[[ast.BinOp], list[tuple[ast.expr, str]]]
_LOCAL: tuple[tuple[str, type[ast.BinOp], Change], ...] = (
    (LOWERED, ast.BinOp, _unlowered),
    (DROPPED, ast.BinOp, _factors),
    (POWER, ast.BinOp, _without_power),
    (SIGN, ast.BinOp, _other_sign),
)


def _at(
    tree: ast.expr, wanted: type[ast.BinOp], at: int, change: Change
) -> Iterator[tuple[ast.expr, str]]:
    """The trees with the node number `at` of a type replaced in each way of `change`."""
    text = ast.unparse(tree)
    count = len(change(_numbered(parser_lock.expression(text), wanted, at)))
    for way in range(count):
        fresh = parser_lock.expression(text)
        place = _numbered(fresh, wanted, at)
        new, lost = change(place)[way]
        yield _Replaced(place, new).visit(fresh), lost


def _numbered(tree: ast.expr, wanted: type[ast.BinOp], at: int) -> ast.BinOp:
    return [node for node in ast.walk(tree) if isinstance(node, wanted)][at]


class _Replaced(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def _renamed(tree: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """A copy of the tree with other names."""
    return _Renamed(names).visit(parser_lock.expression(ast.unparse(tree)))  # type: ignore[no-any-return]


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)
