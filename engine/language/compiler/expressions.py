"""Constants, displays, subscripts, attributes and texts with braces."""

from __future__ import annotations

import ast
from typing import Any

from engine.language.attributes import get_attribute
from engine.language.builtin_names import attributes_of
from engine.language.classes import ProgramType, is_refused, is_unreadable
from engine.language.hooks import HOOKS
from engine.language.machine import Machine
from engine.language.methods_of_mappings import pairs_of
from engine.language.plain import NUMBERS
from engine.language.refusal import Refused
from engine.language.sizes import TEXT_LENGTH, checked_slice, made_slice
from engine.language.text_formatting import formatted
from engine.language.texts import name_of_type
from engine.language.weights import check_key, check_keys, joined
from engine.record.scopes import Scope
from engine.value import Value

from .class_of_self import class_of_self, is_class_of_self
from .numbers_of_values import NUMBERS_OF_VALUES
from .unit import Code, Frame, Unit
from .variables import store


def constant(unit: Unit, node: ast.Constant, scope: Scope) -> Code:
    value = node.value
    if isinstance(value, complex):
        raise Refused(node, "Complex numbers are not part of this language.", "Write a number.")
    return lambda f: value


def list_(unit: Unit, node: ast.List, scope: Scope) -> Code:
    if any(isinstance(part, ast.Starred) for part in node.elts):
        return spread(unit, node.elts, scope)
    parts = unit.all(node.elts, scope)
    if len(parts) == 1:
        (only,) = parts
        return lambda f: [only(f)]
    return lambda f: [part(f) for part in parts]


def tuple_(unit: Unit, node: ast.Tuple, scope: Scope) -> Code:
    if any(isinstance(part, ast.Starred) for part in node.elts):
        listed = spread(unit, node.elts, scope)
        return lambda f: tuple(listed(f))
    parts = unit.all(node.elts, scope)
    if len(parts) == 2:
        first, second = parts
        return lambda f: (first(f), second(f))
    return lambda f: tuple([part(f) for part in parts])


def spread(unit: Unit, elements: list[ast.expr], scope: Scope) -> Code:
    """The items of a display or call with `*rest` among them, as a list."""
    m = unit.machine
    parts = [
        (isinstance(part, ast.Starred), unit.expression(_unstarred(part), scope))
        for part in elements
    ]

    def code(f: Frame) -> list[Any]:
        out: list[Any] = []
        for starred, part in parts:
            if starred:
                out.extend(m.consumed(part(f)))
            else:
                out.append(part(f))
        return out

    return code


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def set_(unit: Unit, node: ast.Set, scope: Scope) -> Code:
    listed = spread(unit, node.elts, scope)
    m = unit.machine

    def code(f: Frame) -> set[Any]:
        items = listed(f)
        m.node = node
        check_keys(m, items)
        return set(items)

    return code


def dict_(unit: Unit, node: ast.Dict, scope: Scope) -> Code:
    m = unit.machine
    pairs = [
        (None if key is None else unit.expression(key, scope), unit.expression(value, scope))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def code(f: Frame) -> dict[Any, Any]:
        out: dict[Any, Any] = {}
        for key, value in pairs:
            m.left -= 2
            if key is not None:
                at = key(f)
                check_key(m, at, len(out))
                out[at] = value(f)
                continue
            more = value(f)
            if not isinstance(more, dict):
                raise TypeError(f"'{type(more).__name__}' object is not a mapping")
            out.update(pairs_of(m, more, len(out)))
        return out

    return code


def subscript(unit: Unit, node: ast.Subscript, scope: Scope) -> Code:
    m = unit.machine
    container, index = unit.expression(node.value, scope), unit.expression(node.slice, scope)

    def code(f: Frame) -> Any:
        owner, at = container(f), index(f)
        kind = type(owner)
        if (kind is list or kind is tuple) and type(at) in NUMBERS:
            m.node = node
            return owner[at]
        return get_item(m, owner, at, node)

    return code


def get_item(m: Machine, owner: Any, at: Any, node: ast.AST) -> Any:
    """`owner[at]`; a slice is charged for its items."""
    m.node = node
    if isinstance(owner, type) and type(owner) is not ProgramType:
        return owner  # list[int], in annotations and aliases
    if type(at) is slice and isinstance(owner, list | tuple | str | bytes):
        at = checked_slice(m, owner, at)
    if isinstance(owner, dict):
        check_key(m, at, len(owner))
    result = owner[at]
    return m.tape.adopt(result, node)


def slice_(unit: Unit, node: ast.Slice, scope: Scope) -> Code:
    parts = [
        None if part is None else unit.expression(part, scope)
        for part in (node.lower, node.upper, node.step)
    ]
    lower, upper, step = [(lambda f: None) if part is None else part for part in parts]
    m = unit.machine
    return lambda f: made_slice(m, lower(f), upper(f), step(f))


def attribute(unit: Unit, node: ast.Attribute, scope: Scope) -> Code:
    match node:
        case ast.Attribute(ast.Attribute(value, "__class__"), "__name__"):
            return _class_name(unit, value, scope)
        case ast.Attribute(attr="__dict__", ctx=ast.Load()):
            return _names(unit, node, scope)
        case _ if is_class_of_self(node, scope):
            return class_of_self(unit, node, scope)
    m, owner, name = unit.machine, unit.expression(node.value, scope), checked(node, scope)
    is_hook, is_number = name in HOOKS, name in NUMBERS_OF_VALUES

    def code(f: Frame) -> Any:
        value = owner(f)
        kind = type(value)
        m.node = node
        if kind is Value and is_number and not m.patches:
            return getattr(value, name)
        if type(kind) is ProgramType and kind._seegrad_plain and not is_hook:
            return getattr(value, name)
        return get_attribute(m, value, name)

    return code


def _class_name(unit: Unit, node: ast.expr, scope: Scope) -> Code:
    """`x.__class__.__name__`; the class itself is not available by this name."""
    value = unit.expression(node, scope)
    return lambda f: name_of_type(value(f))


def _names(unit: Unit, node: ast.Attribute, scope: Scope) -> Code:
    """`x.__dict__`: what `vars(x)` gives. As syntax alone, for no other way may lead there."""
    m, owner = unit.machine, unit.expression(node.value, scope)

    def code(f: Frame) -> Any:
        value = owner(f)
        m.node = node
        return attributes_of(m, value)

    return code


def checked(node: ast.Attribute, scope: Scope) -> str:
    """The attribute's name, mangled. Raises Refused for one that no program may use."""
    name = scope.mangled(node.attr)
    if is_unreadable(name) or (not isinstance(node.ctx, ast.Load) and is_refused(name)):
        hint = "It could reach outside of the program."
        if name == "__class__":
            hint = "Write type(x)."
        raise Refused(node, f"{name} is reserved.", hint)
    return name


def joinedstr(unit: Unit, node: ast.JoinedStr, scope: Scope) -> Code:
    m, parts = unit.machine, unit.all(node.values, scope)

    def code(f: Frame) -> str:
        out = joined(m, [part(f) for part in parts])
        if len(out) > TEXT_LENGTH:
            m.refuse(f"This text has more than {TEXT_LENGTH:,} characters.")
        return out

    return code


_CONVERSIONS = {ord("r"): "r", ord("s"): "s", ord("a"): "a", -1: ""}


def formattedvalue(unit: Unit, node: ast.FormattedValue, scope: Scope) -> Code:
    m, value = unit.machine, unit.expression(node.value, scope)
    conversion = _CONVERSIONS[node.conversion]
    spec = None if node.format_spec is None else unit.expression(node.format_spec, scope)

    def code(f: Frame) -> str:
        shown = value(f)
        text = "" if spec is None else spec(f)
        m.node = node
        return formatted(m, shown, text, conversion)

    return code


def namedexpr(unit: Unit, node: ast.NamedExpr, scope: Scope) -> Code:
    m, value = unit.machine, unit.expression(node.value, scope)
    name = scope.mangled(node.target.id)
    write = store(unit, name, scope)

    def code(f: Frame) -> Any:
        out = m.named(value(f), name, node.value)
        write(f, out)
        return out

    return code


def starred(unit: Unit, node: ast.Starred, scope: Scope) -> Code:
    raise SyntaxError("can't use starred expression here")
