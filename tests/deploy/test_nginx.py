"""What nginx itself sees to: who asks, how often, how long and how much."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from benchmarks.replicas import HOST, Answer, Cluster, Proxy, ask
from tests.deploy.shell import assert_hard_shell

PATIENCE = 2  # seconds that this nginx waits for a sender
BURST = 2_000  # requests that one address may send at once
FORWARDED = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "evil.example",
    "x-forwarded-port": "1",
    "x-forwarded-prefix": "/evil",
    "x-forwarded-proto": "gopher",
    "x-real-ip": "203.0.113.9",
    "forwarded": "for=203.0.113.9;host=evil.example",
    "x-request-id": "evil",
}


class Echo(ThreadingHTTPServer):
    """In a replica's place: answers with the headers that it got, and counts."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Handler)
        self.count = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one piece: the second would wait for the first

    def do_GET(self) -> None:
        assert isinstance(self.server, Echo)
        self.server.count += 1
        self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.dumps({name.lower(): text for name, text in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815  # the name that http.server looks for

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def echo() -> Iterator[Echo]:
    """Serves in a thread."""
    with Echo() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def front(nginx: None, echo: Echo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """nginx before it, less patient and less generous than usual."""
    changes = {"SEEGRAD_PATIENCE": f"{PATIENCE}s", "SEEGRAD_REQUESTS": "1r/s"}
    proxy = Proxy(tmp_path_factory.mktemp("front"), [echo.server_port], changes)
    try:
        proxy.start()
        yield proxy
    finally:
        proxy.stop()


def heard(answer: Answer) -> dict[str, str]:
    """The headers that arrived at the replica."""
    found: dict[str, str] = json.loads(answer.body)
    return found


# Who asks


@pytest.mark.parametrize(
    "path", ["/train", "/api/train", "/v/0/graph", "/static/0/x", "/train/stream"]
)
def test_forwarded_headers_of_a_client_are_not_passed_on(front: Proxy, path: str) -> None:
    got = heard(ask(front.port, path, headers=FORWARDED))
    assert got["x-forwarded-for"] == HOST
    assert got["x-forwarded-proto"] == "http"
    assert got.pop("x-request-id") != "evil"
    assert "evil" not in str(got)
    assert "203.0.113.9" not in str(got)


def test_the_host_is_no_part_of_what_is_kept(front: Proxy) -> None:
    for path, host in (
        ("/", "evil.example"),
        ("/v/0/graph", "seegrad"),
        ("/static/0", "seegrad"),
    ):
        assert heard(ask(front.port, path, headers={"host": "evil.example"}))["host"] == host


def test_a_replica_believes_its_proxy_alone(nginx: None, tmp_path: Path) -> None:
    """Streams are counted by address, and nobody has several by saying so."""
    one = Cluster.in_folder(tmp_path, 1, SEEGRAD_TRAIN_STREAMS_EACH="1")
    try:
        one.start()
        with socket.create_connection((HOST, one.proxy.port), timeout=30) as watching:
            watching.sendall(
                b"GET /train/stream?fps=1 HTTP/1.1\r\nHost: x\r\n"
                b"X-Forwarded-For: 203.0.113.1\r\n\r\n"
            )
            assert watching.recv(12) == b"HTTP/1.1 200"
            for other in ("203.0.113.2", "127.0.0.1", "203.0.113.3, 127.0.0.1", "::1"):
                answer = one.ask("/train/stream", headers={"x-forwarded-for": other})
                assert answer.status == 503
                assert answer.headers["cache-control"] == "no-store"
    finally:
        one.stop()


# How long and how much


def send(port: int, data: bytes) -> socket.socket:
    """A connection on which so much was sent."""
    connection = socket.create_connection((HOST, port), timeout=60)
    connection.sendall(data)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side closed; what it sent before is passed over."""
    connection.setblocking(False)
    try:
        while connection.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def test_silent_and_slow_senders_are_cut_off(front: Proxy, echo: Echo) -> None:
    before = echo.count
    head = b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    waiting = [send(front.port, b"") for _ in range(200)]
    waiting += [send(front.port, head + b"a=") for _ in range(25)]
    slow = [send(front.port, b"GET / HTTP/1.1\r\nX: ") for _ in range(25)]
    end = time.monotonic() + 60
    while waiting or slow:
        assert time.monotonic() < end, f"{len(waiting)} silent and {len(slow)} slow ones are left"
        assert ask(front.port, "/proxyz").status == 200
        for connection in list(slow):
            try:
                connection.setblocking(True)
                connection.sendall(b"y")
            except OSError:
                slow.remove(connection)
                connection.close()
        for connection in [one for one in waiting if is_closed(one)]:
            waiting.remove(connection)
            connection.close()
        threading.Event().wait(0.1)  # a byte ten times a second
    assert echo.count == before, "a replica was bothered with them"


def test_heads_are_bounded(front: Proxy, echo: Echo) -> None:
    assert ask(front.port, f"/graph?{'x' * 60_000}").status == 200
    before = echo.count
    for path, headers, status in (
        (f"/graph?{'x' * 99_000}", {}, 414),
        ("/graph", {"x": "y" * 99_000}, 400),
        ("/graph", {f"x{i}": "y" * 90_000 for i in range(5)}, 400),
    ):
        answer = ask(front.port, path, headers=headers)
        assert answer.status == status
        assert answer.headers["cache-control"] == "no-store"
        assert_hard_shell(answer)
    assert echo.count == before


def test_bodies_are_bounded(front: Proxy, echo: Echo) -> None:
    assert ask(front.port, "/graph", "POST", body=b"x" * 524_288).status == 200
    before = echo.count
    for path in ("/graph", "/api/trace"):
        answer = ask(front.port, path, "POST", body=b"x" * 524_289)
        assert answer.status == 413
        assert answer.headers["cache-control"] == "no-store"
        assert_hard_shell(answer)
    with send(
        front.port, b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 1" + b"0" * 9 + b"\r\n\r\n"
    ) as huge:
        assert huge.recv(12) == b"HTTP/1.1 413"
    assert echo.count == before


def test_other_errors_of_nginx_have_the_headers(front: Proxy) -> None:
    for path, method, status in (("/readyz", "GET", 404), ("/", "TRACE", 405)):
        answer = ask(front.port, path, method)
        assert answer.status == status
        assert_hard_shell(answer)


# How often; the last test, as it uses up what this address may ask


def test_requests_of_one_address_are_limited(front: Proxy) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.%d\r\n\r\n"
    with socket.create_connection((HOST, front.port), timeout=60) as connection:
        text = b""
        for first in range(0, BURST + 100, 100):
            connection.sendall(b"".join(request % (i % 256) for i in range(first, first + 100)))
            while text.count(b"HTTP/1.1 ") < first + 100:
                text += connection.recv(65_536)
    assert 0 < text.count(b"HTTP/1.1 429") < 200
    answer = ask(front.port, "/graph", headers={"x-forwarded-for": "203.0.113.77"})
    assert answer.status == 429
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers["retry-after"]) > 0
    assert_hard_shell(answer)
    assert ask(front.port, "/static/0/x").status == 200  # a class loads its pages all at once
