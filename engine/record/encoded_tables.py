"""The tables of a record while it is written: what is named by an index, each once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from engine.op import Op
from engine.real import as_float
from engine.value import Value

from . import fields, objects
from .codec import safe
from .fields import HISTORY
from .follow import FOLLOWED, is_a
from .held_objects import functions_in, parts_of
from .model import Scope, Stage
from .tree import place_of

PARTS = 200_000
"""Attributes of all objects together that are looked at."""
LENGTH = 64
"""Letters of the name of a class."""


class _Places(dict[ast.AST | None, int]):
    """The nodes of the text that a record names, by their indices."""

    def __init__(self) -> None:
        self[None] = -1
        self.rows: list[tuple[Any, ...]] = []

    def __missing__(self, node: ast.AST) -> int:
        at = self[node] = len(self.rows)
        detail = ""
        if isinstance(node, ast.FunctionDef):
            detail = node.name
        elif isinstance(node, ast.AugAssign):
            detail = type(node.op).__name__
        self.rows.append((*place_of(node), detail))
        return at


class EncodedTables:
    """The places, scopes, numbers and objects of one record.

    The first numbers are those of the stage, and the first objects those that hold them.
    """

    def __init__(self, stage: Stage | None) -> None:
        self._places = _Places()
        self.place = self._places.__getitem__
        self.order: Sequence[Any] = stage.backward.order if stage else ()
        self.held = (stage.held if stage else None) or {}
        self.definition: Callable[[FunctionType], ast.AST | None] | None = None
        """The definition of a function of the program, if what objects hold is wanted."""
        self.dicts: dict[int, int] = {}
        """Dicts that are told apart, by their identity."""
        self.unfollowed: Mapping[float, Sequence[Any]] = {}
        """The objects that numbers may come from, by the serials of the numbers."""
        self._numbers: list[Any] = list(self.order)
        self._at = {id(x): i for i, x in enumerate(self._numbers)}
        self._traced: list[int] = []
        self._histories: dict[int, tuple[int, list[Any]]] = {}
        self._objects: list[Any] = []
        self._object_at: dict[int, int] = {}
        self._numbered: dict[int, int | None] = {}
        self._attributes: dict[int, dict[str, Any]] = {}
        self._left = PARTS
        self._sources: list[tuple[int, list[int]]] = []
        for owner in self.held.values():
            self.object(owner)
        self.drawn_objects = len(self._objects)
        is_own = stage is not None and stage.held is not None
        self.drawn = frozenset(self._object_at if is_own else self._at)
        """The identities of what gradients of the scene belong to: objects, or else Values."""
        self._ops: dict[str, int] = {}
        self._scopes: list[tuple[Any, ...]] = []
        self._scope_at: dict[Scope | None, int] = {None: -1}

    # References

    def drawn_at(self, x: Any) -> int | None:
        """The index of a drawn number, or of what is drawn for a followed one; None for others."""
        at = self._at.get(id(x))
        if at is None and type(x) in FOLLOWED:
            at = self._at.get(id(x.value))
        return at if at is not None and at < len(self.order) else None

    def number(self, x: Any) -> int:
        """The index of a number; -1 if there are too many."""
        at = self._at.get(id(x))
        if at is None:
            at = self.drawn_at(x)
            if at is None:
                if len(self._numbers) - len(self.order) >= HISTORY:
                    return -1
                at = len(self._numbers)
                self._numbers.append(x)
            self._at[id(x)] = at
        return at

    def traced(self, x: Any) -> int:
        """The index of a followed number whose history is kept; -1 for anything else."""
        if type(x) not in FOLLOWED:
            return -1
        at = self.number(x)
        if at >= len(self.order) and at not in self._histories:
            self._histories[at] = -1, []
            self._traced.append(at)
        return at

    def object(self, o: Any) -> int:
        at = self._object_at.get(id(o))
        if at is None:
            at = self._object_at[id(o)] = len(self._objects)
            self._objects.append(o)
        return at

    def owners(self) -> Sequence[Any]:
        """The objects that are drawn."""
        return self._objects[: self.drawn_objects]

    def drawn_object(self, o: Any) -> int | None:
        """The index of an object of the scene; None for others."""
        at = self._object_at.get(id(o))
        return at if at is not None and at < self.drawn_objects else None

    def numbered(self, o: Any) -> int | None:
        """The index of an object that holds a number; None for others."""
        key = id(o)
        if key not in self._numbered:
            has_number = objects.number_of(o) is not None
            self._numbered[key] = self.object(o) if has_number else None
        return self._numbered[key]

    def attributes(self, o: Any) -> dict[str, Any]:
        """The attributes of an object; `o` must live as long as the record is written."""
        found = self._attributes.get(id(o))
        if found is None:
            found = self._attributes[id(o)] = objects.attributes_of(o)
        return found

    def entity(self, x: Any) -> int:
        """An object by its index, a Value by one below 0."""
        return -1 - self.number(x) if isinstance(x, Value) else self.object(x)

    def scope(self, scope: Scope | None) -> int:
        path = []
        while scope not in self._scope_at and scope is not None:
            path.append(scope)
            scope = scope.parent
        at = self._scope_at[scope]
        for inner in reversed(path):
            of = self.object(inner.of) if objects.is_object(inner.of) else -1
            row = inner.kind, inner.title, at, of, self.place(inner.call)
            at = self._scope_at[inner] = len(self._scopes)
            self._scopes.append(row)
        return at

    # Rows

    def rows(self) -> dict[str, Any]:
        """All tables, to be asked for in the end."""
        if self.unfollowed:
            for at, x in enumerate(self.order):
                self._note_sources(at, x.serial)
        self._trace()
        scopes = [self.scope(x.origin.scope) for x in self.order]
        owners = [self._owner(i, x) for i, x in enumerate(self._numbers)]
        own = [self._object_row(o) for o in self._objects]
        owners += [self._owner(i, self._numbers[i]) for i in range(len(owners), len(self._numbers))]
        numbers = [self._number_row(i, x, owners[i]) for i, x in enumerate(self._numbers)]
        is_judged = self.definition is not None
        has_flags = is_judged and not self.held
        return {
            "numbers": fields.NUMBERS.write(self, numbers),
            "ops": list(self._ops),
            "drawn": len(self.order),
            "shown": fields.SHOWN.write(
                self,
                [(at, x.origin.leaf is not None) for at, x in zip(scopes, self.order, strict=True)],
            ),
            "flags": [_flags(objects.attributes_of(x)) for x in self.order] if has_flags else [],
            "unfollowed": fields.UNFOLLOWED.write(self, self._sources),
            "objects": fields.OBJECTS.write(self, own),
            "contents": fields.CONTENTS.write(
                self, [*map(self._content, self.owners())] if is_judged else []
            ),
            "scopes": fields.SCOPES.write(self, self._scopes),
            "places": fields.PLACES.write(self, self._places.rows),
        }

    def _trace(self) -> None:
        """Find the histories of the numbers that were asked for."""
        for at in self._traced:  # which grows meanwhile
            x = self._numbers[at]
            args = [self._arg(arg) for arg in x.args]
            if not any(type(arg) is int and arg < 0 for arg in args):  # -1.0 is a number
                self._histories[at] = self.op(x.op), args
            self._note_sources(at, x.serial)

    def _note_sources(self, at: int, serial: float) -> None:
        """Keep the objects from which a number may come that was not followed."""
        if found := self.unfollowed.get(serial):
            self._sources.append((at, list(map(self.object, found))))
            for o in found:
                self.traced(objects.number_of(o))

    def _arg(self, arg: Any) -> float | str:
        """A followed arg by its index, any other as a float, so that both can be told apart."""
        return self.traced(arg) if type(arg) in FOLLOWED else safe(as_float(arg))

    def op(self, op: Op | None) -> int:
        return -1 if op is None else self._ops.setdefault(op.name, len(self._ops))

    def _owner(self, at: int, x: Any) -> int:
        if at < len(self.order):
            owner = self.held.get(x)
        else:
            owner = x.owner if type(x) in objects.PLAIN else None
        return -1 if owner is None else self.object(owner)

    def _object_row(self, o: Any) -> tuple[Any, ...]:
        cls = type(o)
        number, is_drawn = objects.number_of(o), self.drawn_object(o) is not None
        return (
            objects.class_name(cls)[:LENGTH],
            objects.name_of(o),
            objects.op_text(o) if is_drawn else "",
            -1 if number is None else self.number(number),
            isinstance(objects.class_dicts(cls)[0].get("__init__"), FunctionType),
        )

    def _content(self, o: Any) -> tuple[Any, ...]:
        """What a drawn object of a run that is judged holds."""
        assert self.definition is not None
        parts, held = [], self.attributes(o)
        for part in parts_of(held, self.attributes):
            self._left -= 1
            if self._left < 0:
                break
            if (at := self.drawn_object(part)) is not None:
                parts.append(at)
        return (
            parts,
            list(map(self.place, functions_in(held, self.definition))),
            _flags(held),
            [self.dicts.get(id(x), -1) for x in held.values() if is_a(x, dict)],
        )

    def _number_row(self, i: int, x: Any, owner: int) -> tuple[Any, ...]:
        is_value, at = isinstance(x, Value), self._at
        if i < len(self.order):
            op, args = self.op(x.op), [at[id(arg)] for arg in x.args if id(arg) in at]
        else:
            op, args = self._histories.get(i, (-1, []))
        if is_value:
            node, data = None if x.origin is None else x.origin.node, x.data
        else:
            node, data = x.node, as_float(x)
        return self._rule(x), op, args, data, x.label, self.place(node), _serial(x), owner

    def _rule(self, x: Any) -> int:
        """0 for a built-in Value, 1 for a plain number, 2 for a tensor, 3 for a single one."""
        if type(x) in objects.PLAIN:
            return 1
        return 2 + x.single if x.rounds else 0


def _flags(held: Mapping[str, Any]) -> dict[str, bool]:
    return {name: x for name, x in held.items() if x is True or x is False}


def _serial(x: Any) -> float:
    """The serial number of a number; 0 of a Value that no operation of the run has made."""
    if not isinstance(x, Value):
        return int(x.serial)
    try:
        serial: float = _SERIAL.__get__(x)
    except AttributeError:
        return 0
    return serial


_SERIAL: Any = Value.__dict__["serial"]
