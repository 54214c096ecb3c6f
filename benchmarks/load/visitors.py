"""Visitors who drag a leaf each, and those whose programs are heavy."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import count as counting
from urllib.parse import urlencode

from benchmarks.load.hammer import Runner
from benchmarks.load.machine import memory
from benchmarks.load.rows import Row, count, row
from benchmarks.load.sending import Sent, small, steadily
from benchmarks.load.wire import Pool, encoded
from benchmarks.recording import TRAINING
from benchmarks.report import Goal, percentile
from benchmarks.serving import Server, running

VISITORS, EACH = 30, 20.0  # who drag, and their requests per second
ANSWER = Goal(50, " ms")
HEAVY = 8
HEAVY_SECONDS = 90.0
PEAK, BACK = Goal(450, " MiB"), Goal(300, " MiB")
FORM = "application/x-www-form-urlencoded"
QUIET = 10.0  # seconds after which memory is given back


def rows(seconds: float, share: float, run: Runner) -> Iterator[Row]:
    """Those who drag for `seconds`, then the others; `share` scales their time."""
    with running() as server:
        dragged: Sent = run(_drag(server, seconds))
    what = f"{VISITORS} visitors who drag {EACH:g} times a second"
    yield row(f"{what}: p50, ms", percentile(dragged.times, 50), None, 1)
    yield row(f"{what}: p99, ms", percentile(dragged.times, 99), ANSWER, 1)
    yield count(f"{what}: other answers", dragged.wrong)
    with running() as server:
        peak = run(_compute(server, HEAVY_SECONDS * share))
        after = memory(server.process)
    what = f"{HEAVY} clients with heavy programs"
    yield row(f"{what}: memory at most, MiB", peak, PEAK)
    yield row(f"{what}: memory {QUIET:g} s later, MiB", after, BACK)


def _drags() -> Iterator[bytes]:
    """The requests of the visitors in turn, each with a program of its own."""
    programs = [small(seed) for seed in range(VISITORS)]
    for turn in counting(1):
        for program in programs:
            body = urlencode({"program": program, "x0": turn / 997})
            yield encoded("POST", "/numbers", body, FORM)


async def _drag(server: Server, seconds: float) -> Sent:
    pool = Pool(server.port)
    try:
        return await steadily(pool, _drags(), VISITORS * EACH, seconds)
    finally:
        pool.close()


async def _compute(server: Server, seconds: float) -> float | None:
    """Send new programs with classes of their own; returns the most memory meanwhile."""
    pool, numbers = Pool(server.port), counting()

    async def client() -> None:
        while True:
            steps = TRAINING.replace("STEPS", "20")
            body = json.dumps({"program": f"{steps}\nprint({next(numbers)})"})
            await pool.ask(encoded("POST", "/api/trace", body))

    tasks = [asyncio.create_task(client()) for _ in range(HEAVY)]
    peak, end = memory(server.process), asyncio.get_running_loop().time() + seconds
    while peak is not None and asyncio.get_running_loop().time() < end:
        peak = max(peak, memory(server.process) or 0)
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    pool.close()
    await asyncio.sleep(QUIET)
    return peak
