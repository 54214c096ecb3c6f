"""The log of gradients of a record, and what its witness saw, read."""

from __future__ import annotations

import ast
from typing import Any

from engine.reverse import Contribution

from .checks import bad, members, of, of_or_none, real, reals, rising, rows, text, truth, whole
from .decoded_tables import DecodedTables, function
from .encoded_log import STEPS
from .model import (
    BegunCall,
    Collected,
    Made,
    Pull,
    RecordedCall,
    RecordedObject,
    RecordedWitness,
    RunNumber,
    Scene,
    Write,
)

Log = dict[int, Write | Pull]


def read_log(found: Any, tables: DecodedTables) -> Log:
    """The entries of the log by their places in it, in order."""
    at, of_, places, before, after, start, pulls = members(
        found, "at", "of", "place", "before", "after", "start", "pulls"
    )
    count = len(rising(at))
    entries: list[Write | Pull] = [
        Write(
            tables.entity(o),
            None if was is None else real(was),
            real(now),
            tables.place(place),
            truth(is_start),
        )
        for o, was, now, place, is_start in zip(
            *[rows(xs, count) for xs in (of_, before, after, places, start)], strict=True
        )
    ]
    for row, given in map(_pair, rows(pulls)):
        write = entries[whole(row, high=count)]
        found_ = [_contribution(rows(each, 7), write.of, tables) for each in rows(given)]
        entries[row] = Pull(write.of, found_, write.node)
    return dict(zip(at, entries, strict=True))


def _pair(row: Any) -> list[Any]:
    return rows(row, 2)


def _contribution(row: list[Any], of_: Any, tables: DecodedTables) -> Contribution[Any]:
    to, slot, *numbers = row
    whole(slot, high=len(of_.args) if isinstance(of_, RunNumber) else 0)
    return Contribution(tables.drawn_number(to), slot, *reals(numbers))


class _Calls:
    """The calls of a witness."""

    def __init__(self, found: Any, tables: DecodedTables) -> None:
        names, frames, variables, calls, stacks = members(
            found, "names", "frames", "variables", "calls", "stacks"
        )
        self._tables = tables
        self._names = list(map(text, rows(names)))
        self._frames = [self._frame(*rows(row, 3)) for row in rows(frames)]
        self._variables = [self._held(rows(row)) for row in rows(variables)]
        self._calls = [self._call(*rows(row, 3)) for row in rows(calls)]
        self.stacks = [tuple([of(self._calls, at) for at in rows(row)]) for row in rows(stacks)]

    def _frame(self, serial: Any, name: Any, place: Any) -> tuple[int, str, ast.AST]:
        return whole(serial), of(self._names, name), function(self._tables.place(place))

    def _held(self, row: list[Any]) -> dict[str, RecordedObject]:
        if len(row) % 2:
            raise bad("variables")
        names = [of(self._names, at) for at in row[::2]]
        return dict(zip(names, map(self._tables.object, row[1::2]), strict=True))

    def _call(self, frame: Any, place: Any, variables: Any) -> RecordedCall:
        at, held = self._tables.place(place), of(self._variables, variables)
        return RecordedCall(*of(self._frames, frame), at, held)

    def begun(self, at: Any, frame: Any, left: Any, variables: Any) -> BegunCall:
        serial, _, node = of(self._frames, frame)
        last, held = self._tables.place_or_none(left), of(self._variables, variables)
        return BegunCall(whole(at), serial, node, last, held)


def read_witness(found: Any, log: Log, scene: Scene, tables: DecodedTables) -> RecordedWitness:
    """What a witness saw of a scene."""
    stacks, turns, sources, lines, begun, made, updated, copies, put, unseen = members(
        found, "stacks_of", "turns", "sources", "lines", "begun", "made", "updated", "copies",
        "collected", "unseen",
    )  # fmt: skip
    if scene.end - scene.start > STEPS or not log.keys() >= set(range(scene.start, scene.end)):
        raise bad("the log of the scene")
    calls, count = _Calls(found, tables), len(log)
    stack = [of_or_none(calls.stacks, at) for at in rows(stacks, count)]
    source = [of_or_none(tables.numbers, at) for at in rows(sources, count)]
    return RecordedWitness(
        log=log,
        writes={at: x for at, x in zip(log, stack, strict=True) if x is not None},
        turns=dict(zip(log, map(whole, rows(turns, count)), strict=True)),
        sources={at: x for at, x in zip(log, source, strict=True) if x is not None},
        lines={whole(at): tables.place(node) for at, node in map(_pair, rows(lines))},
        begun=[calls.begun(*rows(row, 4)) for row in rows(begun)],
        made=[_made(tables, *rows(row, 7)) for row in rows(made)],
        updated=[_updated(tables, *rows(row, 3)) for row in rows(updated)],
        copies=dict(_copy(tables, *rows(row, 2)) for row in rows(copies)),
        has_unseen=truth(unseen),
        collected=[_collected(calls, tables, *rows(row, 9)) for row in rows(put)],
    )


def read_unfollowed(
    found: Any, tables: DecodedTables
) -> dict[RunNumber, tuple[RecordedObject, ...]]:
    return {
        of(tables.numbers, at): tuple(map(tables.object, rows(objects)))
        for at, objects in map(_pair, rows(found))
    }


def _made(
    tables: DecodedTables,
    name: Any,
    operands: Any,
    numbers: Any,
    result: Any,
    number: Any,
    place: Any,
    method: Any,
) -> Made:
    given = tuple([None if x is None else tables.entity(x) for x in rows(operands)])
    used = tuple(reals(numbers, len(given)))
    if not given:
        raise bad("operands")
    defined = tables.place_or_none(method)
    made, node = tables.object(result), tables.place(place)
    return Made(text(name), given, used, made, real(number), node, defined and function(defined))


def _updated(
    tables: DecodedTables, at: Any, o: Any, serial: Any
) -> tuple[int, RecordedObject, int]:
    return whole(at), tables.object(o), whole(serial)


def _copy(tables: DecodedTables, at: Any, source: Any) -> tuple[RunNumber, RunNumber | None]:
    return tables.drawn_number(at), None if source == -1 else tables.drawn_number(source)


def _collected(
    calls: _Calls,
    tables: DecodedTables,
    at: Any,
    of_: Any,
    before: Any,
    after: Any,
    place: Any,
    stack: Any,
    source: Any,
    begun: Any,
    owner: Any,
) -> Collected:
    return Collected(
        whole(at),
        tables.entity(of_),
        None if before is None else real(before),
        real(after),
        tables.place(place),
        of(calls.stacks, stack),
        of_or_none(tables.numbers, source),
        whole(begun),
        whole(owner),
    )
