"""Errors as HTML pages in a browser, and as problem details (RFC 9457) for programs."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from app.serving.answer_cache import PREFIX, unversioned
from app.serving.bodies import Refuse
from app.serving.headers import NO_STORE, Scope
from app.serving.metrics import UNANSWERED, current
from app.serving.problem import problem
from app.serving.rendering import Renderer
from app.serving.shutdown import KIND
from app.serving.thread_pools import BusyError
from engine.cancellation import Cancelled

MACHINES = ("/api/", "/train/", PREFIX)
"""Paths below which errors are problem details."""

ERRORS = {
    410: "This address belongs to another version of Seegrad. Reload the page.",
    404: "There is no page at this address.",
    405: "This address does not support this request method.",
    500: "The server failed on this request. Nothing you typed is lost: it is in the address.",
    503: "The server is overloaded.",
}


def add_errors(app: FastAPI, renderer: Renderer) -> Refuse:
    """Register the handlers of errors; returns the function that makes the answer to one."""

    def answer(
        scope: Scope, status: int, message: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        title = HTTPStatus(status).phrase
        again = _again(scope) if status in (410, 503) else ""
        wants_page = again and _accepts_html(scope)
        if scope["path"].startswith(MACHINES) and not wants_page:
            return problem(status, title, message, headers)
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
        current().sheds.labels(error.kind).inc()
        message = str(error) if error.kind == KIND else f"{ERRORS[503]} {error}"
        return answer(request.scope, 503, message, {**NO_STORE, "retry-after": "1"})

    async def left(request: Request, error: Exception) -> Response:
        return Response(status_code=UNANSWERED)

    async def failed(request: Request, error: Exception) -> Response:
        return answer(request.scope, 500, ERRORS[500], NO_STORE)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        found = error.errors()[0]
        where = ".".join(str(part) for part in found["loc"]).encode(errors="replace").decode()
        return problem(422, "The request is malformed.", f"{where}: {found['msg']}", field=where)

    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(BusyError, busy)
    app.add_exception_handler(Cancelled, left)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, failed)
    return answer


def _again(scope: Scope) -> str:
    """The unversioned address for a retry in the browser; "" if the request was not a GET."""
    if scope["method"] not in ("GET", "HEAD"):
        return ""
    path = unversioned(scope["path"])
    path = quote("/" + path.lstrip("/"), errors="replace")  # "//x" would be another host
    query = quote(scope["query_string"], safe="!#$%&'()*+,/:;=?@[]~")
    return f"{path}?{query}" if query else path


def _accepts_html(scope: Scope) -> bool:
    """Whether a browser will show the answer as a page; answers below /api are for programs."""
    accepted = b",".join(text for name, text in scope["headers"] if name == b"accept")
    return b"text/html" in accepted.lower() and not scope["path"].startswith("/api/")
