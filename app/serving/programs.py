"""Threads for work that runs programs: the longer a program, the further behind the others.

A program begins in a thread for pages and traces. Once it has taken BRIEF operations it gives that
thread back and goes on in a `medium` one, yielding again and again to what else is being computed;
beyond `long_operations` it waits for the only `long` thread and yields to both. A long program ends
early if its client leaves.

While it runs, Python's collector of cycles is off: a collection would stop every thread, for up to
0.3 s among a million objects that are all in use. The budget bounds what a run can leave.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import TypeVar

from fastapi import Request

from app.serving import shutdown
from app.serving.program_workers import in_roomy_thread
from app.serving.thread_pools import BusyError, Slot, ThreadPool, ThreadPools
from app.settings import Settings
from engine.cancellation import Cancelled
from engine.language import turns

T = TypeVar("T")

BRIEF = 20_000  # operations: 5 to 20 ms
YIELD_SECONDS = 0.02  # for which a portion of a program gives way at most
NAP = 0.0005  # between two looks at whether others are still at work


class ProgramThreads:
    """Runs work for requests in the pools `light`, `medium` and `long`."""

    def __init__(self, pools: ThreadPools, settings: Settings) -> None:
        self.pools, self.kind = pools, pools.light.kind
        long = settings.whole("long_operations")
        self._begin = min(BRIEF, long)
        self._stages = [(long, pools.long), (self._begin, pools.medium)]
        """The operations beyond which each pool is used, the most first."""

    async def run(self, work: Callable[..., T], request: Request, *args: object) -> T:
        """The result of `work(request, *args)`, in a thread.

        The request's body must have been read. Raises BusyError, and Cancelled if the client left
        while a long program ran.
        """
        async with self.pools.light.turn() as slot:
            pauses = _Pauses(self.pools.light, self._stages, slot, request)
            try:
                with turns.taken(turns.Turn(self._begin, pauses.take)):
                    return await in_roomy_thread(work, request, *args)
            finally:
                pauses.end()


class _Pauses:
    """The pauses of the programs of one request; one that became long stays behind the others."""

    def __init__(
        self,
        first: ThreadPool,
        stages: list[tuple[int, ThreadPool]],
        slot: Slot,
        request: Request,
    ) -> None:
        self._stages, self._slot, self._request = stages, slot, request
        self._last = stages[0][1]
        self._before: list[ThreadPool] = []
        """The pools that this request gives way to."""
        self._pool = first
        self._loop = asyncio.get_running_loop()
        self._ending = shutdown.of(request.scope)
        self._has_left = threading.Event()
        self._watch: asyncio.Task[None] | None = None
        self._moving: asyncio.Task[None] | None = None

    def take(self, used: int) -> None:
        """Pause after `used` operations, in the program's thread. Raises BusyError, Cancelled."""
        pool = next(pool for least, pool in self._stages if used >= least)
        if pool is not self._pool and pool not in self._before:
            self._move_to(pool)
        if self._ending.begun:
            raise BusyError(shutdown.KIND, shutdown.LEAVING)
        if self._has_left.is_set():
            raise Cancelled
        end = time.monotonic() + YIELD_SECONDS
        while any(other.working for other in self._before) and time.monotonic() < end:
            time.sleep(NAP)

    def end(self) -> None:
        """Called from the event loop, once the work has ended."""
        if self._watch is not None:
            self._watch.cancel()
        if self._pool is self._last:
            gc.enable()

    def _move_to(self, pool: ThreadPool) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self._take_thread(pool), self._loop).result()
        except CancelledError:
            raise Cancelled from None
        self._before.append(self._pool)
        self._pool = pool
        if pool is self._last:
            gc.disable()

    async def _take_thread(self, pool: ThreadPool) -> None:
        self._moving = asyncio.current_task()
        if self._watch is None:
            self._watch = asyncio.create_task(self._watch_client())
        try:
            await self._slot.take(pool)
        finally:
            self._moving = None

    async def _watch_client(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
        self._has_left.set()
        if self._moving is not None:
            self._moving.cancel()
