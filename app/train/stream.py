"""A training run as server-sent events, at most at the rate of a display.

The id of an event is its step, and its losses continue those of the previous event. A client that
reconnects with Last-Event-ID resumes from there, on any server: a run is a pure function of its
address. The run is released between events, so that other requests can use it during playback.

An event holds the whole state, or is lean (`app.train.lean`) for a reader that asks for that. A
lean stream is compressed as a whole if the reader takes gzip.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from app.serving.compression import GzipStream
from app.serving.headers import NO_STORE
from app.serving.shutdown import NEVER, Draining
from app.serving.thread_pools import BusyError, ThreadPool
from app.train.address import Pairs, number, text_of, whole
from app.train.lean import Lean
from app.train.live_run import LiveRun
from app.train.runs import CachedRun
from app.train.state import history, measures, pictures
from engine.cancellation import Cancelled
from engine.training.fields import SpecError, Whole, refusal
from engine.training.spec import TrainSpec

KIND = "text/event-stream"
HEADERS = {**NO_STORE, "x-accel-buffering": "no"}
FAST = "fast"
MOST_EVENTS = 60.0  # a second
LEAST_EVENTS = 0.1
QUIET = 10.0  # seconds without an event before a keep-alive comment
SHARE = 0.7  # fraction of the period between events for which "fast" trains and renders
RETRY = b"retry: 500\n\n"  # milliseconds before a browser reconnects
COMMENT = b": \n\n"
LAST_ID = "Last-Event-ID"


@dataclass(frozen=True, slots=True)
class Pace:
    """Steps per event, None for as many as fit, and events per second."""

    every: int | None
    fps: float


def pace_of(pairs: Pairs) -> Pace:
    """The pace in the parameters of an address. Raises SpecError."""
    fps = number(pairs, "fps", LEAST_EVENTS, MOST_EVENTS, MOST_EVENTS)
    if text_of(pairs, "every") == FAST:
        return Pace(None, fps)
    try:
        return Pace(whole(pairs, "every", 1, 10**9, 1), fps)
    except SpecError as error:
        wanted = f"; give a whole number from 1 upwards, or {FAST}."
        raise refusal("every", text_of(pairs, "every"), wanted) from error


def start_of(pairs: Pairs, last_id: str | None, spec: TrainSpec) -> int:
    """The step after which events begin: the last one received. Raises SpecError.

    An id beyond the end, possibly of another run, is clamped to the end.
    """
    start = whole(pairs, "from", 0, spec.total_steps, 0)
    if last_id is None:
        return start
    kind = Whole(0, 10**9)
    seen: int = kind.read(LAST_ID, kind.parse(last_id))
    return min(seen, spec.total_steps)


class Player:
    """Plays one run from step to step, for one client."""

    def __init__(self, kept: CachedRun, last: int, pace: Pace, lean: Lean | None = None) -> None:
        self._kept: CachedRun | None = kept
        self._last = last
        self._pace = pace
        self._lean = lean
        self._showing = 0.0  # seconds spent on the last event, apart from training
        self.late = 0.0
        """Seconds by which the last event was ready after its time."""
        self.gone = False
        """Whether the client has disconnected, which cancels pending work."""

    def next(self, start: int) -> tuple[int, bytes]:
        """The event after the one of step `start`, with its step."""
        try:
            kept = self._kept
            if kept is None:
                raise Cancelled
            with kept.hold(lambda: self.gone) as run:
                run.seek(start)
                stop = self._train(run, start)
                began = time.perf_counter()
                text = _event("state", stop, self._seen(run, start, stop))
                self._showing = time.perf_counter() - began
        except Cancelled:
            return start, COMMENT
        return stop, text

    def _seen(self, run: LiveRun, start: int, stop: int) -> dict[str, Any]:
        if self._lean is None:
            return seen(run, start, stop)
        return self._lean.seen(run, start, stop, self.late)

    def _train(self, run: LiveRun, start: int) -> int:
        """Train until the next event; returns the step reached."""
        if self._pace.every is not None:
            return min(start + self._pace.every, self._last)
        left = SHARE / self._pace.fps - self._showing
        began = time.perf_counter()
        step, count = start, 1
        while step < self._last and count > 0:
            stop = min(step + count, self._last)
            run.seek(stop)
            step, spent = stop, time.perf_counter() - began
            count = int((left - spent) / 2 * (step - start) / spent)  # half: step times vary
        return step

    def leave(self) -> None:
        """Release the run at once, on disconnection.

        The rest of the stream may wait for the garbage collector, but the run's memory is large.
        """
        self.gone = True
        self._kept = None

    @property
    def last(self) -> int:
        """The last step of the run."""
        return self._last

    @property
    def period(self) -> float:
        """Seconds between events."""
        return 1 / self._pace.fps


def seen(run: LiveRun, start: int, stop: int) -> dict[str, Any]:
    """The data of an event: the state after `stop` updates, and the metrics since `start`."""
    past = history(run, start, stop)
    return {**measures(run, run.kernel.snapshot()), **past, **pictures(run)}


async def compressed(
    texts: AsyncGenerator[bytes, None], threads: ThreadPool
) -> AsyncGenerator[bytes, None]:
    """Encoded events as pieces of one gzip stream, each of which the reader can decode at once."""
    stream = GzipStream()
    try:
        async for text in texts:
            yield await threads.run(stream.piece, text)
    finally:
        await texts.aclose()


async def events(
    player: Player, start: int, threads: ThreadPool, draining: Draining = NEVER
) -> AsyncGenerator[bytes, None]:
    """The encoded events after step `start` up to the end of the run.

    A server that shuts down ends them early, without the event `done`.
    """
    step, due = start, time.monotonic()
    ending = asyncio.create_task(draining.wait())
    try:
        yield RETRY
        while step < player.last:
            # A task, never cancelled: its thread could not be interrupted.
            working = asyncio.create_task(threads.run(player.next, step))
            while not (await _first({working, ending}, QUIET)):
                yield COMMENT
            if ending.done():
                return
            step, text = working.result()
            player.late = max(0.0, time.monotonic() - due)
            if await _first({ending}, max(0.0, due - time.monotonic())):
                return
            yield text
            due = max(due + player.period, time.monotonic())
        yield _event("done", step, {"step": step})
    finally:
        player.leave()
        ending.cancel()


async def _first(tasks: set[asyncio.Task[Any]], seconds: float) -> bool:
    """Whether one of `tasks` completes within `seconds`."""
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return bool(done)


def _event(name: str, step: int, found: dict[str, Any]) -> bytes:
    data = json.dumps(found, allow_nan=False, separators=(",", ":"))
    return f"id: {step}\nevent: {name}\ndata: {data}\n\n".encode()


class Streams:
    """The open streams: at most `most` in total and `each` per client."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._open: dict[_Stream, str] = {}

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, client: str) -> None:
        """Raises BusyError if the limit, in total or for this client, is reached."""
        if len(self._open) >= self._most:
            raise BusyError("stream", f"{self._most:,} streams are open, the limit.")
        if sum(known == client for known in self._open.values()) >= self._each:
            message = f"{self._each:,} streams are open from your address, the limit."
            raise BusyError("stream", message)

    def response(
        self,
        events: AsyncGenerator[bytes, None],
        client: str,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> StreamingResponse:
        """The response that sends these events, with `more` headers, to a client."""
        return _Stream(self._open, events, client, more)


class _Stream(StreamingResponse):
    """One stream. On disconnection it closes its events, which releases the run."""

    def __init__(
        self,
        others: dict[_Stream, str],
        events: AsyncGenerator[bytes, None],
        client: str,
        more: Mapping[str, str],
    ) -> None:
        super().__init__(events, headers={**HEADERS, **more}, media_type=KIND)
        self._others = others
        self._events = events
        self._client = client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._others[self] = self._client
        try:
            await super().__call__(scope, receive, send)
        finally:
            del self._others[self]
            await self._events.aclose()
