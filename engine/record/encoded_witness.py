"""What a run that is judged shows beside its log, as a record keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import fields
from .codec import safe
from .encoded_log import Entries
from .encoded_tables import EncodedTables
from .follow import FOLLOWED
from .model import Pull, Write
from .objects import gradients_of

Row = tuple[Any, ...]


class _Calls:
    """Calls and their variables, each content once."""

    def __init__(self, tables: EncodedTables) -> None:
        self._tables = tables
        self._names: dict[str, int] = {}
        self._frames: dict[int, int] = {}
        self._frame_rows: list[Row] = []
        self._variables: dict[Row, int] = {}
        self._calls: dict[Row, int] = {}
        self._known: dict[int, int] = {}
        """The index of each call that the witness holds, by its identity."""
        self._stacks: dict[Row, int] = {}

    def stack(self, calls: Sequence[Any]) -> int:
        found = tuple([self._call(call) for call in calls])
        return self._stacks.setdefault(found, len(self._stacks))

    def _call(self, call: Any) -> int:
        at = self._known.get(id(call))
        if at is None:
            held = self.variables(call.variables, self._tables.numbered)
            found = self.frame(call), self._tables.place(call.at), held
            at = self._known[id(call)] = self._calls.setdefault(found, len(self._calls))
        return at

    def frame(self, call: Any) -> int:
        at = self._frames.get(call.serial)
        if at is None:
            at = self._frames[call.serial] = len(self._frame_rows)
            place = self._tables.place(call.node)
            self._frame_rows.append((call.serial, self._name(call.name), place))
        return at

    def variables(self, held: Mapping[str, Any], index_of: Callable[[Any], int | None]) -> int:
        """The objects that have an index, with the names of the variables."""
        found = [
            (self._name(name), at) for name, o in held.items() if (at := index_of(o)) is not None
        ]
        key = tuple(zip(*found, strict=True)) or ((), ())
        return self._variables.setdefault(key, len(self._variables))

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def rows(self) -> dict[str, Any]:
        return fields.CALLS.write(
            self._tables,
            names=list(self._names),
            frames=self._frame_rows,
            variables=list(self._variables),
            calls=list(self._calls),
            stacks=list(self._stacks),
        )


def encode(
    witness: Any, log: Sequence[Write | Pull], entries: Entries, tables: EncodedTables
) -> dict[str, Any]:
    """The witness of a run that has ended, for the entries of its log that are kept."""
    calls, start, end = _Calls(tables), entries.start, entries.end
    tables.definition, tables.unfollowed = witness.definition, witness.unfollowed
    kept = [(at, start <= at < end) for at in entries.kept]
    put = [c for c in witness.collected if start <= c.at <= end]
    tables.dicts = {key: i for i, key in enumerate(dict.fromkeys(id(c.owner) for c in put))}
    before, left = witness.begun_before, witness.left
    found = fields.WITNESS.write(
        tables,
        writes=[
            calls.stack(witness.writes[at])
            if at in witness.writes and (is_in or at in entries.births)
            else -1
            for at, is_in in kept
        ],
        turns=[before(witness.turns.get(at, 0)) if is_in else 0 for at, is_in in kept],
        sources=[witness.sources.get(at) if is_in else None for at, is_in in kept],
        lines=[(at, witness.lines[at]) for at in range(start, end + 1) if at in witness.lines],
        begun=[
            (
                it.at,
                calls.frame(it),
                left.get(it.serial),
                calls.variables(it.variables, tables.drawn_object),
            )
            for it in witness.begun
        ],
        made=list(_made(witness.made, tables)),
        updated=list(_updated(witness.updated, entries, tables)),
        copies=list(_copies(witness.copies, tables)),
        unseen=_has_unseen(log, tables),
        collected=[
            it._replace(
                calls=calls.stack(it.calls),
                begun=before(it.begun),
                owner=tables.dicts[id(it.owner)],
            )
            for it in put
        ],
    )
    return found | calls.rows()


def _has_unseen(log: Sequence[Write | Pull], tables: EncodedTables) -> bool:
    """Whether a drawn object ends with a gradient that nobody was seen to write, as by exec()."""
    last = {id(entry.of): entry for entry in log if type(entry) is Write}
    for o in tables.owners():
        held = list(map(safe, gradients_of(o)))
        if id(o) in last and held and safe(last[id(o)].after) not in held:
            return True
    return False


def _made(made: Sequence[Any], tables: EncodedTables) -> Iterator[Row]:
    """The results that are drawn, with those of their operands that are."""
    drawn = tables.drawn
    for it in made:
        if tables.drawn_object(it.result) is not None:
            yield it._replace(operands=[x if id(x) in drawn else None for x in it.operands])


def _updated(updated: Sequence[Any], entries: Entries, tables: EncodedTables) -> Iterator[Row]:
    """The new numbers of drawn objects in the scene, and the last one of each before."""
    last: dict[int, Row] = {}
    later: list[Row] = []
    for row in updated:
        of = tables.drawn_object(row[1])
        if of is not None and row[0] <= entries.start:
            last[of] = row
        elif of is not None and row[0] <= entries.end:
            later.append(row)
    yield from last.values()
    yield from later


def _copies(copies: Mapping[int, Any], tables: EncodedTables) -> Iterator[Row]:
    """Drawn numbers that are an arg's, or for -1 the constant 0: branches of relu, of a maximum."""
    for value in tables.order:
        source = copies.get(int(value.serial)) if value.op is None else None
        if source is None or not value.args:
            continue
        if type(source) not in FOLLOWED:
            if source == 0:
                yield value, -1
        elif source.value in value.args:
            yield value, tables.number(source)
