"""The work that a part of a program takes at least, told from its text before it runs.

A loop that cannot end within the budget is refused when it begins, not after the budget is used up.
Whatever is not certain counts as nothing: branches, calls, what follows a way out of a loop. A loop
of backward passes may begin all the same: the last one that it finishes is drawn.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.record.attribute_names import BACKWARD

_WAYS_OUT = (ast.Break, ast.Continue, ast.Return)


def least_work(body: Sequence[ast.stmt]) -> int:
    """Operations that the statements take at least, each time they are run."""
    if any(_is_open(node) for part in body for node in ast.walk(part)):
        return 0
    return sum(map(_statement, body))


def _is_open(node: ast.AST) -> bool:
    """Whether a body with this node may end its loop early, or finish a scene."""
    is_pass = isinstance(node, ast.Attribute) and node.attr in BACKWARD
    return is_pass or isinstance(node, _WAYS_OUT)


def _statement(node: ast.stmt) -> int:
    match node:
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=value):
            return 1 + _expression(value)
        case ast.For(iter=turns):
            return 1 + _turns(turns) * (1 + sum(map(_statement, node.body)))
        case ast.If():
            either = (sum(map(_statement, part)) for part in (node.body, node.orelse))
            return 1 + min(either)
    return 1


def _turns(node: ast.expr) -> int:
    """Turns of a loop over `range(n)` with n written out; 0 if that is not known."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int() as n)]):
            return max(n, 0)
    return 0


def _expression(node: ast.expr) -> int:
    match node:
        case ast.BinOp(left=left, right=right):
            return 1 + _expression(left) + _expression(right)
        case ast.Name() | ast.Constant(value=int() | float()):
            return 1
    return 0
