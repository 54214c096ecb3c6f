"""The server under load, on the processors that it shares with the client.

    python -m benchmarks load                 some twelve minutes
    python -m benchmarks load --seconds 10    shorter, and with a tenth of the requests at most

What is measured:

- *crowds*: training streams with a run each (2-4-1, 16 samples, 10 steps an event, 10 events a
  second), and 50 requests a second beside them that nothing is known of: traces (`POST /api/trace`)
  or pages (`GET /graph`) of programs with 7 to 30 Values, no two alike. A time counts from the
  moment when its request was due, a gap lies between two events of one stream as the client saw
  them; what was silent at the end is a gap too.
- *cached traces*: one trace again and again over 16 connections, by `wrk` where that is installed.
- *mixed requests*: memory and descriptors of the server before and after, when others have filled
  its caches. The same for streams that are left without a word.
- *silent sockets and slow senders*: when they are closed, and what others notice of them, in turns
  with rounds without them.
- *hostile programs*: each asked of a server that has not seen it.

*client*, *server* and *others* are processors at work on average: of this process, of the server,
and of everybody else on the machine. With much in the last column the figures are those of a busy
machine. Linux alone tells it, as it does memory and descriptors.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any

from benchmarks.load import answering, cached, crowd, ending, rude, soak
from benchmarks.load.rows import HEAD
from benchmarks.report import table

SECONDS = "GRADLENS_LOAD_SECONDS"
"""The environment variable that says how long a crowd is measured."""
WHOLE = 60.0


def run() -> str:
    """Measure everything; the tables."""
    seconds = float(os.environ.get(SECONDS) or WHOLE)
    crowds, rows = crowd.measure(seconds, _run)
    rows += cached.rows(min(10.0, seconds), _run)
    rows += soak.rows(min(1.0, seconds / WHOLE), _run)
    rows += rude.rows(seconds, _run)
    rows += ending.rows(_run)
    rows += answering.rows(_run)
    return f"{crowds}\n{table('Load: goals', HEAD, rows)}"


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    """What `work` returns; with uvloop where it is, for the client is to cost little."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)
