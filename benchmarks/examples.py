"""The examples of the page: CPU time of the server for a first picture and for a dragged leaf.

With `--beside CHECKOUT`, the server of another checkout, such as an earlier commit with the same
environment, is asked the same in turn, and the ratio of the medians is shown.

Each round starts the servers anew, as only a new one has no picture cached; a first request for
another program has what is loaded once loaded. Linux only: elsewhere the wall clock is taken.
"""

from __future__ import annotations

import http.client
import os
from collections import defaultdict
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from app.explore.examples import EXAMPLES, Example
from benchmarks import programs
from benchmarks.report import table
from benchmarks.server import Request, ask
from benchmarks.serving import HOST, ROOT, Server, running
from engine.program import Program

BESIDE = "SEEGRAD_BENCH_BESIDE"
"""The environment variable for the other checkout."""
ROUNDS = 6
DRAGS = 12
STEP = 0.001  # from one number of a dragged leaf to the next

Figures = dict[tuple[Path, str, str], list[float]]
"""Milliseconds by checkout, example and kind of request."""


def _first(example: Example) -> Request:
    return Request("GET", f"/graph?{urlencode(_form(example))}")


def _drags(example: Example) -> Iterable[Request]:
    leaf, x = next(iter(Program(example.program).defaults().items()))
    for i in range(1, DRAGS + 1):
        body = urlencode({**_form(example), leaf: repr(x + i * STEP)})
        yield Request("POST", "/numbers", body)


def _form(example: Example) -> dict[str, str]:
    return {"program": example.program} | ({"grouped": "1"} if example.grouped else {})


def _measure(checkouts: list[Path]) -> Figures:
    found: Figures = defaultdict(list)
    for turn in range(ROUNDS):
        with ExitStack() as stack:
            servers = {root: stack.enter_context(running(root=root)) for root in checkouts}
            clients = {root: _warm(servers[root]) for root in checkouts}
            order = checkouts if turn % 2 else checkouts[::-1]
            for example in EXAMPLES:
                wanted = [("first", _first(example)), *(("drag", it) for it in _drags(example))]
                for kind, request in wanted:
                    for root in order:
                        answer = ask(clients[root], servers[root], request)
                        used = answer.clock if answer.processor is None else answer.processor
                        found[root, example.slug, kind].append(used)
    return found


def _warm(server: Server) -> http.client.HTTPConnection:
    client = http.client.HTTPConnection(HOST, server.port, timeout=60)
    program = programs.hundred(0)
    ask(client, server, Request("GET", f"/graph?{urlencode({'program': program})}"))
    for x in ("0.5", "0.75"):
        body = urlencode({"program": program, "x0": x})
        ask(client, server, Request("POST", "/numbers", body))
    return client


def _cells(found: Figures, checkouts: list[Path], slugs: list[str]) -> list[str]:
    cells = []
    for kind in ("first", "drag"):
        sums = [sum(median(found[root, slug, kind]) for slug in slugs) for root in checkouts]
        cells += [f"{x:.2f}" for x in sums]
        cells.append(f"{sums[0] / sums[-1]:.2f}" if len(sums) > 1 else "–")
    return cells


def run() -> str:
    """Run all measurements; returns the table."""
    beside = os.environ.get(BESIDE)
    checkouts = [ROOT, Path(beside).resolve()] if beside else [ROOT]
    found = _measure(checkouts)
    names = ["here", "beside"][: len(checkouts)]
    head = ["example", *(f"{kind}, {it}" for kind in ("first", "drag") for it in [*names, "ratio"])]
    slugs = [example.slug for example in EXAMPLES]
    rows = [[slug, *_cells(found, checkouts, [slug])] for slug in slugs]
    rows.append(["all", *_cells(found, checkouts, slugs)])
    title = f"Examples: milliseconds of the server's processor, medians of {ROUNDS} rounds"
    return table(title, head, rows)


if __name__ == "__main__":
    print(run())
