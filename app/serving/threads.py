"""Room for work, of each kind by itself: what finds none is turned away, not queued without an end.

Pages and traces have threads that training never uses. Whoever waits for a thread waits in a row of
bounded length and for a bounded time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio import CapacityLimiter

from app.settings import Settings

T = TypeVar("T")

PATIENT = 3_600.0  # seconds: a stream that was let in waits for its next turn
MOMENT = 5  # milliseconds: more would be seen as a jump where a run plays
NETWORK = 64  # bits of an IPv6 address that one household or firm is given as a whole


class BusyError(RuntimeError):
    """There is no room for a kind of work now; a moment later there may be."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Threads:
    """`count` threads for work of one kind; `row` requests may wait, each for `seconds`.

    Before each piece of work they give way to those `before` them, for a moment.
    """

    def __init__(
        self, kind: str, count: int, row: int, seconds: float, before: Threads | None = None
    ) -> None:
        self.kind = kind
        self._before = before
        self.count = count
        self._row = row
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
    async def turn(self) -> AsyncIterator[None]:
        """One thread's worth of time. Raises BusyError."""
        if self.waiting >= self._row:
            raise BusyError(self.kind, f"{self.waiting:,} wait already, the limit.")
        turn = object()
        try:
            with anyio.fail_after(self._seconds):
                await self._limiter.acquire_on_behalf_of(turn)
        except TimeoutError:
            raise BusyError(self.kind, f"No turn within {self._seconds:g} seconds.") from None
        try:
            await self._give_way()
            yield
        finally:
            self._limiter.release_on_behalf_of(turn)

    async def _give_way(self) -> None:
        """Python runs one thread at a time: without this those before would get but a share."""
        before = self._before
        for _ in range(MOMENT):
            if before is None or not before.working:
                return
            await anyio.sleep(0.001)

    async def run(self, work: Callable[..., T], *args: object, abandon: bool = False) -> T:
        """What `work` returns; with `abandon` nobody waits for it once the task is cancelled."""
        async with self.turn():
            return await anyio.to_thread.run_sync(
                work, *args, limiter=CapacityLimiter(1), abandon_on_cancel=abandon
            )


@dataclass(frozen=True, slots=True)
class Rooms:
    """Threads for each kind of work."""

    light: Threads
    """Pages and traces."""
    training: Threads
    players: Threads
    """Streams, which give their thread back at each event. Fewer, since what an event shows is made
    in Python: two at a time only wait for each other, and a processor is left to the pages."""
    sweeps: Threads
    """A sweep, which has threads of its own."""

    @classmethod
    def of(cls, settings: Settings) -> Rooms:
        """As the settings say."""
        seconds, cores = settings.number("wait_seconds"), settings.whole("train_at_once")
        row, streams = settings.whole("train_waiting"), settings.whole("train_streams")
        pages = settings.whole("pages_at_once"), settings.whole("waiting")
        light = Threads("light", *pages, seconds)
        return cls(
            light,
            Threads("train", cores, row, seconds),
            Threads("stream", max(1, cores - 1), streams, PATIENT, before=light),
            Threads("sweep", 1, row, seconds),
        )


def household(address: str) -> str:
    """What counts as one address: an IPv6 address by its network."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{int(found) >> (128 - NETWORK):x}"
