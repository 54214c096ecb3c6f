"""The pictures of a lesson drawn by the reader's engine, which compute what the lesson's do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.learn.building.assembly import AssembledEngine, assembled
from app.learn.building.own_program import NotOnEngine, on_engine, stages_of
from app.learn.lesson import Lesson, LessonError, Table
from app.learn.states import FIRST, LAST, ShownState, States, program_of
from app.learn.subjects import GraphNumbers
from app.picture.frame_state import state

TABLE_ALONE = ("expand", "memory")
"""What a state may ask for that Explore does with operations of its own table alone: to open them,
and to say which numbers their rules keep."""


class OwnStep(NamedTuple):
    """A step's picture by the reader's engine; `ids` are those there of Values that ours names
    otherwise."""

    step: int
    shown: ShownState
    ids: Mapping[str, str]
    engine: AssembledEngine


def own_steps(states: States, lesson: Lesson, engine: str) -> Iterator[OwnStep]:
    """The steps of a lesson whose program the engine can run, with the same numbers."""
    known: dict[tuple[str, ...], AssembledEngine] = {}
    for number, step in enumerate(lesson.steps, 1):
        asked = {*step.state, step.state.get("lens")}
        if "program" not in step.state or asked & {*TABLE_ALONE}:
            continue
        try:
            program = program_of(lesson, step.state)
            stages = tuple(stages_of(program))
            if stages not in known:
                known[stages] = assembled(engine, stages)
            found = _shown(states, lesson, step.state, on_engine(known[stages].text, program))
        except (NotOnEngine, LessonError):
            continue
        if found is not None:
            yield OwnStep(number, *found, known[stages])


def _shown(
    states: States, lesson: Lesson, table: Table, text: str
) -> tuple[ShownState, Mapping[str, str]] | None:
    """The state with another program; None if its numbers differ. Raises LessonError."""
    ours = states.shown(lesson, table).subject
    own_lesson = replace(lesson, programs={**lesson.programs, table["program"]: text})
    own_table = {key: value for key, value in table.items() if key not in ("leaves", "frame")}
    own_table["code"] = table.get("code") or text.rstrip().rpartition("\n")[2]
    last = states.shown(own_lesson, own_table)
    if not isinstance(ours, GraphNumbers) or not isinstance(last.subject, GraphNumbers):
        return None
    frame = _frame_like(ours, last.subject, table.get("frame", LAST))
    if frame is None:
        return None
    ids = {
        node: last.subject.labels[label]
        for label, node in ours.labels.items()
        if label in last.subject.labels and last.subject.labels[label] != node
    }
    return states.shown(own_lesson, {**own_table, "frame": frame}), ids


def _frame_like(ours: GraphNumbers, own: GraphNumbers, frame: object) -> int | str | None:
    """The frame of the own graph, from 1, with the numbers of `frame` in ours; None if none."""
    if not _is_alike(ours, None, own, None):
        return None
    if frame in (FIRST, LAST):
        return str(frame)
    place = int(str(frame)) - 1
    count = len(own.trace.frames)
    for other in sorted(range(count), key=lambda k: (k < place, k)):
        if _is_alike(ours, place, own, other):
            return other + 1
    return None


def _is_alike(ours: GraphNumbers, place: int | None, own: GraphNumbers, other: int | None) -> bool:
    """Whether the Values that both graphs name have the same numbers at a frame of each."""
    at, there = state(ours.trace, place), state(own.trace, other)
    names = [label for label in ours.labels if label in own.labels and not label[0].isdigit()]
    pairs = [(ours.labels[name], own.labels[name]) for name in names]
    return bool(pairs) and all(
        (a in at.data) == (b in there.data)
        and (a not in at.data or _close(at.data[a], there.data[b]))
        and _close(at.grads.get(a) or 0.0, there.grads.get(b) or 0.0)
        for a, b in pairs
    )


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def whose(steps: Sequence[OwnStep]) -> tuple[list[str], list[str]]:
    """The stages whose pieces some pictures use: the reader's, and Seegrad's."""
    yours = {slug for it in steps for slug in it.engine.yours}
    ours = {slug for it in steps for slug in it.engine.ours}
    return sorted(yours), sorted(ours)
