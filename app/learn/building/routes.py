"""The routes of the reader's engine: its pieces, their check, and the last task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.exceptions import HTTPException

from app.explore.words import table
from app.learn import course
from app.learn.building import moons
from app.learn.building.assembly import AssembledEngine, assembled, left_to_us, started
from app.learn.building.judge import EngineJudgement, judged
from app.learn.building.own_states import own_steps, whose
from app.learn.building.stage import ORDER, STAGES, BuildingStage
from app.learn.hints import HINTS, hints_shown
from app.learn.states import States
from app.learn.text import inline, rendered
from app.program_address import View
from app.serving.bodies import form_pairs
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE
from app.serving.programs import ProgramThreads
from app.site import Site
from engine.program import ProgramError

MOST_LETTERS = 20_000
"""Of an engine; ours has 5,000."""
MOST_FIELDS = 10
PATH = "/learn/engine"
MOONS = "moons"
TOO_LONG = f"The program is longer than {MOST_LETTERS:,} letters; shorten it."
NO_STAGE = f"The engine has no such piece. {PATH} has them all."
FILE = {**NO_STORE, "content-disposition": 'attachment; filename="engine.py"'}


class BuildReply(NamedTuple):
    """The reply to a check, a plea for a hint, or for the piece."""

    outcome: str
    judgement: EngineJudgement | None = None
    says: Markup = Markup()
    picture: str = ""
    hints: tuple[tuple[str, Markup], ...] = ()
    next: str = ""


class MoonsReply(NamedTuple):
    """The last task as it went, with whose pieces were at work."""

    run: moons.MoonsRun
    engine: AssembledEngine
    rows: list[moons.SideBySide]


def add_building(site: Site) -> None:
    """Register the pages of the engine, its check, and the pictures of lessons drawn by it."""
    threads = ProgramThreads(site.pools, site.settings)
    states = States(site.settings)

    def page(request: Request, context: Mapping[str, object], *, is_reply: bool) -> Response:
        text = site.renderer.page("own_engine.html", {**_shared(context["stage"]), **context})
        body, headers = packed(request, text.encode())
        return HTMLResponse(body, 200, {**headers, **(NO_STORE if is_reply else NO_CACHE)})

    async def overview(request: Request) -> Response:
        return page(request, {"stage": None, "text": ""}, is_reply=False)

    async def stage(request: Request) -> Response:
        slug = str(request.path_params["stage"])
        if slug == MOONS:
            return page(request, _moons_page("", None), is_reply=False)
        chosen = _stage(slug)
        text = await threads.run(lambda _: started(chosen, ""), request)
        return page(request, {"stage": chosen, "text": text, "reply": None}, is_reply=False)

    async def act(request: Request) -> Response:
        slug = str(request.path_params["stage"])
        pairs = dict(await form_pairs(request, MOST_FIELDS))
        text = pairs.get("program", "")
        if pairs.get("act") == "download":
            return Response(text, 200, FILE, "text/x-python; charset=utf-8")
        is_fragment = request.headers.get("hx-request") == "true"
        if slug == MOONS:
            made = await threads.run(lambda _: _moons(text), request)
            context = _moons_page(text, made)
        else:
            work = partial(_acted, states, _stage(slug), pairs, text)
            context = await threads.run(lambda _: work(), request)
        if is_fragment and pairs.get("act") == "start":
            return Response(str(context["text"]), 200, NO_STORE, "text/plain; charset=utf-8")
        if is_fragment:
            name = "moons" if slug == MOONS else "reply"
            part = site.renderer.fragment("own_engine.html", name, context)
            return HTMLResponse(part, 200, NO_STORE)
        return page(request, context, is_reply=True)

    async def own(request: Request) -> Response:
        slug = str(request.path_params["slug"])
        if slug not in course.lessons():
            raise HTTPException(404, "There is no such lesson.")
        text = dict(await form_pairs(request, MOST_FIELDS)).get("program", "")[:MOST_LETTERS]
        found = await threads.run(lambda _: _own(states, slug, text), request)
        return Response(json.dumps(found), 200, NO_STORE, "application/json")

    for path, endpoint, method in (
        (PATH, overview, "GET"),
        (f"{PATH}/{{stage}}", stage, "GET"),
        (f"{PATH}/{{stage}}", act, "POST"),
        ("/learn/{slug}/own", own, "POST"),
    ):
        site.app.add_route(path, endpoint, methods=[method], include_in_schema=False)


def _stage(slug: str) -> BuildingStage:
    if slug not in STAGES:
        raise HTTPException(404, NO_STAGE)
    return STAGES[slug]


def _shared(stage: object) -> dict[str, object]:
    """What every page of the engine shows."""
    piece = stage if isinstance(stage, BuildingStage) else None
    return {
        "page": "learn",
        "stages": list(STAGES.values()),
        "lessons": course.lessons(),
        "words": table().address,
        "asks": {slug: inline(it.asks, Markup, {}) for slug, it in STAGES.items()},
        "is_piece": piece is not None,
        "is_moons": stage == MOONS,
        "task": _prose(piece.text) if piece else "",
        "here": f"{PATH}/{piece.slug if piece else stage}",
    }


def _acted(
    states: States, stage: BuildingStage, pairs: Mapping[str, str], text: str
) -> dict[str, object]:
    """What a form of a stage's page asks for, as its template has it."""
    act = pairs.get("act", "check")
    if len(text) > MOST_LETTERS:
        reply = BuildReply("not-yet", says=_prose(TOO_LONG))
        return {"stage": stage, "text": text, "reply": reply}
    if act == "start":
        return {"stage": stage, "text": started(stage, text), "reply": None}
    if act == "skip":
        skipped = BuildReply("skipped", says=_prose(stage.said), next=_next(stage))
        return {"stage": stage, "text": left_to_us(stage, text), "reply": skipped}
    shown = hints_shown(pairs.get("hints", "")) + (act == "hint")
    hints = tuple(zip(HINTS, map(_prose, stage.hints[:shown]), strict=False))
    reply = BuildReply("hint", hints=hints)
    if act == "show":
        piece = f"```\n{stage.right}\n```\n\n{stage.said}"
        reply = BuildReply("shown", says=_prose(piece), hints=hints)
    elif act != "hint":
        reply = _checked(states, stage, text, hints)
    return {"stage": stage, "text": text, "reply": reply}


def _checked(
    states: States, stage: BuildingStage, text: str, hints: tuple[tuple[str, Markup], ...]
) -> BuildReply:
    found = judged(stage, text)
    if found.is_right:
        return BuildReply("right", found, _prose(stage.said), hints=hints, next=_next(stage))
    says = _prose(" ".join(filter(None, (found.says, found.mistake))))
    return BuildReply("not-yet", found, says, _picture(states, found.program), hints)


def _next(stage: BuildingStage) -> str:
    following = ORDER[stage.number : stage.number + 1]
    return f"{PATH}/{following[0] if following else MOONS}"


def _picture(states: States, program: str) -> str:
    """The address of the picture of a program; "" for one that has none."""
    if not program:
        return ""
    try:
        has_graph = states.of_program(program).trace.output is not None
    except ProgramError:
        return ""
    return View(program, direction="LR").query() if has_graph else ""


def _moons(text: str) -> MoonsReply:
    engine = assembled(text[:MOST_LETTERS])
    return MoonsReply(moons.trained(engine.text), engine, moons.side_by_side(engine.text))


def _moons_page(text: str, made: MoonsReply | None) -> dict[str, object]:
    titles = {slug: stage.title for slug, stage in STAGES.items()}
    return {
        "stage": MOONS,
        "text": text,
        "made": made,
        "points": moons.points(),
        "titles": titles,
        "size": (moons.ACROSS, moons.DOWN),
        "lines": moons.LINES,
    }


def _own(states: States, slug: str, text: str) -> dict[str, object]:
    """The pictures of a lesson by the reader's engine, as its script reads them."""
    found = list(own_steps(states, course.lessons()[slug], text)) if text.strip() else []
    yours, ours = whose(found)
    named = {slug: stage.title for slug, stage in STAGES.items()}
    return {
        "steps": {
            str(it.step): {
                "address": it.shown.address,
                "code": it.shown.beside.code,
                "ids": dict(it.ids),
            }
            for it in found
        },
        "yours": [named[slug] for slug in ORDER if slug in yours],
        "ours": [named[slug] for slug in ORDER if slug in ours],
    }


def _prose(text: str) -> Markup:
    return rendered(text, Markup, {})
