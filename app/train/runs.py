"""The runs that were looked at last, each used by one at a time.

A run that is no longer here is computed again from step 0: it is a pure function of its spec and
its edits, so that nobody notices but by the time it takes.
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

__all__ = ["Edit", "Edits", "Kept", "LiveRun", "Runs"]

LEAST = 2**20  # bytes of copies that any run may keep, however many there are
PATIENCE = 0.05  # seconds between two looks at whether somebody waits for a run that is in use


class Kept:
    """One run with its lock. The run is made when it is first used, by whoever uses it."""

    def __init__(self, spec: TrainSpec, edits: Edits) -> None:
        self._spec = spec
        self._edits = edits
        self._lock = threading.Lock()
        self._run: LiveRun | None = None
        self.size = 0
        """Bytes of the run, as it was last let go."""
        self.most: int | None = None
        """Bytes of copies of earlier states that it may keep from its next use on."""

    @contextmanager
    def hold(self, is_cancelled: IsCancelled = never_cancelled) -> Iterator[LiveRun]:
        """The run, for this thread alone. Raises Cancelled once nobody waits for it any more."""
        while not self._lock.acquire(timeout=PATIENCE):
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
                self._run.is_cancelled = never_cancelled  # keep no request alive
                self.size = self._run.kernel.size
            self._lock.release()


class Runs:
    """Keeps the runs that were used last, and those that somebody refers to.

    At most `most` runs are kept for the next request, in about `size` bytes. Those that somebody
    refers to stay; where they take much, each keeps fewer copies of its earlier states.
    """

    def __init__(self, most: int = 32, size: int = 2**27) -> None:
        self._most = most
        self._size = size
        self._lock = threading.Lock()
        self._last: OrderedDict[tuple[TrainSpec, Edits], Kept] = OrderedDict()
        self._all: WeakValueDictionary[tuple[TrainSpec, Edits], Kept] = WeakValueDictionary()

    def kept(self, spec: TrainSpec, edits: Edits = ()) -> Kept:
        """The run of a spec and its edits; it stays as long as somebody refers to it."""
        key = (spec, edits)
        with self._lock:
            found = self._all.get(key)
            if found is None:
                found = self._all[key] = Kept(spec, edits)
            self._last[key] = found
            self._last.move_to_end(key)
            self._let_go()
            found.most = min(MOST_BYTES, max(LEAST, self._size // (2 * len(self._all))))
        return found

    def _let_go(self) -> None:
        """Refer no longer to the runs that were used longest ago, as many as are too many."""
        sizes = sum(kept.size for kept in self._last.values())
        while len(self._last) > self._most or (sizes > self._size and len(self._last) > 1):
            sizes -= self._last.popitem(last=False)[1].size

    @contextmanager
    def hold(
        self, spec: TrainSpec, edits: Edits = (), is_cancelled: IsCancelled = never_cancelled
    ) -> Iterator[LiveRun]:
        """The run of a spec and its edits, for this thread alone. Raises Cancelled."""
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
        """Bytes of all runs that are still there, about."""
        with self._lock:
            return sum(kept.size for kept in self._all.values())
