"""Calls: of functions, methods and classes, with all of Python's forms of arguments."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType, MethodType
from typing import Any

from engine.language.attributes import get_attribute, method_of
from engine.language.classes import ProgramType
from engine.language.hooks import HOOKS
from engine.language.imports import DRAWS
from engine.language.machine import Machine
from engine.language.methods_of_mappings import pairs_of
from engine.language.texts import name_of_type
from engine.record.attribute_names import BACKWARD
from engine.record.scopes import CLASS_CELL, Scope

from .class_of_self import is_class_of_self
from .expressions import checked, spread
from .unit import Code, Frame, Unit

MAX_ARGUMENTS = 1000
_DIRECT = frozenset({FunctionType, MethodType})


def call(unit: Unit, node: ast.Call, scope: Scope) -> Code:
    if _is_super(node, scope):
        return _super(unit, node, scope)
    if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
        return _general(unit, node, scope)
    if isinstance(node.func, ast.Attribute) and not is_class_of_self(node.func, scope):
        return _method(unit, node, node.func, scope)
    return _plain(unit, node, scope)


def _is_super(node: ast.Call, scope: Scope) -> bool:
    is_named = isinstance(node.func, ast.Name) and node.func.id == "super"
    return is_named and not node.args and not node.keywords and CLASS_CELL in scope.slots


def _super(unit: Unit, node: ast.Call, scope: Scope) -> Code:
    """`super()` in a method: the class around it and the method's first argument."""
    m, cell = unit.machine, scope.slots[CLASS_CELL]
    first = scope.params[0] if scope.params else ""
    slot, in_cell = scope.slots.get(first, 0), first in scope.cells

    def code(f: Frame) -> Any:
        m.node = node
        if not first:
            raise RuntimeError("super(): no arguments")
        owner = f[slot][0] if in_cell else f[slot]
        return super(f[cell][0], owner)

    return code


def _plain(unit: Unit, node: ast.Call, scope: Scope) -> Code:
    m, function = unit.machine, unit.expression(node.func, scope)
    arguments = unit.all(node.args, scope)
    if isinstance(node.func, ast.Name) and node.func.id in DRAWS and arguments:
        return _drawing(m, function, arguments, node)
    if len(arguments) == 1:
        (only,) = arguments

        def one(f: Frame) -> Any:
            called, argument = function(f), only(f)
            m.node = node
            if m.depth == 0 and type(type(argument)) is ProgramType:
                return m.scenes.passing(argument, node, lambda: m.call(called, argument))
            if type(called) in _DIRECT:
                return called(argument)
            return m.invoke(called, (argument,), {})

        return one

    def code(f: Frame) -> Any:
        called = function(f)
        given = [argument(f) for argument in arguments]
        m.node = node
        if type(called) in _DIRECT:
            return called(*given)
        return m.invoke(called, tuple(given), {})

    return code


def _drawing(m: Machine, function: Code, arguments: list[Code], node: ast.Call) -> Code:
    """The code of a call that draws its first argument."""

    def code(f: Frame) -> Any:
        called = function(f)
        given = [argument(f) for argument in arguments]
        m.node = node
        m.scenes.draw(given[0], node)
        return m.call(called, *given)

    return code


def _method(unit: Unit, node: ast.Call, func: ast.Attribute, scope: Scope) -> Code:
    """`owner.name(…)`: a method of a table is called without being bound first."""
    m, owner, name = unit.machine, unit.expression(func.value, scope), checked(func, scope)
    arguments = unit.all(node.args, scope)
    is_pass, is_hook = name in BACKWARD, name in HOOKS

    def code(f: Frame) -> Any:
        value = owner(f)
        kind = type(value)
        method = None
        m.node = func
        if type(kind) is ProgramType and kind._seegrad_plain and not is_hook:
            called = getattr(value, name)
        else:
            is_own = isinstance(kind, ProgramType)  # it may define the method itself
            method = None if is_own or m.patches else method_of(kind, name)
            called = None if method else get_attribute(m, value, name)
        given = [argument(f) for argument in arguments]
        m.node = node
        if method:
            return method(m, value, *given)
        if (is_pass or m.depth == 0) and type(kind) is ProgramType:
            return m.scenes.passing(value, node, lambda: m.call(called, *given))
        if type(called) in _DIRECT:
            return called(*given)
        return m.invoke(called, tuple(given), {})

    return code


def _general(unit: Unit, node: ast.Call, scope: Scope) -> Code:
    """A call with keywords, `*args` or `**kwargs`."""
    m, function = unit.machine, unit.expression(node.func, scope)
    positional = spread(unit, node.args, scope)
    draws = isinstance(node.func, ast.Name) and node.func.id in DRAWS
    named = [(keyword.arg, unit.expression(keyword.value, scope)) for keyword in node.keywords]

    def code(f: Frame) -> Any:
        called = function(f)
        args = positional(f)
        keywords: dict[str, Any] = {}
        for name, value in named:
            _add(m, keywords, name, value(f), called)
        m.node = node
        m.spend(len(args) + len(keywords))
        if len(args) + len(keywords) > MAX_ARGUMENTS:
            m.refuse(f"A call takes at most {MAX_ARGUMENTS:,} arguments.", "Pass a list.")
        if draws and args:
            m.scenes.draw(args[0], node)
        output = _output(node, called, args)
        if output is not None:
            return m.scenes.passing(output, node, lambda: m.call(called, *args, **keywords))
        return m.call(called, *args, **keywords)

    return code


def _output(node: ast.Call, called: Any, args: Sequence[Any]) -> Any:
    """The object from which a call may run a backward pass of the program's own, else None."""
    owner = getattr(called, "__self__", None) if isinstance(called, MethodType) else None
    is_method = isinstance(node.func, ast.Attribute) and type(type(owner)) is ProgramType
    return owner if is_method else None


def _shown(called: Any) -> str:
    """A function as CPython names it in a message on its arguments."""
    name = getattr(called, "__qualname__", "function")
    return f"__main__.{name}()" if getattr(called, "__module__", "") == "__main__" else f"{name}()"


def _add(m: Machine, keywords: dict[str, Any], name: str | None, value: Any, called: Any) -> None:
    """Add a named argument, or all of a mapping. Raises TypeError for a name given twice."""
    if name is not None:
        more: dict[str, Any] = {name: value}
    elif isinstance(value, dict):
        more = value if type(value) is dict else dict(pairs_of(m, value, len(keywords)))
    else:
        kind = name_of_type(value)
        raise TypeError(f"{_shown(called)} argument after ** must be a mapping, not {kind}")
    for key, item in more.items():
        if not isinstance(key, str):
            raise TypeError("keywords must be strings")
        key = str.__str__(key)
        if key in keywords:
            shown = getattr(called, "__name__", "function")
            raise TypeError(f"{shown}() got multiple values for keyword argument '{key}'")
        keywords[key] = item
