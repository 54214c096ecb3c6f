"""The JSON interface: the same traces as the page's, for other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from anyio import CapacityLimiter
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.computing import BusyError, Stopped, compute, encode, packed
from app.settings import Settings
from engine.program import Program, ProgramError, UnknownLeaf
from engine.spec import SpecError, TrainSpec
from engine.trace import trace
from engine.training import run

PROBLEM = "application/problem+json"


class TraceRequest(BaseModel):
    """A program, and other numbers for some of its leaves."""

    model_config = ConfigDict(extra="forbid", strict=True)

    program: str
    leaves: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = Field(default_factory=dict)


def routes(settings: Settings) -> APIRouter:
    """The addresses below /api."""
    router = APIRouter(prefix="/api")

    @router.post("/trace", responses={422: {"description": "The program is refused."}})
    def post_trace(request: TraceRequest) -> Response:
        """The trace of a program; errors are problem details with line and column."""
        try:
            found = trace(Program(request.program, settings.limits), request.leaves)
        except ProgramError as error:
            return problem(422, "The program is refused.", error.message, **place(error))
        except UnknownLeaf as error:
            return problem(422, "A leaf is not there.", str(error), leaf=error.name)
        text = json.dumps(found.to_json(), allow_nan=False)
        return Response(text, media_type="application/json")

    _add_train(router, settings)
    return router


def _add_train(router: APIRouter, settings: Settings) -> None:
    """Training has threads of its own, so that it never takes those of pages and traces."""
    threads = CapacityLimiter(settings.whole("train_at_once"))

    @router.post(
        "/train",
        openapi_extra={"requestBody": _SPEC_BODY},
        responses={
            422: {"description": "The spec is refused."},
            503: {"description": "Too many runs are asked for at the same time."},
        },
    )
    async def post_train(request: Request) -> Response:
        """A whole training run from its spec; every key of the spec has a default."""
        body = await request.body()
        try:
            answer = await compute(request, threads, partial(_train, request, body, settings))
        except BusyError:
            later = {"cache-control": "no-store", "retry-after": "2"}
            detail = "Other runs are being computed. Try again in a moment."
            return problem(503, "The server is busy.", detail, later)
        return answer or Response(status_code=499)  # the client is gone; nobody reads this


_SPEC_BODY = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}


def _train(request: Request, body: bytes, settings: Settings, stopped: Stopped) -> Response:
    try:
        spec = TrainSpec.from_text(body, settings.train_limits)
    except SpecError as error:
        title = "The spec is refused."
        return problem(422, title, error.message, field=error.field, value=error.value)
    data, headers = packed(request, encode(run(spec, settings.train_limits, stopped)))
    return Response(data, headers=headers, media_type="application/json")


def place(error: ProgramError) -> dict[str, Any]:
    """Where a program is wrong, and what to write instead."""
    return {
        "line": error.line,
        "column": error.column,
        "end_line": error.end_line,
        "end_column": error.end_column,
        "hint": error.hint,
    }


def problem(
    status: int, title: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """An error as problem details (RFC 9457)."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    return Response(json.dumps(body), status, headers, media_type=PROBLEM)
