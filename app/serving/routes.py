"""Endpoints for operators: /healthz (alive), /readyz (ready for requests) and /metrics."""

from __future__ import annotations

import platform
from functools import partial

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from app.serving.headers import NO_STORE
from app.serving.metrics import CONTENT_TYPE, Metrics
from app.serving.ready import Readiness
from app.serving.thread_pools import ThreadPools
from app.settings import Settings


def add_operation(
    app: FastAPI, settings: Settings, metrics: Metrics, pools: ThreadPools, version: str
) -> None:
    """Register the endpoints; `app.state.draining` tells whether the server is being stopped."""
    readiness = Readiness(app.state.draining, settings.number("ready_seconds"))
    for threads in pools.all():
        waiting = partial(getattr, threads, "waiting")
        metrics.queue_length.labels(threads.kind).set_function(waiting)
    metrics.build_info.labels(app.version, version, platform.python_version()).set(1)

    async def ready(request: Request) -> Response:
        reason = await readiness.problem()
        if reason is None:
            return JSONResponse({"status": "ready", "version": version}, headers=NO_STORE)
        body = {"status": "not ready", "version": version, "reason": reason}
        return JSONResponse(body, 503, {**NO_STORE, "retry-after": "1"})

    async def counts(request: Request) -> Response:
        return Response(metrics.text(), headers={**NO_STORE, "content-type": CONTENT_TYPE})

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=NO_STORE)

    for path, endpoint in (("/healthz", health), ("/readyz", ready), ("/metrics", counts)):
        app.add_route(path, endpoint, methods=["GET"], include_in_schema=False)
