"""The web application. The map of the site:

GET  /                  the front page; with a query, Explore
GET  /front             the numbers of its graph, as JSON
GET  /explore           Explore: a program's graph, at a frame
GET  /graph             the fragment of it that depends on the program
GET  /numbers           the fragment with other numbers, after a leaf was dragged
GET  /transcript        the frames as text
GET  /value             the card of a Value
GET  /picture           the picture with its caption, for a page whose program is drawn
GET  /lens/{section}    a section beside the picture
                        (each of the six also as POST with a form, for long programs)
GET  /graph.svg         the picture alone
GET  /export/micrograd  the graph as a program for micrograd
GET  /export/pytorch    … for PyTorch
GET  /export/jax        … for JAX
GET  /export/python     … for Python alone, unrolled
GET  /export/latex      the derivation of the gradients
GET  /export/html       a page that steps offline
GET  /export/svg        the picture
GET  /export/png        the picture in pixels
GET  /export/json       the trace
                        (each also as POST with a form)
POST /keep-code         redirect to the code in a text that is refused
GET  /embed             picture, explanation and player, for an iframe on another site
GET  /print             frames of choice, a page each
GET  /words/{hash}.json the words of the language with their help, for the editor
GET  /train             Train: a training run, at a step
GET  /train/setup       the constants of a run
GET  /train/state       its state at a step
GET  /train/stream      its states as server-sent events
GET  /train/open        redirect to the graph of some samples at a step, in Explore
GET  /train/doctor      its diagnosis
GET  /train/examination the same as a list, with trials of cures
GET  /train/frames      one step frame by frame, with the numbers of a sample
GET  /train/race        several runs side by side
GET  /train/sweep       learning rates × seeds
GET  /train/kernel      the run as WebAssembly, for a browser
GET  /train/kernels     the same with a neuron more or less in a hidden layer
GET  /train/losses.csv  the metrics of every step
GET  /train/code        the run as a program
GET  /train/code.ipynb  the program as a notebook
GET  /train/boundary.png  its decision boundary
GET  /train/loss.svg    its loss curve
GET  /train/network.svg its weights
GET  /learn             the course
GET  /learn/{lesson}    a lesson, at a step
GET  /embed/learn/{lesson}  a lesson as one page, for an iframe on another site
POST /learn/{lesson}/answer  the reply to an answer
GET  /learn/{lesson}/reached whether a picture meets a challenge
GET  /learn/fix         exercises of the debugger
GET  /learn/fix/{exercise}  a class with one mistake
                        (also as POST with a form, which checks a fixed class)
GET  /learn/by-hand     backward passes of arrays to write by hand
GET  /learn/by-hand/{exercise}  one of them (also as POST: the lines, judged)
GET  /learn/engine      the pieces of the reader's own engine
GET  /learn/engine/{piece}  one piece, or `moons`, the last task (also as POST: the engine so far)
POST /learn/{lesson}/own  the pictures of a lesson drawn by the reader's engine
GET  /teach             the teachers' page
GET  /from-python       lines to copy for notebooks and terminals
GET  /exercise          an exercise: numbers of a graph to fill in (also as POST: an answer)
GET  /exercise/sheet    … on paper
GET  /exercise/key      … with its answers
GET  /exercise/renewed  redirect to the same exercise with other numbers
GET  /exercise/new      fresh exercises, from a seed (also as POST: a set for a class)
GET  /exercise/set      the first page of a set; with the teacher's link, its answers
GET  /exercise/check-result  the check of results that were handed in (also as POST)
GET  /reference         every table of the engine and the application
GET  /reference/{operation}  one operation: formula, plot, special points
GET  /docs              the JSON interface, for readers
GET  /api/trace         the trace as JSON (also as POST with JSON)
POST /api/train         a training run as JSON
GET  /healthz           liveness
GET  /readyz            readiness
GET  /metrics           metrics for Prometheus
GET  /static/{version}/ the assets
"""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from app.api import routes as api
from app.errors import ERRORS, add_errors
from app.explore import explanation
from app.explore.routes import (
    POSTED,
)
from app.pages import PAGES
from app.picture import layout
from app.serving import malloc
from app.serving.answer_cache import AnswerCache
from app.serving.assets import Assets
from app.serving.bodies import BodyLimit, Refuse
from app.serving.compression import add_compression
from app.serving.headers import (
    ASGI,
    NO_STORE,
    Receive,
    Scope,
    SecurityHeaders,
    Send,
)
from app.serving.log import RequestLog
from app.serving.metrics import Metrics
from app.serving.rendering import Renderer
from app.serving.routes import add_operation
from app.serving.shutdown import Draining, end_with_parent
from app.serving.silence import ended_if_silent
from app.serving.thread_pools import ThreadPools
from app.serving.version import version_key
from app.settings import Settings, from_environment
from app.site import Site
from engine import __version__

COLLECT_AFTER = (50_000, 20, 100)  # a run allocates many Values but no reference cycles
SWITCH_SECONDS = 0.0005
"""Python's switch interval. Beside a long program, each of the several changes of thread that a
request takes waits that long for the interpreter lock; 5 ms by default."""
MOMENTARY = {"/healthz", "/readyz", "/metrics", "/exercise/set"}
MOMENTARY |= {it.path for it in PAGES if not it.cacheable}
STREAMS = {"/train/stream"}


def create_app(settings: Settings | None = None) -> ASGI:
    """The application with its settings, ready for an ASGI server."""
    settings = settings or from_environment()
    version = version_key(settings)
    renderer = Renderer(version, PAGES)
    app = FastAPI(
        title="Seegrad",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    metrics, pools = Metrics(), ThreadPools.of(settings)
    app.state.draining = Draining()
    app.state.silent_seconds = settings.number("silent_seconds")
    add_operation(app, settings, metrics, pools, version)  # first: probes ask most often
    for page in PAGES:
        page.add(Site(app, settings, renderer, pools))
    machines = api.routes(settings, pools)
    app.include_router(machines)
    add_compression(app)
    app.mount(f"/static/{renderer.version}", Assets(renderer.static, renderer.scripts))
    refuse = add_errors(app, renderer)
    routes = [it for it in (*app.routes, *machines.routes) if isinstance(it, Route)]
    app.state.methods = _methods(routes)
    cached = AnswerCache(
        app,
        version,
        paths=_deterministic(routes),
        posted=POSTED,
        streams=STREAMS,
        size=settings.whole("answers_kept"),
        note=lambda result: metrics.cache.labels(result).inc(),
        gone=_gone(refuse),
    )
    bodies = BodyLimit(cached, settings.whole("max_body"), refuse)
    guarded = metrics.around(bodies, [route.path for route in routes])
    guarded = RequestLog(guarded, bool(settings.whole("log_requests")))
    return SecurityHeaders(guarded, ((b"seegrad-version", version.encode()),))


def _deterministic(routes: Iterable[Route]) -> set[str]:
    """Paths whose answers are pure functions of the address."""
    found = {path for path, methods in _methods(routes).items() if "GET" in methods}
    return found - MOMENTARY - STREAMS


def _methods(routes: Iterable[Route]) -> dict[str, set[str]]:
    """The methods of each path."""
    found: dict[str, set[str]] = {}
    for route in routes:
        found.setdefault(route.path, set()).update(route.methods or ())
    return found


def _gone(refuse: Refuse) -> ASGI:
    """Answers 410 to the addresses of another version."""

    async def gone(scope: Scope, receive: Receive, send: Send) -> None:
        await refuse(scope, 410, ERRORS[410], NO_STORE)(scope, receive, send)

    return gone


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    gc.set_threshold(*COLLECT_AFTER)
    sys.setswitchinterval(SWITCH_SECONDS)
    malloc.settle()
    await run_in_threadpool(layout.warm_up)
    explanation.warm_up()
    end_with_parent()
    gc.collect()
    gc.freeze()  # what is there to stay: full collections leave it out
    gc.enable()  # the supervisor has it wait until here
    with app.state.draining.on_signals(), ended_if_silent(app.state.silent_seconds):
        yield
