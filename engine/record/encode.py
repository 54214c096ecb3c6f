"""A run that has ended as JSON-ready values, bounded, with no object of the program in it.

This is what leaves the place where a program runs; `decode` reads it where the program does not
run. References are indices into tables; nodes of the text are named by their type and place.
Numbers are exact: those that JSON has not are texts. The members:

    printed, notes, stopped, charts, operations
    places     [type, line, column, end line, end column] of nodes, as `ast` counts them
    scopes     [kind, title, parent, object, call]
    numbers    columns; the first `drawn` are those of the scene, in topological order
    objects    [class, name, op, number, has __init__], and of drawn ones what they hold
    scenes     [id, kind, title, place, data]; scene: [id, kind, title, place, data, start, end]
    stage      the pass that is drawn; log: columns of the gradients that the program wrote
    keys       [key, number] of drawn leaves; leaves: [key, default, place, turn]; unused: see there
    arrays     [place, scope, call, shape, cells, name, part]; updates: pairs of serial numbers
    array_nodes    operations on whole arrays, if they are kept: see `encoded_arrays`
    witness    what the verdict needs beside, or null
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.value import Value

from . import encoded_witness
from .encoded_arrays import array_rows
from .encoded_log import chosen_entries, log_columns
from .encoded_tables import EncodedTables, as_float, safe
from .held_objects import Objects
from .model import Arrangement, Leaf, Note, Pull, Scene, Stage, Write
from .source import Source
from .unused import unused

FORMAT = 1
CELLS = 200_000
"""Cells of all arrays together."""


@dataclass(slots=True)
class UnencodedRun:
    """What a recorder holds when a run has ended.

    `leaves` are all numbers that the reader may change, `keys` their names by their counts; `own`
    lists what the program itself gives them, None where that is known already. `parts` are the
    identities of the objects and Values that are parts of networks. `updates` has by serial number
    of a leaf that of the first number of its object.
    """

    source: Source
    stage: Stage | None
    scenes: Sequence[Scene]
    scene: Scene | None
    keys: Mapping[int, str]
    leaves: Sequence[Any]
    own: Sequence[Leaf] | None
    parts: set[int]
    log: Sequence[Write | Pull]
    printed: list[str]
    notes: list[Note]
    charts: Sequence[Any]
    arrays: Sequence[Arrangement]
    updates: Mapping[float, float]
    stopped: Note | None
    witness: Any
    operations: int
    array_tape: Any = None


def encoded(run: UnencodedRun, objects: Objects) -> str:
    """The record of a run as a text of JSON. The run's numbers are rewound to the drawn pass."""
    found = encode(run, objects)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def encode(run: UnencodedRun, objects: Objects) -> dict[str, Any]:
    """The record of a run as JSON-ready values."""
    tables = EncodedTables(run.stage, objects)
    found: dict[str, Any] = {
        "format": FORMAT,
        "printed": run.printed,
        "notes": [_note(note) for note in run.notes],
        "stopped": None if run.stopped is None else _note(run.stopped),
        "charts": [_chart(chart) for chart in run.charts],
        "operations": run.operations,
        "scenes": [_scene(s, tables) for s in run.scenes],
        "leaves": run.own and [_leaf(leaf, tables) for leaf in run.own],
        "scene": None,
        "stage": None,
        "witness": None,
    }
    if run.array_tape is not None:
        found["array_nodes"] = array_rows(run.array_tape, tables)
    if run.scene is not None:
        found["scene"] = [*_scene(run.scene, tables), run.scene.start, run.scene.end]
    if run.stage is not None:
        found |= _drawn(run, run.stage, tables, objects)
    return found | tables.rows()


def _scene(scene: Scene, tables: EncodedTables) -> list[Any]:
    data = None if scene.data is None else safe(scene.data)
    return [scene.id, scene.kind, scene.title, tables.places.of(scene.node), data]


def _drawn(
    run: UnencodedRun, stage: Stage, tables: EncodedTables, objects: Objects
) -> dict[str, Any]:
    """What there is only if a graph is drawn. Its scene's numbers are rewound."""
    held = _changed(stage, objects)
    stage.backward.rewind()
    entries = chosen_entries(run, stage, tables)
    found = {
        "stage": _stage(stage, held, entries.shown, tables),
        "keys": _keys(run, tables),
        "unused": [
            [it.label, tables.places.of(it.node), it.has_gradient]
            for it in unused(run, stage, objects)
        ],
        "arrays": list(_arrays(run, stage.backward.order, tables)),
        "updates": _updates(run, stage.backward.order),
    }
    if entries.is_judged:
        found["witness"] = encoded_witness.encode(run.witness, run.log, entries, tables)
    found["log"] = log_columns(run.log, entries.kept, tables)
    return found


def _note(note: Note) -> list[Any]:
    return [note.message, *note.span]


def _chart(chart: Any) -> list[Any]:
    series = [
        [s.kind, [x if isinstance(x, str) else safe(x) for x in s.xs], list(map(safe, s.ys)),
         s.label, s.width]
        for s in chart.series
    ]  # fmt: skip
    return [chart.kind, chart.title, chart.xlabel, chart.ylabel, series]


def _leaf(leaf: Leaf, tables: EncodedTables) -> list[Any]:
    return [leaf.key, safe(leaf.default), tables.places.of(leaf.place.at), leaf.place.turn]


def _stage(
    stage: Stage, changed: list[Any], shown: Sequence[int] | None, tables: EncodedTables
) -> dict[str, Any]:
    backward, number = stage.backward, tables.number
    order = backward.order
    return {
        "node": tables.places.of(backward.node),
        "own": stage.held is not None,
        "held": list(map(safe, backward.held)),
        "grads": None if backward.grads is backward.held else list(map(safe, backward.grads)),
        "spent": [[at, safe(grad)] for at, grad in backward.spent.items()],
        "steps": shown,
        "places": None if isinstance(stage.places, range) else list(stage.places),
        "left_out": stage.left_out,
        "changed": [number(value) for value in changed],
        "stale": [i for i, value in enumerate(order) if _is_stale(value)],
        "made_with": [
            [i, safe(value.made_with)]
            for i, value in enumerate(order)
            if _differ(value.made_with, value.data)
        ],
    }


def _is_stale(value: Value) -> bool:
    """Whether the data of a Value no longer follows from its op and args."""
    return value.op is not None and _differ(value.data, value.recomputed())


def _differ(a: float, b: float) -> bool:
    return a != b and (a == a or b == b)


def _changed(stage: Stage, objects: Objects) -> list[Any]:
    """The Values whose numbers at the end of the program are not those of `stage`.

    To be called before the pass is rewound, which sets the numbers back.
    """
    order = stage.backward.order
    if stage.held is None:
        recorded = zip(order, stage.backward.data, strict=True)
        return [value for value, data in recorded if _differ(value.data, data)]
    drawn = set(map(id, order))
    found = []
    for value, owner in stage.held.items():
        number = objects.number_of(owner)
        is_other = number is not None and id(number.value) not in drawn
        if is_other and _differ(as_float(number), value.data):
            found.append(value)
    return found


def _keys(run: UnencodedRun, tables: EncodedTables) -> list[list[Any]]:
    """The keys of drawn leaves."""
    found = []
    for count, key in run.keys.items():
        at = tables.drawn_at(run.leaves[count]) if count < len(run.leaves) else None
        if at is not None:
            found.append([key, at])
    return found


def _arrays(run: UnencodedRun, order: Sequence[Any], tables: EncodedTables) -> Iterable[list[Any]]:
    """The arrays of which something is drawn."""
    if not run.arrays:
        return
    drawn = {run.updates.get(value.serial, value.serial) for value in order}
    left = CELLS
    for it in run.arrays:
        if drawn.isdisjoint(it.cells):
            continue
        left -= len(it.cells)
        if left < 0:
            return
        place, scope = tables.places.of(it.node), tables.scope(it.scope)
        yield [place, scope, it.call, list(it.shape), list(it.cells), it.name, it.part]


def _updates(run: UnencodedRun, order: Sequence[Any]) -> list[list[float]]:
    updates = run.updates
    return [[v.serial, updates[v.serial]] for v in order if v.serial in updates] if updates else []
