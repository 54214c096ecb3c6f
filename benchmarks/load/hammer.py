"""Closed-loop throughput of one request: by wrk, or by a built-in client.

wrk uses less of the processors shared with the server. The built-in client only counts the bytes of
a response.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks.load.wire import JSON, Answer, Line, connect, encoded
from benchmarks.serving import HOST, Server

CONNECTIONS = 16
Runner = Callable[[Coroutine[Any, Any, Any]], Any]


@dataclass(frozen=True, slots=True)
class Blow:
    """A request and the expected status."""

    method: str
    target: str
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    status: int = 200

    @property
    def encoded(self) -> bytes:
        """The request on the wire."""
        return encoded(self.method, self.target, self.body, headers=dict(self.headers))


@dataclass(frozen=True, slots=True)
class Struck:
    """Responses per second, and the number of wrong ones."""

    rate: float
    wrong: int
    by: str


def strike(server: Server, blow: Blow, seconds: float, run: Runner) -> Struck:
    """Send the request for `seconds`. Raises RuntimeError if the first response is wrong."""
    first = run(_once(server.port, blow))
    if first.status != blow.status:
        raise RuntimeError(f"{blow.method} {blow.target} answered with {first.status}")
    if wrk := shutil.which("wrk"):
        return _wrk(wrk, server, blow, seconds)
    struck: Struck = run(_own(server.port, blow, seconds))
    return struck


async def _once(port: int, blow: Blow) -> Answer:
    line = await connect(port, Line())
    answer = await line.ask(blow.encoded)
    line.close()
    return answer


def entity_tag(server: Server, target: str, run: Runner) -> str:
    """The `ETag` of the response at an address. Raises RuntimeError if it has none."""
    found: Answer = run(_once(server.port, Blow("GET", target)))
    if (tag := found.header("etag")) is None:
        raise RuntimeError(f"{target} is answered without an ETag")
    return tag


# wrk


def _wrk(wrk: str, server: Server, blow: Blow, seconds: float) -> Struck:
    url = f"http://{HOST}:{server.port}{blow.target}"
    command = [wrk, "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s"]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "request.lua"
        script.write_text(_script(blow), "utf-8")
        command += ["-s", str(script), url]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Struck(float(_said(r"Requests/sec:\s+([\d.]+)", said)), _failures(said), "wrk")


def _script(blow: Blow) -> str:
    headers: Mapping[str, str] = dict(blow.headers)
    if blow.method == "POST":
        headers = {**headers, "content-type": JSON}
    lines = [f"wrk.method = {_lua(blow.method)}"]
    lines += [f"wrk.headers[{_lua(name)}] = {_lua(text)}" for name, text in headers.items()]
    if blow.body:
        lines.append(f"wrk.body = {_lua(blow.body)}")
    return "\n".join(lines) + "\n"


def _lua(text: str) -> str:
    """A Lua string literal, which equals JSON's for plain text."""
    return json.dumps(text)


def _failures(said: str) -> int:
    """The number of unsuccessful responses and connection errors in wrk's output."""
    refused = _said(r"Non-2xx or 3xx responses: (\d+)", said)
    sockets = re.findall(r"(?:connect|read|write|timeout) (\d+)", said)
    return int(refused) + sum(map(int, sockets))


def _said(pattern: str, said: str) -> str:
    found = re.search(pattern, said)
    return found[1] if found else "0"


# Built-in client


class _Fist(asyncio.Protocol):
    """A connection that sends the next request after each response."""

    def __init__(self, request: bytes, status: int, size: int) -> None:
        self.count = 0
        self.wrong = 0
        self._request = request
        self._right = b"HTTP/1.1 %d " % status
        self._size = size
        self._missing = size
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        if self._missing == self._size and not data.startswith(self._right):
            self.wrong += 1  # of unknown length, which ends the use of this connection
            self._transport.abort()
            return
        self._missing -= len(data)
        if self._missing <= 0:
            self.count += 1
            self._missing = self._size
            self._transport.write(self._request)

    def stop(self) -> None:
        assert self._transport is not None
        self._transport.abort()


async def _own(port: int, blow: Blow, seconds: float) -> Struck:
    size = await _length(port, blow)
    fists = [_Fist(blow.encoded, blow.status, size) for _ in range(CONNECTIONS)]
    for fist in fists:
        await connect(port, fist)
    before, began = sum(fist.count for fist in fists), time.perf_counter()
    await asyncio.sleep(seconds)
    made, took = sum(fist.count for fist in fists) - before, time.perf_counter() - began
    for fist in fists:
        fist.stop()
    return Struck(made / took, sum(fist.wrong for fist in fists), "own client")


async def _length(port: int, blow: Blow) -> int:
    """The response's length in bytes, with its head: of the second, which is cached."""
    await _once(port, blow)
    answer = await _once(port, blow)
    return len(answer.head) + 4 + len(answer.body)
