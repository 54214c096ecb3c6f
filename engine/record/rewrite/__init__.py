"""A program's code with the calls by which a run of it is recorded.

CPython compiles the rewritten tree, which gets its own parts back afterwards. Where the operands of
a computation would otherwise be lost, or the name, loop or call around it, the tree calls a helper,
which is a built-in name of the run that no program can write by accident:

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
from types import CodeType
from typing import Any, ClassVar, NamedTuple

from .blocks import Blocks
from .marks import MarkStatement
from .walk import CALL, PREFIX, HelperSite, Watch

__all__ = ["CALL", "PREFIX", "HelperSite", "InstrumentedCode", "Watch", "code_of"]


class InstrumentedCode(NamedTuple):
    """The code of a program, and the helpers that it calls, by number."""

    code: CodeType
    sites: list[HelperSite]


def code_of(
    tree: ast.Module, watch: Watch, filename: str, cells: Sequence[int] = (), prefix: str = PREFIX
) -> InstrumentedCode:
    """The code of `tree` with calls of helpers.

    `cells` are the lines where cells begin, `prefix` is how the names of the helpers begin.
    """
    rewriter = _Rewriter(watch, prefix)
    try:
        rewritten = ast.Module(_rewritten(rewriter, tree, cells), [])
        return InstrumentedCode(
            compile(rewritten, filename, "exec", dont_inherit=True), rewriter.sites
        )
    finally:
        rewriter.restore()


def _rewritten(rewriter: _Rewriter, tree: ast.Module, cells: Sequence[int]) -> list[ast.stmt]:
    shown = [(statement, statement.value) for statement in _shown(tree.body, cells)]
    body = rewriter.body(tree.body)
    for statement, value in shown:
        call = rewriter.call("show", value, [statement.value])
        at = body.index(statement)
        body[at] = ast.copy_location(ast.Expr(call), statement)
    return body


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
        MarkStatement: Blocks.mark,
        ast.Constant: lambda rewriter, node: node,
        ast.Name: lambda rewriter, node: node,
        ast.Match: Blocks.match,
    }
