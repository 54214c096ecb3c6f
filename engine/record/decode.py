"""The record of a run, read from the text of JSON that `encode` makes of it.

The text may come from a place that nobody trusts: every type, reference and size is checked, and
what does not fit is a `BadRecord`. Places are found in the tree that the reader has of the same
program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.garbage import SELDOM

from . import fields
from .array_fields import array_record
from .codec import BadRecord, RecordMembers, bad
from .decoded_tables import DecodedTables
from .fields import FORMAT, STEPS
from .model import (
    Backward,
    Pull,
    RecordedObject,
    RecordedRun,
    RecordedWitness,
    RunNumber,
    Scene,
    Stage,
    Write,
)
from .source import Limits, Source

__all__ = ["BadRecord", "decode", "decoded"]

LENGTH = 32_000_000
"""Letters of a text."""
VALUES = 2_000_000
"""Values in a text: each takes some 60 bytes while it is read."""
Log = dict[int, Write | Pull]


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
    if type(found) is not dict or found.get("format") != FORMAT:
        raise bad("of this format")
    known = DecodedTables(found, source, limits)
    printed, notes, stopped, charts, operations, scenes, leaves, scene = fields.WORDS.read(
        known, found
    )
    run = RecordedRun(
        source=source,
        scenes=scenes,
        scene=next(iter(scene), None),
        leaves=leaves,
        printed=printed,
        notes=notes,
        charts=charts,
        stopped=next(iter(stopped), None),
        operations=operations,
    )
    if run.scene is not None and run.scene.start > run.scene.end:
        raise bad("a scene")
    if found.get("array_nodes") is not None:
        run = replace(run, array_record=array_record(found["array_nodes"], known))
    return run if found.get("stage") is None else _with_stage(run, found, known)


def _with_stage(run: RecordedRun, found: Any, known: DecodedTables) -> RecordedRun:
    log = _log(found.get("log"), known)
    keys, unused, arrays, updates = fields.DRAWN.read(known, found)
    witness = None
    if found.get("witness") is not None:
        if run.scene is None:
            raise bad("a scene")
        witness = _witness(found, log, run.scene, known)
    return replace(
        run,
        stage=_stage(found["stage"], log, known),
        keys=keys,
        unused=unused,
        arrays=arrays,
        updates=dict(updates),
        witness=witness,
    )


# The graph


def _stage(found: Any, log: Log, known: DecodedTables) -> Stage:
    (
        node, own, held, grads, spent, replays, steps, places, left_out, changed, stale, made_with,
    ) = fields.STAGE.read(known, found)  # fmt: skip
    order = known.drawn_numbers
    if not order or len(held) != len(order) or len(grads) not in (0, len(order)):
        raise bad("a number to draw")
    if any(at >= len(order) for at, _ in spent):
        raise bad("a gradient that is used")
    for x, first in made_with:
        x.made_with = first
    backward = Backward(node, order, [x.data for x in order], held, grads or held, dict(spent))
    backward.rewind()
    objects = {x: x.owner for x in order if x.owner is not None} if own else None
    shown = None if replays else _steps(steps, log, objects, order)
    drawn = places or range(len(shown or ()))
    if len(drawn) != len(shown or ()):
        raise bad("the places of its steps")
    return Stage(backward, shown, objects, drawn, left_out, changed, stale)


def _steps(
    steps: list[int],
    log: Log,
    objects: Mapping[RunNumber, RecordedObject] | None,
    order: list[RunNumber],
) -> list[Write | Pull]:
    """The entries with a frame; those of objects as those of the numbers that are drawn."""
    drawn: dict[Any, RunNumber] = {x: x for x in order}
    if objects is not None:
        drawn = {o: x for x, o in objects.items()}
    found = []
    for at in steps:
        entry = log.get(at)
        of = None if entry is None else drawn.get(entry.of)
        if entry is None or of is None:
            raise bad("a step of the scene")
        found.append(entry if entry.of is of else entry._replace(of=of))
    return found


# Gradients, and what their witness saw


def _log(found: Any, known: DecodedTables) -> Log:
    """The entries of the log by their places in it, in order."""
    places, entries, pulls = fields.LOG.read(known, found)
    if len(places) != len(entries) or any(row >= len(entries) for row, _ in pulls):
        raise bad("the log")
    for row, given in pulls:
        of, node = entries[row].of, entries[row].node
        slots = len(of.args) if isinstance(of, RunNumber) else 0
        if any(each.slot >= slots for each in given):
            raise bad("a contribution")
        entries[row] = Pull(of, given, node)
    return dict(zip(places, entries, strict=True))


def _witness(found: Any, log: Log, scene: Scene, known: DecodedTables) -> RecordedWitness:
    seen = found["witness"]
    if scene.end - scene.start > STEPS or not log.keys() >= set(range(scene.start, scene.end)):
        raise bad("the log of the scene")
    for name, column in fields.CALLS.columns.items():
        setattr(known, name, *RecordMembers(**{name: column}).read(known, seen))
    writes, turns, sources, lines, begun, made, updated, copies, unseen, put = fields.WITNESS.read(
        known, seen
    )
    if not len(writes) == len(turns) == len(sources) == len(log):
        raise bad("what is seen of each entry")
    return RecordedWitness(
        log=log,
        writes={at: x for at, x in zip(log, writes, strict=True) if x is not None},
        turns=dict(zip(log, turns, strict=True)),
        sources={at: x for at, x in zip(log, sources, strict=True) if x is not None},
        lines=dict(lines),
        begun=begun,
        made=made,
        updated=updated,
        copies=dict(copies),
        unfollowed=dict(fields.UNFOLLOWED.read(known, found.get("unfollowed"))),
        collected=put,
        has_unseen=unseen,
    )
