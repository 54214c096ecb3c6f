"""Variables: reading and setting names where the scope says that they live."""

from __future__ import annotations

import ast
from typing import Any

from engine.record.scopes import NAMESPACE, Scope

from .unit import UNSET, Code, Frame, Unit


def name(unit: Unit, node: ast.Name, scope: Scope) -> Code:
    """The value of a variable."""
    return load(unit, scope.mangled(node.id), node, scope)


def load(unit: Unit, name: str, node: ast.AST, scope: Scope) -> Code:
    kind = scope.kind_of(name)
    if kind == "slot":
        return _slot(unit, scope.slots[name], name, node)
    if kind == "cell":
        return _cell(unit, scope.slots[name], name, node, name in scope.free)
    if kind == "class":
        return _class(unit, scope.slots[NAMESPACE], name, node)
    return _global(unit, name, node)


def _slot(unit: Unit, slot: int, name: str, node: ast.AST) -> Code:
    m = unit.machine

    def local(f: Frame) -> Any:
        value = f[slot]
        if value is UNSET:
            m.node = node
            raise UnboundLocalError(
                f"cannot access local variable '{name}' where it is not associated with a value"
            )
        return value

    return local


def _cell(unit: Unit, slot: int, name: str, node: ast.AST, is_free: bool) -> Code:
    m = unit.machine

    def captured(f: Frame) -> Any:
        value = f[slot][0]
        if value is UNSET:
            m.node = node
            kind = "free" if is_free else "local"
            if not is_free:
                raise UnboundLocalError(
                    f"cannot access local variable '{name}' where it is not associated with a value"
                )
            raise NameError(
                f"cannot access {kind} variable '{name}' where it is not associated with a value "
                "in enclosing scope"
            )
        return value

    return captured


def _global(unit: Unit, name: str, node: ast.AST) -> Code:
    m = unit.machine
    names, missing = m.globals, m.global_missing
    get = names.get

    def variable(f: Frame) -> Any:
        value = get(name, UNSET)
        return missing(name, node) if value is UNSET else value

    return variable


def _class(unit: Unit, slot: int, name: str, node: ast.AST) -> Code:
    around = _global(unit, name, node)

    def attribute(f: Frame) -> Any:
        value = f[slot].get(name, UNSET)
        return around(f) if value is UNSET else value

    return attribute


def store(unit: Unit, name: str, scope: Scope) -> Any:
    """A function of a frame and a value that gives the variable `name` this value."""
    kind = scope.kind_of(name)
    if kind == "slot":
        slot = scope.slots[name]

        def set_local(f: Frame, value: Any) -> None:
            f[slot] = value

        return set_local
    if kind == "cell":
        cell = scope.slots[name]

        def set_cell(f: Frame, value: Any) -> None:
            f[cell][0] = value

        return set_cell
    if kind == "class":
        namespace = scope.slots[NAMESPACE]

        def set_attribute(f: Frame, value: Any) -> None:
            f[namespace][name] = value

        return set_attribute
    names = unit.machine.globals

    def set_global(f: Frame, value: Any) -> None:
        names[name] = value

    return set_global


def delete(unit: Unit, node: ast.Name, scope: Scope) -> Code:
    """The code of `del name`."""
    name = scope.mangled(node.id)
    read, write = load(unit, name, node, scope), store(unit, name, scope)
    kind = scope.kind_of(name)
    names = unit.machine.globals

    def remove(f: Frame) -> None:
        if kind == "global" and name not in names:
            raise NameError(f"name '{name}' is not defined")
        read(f)
        if kind == "global":
            del names[name]
        elif kind == "class":
            del f[scope.slots[NAMESPACE]][name]
        else:
            write(f, UNSET)

    return remove
