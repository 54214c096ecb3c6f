"""Threads for work that runs programs: the longer a program, the further behind the others.

A request begins in a thread for pages and traces. Once its programs have taken BRIEF seconds it
gives that thread back and goes on in a `medium` one; beyond `long_seconds` it needs one of the few
`long` threads. Where none is free its program is ended, and run anew when its turn has come: the
sandbox has few instances. Its threads give way to others by their priority. A long program ends
early if its client leaves.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import TypeVar

from fastapi import Request

from app.serving import shutdown
from app.serving.thread_pools import BusyError, Slot, ThreadPool, ThreadPools
from app.serving.worker_threads import in_thread
from app.settings import Settings
from engine import turns
from engine.cancellation import Cancelled

T = TypeVar("T")

BRIEF = 0.05  # seconds


class ProgramThreads:
    """Runs work for requests in the pools `light`, `medium` and `long`."""

    def __init__(self, pools: ThreadPools, settings: Settings) -> None:
        self.pools, self.kind = pools, pools.light.kind
        long = settings.number("long_seconds")
        self._stages = [(long, pools.long), (min(BRIEF, long), pools.medium)]
        """The seconds beyond which each pool is used, the most first."""

    async def run(self, work: Callable[..., T], request: Request, *args: object) -> T:
        """The result of `work(request, *args)`, in a thread.

        The request's body must have been read. Raises BusyError, and Cancelled if the client left
        while a long program ran.
        """
        async with self.pools.light.turn() as slot:
            pauses = _Pauses(self._stages, slot, request)
            try:
                with turns.taken(turns.Turn(pause=pauses.take, wait=pauses.wait)):
                    return await in_thread(work, request, *args)
            finally:
                pauses.end()


class _Pauses:
    """The pauses of the programs of one request; one that became long stays behind the others."""

    def __init__(
        self, stages: list[tuple[float, ThreadPool]], slot: Slot, request: Request
    ) -> None:
        self._stages, self._slot, self._request = stages, slot, request
        self._least = -1.0
        """The seconds beyond which its pool is used."""
        self._loop = asyncio.get_running_loop()
        self._ending = shutdown.of(request.scope)
        self._has_left = threading.Event()
        self._watch: asyncio.Task[None] | None = None
        self._moving: asyncio.Task[None] | None = None

    def take(self, seconds: float) -> None:
        """Called again and again while a program runs. Raises Later, BusyError, Cancelled."""
        for least, pool in self._stages:
            if seconds >= least > self._least:
                if pool is self._stages[0][1] and pool.working >= pool.count:
                    raise turns.Later
                self._move_to(least, pool)
                break
        if self._ending.begun:
            raise BusyError(shutdown.KIND, shutdown.LEAVING)
        if self._has_left.is_set():
            raise Cancelled

    def wait(self) -> None:
        """Wait for a thread for long programs, while none runs. Raises BusyError, Cancelled."""
        self._move_to(*self._stages[0])

    def end(self) -> None:
        """Called from the event loop, once the work has ended."""
        if self._watch is not None:
            self._watch.cancel()

    def _move_to(self, least: float, pool: ThreadPool) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self._take_thread(pool), self._loop).result()
        except CancelledError:
            raise Cancelled from None
        self._least = least

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
