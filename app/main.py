"""The web application. The map of the site:

GET  /                  Explore: a program's graph, at a frame
GET  /graph             the fragment of it that depends on the program
GET  /numbers           the fragment with other numbers: a leaf was dragged
GET  /transcript        the frames in words
                        (each of the three also as POST with a form, for long programs)
GET  /graph.svg         the picture alone
GET  /train             Train: a network that learns, at a step
GET  /train/setup       what stays the same over a run
GET  /train/state       its state at a step
GET  /train/stream      its states as they come
GET  /train/open        the graph of some samples at a step, in Explore
GET  /train/doctor      what is wrong with it
GET  /train/sweep       rates × seeds
GET  /train/kernel      the run as WebAssembly, for a browser
GET  /train/losses.csv  what every step saw
GET  /train/code        the run as a program
GET  /train/boundary.png  its answers over the input space
GET  /train/loss.svg    its losses
GET  /train/network.svg its weights
GET  /reference         every table, printed from the tables
GET  /docs              the JSON interface for people
GET  /api/trace         the trace as JSON (also as POST with JSON)
POST /api/train         a training run as JSON
GET  /healthz           whether the server lives
GET  /readyz            whether it should be sent requests
GET  /metrics           counts for Prometheus
GET  /static/{version}/ the assets
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from app.api import routes as api
from app.api.docs import add_docs
from app.explore import address
from app.explore.explorer import Explorer, Shown
from app.explore.large_layouts import Large
from app.picture import layout
from app.reference import reference_context
from app.serving import malloc
from app.serving.answer_cache import PREFIX, Pure, unversioned
from app.serving.bodies import Bodies, Refuse, refuse_charset
from app.serving.computing import packed
from app.serving.headers import ASGI, PICTURE_POLICY, Receive, Scope, SecurityHeaders, Send
from app.serving.log import Log
from app.serving.metrics import Metrics, count
from app.serving.rendering import Renderer
from app.serving.routes import add_operation
from app.serving.shutdown import KIND, Draining, end_with_parent
from app.serving.threads import BusyError, Rooms
from app.serving.version import version_key
from app.settings import Settings, from_environment
from app.train.routes import add_train
from engine.language.program import ProgramError

VERSION = "0.1.0"
COLLECT_AFTER = (50_000, 20, 100)  # a run makes many Values and no cycles: nothing to look for
COMPRESS_FROM = 16_384  # bytes; below, compressing costs more time than it saves
MAX_FIELDS = 4_000  # of a form: the program and one number for each leaf
FRESH = {"cache-control": "no-cache"}
UNSTORED = {"cache-control": "no-store"}
PICTURE_HEADERS = {
    **FRESH,
    "content-security-policy": PICTURE_POLICY,
    "cross-origin-resource-policy": "cross-origin",
}
MOMENTARY = {"/healthz", "/readyz", "/metrics", "/reference"}  # it shows every setting
MACHINES = ("/api/", "/train/", PREFIX)
"""Where errors are told as problem details."""
STREAMS = {"/train/stream"}
POSTED = {"/graph", "/numbers", "/transcript", "/api/trace"}
ERRORS = {
    410: "This address belongs to another version of Gradlens. Load the page anew.",
    404: "There is no page at this address.",
    405: "This address does not answer this kind of request.",
    500: "Something went wrong here. Nothing you typed is lost: it is in the address.",
    503: "More is asked for than can be computed just now.",
}


def create_app(settings: Settings | None = None) -> ASGI:
    """The application with its settings, ready for an ASGI server."""
    settings = settings or from_environment()
    version = version_key(settings)
    renderer = Renderer(version)
    app = FastAPI(
        title="Gradlens",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    metrics, rooms = Metrics(), Rooms.of(settings)
    large = Large(rooms.light, settings.whole("waiting"), settings.number("wait_seconds"))
    _add_explore(app, Explorer(settings, renderer), large)
    _add_pages(app, renderer, settings)
    add_train(app, settings, renderer, rooms)
    machines = api.routes(settings, rooms.light, rooms.training)
    app.include_router(machines)
    add_docs(app, renderer)
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESS_FROM, compresslevel=1)
    app.mount(f"/static/{renderer.version}", _Assets(directory=renderer.static))
    refuse = _add_errors(app, renderer)
    app.state.draining = Draining()
    add_operation(app, settings, metrics, rooms, version)
    routes = [it for it in (*app.routes, *machines.routes) if isinstance(it, Route)]
    app.state.methods = _methods(routes)
    pure = Pure(
        app,
        version,
        pure=_pure(routes),
        posted=POSTED,
        streams=STREAMS,
        size=settings.whole("answers_kept"),
        note=lambda what: count("gradlens_cache_total", result=what),
        gone=_gone(refuse),
    )
    bodies = Bodies(pure, settings.whole("max_body"), refuse)
    guarded = metrics.around(bodies, [route.path for route in routes])
    guarded = Log(guarded, bool(settings.whole("log_requests")))
    return SecurityHeaders(guarded, ((b"gradlens-version", version.encode()),))


def _pure(routes: Iterable[Route]) -> set[str]:
    """Addresses whose answers depend on the address alone."""
    asked = {path for path, methods in _methods(routes).items() if "GET" in methods}
    return asked - MOMENTARY - STREAMS


def _methods(routes: Iterable[Route]) -> dict[str, set[str]]:
    """The methods that each address answers."""
    found: dict[str, set[str]] = {}
    for route in routes:
        found.setdefault(route.path, set()).update(route.methods or ())
    return found


def _gone(refuse: Refuse) -> ASGI:
    """Answers to the addresses of another version."""

    async def gone(scope: Scope, receive: Receive, send: Send) -> None:
        await refuse(scope, 410, ERRORS[410], UNSTORED)(scope, receive, send)

    return gone


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    gc.set_threshold(*COLLECT_AFTER)
    malloc.settle()
    await run_in_threadpool(layout.warm_up)
    end_with_parent()
    with app.state.draining.on_signals():
        yield


class _Assets(StaticFiles):
    """Assets never change under their address."""

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def _add_explore(app: FastAPI, explorer: Explorer, large: Large) -> None:
    """Every address of Explore takes its view from the query, or from a form for long programs."""
    addresses: dict[str, Callable[[address.View], Shown]] = {
        "/": explorer.page,
        "/graph": explorer.fragment,
        "/numbers": explorer.numbers,
        "/transcript": explorer.words,
    }
    for path, make in addresses.items():
        methods = ["GET"] if path == "/" else ["GET", "POST"]
        app.add_route(path, _html(make, large), methods=methods, include_in_schema=False)

    async def picture(request: Request) -> Response:
        return await large.run(_picture, request, explorer, await _view(request))

    app.add_route("/graph.svg", picture, methods=["GET"], include_in_schema=False)


def _html(
    make: Callable[[address.View], Shown], large: Large
) -> Callable[[Request], Awaitable[Response]]:
    def answer(request: Request, view: address.View) -> Response:
        shown = make(view)
        body, headers = packed(request, shown.text.encode())
        headers |= FRESH if shown.lasting else UNSTORED
        return HTMLResponse(body, shown.status, headers)

    async def endpoint(request: Request) -> Response:
        return await large.run(answer, request, await _view(request))

    return endpoint


async def _view(request: Request) -> address.View:
    if request.method == "POST":
        refuse_charset(request.headers.get("content-type"))
        form = await request.form(max_files=0, max_fields=MAX_FIELDS)
        pairs = [(name, text) for name, text in form.multi_items() if isinstance(text, str)]
    else:
        pairs = request.query_params.multi_items()
    if name := address.twice(pairs):
        raise HTTPException(422, f"“{name[:64]}” is given twice in the address; give it once.")
    return address.read(pairs)


def _picture(request: Request, explorer: Explorer, view: address.View) -> Response:
    try:
        text = explorer.picture(view)
    except ProgramError as error:
        place = f"{error.line}:{error.column}: "
        return PlainTextResponse(f"{place}{error.message} {error.hint}".strip() + "\n", 422)
    except layout.LayoutError:
        message = "The layout takes too long; add &grouped=1 to the address.\n"
        return PlainTextResponse(message, 422, UNSTORED)
    body, headers = packed(request, text.encode())
    return Response(body, 200, {**PICTURE_HEADERS, **headers}, media_type="image/svg+xml")


def _add_pages(app: FastAPI, renderer: Renderer, settings: Settings) -> None:
    reference = lru_cache(1)(lambda: renderer.page("reference.html", reference_context(settings)))

    async def tables(request: Request) -> Response:
        return HTMLResponse(reference(), 200, FRESH)

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=UNSTORED)

    for path, endpoint in (("/reference", tables), ("/healthz", health)):
        app.add_route(path, endpoint, methods=["GET"], include_in_schema=False)


def _add_errors(app: FastAPI, renderer: Renderer) -> Refuse:
    """Errors as problem details for machines, as a page for people. How to make such an answer."""

    def answer(
        scope: Scope, status: int, message: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        title = HTTPStatus(status).phrase
        again = _again(scope) if status in (410, 503) else ""
        is_person = again and _asks_for_a_page(scope)
        if scope["path"].startswith(MACHINES) and not is_person:
            return api.problem(status, title, message, headers)
        context = {"page": "", "title": title, "message": message, "status": status, "again": again}
        return HTMLResponse(renderer.page("error.html", context), status, headers)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        message = ERRORS.get(error.status_code, str(error.detail))
        headers = {name.lower(): text for name, text in (error.headers or {}).items()}
        if error.status_code == 405:  # one address may have a route for each method
            allowed = request.app.state.methods.get(request.scope["path"], {"GET", "HEAD"})
            headers["allow"] = ", ".join(sorted(allowed))
        return answer(request.scope, error.status_code, message, headers)

    async def busy(request: Request, error: Exception) -> Response:
        assert isinstance(error, BusyError)
        count("gradlens_sheds_total", kind=error.kind)
        message = str(error) if error.kind == KIND else f"{ERRORS[503]} {error}"
        return answer(request.scope, 503, message, {**UNSTORED, "retry-after": "1"})

    async def failed(request: Request, error: Exception) -> Response:
        return answer(request.scope, 500, ERRORS[500], UNSTORED)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        found = error.errors()[0]
        where = ".".join(str(part) for part in found["loc"]).encode(errors="replace").decode()
        return api.problem(
            422, "The request is not as it should be.", f"{where}: {found['msg']}", field=where
        )

    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(BusyError, busy)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, failed)
    return answer


def _again(scope: Scope) -> str:
    """Where a person asks for the same once more, without a version; "" if it cannot be a link."""
    if scope["method"] not in ("GET", "HEAD"):
        return ""
    path = unversioned(scope["path"])
    path = quote("/" + path.lstrip("/"), errors="replace")  # "//x" would be another host
    query = quote(scope["query_string"], safe="!#$%&'()*+,/:;=?@[]~")
    return f"{path}?{query}" if query else path


def _asks_for_a_page(scope: Scope) -> bool:
    """Whether a browser shows the answer to a person; below /api they are all for machines."""
    accepted = b",".join(text for name, text in scope["headers"] if name == b"accept")
    return b"text/html" in accepted.lower() and not scope["path"].startswith("/api/")
