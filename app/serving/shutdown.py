"""Graceful shutdown: on a signal, streams end, long work is cancelled, and no new work begins.

The previous handler of the signal, that of the ASGI server, is called afterwards. The client of a
stream sees it end without the event `done` and resumes at another server from the last event.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from types import FrameType
from typing import Any

from app.serving.headers import Scope

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE = 0.5  # seconds that work in progress may still take
KIND = "stopping"  # a kind of its own in seegrad_sheds_total, as it is not overload
LEAVING = "The server is being stopped. Try again: another one, or the next, will answer."

Handler = Callable[[int, FrameType | None], Any]


class Draining:
    """Whether one application is being stopped. Safe to use from any thread and event loop."""

    def __init__(self) -> None:
        self._begun = False
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def begun(self) -> bool:
        """Whether the application is to stop."""
        return self._begun

    def begin(self) -> None:
        """Wake all waiting tasks. Takes no lock, since it is called from a signal handler."""
        self._begun = True
        for loop, event in tuple(self._waiting):
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(event.set)

    async def wait(self) -> None:
        """Return once the application is being stopped."""
        mine = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.add(mine)
        try:
            if not self._begun:
                await mine[1].wait()
        finally:
            self._waiting.discard(mine)

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Begin on one of SIGNALS within the block; has no effect outside the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        hooks = [_Hook(number, self) for number in SIGNALS]
        try:
            yield
        finally:
            for hook in reversed(hooks):
                hook.remove()


class _Hook:
    """A signal handler that calls the previous one."""

    def __init__(self, number: signal.Signals, draining: Draining) -> None:
        self._number = number
        self._draining: Draining | None = draining
        self._before = signal.getsignal(number)
        if self._before is not None:  # None: not Python's, and cannot be called
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._draining is not None:
            self._draining.begin()
        if callable(self._before):
            self._before(number, frame)
        elif self._before == signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def remove(self) -> None:
        """Restore the previous handler; if another was set since, only pass signals on."""
        self._draining = None
        if signal.getsignal(self._number) == self._handle:
            signal.signal(self._number, self._before)


NEVER = Draining()
"""For an application that is never stopped, such as one in a test."""


def of(scope: Scope) -> Draining:
    """The `Draining` of the application that answers a request."""
    app = scope.get("app")
    found = getattr(app.state, "draining", None) if app is not None else None
    return NEVER if found is None else found


@contextmanager
def exiting_cleanly() -> Iterator[None]:
    """In the block, SIGTERM ends the process with exit status 0.

    To be put around an ASGI server that raises the signal again once everything is stopped.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def end_with_parent() -> None:
    """In a worker process: stop once the parent is gone.

    A parent that was killed cannot stop its workers, which would go on without being replaced.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent.sentinel,), daemon=True).start()


def _outlive(parent: int) -> None:
    connection.wait([parent])
    signal.raise_signal(signal.SIGTERM)
