"""Simple statements, and those that choose a branch."""

from __future__ import annotations

import ast
from typing import Any

from engine.language import own_micrograd
from engine.language.attributes import get_attribute
from engine.language.imports import import_module, import_name, star_names
from engine.language.machine import Machine
from engine.language.operators import binary
from engine.record.scopes import Scope, analyse
from engine.value import Value

from .arithmetic import SIGNS, binop_to_store
from .expressions import checked, get_item
from .numbers_of_values import NUMBERS_OF_VALUES, setter, stored
from .targets import deletion, set_item, target
from .unit import BREAK, CONTINUE, Code, Frame, Unit
from .variables import load, store


def expr(unit: Unit, node: ast.Expr, scope: Scope) -> Code:
    if isinstance(node.value, ast.Constant):
        return pass_(unit, node, scope)
    value = unit.expression(node.value, scope)
    if scope.kind == "module":
        m = unit.machine

        def shown(f: Frame) -> None:
            f[0] = node
            m.last_value = value(f)

        return shown

    def code(f: Frame) -> None:
        f[0] = node
        value(f)

    return code


def assign(unit: Unit, node: ast.Assign, scope: Scope) -> Code:
    value = unit.expression(node.value, scope)
    writes = [target(unit, part, scope, node.value) for part in node.targets]
    if len(writes) == 1:
        (write,) = writes

        def one(f: Frame) -> None:
            f[0] = node
            write(f, value(f))

        return one

    def code(f: Frame) -> None:
        f[0] = node
        assigned = unit.machine.first_named(value(f), node)
        for write in writes:
            write(f, assigned)

    return code


def annassign(unit: Unit, node: ast.AnnAssign, scope: Scope) -> Code:
    """An annotation is not evaluated; a class keeps the names that have one, for dataclasses."""
    keep = _annotation(unit, node, scope)
    if node.value is None:
        return keep
    value = unit.expression(node.value, scope)
    write = target(unit, node.target, scope, node.value)

    def code(f: Frame) -> None:
        f[0] = node
        write(f, value(f))
        keep(f)

    return code


def _annotation(unit: Unit, node: ast.AnnAssign, scope: Scope) -> Code:
    if scope.kind != "class" or not isinstance(node.target, ast.Name):
        return pass_(unit, node, scope)
    name, text = scope.mangled(node.target.id), ast.unparse(node.annotation)
    slot = scope.slots[".namespace"]

    def code(f: Frame) -> None:
        f[slot].setdefault("__annotations__", {})[name] = text

    return code


def augassign(unit: Unit, node: ast.AugAssign, scope: Scope) -> Code:
    m = unit.machine
    if isinstance(node.value, ast.BinOp):
        value, value_to_store = binop_to_store(unit, node.value, scope)
    else:
        value = value_to_store = unit.expression(node.value, scope)
    compute = binary(m, SIGNS[type(node.op)], node, in_place=True)
    match node.target:
        case ast.Name():
            name = scope.mangled(node.target.id)
            read, write = load(unit, name, node.target, scope), store(unit, name, scope)

            def variable(f: Frame) -> None:
                f[0] = node
                write(f, m.named(compute(read(f), value(f)), name, node))

            return variable
        case ast.Attribute():
            owner = unit.expression(node.target.value, scope)
            attribute = checked(node.target, scope)
            put, is_number = setter(m, attribute), attribute in NUMBERS_OF_VALUES
            change = stored(m, SIGNS[type(node.op)], compute) if is_number else compute

            def attributes(f: Frame) -> None:
                f[0] = node
                changed = owner(f)
                m.node = node.target
                if is_number and type(changed) is Value and not m.patches:
                    after = change(getattr(changed, attribute), value_to_store(f))
                else:
                    after = compute(get_attribute(m, changed, attribute), value(f))
                m.node = node
                put(changed, after)

            return attributes
        case ast.Subscript():
            container = unit.expression(node.target.value, scope)
            index = unit.expression(node.target.slice, scope)

            def items(f: Frame) -> None:
                f[0] = node
                changed, at = container(f), index(f)
                after = compute(get_item(m, changed, at, node.target), value(f))
                m.node = node
                set_item(m, changed, at, after)

            return items
    raise SyntaxError("illegal expression for augmented assignment")


def if_(unit: Unit, node: ast.If, scope: Scope) -> Code:
    test = unit.expression(node.test, scope)
    body = unit.block(node.body, scope)
    if not node.orelse:

        def when(f: Frame) -> Any:
            f[0] = node
            return body(f) if test(f) else None

        return when
    other = unit.block(node.orelse, scope)

    def branch(f: Frame) -> Any:
        f[0] = node
        return body(f) if test(f) else other(f)

    return branch


def pass_(unit: Unit, node: ast.stmt, scope: Scope) -> Code:
    return lambda f: None


def break_(unit: Unit, node: ast.Break, scope: Scope) -> Code:
    return lambda f: BREAK


def continue_(unit: Unit, node: ast.Continue, scope: Scope) -> Code:
    return lambda f: CONTINUE


def return_(unit: Unit, node: ast.Return, scope: Scope) -> Code:
    if node.value is None:
        return lambda f: (None,)
    value = unit.expression(node.value, scope)

    def code(f: Frame) -> tuple[Any]:
        f[0] = node
        return (value(f),)

    return code


def delete(unit: Unit, node: ast.Delete, scope: Scope) -> Code:
    parts = [deletion(unit, part, scope) for part in node.targets]

    def code(f: Frame) -> None:
        f[0] = node
        for part in parts:
            part(f)

    return code


def assert_(unit: Unit, node: ast.Assert, scope: Scope) -> Code:
    test = unit.expression(node.test, scope)
    message = None if node.msg is None else unit.expression(node.msg, scope)

    def code(f: Frame) -> None:
        f[0] = node
        if not test(f):
            raise AssertionError(message(f)) if message else AssertionError

    return code


def global_(unit: Unit, node: ast.Global | ast.Nonlocal, scope: Scope) -> Code:
    return pass_(unit, node, scope)


def import_(unit: Unit, node: ast.Import, scope: Scope) -> Code:
    m = unit.machine
    writes = [
        (alias, store(unit, scope.mangled(alias.asname or alias.name.partition(".")[0]), scope))
        for alias in node.names
    ]

    def code(f: Frame) -> None:
        f[0] = m.node = node
        for alias, write in writes:
            write(f, import_module(m, alias.name, alias.asname)[1])

    return code


def importfrom(unit: Unit, node: ast.ImportFrom, scope: Scope) -> Code:
    m = unit.machine
    module = "." * node.level + (node.module or "")
    make = _micrograd(unit, node) if module.partition(".")[0] == own_micrograd.MODULE else None
    if [alias.name for alias in node.names] == ["*"]:
        return _import_all(m, node, module, make)
    writes = [
        (alias.name, store(unit, scope.mangled(alias.asname or alias.name), scope))
        for alias in node.names
    ]

    def code(f: Frame) -> None:
        f[0] = m.node = node
        if make is not None:
            make(f)
        for name, write in writes:
            write(f, import_name(m, module, name))

    return code


def _micrograd(unit: Unit, node: ast.ImportFrom) -> Code | None:
    """Code that makes micrograd's classes for a program that builds on them, once in a run."""
    m = unit.machine
    if not own_micrograd.is_needed(m.source):
        return None
    tree = ast.Module([own_micrograd.definition(node)], [])
    inner = Unit(m, analyse(tree), unit.expressions, unit.statements)
    (define,) = [inner.statement(part, inner.scopes[tree]) for part in tree.body]

    def code(f: Frame) -> None:
        if m.natives.micrograd is None:
            define(f)
            make = m.globals.pop("_seegrad_classes")
            m.natives.micrograd = own_micrograd.named(m.call(make, import_name(m, "", "random")))

    return code


def _import_all(m: Machine, node: ast.ImportFrom, module: str, make: Code | None) -> Code:
    def code(f: Frame) -> None:
        f[0] = m.node = node
        if make is not None:
            make(f)
        m.globals.update(star_names(m, module))

    return code
