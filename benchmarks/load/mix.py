"""A deterministic mix of all kinds of requests to a public server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from urllib.parse import quote_plus, urlencode

from benchmarks.load.hostile import Hostile, catalogue
from benchmarks.load.sending import small
from benchmarks.load.wire import FORM, encoded

LAYERS = ("2-4-1", "2-3-3-1", "2-8-1")  # few shapes, as their compiled code is cached
RUNS = 100
REFUSED = ("a = ", "b = c", "while True: pass", "eval('L')", "L = 1 +* 2")


@dataclass(frozen=True, slots=True)
class Mixed:
    """A request, its kind, and the expected statuses."""

    kind: str
    request: bytes
    right: tuple[int, ...] = (200,)


Make = Callable[[int, int], Mixed]
"""Makes a request from the numbers of all earlier ones and of those of its kind."""


def mixed() -> Iterator[Mixed]:
    """All kinds in turn, with distinct requests where possible."""
    numbers = count()
    for turn in count():
        for make in _makers():
            yield make(next(numbers), turn)


def all_hostile() -> Iterator[Mixed]:
    """Every program of the hostile catalogue once."""
    return map(_hostile_one, catalogue())


def _makers() -> list[Make]:
    explore = ("/", "/graph", "/numbers", "/transcript", "/graph.svg", "/api/trace")
    state = ("/state", "/setup", "/doctor", "/code", "/boundary.png", "/loss.svg", "/network.svg")
    makers: list[Make] = [_program(path) for path in explore]
    makers += [_posted(path) for path in ("/graph", "/numbers")]
    makers += [_training(path) for path in state]
    fixed = ("/train", "/reference", "/healthz", "/metrics")
    makers += [_fixed(path) for path in fixed]
    return [*makers, _api_trace, _api_train, _refused, _missing, _spec_refused, _hostile]


def _program(path: str) -> Make:
    def make(number: int, turn: int) -> Mixed:
        target = f"{path}?{urlencode({'program': small(number)})}"
        return Mixed(f"GET {path}", encoded("GET", target))

    return make


def _posted(path: str) -> Make:
    def make(number: int, turn: int) -> Mixed:
        body = urlencode({"program": small(number), "frame": 1})
        return Mixed(f"POST {path}", encoded("POST", path, body, FORM))

    return make


def _training(path: str) -> Make:
    def make(number: int, turn: int) -> Mixed:
        layers, seed = LAYERS[turn % len(LAYERS)], turn % RUNS
        run = {"layers": layers, "samples": 16, "steps": 60, "seed": seed, "step": turn % 51}
        return Mixed(f"GET /train{path}", encoded("GET", f"/train{path}?{urlencode(run)}"))

    return make


def _fixed(path: str) -> Make:
    return lambda number, turn: Mixed(f"GET {path}", encoded("GET", path))


def _api_trace(number: int, turn: int) -> Mixed:
    body = json.dumps({"program": small(number)})
    return Mixed("POST /api/trace", encoded("POST", "/api/trace", body))


def _api_train(number: int, turn: int) -> Mixed:
    spec = {"layers": [2, 4, 1], "samples": 16, "steps": 20, "seed": number}
    return Mixed("POST /api/train", encoded("POST", "/api/train", json.dumps(spec)))


def _refused(number: int, turn: int) -> Mixed:
    program = f"x{number} = 1\n{REFUSED[turn % len(REFUSED)]}"
    body = json.dumps({"program": program})
    return Mixed("a refused program", encoded("POST", "/api/trace", body), (422,))


def _missing(number: int, turn: int) -> Mixed:
    return Mixed("404", encoded("GET", f"/nothing/{number}"), (404,))


def _spec_refused(number: int, turn: int) -> Mixed:
    target = f"/train/state?{urlencode({'layers': f'2-{number}-0-1'})}"
    return Mixed("a refused spec", encoded("GET", target), (422,))


def _hostile(number: int, turn: int) -> Mixed:
    return _hostile_one(catalogue()[turn % len(catalogue())])


def _hostile_one(case: Hostile) -> Mixed:
    program = quote_plus(case.program, errors="surrogatepass")
    body = f"program={program}"
    return Mixed(f"hostile {case.id}", encoded("POST", "/graph", body, FORM), (200, 422))
