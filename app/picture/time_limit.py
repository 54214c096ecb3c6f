"""A limit of processor time, with a bound of wall time behind it.

On a loaded machine, a thread may get a tenth of a processor. Its wall time says little about the
work that it does, so work is judged by processor time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from time import monotonic

LOADED = 8.0  # wall time per processor time beyond which work is stopped in any case


class TimeLimit:
    """At most `seconds` of the calling thread's processor time, from now.

    Other threads may ask, as long as that thread lives.
    """

    def __init__(self, seconds: float) -> None:
        self._processor = thread_clock()
        self._spent = self._processor() + seconds
        self._end = monotonic() + LOADED * seconds

    @property
    def is_spent(self) -> bool:
        """Whether the thread has used its processor time."""
        return self._processor() >= self._spent

    @property
    def is_over(self) -> bool:
        """Whether its processor time is spent, or the wall time that bounds it."""
        return self.is_spent or monotonic() >= self._end


def thread_clock() -> Callable[[], float]:
    """The processor time of the calling thread in seconds, to be read by any thread.

    Systems that show it to no other thread (macOS, Windows) give wall time.
    """
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    if clock_of is None:
        return monotonic
    return partial(time.clock_gettime, clock_of(threading.get_ident()))
