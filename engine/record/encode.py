"""A run that has ended as JSON-ready values, bounded, with no object of the program in it.

This is what leaves the place where a program runs; `decode` reads it where the program does not
run. What is listed stands in columns, by the tables of `fields`. References are indices; nodes of
the text are named by their type and place. Numbers are exact: those that JSON has not are texts.
The first `drawn` of the numbers are those of the scene, in topological order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from engine.real import as_float, same
from engine.value import Value

from . import encoded_witness, fields
from .array_fields import written_arrays
from .encoded_log import chosen_entries, written_log
from .encoded_tables import EncodedTables
from .fields import FORMAT
from .model import Arrangement, Leaf, Note, Pull, Scene, Stage, Write
from .objects import number_of
from .source import Source
from .unused import unused

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
    printed: list[str]
    notes: list[Note]
    charts: Sequence[Any]
    stopped: Note | None
    operations: int
    stage: Stage | None = None
    scenes: Sequence[Scene] = ()
    scene: Scene | None = None
    keys: Mapping[int, str] = field(default_factory=dict)
    leaves: Sequence[Any] = ()
    own: Sequence[Leaf] | None = None
    parts: AbstractSet[int] = frozenset()
    log: Sequence[Write | Pull] = ()
    arrays: Sequence[Arrangement] = ()
    updates: Mapping[float, float] = field(default_factory=dict)
    witness: Any = None
    array_tape: Any = None


def encoded(run: UnencodedRun) -> str:
    """The record of a run as a text of JSON. The run's numbers are rewound to the drawn pass."""
    return json.dumps(encode(run), separators=(",", ":"), allow_nan=False)


def encode(run: UnencodedRun) -> dict[str, Any]:
    """The record of a run as JSON-ready values."""
    tables = EncodedTables(run.stage)
    found: dict[str, Any] = {"format": FORMAT, "stage": None, "witness": None}
    found |= fields.WORDS.write(
        tables,
        printed=run.printed,
        notes=run.notes,
        stopped=_one(run.stopped),
        charts=run.charts,
        operations=run.operations,
        scenes=run.scenes,
        leaves=run.own or (),
        scene=_one(run.scene),
    )
    if run.array_tape is not None:
        found["array_nodes"] = written_arrays(run.array_tape, tables)
    if run.stage is not None:
        found |= _drawn(run, run.stage, tables)
    return found | tables.rows()


def _one(x: Any) -> list[Any]:
    return [] if x is None else [x]


def _drawn(run: UnencodedRun, stage: Stage, tables: EncodedTables) -> dict[str, Any]:
    """What there is only if a graph is drawn. Its scene's numbers are rewound."""
    held = _changed(stage)
    stage.backward.rewind()
    entries = chosen_entries(run, stage, tables)
    order = stage.backward.order
    found = fields.DRAWN.write(
        tables,
        keys=_keys(run, tables),
        unused=unused(run, stage),
        arrays=list(_arrays(run, order)),
        updates=[(x.serial, run.updates[x.serial]) for x in order if x.serial in run.updates],
    )
    found["stage"] = _stage(stage, held, entries.shown, tables)
    if entries.is_judged:
        found["witness"] = encoded_witness.encode(run.witness, run.log, entries, tables)
    found["log"] = written_log(run.log, entries.kept, tables)
    return found


def _stage(
    stage: Stage, changed: list[Any], shown: Sequence[int] | None, tables: EncodedTables
) -> dict[str, Any]:
    backward, order = stage.backward, stage.backward.order
    return fields.STAGE.write(
        tables,
        node=backward.node,
        own=stage.held is not None,
        held=backward.held,
        grads=() if backward.grads is backward.held else backward.grads,
        spent=list(backward.spent.items()),
        replays=shown is None,
        steps=shown or (),
        places=() if isinstance(stage.places, range) else stage.places,
        left_out=stage.left_out,
        changed=changed,
        stale=list(filter(_is_stale, order)),
        made_with=[(x, x.made_with) for x in order if not same(x.made_with, x.data)],
    )


def _is_stale(value: Value) -> bool:
    """Whether the data of a Value no longer follows from its op and args."""
    return value.op is not None and not same(value.data, value.recomputed())


def _changed(stage: Stage) -> list[Any]:
    """The Values whose numbers at the end of the program are not those of `stage`.

    To be called before the pass is rewound, which sets the numbers back.
    """
    order = stage.backward.order
    if stage.held is None:
        recorded = zip(order, stage.backward.data, strict=True)
        return [value for value, data in recorded if not same(value.data, data)]
    drawn = set(map(id, order))
    found = []
    for value, owner in stage.held.items():
        number = number_of(owner)
        is_other = number is not None and id(number.value) not in drawn
        if is_other and not same(as_float(number), value.data):
            found.append(value)
    return found


def _keys(run: UnencodedRun, tables: EncodedTables) -> list[tuple[str, Any]]:
    count = len(run.leaves)
    leaves = [(key, run.leaves[at]) for at, key in run.keys.items() if at < count]
    return [(key, leaf) for key, leaf in leaves if tables.drawn_at(leaf) is not None]


def _arrays(run: UnencodedRun, order: Sequence[Any]) -> Iterable[Arrangement]:
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
        yield it
