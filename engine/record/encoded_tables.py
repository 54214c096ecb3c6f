"""The tables of a record while it is written: what is named by an index, each once."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from engine.op import Op
from engine.value import Value

from .held_objects import Objects, functions_in, parts_of
from .model import Scope, Stage

HISTORY = 20_000
"""Numbers beside those of the scene."""
PARTS = 200_000
"""Attributes of all objects together that are looked at."""
LENGTH = 64
"""Letters of the name of a class."""
EXACT = 2**53
LONGEST = 1 << 12
"""Bits of a whole number; a longer one is as good as infinite."""


def as_float(x: Any) -> float:
    """`x` as a 64-bit float; infinite if it is an int beyond them."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def safe(x: Any) -> float | str:
    """A number as JSON has it, exactly: nan, infinities and large ints are texts."""
    if type(x) is float or isinstance(x, float):
        x = float(x)
        return x if x - x == 0 else repr(x)
    whole = int(x)
    if -EXACT < whole < EXACT:
        return whole
    return hex(whole) if whole.bit_length() <= LONGEST else repr(as_float(whole))


class _Places:
    """The nodes of the text that a record names."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._known: dict[ast.AST | None, int] = {None: -1}

    def of(self, node: ast.AST | None) -> int:
        at = self._known.get(node)
        if at is None:
            at = self._known[node] = len(self.rows)
            row = [type(node).__name__, *[getattr(node, x, 0) for x in SPAN]]
            if isinstance(node, ast.FunctionDef):
                row.append(node.name)
            elif isinstance(node, ast.AugAssign):
                row.append(type(node.op).__name__)
            self.rows.append(row)
        return at


SPAN = "lineno", "col_offset", "end_lineno", "end_col_offset"
"""The attributes of a node that say where it stands."""


class EncodedTables:
    """The places, scopes, numbers and objects of one record.

    The first numbers are those of the stage, and the first objects those that hold them.
    """

    def __init__(self, stage: Stage | None, objects: Objects) -> None:
        self.live = objects
        self.places = _Places()
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
        self._sources: list[list[Any]] = []
        for owner in self.held.values():
            self.object(owner)
        self.drawn_objects = len(self._objects)
        is_own = stage is not None and stage.held is not None
        self.drawn = frozenset(self._object_at if is_own else self._at)
        """The identities of what gradients of the scene belong to: objects, or else Values."""
        self._ops: dict[str, int] = {}
        self._scopes: list[list[Any]] = []
        self._scope_at: dict[Scope | None, int] = {None: -1}

    # References

    def drawn_at(self, x: Any) -> int | None:
        """The index of a drawn number, or of what is drawn for a followed one; None for others."""
        at = self._at.get(id(x))
        if at is None and type(x) in self.live.FOLLOWED:
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
        if type(x) not in self.live.FOLLOWED:
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
            has_number = self.live.number_of(o) is not None
            self._numbered[key] = self.object(o) if has_number else None
        return self._numbered[key]

    def attributes(self, o: Any) -> dict[str, Any]:
        """The attributes of an object; `o` must live as long as the record is written."""
        found = self._attributes.get(id(o))
        if found is None:
            found = self._attributes[id(o)] = self.live.attributes_of(o)
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
            of = self.object(inner.of) if self.live.is_object(inner.of) else -1
            row = [inner.kind, inner.title, at, of, self.places.of(inner.call)]
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
        objects = [self._object_row(i, o) for i, o in enumerate(self._objects)]
        owners += [self._owner(i, self._numbers[i]) for i in range(len(owners), len(self._numbers))]
        return {
            "numbers": {"owner": owners, "scope": scopes, **self._number_columns()},
            "drawn": len(self.order),
            "unfollowed": self._sources,
            "objects": objects,
            "scopes": self._scopes,
            "places": self.places.rows,
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
            self._sources.append([at, list(map(self.object, found))])
            for o in found:
                self.traced(self.live.number_of(o))

    def _arg(self, arg: Any) -> float | str:
        """A followed arg by its index, any other as a float, so that both can be told apart."""
        return self.traced(arg) if type(arg) in self.live.FOLLOWED else safe(as_float(arg))

    def op(self, op: Op | None) -> int:
        return -1 if op is None else self._ops.setdefault(op.name, len(self._ops))

    def _owner(self, at: int, x: Any) -> int:
        if at < len(self.order):
            owner = self.held.get(x)
        else:
            owner = x.owner if type(x) in self.live.PLAIN else None
        return -1 if owner is None else self.object(owner)

    def _object_row(self, at: int, o: Any) -> list[Any]:
        """An object; of a drawn one of a run that is judged, what it holds, too."""
        live, is_drawn, cls = self.live, at < self.drawn_objects, type(o)
        number = live.number_of(o)
        init = _class_dict(cls).get("__init__")
        row = [
            _class_name(cls)[:LENGTH],
            live.name_of(o),
            live.op_text(o) if is_drawn else "",
            -1 if number is None else self.number(number),
            isinstance(init, FunctionType),
        ]
        if is_drawn and self.definition is not None:
            row += self._content(self.attributes(o), self.definition)
        return row

    def _content(
        self, held: Mapping[str, Any], definition: Callable[[FunctionType], ast.AST | None]
    ) -> list[Any]:
        parts = []
        for part in parts_of(held, self.live.is_object, self.attributes, self.live.number_of):
            self._left -= 1
            if self._left < 0:
                break
            if (at := self.drawn_object(part)) is not None:
                parts.append(at)
        return [
            parts,
            list(map(self.places.of, functions_in(held, definition))),
            _flags(held),
            [self.dicts.get(id(x), -1) for x in held.values() if isinstance(x, dict)],
        ]

    def _number_columns(self) -> dict[str, Any]:
        drawn, extra = self.order, self._numbers[len(self.order) :]
        histories = [
            self._histories.get(at, (-1, [])) for at in range(len(drawn), len(self._numbers))
        ]
        nodes = [x.origin.node for x in drawn] + [_node(x) for x in extra]
        found = {
            "op": [self.op(x.op) for x in drawn] + [op for op, _ in histories],
            "args": [self._drawn_args(x) for x in drawn] + [args for _, args in histories],
            "data": [safe(_data(x)) for x in self._numbers],
            "label": [x.label for x in self._numbers],
            "place": list(map(self.places.of, nodes)),
            "serial": list(map(_serial, self._numbers)),
            "leaf": [x.origin.leaf is not None for x in drawn],
            "rule": list(map(self._rule, self._numbers)),
        }
        if self.definition is not None and not self.held:
            found["flags"] = [_flags(self.live.attributes_of(x)) for x in drawn]
        return {"ops": list(self._ops), **found}

    def _drawn_args(self, x: Any) -> list[int]:
        at = self._at
        return [at[id(arg)] for arg in x.args if id(arg) in at]

    def _rule(self, x: Any) -> int:
        """The place of a number's kind among `RULES`."""
        if type(x) in self.live.PLAIN:
            return 1
        return 2 + x.single if x.rounds else 0


def _flags(held: Mapping[str, Any]) -> dict[str, bool]:
    return {name: x for name, x in held.items() if x is True or x is False}


def _node(x: Any) -> ast.AST | None:
    if not isinstance(x, Value):
        node: ast.AST = x.node
        return node
    return None if x.origin is None else x.origin.node


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


def _data(x: Any) -> float:
    return x.data if isinstance(x, Value) else as_float(x)


_class_name: Any = type.__dict__["__name__"].__get__
_class_dict: Any = type.__dict__["__dict__"].__get__
"""Those of the class itself, whatever its metaclass calls so."""
