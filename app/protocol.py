"""HTTP on the wire, for whoever is not polite: uvicorn's protocol with an end to waiting.

uvicorn waits for ever for the rest of a request, and reads heads of any length. Here

- a request, head and body, has to arrive within `receive_seconds`, counted from its first byte or,
  on a new connection, from the connection;
- its head is at most `head_bytes` long, in at most LINES lines, and names one host;
- a client that stops reading its answer is left after STALLED seconds.

What is refused is told why, with the headers that every answer carries, and the connection closes.
"""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.headers import ALWAYS
from app.settings import Settings, from_environment

LINES = 100
STALLED = 30.0  # seconds
PARTING = 1.0  # seconds that connections stay open once the server is being stopped
HOST = re.compile(rb"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")

refused = dict.fromkeys(
    (
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    ),
    0,
)
"""Requests that this process refused before any application saw them, by status."""

_settings = lru_cache(1)(from_environment)


class _Refusal(Exception):
    """A request that is not read to its end."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class GuardedProtocol(HttpToolsProtocol):
    """One connection. Made by uvicorn, which gives it the arguments."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        settings: Settings = _settings()
        self._seconds = settings.number("receive_seconds")
        self._most = settings.whole("head_bytes")
        self._in_head = True
        self._head = 0  # bytes of the head so far
        self._refusal: _Refusal | None = None
        self._arriving: asyncio.TimerHandle | None = None
        self._stalling: asyncio.TimerHandle | None = None

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        self._going_on()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser; a head no further than it may be long."""
        self._unset_keepalive_if_required()
        while data and not self.transport.is_closing():
            piece = data[: self._most - self._head + 1] if self._in_head else data
            data = data[len(piece) :]
            try:
                self.parser.feed_data(piece)
            except httptools.HttpParserUpgrade:
                return  # to another protocol, which is not spoken here: the request is answered
            except httptools.HttpParserError:
                self._refuse(self._refusal or _Refusal(HTTPStatus.BAD_REQUEST, "This is not HTTP."))
                return
            self._head += len(piece) if self._in_head else 0
            if self._head > self._most:
                self._refuse(_too_long(f"{self._most:,} bytes"))

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalling is None:
            self._stalling = self.loop.call_later(STALLED, self.transport.abort)

    def resume_writing(self) -> None:
        self._going_on()
        super().resume_writing()

    def shutdown(self) -> None:
        """The server is being stopped: who is not done soon, or does not read, is left."""
        super().shutdown()
        self.loop.call_later(PARTING, self.transport.abort)

    # A request

    def on_message_begin(self) -> None:
        self._in_head, self._head = True, 0
        self._expect()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > LINES:
            self._refusal = _too_long(f"{LINES} lines")
            raise self._refusal

    def on_headers_complete(self) -> None:
        self._in_head = False
        hosts = [value for name, value in self.headers if name == b"host"]
        needed = self.parser.get_http_version() != "1.0"
        if len(hosts) != 1 if needed else len(hosts) > 1:
            self._refusal = _Refusal(HTTPStatus.BAD_REQUEST, "Say which host is meant, once.")
        elif hosts and not HOST.fullmatch(hosts[0]):
            self._refusal = _Refusal(HTTPStatus.BAD_REQUEST, "This is not the name of a host.")
        if self._refusal:
            raise self._refusal
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._arrived()
        super().on_message_complete()

    # The end of waiting

    def _expect(self) -> None:
        self._arrived()
        self._arriving = self.loop.call_later(self._seconds, self._too_late)

    def _arrived(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _going_on(self) -> None:
        if self._stalling is not None:
            self._stalling.cancel()
            self._stalling = None

    def _too_late(self) -> None:
        if self._in_head and not self._head:
            self.transport.close()
            return
        message = f"The request did not arrive within {self._seconds:g} seconds."
        self._refuse(_Refusal(HTTPStatus.REQUEST_TIMEOUT, message))

    def _refuse(self, refusal: _Refusal) -> None:
        """Say why, unless an answer is on its way already, and close."""
        refused[refusal.status] += 1
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(_answer(refusal))
        self.transport.close()


def _too_long(limit: str) -> _Refusal:
    message = f"Address and headers are longer than {limit}, the limit; send long programs by POST."
    return _Refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, message)


def _answer(refusal: _Refusal) -> bytes:
    body = refusal.message.encode() + b"\n"
    headers = (
        *ALWAYS,
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    )
    first = f"HTTP/1.1 {refusal.status.value} {refusal.status.phrase}\r\n".encode()
    return first + b"".join(b"%b: %b\r\n" % pair for pair in headers) + b"\r\n" + body
