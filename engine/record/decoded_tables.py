"""The tables of a record, read: places, scopes, objects and numbers."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from engine.op import Op
from engine.ops import OPS

from . import fields
from .codec import FLAGS, TEXT, bad, is_within, real, rows, wholes
from .fields import HISTORY
from .model import RecordedObject, RunNumber, Scope, TensorNumber
from .source import Limits, Source
from .tree import SPAN, NodePlace

CONSTANTS = 3
"""Each operation has two args at most, which may be constants."""
_new = object.__new__
_NO_FLAGS: Mapping[str, bool] = {}


class DecodedTables:
    """The entries that indices of a record stand for. Raises BadRecord if they do not fit."""

    def __init__(self, found: Any, source: Source, limits: Limits) -> None:
        """As many numbers may be drawn as `limits` has values, without constants."""
        self.limits, self.tree = limits, source.tree
        self.places = _nodes(fields.PLACES.read(self, found.get("places")), source)
        listed = rows(found.get("objects"))
        self.objects = [RecordedObject("") for _ in (rows(listed[0]) if listed else ())]
        self.scopes: list[Scope] = []
        for kind, title, parent, of, call in fields.SCOPES.read(self, found.get("scopes")):
            if parent >= len(self.scopes):  # of those read so far
                raise bad("a scope")
            around = self.scopes[parent] if parent >= 0 else None
            self.scopes.append(Scope(kind, title, around, of, call))
        drawn = found.get("drawn")
        if not is_within([drawn], 0, CONSTANTS * limits.values + 1):
            raise bad("as many numbers")
        self.ops = list(map(_op, TEXT.read(self, found.get("ops"))))
        self.numbers = self._numbers(fields.NUMBERS.read(self, found.get("numbers")), drawn)
        self.drawn_numbers = self.numbers[:drawn]
        self._fill_drawn(found)
        self._fill_objects(found)

    # Numbers

    def _numbers(self, cells: list[Any], drawn: int) -> list[RunNumber]:
        out = [_number(row[0]) for row in cells]
        if not drawn <= len(out) <= drawn + HISTORY:
            raise bad("as many numbers as are drawn")
        for i, (x, (_, op, given, data, label, place, serial, owner)) in enumerate(
            zip(out, cells, strict=True)
        ):
            x.op, x.label, x.owner, x.serial = op, label, owner, serial
            x.data = x.made_with = data
            x.grad, x.node = 0.0, place or self.tree
            x.args = _drawn_args(given, out, i) if i < drawn else _args(given, out)
            if op is not None and len(x.args) != len(op.params):
                raise bad("as many args as the op has")
        for x in out[drawn:]:
            args: tuple[Any, ...] = x.args
            if any(isinstance(arg, RunNumber) and not arg.serial < x.serial for arg in args):
                raise bad("args that were computed before")
        return out

    def _fill_drawn(self, found: Any) -> None:
        shown = fields.SHOWN.read(self, found.get("shown"))
        if len(shown) != len(self.drawn_numbers):
            raise bad("as many numbers as are drawn")
        for x, (scope, is_leaf) in zip(self.drawn_numbers, shown, strict=True):
            x.scope, x.is_leaf = scope, is_leaf
        for x, flags in zip(self.drawn_numbers, FLAGS.read(self, found.get("flags")), strict=False):
            x.flags = flags

    # Objects

    def _fill_objects(self, found: Any) -> None:
        for o, row in zip(self.objects, fields.OBJECTS.read(self, found["objects"]), strict=True):
            o.kind, o.name, o.op, o.number, o.has_init = row
        contents = fields.CONTENTS.read(self, found.get("contents"))
        for o, row in zip(self.objects, contents, strict=False):
            o.parts, o.functions, o.flags, o.dicts = row


def _drawn_args(given: list[Any], out: list[RunNumber], i: int) -> tuple[RunNumber, ...]:
    """Args come before their results, so that there is no circle."""
    if not is_within(given, 0, i):
        raise bad("args that were computed before")
    return tuple([out[at] for at in given])


def _args(given: list[Any], out: list[RunNumber]) -> tuple[Any, ...]:
    """Of a history: numbers by their indices, and plain ones as floats."""
    wholes(0, len(out)).read(None, [at for at in given if type(at) is int])
    return tuple([out[at] if type(at) is int else real(at) for at in given])


def _nodes(places: list[Any], source: Source) -> list[ast.AST]:
    """The nodes at places of the text, or those of a library's code that have the same place.

    Such code is not in the text: where it runs, the line that imports it is shown.
    """
    known, found = source.nodes, []
    spans: set[tuple[int, ...]] = set()
    for *row, detail in places:
        place: Any = tuple(row)
        node = known.get(place)
        if node is None:
            spans = spans or {other[1:] for other in known}
            if place[1:] not in spans:
                raise bad("a place of the program")
            node = _foreign(place, detail)
        found.append(node)
    return found


def _foreign(place: NodePlace, detail: str) -> ast.AST:
    """A node without parts but its name or operator."""
    made, sign = _class(place[0], ast.stmt | ast.expr), _class(detail, ast.operator)
    if made is None:
        raise bad("a type of syntax")
    node: Any = made.__new__(made)
    for attribute, x in zip(SPAN, place[1:], strict=True):
        setattr(node, attribute, x)
    if made is ast.FunctionDef:
        node.name, node.body = detail, []
    elif made is ast.AugAssign:
        if sign is None:
            raise bad("an operator")
        node.op = sign()
    found: ast.AST = node
    return found


def _class(name: str, of_: Any) -> Any:
    """A class of syntax by its name; None if it is none of these."""
    found = getattr(ast, name, None)
    return found if isinstance(found, type) and issubclass(found, of_) else None


def _number(rule: int) -> RunNumber:
    """A number of one of the kinds of `EncodedTables`."""
    out: Any = _new(RunNumber if rule < 2 else TensorNumber)
    if rule >= 2:
        out.single = rule == 3
    out.is_plain, out.is_leaf, out.scope, out.flags = rule == 1, False, None, _NO_FLAGS
    return out  # type: ignore[no-any-return]


def _op(name: str) -> Op:
    op = OPS.get(name)
    if op is None:
        raise bad("an op")
    return op
