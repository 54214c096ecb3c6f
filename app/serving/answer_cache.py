"""ETags and an in-memory cache for deterministic answers.

Almost every address answers with the same bytes as long as the version of the server is the same:

- a request whose `If-None-Match` names the answer gets 304 before any work;
- below `/v/{version}/` the same addresses may be stored by every cache for ever; a version other
  than this server's gets 410, so that a page never mixes answers of two versions;
- the latest answers are kept in memory as they were sent, compressed ones included.

An answer that depends on the moment, such as 503 or a layout that was stopped, carries `no-store`:
it is neither kept nor given an ETag.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from app.caches import store
from app.serving.compression import negotiated
from app.serving.headers import (
    ASGI,
    IMMUTABLE,
    NO_CACHE,
    NO_STORE,
    Message,
    RawHeaders,
    Receive,
    Scope,
    Send,
    header,
    is_known,
    raw,
    replayed,
)
from engine.caches import Cache

PREFIX = "/v/"
KEPT = frozenset({200, 303, 422})  # statuses of deterministic answers
SHARE = 8  # an answer larger than this part of the cache is not kept
OVERHEAD = 1_024  # bytes of an entry beside its body and the text of its headers
FRESH, UNSTORED, LASTING = map(raw, (NO_CACHE, NO_STORE, IMMUTABLE))


class CachedAnswer(NamedTuple):
    """An answer as it was sent."""

    status: int
    headers: RawHeaders
    body: bytes

    @property
    def size(self) -> int:
        """Bytes of memory."""
        text = sum(len(name) + len(value) for name, value in self.headers)
        return text + len(self.body) + OVERHEAD


class AnswerCache:
    """Middleware that answers repeated requests for the deterministic addresses of `app`.

    `paths` are those that answer GET, `posted` those that answer POST with a body; `streams` may
    carry a version but are not kept. `size` is the memory for answers in bytes. `note` is called
    with "hit", "miss", "unchanged" (304) or "gone" (410, which `gone` answers). The body of a
    request must arrive as one message.
    """

    def __init__(
        self,
        app: ASGI,
        version: str,
        paths: Collection[str],
        posted: Collection[str] = (),
        streams: Collection[str] = (),
        size: int = 0,
        note: Callable[[str], None] = lambda result: None,
        gone: ASGI | None = None,
    ) -> None:
        self._app = app
        self._version = version
        self._paths = frozenset(paths)
        self._posted = frozenset(posted)
        self._versioned = self._paths | frozenset(streams)
        self._largest = size // SHARE
        self._cache: Cache[CachedAnswer] = store("answers", size)
        self._note = note
        self._gone = gone or app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        freshness = FRESH
        found = _split(scope["path"])
        if found and found[1] in self._versioned:
            version, path = found
            if version != self._version:
                self._note("gone")
                await self._gone(scope, receive, send)
                return
            freshness = LASTING
            scope = {**scope, "path": path, "raw_path": path.encode()}
        send = _with_freshness(send)
        scope, encoding = negotiated(scope)
        path, method = scope["path"], scope["method"]
        if path in self._paths and method in ("GET", "HEAD"):
            await self._get(scope, receive, send, encoding, freshness)
        elif path in self._posted and method == "POST":
            await self._post(scope, receive, send, encoding)
        else:
            await self._app(scope, receive, send)

    async def _get(
        self, scope: Scope, receive: Receive, send: Send, encoding: bytes, freshness: RawHeaders
    ) -> None:
        name = _hash(self._version, scope["path"], scope["query_string"])
        tag = f'W/"{name}"'.encode()
        marks = [*freshness, (b"etag", tag), (b"vary", b"accept-encoding")]
        if is_known(scope, tag):
            self._note("unchanged")
            await _send(send, CachedAnswer(304, marks, b""), False)
            return
        await self._answer(scope, receive, send, (name, encoding), marks)

    async def _post(self, scope: Scope, receive: Receive, send: Send, encoding: bytes) -> None:
        message = await receive()
        kind = header(scope, b"content-type")
        body: bytes = message.get("body", b"")
        name = _hash("POST", scope["path"], scope["query_string"], kind, body)
        await self._answer(scope, replayed(message, receive), send, (name, encoding), [])

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, key: object, marks: RawHeaders
    ) -> None:
        """Send the kept answer, or else that of the application, and keep it."""
        with_body = scope["method"] != "HEAD"
        kept = self._cache.get(key)
        if kept is not None:
            self._note("hit")
            kept = kept._replace(headers=_replaced(kept.headers, marks))
            await _send(send, kept, with_body)
            return
        self._note("miss")
        recorder = _Recorder(send, marks, self._largest)
        await self._app(scope, receive, recorder)
        answer = recorder.answer()
        if answer and with_body:
            self._cache.put(key, answer, answer.size)


class _Recorder:
    """Passes an answer on, with `marks` if it is deterministic, and records up to `most` bytes."""

    def __init__(self, send: Send, marks: RawHeaders, most: int) -> None:
        self._send = send
        self._marks = marks
        self._most = most
        self._status = 0
        self._headers: RawHeaders = []
        self._parts: list[bytes] = []
        self._size = 0
        self._is_complete = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            if message["status"] in KEPT and UNSTORED[0] not in headers:
                self._status, self._headers = message["status"], headers
                message = {**message, "headers": _replaced(headers, self._marks)}
        elif message["type"] == "http.response.body":
            self._size += len(message.get("body", b""))
            if self._size <= self._most:
                self._parts.append(message.get("body", b""))
            self._is_complete = not message.get("more_body", False)
        await self._send(message)

    def answer(self) -> CachedAnswer | None:
        """The answer, if it is deterministic, complete and not too large."""
        if self._status and self._is_complete and self._size <= self._most:
            return CachedAnswer(self._status, self._headers, b"".join(self._parts))
        return None


def unversioned(path: str) -> str:
    """A path without `/v/{version}`."""
    found = _split(path)
    return found[1] if found else path


def _split(path: str) -> tuple[str, str] | None:
    """The version that a path begins with, and the path behind it; None without a version."""
    if not path.startswith(PREFIX):
        return None
    version, _, rest = path.removeprefix(PREFIX).partition("/")
    return version, f"/{rest}"


def _hash(*parts: str | bytes) -> str:
    """A hash of the parts; each is preceded by its length, so that no two lists run together."""
    digest = hashlib.blake2s(digest_size=16)
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _replaced(headers: Iterable[tuple[bytes, bytes]], marks: RawHeaders) -> RawHeaders:
    """`headers` with `marks` in place of those of the same names."""
    names = {name for name, _ in marks}
    return [*(pair for pair in headers if pair[0] not in names), *marks]


def _with_freshness(send: Send) -> Send:
    """`send` with a Cache-Control for answers that set none; those from 500 on are not stored."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: RawHeaders = list(message.get("headers", ()))
            if message["status"] >= 500:
                headers = _replaced(headers, UNSTORED)
            elif not any(name == b"cache-control" for name, _ in headers):
                headers += FRESH
            message = {**message, "headers": headers}
        await send(message)

    return sent


async def _send(send: Send, answer: CachedAnswer, with_body: bool) -> None:
    start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
    await send({"type": "http.response.body", "body": answer.body if with_body else b""})
