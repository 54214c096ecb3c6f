"""A queue for large layouts that occupies no thread while requests wait.

Graphviz lays out one large graph at a time. A request that finds it busy releases its thread, which
can serve small pictures meanwhile, and retries when the layout is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
from fastapi import Request

from app.picture import layout
from app.serving.programs import ProgramThreads
from app.serving.thread_pools import BusyError

T = TypeVar("T")

POLL = 0.02  # polling interval in seconds
BUSY = "Other graphs are being laid out."


class LayoutQueue:
    """Runs work that may need a large layout in `threads`.

    At most `length` requests wait, each for at most `seconds`.
    """

    def __init__(self, threads: ProgramThreads, length: int, seconds: float) -> None:
        self._threads = threads
        self._length = length
        self._seconds = seconds
        self._waiting = 0
        self._turn = anyio.Semaphore(1)

    async def run(self, work: Callable[..., T], request: Request, *args: object) -> T:
        """The result of `work(request, *args)`, which is retried after LayoutBusy.

        Raises BusyError if the queue is full or the wait times out.
        """
        try:
            return await self._threads.run(work, request, *args)
        except layout.LayoutBusy:
            if self._waiting >= self._length:
                raise self._busy() from None
        self._waiting += 1
        try:
            return await self._run_later(work, request, *args)
        finally:
            self._waiting -= 1

    async def _run_later(self, work: Callable[..., T], request: Request, *args: object) -> T:
        end = anyio.current_time() + self._seconds
        try:
            with anyio.fail_after(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            raise self._busy() from None
        try:
            return await self._run_before(end, work, request, *args)
        finally:
            self._turn.release()

    async def _run_before(
        self, end: float, work: Callable[..., T], request: Request, *args: object
    ) -> T:
        while True:
            await anyio.sleep(POLL)
            if layout.is_busy() and anyio.current_time() < end:
                continue
            try:
                return await self._threads.run(work, request, *args)
            except layout.LayoutBusy:
                if anyio.current_time() >= end:
                    raise self._busy() from None

    def _busy(self) -> BusyError:
        return BusyError(self._threads.kind, BUSY)
