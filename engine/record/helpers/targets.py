"""What is assigned to: attributes of objects, and items of lists and dicts."""

from __future__ import annotations

import ast
from typing import Any

from engine.record.attribute_names import CHILDREN
from engine.record.follow import FOLLOWED, NUMBERS, TapedFloat, is_a, plain
from engine.record.model import Write
from engine.record.objects import is_object, known
from engine.value import Value

from .operations import NATIVE, Helper, in_place

_tuple = tuple.__new__
"""Makes a Write without its own constructor, which takes longer than all else of a write."""


def given(m: Any, node: ast.AST, name: str) -> Helper:
    """What `o.name = value` stores: `f(value, o)`."""
    if name in m.source.gradients:
        return _gradient(m, node, name)
    if name in CHILDREN:
        return _children(m, node, name)
    return _number(m, node, name) if name in m.stores else _any(m, node, name)


def _any(m: Any, node: ast.AST, name: str) -> Helper:
    if name not in m.stores:
        return lambda value, o: value
    store = m.own.store

    def stored(value: Any, o: Any) -> Any:
        if is_object(o):
            return store(o, name, value, node)
        if type(o) in FOLLOWED:
            setattr(plain(o), name, value)  # Python says that a number has no such attribute
        return value

    return stored


def _gradient(m: Any, node: ast.AST, name: str) -> Helper:
    """A gradient: most classes keep it in the dicts of their objects and nowhere else."""
    own, any_of = m.own, _any(m, node, name)
    add, hold, kinds = own.log.append, own.holders.append, own.gradient_classes[name]

    def wrote(value: Any, o: Any) -> Any:
        kind = type(value)
        if type(o) not in kinds or (kind is not float and kind is not TapedFloat):
            stored = any_of(value, o)
            own.learn(o, name)
            return stored
        after = value if kind is float else float(value)
        before = getattr(o, name, None)
        if type(before) is float:
            add(_tuple(Write, (o, before, after, node, False)))
        elif before is None:
            call = m.entered
            is_made = (call is not None and call[3] is o and call[1].is_init) or m.is_making(o)
            hold(o)
            add(_tuple(Write, (o, None, after, node, is_made)))
        else:
            return any_of(value, o)
        if m.watches:
            m.witness.wrote(value)
        return after

    return wrote


def _number(m: Any, node: ast.AST, name: str) -> Helper:
    """A number: one that was computed is stored as it is."""
    own, any_of, followed = m.own, _any(m, node, name), FOLLOWED
    kinds = own.number_classes[name]

    def owned(value: Any, o: Any) -> Any:
        if (
            type(value) is TapedFloat
            and type(o) in kinds
            and value.owner is None
            and value.op is not None
            and name not in o.__dict__
        ):
            for arg in value.args:  # an object's, or one that the reader can change
                if type(arg) in followed and (arg.owner is not None or arg.leaf is not None):
                    value.owner = o
                    if own.keyed is not None:
                        own.keyed.joined(o)
                    return value
        stored = any_of(value, o)
        own.learn(o, name)
        return stored

    return owned


def _children(m: Any, node: ast.AST, name: str) -> Helper:
    """What an object was computed from, which matters if its number was not followed."""
    any_of, by_name, numbers = _any(m, node, name), m.own.number_classes, known.numbers

    def connected(value: Any, o: Any) -> Any:
        key = numbers.get(type(o))
        if key is not None and type(o) in by_name[key]:
            number = getattr(o, key, None)
            if type(number) is TapedFloat and number.op is not None:
                return value
        return any_of(value, o)

    return connected


class Store:
    """The target `o.name`: `helper[o] = value`."""

    __slots__ = ("given", "m", "name", "node", "plain")

    def __init__(self, m: Any, node: ast.AST, name: str) -> None:
        self.m, self.node, self.name, self.plain = m, node, name, m.plain_kinds
        self.given = given(m, node, name)

    def __setitem__(self, o: Any, value: Any) -> None:
        if type(o) in self.plain:
            setattr(o, self.name, self.given(value, o))
        else:
            self.m.node = self.node
            self.m.set_attribute(o, self.name, value)


class Item:
    """The target `owner[at]`: `helper[owner, at] = value`."""

    def __init__(self, m: Any, node: ast.Subscript, name: str) -> None:
        self.m, self.node, self.name = m, node, name
        self.source: ast.AST = node

    def __setitem__(self, place: tuple[Any, Any], value: Any) -> None:
        owner, at = place
        kind, m = type(owner), self.m
        keyed = m.own.keyed
        if keyed is not None and keyed.put(owner, at, value, self.source):
            value = plain(value)
        elif kind is list:
            if (self.name and type(value) in NUMBERS) or is_a(value, Value):
                value = self._named(owner, at, value)
        elif kind is dict and m.witness is not None:
            m.witness.collect(owner, at, value, self.node)
        else:
            m.node = self.node
        owner[at] = value

    def _named(self, owner: list[Any], at: Any, value: Any) -> Any:
        if self.name and isinstance(at, int) and -len(owner) <= at < len(owner):
            source = self.m.source_of(self.node)
            return self.m.tape.named(value, f"{self.name}[{at % len(owner)}]", source)
        return value


# Targets that an assignment changes in place


def load_store(m: Any, node: ast.AST, name: str) -> Helper:
    """An object, and its attribute that an assignment changes in place."""
    return lambda o: (o, m.get_attribute(o, name))


def load_item(m: Any, node: ast.AST, name: str) -> Helper:
    """An owner, the place in it, and the item there that an assignment changes in place."""
    return lambda owner, at: (owner, at, owner[at])


def change_store(m: Any, node: Any, name: str, sign: str) -> Helper:
    """`o.name sign= value`, once the old value is loaded."""
    compute, target = in_place(m, node, sign), Store(m, node, name)

    def change(loaded: tuple[Any, Any], value: Any) -> None:
        o, before = loaded
        target[o] = compute(before, value)

    return change


def changed(m: Any, node: Any, name: str, sign: str, is_simple: bool) -> Helper:
    """What `o.name sign= value` stores, of the old value, the new one, and the object.

    A `value` is simple if no call is in it, so that it leaves the attribute as it was.
    """
    compute, stored = in_place(m, node, sign), given(m, node, name)
    if m.is_light and is_simple and sign in "+-" and name in m.source.gradients:
        return _light(m, node, name, sign)
    return lambda before, value, o: stored(compute(before, value), o)


def _light(m: Any, node: ast.AST, name: str, sign: str) -> Helper:
    """`o.grad += value` where nobody asks for the number that is stored."""
    compute, stored, tape = in_place(m, node, sign), given(m, node, name), m.tape
    native, add, kinds = NATIVE[sign], m.own.log.append, m.own.gradient_classes[name]

    def change(before: Any, value: Any, o: Any) -> Any:
        kind = type(value)
        if type(before) is float and (kind is float or kind is TapedFloat) and type(o) in kinds:
            after = native(before, value)
            add(_tuple(Write, (o, before, after, node, False)))
            tape.made += 1
            return after
        return stored(compute(before, value), o)

    return change


def change_item(m: Any, node: Any, name: str, sign: str) -> Helper:
    """`owner[at] sign= value`, once the old value is loaded."""
    compute = in_place(m, node, sign)
    target = Item(m, node.target, "")
    target.source = node

    def change(loaded: tuple[Any, Any, Any], value: Any) -> None:
        owner, at, before = loaded
        target[owner, at] = compute(before, value)

    return change


def read(m: Any, node: ast.AST, name: str) -> Helper:
    """`o.name`, where `o` may be of a stand-in or a built-in class."""
    stand_ins, plain = m.stand_ins, m.plain_kinds

    def attribute(o: Any) -> Any:
        if type(o) in plain:
            return getattr(o, name)
        m.node = node
        return stand_ins.read(o, name)

    return attribute


def own_read(m: Any, node: ast.AST, name: str) -> Helper:
    """`o.name`, which a number has not, though a followed one does."""

    def attribute(o: Any) -> Any:
        if type(o) in FOLLOWED:
            o = plain(o)
        return getattr(o, name)

    return attribute
