"""The record of a run, read from the text of JSON that `encode` makes of it.

The text may come from a place that nobody trusts: every type, reference and size is checked, and
what does not fit is a `BadRecord`. Places are found in the tree that the reader has of the same
program.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from engine.garbage import SELDOM

from .charts import Chart, Series
from .checks import (
    MESSAGE,
    SPECIAL,
    BadRecord,
    bad,
    members,
    of_or_none,
    real,
    reals,
    rising,
    rows,
    text,
    truth,
    whole,
)
from .decoded_arrays import array_record
from .decoded_tables import DecodedTables
from .decoded_witness import Log, read_log, read_unfollowed, read_witness
from .encode import FORMAT
from .model import (
    Arrangement,
    Backward,
    Leaf,
    Note,
    Place,
    Pull,
    RecordedObject,
    RecordedRun,
    RunNumber,
    Scene,
    Stage,
    Unused,
    Write,
)
from .source import Limits, Source

__all__ = ["BadRecord", "decode", "decoded"]

LENGTH = 32_000_000
"""Letters of a text."""
VALUES = 2_000_000
"""Values in a text: each takes some 60 bytes while it is read."""
SCENES = frozenset({"backward", "drawing", "gradients", "end"})
CHARTS = frozenset({"line", "scatter", "bar", "image"})


def decoded(record: str | bytes, source: Source, limits: Limits) -> RecordedRun:
    """The run that a text tells of. Raises BadRecord."""
    written = record if isinstance(record, str) else record.decode("utf-8", "replace")
    if len(written) > LENGTH or _has_more(VALUES, written):
        raise bad("a text of this length")
    with SELDOM.collected():
        try:
            found = json.loads(written, parse_constant=_refused)
        except (ValueError, RecursionError) as error:
            raise BadRecord(f"no record: {error}") from None
        return decode(found, source, limits)


def _has_more(most: int, written: str) -> bool:
    """Whether a text of JSON has more values than that, those that strings print not counted."""
    if sum(map(written.count, _SIGNS)) <= most:
        return False
    return sum(map(_STRING.sub("", written).count, _SIGNS)) > most


_SIGNS = ",[{"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def _refused(name: str) -> Any:
    raise bad(name)


def decode(found: Any, source: Source, limits: Limits) -> RecordedRun:
    """The run that a record as JSON values tells of. Raises BadRecord."""
    version, printed, notes, stopped, charts, operations, scenes, own, scene = members(
        found, "format", "printed", "notes", "stopped", "charts", "operations", "scenes",
        "leaves", "scene",
    )  # fmt: skip
    if version != FORMAT:
        raise bad("of this format")
    tables = DecodedTables(found, source, limits.values)
    run = RecordedRun(
        source=source,
        scenes=[_scene(rows(row, 5), tables) for row in rows(scenes)],
        scene=None if scene is None else _chosen(rows(scene, 7), tables),
        leaves=[_leaf(tables, *rows(row, 4)) for row in rows(own or [])],
        printed=[text(line, limits.line_length + 1) for line in rows(printed)],
        notes=[_note(rows(row, 5)) for row in rows(notes)],
        charts=[_chart(*rows(row, 5)) for row in rows(charts)],
        stopped=None if stopped is None else _note(rows(stopped, 5)),
        operations=whole(operations),
    )
    if found.get("array_nodes") is not None:
        run = replace(run, array_record=array_record(found["array_nodes"], tables))
    return run if found.get("stage") is None else _with_stage(run, found, tables)


def _with_stage(run: RecordedRun, found: Any, tables: DecodedTables) -> RecordedRun:
    """A run with the scene that is drawn."""
    stage, log, keys, unused, arrays, updates, seen, unfollowed = members(
        found, "stage", "log", "keys", "unused", "arrays", "updates", "witness", "unfollowed"
    )
    entries = read_log(log, tables)
    witness = None
    if seen is not None:
        if run.scene is None:
            raise bad("a scene")
        witness = read_witness(seen, entries, run.scene, tables)
        witness.unfollowed = read_unfollowed(unfollowed, tables)
    return replace(
        run,
        stage=_stage(stage, entries, tables),
        keys=[_key(tables, *rows(row, 2)) for row in rows(keys)],
        unused=[_unused(tables, *rows(row, 3)) for row in rows(unused)],
        arrays=[_array(tables, *rows(row, 7)) for row in rows(arrays)],
        updates=dict(map(_update, rows(updates))),
        witness=witness,
    )


# Words


def _note(row: list[Any]) -> Note:
    line, column, end_line, end_column = [whole(x) for x in row[1:]]
    return Note(text(row[0], MESSAGE), (line, column, end_line, end_column))


def _chart(kind: Any, title: Any, xlabel: Any, ylabel: Any, series: Any) -> Chart:
    found = [_series(*rows(row, 5)) for row in rows(series)]
    return Chart(_of(CHARTS, kind), text(title), text(xlabel), text(ylabel), found)


def _series(kind: Any, xs: Any, ys: Any, label: Any, width: Any) -> Series:
    places = [text(x) if type(x) is str and x not in SPECIAL else real(x) for x in rows(xs)]
    return Series(_of(CHARTS, kind), places, reals(ys), text(label), whole(width))


def _of(known: Container[str], x: Any) -> str:
    if text(x) not in known:
        raise bad("a known word")
    return str(x)


# Scenes and leaves


def _scene(row: list[Any], tables: DecodedTables) -> Scene:
    number, kind, title, place, data = row[:5]
    found = Scene(whole(number, 1), _of(SCENES, kind), text(title), tables.place(place))
    return found if data is None else replace(found, data=real(data))


def _chosen(row: list[Any], tables: DecodedTables) -> Scene:
    start, end = whole(row[5]), whole(row[6])
    if start > end:
        raise bad("a scene")
    return replace(_scene(row, tables), start=start, end=end)


def _leaf(tables: DecodedTables, key: Any, default: Any, place: Any, turn: Any) -> Leaf:
    return Leaf(text(key), real(default), Place(tables.place(place), whole(turn, 1)))


def _key(tables: DecodedTables, key: Any, at: Any) -> tuple[str, RunNumber]:
    return text(key), tables.drawn_number(at)


def _unused(tables: DecodedTables, label: Any, place: Any, has_gradient: Any) -> Unused:
    return Unused(text(label), tables.place(place), truth(has_gradient))


# The graph


def _stage(found: Any, log: Log, tables: DecodedTables) -> Stage:
    node, own, held, grads, spent, steps, places, left_out, changed, stale, made_with = members(
        found, "node", "own", "held", "grads", "spent", "steps", "places", "left_out", "changed",
        "stale", "made_with",
    )  # fmt: skip
    order = tables.numbers[: tables.drawn]
    if not order:
        raise bad("a number to draw")
    before = reals(held, len(order))
    starts = before if grads is None else reals(grads, len(order))
    for at, first in (rows(row, 2) for row in rows(made_with)):
        tables.drawn_number(at).made_with = real(first)
    numbers = [x.data for x in order]
    pairs = [rows(pair, 2) for pair in rows(spent)]
    used = {whole(at, 0, len(order) - 1): real(grad) for at, grad in pairs}
    backward = Backward(tables.place(node), order, numbers, before, starts, used)
    backward.rewind()
    objects = {x: x.owner for x in order if x.owner is not None} if truth(own) else None
    shown = None if steps is None else _steps(steps, log, objects, order)
    drawn = range(len(shown or ())) if places is None else rising(places)
    if len(drawn) != len(shown or ()):
        raise bad("the places of its steps")
    return Stage(
        backward,
        shown,
        objects,
        drawn,
        whole(left_out),
        [tables.drawn_number(at) for at in rows(changed)],
        [tables.drawn_number(at) for at in rows(stale)],
    )


def _steps(
    steps: Any,
    log: Log,
    objects: Mapping[RunNumber, RecordedObject] | None,
    order: list[RunNumber],
) -> list[Write | Pull]:
    """The entries with a frame; those of objects as those of the numbers that are drawn."""
    drawn: dict[Any, RunNumber] = {x: x for x in order}
    if objects is not None:
        drawn = {o: x for x, o in objects.items()}
    found = []
    for at in rising(steps):
        entry = log.get(at)
        of_ = None if entry is None else drawn.get(entry.of)
        if entry is None or of_ is None:
            raise bad("a step of the scene")
        found.append(entry if entry.of is of_ else entry._replace(of=of_))
    return found


def _array(
    tables: DecodedTables,
    place: Any,
    scope: Any,
    call: Any,
    shape: Any,
    cells: Any,
    name: Any,
    part: Any,
) -> Arrangement:
    sizes = tuple([whole(size) for size in rows(shape)])
    serials = tuple([None if x is None else real(x) for x in rows(cells)])
    if math.prod(sizes) != len(serials):
        raise bad("the cells of an array")
    around = of_or_none(tables.scopes, scope)
    return Arrangement(
        tables.place(place), around, whole(call), sizes, serials, text(name), text(part)
    )


def _update(row: Any) -> tuple[float, float]:
    later, first = reals(row, 2)
    return later, first
