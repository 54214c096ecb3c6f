"""Clients of training streams, with minimal parsing."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import cast
from urllib.parse import urlencode

from benchmarks.load.wire import connect, encoded

EVERY = 10
RATE = 10  # events a second
RUN = {"layers": "2-4-1", "samples": 16, "steps": 100_000, "every": EVERY, "fps": RATE}
MARK = b"\nid: "


def stream(seed: int) -> bytes:
    """The request for a stream of its own run: 10 events per second, 10 steps per event."""
    return encoded("GET", f"/train/stream?{urlencode({**RUN, 'seed': seed})}")


class Watcher(asyncio.Protocol):
    """A stream: the times of its events, and its first error."""

    def __init__(self, request: bytes) -> None:
        self.times: list[float] = []
        self.wrong = ""
        self.bytes = 0
        self.closed = False
        self._asked = 0.0
        self._request = request
        self._tail = b""
        self._step = 0
        self._transport: asyncio.Transport | None = None
        self._leaving = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._asked = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if not self.bytes and not data.startswith(b"HTTP/1.1 200 "):
            self.wrong = self.wrong or data[9:12].decode("latin-1")
        self.bytes += len(data)
        if MARK in data or self._tail:
            self._look(self._tail + data)
        else:
            self._keep(data)

    def _look(self, data: bytes) -> None:
        at = data.find(MARK)
        while at >= 0:
            end = data.find(b"\n", at + len(MARK))
            if end < 0:
                self._tail = data[at:]
                return
            self._event(int(data[at + len(MARK) : end]))
            at = data.find(MARK, end)
        self._keep(data)

    def _keep(self, data: bytes) -> None:
        """Keep the end of `data`, as the mark may span two chunks."""
        cut = data.rfind(b"\n", -len(MARK))
        self._tail = data[cut:] if cut >= 0 and MARK.startswith(data[cut:]) else b""

    def _event(self, step: int) -> None:
        self.times.append(time.perf_counter())
        if step != self._step + EVERY:
            self.wrong = self.wrong or f"step {step} after {self._step}"
        self._step = step

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        self._transport = None
        if not self._leaving:
            self.wrong = self.wrong or "cut off"

    def leave(self) -> None:
        """Abort the connection, as closing a tab does."""
        self._leaving = True
        if self._transport is not None:
            self._transport.abort()

    @property
    def first(self) -> float:
        """Milliseconds from the request to the first event."""
        return (self.times[0] - self._asked) * 1000

    def gaps(self, start: float, stop: float) -> list[float]:
        """Milliseconds between events from `start` to `stop`.

        A gap still open at `stop` counts if it is the longest.
        """
        seen = [when for when in self.times if start <= when < stop]
        found = [(after - before) * 1000 for before, after in pairwise(seen)]
        waited = (stop - (seen[-1] if seen else start)) * 1000
        return [*found, waited] if waited > max(found, default=1000 / RATE) else found


async def watch(port: int, count: int, seconds: float, first: int = 1) -> list[Watcher]:
    """Open `count` streams, evenly spaced over `seconds`. Raises OSError."""
    began = time.perf_counter()
    watchers = []
    for i in range(count):
        watchers.append(await connect(port, Watcher(stream(first + i))))
        await asyncio.sleep(began + seconds * (i + 1) / count - time.perf_counter())
    return watchers
