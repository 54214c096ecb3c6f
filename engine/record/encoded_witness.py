"""What a run that is judged shows beside its log, as a record keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .encoded_log import Entries
from .encoded_tables import EncodedTables, safe
from .model import Pull, Write

Row = list[Any]


class _Calls:
    """Calls and their variables, each content once."""

    def __init__(self, tables: EncodedTables) -> None:
        self._tables = tables
        self._names: dict[str, int] = {}
        self._frames: dict[int, int] = {}
        self._frame_rows: list[Row] = []
        self._variables: dict[tuple[int, ...], int] = {}
        self._calls: dict[tuple[int, int, int], int] = {}
        self._stacks: dict[tuple[int, ...], int] = {}

    def stack(self, calls: Sequence[Any]) -> int:
        found = tuple([self._call(call) for call in calls])
        return self._stacks.setdefault(found, len(self._stacks))

    def _call(self, call: Any) -> int:
        held = self.variables(call.variables, self._tables.numbered)
        found = self.frame(call), self._tables.places.of(call.at), held
        return self._calls.setdefault(found, len(self._calls))

    def frame(self, call: Any) -> int:
        at = self._frames.get(call.serial)
        if at is None:
            at = self._frames[call.serial] = len(self._frame_rows)
            place = self._tables.places.of(call.node)
            self._frame_rows.append([call.serial, self._name(call.name), place])
        return at

    def variables(self, held: Mapping[str, Any], index_of: Callable[[Any], int | None]) -> int:
        """The objects that have an index, with the names of the variables."""
        found: list[int] = []
        for name, o in held.items():
            at = index_of(o)
            if at is not None:
                found += self._name(name), at
        return self._variables.setdefault(tuple(found), len(self._variables))

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def rows(self) -> dict[str, list[Any]]:
        return {
            "names": list(self._names),
            "frames": self._frame_rows,
            "variables": list(self._variables),
            "calls": list(self._calls),
            "stacks": list(self._stacks),
        }


def encode(
    witness: Any, log: Sequence[Write | Pull], entries: Entries, tables: EncodedTables
) -> dict[str, Any]:
    """The witness of a run that has ended, for the entries of its log that are kept."""
    calls, places = _Calls(tables), tables.places
    tables.definition, tables.unfollowed = witness.definition, witness.unfollowed
    inside = [entries.start <= at < entries.end for at in entries.kept]
    kept = list(zip(entries.kept, inside, strict=True))
    put = [c for c in witness.collected if entries.start <= c.at <= entries.end]
    tables.dicts = {key: i for i, key in enumerate(dict.fromkeys(id(c.owner) for c in put))}
    return {
        "stacks_of": [
            calls.stack(witness.writes[at])
            if at in witness.writes and (is_in or at in entries.births)
            else -1
            for at, is_in in kept
        ],
        "turns": [
            witness.begun_before(witness.turns.get(at, 0)) if is_in else 0 for at, is_in in kept
        ],
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
        "unseen": _has_unseen(log, tables),
        "collected": [_collected(c, witness.begun_before(c.begun), calls, tables) for c in put],
        **calls.rows(),
    }


def _has_unseen(log: Sequence[Write | Pull], tables: EncodedTables) -> bool:
    """Whether a drawn object ends with a gradient that nobody was seen to write, as by exec()."""
    last = {id(entry.of): safe(entry.after) for entry in log if isinstance(entry, Write)}
    for o in tables.owners():
        held = list(map(safe, tables.live.gradients_of(o)))
        if id(o) in last and held and last[id(o)] not in held:
            return True
    return False


def _begun(begun: Any, left: Mapping[int, Any], calls: _Calls, tables: EncodedTables) -> Row:
    held = calls.variables(begun.variables, tables.drawn_object)
    return [begun.at, calls.frame(begun), tables.places.of(left.get(begun.serial)), held]


def _made(made: Sequence[Any], tables: EncodedTables) -> Iterator[Row]:
    """The results that are drawn, with those of their operands that are."""
    for it in made:
        result = tables.drawn_object(it.result)
        if result is not None:
            operands = [tables.entity(x) if id(x) in tables.drawn else None for x in it.operands]
            places = tables.places.of(it.node), tables.places.of(it.method)
            yield [it.name, operands, list(map(safe, it.numbers)), result, safe(it.number), *places]


def _updated(updated: Sequence[Any], entries: Entries, tables: EncodedTables) -> Iterator[Row]:
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


def _copies(copies: Mapping[int, Any], tables: EncodedTables) -> Iterator[Row]:
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


def _collected(put: Any, begun: int, calls: _Calls, tables: EncodedTables) -> Row:
    before = None if put.before is None else safe(put.before)
    of, source = tables.entity(put.of), tables.traced(put.source)
    stack = calls.stack(put.calls)
    place, owner = tables.places.of(put.node), tables.dicts[id(put.owner)]
    return [put.at, of, before, safe(put.after), place, stack, source, begun, owner]
