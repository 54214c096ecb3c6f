"""A cache of live runs, each used by one thread at a time.

An evicted run is recomputed from step 0: it is a pure function of its spec and its edits, so that
eviction costs only time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from app.train.live_run import Edit, Edits, LiveRun
from engine.cancellation import Cancelled, IsCancelled, never_cancelled
from engine.kernel.checkpoints import MOST_BYTES
from engine.training.spec import TrainSpec

__all__ = ["CachedRun", "Edit", "Edits", "LiveRun", "TrainingRuns"]

LEAST = 2**20  # bytes of checkpoints that every run may keep
POLL = 0.05  # seconds between checks for cancellation while waiting for a run


class CachedRun:
    """One run with its lock, created on first use."""

    def __init__(self, spec: TrainSpec, edits: Edits) -> None:
        self._spec = spec
        self._edits = edits
        self._lock = threading.Lock()
        self._run: LiveRun | None = None
        self.size = 0
        """Bytes of the run when it was last released."""
        self.most: int | None = None
        """The maximum bytes of its checkpoints, applied at the next use."""

    @contextmanager
    def hold(self, is_cancelled: IsCancelled = never_cancelled) -> Iterator[LiveRun]:
        """Exclusive use of the run. Raises Cancelled."""
        while not self._lock.acquire(timeout=POLL):
            if is_cancelled():
                raise Cancelled
        try:
            if is_cancelled():
                raise Cancelled
            if self._run is None:
                self._run = LiveRun(self._spec, self._edits)
            self._run.is_cancelled = is_cancelled
            if self.most is not None:
                self._run.kernel.keep_within(self.most)
            yield self._run
        finally:
            if self._run is not None:
                self._run.is_cancelled = never_cancelled  # drop the reference to the request
                self.size = self._run.kernel.size
            self._lock.release()


class TrainingRuns:
    """The most recently used runs, and all runs still referenced elsewhere.

    At most `most` runs, of about `size` bytes in total, are kept for later requests. Referenced
    runs, such as those of open streams, are shared too; the more runs there are, the fewer
    checkpoints each may keep.
    """

    def __init__(self, most: int = 32, size: int = 2**27) -> None:
        self._most = most
        self._size = size
        self._lock = threading.Lock()
        self._last: OrderedDict[tuple[TrainSpec, Edits], CachedRun] = OrderedDict()
        self._all: WeakValueDictionary[tuple[TrainSpec, Edits], CachedRun] = WeakValueDictionary()

    def kept(self, spec: TrainSpec, edits: Edits = ()) -> CachedRun:
        """The run of a spec and its edits; it lives as long as it is referenced."""
        key = (spec, edits)
        with self._lock:
            found = self._all.get(key)
            if found is None:
                found = self._all[key] = CachedRun(spec, edits)
            self._last[key] = found
            self._last.move_to_end(key)
            self._let_go()
            found.most = min(MOST_BYTES, max(LEAST, self._size // (2 * len(self._all))))
        return found

    def _let_go(self) -> None:
        """Evict the least recently used runs beyond the limits."""
        sizes = sum(kept.size for kept in self._last.values())
        while len(self._last) > self._most or (sizes > self._size and len(self._last) > 1):
            sizes -= self._last.popitem(last=False)[1].size

    @contextmanager
    def hold(
        self, spec: TrainSpec, edits: Edits = (), is_cancelled: IsCancelled = never_cancelled
    ) -> Iterator[LiveRun]:
        """Exclusive use of the run of a spec and its edits. Raises Cancelled."""
        try:
            with self.kept(spec, edits).hold(is_cancelled) as run:
                yield run
        finally:
            with self._lock:
                self._let_go()

    def __len__(self) -> int:
        return len(self._last)

    @property
    def size(self) -> int:
        """The approximate size of all live runs, in bytes."""
        with self._lock:
            return sum(kept.size for kept in self._all.values())
