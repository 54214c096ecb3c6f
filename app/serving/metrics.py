"""What the server counts, in the text format of Prometheus (version 0.0.4).

Each number is a row of FAMILIES. `count`, `observe` and `timed` may be called from anywhere below a
request, in its threads too: they count for the application that is answering it. What is counted
outside of any request is nobody's and is not shown.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.serving.answer_cache import unversioned
from app.serving.headers import ASGI, Message, Receive, Scope, Send

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
EVENTS = b"text/event-stream"
STATIC = "/static"
OTHER = "other"
UNANSWERED = 499  # the client left before an answer began
QUICK = (0.005, 0.025, 0.1, 0.5, 2.5)
LASTING = (1.0, 10.0, 60.0, 600.0)


@dataclass(frozen=True, slots=True)
class Family:
    """One row: a name, its kind, a sentence of help, its labels, and the buckets of a histogram."""

    name: str
    kind: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


FAMILIES = {
    row.name: row
    for row in (
        Family(
            "gradlens_requests_total", "counter", "Answers, by address and status.",
            ("path", "status"),
        ),
        Family(
            "gradlens_request_seconds", "histogram", "Seconds an answer took, but streams.",
            ("path",), QUICK,
        ),
        Family("gradlens_requests_in_flight", "gauge", "Requests being answered, but streams."),
        Family(
            "gradlens_refused_total", "counter",
            "Requests that were no HTTP, too long or too slow, by status.", ("status",),
        ),
        Family("gradlens_streams_open", "gauge", "Training runs being watched."),
        Family(
            "gradlens_stream_seconds", "histogram", "Seconds a stream was open.", buckets=LASTING
        ),
        Family("gradlens_queue_length", "gauge", "Requests that wait for a thread.", ("kind",)),
        Family("gradlens_sheds_total", "counter", "Requests turned away with 503.", ("kind",)),
        Family(
            "gradlens_cache_total", "counter",
            "Requests by what was known: hit, miss, unchanged (304), gone (410).", ("result",),
        ),
        Family(
            "gradlens_layout_seconds", "histogram", "Seconds Graphviz took for a graph.",
            buckets=QUICK,
        ),
        Family("gradlens_layout_timeouts_total", "counter", "Layouts that were given up."),
        Family("gradlens_training_seconds_total", "counter", "Seconds spent on training steps."),
        Family("gradlens_training_steps_total", "counter", "Training steps computed."),
        Family(
            "gradlens_build_info", "gauge", "What is running; always 1.",
            ("version", "key", "python"),
        ),
        Family("process_resident_memory_bytes", "gauge", "Memory held, in bytes (Linux)."),
        Family("process_open_fds", "gauge", "Open descriptors (Linux)."),
    )
}  # fmt: skip

Labels = tuple[str, ...]
Gauge = Callable[[], float | None]


class Metrics:
    """The numbers of one application in one process. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._numbers: dict[tuple[str, Labels], float] = {}
        self._histograms: dict[tuple[str, Labels], _Histogram] = {}
        self._gauges: dict[tuple[str, Labels], Gauge] = {}
        self.gauge("process_resident_memory_bytes", resident_memory)
        self.gauge("process_open_fds", open_descriptors)

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add `amount`, of a gauge also a negative one. Raises KeyError for what is in no row."""
        key = _key(name, labels)
        with self._lock:
            self._numbers[key] = self._numbers.get(key, 0) + amount

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """Add one observation to a histogram. Raises KeyError for what is in no row."""
        key = _key(name, labels)
        with self._lock:
            found = self._histograms.setdefault(key, _Histogram(FAMILIES[name].buckets))
            found.add(seconds)

    def gauge(self, name: str, read: Gauge, **labels: str) -> None:
        """Show what `read` returns whenever the numbers are asked for; None leaves the line out."""
        self._gauges[_key(name, labels)] = read

    def text(self) -> str:
        """Everything counted so far."""
        lines: list[str] = []
        with self._lock:
            for row in FAMILIES.values():
                lines += [f"# HELP {row.name} {row.help}", f"# TYPE {row.name} {row.kind}"]
                lines += self._lines(row)
        return "\n".join(lines) + "\n"

    def _lines(self, row: Family) -> Iterator[str]:
        if row.kind == "histogram":
            for (name, labels), found in sorted(self._histograms.items(), key=lambda it: it[0]):
                if name == row.name:
                    yield from found.lines(row, labels)
            return
        numbers = {labels: x for (name, labels), x in self._numbers.items() if name == row.name}
        for (name, labels), read in self._gauges.items():
            now = read() if name == row.name else None
            if now is not None:
                numbers[labels] = now
        if not row.labels and (row.name, ()) not in self._gauges:
            numbers.setdefault((), 0)
        for labels, x in sorted(numbers.items()):
            yield f"{row.name}{_braces(row.labels, labels)} {_written(x)}"

    def around(self, app: ASGI, paths: Collection[str] = ()) -> ASGI:
        """`app`, counted; an address that is none of `paths` is counted as "other"."""
        return _Counted(app, self, frozenset(paths))


class _Histogram:
    """How many observations lie at or below each bucket, and their sum."""

    def __init__(self, buckets: tuple[float, ...]) -> None:
        self._buckets = buckets
        self._counts = [0] * len(buckets)
        self._count = 0
        self._sum = 0.0

    def add(self, x: float) -> None:
        self._count += 1
        self._sum += x
        for place, most in enumerate(self._buckets):
            if x <= most:
                self._counts[place] += 1

    def lines(self, row: Family, labels: Labels) -> Iterator[str]:
        bounds = [_written(most) for most in self._buckets]
        counts = zip((*bounds, "+Inf"), (*self._counts, self._count), strict=True)
        for bound, count in counts:
            yield f"{row.name}_bucket{_braces((*row.labels, 'le'), (*labels, bound))} {count}"
        yield f"{row.name}_sum{_braces(row.labels, labels)} {_written(self._sum)}"
        yield f"{row.name}_count{_braces(row.labels, labels)} {self._count}"


def _key(name: str, labels: dict[str, str]) -> tuple[str, Labels]:
    known = FAMILIES[name].labels
    if len(labels) != len(known):
        raise KeyError(f"{name} has the labels {known}, not {tuple(labels)}")
    return name, tuple(labels[label] for label in known)


def _braces(names: Labels, texts: Labels) -> str:
    if not names:
        return ""
    pairs = zip(names, map(_escaped, texts), strict=True)
    return "{" + ",".join(f'{name}="{text}"' for name, text in pairs) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _written(x: float) -> str:
    return str(int(x)) if x == int(x) else repr(x)


# Counting from anywhere


def count(name: str, amount: float = 1, **labels: str) -> None:
    """`Metrics.count` of the application that is answering."""
    _current.get().count(name, amount, **labels)


def observe(name: str, seconds: float, **labels: str) -> None:
    """`Metrics.observe` of the application that is answering."""
    _current.get().observe(name, seconds, **labels)


@contextmanager
def timed(name: str, **labels: str) -> Iterator[None]:
    """Observe the seconds that the block takes, also if it fails."""
    began = time.perf_counter()
    try:
        yield
    finally:
        observe(name, time.perf_counter() - began, **labels)


@contextmanager
def training() -> Iterator[Callable[[int], None]]:
    """Count the block's seconds as training; it says how many steps were made."""
    began = time.perf_counter()
    try:
        yield partial(count, "gradlens_training_steps_total")
    finally:
        count("gradlens_training_seconds_total", time.perf_counter() - began)


# The process


def resident_memory() -> float | None:
    """Bytes of memory that the process holds; None where nobody says."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_descriptors() -> float | None:
    """Descriptors that the process has open; None where nobody says."""
    try:
        return len(os.listdir("/proc/self/fd")) - 1  # noqa: PTH208  # one of them is for listing
    except OSError:
        return None


# Requests


class _Counted:
    """An application whose answers are counted."""

    def __init__(self, app: ASGI, metrics: Metrics, paths: frozenset[str]) -> None:
        self._app = app
        self._metrics = metrics
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = _Visit(self._metrics, self._template(scope["path"]), scope["method"], send)
        token = _current.set(self._metrics)
        try:
            await self._app(scope, receive, visit.send)
        except Exception:
            visit.status = visit.status or 500
            raise
        finally:
            _current.reset(token)
            visit.end()

    def _template(self, path: str) -> str:
        """The address as it is counted: without a version in front, known or "other"."""
        path = unversioned(path)
        if path.startswith(f"{STATIC}/"):
            return STATIC
        return path if path in self._paths else OTHER


class _Visit:
    """One request from its beginning to its end."""

    def __init__(self, metrics: Metrics, path: str, method: str, send: Send) -> None:
        self._metrics = metrics
        self._path = path
        self._method = method
        self._send = send
        self._began = time.perf_counter()
        self._gauge = "gradlens_requests_in_flight"
        self.status = 0
        metrics.count(self._gauge, 1)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self._method == "GET" and is_stream(message):
                self._metrics.count(self._gauge, -1)
                self._gauge = "gradlens_streams_open"
                self._metrics.count(self._gauge, 1)
        await self._send(message)

    def end(self) -> None:
        seconds = time.perf_counter() - self._began
        self._metrics.count(self._gauge, -1)
        status = str(self.status or UNANSWERED)
        self._metrics.count("gradlens_requests_total", path=self._path, status=status)
        if self._gauge == "gradlens_streams_open":
            self._metrics.observe("gradlens_stream_seconds", seconds)
        else:
            self._metrics.observe("gradlens_request_seconds", seconds, path=self._path)


def is_stream(start: Message) -> bool:
    """Whether an answer that begins like this goes on as a stream of events."""
    return any(
        name.lower() == b"content-type" and text.startswith(EVENTS)
        for name, text in start.get("headers", ())
    )


_current: ContextVar[Metrics] = ContextVar("metrics", default=Metrics())  # noqa: B039  # nobody's
