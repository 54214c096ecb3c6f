"""Class definitions."""

from __future__ import annotations

import ast
from typing import Any

from engine.language.bases import bases_of
from engine.language.classes import is_refused, is_special, make_class
from engine.language.members import BESIDE, check_member, hashing, slots
from engine.language.refusal import Refused
from engine.record.scopes import CLASS_CELL, NAMESPACE, Scope

from .expressions import spread
from .unit import UNSET, Code, Frame, Unit
from .variables import store

CLASS_COST = 100
"""Operations of a class, which takes some 2 KB."""


def classdef(unit: Unit, node: ast.ClassDef, scope: Scope) -> Code:
    m, inner = unit.machine, unit.scopes[node]
    if node not in m.source.checked:
        _check(node)
        m.source.checked.add(node)
    bases = spread(unit, node.bases, scope)
    keywords = [(k.arg or "", unit.expression(k.value, scope)) for k in node.keywords]
    body, namespace = unit.block(node.body, inner), inner.slots[NAMESPACE]
    decorators = unit.all(node.decorator_list, scope)
    captured = [(inner.slots[name], scope.slots[name]) for name in inner.free]
    cell = inner.slots.get(CLASS_CELL)
    write = store(unit, scope.mangled(node.name), scope)
    blank: Frame = [UNSET] * inner.size()
    is_mixin = node.name in unit.mixins
    doc = ast.get_docstring(node)

    def define(f: Frame) -> None:
        f[0] = node
        found = [decorator(f) for decorator in decorators]
        given = bases_of(m, bases(f), {name: value(f) for name, value in keywords}, node)
        frame = blank[:]
        for slot, outer in captured:
            frame[slot] = f[outer]
        names: dict[str, Any] = {"__qualname__": inner.qualname, "__doc__": doc}
        frame[namespace] = names
        if cell is not None:
            frame[cell] = [UNSET]
        m.spend(CLASS_COST)
        body(frame)
        m.node = node
        for name in names:
            check_member(m, (*given.bases, *BESIDE) if is_mixin else given.bases, name)
        if "__slots__" in names:
            names["__slots__"] = slots(m, names["__slots__"])
        if "__hash__" in names:
            names["__hash__"] = hashing(m, names["__hash__"])
        made = make_class(node.name, given.bases, names, _is_mixin=is_mixin, **given.keywords)
        if cell is not None:
            frame[cell][0] = made
        for decorator, place in zip(reversed(found), reversed(node.decorator_list), strict=True):
            m.node = place
            made = m.call(decorator, made)
        write(f, made)

    return define


def _check(node: ast.ClassDef) -> None:
    """Raises Refused for `**keywords`, and for special methods that reach beyond the object."""
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Refused(keyword, "A class takes no ** here.", "Write name=value.")
    for part in ast.walk(node):
        name = part.name if isinstance(part, ast.FunctionDef | ast.ClassDef) else ""
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            name = part.id
        if is_special(name) and is_refused(name):
            raise Refused(part, f"{name} is reserved.", "It could reach outside of the program.")
