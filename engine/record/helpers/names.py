"""Values under the names of variables, and what ends a cell."""

from __future__ import annotations

import ast
from typing import Any

from engine.record.follow import NUMBERS
from engine.record.objects import is_object

from .operations import Helper


def name(m: Any, node: ast.AST, name: str, depth: int) -> Helper:
    """A value under a name: a plain number becomes a leaf of this name."""
    named, own, nameable, numbers = m.tape.named, m.own, m.nameable, NUMBERS

    def assign(value: Any) -> Any:
        kind = type(value)
        if kind in numbers or kind in nameable:
            return named(value, name, node)
        if not depth and is_object(value):
            own.name(value, name)
        return value

    return assign


def names(m: Any, node: ast.AST, wanted: tuple[str, ...], depth: int) -> Helper:
    """The values of several targets, under their names."""

    def assign(values: Any) -> Any:
        if type(values) not in (tuple, list) or len(values) != len(wanted):
            return values
        return [
            name(m, node, key, depth)(value) if key else value
            for key, value in zip(wanted, values, strict=True)
        ]

    return assign


def show(m: Any, node: ast.expr) -> Helper:
    """The value of an expression that ends a cell of a notebook, which is printed."""
    return lambda value: m.show(value, node)


def adopt(m: Any, node: ast.ClassDef) -> Helper:
    """A class of the program, once it is made."""
    take: Helper = m.adopt
    return take
