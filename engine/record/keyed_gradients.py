"""Gradients that a program keeps beside its objects: items of a dict or list, one for each object.

`grads[v]`, `grads[id(v)]`, `grads[v.index]`, `grads[v.name]`, `v.slot[0]`: which object an item
belongs to is read from the objects, whatever their attributes are called. Only programs whose
objects have no gradient of their own are asked.
"""

from __future__ import annotations

import ast
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine.real import as_float

from .entered import under_way
from .follow import FOLLOWED, STORED, is_a, plain
from .model import Write
from .objects import attributes_of, is_object, number_of, serial_hash

MEMBERS = 5_000
"""Objects that are known by their attributes, the last ones."""
FRAMES = 3
"""Calls around a write whose variables may hold the objects in the order of their gradients."""
_AMBIGUOUS = object()
_LISTS = frozenset({list})
_DICTS = frozenset({dict, defaultdict, OrderedDict})


class KeyedGradients:
    """The items that hold gradients in one run, and the objects to which they belong."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.members: dict[int, Any] = {}
        """The objects that hold a number, by their identity."""
        self._owners: dict[int, Any] = {}
        """The dicts and lists of gradients, by their identity."""
        self._objects: dict[tuple[int, Any], Any] = {}
        """The objects of the items of lists, and of dicts by numbers and texts."""
        self._by_attribute: dict[str, dict[Any, Any]] = {}
        self._by_value: dict[int, Any] = {}
        self._listed = 0

    def joined(self, o: Any) -> None:
        """An object has got a number."""
        if len(self.members) < MEMBERS:
            self.members[id(o)] = o

    def put(self, owner: Any, key: Any, value: Any, node: ast.AST) -> bool:
        """Log what is put into an item, if it is a gradient."""
        kind, is_known = type(owner), id(owner) in self._owners
        if (kind not in _LISTS and kind not in _DICTS) or type(value) not in STORED:
            return False
        if not is_known and not is_a(plain(value), float):
            return False
        o = self._object(owner, plain(key) if type(key) in FOLLOWED else key)
        if o is None or (not is_known and value is number_of(o)):
            return False
        if not is_known:
            self._owners[id(owner)] = owner
            for other, number in list(_items(owner)):
                held = self._object(owner, other)
                if held is not None and number and held is not o:
                    self._write(held, None, number, node)
        self._write(o, _held(owner, key), value, node)
        return True

    def _write(self, o: Any, before: Any, value: Any, node: ast.AST) -> None:
        own, m = self.machine.own, self.machine
        was = as_float(before) if type(before) in STORED else None
        own.log.append(Write(o, was, as_float(value), node, False))
        if m.watches:
            m.witness.wrote(value)

    def _object(self, owner: Any, key: Any) -> Any:
        """The object to which an item belongs; None if that is not known."""
        if is_object(key):
            hashed: Any = type(key).__hash__
            is_plain = hashed in (object.__hash__, serial_hash)
            return key if is_plain and number_of(key) is not None else None
        if type(key) not in (int, str):
            return None
        if type(owner) in _DICTS and key in self.members:
            return self.members[key]
        if type(owner) in _LISTS and type(key) is int and key < 0:
            key += len(owner)
        place = id(owner), key
        if place not in self._objects:
            found = self._aligned(owner, key) or self._attribute(owner, key)
            if found is None:
                return None
            self._objects[place] = found
        return self._objects[place]

    def _aligned(self, owner: Any, key: Any) -> Any:
        """The object at the same place of a list that is as long as a list of gradients."""
        if type(owner) not in _LISTS:
            return None
        for variables in self._scopes():
            for held in variables.values():
                is_beside = type(held) is list and held is not owner and len(held) == len(owner)
                if is_beside and len(held) > key and all(id(o) in self.members for o in held):
                    return held[key]
        return None

    def _scopes(self) -> Iterator[Any]:
        for call in islice(under_way(self.machine.entered), FRAMES):
            if call.running:  # else the run is not judged, and knows no frames
                yield call.frame.f_locals

    def _attribute(self, owner: Any, key: Any) -> Any:
        """The object whose attribute holds the key, or whose attribute is the list itself."""
        self._read()
        if id(owner) in self._by_value:
            return self._by_value[id(owner)] if len(owner) == 1 else None
        for table in self._by_attribute.values():
            found = table.get(key)
            if found is not None and table.get(_AMBIGUOUS) is None:
                return found
        return None

    def _read(self) -> None:
        """Read the attributes of the objects that have come since the last time."""
        for o in islice(self.members.values(), self._listed, None):
            for name, value in _keys_of(o):
                x = plain(value) if type(value) in FOLLOWED else value
                if type(x) in (int, str):
                    table = self._by_attribute.setdefault(name, {})
                    if table.setdefault(x, o) is not o:
                        table[_AMBIGUOUS] = o
                elif type(x) in _LISTS:
                    self._by_value[id(x)] = o
        self._listed = len(self.members)


def _keys_of(o: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, and those of records that it holds."""
    for name, value in attributes_of(o).items():
        yield name, value
        fields = getattr(type(value), "_fields", None) if is_a(value, tuple) else None
        if fields:
            parts = zip(fields, value, strict=False)
            yield from ((f"{name}.{it}", x) for it, x in parts)
        elif is_object(value) and number_of(value) is None:
            yield from ((f"{name}.{it}", x) for it, x in attributes_of(value).items())


def _items(owner: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers in a dict or list by their keys."""
    items = owner.items() if type(owner) in _DICTS else enumerate(owner)
    return ((key, x) for key, x in items if type(x) in STORED)


def _held(owner: Any, key: Any) -> Any:
    if type(owner) in _DICTS:
        return owner.get(key)
    return owner[key] if -len(owner) <= key < len(owner) else None
