"""The server on loopback: `python -m app`, one worker, warm, one keep-alive connection.

A figure is the round-trip time, from the first byte sent to the last one received; the row of
`/healthz` is the overhead. *processor* is the CPU time of the server's threads, which depends less
on the machine's load (Linux only). Responses are compressed as for a browser; kB are those on the
wire. Each round measures every row, so that disturbances affect all; a turn is a few consecutive
requests, as dragging or typing sends them. Rows:

- *first*: nothing is cached, neither the program nor a graph of its structure. Requests have equal
  numbers of Values and operations, but distinct edges (`programs.sevens`, `programs.hundred`).
- *layout known*: new numbers in the text, which is parsed, run, traced and drawn with cached
  positions.
- *dragged leaf*: `POST /numbers` with another number each time, as the page sends it, computed from
  the program's record, or *run anew* where the program prints it.
"""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

from benchmarks import programs
from benchmarks.report import NO_GOAL, Goal, percentile, table
from benchmarks.serving import HOST, Server, running

WARM_UP = 3
ROUNDS = 16
TURN = 5
BROWSER = {"accept-encoding": "gzip, deflate, br, zstd"}
TYPES = {"form": "application/x-www-form-urlencoded", "json": "application/json"}


@dataclass(frozen=True, slots=True)
class Request:
    """A request."""

    method: str
    path: str
    body: str = ""
    type: str = "form"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: name, requests, and goal of their median."""

    name: str
    requests: Iterator[Request]
    most: float | None = None


def _graph(program: str) -> Request:
    return Request("GET", f"/graph?{urlencode({'program': program})}")


def _numbers(program: str, leaf: str, x: float) -> Request:
    return Request("POST", "/numbers", urlencode({"program": program, leaf: repr(x)}))


def _api(program: str) -> Request:
    return Request("POST", "/api/trace", json.dumps({"program": program}), "json")


def _new_numbers() -> Iterator[float]:
    chance = random.Random(0)
    while True:
        yield round(chance.uniform(0.1, 3.0), 6)


def _each(make: Callable[[float], Request]) -> Iterator[Request]:
    """Requests with distinct numbers."""
    return map(make, _new_numbers())


def _rows() -> list[Row]:
    seven, hundred, network = programs.seven, programs.hundred, programs.network
    link, printed = urlencode({"program": seven()}), f"{seven()}\nprint(L)"
    return [
        Row("7 Values, first", map(_graph, programs.sevens()), 15),
        Row("7 Values, layout known", _each(lambda x: _graph(seven(x))), 5),
        Row("7 Values, dragged leaf", _each(lambda x: _numbers(seven(), "a", x)), 1.6),
        Row("7 Values, dragged leaf, run anew", _each(lambda x: _numbers(printed, "a", x)), 6),
        Row("100 Values, first", (_graph(hundred(seed)) for seed in range(1, 1000)), 60),
        Row("100 Values, layout known", _each(lambda x: _graph(hundred(0, x))), 15),
        Row("100 Values, dragged leaf", _each(lambda x: _numbers(hundred(0), "x0", x)), 5),
        Row("MLP of 104 Values, layout known", _each(lambda x: _graph(network(1, x))), 15),
        Row("MLP of 104 Values, dragged leaf", _each(lambda x: _numbers(network(), "x1", x)), 5),
        Row("GET /healthz", iter(lambda: Request("GET", "/healthz"), None)),
        Row("7 Values, GET /explore", iter(lambda: Request("GET", "/explore"), None)),
        Row("7 Values, GET /graph.svg", iter(lambda: Request("GET", f"/graph.svg?{link}"), None)),
        Row("7 Values, POST /api/trace", _each(lambda x: _api(seven(x)))),
        Row("100 Values, POST /api/trace", _each(lambda x: _api(hundred(0, x)))),
    ]


@dataclass(frozen=True, slots=True)
class Answer:
    """The cost of a request: wall-clock and CPU milliseconds, bytes on the wire."""

    clock: float
    processor: float | None
    size: int


def ask(client: http.client.HTTPConnection, server: Server, request: Request) -> Answer:
    """Send a request. Raises RuntimeError unless it is answered with 200."""
    headers = BROWSER | ({"content-type": TYPES[request.type]} if request.body else {})
    body = request.body.encode() or None
    worked = server.worked()
    began = perf_counter()
    client.request(request.method, request.path, body, headers)
    answer = client.getresponse()
    text = answer.read()
    took = (perf_counter() - began) * 1000
    if answer.status != 200:
        raise RuntimeError(f"{request.path} answered with {answer.status}")
    after = server.worked()
    used = None if worked is None or after is None else after - worked
    return Answer(took, used, len(text))


def _measure(rows: list[Row], server: Server) -> dict[str, list[Answer]]:
    client = http.client.HTTPConnection(HOST, server.port, timeout=60)
    found: dict[str, list[Answer]] = {row.name: [] for row in rows}
    for turn in range(WARM_UP + ROUNDS):
        for row in rows:
            answers = [ask(client, server, next(row.requests)) for _ in range(TURN)]
            if turn >= WARM_UP:
                found[row.name] += answers
    client.close()
    return found


def _cells(row: Row, answers: list[Answer]) -> tuple[str, ...]:
    times = [answer.clock for answer in answers]
    used = [answer.processor for answer in answers if answer.processor is not None]
    middle = median(times)
    goal = NO_GOAL if row.most is None else Goal(row.most).words(middle)
    figures = (middle, min(times), percentile(times, 95))
    size = median(answer.size for answer in answers) / 1000
    worked = f"{median(used):.2f}" if used else "–"
    return (row.name, *(f"{x:.2f}" for x in figures), worked, f"{size:.1f}", *goal)


def run() -> str:
    """Run all measurements; returns the table."""
    rows = _rows()
    with running() as server:
        found = _measure(rows, server)
    head = ("request", "median", "least", "p95", "processor", "kB", "goal (median)", "")
    title = f"Server: round-trip milliseconds, {ROUNDS} rounds of {TURN}"
    return table(title, head, (_cells(row, found[row.name]) for row in rows))


if __name__ == "__main__":
    print(run())
