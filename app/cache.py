"""A thread-safe least-recently-used cache, bounded by entries and by total size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Cache(Generic[Kept]):
    """Holds at most `entries` values of total size `size`; evicts the least recently used."""

    def __init__(self, entries: int, size: int) -> None:
        self._limits = entries, size
        self._lock = threading.Lock()
        self._entries: OrderedDict[object, tuple[Kept, int]] = OrderedDict()
        self._size = 0

    def get(self, key: object) -> Kept | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: object, kept: Kept, size: int) -> None:
        """Store `kept`, unless it alone exceeds the size of the cache."""
        entries, most = self._limits
        with self._lock:
            self._size += size - self._entries.pop(key, (kept, 0))[1]
            self._entries[key] = (kept, size)
            while len(self._entries) > entries or self._size > most:
                self._size -= self._entries.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._size = 0

    def __len__(self) -> int:
        return len(self._entries)
