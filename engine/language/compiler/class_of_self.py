"""`self.__class__` in a method: what `type(self)` gives.

Of the method's own object alone: by any other way the name stays reserved.
"""

from __future__ import annotations

import ast
from typing import Any

from engine.language.classes import ProgramType, class_of
from engine.record.scopes import Scope

from .unit import Code, Frame, Unit


def is_class_of_self(node: ast.Attribute, scope: Scope) -> bool:
    """Whether the node reads the class of the first parameter of a method around it."""
    if node.attr != "__class__" or not isinstance(node.ctx, ast.Load):
        return False
    return isinstance(node.value, ast.Name) and _is_self(node.value.id, scope)


def _is_self(name: str, scope: Scope) -> bool:
    inside: Scope | None = scope
    while inside is not None and inside.kind == "function":
        if inside.is_local(name):
            is_method = inside.parent is not None and inside.parent.kind == "class"
            return is_method and inside.params[:1] == [name]
        inside = inside.parent
    return False


def class_of_self(unit: Unit, node: ast.Attribute, scope: Scope) -> Code:
    """The code of `self.__class__`."""
    m, owner = unit.machine, unit.expression(node.value, scope)

    def code(f: Frame) -> Any:
        o = owner(f)
        if not isinstance(type(o), ProgramType):
            m.node = node
            m.refuse("__class__ is reserved.", "Write type(x).")
        return class_of(o)

    return code
