"""The routes of the exercises of the debugger."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup
from starlette.exceptions import HTTPException

from app.explore.words import table
from app.learn.fixing.exercises import EXERCISES, FixExercise
from app.learn.fixing.judge import HIDDEN, judged
from app.learn.hints import HINTS, hints_shown
from app.learn.text import rendered
from app.program_address import View
from app.serving.bodies import form_pairs
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE
from app.serving.programs import ProgramThreads
from app.site import Site

MOST_LETTERS = 20_000
"""Of a fixed class; the right one has 2,000."""
MOST_FIELDS = 10
TOO_LONG = f"The class is longer than {MOST_LETTERS:,} letters; shorten it."


class FixReply(NamedTuple):
    """The reply to a check, a plea for a hint, or for the solution."""

    outcome: str
    says: Markup = Markup()
    hints: list[tuple[str, Markup]] = []  # noqa: RUF012  never changed
    solution: str = ""


def add_fixing(site: Site) -> None:
    """Register /learn/fix, the exercises below it, and the check of a fixed class."""
    threads = ProgramThreads(site.pools, site.settings)

    def page(request: Request, slug: str | None, text: str, reply: FixReply | None) -> Response:
        order = list(EXERCISES.values())
        chosen = EXERCISES[slug] if slug else None
        context: dict[str, object] = {"page": "learn", "exercises": order, "chosen": chosen}
        context |= {"text": text, "reply": reply, "count": len(HIDDEN)}
        context["words"] = table().address
        body, headers = packed(request, site.renderer.page("fix.html", context).encode())
        headers |= NO_CACHE if reply is None else NO_STORE
        return HTMLResponse(body, 200, headers)

    async def overview(request: Request) -> Response:
        return page(request, None, "", None)

    async def exercise(request: Request) -> Response:
        slug = _slug(request)
        return page(request, slug, EXERCISES[slug].program, None)

    async def check(request: Request) -> Response:
        slug, pairs = _slug(request), dict(await form_pairs(request, MOST_FIELDS))
        text = pairs.get("program", "").replace("\r\n", "\n")
        if pairs.get("act") == "debugger":
            return RedirectResponse(f"/?{View(text).query()}", 303, NO_STORE)
        shown = hints_shown(pairs.get("hints", ""))
        make = partial(_reply, EXERCISES[slug], pairs.get("act", "check"), text, shown)
        reply = await threads.run(lambda _: make(), request)
        if request.headers.get("hx-request") == "true":
            part = site.renderer.fragment(
                "fix.html", "reply", {"reply": reply, "count": len(HIDDEN)}
            )
            return HTMLResponse(part, 200, NO_STORE)
        return page(request, slug, text, reply)

    for path, endpoint, method in (
        ("/learn/fix", overview, "GET"),
        ("/learn/fix/{exercise}", exercise, "GET"),
        ("/learn/fix/{exercise}", check, "POST"),
    ):
        site.app.add_route(path, endpoint, methods=[method], include_in_schema=False)


def _slug(request: Request) -> str:
    slug = str(request.path_params["exercise"])
    if slug not in EXERCISES:
        raise HTTPException(404, "There is no such exercise. /learn/fix has them all.")
    return slug


def _reply(exercise: FixExercise, act: str, text: str, shown: int) -> FixReply:
    hints = exercise.hints[: shown + (act == "hint")]
    said = list(zip(HINTS, map(_prose, hints), strict=False))
    if act == "hint":
        return FixReply("hint", hints=said)
    if act == "show":
        change = f"Write\n\n```\n{exercise.right}\n```\n\n"
        if exercise.wrong:
            change += f"in place of\n\n```\n{exercise.wrong}\n```\n\n"
        return FixReply("shown", _prose(change + exercise.said), said)
    if len(text) > MOST_LETTERS:
        return FixReply("not-yet", _prose(TOO_LONG), said)
    found = judged(text)
    if found.is_right:
        return FixReply("right", _prose(exercise.said), said)
    return FixReply(
        "not-yet",
        _prose(f"{found.right} of {len(HIDDEN)} hidden programs are right. {found.fault}"),
        said,
    )


def _prose(text: str) -> Markup:
    return rendered(text, Markup, {})
