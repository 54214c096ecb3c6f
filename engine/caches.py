"""Caches, each of them a row of a table: what is found again, by which key, and how much of it.

There is no cache without a row: functions are made into one by `cached` and objects by `store`,
both by the name of the row, which has the bound. All of them may be shared by threads and requests:
what they hold is a deterministic function of its key, within a process.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Row(NamedTuple):
    """A cache: its name, what is asked by, and how much it may hold."""

    name: str
    key: str
    entries: int | None = None
    """The most entries; None where there are no more keys than `among` says."""
    among: str = ""
    size: int = 0
    """The most in total, in `unit`; 0 where entries alone are counted, or a setting has it."""
    unit: str = ""

    @property
    def bound(self) -> str:
        """How much it may hold, in words."""
        if self.entries is None:
            return self.among
        total = f"{self.size:,} {self.unit}" if self.size else self.unit
        return f"{self.entries:,}; {total}" if total else f"{self.entries:,}"


class Cached(Protocol[P, T_co]):
    """A function whose results are kept."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co: ...

    def cache_clear(self) -> None:
        """Forget all results."""


class Cache(Generic[T]):
    """Holds at most `entries` values of total size `size`; evicts the least recently used.

    Any thread may ask.
    """

    def __init__(self, entries: int, size: int) -> None:
        self._limits = entries, size
        self._lock = threading.Lock()
        self._entries: OrderedDict[object, tuple[T, int]] = OrderedDict()
        self._size = 0

    def get(self, key: object) -> T | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: object, value: T, size: int = 0) -> None:
        """Store `value`, unless it alone exceeds the size of the cache."""
        entries, most = self._limits
        with self._lock:
            self._size += size - self._entries.pop(key, (value, 0))[1]
            self._entries[key] = (value, size)
            while len(self._entries) > entries or self._size > most:
                self._size -= self._entries.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._size = 0

    def __len__(self) -> int:
        return len(self._entries)


class Caches(dict[str, Row]):
    """A table of caches by name."""

    def __init__(self, *rows: Row) -> None:
        super().__init__((row.name, row) for row in rows)

    def cached(self, name: str) -> Callable[[Callable[P, T]], Cached[P, T]]:
        """A decorator that keeps a function's results in the cache of a name."""
        keep = lru_cache(maxsize=self[name].entries)
        return lambda function: cast(Any, keep(function))

    def store(self, name: str, size: int = 0) -> Cache[Any]:
        """The cache of a name, of the row's size or, where a setting has it, of `size`."""
        row = self[name]
        assert row.entries is not None
        return Cache(row.entries, row.size or size)


CACHES = Caches(
    Row("symbols of a name", "name or expression", 4_096),
    Row("short names", "name", 4_096),
    Row("memory rules", "op, inputs, exponent", 1_024),
    Row("branches of a formula", "text", 512),
    Row("choosers of a branch", "text, parameters", 512),
    Row("formulas at a number", "text, parameter, number", 512),
    Row("MathML of formulas", "text, parameters, form", 512),
    Row("limits of activations", "activation", among="activations"),
    Row("silent activations", "activation", among="activations"),
    Row("costs of activations", "activation", among="activations"),
    Row("ranges of activations", "activation", among="activations"),
    Row("orders of samples", "seed, epoch, samples", 8),
    Row("segments of runs", "settings of a run", 256),
    Row("curves of trials", "settings of a run", 256),
    Row("slips in partials", "op, input", 512),
    Row("backward rules in words", "op", 256),
    Row("fresh exercises", "difficulty, seed", 1_024),
    Row("formulas in Python", "op", 256),
    Row("partials in Python", "op, input", 512),
    Row("factors", "text", 1_024),
    Row("plain operations", "none", 1),
    Row("operations in fifty digits", "op", 256),
    Row("sources of functions", "function", 128),
    Row("strides", "shape", 1_024),
    Row("broadcast shapes", "shapes", 1_024),
    Row("windows of arrays", "shape", 64),
    Row("layers of the ziggurat", "none", 1),
    Row("stages of functions", "function", among="functions of the kernel"),
    Row("kernels", "shape of a run", 64),
    Row("statements of kernel blocks", "text", among="texts of the tables"),
    Row("graphs of functions", "function", among="functions of the kernel"),
    Row("names in partials", "activation", among="activations"),
    Row("tiles of products", "rows, columns, turns", 4_096),
    Row("WebAssembly engine", "none", 1),
    Row("sandbox", "none", 1),
    Row("compiled modules", "module", 64),
    Row("steps of expansions", "text, parameters", 256),
    Row("syntax of formulas", "text", 1_024),
    Row("conditions in LaTeX", "text, parameters", 256),
    Row("conditions of cells", "text, parameters", 256),
    Row("edition of the engine", "none", 1),
    Row("likely partials", "none", 1),
    Row("partials of an op", "op", 256),
    Row("other points", "program, points", 8),
    Row("fixes", "program, kinds and places of its mistakes", 64),
    Row("class tests", "program", 32),
    Row("second opinions", "program", 32),
    Row("trees of edited texts", "text", 4),
    Row("gradients of edited texts", "text", 4),
)
"""The caches of the engine."""
cached, store = CACHES.cached, CACHES.store
