"""Clients that read slowly, half-close or disconnect, against a real server in this process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread

import pytest
import uvicorn

from app.serving import protocol
from app.serving.headers import ASGI, Message, Receive, Scope, Send
from app.serving.log import RequestLog
from app.serving.protocol import GuardedProtocol

PATIENCE = 30.0
SMALL = 4_096  # bytes of a buffer in the kernel
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@dataclass
class Site:
    """An application that answers with `size` bytes after `seconds`, and what it was told."""

    size: int = 2
    seconds: float = 0.0
    pieces: int = 1
    begun: int = 0
    left: int = 0
    errors: list[BaseException] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun += 1
        try:
            await asyncio.sleep(self.seconds)
            length = str(self.size * self.pieces).encode()
            headers = [(b"content-length", length)]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            for i in range(self.pieces):
                more = i < self.pieces - 1
                body = b"x" * self.size
                await send({"type": "http.response.body", "body": body, "more_body": more})
                await asyncio.sleep(0.001 * more)
        except Exception as error:
            self.errors.append(error)
            raise


@contextmanager
def serving(app: ASGI, buffer: int = 0) -> Iterator[uvicorn.Server]:
    """A server of `app`; `buffer` is the size of what the kernel keeps of an answer."""
    listening = socket.create_server(("127.0.0.1", 0))
    if buffer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    config = uvicorn.Config(
        app,
        http=GuardedProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, args=([listening],))
    thread.start()
    until(lambda: server.started)
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def client(server: uvicorn.Server, buffer: int = 0) -> Iterator[socket.socket]:
    """A connection to it; `buffer` is the size of what the kernel keeps that is not read."""
    with socket.socket() as made:
        if buffer:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        made.settimeout(PATIENCE)
        made.connect(server.servers[0].sockets[0].getsockname())
        yield made


def until(condition: Callable[[], object]) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def read_all(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def reset(connection: socket.socket) -> None:
    """Close it as a process that dies does, with what it has not read."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


# Who does not read


@pytest.mark.parametrize("requests", [1, 66])
def test_unread_answer_is_given_up(requests: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little of it waits: 40 kB are less than what a server usually lets wait."""
    monkeypatch.setattr(protocol, "STALLED", 0.3)
    with serving(Site(40_000), SMALL) as server, client(server, SMALL) as made:
        made.sendall(GET * requests)
        until(lambda: server.server_state.total_requests)
        until(lambda: not server.server_state.connections)
        assert len(read_all(made)) < 40_000


@pytest.mark.parametrize("buffer", [0, SMALL])
def test_slow_reader_gets_everything(buffer: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of which a hundredth is read in the time that may pass with nothing read."""
    monkeypatch.setattr(protocol, "STALLED", 1.5)
    monkeypatch.setattr(protocol, "STEADY", 4_096)
    size, found = 20_000_000, 0
    with serving(Site(size), buffer) as server, client(server, 65_536) as made:
        made.sendall(GET)
        end = time.monotonic() + 3 * protocol.STALLED
        while time.monotonic() < end:
            found += len(made.recv(8_192))
            time.sleep(0.05)  # it is what a slow reader does
        assert len(server.server_state.connections) == 1
        while found < size:
            part = made.recv(1_000_000)
            assert part
            found += len(part)


# Who says no more


def test_half_closed_connection_is_answered() -> None:
    for count in (1, 3):
        with serving(Site(seconds=0.3)) as server, client(server) as made:
            made.sendall(GET * count)
            made.shutdown(socket.SHUT_WR)
            answer = read_all(made)
            assert answer.count(b"HTTP/1.1 200 OK") == count
            assert answer.endswith(b"connection: close\r\n\r\nxx")
            until(lambda: not server.server_state.connections)


@pytest.mark.parametrize(
    "rest", [b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na"]
)
def test_half_closed_amid_a_request(rest: bytes) -> None:
    """What came whole is answered."""
    with serving(Site(seconds=0.3)) as server:
        for count in (0, 2):
            with client(server) as made:
                made.sendall(GET * count + rest)
                made.shutdown(socket.SHUT_WR)
                assert read_all(made).count(b"HTTP/1.1 200 OK") == count
                until(lambda: not server.server_state.connections)


def test_half_closed_and_idle_is_closed() -> None:
    with serving(Site()) as server, client(server) as made:
        made.shutdown(socket.SHUT_WR)
        assert read_all(made) == b""


def test_half_closed_and_unread_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "STALLED", 0.3)
    with serving(Site(400_000, 0.3), SMALL) as server, client(server, SMALL) as made:
        made.sendall(GET)
        made.shutdown(socket.SHUT_WR)
        until(lambda: server.server_state.total_requests)
        until(lambda: not server.server_state.connections)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_work_of_a_disconnected_client_is_cancelled(method: str) -> None:
    """A half-closed connection counts as a disconnect."""
    told: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while not told or told[-1] != "http.disconnect":
            told.append((await receive())["type"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    body = b"Content-Length: 3\r\n\r\nabc" if method == "POST" else b"\r\n"
    with serving(app) as server, client(server) as made:
        made.sendall(method.encode() + b" / HTTP/1.1\r\nHost: x\r\n" + body)
        until(lambda: told)
        assert told == ["http.request"]
        made.shutdown(socket.SHUT_WR)
        assert b"204" in read_all(made)
        assert told == ["http.request", "http.disconnect"]


@pytest.mark.parametrize("begins", [True, False])
def test_work_that_ends_after_a_disconnect_is_no_error(
    begins: bool, caplog: pytest.LogCaptureFixture
) -> None:
    begun: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        begun.append(await receive())
        while (await receive())["type"] != "http.disconnect":
            pass

    with caplog.at_level(logging.WARNING), serving(app) as server, client(server) as made:
        made.sendall(GET)
        until(lambda: begun)
        made.shutdown(socket.SHUT_WR)
        assert read_all(made)[:15] == (b"HTTP/1.1 200 OK" if begins else b"")
        until(lambda: not server.server_state.connections | server.server_state.tasks)
    assert caplog.messages == []


# Who is gone


@pytest.mark.parametrize("site", [Site(seconds=0.05), Site(2_000, pieces=50)])
def test_client_that_is_gone_makes_no_error(
    site: Site, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.WARNING), serving(RequestLog(site, requests=False)) as server:
        for _ in range(5):
            begun = site.begun
            with client(server) as made:
                made.sendall(GET * 100)
                until(lambda: site.begun > begun)  # noqa: B023
                reset(made)
            until(lambda: not server.server_state.connections | server.server_state.tasks)
            assert site.begun < begun + 100
    assert site.errors == []
    assert caplog.messages == []
    assert capsys.readouterr().out == ""


def test_waiting_work_learns_of_a_disconnect() -> None:
    """Even if another request is queued behind it."""
    told: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        told.append(await receive())
        told.append(await receive())

    with serving(app) as server, client(server) as made:
        made.sendall(GET + GET)
        until(lambda: told)
        reset(made)
        until(lambda: len(told) == 2)
        until(lambda: not server.server_state.tasks)
        assert told[1]["type"] == "http.disconnect"
