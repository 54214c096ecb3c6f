"""Endpoints of the JSON interface: traces and training runs for other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError

from app import packed_text, program_address
from app.api import json_schema, trace_schema, train_schema
from app.serving import metrics
from app.serving.compression import packed
from app.serving.computing import compute, encode
from app.serving.problem import JSON, place, problem
from app.serving.programs import ProgramThreads
from app.serving.thread_pools import ThreadPool, ThreadPools
from app.settings import Settings
from engine import json_text
from engine.cancellation import IsCancelled
from engine.pasted.recover import recovered
from engine.program import Program, ProgramError, UnknownLeaf
from engine.runs.run import run
from engine.trace import trace_json
from engine.trace.build import trace
from engine.trace.expand import expanded
from engine.training.spec import SpecError, TrainSpec


def routes(settings: Settings, pools: ThreadPools) -> APIRouter:
    """The endpoints below /api; traces and runs are computed in threads of `pools`."""
    router = APIRouter(prefix="/api")
    light = ProgramThreads(pools, settings)

    @router.post(
        "/trace",
        openapi_extra=json_schema.taken(trace_schema.TraceRequest.model_json_schema()),
        responses={**trace_schema.TRACE_ANSWERS, **json_schema.COMMON},
    )
    async def post_trace(request: Request) -> Response:
        """The trace of a program; errors are problem details with line and column."""
        body = await request.body()
        if refused := _unfit(request):
            return refused
        return await light.run(_trace, request, body, settings)

    async def get_trace(request: Request) -> Response:
        """The trace of a program in the query, with the same parameters as the page."""
        return await light.run(_asked, request, settings)

    router.get(
        "/trace",
        openapi_extra={"parameters": trace_schema.TRACE_QUERY},
        responses=trace_schema.TRACE_ANSWERS,
    )(get_trace)
    router.head("/trace", include_in_schema=False)(get_trace)
    _add_train(router, settings, pools.training)
    return router


def _trace(request: Request, body: bytes, settings: Settings) -> Response:
    try:
        wanted = trace_schema.TraceRequest.model_validate(_json(body))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]
        return _malformed(".".join(map(str, ("body", *wrong["loc"]))), wrong["msg"])
    except ValueError as error:
        return _malformed("body", str(error))
    return _traced(request, wanted.program, wanted.leaves, wanted.scene, wanted.expand, settings)


def _asked(request: Request, settings: Settings) -> Response:
    """The trace that a query asks for."""
    pairs = request.query_params.multi_items()
    if name := program_address.twice(pairs):
        return _malformed(name, "It is given twice; give it once.")
    try:
        view = program_address.read(pairs)
    except packed_text.Damaged as error:
        return _malformed("packed", str(error))
    if view.program is None:
        return _malformed("program", "Give a program: /api/trace?program=L+%3D+2*3")
    if view.unread:
        return _malformed(view.unread[0], "Give a number.")
    opened = view.listed("expand")
    return _traced(request, view.program, view.leaves, view.scene, opened, settings)


def _traced(
    request: Request,
    program: str,
    leaves: Mapping[str, float],
    scene: float | None,
    opened: Sequence[str],
    settings: Settings,
) -> Response:
    wanted = None if scene is None else int(scene)
    try:
        found = expanded(trace(Program(program, settings.limits), leaves, scene=wanted), opened)
    except ProgramError as error:
        return problem(
            422,
            "The program is refused.",
            error.message,
            **place(error),
            **_recovered(program, settings),
        )
    except UnknownLeaf as error:
        return problem(422, "A leaf is not there.", str(error), leaf=error.name)
    body, headers = packed(request, trace_json.write(found).encode())
    return Response(body, headers=headers, media_type=JSON)


def _recovered(program: str, settings: Settings) -> dict[str, Any]:
    """The code that can be kept of a text that is refused, if there is any."""
    found = recovered(program, settings.limits)
    return {"recovered": {"program": found.text, "changes": found.says}} if found else {}


def _json(body: bytes) -> object:
    """The value of a text of JSON, with all numbers as floats. Raises ValueError."""
    try:
        return json_text.read(body, _once, parse_int=float)
    except json_text.NotJSON as error:
        raise ValueError(f"Not JSON: {error}.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no key may stand twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{json.dumps(key[:64])} is given twice; give it once.")
        found[key] = value
    return found


def _malformed(field: str, why: str) -> Response:
    """The answer to a malformed request; lone surrogates in `field` are replaced."""
    title = "The request is malformed."
    field = field.encode(errors="replace").decode()
    return problem(422, title, f"{field}: {why}", field=field)


def _unfit(request: Request) -> Response | None:
    """The refusal of a body that is not declared as JSON, or of query parameters; else None."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON:
        detail = f"Send the body as JSON, with the header content-type: {JSON}."
        return problem(415, "The body is not declared as JSON.", detail)
    for name in request.query_params:
        return _malformed(name, "This address takes no query parameters; use the body.")
    return None


def _add_train(router: APIRouter, settings: Settings, threads: ThreadPool) -> None:
    @router.post(
        "/train",
        openapi_extra=json_schema.taken(train_schema.spec(settings.train_limits)),
        responses=train_schema.TRAIN_ANSWERS,
    )
    async def post_train(request: Request) -> Response:
        """A whole training run from its spec; every key of the spec has a default."""
        body = await request.body()
        if refused := _unfit(request):
            return refused
        answer = await compute(request, threads, partial(_train, request, body, settings))
        return answer or Response(status_code=499)  # the client has disconnected


def _train(
    request: Request, body: bytes, settings: Settings, is_cancelled: IsCancelled
) -> Response:
    try:
        spec = TrainSpec.from_text(body, settings.train_limits)
    except SpecError as error:
        title = "The spec is refused."
        return problem(422, title, error.message, field=error.field, value=error.value)
    with metrics.training() as made:
        found = run(spec, settings.train_limits, is_cancelled)
        made(spec.total_steps)
    data, headers = packed(request, encode(found))
    return Response(data, headers=headers, media_type=JSON)
