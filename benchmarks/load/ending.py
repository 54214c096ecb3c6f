"""Shutdown of a server with open streams."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterator

from benchmarks.load.crowd import ROOM
from benchmarks.load.hammer import Runner
from benchmarks.load.rows import Row, row
from benchmarks.load.waiting import until
from benchmarks.load.watching import watch
from benchmarks.report import Goal
from benchmarks.serving import Server, running

STREAMS = 50
ARRIVING = 2.0  # seconds
PATIENCE = 60.0  # seconds for the first events, and for the end
GOAL = Goal(2, " s")


def rows(run: Runner) -> Iterator[Row]:
    """The duration of the shutdown and the exit status."""
    with running(ROOM) as server:
        seconds, status = run(_stop(server))
    what = f"SIGTERM with {STREAMS} open streams"
    yield row(f"{what}: seconds to the end", seconds, GOAL, 2)
    yield row(f"{what}: exit status", status, Goal(0))


async def _stop(server: Server) -> tuple[float, int]:
    watchers = await watch(server.port, STREAMS, ARRIVING)
    await until(lambda: all(watcher.times for watcher in watchers), PATIENCE)
    began = time.perf_counter()
    server.handle.terminate()
    try:
        status = await asyncio.to_thread(server.handle.wait, PATIENCE)
    except subprocess.TimeoutExpired:
        server.handle.kill()
        status = await asyncio.to_thread(server.handle.wait)
    took = time.perf_counter() - began
    for watcher in watchers:
        watcher.leave()
    return took, status
