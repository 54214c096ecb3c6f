"""Bounded thread pools, one per kind of work; overload gets 503.

Pages and traces have threads that training never uses. A request waits for a thread in a queue of
bounded length, and for a bounded time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from ipaddress import IPv6Address, ip_address
from typing import TypeVar

import anyio
from anyio import CapacityLimiter

from app.serving.worker_threads import in_thread
from app.settings import Settings

T = TypeVar("T")

STREAM_SECONDS = 3_600.0  # that an admitted stream may wait for its next turn
NETWORK = 64  # prefix length of the IPv6 networks that providers assign to one customer


class BusyError(RuntimeError):
    """Too much work of one kind now; the same request may succeed a moment later."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class ThreadPool:
    """`count` threads for one kind of work; up to `queue` requests wait, each for `seconds`."""

    def __init__(self, kind: str, count: int, queue: int, seconds: float) -> None:
        self.kind = kind
        self.count = count
        self._queue = queue
        self._seconds = seconds
        self._limiter = CapacityLimiter(count)

    @property
    def waiting(self) -> int:
        """Requests that wait for a thread."""
        return self._limiter.statistics().tasks_waiting

    @property
    def working(self) -> int:
        """Threads at work."""
        return self._limiter.borrowed_tokens

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Slot]:
        """Hold one thread of the pool. Raises BusyError."""
        slot = Slot()
        await slot.take(self)
        try:
            yield slot
        finally:
            slot.release()

    async def acquire(self, slot: Slot) -> None:
        """Wait for a thread. Raises BusyError."""
        if self.waiting >= self._queue:
            raise BusyError(self.kind, f"{self.waiting:,} wait already, the limit.")
        try:
            with anyio.fail_after(self._seconds):
                await self._limiter.acquire_on_behalf_of(slot)
        except TimeoutError:
            raise BusyError(self.kind, f"No turn within {self._seconds:g} seconds.") from None

    def release(self, slot: Slot) -> None:
        """Give a thread back."""
        self._limiter.release_on_behalf_of(slot)

    async def run(self, work: Callable[..., T], *args: object, abandon: bool = False) -> T:
        """The result of `work` in a thread; with `abandon`, cancellation does not wait for it."""
        async with self.turn():
            return await in_thread(work, *args, abandon=abandon)


class Slot:
    """The thread of a pool that one piece of work holds. It may change to another pool's."""

    def __init__(self) -> None:
        self._pool: ThreadPool | None = None

    async def take(self, pool: ThreadPool) -> None:
        """Hold a thread of `pool`, and no longer one of another. Raises BusyError."""
        self.release()
        await pool.acquire(self)
        self._pool = pool

    def release(self) -> None:
        """Hold no thread."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.release(self)


@dataclass(frozen=True, slots=True)
class ThreadPools:
    """The pools of one application."""

    light: ThreadPool
    """Pages and traces."""
    medium: ThreadPool
    """Pages and traces whose program takes more than a moment: behind `light`."""
    long: ThreadPool
    """Those whose program is long: one at a time, behind both."""
    training: ThreadPool
    players: ThreadPool
    """Streams, which give their thread back at each event. One fewer than for training: events are
    made in Python, where two threads only take turns, and a processor is left to the pages."""
    sweeps: ThreadPool
    """One sweep at a time, which has threads of its own."""

    def all(self) -> Iterator[ThreadPool]:
        """Every pool."""
        return (getattr(self, field.name) for field in fields(self))

    @classmethod
    def of(cls, settings: Settings) -> ThreadPools:
        """The pools of an application with these settings."""
        seconds, cores = settings.number("wait_seconds"), settings.whole("train_at_once")
        queue, streams = settings.whole("train_waiting"), settings.whole("train_streams")
        pages = settings.whole("pages_at_once"), settings.whole("waiting")
        light = ThreadPool("light", *pages, seconds)
        return cls(
            light,
            ThreadPool("medium", *pages, seconds),
            ThreadPool("long", 1, settings.whole("long_waiting"), seconds),
            ThreadPool("train", cores, queue, seconds),
            ThreadPool("stream", max(1, cores - 1), streams, STREAM_SECONDS),
            ThreadPool("sweep", 1, queue, seconds),
        )


def client_network(address: str) -> str:
    """The key under which a client's streams are counted: an IPv6 address counts by its /64."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{int(found) >> (128 - NETWORK):x}"
