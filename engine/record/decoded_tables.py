"""The tables of a record, read: places, scopes, objects and numbers."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from engine.op import Op
from engine.ops import OPS

from .checks import bad, members, of, of_or_none, real, rows, text, truth, whole
from .encoded_tables import HISTORY, SPAN
from .model import Entity, RecordedObject, RunNumber, Scope, TensorNumber
from .source import Source
from .tree import NodePlace

CONSTANTS = 3
"""Each operation has two args at most, which may be constants."""
_new = object.__new__
_NO_FLAGS: Mapping[str, bool] = {}


class DecodedTables:
    """The entries that indices of a record stand for. Raises BadRecord if they do not fit."""

    def __init__(self, found: Any, source: Source, most: int) -> None:
        """At most `most` numbers may be drawn, without constants."""
        places, scopes, numbers, objects, drawn = members(
            found, "places", "scopes", "numbers", "objects", "drawn"
        )
        self.tree = source.tree
        self.places = _nodes(rows(places), source)
        self.objects = [RecordedObject("") for _ in rows(objects)]
        self.scopes: list[Scope] = []
        for row in rows(scopes):
            self.scopes.append(self._scope(*rows(row, 5)))
        self.drawn = whole(drawn, high=CONSTANTS * most + 1)
        self.numbers = self._numbers(numbers)
        for o, row in zip(self.objects, objects, strict=True):
            self._fill_object(o, rows(row))

    def place(self, at: Any) -> ast.AST:
        return of(self.places, at)

    def place_or_none(self, at: Any) -> ast.AST | None:
        return of_or_none(self.places, at)

    def object(self, at: Any) -> RecordedObject:
        return of(self.objects, at)

    def drawn_number(self, at: Any) -> RunNumber:
        return self.numbers[whole(at, high=self.drawn)]

    def entity(self, at: Any) -> Entity:
        """An object by its index, a number by one below 0."""
        found = whole(at, low=-len(self.numbers))
        return self.numbers[-1 - found] if found < 0 else of(self.objects, found)

    def _scope(self, kind: Any, title: Any, parent: Any, o: Any, call: Any) -> Scope:
        around = of_or_none(self.scopes, parent)  # of those read so far
        owner = of_or_none(self.objects, o)
        return Scope(text(kind), text(title), around, owner, self.place_or_none(call))

    # Numbers

    def _numbers(self, found: Any) -> list[RunNumber]:
        rules, ops, op, args, data, labels, places, serials, owners = members(
            found, "rule", "ops", "op", "args", "data", "label", "place", "serial", "owner"
        )
        out, known = list(map(_number, rows(rules))), list(map(_op, rows(ops)))
        count = len(out)
        if not self.drawn <= count <= self.drawn + HISTORY:
            raise bad("as many numbers as are drawn")
        columns = [rows(xs, count) for xs in (op, data, labels, places, serials, owners)]
        for x, op, number, label, place, serial, owner in zip(out, *columns, strict=True):
            x.op = of_or_none(known, op)
            x.data = x.made_with = real(number)
            x.grad, x.label = 0.0, text(label)
            x.node = self.place_or_none(place) or self.tree
            x.serial = _finite(serial)
            x.owner = of_or_none(self.objects, owner)
        self._fill_drawn(out[: self.drawn], found)
        for i, (x, given) in enumerate(zip(out, rows(args, count), strict=True)):
            x.args = self._args(x, rows(given), out, i)
            if x.op is not None and len(x.args) != len(x.op.params):
                raise bad("as many args as the op has")
        return out

    def _args(
        self, x: RunNumber, given: list[Any], out: list[RunNumber], i: int
    ) -> tuple[Any, ...]:
        """Args come before their results, so that there is no circle."""
        if i < self.drawn:
            return tuple([out[whole(at, high=i)] for at in given])
        args = tuple([of(out, at) if type(at) is int else real(at) for at in given])
        if any(isinstance(arg, RunNumber) and not arg.serial < x.serial for arg in args):
            raise bad("args that were computed before")
        return args

    def _fill_drawn(self, drawn: list[RunNumber], found: Any) -> None:
        scopes, leaves = members(found, "scope", "leaf")
        count = len(drawn)
        for x, scope, leaf in zip(drawn, rows(scopes, count), rows(leaves, count), strict=True):
            x.scope, x.is_leaf = of_or_none(self.scopes, scope), truth(leaf)
        if "flags" in found:
            for x, flags in zip(drawn, rows(found["flags"], count), strict=True):
                x.flags = _flags(flags)

    # Objects

    def _fill_object(self, o: RecordedObject, row: list[Any]) -> None:
        if len(row) not in (5, 9):
            raise bad("an object")
        kind, name, op, number, has_init = row[:5]
        o.kind, o.op, o.has_init = text(kind), text(op), truth(has_init)
        o.name = None if name is None else text(name)
        o.number = of_or_none(self.numbers, number)
        if len(row) == 9:
            parts, functions, flags, dicts = row[5:]
            o.parts = [self.object(at) for at in rows(parts)]
            o.functions = [function(self.place(at)) for at in rows(functions)]
            o.flags = _flags(flags)
            o.dicts = [whole(at, low=-1) for at in rows(dicts)]


def function(node: ast.AST) -> ast.AST:
    """A node that defines a function."""
    if not isinstance(node, ast.FunctionDef | ast.Lambda):
        raise bad("a function")
    return node


def _nodes(places: list[Any], source: Source) -> list[ast.AST]:
    """The nodes at places of the text, or those of a library's code that have the same place.

    Such code is not in the text: where it runs, the line that imports it is shown.
    """
    known, found = source.nodes, []
    spans: set[tuple[int, ...]] = set()
    for row in places:
        place, detail = _place(row)
        node = known.get(place)
        if node is None:
            spans = spans or {other[1:] for other in known}
            if place[1:] not in spans:
                raise bad("a place of the program")
            node = _foreign(place, detail)
        found.append(node)
    return found


def _place(row: Any) -> tuple[NodePlace, str]:
    if len(rows(row)) not in (5, 6):
        raise bad("a place")
    kind, line, column, end_line, end_column = text(row[0]), *map(whole, row[1:5])
    return (kind, line, column, end_line, end_column), text(row[5]) if len(row) > 5 else ""


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


def _number(rule: Any) -> RunNumber:
    if whole(rule, high=4) < 2:
        out: RunNumber = _new(RunNumber)
    else:
        tensor = out = _new(TensorNumber)
        tensor.single = rule == 3
    out.is_plain, out.is_leaf, out.scope, out.flags = rule == 1, False, None, _NO_FLAGS
    return out


def _op(name: Any) -> Op:
    op = OPS.get(text(name))
    if op is None:
        raise bad("an op")
    return op


def _finite(x: Any) -> float:
    if type(x) is str:
        raise bad("a finite number")
    return real(x)


def _flags(found: Any) -> dict[str, bool]:
    if type(found) is not dict:
        raise bad("flags")
    return {text(name): truth(flag) for name, flag in found.items()}
