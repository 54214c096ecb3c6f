"""A program's syntax tree with the calls by which a run of it is recorded.

CPython runs the rewritten tree. Where the operands of a computation would otherwise be lost, or the
name, loop or call around it, the tree calls a helper, which is a built-in name of the run that
no program can write by accident:

    a * b                 _seegrad_0(a, b)
    x = 2.0               x = _seegrad_1(2.0)
    o.grad = v            o.grad = _seegrad_2(v, o)
    o.grad += v           o.grad = _seegrad_3(o.grad, v, o)
    f(o).grad = v         _seegrad_4[f(o)] = v        evaluated in Python's own order
    for x in xs: …        for x in _seegrad_5(xs): …
    def f(x): …           the body between a helper that enters the call and one that leaves it

Every new node stands where the node stood that it replaces, so that CPython's own tables of
positions give the places of the program in tracebacks and for everything else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, cast

from .blocks import Blocks
from .walk import CALL, PREFIX, Site, Watch

__all__ = ["CALL", "PREFIX", "Rewritten", "Site", "Watch", "rewritten"]


class Rewritten(NamedTuple):
    """A tree to compile, and the helpers that it calls, by number."""

    tree: ast.Module
    sites: list[Site]


def rewritten(
    tree: ast.Module, watch: Watch, cells: Sequence[int] = (), prefix: str = PREFIX
) -> Rewritten:
    """`tree` with calls of helpers; it is left as it is.

    `cells` are the lines where cells begin, `prefix` is how the names of the helpers begin.
    """
    rewriter = _Rewriter(watch, prefix)
    body = rewriter.body(tree.body)
    for statement in _shown(tree.body, cells):
        at = tree.body.index(statement)
        offset = len(body) - len(tree.body)
        shown = cast(ast.Expr, body[at + offset])
        body[at + offset] = ast.copy_location(
            ast.Expr(rewriter.call("show", statement.value, [shown.value])), statement
        )
    return Rewritten(ast.Module(body, []), rewriter.sites)


def _shown(body: Sequence[ast.stmt], cells: Sequence[int]) -> list[ast.Expr]:
    """The expressions that end a cell of a notebook, or the program."""
    found = []
    for statement, following in zip(body, [*body[1:], None], strict=True):
        ends = following is None or any(
            statement.lineno < line <= following.lineno for line in cells
        )
        if ends and isinstance(statement, ast.Expr):
            found.append(statement)
    return found


class _Rewriter(Blocks):
    """One rewriting of a whole program."""

    methods: ClassVar[Mapping[type[ast.AST], Callable[[Any, Any], Any]]] = {
        ast.BinOp: Blocks.binop,
        ast.UnaryOp: Blocks.unaryop,
        ast.Compare: Blocks.compare,
        ast.Attribute: Blocks.attribute,
        ast.Subscript: Blocks.subscript,
        ast.NamedExpr: Blocks.namedexpr,
        ast.Lambda: Blocks.lambda_,
        ast.Call: Blocks.called,
        ast.Assign: Blocks.assign,
        ast.AnnAssign: Blocks.annassign,
        ast.AugAssign: Blocks.augassign,
        ast.For: Blocks.for_,
        ast.While: Blocks.while_,
        ast.FunctionDef: Blocks.functiondef,
        ast.AsyncFunctionDef: Blocks.functiondef,
        ast.ClassDef: Blocks.classdef,
        ast.Return: Blocks.return_,
        ast.Constant: lambda rewriter, node: node,
        ast.Name: lambda rewriter, node: node,
        ast.Match: Blocks.match,
    }
