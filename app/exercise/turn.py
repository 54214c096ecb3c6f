"""One turn of a run: a form of the page is taken, and the run goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.exercise.address import ExerciseQuery
from app.exercise.page import Happened, title_of
from app.exercise.pictures import field_name
from app.exercise.result_line import LONGEST_NAME, StudentResult, at, plain
from app.exercise.run import (
    ExerciseRun,
    begun,
    checked,
    gone_to,
    hinted,
    judged_before,
    read_run,
    shown,
)
from app.exercise.sets import place_of
from app.exercise.signing import Key
from engine.exercise.answer_text import LONGEST
from engine.exercise.exercise import Exercise
from engine.exercise.rules import COMPUTES, RuleKind

NOT_GENUINE = (
    "The answers before this one could not be read: the server may have been restarted, or the "
    "form was changed. The exercise begins again."
)
NO_NAME = "Type your name first."
GO, BEGIN = "go:", "begin"
MOST_LINES = 12_000  # characters of the lines that a set carries along


def taken(
    asked: ExerciseQuery, exercise: Exercise, form: Mapping[str, str] | None, key: Key, now: int
) -> tuple[ExerciseRun, Happened]:
    """The run after a form, or at its beginning, and what happened."""
    count = len(exercise.questions)
    if form is None:
        return begun(asked.digest, count, now), Happened()
    after, happened = _taken(asked, exercise, form, key, now)
    return after, _within(asked, exercise, after, happened, form, key)


def _within(
    asked: ExerciseQuery,
    exercise: Exercise,
    run: ExerciseRun,
    happened: Happened,
    form: Mapping[str, str],
    key: Key,
) -> Happened:
    """What a set carries along: the name, and the lines of the exercises that are done."""
    if not place_of(asked):
        return happened
    name, lines = plain(form.get("name", ""), LONGEST_NAME), form.get("lines", "")[:MOST_LINES]
    if run.is_done and name:
        own = _result(asked, exercise, run, form, key).line
        others = [line for line in lines.splitlines() if line.strip() and asked.digest not in line]
        lines = "\n".join([*others, own])
    return replace(happened, name=name, lines=lines)


def _taken(
    asked: ExerciseQuery, exercise: Exercise, form: Mapping[str, str], key: Key, now: int
) -> tuple[ExerciseRun, Happened]:
    count = len(exercise.questions)
    if form.get("act") == BEGIN:
        return begun(asked.digest, count, now), Happened()
    run = read_run(form.get("token", ""), key, asked.digest, count)
    if run is None:
        return begun(asked.digest, count, now), Happened(notice=NOT_GENUINE)
    act, typed = form.get("act", "check"), _typed(form, run)
    if act == "hint":
        judged = judged_before(run, exercise, typed)
        return hinted(run), Happened(judged=judged, typed=typed)
    if act == "show":
        place = run.current
        after = shown(run, now)
        return after, Happened(typed=typed, revealed=place if after != run else None)
    if act == "result" or run.is_done:
        return run, _result(asked, exercise, run, form, key)
    if act.startswith(GO) and act.removeprefix(GO).isdecimal():
        return gone_to(run, int(act.removeprefix(GO)[:4]), exercise), Happened(typed=typed)
    if not typed:
        return run, Happened()
    after, judged = checked(run, exercise, typed, now)
    return after, Happened(judged=judged, typed=typed)


def _typed(form: Mapping[str, str], run: ExerciseRun) -> dict[int, str]:
    """The texts of open fields by place: those on cards, and that of the question's own field.

    The present question has both: the one that differs from the text before counts.
    """
    found = {}
    for place in range(len(run.marks)):
        text = form.get(field_name(place), "")[: LONGEST + 1]
        if run.is_open(place) and text.strip():
            found[place] = text
    answer, before = form.get("answer", "")[: LONGEST + 1], form.get("before", "")
    is_new = answer.strip() and answer != before
    if run.is_open(run.current) and answer.strip() and (is_new or run.current not in found):
        found[run.current] = answer
    return found


def _result(
    asked: ExerciseQuery, exercise: Exercise, run: ExerciseRun, form: Mapping[str, str], key: Key
) -> Happened:
    """The line to hand in, once no question is open."""
    name = plain(form.get("name", ""), LONGEST_NAME)
    if not run.is_done or not name:
        is_asked = form.get("act") == "result"
        return Happened(name=name, notice=NO_NAME if is_asked and not name else "")
    score = run.score(exercise)
    result = StudentResult(
        name=name,
        digest=asked.digest,
        title=title_of(asked, exercise),
        right=score.right,
        asked=score.asked,
        first=score.first,
        hints=score.hints,
        shown=score.shown,
        seconds=max(run.ended - run.started, 0),
        when=at(run.ended),
        kinds=", ".join(f"{_kind(row.kind)}: {row.first} of {row.begun}" for row in score.rows),
    )
    return Happened(name=name, line=result.line(key))


def _kind(kind: RuleKind) -> str:
    """A kind of step as a line has it."""
    symbol = plain(kind.symbol, 12).replace(",", "").replace(":", "") or kind.words
    return f"{symbol} forward" if kind.words == COMPUTES else symbol
