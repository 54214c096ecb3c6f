"""Ways out of loops and functions that stand outside of them: mistakes before a program runs."""

from __future__ import annotations

import ast

from engine.language.machine import Machine

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.While)
_WORDS: dict[type[ast.AST], str] = {
    ast.Break: "'break' outside loop",
    ast.Continue: "'continue' not properly in loop",
    ast.Return: "'return' outside function",
    ast.Yield: "'yield' outside function",
    ast.YieldFrom: "'yield' outside function",
}
"""CPython's words for each."""
CHECKED = frozenset(_WORDS)


def check_flow(m: Machine, tree: ast.Module) -> None:
    """Raises SyntaxError, with the machine's node at the place."""
    stack: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
    while stack:
        node, in_function, in_loop = stack.pop()
        if type(node) in _WORDS:
            is_loops = isinstance(node, ast.Break | ast.Continue)
            if not (in_loop if is_loops else in_function):
                m.node = node
                raise SyntaxError(_WORDS[type(node)])
        for name in reversed(node._fields):
            value = getattr(node, name, None)
            inside = _inside(node, name, in_function, in_loop)
            children = reversed(value) if isinstance(value, list) else [value]
            stack += [(child, *inside) for child in children if isinstance(child, ast.AST)]


def _inside(node: ast.AST, field: str, in_function: bool, in_loop: bool) -> tuple[bool, bool]:
    """Whether the part `field` of a node stands in a function, and in a loop of it."""
    if field == "body" and isinstance(node, _FUNCTIONS):
        return True, False
    if field == "body" and isinstance(node, ast.ClassDef):
        return False, False
    return in_function, in_loop or (field == "body" and isinstance(node, _LOOPS))
