"""Pictures that must wait for another one: they hold no thread meanwhile.

Large layouts are made one at a time. Who has to wait for one gives the thread back, in which small
pictures are drawn, and asks for it again once the layout is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio

from app.picture import layout
from app.serving.threads import Threads

T = TypeVar("T")

GLANCE = 0.02  # seconds between two looks at whether the layout is done


class Large:
    """Work that may need a large layout, done in `threads`.

    `row` requests may wait for one, each for `seconds`.
    """

    def __init__(self, threads: Threads, row: int, seconds: float) -> None:
        self._threads = threads
        self._row = row
        self._seconds = seconds
        self._waiting = 0
        self._turn = anyio.Semaphore(1)

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """What `work` returns. Raises BusyError, and LayoutBusy where other layouts took too long.

        Work that raised LayoutBusy is done again from its start.
        """
        try:
            return await self._threads.run(work, *args)
        except layout.LayoutBusy:
            if self._waiting >= self._row:
                raise
        self._waiting += 1
        try:
            return await self._run_later(work, *args)
        finally:
            self._waiting -= 1

    async def _run_later(self, work: Callable[..., T], *args: object) -> T:
        end = anyio.current_time() + self._seconds
        try:
            with anyio.fail_after(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            raise layout.LayoutBusy("Other graphs are being laid out.") from None
        try:
            return await self._run_before(end, work, *args)
        finally:
            self._turn.release()

    async def _run_before(self, end: float, work: Callable[..., T], *args: object) -> T:
        while True:
            await anyio.sleep(GLANCE)
            if layout.is_busy() and anyio.current_time() < end:
                continue
            try:
                return await self._threads.run(work, *args)
            except layout.LayoutBusy:
                if anyio.current_time() >= end:
                    raise
