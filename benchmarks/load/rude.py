"""Idle and slow connections (slowloris), and their effect on other requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import cast

from benchmarks.load.hammer import Runner
from benchmarks.load.rows import Row, count, row
from benchmarks.load.sending import Sent, steadily, traces
from benchmarks.load.waiting import until
from benchmarks.load.wire import Pool, connect
from benchmarks.report import Goal, percentile
from benchmarks.serving import Server, running

SILENT, SLOW = 200, 50
RATE = 20.0  # other requests per second
ROUND = 15.0  # seconds of a round with or without the rude connections
ROUNDS = 2
PAUSE = 1.0  # seconds between two bytes
HEAD = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: " + b"x" * 600
BODY = (
    b"POST /api/trace HTTP/1.1\r\nhost: localhost\r\n"
    b"content-type: application/json\r\ncontent-length: 600\r\n\r\n" + b" " * 600
)
CLOSED = Goal(15, " s")
NOTICED = Goal(1.2)


class Rude(asyncio.Protocol):
    """Sends `quick` at once and `slow` byte by byte without end; records when it is closed."""

    def __init__(self, quick: bytes = b"", slow: bytes = b"") -> None:
        self.seconds: float | None = None
        self._quick = quick
        self._slow = slow
        self._said = 0
        self._left = False
        self._began = 0.0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._began = time.perf_counter()
        self._transport.write(self._quick)
        self._say()

    def _say(self) -> None:
        if self._transport is None or self._said >= len(self._slow):
            return
        self._transport.write(self._slow[self._said : self._said + 1])
        self._said += 1
        asyncio.get_running_loop().call_later(PAUSE, self._say)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if not self._left:
            self.seconds = time.perf_counter() - self._began

    def leave(self) -> None:
        """Close it from this side."""
        self._left = True
        if self._transport is not None:
            self._transport.abort()


def crowd() -> Iterator[Rude]:
    """Silent connections, slow headers and slow bodies."""
    yield from (Rude() for _ in range(SILENT))
    yield from (Rude(b"", HEAD) for _ in range(SLOW // 2))
    head, body = BODY.split(b"\r\n\r\n", 1)
    yield from (Rude(head + b"\r\n\r\n", body) for _ in range(SLOW - SLOW // 2))


def rows(seconds: float, run: Runner) -> Iterator[Row]:
    """The time until the last was closed, and the latency of others with and without them."""
    with running() as server:
        alone, beside, rude = run(_measure(server, min(ROUND, seconds)))
    what = f"{SILENT} silent sockets and {SLOW} slow senders"
    closed = [one.seconds for one in rude if one.seconds is not None]
    yield row(f"{what}: left open", len(rude) - len(closed), Goal(0))
    yield row(f"{what}: the last closed after s", max(closed, default=0.0), CLOSED, 1)
    yield count(f"{what}: errors of others", alone.wrong + beside.wrong)
    before, after = percentile(alone.times, 99), percentile(beside.times, 99)
    says = f" ({before:.1f} → {after:.1f} ms)"
    yield row(f"{what}: others' p99, beside ÷ without", after / before, NOTICED, 2, says)
    before, after = median(alone.times), median(beside.times)
    says = f" ({before:.1f} → {after:.1f} ms)"
    yield row(f"{what}: others' median, beside ÷ without", after / before, None, 2, says)


async def _measure(server: Server, seconds: float) -> tuple[Sent, Sent, list[Rude]]:
    """Alternate rounds without and with them."""
    alone, beside, all_rude = Sent(), Sent(), list[Rude]()
    pool, requests = Pool(server.port), traces()
    await steadily(pool, requests, RATE, 1.0)  # warm
    for _ in range(ROUNDS):
        alone += await steadily(pool, requests, RATE, seconds)
        rude = list(crowd())
        for one in rude:
            await connect(server.port, one)
        beside += await steadily(pool, requests, RATE, seconds)
        await until(partial(_all_closed, rude), CLOSED.most)
        for one in rude:
            one.leave()
        all_rude += rude
    pool.close()
    return alone, beside, all_rude


def _all_closed(rude: list[Rude]) -> bool:
    return all(one.seconds is not None for one in rude)
