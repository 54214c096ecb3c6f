"""The time that runs take: one thread stops those that take too long, at their next operation.

Operations bound a run; time is the backstop for an operation that costs more than its charge. The
processor time of the run's thread counts, where it can be had, so that a busy machine stops
nothing. Otherwise the time for which it has paused for others does not count.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .machine import Machine

AGAIN = 0.01  # seconds: a mark may be lost to a count that is under way
SOONEST = 0.01  # seconds between two looks at a run that has used up nearly all of its time


class _Watched:
    """One run on the present thread, with the clocks at its start."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.began = time.monotonic()
        self.clock: int | None = None
        if hasattr(time, "pthread_getcpuclockid"):  # not on Windows
            self.clock = time.pthread_getcpuclockid(threading.get_ident())
            self.used = time.clock_gettime(self.clock)
        self.due = self.began + machine.limits.seconds
        """When to look at it, by the monotonic clock."""

    def look(self, now: float) -> None:
        """Stop the run if it has taken too long, and say when to look again."""
        machine = self.machine
        if self.clock is None:
            took = now - self.began - machine.budget.paused
        else:
            took = time.clock_gettime(self.clock) - self.used
        if took < machine.limits.seconds:
            self.due = now + max(machine.limits.seconds - took, SOONEST)
        else:
            machine.budget.is_late, machine.left = True, -1
            self.due = now + AGAIN


class Watchdog:
    """Looks after the runs of all threads. It sleeps while there are none."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._runs: set[_Watched] = set()
        self._next = math.inf
        """When the thread looks next, by the monotonic clock: a run due later need not wake it."""
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, machine: Machine) -> Iterator[None]:
        """Stop the machine's run if the block takes longer than its limits allow."""
        run = _Watched(machine)
        with self._changed:
            self._runs.add(run)
            if self._thread is None or not self._thread.is_alive():  # also after a fork
                self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
                self._thread.start()
            if run.due < self._next:
                self._next = run.due
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._runs.discard(run)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                self._next = self._look(now)
                self._changed.wait(None if self._next == math.inf else self._next - now)

    def _look(self, now: float) -> float:
        """Look at the runs that are due; when to look next.

        Most runs are brief. One that has ended leaves its time to look, so that those that begin
        meanwhile need not wake this thread.
        """
        for run in self._runs:
            if run.due <= now:
                run.look(now)
        if self._runs:
            return min(run.due for run in self._runs)
        return self._next if now < self._next else math.inf


WATCHDOG = Watchdog()
