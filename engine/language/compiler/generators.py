"""Generator functions: statements that yield, as Python generators.

A statement without a yield runs as ordinary code. `yield` may stand as a statement of its own, on
the right of an assignment and after return.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias

from engine.language.context import entered
from engine.language.machine import Machine
from engine.language.refusal import CATCHABLE, Refused
from engine.language.weights import started
from engine.record.scopes import COMPREHENSIONS, Scope

from .exceptions import Handler, forget, handler_of, matching
from .targets import target
from .unit import BREAK, CONTINUE, UNSET, Code, Frame, Unit, cost, unknown

Running: TypeAlias = Callable[[Frame], Generator[Any, Any, Any]]
"""Code of a statement that yields; returns as the code of a statement does."""


def generator_block(unit: Unit, statements: Sequence[ast.stmt], scope: Scope) -> Running:
    """The code of a block in a generator function."""
    m, work = unit.machine, sum(map(cost, statements))
    parts: list[tuple[bool, Any]] = [
        (True, _statement(unit, node, scope))
        if _yields(node)
        else (False, unit.statement(node, scope))
        for node in statements
    ]

    def run(f: Frame) -> Generator[Any, Any, Any]:
        m.spend(work)
        for yields, part in parts:
            out = (yield from part(f)) if yields else part(f)
            if out is not None:
                return out
        return None

    return run


def _yields(node: ast.AST) -> bool:
    """Whether `node` yields in its own function."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Yield | ast.YieldFrom):
            return True
        inner = (ast.FunctionDef, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)
        if part is node or not isinstance(part, inner):
            todo += ast.iter_child_nodes(part)
    return False


def _statement(unit: Unit, node: ast.stmt, scope: Scope) -> Running:
    match node:
        case ast.Expr(value=value):
            return _given(unit, value, lambda f, x: None, node, scope)
        case ast.Assign(targets=targets, value=value):
            writes = [target(unit, part, scope, value) for part in targets]
            return _given(unit, value, lambda f, x: [w(f, x) for w in writes] and None, node, scope)
        case ast.AnnAssign(value=ast.expr() as value):
            write = target(unit, node.target, scope, value)
            return _given(unit, value, write, node, scope)
        case ast.Return(value=ast.expr() as value):
            return _given(unit, value, lambda f, x: (x,), node, scope)
        case ast.If():
            return _if(unit, node, scope)
        case ast.While():
            return _while(unit, node, scope)
        case ast.For():
            return _for(unit, node, scope)
        case ast.Try():
            return _try(unit, node, scope)
        case ast.With():
            return _with(unit, node, scope)
    raise Refused(node, *unknown(ast.Yield()))


def _given(unit: Unit, value: ast.expr, use: Any, node: ast.stmt, scope: Scope) -> Running:
    """`use` the value of a yield, which is the whole right side of the statement at `node`."""
    m = unit.machine
    if isinstance(value, ast.YieldFrom):
        source = unit.expression(value.value, scope)

        def delegate(f: Frame) -> Generator[Any, Any, Any]:
            f[0] = node
            return use(f, (yield from _through(m, source(f))))

        return delegate
    if not isinstance(value, ast.Yield):
        raise Refused(value, *unknown(ast.Yield()))
    shown = None if value.value is None else unit.expression(value.value, scope)

    def run(f: Frame) -> Generator[Any, Any, Any]:
        f[0] = node
        return use(f, (yield None if shown is None else shown(f)))

    return run


def _through(m: Machine, source: Any) -> Generator[Any, Any, Any]:
    """Yield everything from `source`, counted; a generator is sent what is sent to this one."""
    if isinstance(source, Generator):
        return (yield from source)
    yield from m.items(source)
    return None


def _block(unit: Unit, body: Sequence[ast.stmt], scope: Scope) -> Running:
    return generator_block(unit, body, scope)


def _if(unit: Unit, node: ast.If, scope: Scope) -> Running:
    test = unit.expression(node.test, scope)
    body, other = _block(unit, node.body, scope), _block(unit, node.orelse, scope)

    def run(f: Frame) -> Generator[Any, Any, Any]:
        f[0] = node
        return (yield from (body if test(f) else other)(f))

    return run


def _while(unit: Unit, node: ast.While, scope: Scope) -> Running:
    m, test, work = unit.machine, unit.expression(node.test, scope), 1 + cost(node.test)
    body, other = _block(unit, node.body, scope), _block(unit, node.orelse, scope)

    def run(f: Frame) -> Generator[Any, Any, Any]:
        while True:
            f[0] = m.node = node
            m.spend(work)
            if not test(f):
                return (yield from other(f))
            out = yield from body(f)
            if out is BREAK:
                return None
            if out is not None and out is not CONTINUE:
                return out

    return run


def _for(unit: Unit, node: ast.For, scope: Scope) -> Running:
    m, iterable = unit.machine, unit.expression(node.iter, scope)
    write = target(unit, node.target, scope)
    body, other = _block(unit, node.body, scope), _block(unit, node.orelse, scope)

    def run(f: Frame) -> Generator[Any, Any, Any]:
        f[0] = node
        for item in started(m, iterable(f)):
            m.spend(1)
            write(f, item)
            out = yield from body(f)
            if out is BREAK:
                return None
            if out is not None and out is not CONTINUE:
                return out
        return (yield from other(f))

    return run


def _try(unit: Unit, node: ast.Try, scope: Scope) -> Running:
    """try around yields: finally runs when the generator is closed, too."""
    m = unit.machine
    body, last = _block(unit, node.body, scope), unit.block(node.finalbody, scope)
    if node.handlers:
        body = _handled(unit, node, body, scope)

    def run(f: Frame) -> Generator[Any, Any, Any]:
        try:
            out = yield from body(f)
        except GeneratorExit:
            _closed(m, last, f)
            raise
        except CATCHABLE:
            last(f)
            raise
        replaced = last(f)
        return out if replaced is None else replaced

    return run


def _handled(unit: Unit, node: ast.Try, body: Running, scope: Scope) -> Running:
    """try with handlers, which do not run when the generator is closed."""
    m, other = unit.machine, _block(unit, node.orelse, scope)
    handlers = [handler_of(unit, handler, scope, _block) for handler in node.handlers]

    def run(f: Frame) -> Generator[Any, Any, Any]:
        try:
            out = yield from body(f)
        except GeneratorExit:
            raise
        except CATCHABLE as error:
            handler = matching(m, f, handlers, error)
            if handler is None:
                raise
            forget(m, error)
            return (yield from _handle(m, f, handler, error))
        return (yield from other(f)) if out is None else out

    return run


def _handle(
    m: Machine, f: Frame, handler: Handler, error: BaseException
) -> Generator[Any, Any, Any]:
    """Run a handler; others may begin and end while it waits at a yield."""
    _, write, body = handler
    if write:
        write(f, error)
    m.handled.append(error)
    try:
        return (yield from body(f))
    finally:
        place = next((i for i, held in enumerate(m.handled) if held is error), None)
        if place is not None:
            del m.handled[place]
        if write:
            write(f, UNSET)


def _closed(m: Machine, last: Code, f: Frame) -> None:
    """Run the finally of a generator that is closed, or thrown away while the program runs."""
    if m.ended:
        return
    try:
        last(f)
    except BaseException:
        if m.closing:
            raise


def _with(unit: Unit, node: ast.With, scope: Scope) -> Running:
    body = _block(unit, node.body, scope)
    for item in reversed(node.items):
        body = _managed(unit, item, body, node, scope)
    return body


def _managed(
    unit: Unit, item: ast.withitem, body: Running, node: ast.With, scope: Scope
) -> Running:
    """with around yields."""
    m, manager = unit.machine, unit.expression(item.context_expr, scope)
    write = target(unit, item.optional_vars, scope, None) if item.optional_vars else None

    def run(f: Frame) -> Generator[Any, Any, Any]:
        f[0] = node
        held = manager(f)
        m.node = item.context_expr
        enter, leave = entered(m, held)
        value = enter()
        if write:
            write(f, value)
        try:
            out = yield from body(f)
        except GeneratorExit:
            _closed(m, lambda f: leave(GeneratorExit, GeneratorExit(), None), f)
            raise
        except CATCHABLE as error:
            if leave(type(error), error, None):
                forget(m, error)
                return None
            raise
        leave(None, None, None)
        return out

    return run
