"""Many concurrent training streams with concurrent program requests."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.load.machine import Clock, Shares
from benchmarks.load.rows import Row, count, row
from benchmarks.load.sending import Sent, pages, steadily, traces
from benchmarks.load.watching import Watcher, watch
from benchmarks.load.wire import Pool
from benchmarks.report import Goal, percentile, table
from benchmarks.serving import Server, running

ARRIVING = 5.0  # seconds over which the streams are opened
SETTLING = 3.0  # seconds after that before anything is measured
RATE = 50.0  # requests a second
ROOM = {"SEEGRAD_TRAIN_STREAMS": "1000", "SEEGRAD_TRAIN_STREAMS_EACH": "1000"}
"""All streams come from one address here."""

Requests = Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Crowd:
    """A number of streams and a kind of requests, with goals in milliseconds."""

    name: str
    streams: int
    requests: Requests
    gap: float
    answer: float | None = None


CROWDS = (
    Crowd("100 streams, traces", 100, traces, gap=300, answer=50),
    Crowd("100 streams, pages", 100, pages, gap=300),
    Crowd("200 streams, traces", 200, traces, gap=600),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A crowd's measurements in milliseconds: latencies, times to first event, gaps."""

    sent: Sent
    firsts: list[float]
    gaps: list[float]
    wrong: Counter[str]
    events: float  # a second
    shares: Shares


async def gather(server: Server, streams: int, requests: Requests, seconds: float) -> Seen:
    """Watch `streams` streams and send RATE requests per second for `seconds`. Raises OSError."""
    pool = Pool(server.port)
    watchers = await watch(server.port, streams, ARRIVING)
    await asyncio.sleep(SETTLING)
    began, clock = time.perf_counter(), Clock(server)
    sent = await steadily(pool, requests(), RATE, seconds)
    ended, shares = time.perf_counter(), clock.shares()
    for watcher in watchers:
        watcher.leave()
    pool.close()
    return _seen(sent, watchers, began, ended, shares)


def _seen(
    sent: Sent, watchers: Sequence[Watcher], began: float, ended: float, shares: Shares
) -> Seen:
    times = [when for watcher in watchers for when in watcher.times if began <= when < ended]
    return Seen(
        sent,
        [watcher.first for watcher in watchers if watcher.times],
        [gap for watcher in watchers for gap in watcher.gaps(began, ended)],
        Counter(watcher.wrong for watcher in watchers if watcher.wrong),
        len(times) / (ended - began),
        shares,
    )


def measure(seconds: float, run: Callable[..., Seen]) -> tuple[str, list[Row]]:
    """The table of all crowds, each with a fresh server, and the rows of goals."""
    found = []
    for crowd in CROWDS:
        with running(ROOM) as server:
            found.append((crowd, run(gather(server, crowd.streams, crowd.requests, seconds))))
    title = f"Load: crowds of {seconds:g} s, {RATE:g} requests per second; milliseconds, processors"
    spreads = ("answer p50", "p99", "most", "gap p50", "p99", "most")
    head = ("crowd", *spreads, "events/s", "first event p50", "p99", "client", "server", "others")
    shown = table(title, head, (_cells(crowd, seen) for crowd, seen in found))
    return shown, [line for crowd, seen in found for line in _rows(crowd, seen)]


def _cells(crowd: Crowd, seen: Seen) -> Sequence[str]:
    return (
        crowd.name,
        *_numbers(seen.sent.times, 50, 99, 100),
        *_numbers(seen.gaps, 50, 99, 100),
        f"{seen.events:,.0f}",
        *_numbers(seen.firsts, 50, 99),
        *seen.shares.cells(),
    )


def _numbers(samples: Sequence[float], *percents: float) -> list[str]:
    return [f"{percentile(samples, percent):,.0f}" if samples else "–" for percent in percents]


def _rows(crowd: Crowd, seen: Seen) -> Iterator[Row]:
    yield count(f"{crowd.name}: errors", seen.sent.wrong + seen.wrong)
    if crowd.answer is not None:
        p99 = percentile(seen.sent.times, 99) if seen.sent.times else float("inf")
        yield row(f"{crowd.name}: answer, p99 ms", p99, Goal(crowd.answer))
    p99 = percentile(seen.gaps, 99) if seen.gaps else float("inf")
    yield row(f"{crowd.name}: gap between events, p99 ms", p99, Goal(crowd.gap))
