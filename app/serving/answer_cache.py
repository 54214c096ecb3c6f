"""Answers that are pure functions of their address: known to caches, and seldom made twice.

Almost every address of the site answers with the same bytes for ever, as long as the version of
the server is the same. So

- a browser that has an answer already is told so before any work (`ETag`, 304);
- below `/v/{version}/` the same addresses may be kept by every cache for ever; another version than
  this server's is answered 410, so that nothing is ever put together from two of them;
- the answers given last are kept in memory, as they were sent.

What depends on the moment, such as 503 or a layout that was given up, is sent with `no-store` by
whoever makes it, and is neither kept nor named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from app.cache import Cache
from app.serving.headers import ASGI, Message, Receive, Scope, Send

PREFIX = "/v/"
FOREVER = b"public, max-age=31536000, immutable"
CHANGED = b"no-cache"
UNSTORED = b"no-store"
KEPT = frozenset({200, 303, 422})  # statuses of answers that stay the same
ENTRIES = 4_096
SHARE = 8  # an answer of more than this part of the memory is not kept
OVERHEAD = 1_024  # bytes that an entry takes besides its headers' text and its body

Pairs = list[tuple[bytes, bytes]]


class Kept(NamedTuple):
    """An answer as it was sent."""

    status: int
    headers: Pairs
    body: bytes

    @property
    def size(self) -> int:
        """Bytes of memory that it takes."""
        said = sum(len(name) + len(text) for name, text in self.headers)
        return said + len(self.body) + OVERHEAD


class Pure:
    """`app`, whose answers at the addresses `pure` depend on nothing but the request.

    `posted` are those of them that are asked with a body too. `streams` may have a version in
    front, but are not kept. `size` is the memory for answers in bytes. `note` is told "hit",
    "miss", "unchanged" or "gone". The body of a request must come in one piece.
    """

    def __init__(
        self,
        app: ASGI,
        version: str,
        pure: Collection[str],
        posted: Collection[str] = (),
        streams: Collection[str] = (),
        size: int = 0,
        note: Callable[[str], None] = lambda what: None,
        gone: ASGI | None = None,
    ) -> None:
        self._app = app
        self._version = version
        self._pure = frozenset(pure)
        self._posted = frozenset(posted)
        self._streams = frozenset(streams)
        self._largest = size // SHARE
        self._cache: Cache[Kept] = Cache(ENTRIES, size)
        self._note = note
        self._gone = gone or app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        versioned = _versioned(scope["path"])
        known = False
        if versioned and versioned[1] in self._pure | self._streams:
            if versioned[0] != self._version:
                self._note("gone")
                await self._gone(scope, receive, send)
                return
            known = True
            scope = {**scope, "path": versioned[1], "raw_path": versioned[1].encode()}
        send = _dated(send)
        scope, encoding = _encoding_settled(scope)
        path, method = scope["path"], scope["method"]
        if path in self._pure and method in ("GET", "HEAD"):
            await self._get(scope, receive, send, encoding, FOREVER if known else CHANGED)
        elif path in self._posted and method == "POST":
            await self._post(scope, receive, send, encoding)
        else:
            await self._app(scope, receive, send)

    async def _get(
        self, scope: Scope, receive: Receive, send: Send, encoding: bytes, lasting: bytes
    ) -> None:
        name = _hash(self._version, scope["path"], scope["query_string"])
        tag = f'W/"{name}"'.encode()
        marks: Pairs = [(b"cache-control", lasting), (b"etag", tag), (b"vary", b"accept-encoding")]
        if _is_known(scope, tag):
            self._note("unchanged")
            await _send(send, Kept(304, marks, b""), False)
            return
        await self._answer(scope, receive, send, (name, encoding), marks)

    async def _post(self, scope: Scope, receive: Receive, send: Send, encoding: bytes) -> None:
        message = await receive()
        kind = _header(scope, b"content-type")
        body: bytes = message.get("body", b"")
        name = _hash("POST", scope["path"], scope["query_string"], kind, body)
        await self._answer(scope, _first(message, receive), send, (name, encoding), [])

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, key: object, marks: Pairs
    ) -> None:
        """The answer that is kept, or else the app's."""
        whole = scope["method"] != "HEAD"
        kept = self._cache.get(key)
        if kept is not None:
            self._note("hit")
            await _send(send, Kept(kept.status, _marked(kept.headers, marks), kept.body), whole)
            return
        self._note("miss")
        keeping = _Keeping(send, marks, self._largest)
        await self._app(scope, receive, keeping)
        answer = keeping.answer()
        if answer and whole:
            self._cache.put(key, answer, answer.size)


class _Keeping:
    """Sends an answer on, marked if it stays the same, and keeps it."""

    def __init__(self, send: Send, marks: Pairs, most: int) -> None:
        self._send = send
        self._marks = marks
        self._most = most
        self._status = 0
        self._headers: Pairs = []
        self._parts: list[bytes] = []
        self._size = 0
        self._is_whole = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            if message["status"] in KEPT and (b"cache-control", UNSTORED) not in headers:
                self._status, self._headers = message["status"], headers
                message = {**message, "headers": _marked(headers, self._marks)}
        elif message["type"] == "http.response.body":
            self._size += len(message.get("body", b""))
            if self._size <= self._most:
                self._parts.append(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
        await self._send(message)

    def answer(self) -> Kept | None:
        """The whole answer, if it is to be kept."""
        if self._status and self._is_whole and self._size <= self._most:
            return Kept(self._status, self._headers, b"".join(self._parts))
        return None


def unversioned(path: str) -> str:
    """An address without a version in front of it."""
    found = _versioned(path)
    return found[1] if found else path


def _versioned(path: str) -> tuple[str, str] | None:
    """The version in front of an address, and the address behind it."""
    if not path.startswith(PREFIX):
        return None
    version, _, rest = path.removeprefix(PREFIX).partition("/")
    return version, f"/{rest}"


def _hash(*parts: str | bytes) -> str:
    digest = hashlib.blake2s(digest_size=16)
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _header(scope: Scope, name: bytes) -> bytes:
    return b", ".join(text for known, text in scope["headers"] if known == name)


def _is_known(scope: Scope, tag: bytes) -> bool:
    """Whether the client has the answer of this tag (RFC 9110, 13.1.2)."""
    asked = _header(scope, b"if-none-match")
    return bool(asked) and tag.removeprefix(b"W/") in {
        part.strip().removeprefix(b"W/") for part in asked.split(b",")
    }


def _encoding_settled(scope: Scope) -> tuple[Scope, bytes]:
    """The request with an `Accept-Encoding` of one word, and the word: there are but two."""
    encoding = b"gzip" if takes_gzip(_header(scope, b"accept-encoding")) else b"identity"
    headers = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
    return {**scope, "headers": [*headers, (b"accept-encoding", encoding)]}, encoding


def takes_gzip(accepted: bytes) -> bool:
    """Whether `Accept-Encoding` allows gzip (RFC 9110, 12.5.3); nonsense allows nothing."""
    weights: dict[bytes, float] = {}
    for part in accepted.lower().split(b","):
        coding, _, parameter = part.partition(b";")
        weights[coding.strip()] = _weight(parameter.strip())
    return weights.get(b"gzip", weights.get(b"*", 0.0)) > 0


def _weight(parameter: bytes) -> float:
    if not parameter:
        return 1.0
    try:
        weight = float(parameter.removeprefix(b"q="))
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0


def _marked(headers: Iterable[tuple[bytes, bytes]], marks: Pairs) -> Pairs:
    names = {name for name, _ in marks}
    return [*(pair for pair in headers if pair[0] not in names), *marks]


def _dated(send: Send) -> Send:
    """An answer that says nothing of its age is asked for again; one that failed is not stored."""

    async def dated(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Pairs = list(message.get("headers", ()))
            if message["status"] >= 500:
                headers = _marked(headers, [(b"cache-control", UNSTORED)])
            elif not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", CHANGED))
            message = {**message, "headers": headers}
        await send(message)

    return dated


def _first(message: Message, receive: Receive) -> Receive:
    """`receive`, which gives `message` once more."""
    waiting = [message]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed


async def _send(send: Send, answer: Kept, whole: bool) -> None:
    start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    await send(start)
    await send({"type": "http.response.body", "body": answer.body if whole else b""})
