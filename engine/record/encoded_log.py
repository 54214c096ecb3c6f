"""The gradients that a program wrote, as a record keeps them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import fields
from .encoded_tables import EncodedTables
from .fields import STEPS
from .model import Pull, Stage, Write


class Entries(NamedTuple):
    """The entries of the log that are kept, by their places in it, in order.

    `shown` are those with a frame, None if the pass is replayed. With `is_judged`, the others of
    the scene are among them, from `start` to `end`, and of each drawn object the first one of all,
    the first that gives it a gradient, the last before the scene, and the one that changes by hand
    what the scene left; `births` are the first ones.
    """

    kept: list[int]
    shown: list[int] | None
    is_judged: bool
    start: int = 0
    end: int = 0
    births: frozenset[int] = frozenset()


def chosen_entries(run: Any, stage: Stage, tables: EncodedTables) -> Entries:
    """The entries that the record of a run that has ended keeps."""
    if stage.steps is None or run.scene is None:
        return Entries([], None, is_judged=False)
    log: Sequence[Write | Pull | None]
    log, start, end = run.log, run.scene.start, run.scene.end
    steps = [at for at in range(start, end) if _is_step(log[at], tables)]
    shown = [steps[at] for at in stage.places]
    if run.witness is None or run.witness.is_full or end - start > STEPS:
        return Entries(shown, shown, is_judged=False)
    births, others = _of_objects(log, start, tables)
    kept = sorted({*range(start, end), *births, *others, *_by_hand_after(run, tables)})
    return Entries(kept, shown, True, start, end, frozenset(births))


def _is_step(entry: Write | Pull | None, tables: EncodedTables) -> bool:
    if entry is None or id(entry.of) not in tables.drawn:
        return False
    return not getattr(entry, "is_start", False)


def _of_objects(
    log: Sequence[Write | Pull | None], start: int, tables: EncodedTables
) -> tuple[Iterable[int], Iterable[int]]:
    """For each drawn object its first entry, and the other two."""
    first: dict[int, int] = {}
    given: dict[int, int] = {}
    last: dict[int, int] = {}
    drawn = tables.drawn
    for at, entry in enumerate(log):
        if entry is None or (of := id(entry.of)) not in drawn:
            continue
        first.setdefault(of, at)
        if at < start:
            last[of] = at
        if isinstance(entry, Write) and not entry.is_start and entry.after != 0:
            given.setdefault(of, at)
    return first.values(), [*given.values(), *last.values()]


def _by_hand_after(run: Any, tables: EncodedTables) -> Iterable[int]:
    """For each drawn object the first entry after the scene that changes a gradient unused.

    A gradient is used by an update of the object's number, and set to 0 for a next scene. Before
    the update it may be clipped, or something be added to it.
    """
    log, end = run.log, run.scene.end
    later = [scene.start for scene in run.scenes if scene.start >= end and scene is not run.scene]
    used: dict[int, int] = {}
    for at, o, _ in run.witness.updated:
        if at >= end:
            used.setdefault(id(o), at)
    found: dict[int, int] = {}
    for at in range(end, min(later, default=len(log))):
        entry = log[at]
        if isinstance(entry, Write) and _is_step(entry, tables) and not _is_use(entry, at, used):
            found.setdefault(id(entry.of), at)
    return [at for at in found.values() if log[at].after != 0 or len(run.scenes) == 1]


def _is_use(entry: Write, at: int, used: Mapping[int, int]) -> bool:
    """Whether a write is part of using a gradient, which `used` says the end of by object."""
    end, before = used.get(id(entry.of)), entry.before or 0.0
    if end is None or at >= end:
        return end is not None or entry.after == before
    is_clipped = before * entry.after >= 0 and abs(entry.after) <= abs(before)
    return is_clipped or isinstance(entry.node, ast.AugAssign)


def written_log(log: Sequence[Any], kept: Sequence[int], tables: EncodedTables) -> dict[str, Any]:
    """The kept entries, with the contributions of those that are no writes."""
    entries = [log[at] for at in kept]
    pulls = [
        (row, entry.contributions if id(entry.of) in tables.drawn else [])
        for row, entry in enumerate(entries)
        if isinstance(entry, Pull)
    ]
    for row, _ in pulls:
        entries[row] = Write(entries[row].of, None, 0.0, entries[row].node)
    return fields.LOG.write(tables, at=kept, entries=entries, pulls=pulls)
