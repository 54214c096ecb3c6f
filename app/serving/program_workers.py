"""The threads in which programs run: their large stacks are made once, not for each run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

import anyio

from engine.language import roomy_threads

T = TypeVar("T")
_Job: TypeAlias = "tuple[Callable[[], Any], Future[Any]]"

_idle: list[_Worker] = []
"""As many at most as there were jobs at the same time, which the thread pools bound."""


class _Worker:
    """A thread that does one job after the other, until a deep program has used its stack."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        roomy_threads.started(self._work)

    def _work(self) -> None:
        while not roomy_threads.is_worn():
            self._do(*self.jobs.get())

    def _do(self, work: Callable[[], Any], future: Future[Any]) -> None:
        try:
            result = work()
        except BaseException as error:
            self._rest()
            future.set_exception(error)
        else:
            self._rest()
            future.set_result(result)

    def _rest(self) -> None:
        if not roomy_threads.is_worn():
            _idle.append(self)


async def in_roomy_thread(work: Callable[..., T], *args: object) -> T:
    """The result of `work`, which may run programs, for which a slot is held already.

    It runs in the context of the caller. Cancellation waits for it.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # from here on it cannot be cancelled
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.jobs.put((partial(copy_context().run, work, *args), future))
    answer = asyncio.wrap_future(future)
    with anyio.CancelScope(shield=True):
        await answer
    return answer.result()
