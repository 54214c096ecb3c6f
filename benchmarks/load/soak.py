"""Leaks: growth of the server after many requests and after many abandoned streams.

The first requests fill the caches; hostile programs conclude them, as their large allocations
fragment the heap. Later growth is not due to caches.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from benchmarks.load.crowd import ROOM
from benchmarks.load.hammer import Runner
from benchmarks.load.machine import descriptors, memory
from benchmarks.load.mix import Mixed, all_hostile, mixed
from benchmarks.load.rows import Row, count, row
from benchmarks.load.waiting import until
from benchmarks.load.watching import watch
from benchmarks.load.wire import Pool, encoded
from benchmarks.report import Goal
from benchmarks.serving import Server, running

FIRST, THEN = 1_000, 10_000
AT_ONCE = 4
GROWTH = Goal(5, " MiB")
MEMORY = Goal(300, " MiB")
LEFT, SPREAD = 500, 10.0  # abandoned streams, and seconds over which they are opened
GONE = Goal(2, " s")
PATIENCE = 30.0  # timeout of closing streams in seconds
QUIET = 2.0  # seconds after which idle connections and threads are gone
GAUGE = re.compile(rb"^seegrad_streams_open (\d+)", re.MULTILINE)


def rows(share: float, run: Runner) -> Iterator[Row]:
    """Requests, then streams; `share` scales their numbers, for a shorter run."""
    then, left = max(100, round(THEN * share)), max(50, round(LEFT * share))
    with running(ROOM) as server:
        yield from _requests(server, then, run)
        yield from _streams(server, left, run)


def _requests(server: Server, then: int, run: Runner) -> Iterator[Row]:
    order = mixed()
    hostile = list(all_hostile())
    first = chain(islice(order, FIRST - len(hostile)), hostile)
    wrong = run(_send(server, first))
    before = memory(server.process), descriptors(server.process)
    wrong += run(_send(server, islice(order, then)))
    after = memory(server.process), descriptors(server.process)
    what = f"{then:,} mixed requests after {FIRST:,}"
    shed = Counter({kind: times for kind, times in wrong.items() if kind.startswith("503")})
    yield count(f"{what}: answers that are not right", wrong - shed)
    yield row(f"{what}: answered 503", shed.total(), None)
    yield _grown(f"{what}: memory, growth in MiB", before[0], after[0], GROWTH)
    yield row(f"{what}: memory, MiB", after[0], MEMORY)
    yield _grown(f"{what}: descriptors, growth", before[1], after[1], Goal(0))


def _streams(server: Server, left: int, run: Runner) -> Iterator[Row]:
    run(_leave(server, left, 1))  # the runs that are kept, and what is needed for so many at once
    before = memory(server.process), descriptors(server.process)
    seconds, remaining = run(_leave(server, left, 1 + left))
    after = memory(server.process), descriptors(server.process)
    what = f"{left} streams that were left, after as many"
    yield row(f"{what}: seconds until none is open", seconds, GONE, 2)
    yield row(f"{what}: still open", remaining, Goal(0))
    yield _grown(f"{what}: memory, growth in MiB", before[0], after[0], GROWTH)
    yield _grown(f"{what}: descriptors, growth", before[1], after[1], Goal(0))


def _grown(what: str, before: float | None, after: float | None, goal: Goal | None) -> Row:
    if before is None or after is None:
        return row(what, None, goal)
    says = f" ({before:,.1f} → {after:,.1f})"
    return row(what, after - before, goal, 1, says)


async def _send(server: Server, requests: Iterator[Mixed]) -> Counter[str]:
    """Send all requests, a few concurrently; returns the wrong responses."""
    wrong: Counter[str] = Counter()
    pool = Pool(server.port)

    async def sender() -> None:
        for one in requests:  # all senders take from the same
            try:
                status = str((await pool.ask(one.request)).status)
            except OSError as error:
                status = type(error).__name__
            if status not in map(str, one.right):
                wrong[f"{status} for {one.kind}"] += 1

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(sender())
    pool.close()
    await asyncio.sleep(QUIET)
    return wrong


async def _leave(server: Server, count: int, first: int) -> tuple[float, int]:
    """Open streams and abandon them; returns the seconds until all are closed, and those left."""
    watchers = await watch(server.port, count, SPREAD * count / LEFT, first)
    await until(lambda: all(watcher.bytes for watcher in watchers), PATIENCE)
    for watcher in watchers:
        watcher.leave()
    began = time.perf_counter()
    while still := await _open(server):
        if time.perf_counter() - began > PATIENCE:
            break
    took = time.perf_counter() - began
    await asyncio.sleep(QUIET)
    return took, still


async def _open(server: Server) -> int:
    """The number of open streams in the server's metrics. Raises RuntimeError if it is missing."""
    pool = Pool(server.port)
    answer = await pool.ask(encoded("GET", "/metrics"))
    pool.close()
    found = GAUGE.search(answer.body)
    if found is None:
        raise RuntimeError("/metrics does not say how many streams are open")
    return int(found[1])
