"""One turn of a run: a form of the page is taken, and the run goes on."""

from __future__ import annotations

from collections.abc import Mapping

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
from app.exercise.signing import Key
from engine.exercise.answer_text import LONGEST
from engine.exercise.exercise import Exercise

NOT_GENUINE = (
    "The answers before this one could not be read: the server may have been restarted, or the "
    "form was changed. The exercise begins again."
)
NO_NAME = "Type your name first."
GO = "go:"


def taken(
    asked: ExerciseQuery, exercise: Exercise, form: Mapping[str, str] | None, key: Key, now: int
) -> tuple[ExerciseRun, Happened]:
    """The run after a form, or at its beginning, and what happened."""
    count = len(exercise.questions)
    if form is None:
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
        return Happened(name=name, notice="" if name else NO_NAME)
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
    )
    return Happened(name=name, line=result.line(key))
