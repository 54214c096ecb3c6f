"""Response times of the hostile programs."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import median
from urllib.parse import quote_plus

from benchmarks.load.hammer import Runner
from benchmarks.load.hostile import Hostile, catalogue
from benchmarks.load.rows import Row, count, row
from benchmarks.load.wire import FORM, Line, connect, encoded
from benchmarks.report import Goal
from benchmarks.serving import Server, running

ROUNDS = 3  # each with a fresh server, whose caches are empty
RIGHT = (200, 422)
GOAL = Goal(250, " ms")

Times = dict[str, list[float]]


def rows(run: Runner) -> Iterator[Row]:
    """The slowest program, as a trace and as a graph of the page."""
    for what, request in (("trace", _trace), ("graph", _graph)):
        times: Times = defaultdict(list)
        wrong: Counter[str] = Counter()
        for _ in range(ROUNDS):
            with running() as server:
                run(_ask(server, {case.id: request(case) for case in catalogue()}, times, wrong))
        took = {name: median(found) for name, found in times.items()}
        slowest = max(took, key=lambda name: took[name])
        programs = f"{len(took)} hostile programs, {what}"
        yield count(f"{programs}: neither answered nor refused", wrong)
        says = f" ({slowest})"
        yield row(f"{programs}: the slowest, median of {ROUNDS}", took[slowest], GOAL, 0, says)


def _trace(case: Hostile) -> bytes:
    return encoded("POST", "/api/trace", json.dumps({"program": case.program}))


def _graph(case: Hostile) -> bytes:
    program = quote_plus(case.program, errors="surrogatepass")
    return encoded("POST", "/graph", f"program={program}", FORM)


async def _ask(
    server: Server, requests: dict[str, bytes], times: Times, wrong: Counter[str]
) -> None:
    """Each once, one after the other."""
    line = await connect(server.port, Line())
    for name, request in requests.items():
        began = time.perf_counter()
        answer = await line.ask(request)
        times[name].append((time.perf_counter() - began) * 1000)
        if answer.status not in RIGHT:
            wrong[f"{answer.status} for {name}"] += 1
        if not line.is_open or answer.header("connection") == "close":
            line.close()
            line = await connect(server.port, Line())
    line.close()
