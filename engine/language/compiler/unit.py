"""The compiler's parts, and the form of the code that it makes.

A program becomes Python closures: one for each expression and statement, called with the frame of
the function that runs. A frame is a list: slot 0 holds the statement being run, the others hold
variables, or cells (lists of one item) of variables that inner functions capture.

The code of an expression returns its value. The code of a statement returns None to go on, BREAK,
CONTINUE, or a tuple of one item: the value that the function returns.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.language.machine import Machine
from engine.language.refusal import Refused
from engine.record.scopes import Scope

Frame: TypeAlias = "list[Any]"
Code: TypeAlias = Callable[[Frame], Any]
BREAK, CONTINUE = "break", "continue"


class _Unset:
    """The content of a slot whose variable has no value."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset()


class Unit:
    """Compiles one program for one machine, by tables from types of syntax to compilers."""

    def __init__(
        self,
        machine: Machine,
        scopes: dict[ast.AST, Scope],
        expressions: dict[type[ast.expr], Callable[[Unit, Any, Scope], Code]],
        statements: dict[type[ast.stmt], Callable[[Unit, Any, Scope], Code]],
    ) -> None:
        self.machine = machine
        self.scopes = scopes
        self.expressions = expressions
        self.statements = statements
        self.mixins = machine.source.mixins

    def expression(self, node: ast.expr, scope: Scope) -> Code:
        """The code of a node. A SyntaxError tells by `at` which node it is about."""
        compiler = self.expressions.get(type(node))
        if compiler is None:
            raise Refused(node, *unknown(node))
        try:
            return compiler(self, node, scope)
        except SyntaxError as error:
            raise _placed(error, node) from None

    def all(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Code]:
        return [self.expression(node, scope) for node in nodes]

    def statement(self, node: ast.stmt, scope: Scope) -> Code:
        compiler = self.statements.get(type(node))
        if compiler is None:
            raise Refused(node, *unknown(node))
        try:
            return compiler(self, node, scope)
        except SyntaxError as error:
            raise _placed(error, node) from None

    def block(self, statements: Sequence[ast.stmt], scope: Scope) -> Code:
        """The code of statements one after the other, which counts their work when it starts."""
        return block_of(
            self.machine,
            [self.statement(node, scope) for node in statements],
            sum(map(cost, statements)),
        )

    def turn(self, statements: Sequence[ast.stmt], scope: Scope) -> tuple[Code, int]:
        """The code of a loop's body, and the work that the loop counts for it at each turn."""
        if len(statements) > 1:
            return self.block(statements, scope), 0
        (only,) = statements
        return self.statement(only, scope), cost(only)


def _placed(error: SyntaxError, node: ast.AST) -> SyntaxError:
    """`error` with the innermost node that it is about."""
    if not hasattr(error, "at"):
        error.at = node  # type: ignore[attr-defined]
    return error


def block_of(m: Machine, codes: Sequence[Code], work: int) -> Code:
    """Run `codes` in order until one returns something, for `work` operations."""
    if len(codes) == 1:
        only = codes[0]

        def one(f: Frame) -> Any:
            m.left -= work
            if m.left < 0:
                m.exhausted()
            return only(f)

        return one
    if len(codes) == 2:
        first, second = codes

        def two(f: Frame) -> Any:
            m.left -= work
            if m.left < 0:
                m.exhausted()
            out = first(f)
            return second(f) if out is None else out

        return two
    listed = tuple(codes)

    def many(f: Frame) -> Any:
        m.left -= work
        if m.left < 0:
            m.exhausted()
        for code in listed:
            out = code(f)
            if out is not None:
                return out
        return None

    return many


_APART = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp,
          ast.GeneratorExp)  # fmt: skip
"""Syntax that counts its parts by itself, each time that they run."""
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def cost(node: ast.AST) -> int:
    """Operations that a statement or expression takes without the blocks inside it."""
    count, todo = 0, [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.expr | ast.stmt):
            count += 1
        if isinstance(part, _APART) and part is not node:
            continue
        for name in part._fields:
            if isinstance(part, ast.stmt | ast.Lambda) and name in _BLOCKS:
                continue
            value = getattr(part, name, None)
            children = value if isinstance(value, list) else [value]
            todo += [child for child in children if isinstance(child, ast.AST)]
    return count


FOREIGN: dict[type[ast.AST], tuple[str, str]] = {
    ast.AsyncFunctionDef: ("async", "Write def without async."),
    ast.AsyncFor: ("async", "Write for without async."),
    ast.AsyncWith: ("async", "Remove the line."),
    ast.Await: ("await", "Remove it."),
    ast.TryStar: ("except*", "Write except."),
    ast.Yield: ("yield inside an expression", "Give its value a name: x = yield y."),
    ast.YieldFrom: ("yield inside an expression", "Give its value a name: x = yield from y."),
}
"""Syntax of Python that programs cannot use: its name, and what to write instead."""


def unknown(node: ast.AST) -> tuple[str, str]:
    """The message and hint for syntax that has no compiler."""
    name, hint = FOREIGN.get(type(node), ("This", ""))
    return f"{name} is not part of this language.", hint
