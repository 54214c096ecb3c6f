"""The processes that serve, and their parent.

The parent keeps the listening socket, so that no client is refused while another process is started
for one that ended, and passes the signal to stop on.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from typing import Any

import uvicorn

from app.serving.shutdown import SIGNALS, exiting_cleanly

FAILED = 3
"""The exit status of a process that could not start: another one could not either."""
LOOK_SECONDS = 0.2
YOUNG_SECONDS = 5.0
"""A process that ended sooner is not replaced at once, as the next would end as well."""
LEAVE_SECONDS = 8.0
"""Time to stop, longer than requests may still take (`timeout_graceful_shutdown`)."""

Options = Mapping[str, Any]


def supervise(options: Options, listening: socket.socket, count: int) -> int:
    """Serve in `count` processes until a signal to stop; the exit status, FAILED if one could not
    start. `options` are those of uvicorn.Config.
    """
    asked: list[int] = []
    with _signals_to(asked.append):
        workers: list[SpawnProcess] = []
        try:
            workers.extend(_started(options, listening) for _ in range(count))
            return _replace_the_dead(workers, asked, lambda: _started(options, listening))
        finally:
            _stop(workers)


def _replace_the_dead(
    workers: list[SpawnProcess], asked: list[int], start: Callable[[], SpawnProcess]
) -> int:
    """Until a signal was `asked` for; FAILED once a process could not start."""
    began = {worker.pid: time.monotonic() for worker in workers}
    while not asked:
        connection.wait([worker.sentinel for worker in workers], LOOK_SECONDS)
        for at, worker in enumerate(workers):
            if asked or worker.is_alive():
                continue
            if worker.exitcode == FAILED:
                return FAILED
            if time.monotonic() < began[worker.pid] + YOUNG_SECONDS:
                time.sleep(LOOK_SECONDS)
                continue
            workers[at] = start()
            began[workers[at].pid] = time.monotonic()
            _say_so(worker, workers[at])
    return 0


def _started(options: Options, listening: socket.socket) -> SpawnProcess:
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(options, listening))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: a terminal sends it to both
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)
    return process


def _say_so(ended: SpawnProcess, started: SpawnProcess) -> None:
    how = f"process {ended.pid} ended with status {ended.exitcode}"
    print(f"seegrad: {how}; process {started.pid} takes its place", file=sys.stderr, flush=True)


def _stop(workers: list[SpawnProcess]) -> None:
    for worker in workers:
        worker.terminate()
    end = time.monotonic() + LEAVE_SECONDS
    for worker in workers:
        worker.join(max(0.0, end - time.monotonic()))
        worker.kill()
        worker.join()


@contextmanager
def _signals_to(handle: Callable[[int], object]) -> Iterator[None]:
    before = {number: signal.signal(number, lambda n, _: handle(n)) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _serve(options: Options, listening: socket.socket) -> None:
    """Serve in this process, a child."""
    gc.disable()  # until the application is loaded: collecting would take a seventh of that time
    with exiting_cleanly():
        server = uvicorn.Server(uvicorn.Config(**options))
        try:
            server.run([listening])
        except Exception:
            traceback.print_exc()
        if not server.started:
            sys.exit(FAILED)
