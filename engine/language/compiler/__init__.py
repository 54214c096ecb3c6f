"""The compiler: a program's syntax tree as Python closures, without eval, exec or compile."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.language.machine import Machine
from engine.record.scopes import Scope

from . import (
    arithmetic,
    calls,
    classes,
    comprehensions,
    exceptions,
    expressions,
    functions,
    loops,
    patterns,
    statements,
    variables,
)
from .flow import CHECKED, check_flow
from .unit import Code, Unit

EXPRESSIONS: dict[type[ast.expr], Callable[[Unit, Any, Scope], Code]] = {
    ast.Constant: expressions.constant,
    ast.Name: variables.name,
    ast.BinOp: arithmetic.binop,
    ast.UnaryOp: arithmetic.unaryop,
    ast.Compare: arithmetic.compare,
    ast.BoolOp: arithmetic.boolop,
    ast.IfExp: arithmetic.ifexp,
    ast.NamedExpr: expressions.namedexpr,
    ast.List: expressions.list_,
    ast.Tuple: expressions.tuple_,
    ast.Set: expressions.set_,
    ast.Dict: expressions.dict_,
    ast.ListComp: comprehensions.listcomp,
    ast.SetComp: comprehensions.setcomp,
    ast.DictComp: comprehensions.dictcomp,
    ast.GeneratorExp: comprehensions.generatorexp,
    ast.Subscript: expressions.subscript,
    ast.Slice: expressions.slice_,
    ast.JoinedStr: expressions.joinedstr,
    ast.FormattedValue: expressions.formattedvalue,
    ast.Lambda: functions.lambda_,
    ast.Attribute: expressions.attribute,
    ast.Call: calls.call,
    ast.Starred: expressions.starred,
}
STATEMENTS: dict[type[ast.stmt], Callable[[Unit, Any, Scope], Code]] = {
    ast.Expr: statements.expr,
    ast.Assign: statements.assign,
    ast.AnnAssign: statements.annassign,
    ast.AugAssign: statements.augassign,
    ast.If: statements.if_,
    ast.For: loops.for_,
    ast.While: loops.while_,
    ast.Break: statements.break_,
    ast.Continue: statements.continue_,
    ast.Return: statements.return_,
    ast.Pass: statements.pass_,
    ast.Delete: statements.delete,
    ast.Assert: statements.assert_,
    ast.Global: statements.global_,
    ast.Nonlocal: statements.global_,
    ast.Import: statements.import_,
    ast.ImportFrom: statements.importfrom,
    ast.FunctionDef: functions.functiondef,
    ast.ClassDef: classes.classdef,
    ast.Raise: exceptions.raise_,
    ast.Try: exceptions.try_,
    ast.With: exceptions.with_,
    ast.Match: patterns.match,
}


def compile_program(machine: Machine, tree: ast.Module) -> list[tuple[ast.stmt, Code]]:
    """The code of each statement of a program, for one run.

    Raises Refused for syntax that no program may use, SyntaxError in Python's words.
    """
    source = machine.source
    if tree not in source.checked and not CHECKED.isdisjoint(source.parts):
        check_flow(machine, tree)
        source.checked.add(tree)
    scopes = source.scopes
    unit = Unit(machine, scopes, EXPRESSIONS, STATEMENTS)
    module = scopes[tree]
    return [(node, unit.statement(node, module)) for node in tree.body]
