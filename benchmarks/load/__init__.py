"""The server under load, on the same processors as the client.

    python -m benchmarks load                 about fifteen minutes
    python -m benchmarks load --seconds 10    shorter, with at most a tenth of the requests

Measurements:

- *crowds*: training streams, each of its own run (2-4-1, 16 samples, 10 steps per event, 10 events
  per second), with 50 uncached requests per second: traces (`POST /api/trace`) or pages
  (`GET /graph`) of distinct programs with 7 to 30 Values. Latency counts from the scheduled time of
  the request. A gap is the time between two events of a stream at the client, including silence at
  the end.
- *cached traces*: one trace repeatedly over 16 connections, by `wrk` if installed.
- *mixed requests*: growth of the server's memory and descriptors once its caches are full; the same
  for abandoned streams.
- *silent sockets and slow senders*: time until they are closed, and their effect on other requests,
  in rounds with and without them.
- *hostile programs*: each uncached.
- *long programs*: small uncached traces alone and beside endless programs, in alternate rounds.
- *visitors*: thirty who drag a leaf of a program of their own; eight whose programs are heavy.

*client*, *server* and *others* are the average numbers of busy processors: of this process, the
server, and all other processes. Large values of the last indicate a loaded machine. These, memory
and descriptors are available on Linux only.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any

from benchmarks.load import answering, cached, crowd, ending, long, rude, soak, visitors
from benchmarks.load.rows import HEAD
from benchmarks.report import table

SECONDS = "SEEGRAD_LOAD_SECONDS"
"""The environment variable with the duration of a crowd."""
WHOLE = 60.0


def run() -> str:
    """Run all measurements; returns the tables."""
    seconds = float(os.environ.get(SECONDS) or WHOLE)
    crowds, rows = crowd.measure(seconds, _run)
    rows += cached.rows(min(10.0, seconds), _run)
    rows += soak.rows(min(1.0, seconds / WHOLE), _run)
    rows += rude.rows(seconds, _run)
    rows += ending.rows(_run)
    rows += answering.rows(_run)
    rows += long.rows(_run)
    rows += visitors.rows(min(20.0, seconds), min(1.0, seconds / WHOLE), _run)
    return f"{crowds}\n{table('Load: goals', HEAD, rows)}"


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of `work`; uses uvloop if installed, to reduce the client's overhead."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)
