"""Backward passes on whole arrays as tasks: lines to write, each judged."""

from __future__ import annotations

from functools import partial

from markupsafe import escape

from app.learn.by_hand.exercises import EXERCISES, ByHandExercise
from app.learn.by_hand.judge import judged
from app.learn.tasks import (
    CHECK,
    DEBUGGER,
    CourseTask,
    FormSent,
    TaskAct,
    TaskReply,
    TaskSet,
    add_tasks,
    prose,
)
from app.site import Site
from engine.program import Limits

HINT, SHOW = TaskAct("hint", "Hint for the next line"), TaskAct("show", "Show the next line")
OPEN = TaskAct(
    DEBUGGER, "Open in Explore", "Opens your text in Explore, which draws every array", True
)


def add_by_hand(site: Site) -> None:
    """Register /learn/by-hand, its exercises, and their judgement."""
    tasks = TaskSet(
        "/learn/by-hand",
        "By hand",
        "The backward pass, by hand",
        "Write the backward pass of array operations yourself, and have every line judged.",
        prose(
            "The forward pass is there, in NumPy. Write the lines that go back: each is judged, "
            "and a slip is named."
        ),
        {slug: _task(exercise) for slug, exercise in EXERCISES.items()},
        partial(_reply, site.settings.limits),
        lambda slug, _: EXERCISES[slug].program(),
    )
    add_tasks(site, tasks)


def _task(exercise: ByHandExercise) -> CourseTask:
    how = (
        "Write each line in place of `None`, from the top. Every line is compared with the true "
        "gradient, number by number."
    )
    return CourseTask(
        exercise.slug,
        exercise.title,
        escape(exercise.story),
        prose(f"{exercise.story}\n\n{how}"),
        "The forward pass, and yours",
        (CHECK, HINT, SHOW, OPEN),
    )


def _reply(limits: Limits, slug: str, sent: FormSent) -> TaskReply:
    exercise = EXERCISES[slug]
    found = judged(exercise, sent.text, limits)
    verdicts = [] if isinstance(found, str) else found
    right = {it.name for it in verdicts if it.is_right}
    if verdicts and len(right) == len(verdicts):
        return TaskReply("right", "Every line is right.", prose(exercise.said), verdicts=verdicts)
    line = next(it for it in exercise.lines if it.name not in right)
    hints = [(line.name, prose(line.hint))] if sent.act == HINT.value else []
    if sent.act == SHOW.value:
        hints = [(line.name, prose(f"`{line.name} = {line.right}`"))]
    if isinstance(found, str):
        return TaskReply("not-yet", "Not yet.", escape(found), hints)
    lead = f"{len(right)} of {len(verdicts)} lines are right."
    return TaskReply("not-yet", lead, hints=hints, verdicts=verdicts)
