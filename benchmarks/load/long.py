"""Small programs beside long ones, which use up their budget one after the other."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count as counting

from benchmarks.load.hammer import Runner
from benchmarks.load.rows import Row, count, row
from benchmarks.load.sending import Sent, steadily, traces
from benchmarks.load.wire import Pool, encoded
from benchmarks.report import Goal, percentile
from benchmarks.serving import Server, running

RATE = 20.0  # small requests per second
ROUND = 10.0  # seconds of a round with or without long programs
ROUNDS = 3
GOAL = Goal(20, " ms")
RIGHT = 422  # the budget is used up
WAITING = 1  # long programs that wait behind the one that runs

ENDLESS = {
    "a loop over numbers": "t = {number}\nwhile True:\n    t = t + 0.5",
    "a loop over Values": "a = Value({number})\nwhile True:\n    b = a * 2.0 + a",
    "a loop that calls": "def f(x):\n    return x + {number}\nwhile True:\n    f(1)",
}


def rows(run: Runner) -> Iterator[Row]:
    """Small uncached traces alone, and beside each kind of endless program, alternately."""
    apart, beside = Sent(), {name: Sent() for name in ENDLESS}
    ended: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    seeds = counting(1_000_000, 100_000)
    with running() as server:
        for _ in range(ROUNDS):
            apart += run(_small(server, next(seeds)))
            for name, program in ENDLESS.items():
                beside[name] += run(_beside(server, next(seeds), program, ended, wrong))
    yield from _two("small traces alone", apart, None)
    for name, sent in beside.items():
        yield from _two(f"small traces beside {name}", sent, GOAL)
        wrong += sent.wrong
    seconds = ROUNDS * ROUND * len(ENDLESS)
    yield row("long programs ended, per second", ended.total() / seconds, None, 1)
    yield count("long programs and small traces beside them: other answers", wrong)


def _two(what: str, sent: Sent, goal: Goal | None) -> Iterator[Row]:
    yield row(f"{what}: p50, ms", percentile(sent.times, 50), None, 1)
    yield row(f"{what}: p99, ms", percentile(sent.times, 99), goal, 1)


async def _small(server: Server, seed: int) -> Sent:
    pool = Pool(server.port)
    try:
        return await steadily(pool, traces(seed), RATE, ROUND)
    finally:
        pool.close()


async def _beside(
    server: Server, seed: int, program: str, ended: Counter[str], wrong: Counter[str]
) -> Sent:
    async def endless(pool: Pool, start: int) -> None:
        for number in counting(start):
            body = json.dumps({"program": program.format(number=number)})
            answer = await pool.ask(encoded("POST", "/api/trace", body))
            (ended if answer.status == RIGHT else wrong)[str(answer.status)] += 1

    pool = Pool(server.port)
    starts = (seed + 10_000 * turn for turn in range(1 + WAITING))
    tasks = [asyncio.create_task(endless(pool, start)) for start in starts]
    try:
        return await _small(server, seed)
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await task
        pool.close()
