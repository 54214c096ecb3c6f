"""Backward passes on whole arrays as tasks: numbers to fill in or lines to write, each judged."""

from __future__ import annotations

from functools import partial

from markupsafe import escape

from app.learn.by_hand.exercises import EXERCISES, ByHandExercise
from app.learn.by_hand.judge import judged
from app.learn.by_hand.rows import ROWS, RowsExercise, judged_rows, seed_of, shown
from app.learn.tasks import (
    CHECK,
    DEBUGGER,
    START,
    CourseTask,
    FormSent,
    TaskAct,
    TaskReply,
    TaskSet,
    add_tasks,
    line,
    prose,
)
from app.site import Site
from engine.program import Limits

HINT, SHOW = TaskAct("hint", "Hint for the next one"), TaskAct("show", "Show the next one")
ANEW = TaskAct(START, "Other numbers", in_place=False)
OPEN = TaskAct(
    DEBUGGER, "Open in Explore", "Opens your text in Explore, which draws every array", True
)


WRITE = (
    "Write each line in place of `None`, from the top. Every line is compared with the true "
    "gradient, number by number."
)
FILL_IN = (
    "Type each array below the program, a row on each line. Fractions such as 1/2 are fine, and a "
    "shape is typed as 3×2."
)


def add_by_hand(site: Site) -> None:
    """Register /learn/by-hand, its exercises, and their judgement."""
    tasks = TaskSet(
        "/learn/by-hand",
        "By hand",
        "The backward pass, by hand",
        "Write the backward pass of array operations yourself, and have every line judged.",
        prose(
            "The forward pass is there, in NumPy. First fill in shapes and numbers, fresh ones as "
            "often as you like. Then write the lines that go back. Each array and each line is "
            "judged, and a slip is named."
        ),
        {
            **{slug: _task(it) for slug, it in ROWS.items()},
            **{slug: _task(it) for slug, it in EXERCISES.items()},
        },
        partial(_reply, site.settings.limits),
        _begin,
    )
    add_tasks(site, tasks)


def _begin(slug: str, text: str) -> str:
    return ROWS[slug].text(seed_of(text) + 1) if slug in ROWS else EXERCISES[slug].program()


def _task(exercise: ByHandExercise | RowsExercise) -> CourseTask:
    is_rows = isinstance(exercise, RowsExercise)
    how = FILL_IN if is_rows else WRITE
    return CourseTask(
        exercise.slug,
        exercise.title,
        line(exercise.story),
        prose(f"{exercise.story}\n\n{how}"),
        "The forward pass, and yours",
        (CHECK, HINT, SHOW, ANEW if is_rows else OPEN),
    )


def _reply(limits: Limits, slug: str, sent: FormSent) -> TaskReply:
    return _of_rows(limits, slug, sent) if slug in ROWS else _of_lines(limits, slug, sent)


def _of_rows(limits: Limits, slug: str, sent: FormSent) -> TaskReply:
    exercise = ROWS[slug]
    verdicts = judged_rows(exercise, sent.text, limits)
    open_ = [k for k, it in enumerate(verdicts) if not it.is_right]
    if not open_:
        return TaskReply("right", "All is right.", prose(exercise.said), verdicts=verdicts)
    asked = exercise.asked[open_[0]]
    hints = [(asked.title, prose(asked.hint))] if sent.act == HINT.value else []
    if sent.act == SHOW.value:
        node = exercise.answers(seed_of(sent.text), limits)[1][open_[0]]
        hints = [(asked.title, prose(f"```\n{shown(node, asked.kind)}\n```"))]
    lead = f"{len(verdicts) - len(open_)} of {len(verdicts)} are right."
    return TaskReply("not-yet", lead, hints=hints, verdicts=verdicts)


def _of_lines(limits: Limits, slug: str, sent: FormSent) -> TaskReply:
    exercise = EXERCISES[slug]
    found = judged(exercise, sent.text, limits)
    verdicts = [] if isinstance(found, str) else found
    right = {it.name for it in verdicts if it.is_right}
    if verdicts and len(right) == len(verdicts):
        return TaskReply("right", "Every line is right.", prose(exercise.said), verdicts=verdicts)
    asked = next(it for it in exercise.lines if it.name not in right)
    hints = [(asked.name, prose(asked.hint))] if sent.act == HINT.value else []
    if sent.act == SHOW.value:
        hints = [(asked.name, prose(f"`{asked.name} = {asked.right}`"))]
    if isinstance(found, str):
        return TaskReply("not-yet", "Not yet.", escape(found), hints)
    lead = f"{len(right)} of {len(verdicts)} lines are right."
    return TaskReply("not-yet", lead, hints=hints, verdicts=verdicts)
