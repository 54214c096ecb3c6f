"""What a run that is judged shows beside its log, as a record keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .encoded_log import Entries
from .encoded_tables import Tables, safe
from .model import Pull, Write

Row = list[Any]


class _Calls:
    """Calls and their variables, each content once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._tables_of: dict[str, dict[Any, int]] = {
            "names": {}, "frames": {}, "variables": {}, "calls": {}, "stacks": {},
        }  # fmt: skip

    def stack(self, calls: Sequence[Any] | None) -> int:
        return -1 if calls is None else self._index("stacks", tuple([self._call(c) for c in calls]))

    def _call(self, call: Any) -> int:
        has_number = self._tables.has_number
        held = {name: o for name, o in call.variables.items() if has_number(o)}
        return self._index(
            "calls", (self.frame(call), self._tables.places.of(call.at), self.variables(held))
        )

    def frame(self, call: Any) -> int:
        place = self._tables.places.of(call.node)
        return self._index("frames", (call.serial, self._index("names", call.name), place))

    def variables(self, held: Mapping[str, Any]) -> int:
        found: list[int] = []
        for name, o in held.items():
            found += self._index("names", name), self._tables.object(o)
        return self._index("variables", tuple(found))

    def _index(self, kind: str, content: Any) -> int:
        table = self._tables_of[kind]
        return table.setdefault(content, len(table))

    def rows(self) -> dict[str, list[Any]]:
        return {kind: list(table) for kind, table in self._tables_of.items()}


def encode(
    witness: Any, log: Sequence[Write | Pull], entries: Entries, tables: Tables
) -> dict[str, Any]:
    """The witness of a run that has ended, for the entries of its log that are kept."""
    calls, places = _Calls(tables), tables.places
    tables.functions, tables.unfollowed = witness.functions, witness.unfollowed
    inside = [entries.start <= at < entries.end for at in entries.kept]
    kept = list(zip(entries.kept, inside, strict=True))
    put = [c for c in witness.collected if entries.start <= c.at <= entries.end]
    tables.dicts = {key: i for i, key in enumerate(dict.fromkeys(id(c.owner) for c in put))}
    return {
        "operations": witness.operations,
        "stacks_of": [
            calls.stack(witness.writes.get(at) if is_in or at in entries.births else None)
            for at, is_in in kept
        ],
        "turns": [witness.turns.get(at, 0) if is_in else 0 for at, is_in in kept],
        "sources": [tables.traced(witness.sources.get(at)) if is_in else -1 for at, is_in in kept],
        "lines": [
            [at, places.of(witness.lines[at])]
            for at in range(entries.start, entries.end + 1)
            if at in witness.lines
        ],
        "begun": [_begun(begun, witness.left, calls, tables) for begun in witness.begun],
        "made": list(_made(witness.made, tables)),
        "updated": list(_updated(witness.updated, entries, tables)),
        "copies": list(_copies(witness.copies, tables)),
        "collected": [_collected(c, calls, tables) for c in put],
        **calls.rows(),
    }


def _begun(begun: Any, left: Mapping[int, Any], calls: _Calls, tables: Tables) -> Row:
    drawn = tables.drawn_object
    held = {name: o for name, o in begun.variables.items() if drawn(o) is not None}
    last = tables.places.of(left.get(begun.serial))
    return [begun.at, calls.frame(begun.frame), last, calls.variables(held)]


def _made(made: Sequence[Any], tables: Tables) -> Iterator[Row]:
    """The results that are drawn, with those of their operands that are."""
    for it in made:
        result = tables.drawn_object(it.result)
        if result is not None:
            operands = [tables.entity(x) for x in it.operands]
            places = tables.places.of(it.node), tables.places.of(it.method)
            yield [it.name, operands, list(map(safe, it.numbers)), result, safe(it.number), *places]


def _updated(updated: Sequence[Any], entries: Entries, tables: Tables) -> Iterator[Row]:
    """The new numbers of drawn objects in the scene, and the last one of each before."""
    last: dict[int, Row] = {}
    later: list[Row] = []
    for at, o, serial in updated:
        of = tables.drawn_object(o)
        if of is not None and at <= entries.start:
            last[of] = [at, of, serial]
        elif of is not None and at <= entries.end:
            later.append([at, of, serial])
    yield from last.values()
    yield from later


def _copies(copies: Mapping[int, Any], tables: Tables) -> Iterator[Row]:
    """Drawn numbers that are an arg's, or for -1 the constant 0: branches of relu, of a maximum."""
    for i, value in enumerate(tables.order):
        source = copies.get(int(value.serial)) if value.op is None else None
        if source is None or not value.args:
            continue
        if type(source) not in tables.live.FOLLOWED:
            if source == 0:
                yield [i, -1]
        elif source.value in value.args:
            yield [i, tables.number(source)]


def _collected(put: Any, calls: _Calls, tables: Tables) -> Row:
    before = None if put.before is None else safe(put.before)
    of, source = tables.any_entity(put.of), tables.traced(put.source)
    stack = calls.stack(put.calls)
    place, owner = tables.places.of(put.node), tables.dicts[id(put.owner)]
    return [put.at, of, before, safe(put.after), place, stack, source, put.begun, owner]
