"""A minimal HTTP/1.1 client, for benchmarks on the server's own processors.

Requests are encoded in advance and responses barely parsed, to keep the client's share of a figure
small.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NamedTuple, TypeVar, cast

from benchmarks.serving import HOST

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
BODILESS = (204, 304)

LineType = TypeVar("LineType", bound=asyncio.Protocol)


class Answer(NamedTuple):
    """A response: status, raw header lines and body."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        """The first header with the name."""
        for line in self.head.split(b"\r\n")[1:]:
            key, _, text = line.partition(b":")
            if key.decode("latin-1").lower() == name:
                return text.strip().decode("latin-1")
        return None


def encoded(
    method: str, target: str, body: str = "", kind: str = JSON, headers: Mapping[str, str] = {}
) -> bytes:
    """A request on the wire."""
    content = body.encode()
    lines = [f"{method} {target} HTTP/1.1", f"host: {HOST}"]
    lines += [f"{name}: {text}" for name, text in headers.items()]
    if method == "POST":
        lines += [f"content-type: {kind}", f"content-length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


def whole(held: bytes | bytearray) -> tuple[Answer, int] | None:
    """The response at the start of `held`, and its length; None while incomplete."""
    end = held.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(held[:end])
    found = Answer(int(head[9:12]), head, b"")
    start = end + 4
    if found.header("transfer-encoding") == "chunked":
        return _chunked(held, found, start)
    length = 0 if found.status in BODILESS else int(found.header("content-length") or 0)
    if len(held) < start + length:
        return None
    return found._replace(body=bytes(held[start : start + length])), start + length


def _chunked(held: bytes | bytearray, found: Answer, at: int) -> tuple[Answer, int] | None:
    parts: list[bytes] = []
    while (line := held.find(b"\r\n", at)) >= 0:
        size = int(held[at:line], 16)
        at = line + 2 + size + 2
        if len(held) < at:
            return None
        if size == 0:
            return found._replace(body=b"".join(parts)), at
        parts.append(bytes(held[line + 2 : line + 2 + size]))
    return None


class Line(asyncio.Protocol):
    """A keep-alive connection, for one request at a time."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._waiting: asyncio.Future[Answer] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._held += data
        if self._waiting is None or self._waiting.done():
            return
        if (found := whole(self._held)) is not None:
            answer, length = found
            del self._held[:length]
            self._waiting.set_result(answer)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(error or ConnectionResetError("closed without an answer"))

    async def ask(self, request: bytes) -> Answer:
        """The response to a request. Raises OSError."""
        if self._transport is None:
            raise ConnectionResetError("the server closed the connection")
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiting

    @property
    def is_open(self) -> bool:
        """Whether the connection is open."""
        return self._transport is not None

    def close(self) -> None:
        """Close it, even during a request."""
        if self._transport is not None:
            self._transport.abort()


async def connect(port: int, line: LineType) -> LineType:
    """Connect `line` to the server. Raises OSError."""
    await asyncio.get_running_loop().create_connection(lambda: line, HOST, port)
    return line


class Pool:
    """A pool of connections to the server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[Line] = []

    async def ask(self, request: bytes) -> Answer:
        """The response to a request. Raises OSError."""
        while self._free and not self._free[-1].is_open:
            self._free.pop()  # the server may close an idle one
        line = self._free.pop() if self._free else await connect(self._port, Line())
        try:
            answer = await line.ask(request)
        except BaseException:
            line.close()
            raise
        if answer.header("connection") != "close":
            self._free.append(line)
        return answer

    def close(self) -> None:
        """Close all idle connections."""
        for line in self._free:
            line.close()
        self._free.clear()
