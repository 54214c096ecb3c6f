"""The kind of step that a question asks for, read from the partials of its operation.

A score counts by kind: an operation, with words for what its rule does to a gradient.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from engine import parser_lock
from engine.caches import cached
from engine.formulas import names_in
from engine.ops import OPS, Op

from .exercise import DATA, Question

PASSES = "passes the gradient on"
SWAPS = "swaps the inputs"
NEGATES = "negates the gradient"
PARTLY = "passes the gradient on, negated to the second input"
GATES = "passes the gradient on or stops it"
OF_OUTPUT = "multiplies by a slope from its output"
OF_INPUT = "multiplies by its local slope"
ADDS = "adds up the contributions of all uses"
COMPUTES = "computes forward"
SUM = "Σ"


class RuleKind(NamedTuple):
    """A kind of step: the operation's symbol, and what its rule does."""

    symbol: str
    words: str


def kind_of(question: Question, symbol_of: dict[str, str | None]) -> RuleKind:
    """The kind of a question; `symbol_of` gives the operation of each Value by id."""
    if question.kind == DATA:
        op = OPS[symbol_of[question.node] or ""]
        return RuleKind(op.symbol, COMPUTES)
    if len(question.contributions) > 1:
        return RuleKind(SUM, ADDS)
    op = OPS[question.contributions[0].op]
    return RuleKind(op.symbol, rule(op))


@cached("backward rules in words")
def rule(op: Op) -> str:
    """What the backward rule of an operation does to a gradient, in words."""
    partials = op.partials
    if set(partials) == {"1"}:
        return PASSES
    if set(partials) <= {"1", "-1"}:
        return NEGATES if len(partials) == 1 else PARTLY
    if len(partials) == 2 and partials == tuple(reversed(op.params)):
        return SWAPS
    trees = [parser_lock.expression(text) for text in partials]
    if all(_is_gate(tree) for tree in trees):
        return GATES
    names = {name for text in partials for name in names_in(text)}
    return OF_OUTPUT if "y" in names and not names & {*op.params} else OF_INPUT


def _is_gate(tree: ast.expr) -> bool:
    """Whether a partial is one of several constants, by a condition."""
    while isinstance(tree, ast.IfExp):
        if not _is_number(tree.body):
            return False
        tree = tree.orelse
        if _is_number(tree):
            return True
    return False


def _is_number(tree: ast.expr) -> bool:
    if isinstance(tree, ast.UnaryOp):
        tree = tree.operand
    return isinstance(tree, ast.Constant)
