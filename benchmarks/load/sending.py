"""Open-loop load: requests at a constant rate, regardless of pending responses."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

from benchmarks.load.wire import Pool, encoded


@dataclass(slots=True)
class Sent:
    """The results: latencies of successful requests in milliseconds, and errors."""

    times: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Sent) -> Sent:
        return Sent(self.times + other.times, self.wrong + other.wrong)


async def steadily(
    pool: Pool, requests: Iterator[bytes], rate: float, seconds: float, right: int = 200
) -> Sent:
    """Send `rate` requests per second. Latency counts from the scheduled time of a request."""
    sent = Sent()
    began = time.perf_counter()

    async def one(due: float, request: bytes) -> None:
        try:
            status = (await pool.ask(request)).status
        except OSError as error:
            sent.wrong[type(error).__name__] += 1
            return
        if status == right:
            sent.times.append((time.perf_counter() - due) * 1000)
        else:
            sent.wrong[str(status)] += 1

    async with asyncio.TaskGroup() as group:
        for i in range(int(rate * seconds)):
            due = began + i / rate
            await asyncio.sleep(due - time.perf_counter())
            group.create_task(one(due, next(requests)))
    return sent


def small(seed: int) -> str:
    """A random program of 7 to 30 Values, unique to `seed`; the output depends on every Value."""
    chance = random.Random(seed)
    count = chance.randint(4, 12)
    free = [f"x{i}" for i in range(count)]
    lines = [f"{name} = {chance.uniform(-2, 2):.6f}" for name in free]
    kinds = ["join"] * (count - 1) + ["tanh"] * chance.randint(0, 7)
    chance.shuffle(kinds)
    for i, kind in enumerate(kinds):
        one = free.pop(chance.randrange(len(free)))
        if kind == "tanh":
            text = f"{one}.tanh()"
        else:
            other = free.pop(chance.randrange(len(free)))
            text = f"{one} {chance.choice('+-*')} {other}"
        lines.append(f"v{i} = {text}")
        free.append(f"v{i}")
    return "\n".join(lines)


def traces(start: int = 0) -> Iterator[bytes]:
    """Requests for uncached traces."""
    seed = start
    while True:
        yield encoded("POST", "/api/trace", json.dumps({"program": small(seed)}))
        seed += 1


def pages(start: int = 0) -> Iterator[bytes]:
    """Requests for the graphs of the same programs, which are traced, laid out and drawn."""
    seed = start
    while True:
        yield encoded("GET", f"/graph?{urlencode({'program': small(seed)})}")
        seed += 1
