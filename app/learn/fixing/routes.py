"""The exercises of the debugger as tasks: a class with one mistake each."""

from __future__ import annotations

from markupsafe import Markup

from app.learn.fixing.exercises import EXERCISES, FixExercise
from app.learn.fixing.judge import HIDDEN, judged
from app.learn.tasks import (
    CHECK,
    DEBUGGER,
    HINT,
    SHOW,
    CourseTask,
    FormSent,
    TaskAct,
    TaskReply,
    TaskSet,
    add_tasks,
    hints_of,
    line,
    prose,
)
from app.site import Site

ASK = TaskAct(
    DEBUGGER,
    "Ask the debugger",
    "Opens your text in Explore, whose debugger names the mistake",
    True,
)


def add_fixing(site: Site) -> None:
    """Register /learn/fix, the exercises below it, and the check of a fixed class."""
    tasks = TaskSet(
        "/learn/fix",
        "Fix the class",
        "Fix the class",
        "Classes with one mistake each: find it, fix it, and have the gradients checked on "
        "programs that you have not seen.",
        prose(
            "A class `Value` of some eighty lines computes gradients. In each exercise it has one "
            "mistake, and nothing says where. Find it and fix it. The check runs your class on "
            f"{len(HIDDEN)} programs that you have not seen."
        ),
        {slug: _task(exercise) for slug, exercise in EXERCISES.items()},
        _reply,
        lambda slug, _: EXERCISES[slug].program,
    )
    add_tasks(site, tasks)


def _task(exercise: FixExercise) -> CourseTask:
    intro = prose(
        f"{exercise.story} One mistake is in the class. Find it and fix it.\n\nThe check runs your "
        f"class on {len(HIDDEN)} programs that you have not seen. It passes when every gradient is "
        "right."
    )
    return CourseTask(
        exercise.slug,
        exercise.title,
        line(exercise.story),
        intro,
        "The class, and a program that shows the mistake",
        (CHECK, HINT, SHOW, ASK),
    )


def _reply(slug: str, sent: FormSent) -> TaskReply:
    exercise = EXERCISES[slug]
    hints = hints_of(exercise.hints, sent)
    if sent.act == HINT.value:
        return TaskReply("hint", hints=hints)
    if sent.act == SHOW.value:
        return TaskReply("shown", says=_solution(exercise), hints=hints)
    found = judged(sent.text)
    if found.is_right:
        lead = f"Right on all {len(HIDDEN)}."
        return TaskReply("right", lead, prose(exercise.said), hints)
    says = prose(f"{found.right} of {len(HIDDEN)} hidden programs are right. {found.fault}")
    return TaskReply("not-yet", "Not yet.", says, hints)


def _solution(exercise: FixExercise) -> Markup:
    change = f"Write\n\n```\n{exercise.right}\n```\n\n"
    if exercise.wrong:
        change += f"in place of\n\n```\n{exercise.wrong}\n```\n\n"
    return prose(change + exercise.said)
