"""The routes of the course."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException

from app.learn import course
from app.learn.building.routes import add_building
from app.learn.by_hand.routes import add_by_hand
from app.learn.fixing.routes import add_fixing
from app.learn.hints import hints_shown
from app.learn.page import Course, FormAnswers, LessonReplyView
from app.learn.timing import optional_minutes
from app.serving.bodies import form_pairs
from app.serving.compression import packed
from app.serving.headers import LESSON_POLICY, NO_CACHE, NO_STORE
from app.serving.programs import ProgramThreads
from app.site import Site

MOST_FIELDS = 60
ACTS = ("check", "hint", "show")
HEADERS = {**NO_CACHE, "content-security-policy": LESSON_POLICY}
NO_CHALLENGE = "The lesson has no such challenge; load the page again."
EMBEDDED = {
    **NO_CACHE,
    "content-security-policy": LESSON_POLICY.replace("frame-ancestors 'self'", "frame-ancestors *"),
    "cross-origin-resource-policy": "cross-origin",
}
"""Of a lesson on another site: it has no account, and an answer is kept nowhere."""
NO_LESSON = "There is no such lesson. The course has them all: /learn."


class LessonPreview(NamedTuple):
    """The step of a lesson that the map shows, live."""

    slug: str
    step: int


SAMPLE = LessonPreview("accumulate", 3)


def add_learn(site: Site) -> None:
    """Register /learn, the lessons below it, and the answers to their questions."""
    app, made = site.app, Course(site.settings)
    threads = ProgramThreads(site.pools, site.settings)
    add_fixing(site)
    add_building(site)
    add_by_hand(site)

    async def answered(
        request: Request, make: Callable[[], str], given: Mapping[str, str] = HEADERS
    ) -> Response:
        text = await threads.run(lambda _: make(), request)
        body, headers = packed(request, text.encode())
        return HTMLResponse(body, 200, {**given, **headers})

    async def overview(request: Request) -> Response:
        return await answered(request, lambda: _map(site, made))

    async def lesson(request: Request) -> Response:
        if now := course.FORMER.get(str(request.path_params["slug"])):
            return RedirectResponse(f"/learn/{now}", 308, NO_STORE)
        slug = _slug(request)
        step = _whole(request.query_params.get("step", "1")) or 1
        return await answered(request, lambda: _lesson(site, made, slug, step, None))

    async def embedded(request: Request) -> Response:
        slug = _slug(request)
        return await answered(request, lambda: _lesson(site, made, slug, 1, None, True), EMBEDDED)

    async def answer(request: Request) -> Response:
        slug, pairs = _slug(request), await form_pairs(request, MOST_FIELDS)
        is_fragment = request.headers.get("hx-request") == "true"
        text = await threads.run(lambda _: _answer(site, made, slug, pairs, is_fragment), request)
        return HTMLResponse(text, 200, {**HEADERS, **NO_STORE})

    async def reached(request: Request) -> Response:
        slug, query = _slug(request), request.query_params
        step, index = (_whole(query.get(name, "")) for name in ("step", "challenge"))
        if index is None:
            raise HTTPException(422, NO_CHALLENGE)
        at = query.get("at", "")

        def check(_: Request) -> str:
            try:
                return made.reached(slug, step or 0, index, at)
            except IndexError:
                raise HTTPException(422, NO_CHALLENGE) from None

        return HTMLResponse(await threads.run(check, request), 200, {**HEADERS, **NO_STORE})

    async def former(request: Request) -> Response:
        rest, query = request.path_params.get("rest", ""), request.url.query
        path = f"/learn/{quote(rest)}" if rest else "/learn"
        return RedirectResponse(f"{path}?{query}" if query else path, 308, NO_STORE)

    for path, endpoint, method in (
        ("/learn", overview, "GET"),
        ("/learn/{slug}", lesson, "GET"),
        ("/embed/learn/{slug}", embedded, "GET"),
        ("/learn/{slug}/answer", answer, "POST"),
        ("/learn/{slug}/reached", reached, "GET"),
        ("/lessons", former, "GET"),
        ("/lessons/{rest}", former, "GET"),
    ):
        app.add_route(path, endpoint, methods=[method], include_in_schema=False)


def _slug(request: Request) -> str:
    slug = str(request.path_params["slug"])
    if slug not in course.lessons():
        raise HTTPException(404, NO_LESSON)
    return slug


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def _map(site: Site, made: Course) -> str:
    parts = list(course.parts())
    minutes = sum(lesson.minutes for lesson in course.lessons().values())
    more = sum(optional_minutes(lesson.steps) for lesson in course.lessons().values())
    numbers = {slug: number for number, slug in enumerate(course.lessons(), 1)}
    context = {"page": "learn", "parts": parts, "minutes": minutes, "numbers": numbers}
    context["hours_in_all"] = round((minutes + more) / 60)
    context |= {"sample": made.lesson(SAMPLE.slug), "step": SAMPLE.step}
    return site.renderer.page("learn.html", context)


def _lesson(
    site: Site,
    made: Course,
    slug: str,
    step: int,
    reply: LessonReplyView | None,
    is_embedded: bool = False,
) -> str:
    view = made.lesson(slug)
    at = 0 if is_embedded else min(max(step, 1), len(view.steps))
    context = {"page": "learn", "view": view, "at": at, "reply": reply}
    context["is_embedded"] = is_embedded
    return site.renderer.page("lesson.html", context)


def _answer(
    site: Site, made: Course, slug: str, pairs: list[tuple[str, str]], is_fragment: bool
) -> str:
    found = dict(pairs)
    step, index = _whole(found.get("step", "")), _whole(found.get("question", ""))
    act = found.get("act", "check")
    if step is None or index is None or act not in ACTS:
        raise HTTPException(422, "The form of the question is incomplete; load the page again.")
    answers = [text for name, text in pairs if name == "answer"]
    given = FormAnswers(answers, hints_shown(found.get("hints", "")))
    try:
        reply = made.reply(slug, step, index, act, given)
    except IndexError:
        raise HTTPException(422, "The lesson has no such question; load the page again.") from None
    if is_fragment:
        return site.renderer.fragment("lesson.html", "reply", {"reply": reply})
    return _lesson(site, made, slug, step, reply)
