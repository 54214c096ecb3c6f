"""The reader's engine as tasks, the last of which trains a network; and the pictures by it."""

from __future__ import annotations

import json
from functools import partial
from typing import NamedTuple

from fastapi import Request, Response
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException

from app.learn import course
from app.learn.building import moons
from app.learn.building.assembly import AssembledEngine, assembled, left_to_us, started
from app.learn.building.judge import judged
from app.learn.building.own_states import own_steps, whose
from app.learn.building.stage import ORDER, STAGES, BuildingStage
from app.learn.states import States
from app.learn.tasks import (
    CHECK,
    DOWNLOAD,
    HINT,
    MOST_FIELDS,
    MOST_LETTERS,
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
from app.program_address import View
from app.serving.bodies import form_pairs
from app.serving.headers import NO_STORE
from app.serving.programs import ProgramThreads
from app.site import Site
from engine.program import ProgramError

PATH = "/learn/engine"
MOONS = "moons"
LABEL = "engine.py, your engine so far"
TITLES = {slug: stage.title for slug, stage in STAGES.items()}
SKIP = TaskAct(
    "skip",
    "Leave it to you",
    "Puts Seegrad’s piece into your engine, with a comment that says so",
    in_place=False,
)
FILE = TaskAct(DOWNLOAD, "Download", "Your engine as a file, engine.py", in_place=False)
ENOUGH = 0.9
"""The points that a trained network has to have right."""


class MoonsView(NamedTuple):
    """The last task as it went, with whose pieces were at work; variables of moons.html."""

    run: moons.MoonsRun
    engine: AssembledEngine
    rows: list[moons.SideBySide]
    points: object
    size: tuple[int, int]


def add_building(site: Site) -> None:
    """Register the pages of the engine, its check, and the pictures of lessons drawn by it."""
    threads = ProgramThreads(site.pools, site.settings)
    states = States(site.settings)
    tasks = TaskSet(
        PATH,
        "Your engine",
        "Your engine",
        "Build an engine of automatic differentiation piece by piece, each checked on programs "
        "that you have not seen, until it trains a network.",
        prose(
            "Along the course you write an engine of your own: a hundred lines or so, in "
            f"{len(STAGES)} pieces. Each piece is checked on programs that you have not seen. The "
            "pictures of later lessons are then drawn by *your* engine. At the end it trains a "
            "network.\n\nIt is kept in this browser, and you can take it along as a file. Pieces "
            "that you leave out are ours, and a comment above them says so."
        ),
        {**{slug: _task(stage) for slug, stage in STAGES.items()}, MOONS: _last()},
        partial(_reply, states),
        lambda slug, text: text if slug == MOONS else started(STAGES[slug], text),
        template="moons.html",
        is_kept=True,
    )
    add_tasks(site, tasks)

    async def own(request: Request) -> Response:
        slug = str(request.path_params["slug"])
        if slug not in course.lessons():
            raise HTTPException(404, "There is no such lesson.")
        text = dict(await form_pairs(request, MOST_FIELDS)).get("program", "")[:MOST_LETTERS]
        found = await threads.run(lambda _: _own(states, slug, text), request)
        return Response(json.dumps(found), 200, NO_STORE, "application/json")

    site.app.add_route("/learn/{slug}/own", own, methods=["POST"], include_in_schema=False)


def _task(stage: BuildingStage) -> CourseTask:
    lesson = Markup('<a href="/learn/{}">{}</a>').format(
        stage.lesson, course.lessons()[stage.lesson].title
    )
    facts = Markup('<p class="facts">Piece {} of {}, for the lesson {}</p>')
    return CourseTask(
        stage.slug,
        stage.title,
        line(f"{stage.asks}. For “{course.lessons()[stage.lesson].title}”."),
        facts.format(stage.number, len(STAGES), lesson) + prose(stage.text),
        LABEL,
        (CHECK, HINT, SHOW, SKIP, FILE),
    )


def _last() -> CourseTask:
    return CourseTask(
        MOONS,
        "Train the two moons",
        Markup("The last task: your own lines train a network, and PyTorch’s stand beside them."),
        prose(
            "Forty points in two half circles, and your own engine. These lines train it:\n\n"
            f"```\n{moons.LINES}\n```\n\nPieces that you have left out are ours. Below, your lines "
            "stand beside those of PyTorch that do the same."
        ),
        LABEL,
        (TaskAct("check", "Train it"), FILE),
    )


def _reply(states: States, slug: str, sent: FormSent) -> TaskReply:
    if slug == MOONS:
        return _moons(sent.text)
    stage = STAGES[slug]
    hints = hints_of(stage.hints, sent)
    if sent.act == SKIP.value:
        says = prose(f"{stage.said} When you write it yourself, delete the comment above it.")
        lead, text = "Seegrad’s piece is in your engine now.", left_to_us(stage, sent.text)
        return TaskReply("shown", lead, says, then=_next(stage), text=text)
    if sent.act == SHOW.value:
        return TaskReply(
            "shown", says=prose(f"```\n{stage.right}\n```\n\n{stage.said}"), hints=hints
        )
    if sent.act == HINT.value:
        return TaskReply("hint", hints=hints)
    found = judged(stage, sent.text)
    if found.is_right:
        lead, said = f"Right on all {found.programs}.", prose(stage.said)
        return TaskReply("right", lead, said, hints, then=_next(stage), done=slug)
    right = f"Right on {found.right} of {found.programs} programs. "
    says = prose(right + " ".join(filter(None, (found.says, found.mistake))))
    picture = _picture(states, found.program)
    return TaskReply("not-yet", "Not yet.", says, hints, found.lines, picture)


def _next(stage: BuildingStage) -> str:
    return next(iter(ORDER[stage.number :]), MOONS)


def _picture(states: States, program: str) -> str:
    """The address of the picture of a program; "" for one that has none."""
    if not program:
        return ""
    try:
        has_graph = states.of_program(program).trace.output is not None
    except ProgramError:
        return ""
    return View(program, direction="LR").query() if has_graph else ""


def _moons(text: str) -> TaskReply:
    engine = assembled(text)
    run, rows = moons.trained(engine.text), moons.side_by_side(engine.text)
    view = MoonsView(run, engine, rows, moons.points(), (moons.ACROSS, moons.DOWN))
    if run.fault:
        return TaskReply("not-yet", "Not yet.", escape(run.fault), more=view)
    count = len(moons.points())
    says = (
        f"Your engine has trained {run.parameters} parameters in {len(run.losses)} steps: the loss "
        f"fell from {run.losses[0]:.2f} to {run.losses[-1]:.2f}."
    )
    if engine.ours:
        says += f" Seegrad’s pieces in it: {'; '.join(TITLES[slug] for slug in engine.ours)}."
    is_right = run.right >= ENOUGH * count
    lead = f"{run.right} of {count} points are right."
    outcome, done = ("right", MOONS) if is_right else ("not-yet", "")
    return TaskReply(outcome, lead, prose(says), done=done, more=view)


def _own(states: States, slug: str, text: str) -> dict[str, object]:
    """The pictures of a lesson by the reader's engine, as its script reads them."""
    found = list(own_steps(states, course.lessons()[slug], text)) if text.strip() else []
    yours, ours = whose(found)
    return {
        "steps": {
            str(it.step): {
                "address": it.shown.address,
                "code": it.shown.beside.code,
                "ids": dict(it.ids),
            }
            for it in found
        },
        "yours": [TITLES[slug] for slug in ORDER if slug in yours],
        "ours": [TITLES[slug] for slug in ORDER if slug in ours],
    }
