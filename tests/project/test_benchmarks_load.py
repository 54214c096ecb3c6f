"""`benchmarks.load`: its clients see what a server does, and say what was wrong. No timing here."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import pytest

from benchmarks import load
from benchmarks.load import hammer
from benchmarks.load.crowd import ROOM
from benchmarks.load.hammer import Blow, entity_tag, strike
from benchmarks.load.hostile import catalogue
from benchmarks.load.machine import Clock, descriptors, memory
from benchmarks.load.mix import mixed
from benchmarks.load.rows import count, row
from benchmarks.load.rude import Rude
from benchmarks.load.sending import pages, small, steadily, traces
from benchmarks.load.soak import _leave, _send
from benchmarks.load.waiting import until
from benchmarks.load.watching import RATE, Watcher, watch
from benchmarks.load.wire import Pool, connect, encoded, whole
from benchmarks.report import Goal
from benchmarks.serving import Server, running
from engine.trace.build import trace
from tests.support.hostile import lines, text_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
PLAIN = b"HTTP/1.1 422 No\r\nContent-Length: 3\r\nETag: x\r\n\r\nabc"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
BARE = b"HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n"
LONG = 30.0  # seconds that are waited at most, never as a rule


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(ROOM) as found:
        yield found


class Wire(asyncio.Transport):
    """A connection that keeps what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data


def run(work: Any) -> Any:
    return load._run(asyncio.wait_for(work, 4 * LONG))


# Reading answers


@pytest.mark.parametrize(
    ("data", "status", "body"), [(PLAIN, 422, b"abc"), (CHUNKED, 200, b"abc"), (BARE, 304, b"")]
)
def test_an_answer_is_read_once_it_is_whole(data: bytes, status: int, body: bytes) -> None:
    assert all(whole(data[:end]) is None for end in range(len(data)))
    found = whole(data + b"HTTP/1.1")
    assert found is not None
    answer, length = found
    assert (answer.status, answer.body, length) == (status, body, len(data))


def test_headers_are_found_whatever_their_case() -> None:
    found = whole(PLAIN)
    assert found is not None
    assert found[0].header("etag") == "x"
    assert found[0].header("vary") is None


# Watching streams


def event(step: int) -> bytes:
    data = b"id: %d\nevent: state\ndata: {}\n\n" % step
    return b"%x\r\n%b\r\n" % (len(data), data)


def watcher(*pieces: bytes) -> Watcher:
    found = Watcher(b"request")
    found.connection_made(cast("asyncio.BaseTransport", Wire()))
    for piece in pieces:
        found.data_received(piece)
    return found


def test_events_are_seen_wherever_the_data_is_cut() -> None:
    data = HEAD + b"9\r\nretry: 5\n\r\n" + event(10) + event(20) + event(30)
    for cut in range(len(HEAD), len(data)):
        found = watcher(data[:cut], data[cut:])
        assert (len(found.times), found.wrong) == (3, "")
    single = watcher(HEAD, *(data[i : i + 1] for i in range(len(HEAD), len(data))))
    assert (len(single.times), single.wrong) == (3, "")


def test_a_step_that_is_missing_or_comes_twice_is_an_error() -> None:
    assert watcher(HEAD + event(10) + event(30)).wrong == "step 30 after 10"
    assert watcher(HEAD + event(10) + event(10)).wrong == "step 10 after 10"


def test_another_status_and_the_end_of_a_stream_are_errors() -> None:
    assert watcher(b"HTTP/1.1 503 Busy\r\n\r\n").wrong == "503"
    cut = watcher(HEAD)
    cut.connection_lost(None)
    assert cut.wrong == "cut off"


def test_silence_at_the_end_is_a_gap() -> None:
    found = watcher(HEAD)
    found.times = [1.0, 1.1, 1.3]
    assert found.gaps(0.9, 1.35) == pytest.approx([100, 200])
    assert found.gaps(0.9, 2.3) == pytest.approx([100, 200, 1000])
    assert found.gaps(5.0, 7.0) == pytest.approx([2000])
    assert found.gaps(1.25, 1.3 + 0.5 / RATE) == []


# What is sent


@pytest.mark.usefixtures("natively")
def test_small_programs_have_seven_to_thirty_values_and_are_all_different() -> None:
    programs = [small(seed) for seed in range(300)]
    assert len(set(programs)) == len(programs)
    assert {7, 30} <= {len(trace(program).nodes) for program in programs} <= set(range(7, 31))


def test_no_two_requests_of_a_crowd_are_alike() -> None:
    for requests in (traces(), pages()):
        assert len(set(islice(requests, 200))) == 200


def test_the_catalogue_is_that_of_the_tests() -> None:
    cases = lines("hostile-programs.jsonl")
    assert [(one.id, one.program) for one in catalogue()] == [
        (case["id"], text_of(case)) for case in cases
    ]


# Beside a real server


def test_every_kind_of_the_mix_is_answered_rightly(server: Server) -> None:
    order = list(islice(mixed(), 75))
    kinds = {one.kind for one in order if not one.kind.startswith("hostile")}
    assert len(kinds) == 24
    assert run(_send(server, iter(order))) == Counter()


def test_a_wrong_answer_is_counted_with_its_status(server: Server) -> None:
    async def ask() -> Counter[str]:
        pool = Pool(server.port)
        requests = iter([encoded("GET", "/healthz"), encoded("GET", "/nothing")])
        sent = await steadily(pool, requests, 100, 0.02)
        pool.close()
        assert len(sent.times) == 1
        return sent.wrong

    assert run(ask()) == Counter({"404": 1})


def test_streams_are_watched_and_leave_nothing_open(server: Server) -> None:
    async def look() -> list[Watcher]:
        watchers = await watch(server.port, 3, 0.1)
        assert await until(lambda: all(len(one.times) > 2 for one in watchers), LONG)
        for one in watchers:
            one.leave()
        return watchers

    assert [one.wrong for one in run(look())] == ["", "", ""]
    assert run(_leave(server, 3, first=1))[1] == 0


@pytest.mark.parametrize("wrk", [True, False], ids=["wrk, if it is there", "own client"])
def test_the_same_answer_again_and_again(
    server: Server, wrk: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not wrk:
        monkeypatch.setattr(shutil, "which", lambda name: None)
    target = "/api/trace?program=L+%3D+2"
    tag = entity_tag(server, target, run)
    for blow in (
        Blow("GET", target),
        Blow("GET", target, headers=(("if-none-match", tag),), status=304),
        Blow("POST", "/api/trace", '{"program": "L = 2 * 3"}'),
    ):
        struck = strike(server, blow, 0.3, run)
        assert struck.rate > 0
        assert struck.wrong == 0


def test_failed_answers_are_not_measured(server: Server) -> None:
    with pytest.raises(RuntimeError, match="/nothing answered with 404"):
        strike(server, Blow("GET", "/nothing"), 0.1, run)


def test_failures_that_wrk_tells_are_counted() -> None:
    said = "  Socket errors: connect 0, read 3, write 0, timeout 2\n  Non-2xx or 3xx responses: 7\n"
    assert hammer._failures(said) == 12
    assert hammer._failures("Requests/sec:   1234.50\n") == 0


def test_connections_closed_by_the_server_are_distinguished() -> None:
    async def both() -> tuple[Rude, Rude]:
        loop = asyncio.get_running_loop()
        accepted: list[asyncio.BaseTransport] = []

        class Host(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted.append(transport)

        listening = await loop.create_server(Host, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        closed, left = await connect(port, Rude()), await connect(port, Rude())
        assert await until(lambda: len(accepted) == 2, LONG)
        left.leave()
        accepted[0].close()
        assert await until(lambda: closed.seconds is not None, LONG)
        accepted[1].close()
        listening.close()
        await listening.wait_closed()
        return closed, left

    closed, left = run(both())
    assert closed.seconds is not None
    assert left.seconds is None


def test_shares_and_memory_are_those_of_the_server(server: Server) -> None:
    clock = Clock(server)
    run(_send(server, islice(mixed(), 24)))
    shares = clock.shares()
    if memory(server.process) is None:  # not Linux
        assert shares.cells()[1:] == ("–", "–")
        return
    assert (memory(server.process) or 0) > 10
    assert (descriptors(server.process) or 0) > 3
    assert shares.server is not None
    assert shares.server > 0


# Rows


def test_rows_report_failures_and_unknown_figures() -> None:
    assert count("errors", Counter()) == ("errors", "0", "≤ 0", "met")
    wrong = Counter({"503": 2, "500": 1})
    assert count("errors", wrong) == ("errors", "3 (2 × 503, 1 × 500)", "≤ 0", "MISSED")
    assert row("memory", None, Goal(5)) == ("memory", "not available on this system", "–", "")
    assert row("gap", 1234.5, Goal(5), 1, " (x)") == ("gap", "1,234.5 (x)", "≤ 5", "MISSED")


def test_the_client_runs_without_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)

    async def answer() -> int:
        return 42

    assert load._run(answer()) == 42
