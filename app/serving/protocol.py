"""uvicorn's HTTP protocol with time and size limits against hostile clients.

uvicorn waits for the rest of a request without limit and reads headers of any length. Here

- a request, headers and body, must arrive within `receive_seconds` of its first byte or, on a new
  connection, of the connection;
- request line and headers have at most `head_bytes` bytes and LINES lines, and exactly one Host;
  the same limit holds for the bytes between two chunks of a body, and trailers are refused;
- a client that does not read its answer is disconnected after STALLED seconds.

A refusal states its reason and carries the usual headers, and the connection closes; earlier
requests on the same connection are answered first. A client that has half-closed the connection
gets its answers too, except for long work and streams, which end on a disconnection: the server
cannot tell the two apart.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.caches import cached
from app.serving.early_refusal import EarlyRefusal, malformed, refused, too_late, too_long
from app.serving.headers import ASGI, Message, Receive, Scope, Send
from app.serving.unread_bytes import unread
from app.serving.version import version_key
from app.serving.whole_answers import WholeAnswers
from app.settings import Settings, from_environment

LINES = 100
STEP = 4_096  # bytes parsed at a time, by which a limit may be exceeded
PARSED = 65_535  # bytes of an address that httptools can parse
STALLED = 30.0  # seconds
STEADY = 65_536  # bytes that a client must read within STALLED seconds
PARTING = 1.0  # seconds until connections are aborted once the server is being stopped
ADDRESS = re.compile(rb"[!-\"$-~]*")
HOST = re.compile(rb"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")

_settings = cached("limits of requests")(from_environment)


class _Part(Enum):
    """The part of a request that is expected next."""

    BEGINNING = auto()
    HEAD = auto()
    BODY = auto()


class GuardedProtocol(HttpToolsProtocol):
    """One connection, created by uvicorn."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        settings: Settings = _settings()
        self._seconds = settings.number("receive_seconds")
        self._most = settings.whole("head_bytes")
        self._part = _Part.BEGINNING
        self._count = 0  # bytes since the parser last passed on a complete part
        self._told = False  # whether it has passed one on from the current piece
        self._came = 0  # bytes of the body so far
        self._over = False  # nothing more is read, and the connection closes after the answers
        self._left = False  # the client has half-closed the connection, and may be gone
        self._refusal: EarlyRefusal | None = None
        self._arriving: asyncio.TimerHandle | None = None
        self._stalling: asyncio.TimerHandle | None = None
        self._answering: RequestResponseCycle | None = None

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so that pause_writing reports any unsent byte
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        self._going_on()
        self.pipeline.clear()
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser piece by piece, as long as the limits hold."""
        self._unset_keepalive_if_required()
        rest = memoryview(data)
        while rest and not self._over and not self.transport.is_closing():
            size = min(STEP, self._most - self._count + 1)
            self._feed(rest[:size])
            rest = rest[size:]
        if self._arriving is None and not self._is_answering():
            self._expect()  # an empty piece, or the rest of a request that is answered already

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client has half-closed; whether the connection stays open for pending answers."""
        if not self._is_answering_others():
            return False
        self._close_after_answers()
        self._left = True
        if self._answering is not None:
            self._answering.message_event.set()
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalling is None:
            self._watch(unread(self.transport))

    def resume_writing(self) -> None:
        self._going_on()
        super().resume_writing()

    def shutdown(self) -> None:
        """Stop; clients that are not done within PARTING seconds are disconnected."""
        super().shutdown()
        self.loop.call_later(PARTING, self.transport.abort)

    # A request

    def on_message_begin(self) -> None:
        self._part, self._came = _Part.HEAD, 0
        self._expect()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._part is _Part.BODY:
            raise self._because(malformed("Trailers behind the body are not supported."))
        super().on_header(name, value)
        if len(self.headers) > LINES:
            raise self._because(too_long(f"{LINES} lines"))

    def on_headers_complete(self) -> None:
        hosts = [value for name, value in self.headers if name == b"host"]
        needed = self.parser.get_http_version() != "1.0"
        if len(hosts) != 1 if needed else len(hosts) > 1:
            raise self._because(malformed("Send exactly one Host header."))
        if hosts and not HOST.fullmatch(hosts[0]):
            raise self._because(malformed("The Host header is no valid host name."))
        self._complete_headers()
        self._part, self._told = _Part.BODY, True

    def _complete_headers(self) -> None:
        """Pass the head on to uvicorn, whose parser takes addresses of up to PARSED bytes."""
        if len(self.url) <= PARSED:
            super().on_headers_complete()
            return
        self.url, _, query = self.url.partition(b"?")
        if len(self.url) > PARSED or not ADDRESS.fullmatch(query):
            raise self._because(malformed("The address is malformed."))
        super().on_headers_complete()
        self.scope["query_string"] = query  # before the task that answers begins

    def on_body(self, body: bytes) -> None:
        self._told = True
        self._came += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._part, self._told = _Part.BEGINNING, True
        self._arrived()
        super().on_message_complete()

    def _feed(self, piece: memoryview) -> None:
        self._told = False
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            self._close_after_answers()  # the rest is another protocol, which is not supported
            return
        except httptools.HttpParserError:
            self._refuse(self._refusal or malformed("This is not HTTP."))
            return
        self._count = 0 if self._told else self._count + len(piece)
        if self._count > self._most:
            limit = f"{self._most:,} bytes"
            between = malformed(f"There are more than {limit} between two chunks of the body.")
            self._refuse(between if self._part is _Part.BODY else too_long(limit))

    def _because(self, refusal: EarlyRefusal) -> EarlyRefusal:
        self._refusal = refusal
        return refusal

    # Its answer

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        answer = WholeAnswers(self.transport)
        cycle.transport = answer  # type: ignore[assignment]
        attended = _attended(app, cycle, answer, lambda: self._left)
        super()._start_asgi_task(cycle, attended)  # type: ignore[arg-type]

    def _is_answering(self) -> bool:
        cycle = self._answering
        return bool(self.pipeline) or (cycle is not None and not cycle.response_complete)

    def _is_answering_others(self) -> bool:
        """Whether complete requests are unanswered; an incomplete one is dropped."""
        if self._part is _Part.BODY:
            if not self.pipeline or self.pipeline[0][0] is not self.cycle:
                return False
            self.pipeline.popleft()
        return self._is_answering()

    def _close_after_answers(self) -> None:
        self._over = True
        self._arrived()
        last = self.pipeline[0][0] if self.pipeline else self._answering
        if last is None or last.response_complete:
            self.transport.close()
        else:
            last.keep_alive = False

    def _refuse(self, refusal: EarlyRefusal) -> None:
        """Send the refusal, unless another answer is in progress, and close."""
        if self.transport.is_closing():
            return
        refused.labels(refusal.status.value).inc()
        if self._is_answering_others():
            self._close_after_answers()
            return
        if self._part is not _Part.BODY or not self.cycle.response_started:
            self.transport.write(refusal.answer(version_key(_settings())))
        self.transport.close()

    # The end of waiting

    def _expect(self) -> None:
        self._arrived()
        self._arriving = self.loop.call_later(self._seconds, self._too_late)

    def _arrived(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _too_late(self) -> None:
        if self._part is _Part.BEGINNING:
            self.transport.close()
            return
        headers = dict(self.headers) if self._part is _Part.BODY else {}
        self._refuse(too_late(self._seconds, self._came, headers.get(b"content-length")))

    def _watch(self, waiting: int) -> None:
        self._stalling = self.loop.call_later(STALLED, self._look, waiting)

    def _look(self, before: int) -> None:
        """Disconnect a client that has read less than STEADY bytes since `before` were unread."""
        waiting = unread(self.transport)
        if before - waiting < STEADY:
            self.transport.abort()
        else:
            self._watch(waiting)

    def _going_on(self) -> None:
        if self._stalling is not None:
            self._stalling.cancel()
            self._stalling = None


def _attended(
    app: ASGI, cycle: RequestResponseCycle, answer: WholeAnswers, has_left: Callable[[], bool]
) -> ASGI:
    """`app`, which receives a disconnection once the client has left but may still send to it."""
    is_whole = False

    async def received() -> Message:
        nonlocal is_whole
        while not (is_whole and has_left()):
            message: Message = await cycle.receive()  # type: ignore[assignment]
            if message["type"] == "http.disconnect":
                return message
            if not is_whole:
                is_whole = not message.get("more_body", False)
                return message
        return {"type": "http.disconnect"}

    async def sent(message: Message) -> None:
        if cycle.transport.is_closing():
            cycle.disconnected = True
        answer.before(message)
        await cycle.send(message)  # type: ignore[arg-type]
        answer.after(message)

    async def attended(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, received, sent)
        if has_left() and not cycle.response_complete:  # `app` gave up because the client left
            cycle.disconnected = True
            cycle.transport.close()

    return attended
