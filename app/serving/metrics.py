"""Prometheus metrics of one worker: requests, thread pools, layouts, training, the process.

Each application has a registry of its own. Code below a request, in its threads too, reaches the
metrics of the application that is answering through `current`; outside of any request that is a
registry that is never read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE

from app.serving.early_refusal import refused
from app.serving.headers import ASGI, Message, Receive, Scope, Send
from app.serving.path_template import template

__all__ = ["CONTENT_TYPE", "Metrics", "current", "is_stream", "observe_layout", "training"]

EVENTS = b"text/event-stream"
UNANSWERED = 499  # the client left before an answer began
QUICK = (0.005, 0.025, 0.1, 0.5, 2.5)  # seconds
LASTING = (1.0, 10.0, 60.0, 600.0)  # seconds

disable_created_metrics()  # type: ignore[no-untyped-call]  # *_created doubles the series


class Metrics:
    """The metrics of one application in one process. Safe to use from several threads."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge, histogram = (
            partial(Counter, registry=self.registry),
            partial(Gauge, registry=self.registry),
            partial(Histogram, registry=self.registry),
        )
        self.requests = counter(
            "seegrad_requests_total", "Answers, by address and status.", ("path", "status")
        )
        self.request_seconds = histogram(
            "seegrad_request_seconds",
            "Seconds to answer; streams excluded.",
            ("path",),
            buckets=QUICK,
        )
        self.in_flight = gauge(
            "seegrad_requests_in_flight", "Requests being answered; streams excluded."
        )
        self.streams_open = gauge("seegrad_streams_open", "Training runs being watched.")
        self.stream_seconds = histogram(
            "seegrad_stream_seconds", "Seconds a stream was open.", buckets=LASTING
        )
        self.queue_length = gauge(
            "seegrad_queue_length", "Requests that wait for a thread.", ("kind",)
        )
        self.sheds = counter("seegrad_sheds_total", "Requests turned away with 503.", ("kind",))
        self.cache = counter(
            "seegrad_cache_total",
            "Requests by cache result: hit, miss, unchanged (304), gone (410).",
            ("result",),
        )
        self.layout_seconds = histogram(
            "seegrad_layout_seconds", "Seconds Graphviz took for a graph.", buckets=QUICK
        )
        self.layout_timeouts = counter(
            "seegrad_layout_timeouts_total", "Layouts stopped at the deadline."
        )
        self.training_seconds = counter(
            "seegrad_training_seconds_total", "Seconds spent on training steps."
        )
        self.training_steps = counter("seegrad_training_steps_total", "Training steps computed.")
        self.build_info = gauge(
            "seegrad_build_info", "What is running; always 1.", ("version", "key", "python")
        )
        self.registry.register(refused)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)

    def text(self) -> bytes:
        """All metrics in Prometheus' text format, version 0.0.4."""
        return generate_latest(self.registry)

    def around(self, app: ASGI, paths: Collection[str] = ()) -> ASGI:
        """`app` with its requests counted, by `template` of their path among `paths`."""
        return _Counted(app, self, frozenset(paths))


_current: ContextVar[Metrics] = ContextVar("metrics", default=Metrics())  # noqa: B039  # unread


def current() -> Metrics:
    """The metrics of the application that is answering this request."""
    return _current.get()


def observe_layout(seconds: float, timed_out: bool) -> None:
    """Count one run of Graphviz."""
    current().layout_seconds.observe(seconds)
    current().layout_timeouts.inc(timed_out)


@contextmanager
def training() -> Iterator[Callable[[int], None]]:
    """Count the block's time as training; call the result with the number of steps made."""
    metrics, began = current(), time.perf_counter()
    try:
        yield metrics.training_steps.inc
    finally:
        metrics.training_seconds.inc(time.perf_counter() - began)


# Requests


class _Counted:
    """An application whose requests are counted."""

    def __init__(self, app: ASGI, metrics: Metrics, paths: frozenset[str]) -> None:
        self._app = app
        self._metrics = metrics
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = template(scope["path"], self._paths)
        visit = _Visit(self._metrics, path, scope["method"], send)
        token = _current.set(self._metrics)
        try:
            await self._app(scope, receive, visit.send)
        except Exception:
            visit.status = visit.status or 500
            raise
        finally:
            _current.reset(token)
            visit.end()


class _Visit:
    """One request from its beginning to its end."""

    def __init__(self, metrics: Metrics, path: str, method: str, send: Send) -> None:
        self._metrics = metrics
        self._path = path
        self._method = method
        self._send = send
        self._began = time.perf_counter()
        self._open = metrics.in_flight
        self.status = 0
        self._open.inc()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self._method == "GET" and is_stream(message):
                self._open.dec()
                self._open = self._metrics.streams_open
                self._open.inc()
        await self._send(message)

    def end(self) -> None:
        seconds = time.perf_counter() - self._began
        metrics = self._metrics
        self._open.dec()
        metrics.requests.labels(self._path, str(self.status or UNANSWERED)).inc()
        if self._open is metrics.streams_open:
            metrics.stream_seconds.observe(seconds)
        else:
            metrics.request_seconds.labels(self._path).observe(seconds)


def is_stream(start: Message) -> bool:
    """Whether an answer that begins like this is a stream of server-sent events."""
    return any(
        name.lower() == b"content-type" and text.startswith(EVENTS)
        for name, text in start.get("headers", ())
    )
