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
POST /api/trace         the trace as JSON
POST /api/train         a training run as JSON
GET  /healthz           whether the server lives
GET  /metrics           counts for Prometheus
GET  /static/{version}/ the assets
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from app import address, api, layout
from app.explore import Explorer
from app.headers import ASGI, PICTURE_POLICY, SecurityHeaders
from app.metrics import Metrics
from app.reference import reference_context
from app.rendering import Renderer
from app.settings import Settings, from_environment
from app.train import add_train
from engine.program import ProgramError

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
ERRORS = {
    404: "There is no page at this address.",
    405: "This address does not answer this kind of request.",
    500: "Something went wrong here. Nothing you typed is lost: it is in the address.",
    503: "Other pictures are being laid out. Try again in a moment.",
}


def create_app(settings: Settings | None = None) -> ASGI:
    """The application with its settings, ready for an ASGI server."""
    settings = settings or from_environment()
    renderer = Renderer()
    app = FastAPI(
        title="Gradlens",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        max_body_size=settings.whole("max_body"),
    )
    metrics = Metrics()
    _add_explore(app, Explorer(settings, renderer))
    _add_pages(app, renderer, settings, metrics)
    add_train(app, settings, renderer)
    _add_errors(app, renderer)
    app.include_router(api.routes(settings))
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESS_FROM, compresslevel=1)
    app.mount(f"/static/{renderer.version}", _Assets(directory=renderer.static))
    return SecurityHeaders(metrics.around(app))


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    gc.set_threshold(*COLLECT_AFTER)
    await run_in_threadpool(layout.warm_up)
    yield


class _Assets(StaticFiles):
    """Assets never change under their address."""

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def _add_explore(app: FastAPI, explorer: Explorer) -> None:
    """Every address of Explore takes its view from the query, or from a form for long programs."""
    addresses: dict[str, Callable[[address.View], tuple[str, int]]] = {
        "/": explorer.page,
        "/graph": explorer.fragment,
        "/numbers": explorer.numbers,
        "/transcript": explorer.words,
    }
    for path, make in addresses.items():
        methods = ["GET"] if path == "/" else ["GET", "POST"]
        app.add_route(path, _html(make), methods=methods, include_in_schema=False)

    async def picture(request: Request) -> Response:
        return await run_in_threadpool(_picture, explorer, await _view(request))

    app.add_route("/graph.svg", picture, methods=["GET"], include_in_schema=False)


def _html(
    make: Callable[[address.View], tuple[str, int]],
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        text, status = await run_in_threadpool(make, await _view(request))
        return HTMLResponse(text, status, FRESH)

    return endpoint


async def _view(request: Request) -> address.View:
    if request.method != "POST":
        return address.read(request.query_params.multi_items())
    form = await request.form(max_files=0, max_fields=MAX_FIELDS)
    return address.read((name, text) for name, text in form.multi_items() if isinstance(text, str))


def _picture(explorer: Explorer, view: address.View) -> Response:
    try:
        text = explorer.picture(view)
    except ProgramError as error:
        place = f"{error.line}:{error.column}: "
        return PlainTextResponse(f"{place}{error.message} {error.hint}".strip() + "\n", 422)
    except layout.LayoutError:
        return PlainTextResponse("The layout takes too long; add &grouped=1 to the address.\n", 422)
    return Response(text, 200, PICTURE_HEADERS, media_type="image/svg+xml")


def _add_pages(app: FastAPI, renderer: Renderer, settings: Settings, metrics: Metrics) -> None:
    reference = lru_cache(1)(lambda: renderer.page("reference.html", reference_context(settings)))

    async def tables(request: Request) -> Response:
        return HTMLResponse(reference(), 200, FRESH)

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=UNSTORED)

    async def counts(request: Request) -> Response:
        return PlainTextResponse(metrics.text(), headers=UNSTORED)

    for path, endpoint in (("/reference", tables), ("/healthz", health), ("/metrics", counts)):
        app.add_route(path, endpoint, methods=["GET"], include_in_schema=False)


def _add_errors(app: FastAPI, renderer: Renderer) -> None:
    """Errors as problem details for machines, as a page for people."""

    def answer(
        request: Request, status: int, message: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        title = HTTPStatus(status).phrase
        if request.url.path.startswith("/api/"):
            return api.problem(status, title, message, headers)
        context = {"page": "", "title": title, "message": message}
        return HTMLResponse(renderer.page("error.html", context), status, headers)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        message = ERRORS.get(error.status_code, str(error.detail))
        return answer(request, error.status_code, message, error.headers)

    async def busy(request: Request, error: Exception) -> Response:
        return answer(request, 503, ERRORS[503], {**UNSTORED, "retry-after": "1"})

    async def failed(request: Request, error: Exception) -> Response:
        return answer(request, 500, ERRORS[500], UNSTORED)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        found = error.errors()[0]
        where = ".".join(str(part) for part in found["loc"]).encode(errors="replace").decode()
        return api.problem(
            422, "The request is not as it should be.", f"{where}: {found['msg']}", field=where
        )

    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(layout.LayoutBusy, busy)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, failed)
