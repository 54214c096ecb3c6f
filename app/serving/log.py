"""The request log: one line of JSON per request on standard output, without visitors' input.

    {"time": "2026-11-21T20:15:00.125Z", "method": "GET", "path": "/graph", "status": 200,
     "bytes": 5120, "ms": 8.6, "id": "8f3a1c0d9e2b4756", "address": "5d0c2f7a91be"}

`address` is a hash of path, query and body: equal requests share it, and their text cannot be read
from it. No line identifies the client. A stream is logged when it ends. An unexpected error has a
line of its own with its type and traceback, but without its message, which may repeat the input.
That line is written even where requests are not logged, and the error is not raised further, as the
ASGI server would print the message. A client that disconnected is no error.

`path` is one of the site's paths without its version, or "other"; the paths are known once the
application has started.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sys
import time
import traceback
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.requests import ClientDisconnect

from app.serving.answer_cache import unversioned
from app.serving.headers import ASGI, NO_STORE, Message, Receive, Scope, Send, raw
from app.serving.metrics import UNANSWERED
from app.serving.path_template import template

METHOD = 20  # characters of a method that are logged
FRAMES = 20  # logged of a traceback, at either end
CHAIN = 5  # errors logged of a chain of causes, or of a group
DIGITS = 12
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
ROOT = Path(__file__).resolve().parent.parent.parent
FAILED: tuple[Message, ...] = (
    {
        "type": "http.response.start",
        "status": 500,
        "headers": raw({"content-type": "text/plain; charset=utf-8", **NO_STORE}),
    },
    {"type": "http.response.body", "body": b"The server failed on this request.\n"},
)


class RequestLog:
    """Middleware that logs the errors of `app`, which end here, and optionally its requests."""

    def __init__(self, app: ASGI, requests: bool) -> None:
        self._app = app
        self._requests = requests
        self._known: Collection[str] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, self._learning(scope, send))
            return
        entry = _Entry(scope, receive, send, self._known)
        try:
            await self._app(scope, entry.receive if self._requests else receive, entry.send)
        except Exception as error:
            if not is_loss(error, entry.lost):
                write({**entry.head(), "error": named(error), "traceback": list(places(error))})
                await entry.fail()
        finally:
            if self._requests:
                write(entry.line())

    def _learning(self, scope: Scope, send: Send) -> Send:
        """`send` of the lifespan, which reads the application's paths once it has started."""

        async def sent(message: Message) -> None:
            app = scope.get("app")
            if message["type"] == "lifespan.startup.complete" and app is not None:
                self._known = frozenset(getattr(app.state, "methods", ()))
            await send(message)

        return sent


class _Entry:
    """The log entry of one request, gathered while it is answered."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, known: Collection[str]) -> None:
        self._scope = scope
        self._known = known
        self._receive = receive
        self._send = send
        self._began = time.perf_counter()
        self._body = hashlib.sha256()
        self._bytes = 0
        self._id = _id_of(scope)
        self.status = 0
        self.lost: OSError | None = None

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._body.update(message.get("body", b""))
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self._bytes += len(message.get("body", b""))
        try:
            await self._send(message)
        except OSError as error:  # the client has disconnected (ASGI 2.4)
            self.lost = error
            raise

    async def fail(self) -> None:
        """Answer 500, unless an answer has begun."""
        try:
            for message in () if self.status else FAILED:
                await self.send(message)
        except OSError:
            return

    def head(self) -> dict[str, Any]:
        """The members that are known when the request begins."""
        return {
            "time": now(),
            "method": self._scope["method"][:METHOD],
            "path": template(self._scope["path"], self._known),
            "id": self._id,
        }

    def line(self) -> dict[str, Any]:
        """The whole line, when the request has ended."""
        return {
            **self.head(),
            "status": self.status or UNANSWERED,
            "bytes": self._bytes,
            "ms": round(1000 * (time.perf_counter() - self._began), 1),
            "address": content_address(self._scope, self._body.digest()),
        }


def write(line: dict[str, Any]) -> None:
    """Write one line. A log that cannot be written must not fail the request."""
    text = json.dumps(line, allow_nan=False).replace("\x7f", "\\u007f")
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        return


def now() -> str:
    """The time as in RFC 3339, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def content_address(scope: Scope, body: bytes) -> str:
    """A hash of path, query and body that ignores the version and the order of parameters.

    `body` is itself a hash of the request's body.
    """
    query = scope.get("query_string", b"").decode("latin-1")
    pairs = parse_qsl(query, keep_blank_values=True, encoding="latin-1", max_num_fields=None)
    pairs.sort(key=lambda pair: pair[0])  # a stable sort: the order of equal names has a meaning
    digest = hashlib.sha256(unversioned(scope["path"]).encode(errors="surrogatepass"))
    digest.update(b"?" + urlencode(pairs, encoding="latin-1").encode() + b"\n" + body)
    return digest.hexdigest()[:DIGITS]


def _id_of(scope: Scope) -> str:
    """The X-Request-ID that a proxy gave to the request, if it is well formed, or a new id."""
    for name, text in scope.get("headers", ()):
        if name == b"x-request-id" and ID.fullmatch(text.decode("latin-1")):
            return str(text.decode("latin-1"))
    return secrets.token_hex(8)


# Errors


def is_loss(error: BaseException, lost: OSError | None) -> bool:
    """Whether an error only says that the client disconnected; `lost` is what `send` raised."""
    if isinstance(error, BaseExceptionGroup):
        return all(is_loss(inner, lost) for inner in error.exceptions)
    return error is lost or isinstance(error, ClientDisconnect)


def named(error: BaseException) -> str:
    """The qualified name of an error's type; not its message."""
    kind = type(error)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def places(error: BaseException) -> Iterator[str]:
    """The traceback of an error and of its causes, outermost cause first, innermost frame last."""
    seen: list[BaseException] = []
    now: BaseException | None = error
    while now is not None and now not in seen and len(seen) < CHAIN:
        seen.append(now)
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)
    for link in reversed(seen):
        yield named(link)
        yield from _frames(link)
        if isinstance(link, BaseExceptionGroup):
            for inner in link.exceptions[:CHAIN]:
                yield f"within: {named(inner)}"
                yield from _frames(inner)


def _frames(error: BaseException) -> Iterator[str]:
    frames = traceback.extract_tb(error.__traceback__)
    shown = frames if len(frames) <= 2 * FRAMES else [*frames[:FRAMES], *frames[-FRAMES:]]
    for frame in shown:
        yield f"{_short(frame.filename)}:{frame.lineno} in {frame.name}"


def _short(filename: str) -> str:
    """The path of a file of ours within the project; of another the last two parts."""
    path = Path(filename)
    if path.is_relative_to(ROOT):
        inner = path.relative_to(ROOT)
        if "site-packages" not in inner.parts:  # a virtual environment within a checkout
            return inner.as_posix()
    return "/".join(path.parts[-2:])
