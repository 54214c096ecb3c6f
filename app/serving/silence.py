"""The backstop against a frozen process: silent for too long, it ends itself, from C.

The event loop sets a timer of C again and again. Code in C that keeps the interpreter lock for ever
stops every thread of Python and every handler of signals, but not that timer. The parent then
starts another process (`app.serving.supervisor`).
"""

from __future__ import annotations

import asyncio
import faulthandler
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_if_silent(seconds: float) -> Iterator[None]:
    """End this process, with the places of its threads on stderr, once its event loop has been
    silent for so long; never if `seconds` is 0, or if no parent would start another process.

    After the block the timer runs on: a process that does not come to its end is ended as well.
    """
    if not seconds or multiprocessing.parent_process() is None:
        yield
        return
    beating = asyncio.create_task(_beat(seconds))
    try:
        yield
    finally:
        beating.cancel()


async def _beat(seconds: float) -> None:
    """To run on the event loop itself: a thread would go on beside a loop that is blocked."""
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True)
        await asyncio.sleep(seconds / 4)
