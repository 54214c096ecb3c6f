"""The wire protocol through raw sockets: malformed, oversized and unfinished requests."""

from __future__ import annotations

import contextlib
import random
import re
import select
import socket
from collections.abc import Iterator
from threading import Thread

import pytest

from app.program_address import View
from app.serving.headers import ALWAYS
from app.serving.protocol import LINES, PARSED
from benchmarks.serving import HOST, Server, running

SECONDS = 1.0  # in which a request has to arrive at this server
PATIENCE = 30.0
PROGRAM = b"program=a%3D2%3BL%3Da*a"
CHUNKED = (
    b"POST /graph HTTP/1.1\r\nHost: x\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
)
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running({"SEEGRAD_RECEIVE_SECONDS": str(SECONDS)}) as found:
        yield found


def connect(server: Server) -> socket.socket:
    return socket.create_connection((HOST, server.port), timeout=PATIENCE)


def read_all(client: socket.socket) -> bytes:
    """What comes until the server closes."""
    parts = []
    try:
        while part := client.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass  # it closed while it was still being written to
    return b"".join(parts)


def say(server: Server, request: bytes) -> bytes:
    """The whole answer to bytes, after which the server closes."""
    with connect(server) as client:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(request)
        return read_all(client)


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def version(answer: bytes) -> bytes:
    found = re.search(rb"\r\nseegrad-version: ([0-9a-f]{12})\r\n", answer)
    assert found
    return found[1]


def is_well(server: Server) -> bool:
    answer = say(server, GET + b"Connection: close\r\n\r\n")
    return status(answer) == 200 and answer.endswith(b'{"status":"ok"}')


REFUSED: dict[str, tuple[int, bytes]] = {
    "no HTTP": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256))),
    "words": (400, b"hello, is it me you are looking for\r\n\r\n"),
    "no host": (400, b"GET / HTTP/1.1\r\n\r\n"),
    "two hosts": (400, b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
    "a host with a script": (400, b'GET / HTTP/1.1\r\nHost: e.example"><script>\r\n\r\n'),
    "two lengths": (
        400,
        b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
    ),
    "length and chunks": (
        400,
        (
            b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
    ),
    "a length that is none": (
        400,
        b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    ),
    "NUL in a header": (400, b"GET / HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n"),
    "bare line feeds": (400, b"GET /healthz HTTP/1.1\nHost: x\n\n"),
    "a method of 1 kB": (400, b"A" * 1_000 + b" / HTTP/1.1\r\nHost: x\r\n\r\n"),
    "an address outside of ASCII": (400, b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n"),
    "CONNECT": (400, b"CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n"),
    "a long address with a fragment": (
        400,
        b"GET /?a=" + b"b" * 70_000 + b"#c HTTP/1.1\r\nHost: x\r\n\r\n",
    ),
    "a path of 70 kB": (400, b"GET /" + b"b" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a header of 100 kB": (431, GET + b"A: " + b"b" * 100_000 + b"\r\n\r\n"),
    "10,000 headers": (431, GET + b"A: b\r\n" * 10_000 + b"\r\n"),
    "more lines than allowed": (431, GET + b"A: b\r\n" * LINES + b"\r\n"),
    "an address of 1 MB": (431, b"GET /?program=" + b"a" * 10**6 + b" HTTP/1.1\r\n\r\n"),
    "10 GB announced": (
        413,
        b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n",
    ),
    "10 GB announced, with a question": (
        413,
        (
            b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n"
            b"Expect: 100-continue\r\n\r\n"
        ),
    ),
    "a body that never begins": (
        408,
        b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    ),
    "a body that never ends": (
        408,
        b"POST /graph HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
    ),
    "a head that never ends": (408, GET + b"A: b"),
    "a header behind the body": (400, CHUNKED + b"5\r\nabcde\r\n0\r\nX-Request-Id: b\r\n\r\n"),
    "a header behind the body that never ends": (400, CHUNKED + b"0\r\nx: " + b"a" * 200_000),
    "headers behind the body": (400, CHUNKED + b"0\r\n" + b"x: a\r\n" * 10_000),
    "a chunk with a long remark": (400, CHUNKED + b"5;a=" + b"b" * 200_000 + b"\r\nabcde\r\n"),
    "a chunk of a long length": (400, CHUNKED + b"0" * 200_000 + b"5\r\nabcde\r\n"),
    "TRACE": (405, b"TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    "PROPFIND": (405, b"PROPFIND / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(server: Server, case: str) -> None:
    right, request = REFUSED[case]
    answer = say(server, request)
    assert status(answer) == right
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    for name in (*(name for name, _ in ALWAYS), b"seegrad-version"):
        assert head.lower().count(b"\n" + name + b": ") == 1
    if right >= 408:
        assert b"cache-control: no-store" in head.lower() or right == 405
    assert body.strip()
    assert version(answer) == version(say(server, GET + b"Connection: close\r\n\r\n"))
    assert is_well(server)


def test_limits_are_named(server: Server) -> None:
    assert b"98,304 bytes" in say(server, REFUSED["a header of 100 kB"][1])
    assert b"100 lines" in say(server, REFUSED["10,000 headers"][1])
    assert b"524,288 bytes" in say(server, REFUSED["10 GB announced"][1])
    assert b"10,000,000,000 bytes" in say(server, REFUSED["10 GB announced"][1])
    assert b"1 seconds" in say(server, REFUSED["a body that never ends"][1])


def test_timeout_message_states_the_bytes_received(server: Server) -> None:
    half = b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n" + b"a" * 1_234
    assert b"1,234 of the 5,000 bytes" in say(server, half)


def test_the_refusal_of_a_long_link_says_what_to_do(server: Server) -> None:
    assert b"paste the program" in say(server, REFUSED["an address of 1 MB"][1])


def test_refusals_are_counted(server: Server) -> None:
    def count() -> int:
        asked = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        text = say(server, asked).decode()
        found = re.search(r'^seegrad_refused_total{status="431"} (\d+)\.0$', text, re.MULTILINE)
        assert found
        return int(found[1])

    before = count()
    say(server, REFUSED["10,000 headers"][1])
    assert count() == before + 1


def test_head_without_an_end_is_cut_off(server: Server) -> None:
    """60 MB are not read: the connection is closed long before."""
    sent = 0
    with connect(server) as client:
        client.sendall(GET + b"A: ")
        try:
            while sent < 60_000_000:
                sent += client.send(b"b" * 65_536)
        except OSError:
            pass
    assert sent < 30_000_000
    assert is_well(server)


def test_silent_connections_are_closed_and_others_answered(server: Server) -> None:
    clients = [connect(server) for _ in range(200)]
    try:
        assert is_well(server)
        for client in clients:
            assert client.recv(1) == b""
    finally:
        for client in clients:
            client.close()


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nA: ",
        b"POST /graph HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n",
    ],
)
def test_slow_senders_are_cut_off(server: Server, head: bytes) -> None:
    """Bytes that keep coming do not keep the request alive."""
    clients = [connect(server) for _ in range(25)]
    answers: dict[socket.socket, bytes] = {}
    try:
        for client in clients:
            client.sendall(head)
        while len(answers) < len(clients):
            for client in clients:
                if client in answers:
                    continue
                readable, _, _ = select.select([client], [], [], 0.01)
                if readable:
                    answers[client] = read_all(client)
                    continue
                try:
                    client.sendall(b"a")
                except OSError:
                    answers[client] = read_all(client)
        assert {status(answer) for answer in answers.values() if answer} == {408}
        assert is_well(server)
    finally:
        for client in clients:
            client.close()


def test_a_connection_is_used_again(server: Server) -> None:
    """The time in which a request has to arrive starts anew with each."""
    with connect(server) as client:
        for together in (1, 1, 2):
            client.sendall(together * (GET + b"\r\n"))
            found = b""
            while found.count(b'{"status":"ok"}') < together:
                part = client.recv(65_536)
                assert part
                found += part


def test_a_long_answer_outlives_the_time_for_requests(server: Server) -> None:
    """A stream that is read slowly for three times as long comes to its end."""
    events = 3 * 5
    path = f"/train/stream?steps={events}&fps=5&samples=4&layers=2-1"
    answer = say(server, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.count(b"event: state") == events
    assert b"event: done" in answer


def test_other_protocols_are_not_spoken(server: Server) -> None:
    for kind in (b"websocket", b"h2c"):
        upgrade = b"Connection: Upgrade, close\r\nUpgrade: " + kind + b"\r\n"
        answer = say(server, GET + upgrade + b"\r\n")
        assert status(answer) == 200


def test_program_that_fills_the_address(server: Server) -> None:
    """The longest program, with each byte written as three, is still read."""
    program = b"a%3D2%0A" + b"%23" * 16_000
    answer = say(
        server,
        b"GET /graph.svg?program=" + program + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    )
    assert status(answer) == 200


def test_packed_program_of_64_kb_that_nothing_can_compress(server: Server) -> None:
    chance = random.Random(3)
    noise = "".join(chr(chance.randint(33, 126)) for _ in range(65_500))
    query = View(f"# {noise}\na = 2.0\nL = a * 3").query()
    assert len(query) > PARSED, "more than httptools parses"
    for target in (f"/graph.svg?{query}", f"http://x/graph.svg?{query}"):
        answer = say(
            server, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
        )
        assert status(answer) == 200
        assert b"6.0" in answer


def test_nothing_at_all_does_not_hold_a_connection(server: Server) -> None:
    """Empty lines between requests are allowed; they are no request, whoever waits for one."""
    with connect(server) as client:
        client.sendall(GET + b"\r\n")
        while not client.recv(65_536).endswith(b'{"status":"ok"}'):
            pass
        client.sendall(b"\r\n")
        assert client.recv(1) == b""


def test_requests_in_one_burst_are_all_answered(server: Server) -> None:
    """The limit of a head is not that of many heads that come together."""
    count = 3_001
    with connect(server) as client:
        sender = Thread(target=client.sendall, args=((GET + b"\r\n") * count,))
        sender.start()
        found, last = 0, b""
        while found < count and (part := client.recv(65_536)):
            found += (last + part).count(b"HTTP/1.1 200 OK") - last.count(b"HTTP/1.1 200 OK")
            last = part[-14:]
        sender.join()
    assert found == count


BAD: dict[str, bytes] = {
    "no HTTP": b"hello, is it me\r\n\r\n",
    "too long": GET + b"A: " + b"b" * 110_000,
    "a header behind the body": CHUNKED + b"0\r\na: b\r\n\r\n",
}


@pytest.mark.parametrize("case", BAD)
def test_refusal_does_not_overtake_an_answer(server: Server, case: str) -> None:
    """Answers have no names: the first is for the first request, and a refusal for none."""
    slow = b"GET /train/stream?steps=3&fps=20&samples=4&layers=2-1 HTTP/1.1\r\nHost: x\r\n\r\n"
    answer = say(server, slow + GET + b"\r\n" + BAD[case])
    assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200", b"200"]
    first, _, second = answer.rpartition(b"HTTP/1.1 200")
    assert b"event: done" in first
    assert b"connection: close" in second.lower()
    assert second.endswith(b'{"status":"ok"}')
    assert is_well(server)
