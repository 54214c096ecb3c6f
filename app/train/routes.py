"""The endpoints of Train. Each parses its view from the query and answers in a training thread.

    /train            the page                     /train/open         some samples, in Explore
    /train/setup      constants of the run         /train/doctor       its diagnosis
    /train/examination  the same, as a list
    /train/landscape  the loss over two directions, as a panel
    /train/space      the inputs as a layer sees them, as a panel
    /train/state      the state at a step          /train/sweep        learning rates × seeds
    /train/check      its gradient in fifty digits
    /train/stream     server-sent events           /train/kernel       the run for a browser
    /train/race       several runs side by side    /train/frames       the numbers of one step
    /train/kernels    those of the networks with a neuron more or less
    /train/losses.csv, weights, code, code.ipynb   downloads; weights may also be sent
    /train/boundary.png, loss.svg and network.svg  pictures

Training has its own thread pool, so that pages and traces never wait for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from fastapi import FastAPI, Request, Response

from app.serving import computing, shutdown
from app.serving.compression import LEVEL, PAGE_LEVEL, packed, takes_gzip
from app.serving.headers import NO_CACHE, header
from app.serving.thread_pools import BusyError, ThreadPool, client_network
from app.site import Site
from app.train import address, lean, stream
from app.train.handlers import HTML, Answer, Query, Trainer, refused
from engine.cancellation import IsCancelled
from engine.training.fields import SpecError

Make = Callable[[Query], Answer]
Endpoint = Callable[[Request], Awaitable[Response]]


def add_train(site: Site) -> None:
    """Register every address below /train."""
    app, pools = site.app, site.pools
    trainer = Trainer(site.settings, site.renderer, pools)
    answers: dict[str, Make] = {
        "": trainer.page,
        "/setup": trainer.setup,
        "/state": trainer.state,
        "/open": trainer.open,
        "/frames": trainer.frames,
        "/race": trainer.race,
        "/doctor": trainer.doctor,
        "/check": trainer.check,
        "/examination": trainer.examination,
        "/landscape": trainer.landscape,
        "/space": trainer.space,
        "/kernel": trainer.kernel,
        "/kernels": trainer.kernels,
        "/losses.csv": trainer.losses,
        "/weights": trainer.weights,
        "/code": trainer.code,
        "/code.ipynb": trainer.notebook,
        "/boundary.png": trainer.boundary,
        "/loss.svg": trainer.loss,
        "/network.svg": trainer.network,
    }
    for path, make in answers.items():
        _add(app, path, partial(_answer, trainer, make, pools.training))
    _add(app, "/sweep", partial(_answer, trainer, trainer.sweep, pools.sweeps))
    _add(app, "/stream", partial(_stream, trainer))
    _add(app, "/weights", partial(_weighed, trainer, pools.training), "POST")


def _add(app: FastAPI, path: str, endpoint: Endpoint, method: str = "GET") -> None:
    async def route(request: Request) -> Response:  # Starlette takes a partial for an ASGI app
        return await endpoint(request)

    app.add_route(f"/train{path}", route, methods=[method], include_in_schema=False)


async def _answer(trainer: Trainer, make: Make, threads: ThreadPool, request: Request) -> Response:
    """The answer computed in a thread of the pool."""
    pairs = request.query_params.multi_items()

    def work(is_cancelled: IsCancelled) -> Response:
        try:
            found = make(Query(pairs, is_cancelled))
        except SpecError as error:
            if make != trainer.open:
                return refused(error)
            wants_page = "text/html" in request.headers.get("accept", "")
            return trainer.not_openable(Query(pairs, is_cancelled), error, wants_page)
        level = PAGE_LEVEL if found.kind == HTML else LEVEL
        body, encoding = packed(request, found.body, level)
        headers = {**NO_CACHE, **found.headers, **encoding}
        return Response(body, found.status, headers, media_type=found.kind)

    answer = await computing.compute(request, threads, work)
    return answer or Response(status_code=499)  # the client has disconnected


async def _weighed(trainer: Trainer, threads: ThreadPool, request: Request) -> Response:
    """The run of the address with the weights in the file that is the body."""
    file = await request.body()
    make = partial(trainer.weighed, file=file)
    return await _answer(trainer, make, threads, request)


async def _stream(trainer: Trainer, request: Request) -> Response:
    pairs = request.query_params.multi_items()
    try:
        view = address.read(pairs, trainer.limits)
        start = stream.start_of(pairs, request.headers.get("last-event-id"), view.spec)
        pace, sights = stream.pace_of(pairs), lean.form_of(pairs)
    except SpecError as error:
        return refused(error)
    if request.method == "HEAD":
        return Response(headers=stream.HEADERS, media_type=stream.KIND)
    host = request.client.host if request.client else ""
    ending = shutdown.of(request.scope)
    if ending.begun:
        raise BusyError(shutdown.KIND, shutdown.LEAVING)
    trainer.streams.admit(client_network(host))
    form = None if sights is None else lean.Lean(sights)
    kept, threads = trainer.runs.kept(view.spec, view.edits), trainer.pools.players
    player = stream.Player(kept, view.spec.total_steps, pace, form)
    source, headers = stream.events(player, start, threads, ending), {}
    if sights is not None:
        headers["vary"] = "accept-encoding"
        if takes_gzip(header(request.scope, b"accept-encoding")):
            source, headers["content-encoding"] = stream.compressed(source, threads), "gzip"
    return trainer.streams.response(source, client_network(host), headers)
