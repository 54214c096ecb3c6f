"""Throughput of cached traces from one worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urlencode

from benchmarks.load.hammer import Blow, Runner, entity_tag, strike
from benchmarks.load.machine import Clock
from benchmarks.load.rows import Row, row
from benchmarks.programs import seven
from benchmarks.report import AtLeast
from benchmarks.serving import running

PATH = "/api/trace"
GOAL = AtLeast(3000)


def rows(seconds: float, run: Runner) -> Iterator[Row]:
    """The same trace by address, by form, and conditionally with its ETag."""
    target = f"{PATH}?{urlencode({'program': seven()})}"
    with running() as server:
        tag = entity_tag(server, target, run)
        blows = {
            "GET": Blow("GET", target),
            "POST": Blow("POST", PATH, json.dumps({"program": seven()})),
            "GET, If-None-Match": Blow("GET", target, "", (("if-none-match", tag),), 304),
        }
        for name, blow in blows.items():
            clock = Clock(server)
            struck = strike(server, blow, seconds, run)
            shares = clock.shares()
            says = f" (by {struck.by}, {struck.wrong} wrong, server {shares.cells()[1]})"
            rate = 0.0 if struck.wrong else struck.rate
            yield row(f"cached traces per second, {name}", rate, GOAL, says=says)
