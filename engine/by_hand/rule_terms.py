"""Contributions as a program would write them: from the rules of the operations, with its names."""

from __future__ import annotations

import ast

from engine.array_ops.ops import ARRAY_OPS
from engine.parser_lock import expression

from .judge import HandPass
from .model import HandGradient


def terms(passed: HandPass, row: HandGradient) -> list[tuple[str, str]]:
    """Of each use of an array whose result has a gradient with a name: contribution, and use."""
    known = {it.target: it.name for it in passed.gradients}
    found = []
    for use in passed.matched.truth.uses.get(row.target, ()):
        text = _term(passed, use.user, use.slot, known)
        if text:
            source = passed.run.source
            place = source.span(passed.nodes[use.user].node)[0]
            found.append((text, f"{source.text_of(passed.nodes[use.user].node)} in line {place}"))
    return found


def _term(passed: HandPass, user: int, slot: int, gradients: dict[int, str]) -> str:
    """The contribution of one use in the names of the program; "" if a name is missing."""
    node = passed.nodes[user]
    gradient = gradients.get(user)
    op = ARRAY_OPS.get(node.op or "")
    if gradient is None or op is None:
        return ""
    names = {"g": gradient, "y": _name(passed, user)}
    names |= {op.name_of(i): _name(passed, arg) for i, arg in enumerate(node.args)}
    rule = op.rule(slot).source
    if not rule:
        return ""
    tree = _Named(names).visit(expression(rule))
    text = ast.unparse(tree)
    return "" if "?" in text or "(g)" in rule else f"({text})" if " " in text else text


def _name(passed: HandPass, at: int) -> str:
    for it in passed.run.array_record.names:
        if it.of == at:
            return str(it.name)
    node = passed.nodes[at]
    return f"{node.data[0]:g}" if node.is_constant and len(node.data) == 1 else "?"


class _Named(ast.NodeTransformer):
    """Puts the program's names into a rule; `T(x)` is x.T."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "T":
            return ast.Attribute(node.args[0], "T")
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id))
