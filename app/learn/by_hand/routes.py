"""The routes of backward passes to write by hand."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException

from app.explore.words import table
from app.learn.by_hand.exercises import EXERCISES, AskedLine, ByHandExercise
from app.learn.by_hand.judge import LineVerdict, judged
from app.program_address import View
from app.serving.bodies import form_pairs
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE
from app.serving.programs import ProgramThreads
from app.site import Site
from engine.program import Limits

PATH = "/learn/by-hand"
MOST_LETTERS = 20_000
MOST_FIELDS = 10
TOO_LONG = f"The program is longer than {MOST_LETTERS:,} letters; shorten it."


class ByHandReply(NamedTuple):
    """The verdict on each line, or why there is none; and the line that a hint or answer is of."""

    verdicts: list[LineVerdict]
    problem: str = ""
    line: AskedLine | None = None
    shows: bool = False

    @property
    def is_right(self) -> bool:
        """Whether all lines are."""
        return bool(self.verdicts) and all(it.is_right for it in self.verdicts)


def add_by_hand(site: Site) -> None:
    """Register /learn/by-hand, its exercises, and their judgement."""
    threads = ProgramThreads(site.pools, site.settings)

    def page(request: Request, slug: str, text: str, reply: ByHandReply | None) -> Response:
        context: dict[str, object] = {"page": "learn", "exercises": list(EXERCISES.values())}
        context |= {"chosen": EXERCISES.get(slug), "text": text, "reply": reply}
        context["words"] = table().address
        body, headers = packed(request, site.renderer.page("by_hand.html", context).encode())
        return HTMLResponse(body, 200, {**headers, **(NO_STORE if reply else NO_CACHE)})

    async def overview(request: Request) -> Response:
        return page(request, "", "", None)

    async def exercise(request: Request) -> Response:
        slug = _slug(request)
        return page(request, slug, EXERCISES[slug].program(), None)

    async def check(request: Request) -> Response:
        slug, form = _slug(request), dict(await form_pairs(request, MOST_FIELDS))
        text, act = form.get("program", "").replace("\r\n", "\n"), form.get("act", "check")
        if act == "debugger":
            return RedirectResponse(f"/?{View(text).query()}", 303, NO_STORE)
        make = partial(_reply, EXERCISES[slug], act, text, site.settings.limits)
        reply = await threads.run(lambda _: make(), request)
        if request.headers.get("hx-request") != "true":
            return page(request, slug, text, reply)
        context = {"reply": reply, "chosen": EXERCISES[slug]}
        return HTMLResponse(site.renderer.fragment("by_hand.html", "reply", context), 200, NO_STORE)

    for path, endpoint, method in (
        (PATH, overview, "GET"),
        (f"{PATH}/{{exercise}}", exercise, "GET"),
        (f"{PATH}/{{exercise}}", check, "POST"),
    ):
        site.app.add_route(path, endpoint, methods=[method], include_in_schema=False)


def _slug(request: Request) -> str:
    slug = str(request.path_params["exercise"])
    if slug not in EXERCISES:
        raise HTTPException(404, f"There is no such exercise. {PATH} has them all.")
    return slug


def _reply(exercise: ByHandExercise, act: str, text: str, limits: Limits) -> ByHandReply:
    if len(text) > MOST_LETTERS:
        return ByHandReply([], TOO_LONG)
    found = judged(exercise, text, limits)
    if act not in ("hint", "show"):
        return ByHandReply([], found) if isinstance(found, str) else ByHandReply(found)
    verdicts = [] if isinstance(found, str) else found
    right = {it.name for it in verdicts if it.is_right}
    line = next((it for it in exercise.lines if it.name not in right), None)
    return ByHandReply(verdicts, found if isinstance(found, str) else "", line, act == "show")
