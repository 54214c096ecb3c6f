"""The threads in which requests are answered: made once, not for each request."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

import anyio

T = TypeVar("T")
_Job: TypeAlias = "tuple[Callable[[], Any], Future[Any]]"

_idle: list[_Worker] = []
"""As many at most as there were jobs at the same time, which the thread pools bound."""


class _Worker:
    """A thread that does one job after the other."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        threading.Thread(target=self._work, name="worker", daemon=True).start()

    def _work(self) -> None:
        while True:
            self._do(*self.jobs.get())

    def _do(self, work: Callable[[], Any], future: Future[Any]) -> None:
        try:
            result = work()
        except BaseException as error:
            _idle.append(self)
            future.set_exception(error)
        else:
            _idle.append(self)
            future.set_result(result)


async def in_thread(work: Callable[..., T], *args: object, abandon: bool = False) -> T:
    """The result of `work` in a thread for which a slot is held already.

    It runs in the context of the caller. Cancellation waits for it, unless it is to `abandon` it.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # from here on it cannot be cancelled
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.jobs.put((partial(copy_context().run, work, *args), future))
    answer = asyncio.wrap_future(future)
    with anyio.CancelScope(shield=not abandon):
        await answer
    return answer.result()
