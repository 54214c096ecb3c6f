"""Targets of assignments, loops and deletions."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from engine.language.attributes import delete_attribute
from engine.language.machine import Machine
from engine.language.refusal import Refused
from engine.language.sizes import checked_slice
from engine.language.weights import check_key, started
from engine.record.scopes import Scope

from .expressions import checked
from .numbers_of_values import setter
from .unit import Code, Frame, Unit
from .variables import delete, store

Store = Callable[[Frame, Any], None]


def target(unit: Unit, node: ast.expr, scope: Scope, source: ast.AST | None = None) -> Store:
    """A function of a frame and a value that assigns the value to `node`.

    With `source`, the expression assigned, numbers get the names that they are given.
    """
    match node:
        case ast.Name():
            return _name(unit, node, scope, source)
        case ast.Attribute():
            return _attribute(unit, node, scope)
        case ast.Subscript():
            return _item(unit, node, scope, source)
        case ast.Tuple() | ast.List():
            return _unpacking(unit, node, scope, source)
        case ast.Starred():
            return target(unit, node.value, scope, source)
    raise Refused(node, "This cannot be assigned to.", "Write name = expression.")


def _name(unit: Unit, node: ast.Name, scope: Scope, source: ast.AST | None) -> Store:
    name = scope.mangled(node.id)
    write = store(unit, name, scope)
    if source is None:
        return write  # type: ignore[no-any-return]
    named = unit.machine.named

    def assign(f: Frame, value: Any) -> None:
        write(f, named(value, name, source))

    return assign


def _attribute(unit: Unit, node: ast.Attribute, scope: Scope) -> Store:
    m, owner = unit.machine, unit.expression(node.value, scope)
    put = setter(m, checked(node, scope))

    def assign(f: Frame, value: Any) -> None:
        changed = owner(f)
        m.node = node
        put(changed, value)

    return assign


def _item(unit: Unit, node: ast.Subscript, scope: Scope, source: ast.AST | None) -> Store:
    m = unit.machine
    container, index = unit.expression(node.value, scope), unit.expression(node.slice, scope)
    name = node.value.id if isinstance(node.value, ast.Name) and source else ""

    def assign(f: Frame, value: Any) -> None:
        owner, at = container(f), index(f)
        m.node = node
        if source and name and _has_item(owner, at):
            value = m.named(value, f"{name}[{at % len(owner)}]", source)
        set_item(m, owner, at, value)

    return assign


def _has_item(owner: Any, at: Any) -> bool:
    return type(owner) is list and isinstance(at, int) and -len(owner) <= at < len(owner)


def set_item(m: Machine, owner: Any, at: Any, value: Any) -> None:
    """`owner[at] = value`, counted."""
    if type(at) is slice and isinstance(owner, list):
        value = list(m.consumed(value))
        at = checked_slice(m, owner, at)
        m.spend(len(owner) // 8)
    elif isinstance(owner, dict):
        m.spend(2)
        check_key(m, at, len(owner))
        if m.witness is not None:
            m.witness.collect(owner, at, value, m.node)
    elif isinstance(owner, type):
        raise TypeError(f"'{type(owner).__name__}' object does not support item assignment")
    owner[at] = value


def _unpacking(
    unit: Unit, node: ast.Tuple | ast.List, scope: Scope, source: ast.AST | None
) -> Store:
    m = unit.machine
    sources: Sequence[ast.AST | None] = [source] * len(node.elts)
    if isinstance(source, ast.Tuple | ast.List) and len(source.elts) == len(node.elts):
        sources = source.elts
    parts = [
        target(unit, part, scope, where) for part, where in zip(node.elts, sources, strict=True)
    ]
    stars = [i for i, part in enumerate(node.elts) if isinstance(part, ast.Starred)]
    if len(stars) > 1:
        raise SyntaxError("multiple starred expressions in assignment")
    split = _starred(m, len(parts), stars[0]) if stars else _exact(m, len(parts))

    def assign(f: Frame, value: Any) -> None:
        m.node = node
        for part, item in zip(parts, split(value), strict=True):
            part(f, item)

    return assign


def _exact(m: Machine, count: int) -> Callable[[Any], Sequence[Any]]:
    def split(value: Any) -> Sequence[Any]:
        if type(value) is not tuple and type(value) is not list:
            value = _first(m, value, count + 1)
        if len(value) == count:
            return value  # type: ignore[no-any-return]
        if len(value) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(value)})")
        raise ValueError(f"too many values to unpack (expected {count})")

    return split


def _first(m: Machine, value: Any, count: int) -> list[Any]:
    """At most `count` items of `value`."""
    try:
        items = started(m, value)
    except TypeError:
        raise TypeError(f"cannot unpack non-iterable {type(value).__name__} object") from None
    out = []
    for item in items:
        m.spend()
        out.append(item)
        if len(out) == count:
            break
    return out


def _starred(m: Machine, count: int, star: int) -> Callable[[Any], Sequence[Any]]:
    after = count - star - 1

    def split(value: Any) -> Sequence[Any]:
        items = list(m.consumed(value))
        if len(items) < count - 1:
            least = count - 1
            raise ValueError(
                f"not enough values to unpack (expected at least {least}, got {len(items)})"
            )
        end = len(items) - after
        return [*items[:star], items[star:end], *items[end:]]

    return split


def deletion(unit: Unit, node: ast.expr, scope: Scope) -> Code:
    """The code of `del target`."""
    m = unit.machine
    if isinstance(node, ast.Name):
        return delete(unit, node, scope)
    if isinstance(node, ast.Attribute):
        owner, name = unit.expression(node.value, scope), checked(node, scope)
        return lambda f: delete_attribute(m, owner(f), name)
    if isinstance(node, ast.Subscript):
        container, index = unit.expression(node.value, scope), unit.expression(node.slice, scope)

        def remove(f: Frame) -> None:
            owner, at = container(f), index(f)
            m.node = node
            m.spend(len(owner) // 8 if isinstance(owner, list | deque) else 1)
            if isinstance(owner, dict):
                check_key(m, at, len(owner))
            del owner[at]

        return remove
    if isinstance(node, ast.Tuple | ast.List):
        parts = [deletion(unit, part, scope) for part in node.elts]
        return lambda f: [part(f) for part in parts] and None
    raise Refused(node, "This cannot be deleted.", "Write del name.")
