"""Nodes of a rewritten tree: made at the places of those that they stand for, and looked at."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
LOAD, STORE = ast.Load(), ast.Store()
Node = TypeVar("Node", bound=ast.AST)


def at(new: Node, node: ast.AST) -> Node:
    """`new` at the place of `node`, and with it the parts that have no place yet."""
    at: Any = node
    found: Any = new
    found.lineno, found.col_offset = at.lineno, at.col_offset
    if type(node) in _BLOCKS:
        found.end_lineno, found.end_col_offset = at.lineno, at.col_offset
    else:
        found.end_lineno, found.end_col_offset = at.end_lineno, at.end_col_offset
    return new


_BLOCKS = frozenset({ast.FunctionDef, ast.ClassDef, ast.For, ast.While})
"""Statements that hold others: what is put in for one of them stands where it begins."""


def loaded(target: ast.Attribute) -> ast.expr:
    """The attribute that a target names, as it is."""
    return at(ast.Attribute(target.value, target.attr, LOAD), target)


def again(target: Any) -> ast.expr:
    """The object of a target, loaded once more."""
    return ast.copy_location(ast.Name(target.value.id, LOAD), target.value)


def item(helper: ast.Name, key: ast.expr, node: ast.expr) -> ast.Subscript:
    """`helper[key]` as a target in place of `node`."""
    return at(ast.Subscript(helper, key, STORE), node)


def assigned(name: str, value: ast.expr, node: ast.AST) -> ast.stmt:
    return at(ast.Assign([at(ast.Name(name, STORE), node)], value), node)


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def first_of(params: ast.arguments, node: ast.AST) -> ast.expr:
    """The first parameter of a function, in which a method has its object; else None."""
    named = [*params.posonlyargs, *params.args]
    first: ast.expr = ast.Name(named[0].arg, LOAD) if named else ast.Constant(None)
    return at(first, node)


def has_star(node: ast.Call) -> bool:
    return any(isinstance(arg, ast.Starred) for arg in node.args)


def yields(function: ast.FunctionDef) -> bool:
    """Whether a function is a generator: its scope is none, as its caller's goes on meanwhile."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _SCOPES):
            todo += ast.iter_child_nodes(node)
    return False
