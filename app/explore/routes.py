"""The routes of Explore."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.exceptions import HTTPException

from app import packed_text, program_address
from app.explore.explorer import Explorer, HtmlAnswer
from app.explore.export_routes import PATHS, add_exports
from app.explore.exports import EXPORTS
from app.explore.handout_routes import add_handouts
from app.explore.layout_queue import LayoutQueue
from app.explore.lenses import LENSES, UNROLLED
from app.explore.words import add_words
from app.picture import layout
from app.picture.grains import GRAINS
from app.program_address import asks_exercise
from app.serving.bodies import form_pairs
from app.serving.brief import NotBrief, done_here
from app.serving.compression import packed
from app.serving.headers import NO_CACHE, NO_STORE, PICTURE_POLICY
from app.serving.programs import ProgramThreads
from app.site import Site
from engine.program import ProgramError

MAX_FIELDS = 4_000  # per form: the program and a number for each leaf


PICTURE_HEADERS = {
    **NO_CACHE,
    "content-security-policy": PICTURE_POLICY,
    "cross-origin-resource-policy": "cross-origin",
}


SECTIONS = {f"/lens/{lens.name}": lens for lens in (*LENSES.values(), UNROLLED)}
FRAGMENTS = {"/graph", "/numbers", "/transcript", "/value", "/picture"}
KEEP_CODE = "/keep-code"
POSTED = {*FRAGMENTS, "/api/trace", *SECTIONS, *PATHS}


def add_explore(site: Site) -> None:
    """Add Explore's routes; each takes a view from the query, or from a form for long programs."""
    app, settings = site.app, site.settings
    site.renderer.environment.globals |= {
        "exports": tuple(EXPORTS.values()),
        "grains": tuple(GRAINS.values()),
        "lenses": tuple(LENSES.values()),
    }
    explorer = Explorer(settings, site.renderer)
    waiting, seconds = settings.whole("waiting"), settings.number("wait_seconds")
    threads = ProgramThreads(site.pools, settings)
    large = LayoutQueue(threads, waiting, seconds)
    addresses: dict[str, Callable[[program_address.View], HtmlAnswer]] = {
        "/": explorer.page,
        "/explore": explorer.page,
        "/graph": explorer.fragment,
        "/numbers": explorer.numbers,
        "/transcript": explorer.words,
        "/value": explorer.card,
        "/picture": explorer.redrawn,
    }
    for path, lens in SECTIONS.items():
        addresses[path] = partial(explorer.section, lens=lens)
    here = {"/numbers": explorer.is_brief}
    for path, make in addresses.items():
        methods = ["GET"] if path in ("/", "/explore") else ["GET", "POST"]
        endpoint = _html(make, large, here.get(path))
        app.add_route(path, endpoint, methods=methods, include_in_schema=False)

    async def post(request: Request) -> Response:
        """The address of a form sent without scripts, whose own one could be too long."""
        return RedirectResponse(f"/?{(await _view(request)).query()}", 303, NO_STORE)

    app.add_route("/", post, methods=["POST"], include_in_schema=False)

    async def keep_code(request: Request) -> Response:
        """The address of the code in a text that is refused."""
        view = await threads.run(_kept_code, request, explorer, await _view(request))
        return RedirectResponse(f"/?{view.query()}", 303, NO_STORE)

    app.add_route(KEEP_CODE, keep_code, methods=["POST"], include_in_schema=False)

    async def picture(request: Request) -> Response:
        return await large.run(_picture, request, explorer, await _view(request))

    app.add_route("/graph.svg", picture, methods=["GET"], include_in_schema=False)
    add_exports(app, explorer, large, _view)
    add_handouts(app, explorer, large, _read)
    add_words(site)


def _html(
    make: Callable[[program_address.View], HtmlAnswer],
    large: LayoutQueue,
    is_brief: Callable[[program_address.View], bool] | None = None,
) -> Callable[[Request], Awaitable[Response]]:
    def answer(request: Request, view: program_address.View) -> Response:
        shown = make(view)
        body, headers = packed(request, shown.text.encode())
        headers |= NO_CACHE if shown.cacheable else NO_STORE
        return HTMLResponse(body, shown.status, headers)

    async def endpoint(request: Request) -> Response:
        if request.url.path in ("/", "/explore") and asks_exercise(
            request.query_params.multi_items()
        ):
            return RedirectResponse(f"/exercise?{request.url.query}", 303, NO_CACHE)
        view = await _view(request)
        if is_brief is not None and is_brief(view):
            with suppress(NotBrief):
                return done_here(answer, request, view)
        return await large.run(answer, request, view)

    return endpoint


async def _view(request: Request) -> program_address.View:
    if request.method == "POST":
        return _read(await form_pairs(request, MAX_FIELDS))
    return _read(request.query_params.multi_items())


def _read(pairs: list[tuple[str, str]]) -> program_address.View:
    """The view of the pairs of a query or a form, refused if one is given twice."""
    if name := program_address.twice(pairs):
        raise HTTPException(422, f"“{name[:64]}” is given twice in the address; give it once.")
    try:
        return program_address.read(pairs)
    except packed_text.Damaged as error:
        raise HTTPException(422, str(error)) from None


def _kept_code(
    request: Request, explorer: Explorer, view: program_address.View
) -> program_address.View:
    return explorer.kept_code(view)


def _picture(request: Request, explorer: Explorer, view: program_address.View) -> Response:
    try:
        text = explorer.picture(view)
    except ProgramError as error:
        place = f"{error.line}:{error.column}: "
        return PlainTextResponse(f"{place}{error.sentences}\n", 422)
    except layout.LayoutError:
        message = "The layout takes too long; add &grouped=1 to the address.\n"
        return PlainTextResponse(message, 422, NO_STORE)
    body, headers = packed(request, text.encode())
    return Response(body, 200, {**PICTURE_HEADERS, **headers}, media_type="image/svg+xml")
