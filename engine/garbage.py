"""Collections of cyclic garbage, which go through all that programs and their records hold."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

COLLECT_AFTER = 100_000, 20, 100
"""Objects between collections of cyclic garbage: a run makes hundreds of thousands that live."""


class _Collections:
    """Collections of cyclic garbage, which are seldom while programs run."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._runs = 0
        self._before = gc.get_threshold()

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Runs of several threads may overlap; the last that ends restores the thresholds."""
        with self._changing:
            self._runs += 1
            if self._runs == 1:
                self._before = gc.get_threshold()
                if self._before[0] < COLLECT_AFTER[0]:
                    gc.set_threshold(*COLLECT_AFTER)
        try:
            yield
        finally:
            with self._changing:
                self._runs -= 1
                if not self._runs:
                    gc.set_threshold(*self._before)


SELDOM = _Collections()
"""Held while a program runs and while its record is read."""
