"""try, raise and with. No program can catch what stops it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.language.context import entered
from engine.language.machine import Machine
from engine.language.refusal import CATCHABLE
from engine.record.scopes import Scope

from .targets import target
from .unit import UNSET, Code, Frame, Unit
from .variables import store

Handler = tuple["Code | None", Callable[[Frame, Any], None] | None, Callable[[Frame], Any]]
"""The classes that it catches, the name that it sets, its body."""
Block = Callable[[Unit, list[ast.stmt], Scope], Callable[[Frame], Any]]


def raise_(unit: Unit, node: ast.Raise, scope: Scope) -> Code:
    m = unit.machine
    if node.exc is None:

        def again(f: Frame) -> None:
            f[0] = node
            if not m.handled:
                raise RuntimeError("No active exception to reraise")
            raise m.handled[-1]

        return again
    error = unit.expression(node.exc, scope)
    cause = None if node.cause is None else unit.expression(node.cause, scope)

    def code(f: Frame) -> None:
        f[0] = node
        raised = error(f)
        m.node = node
        if isinstance(raised, type):
            raised = m.call(raised)
        if not isinstance(raised, BaseException):
            raise TypeError("exceptions must derive from BaseException")
        if cause is None:
            raise raised
        raise raised from cause(f)

    return code


def try_(unit: Unit, node: ast.Try, scope: Scope) -> Code:
    body = unit.block(node.body, scope)
    if node.handlers:
        body = _handled(unit, node, body, scope)
    if not node.finalbody:
        return body
    last = unit.block(node.finalbody, scope)

    def code(f: Frame) -> Any:
        try:
            out = body(f)
        except CATCHABLE as error:
            replaced = last(f)
            if replaced is not None:
                forget(unit.machine, error)
                return replaced
            raise
        replaced = last(f)
        return out if replaced is None else replaced

    return code


def _handled(unit: Unit, node: ast.Try, body: Code, scope: Scope) -> Code:
    m = unit.machine
    other = unit.block(node.orelse, scope) if node.orelse else None
    handlers = [handler_of(unit, handler, scope) for handler in node.handlers]

    def code(f: Frame) -> Any:
        depth, around = m.depth, m.scope
        try:
            out = body(f)
        except CATCHABLE as error:
            m.depth, m.scope = depth, around
            handler = matching(m, f, handlers, error)
            if handler is None:
                raise
            forget(m, error)
            return handle(m, f, handler, error)
        return other(f) if out is None and other else out

    return code


def handler_of(
    unit: Unit, node: ast.ExceptHandler, scope: Scope, block: Block | None = None
) -> Handler:
    """A handler; `block` compiles its body where it may yield."""
    kinds = None if node.type is None else unit.expression(node.type, scope)
    write = store(unit, scope.mangled(node.name), scope) if node.name else None
    return kinds, write, (block or Unit.block)(unit, node.body, scope)


def matching(m: Machine, f: Frame, handlers: list[Handler], error: BaseException) -> Handler | None:
    for handler in handlers:
        kinds = handler[0]
        if kinds is None:
            return handler
        wanted = kinds(f)
        listed = wanted if isinstance(wanted, tuple) else (wanted,)
        if not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in listed):
            raise TypeError(
                "catching classes that do not inherit from BaseException is not allowed"
            )
        if isinstance(error, wanted):
            return handler
    return None


def handle(m: Machine, f: Frame, handler: Handler, error: BaseException) -> Any:
    _, write, body = handler
    if write:
        write(f, error)
    m.handled.append(error)
    try:
        return body(f)
    finally:
        m.handled.pop()
        if write:
            write(f, UNSET)


def forget(m: Machine, error: BaseException) -> None:
    """Let go of the frames that an exception holds."""
    error.__traceback__ = None
    error.__context__ = None
    m.failed = None


def with_(unit: Unit, node: ast.With, scope: Scope) -> Code:
    body = unit.block(node.body, scope)
    for item in reversed(node.items):
        body = _with(unit, item, body, node, scope)
    return body


def _with(unit: Unit, item: ast.withitem, body: Code, node: ast.With, scope: Scope) -> Code:
    m, manager = unit.machine, unit.expression(item.context_expr, scope)
    write = target(unit, item.optional_vars, scope, None) if item.optional_vars else None

    def code(f: Frame) -> Any:
        f[0] = node
        held = manager(f)
        m.node = item.context_expr
        enter, leave = entered(m, held)
        value = enter()
        if write:
            write(f, value)
        try:
            out = body(f)
        except CATCHABLE as error:
            if leave(type(error), error, None):
                forget(m, error)
                return None
            raise
        leave(None, None, None)
        return out

    return code
