"""Instances of the component: made, and run under a budget."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from wasmtime import Store, WasmtimeError
from wasmtime import _ffi as ffi

from engine.sandbox import host_functions as host
from engine.sandbox import machine_code
from engine.sandbox.imports import Linked
from engine.sandbox.run import SandboxRun
from engine.sandbox.wasi import Surroundings

TICK = 0.01  # seconds of an epoch
LOOK = 2  # epochs between two looks at the budget


class _Here(threading.local):
    """What runs in this thread; while an instance is made there is no run."""

    surroundings: Surroundings
    emit: Callable[[str, str], None]
    run: SandboxRun | None = None


_here = _Here()


def _discard(kind: str, text: str) -> None:
    """What is emitted while an instance is made."""


def _look(_context: Any, _data: Any, delta: Any, kind: Any) -> int:
    """Called every few epochs in the thread of a run, also in a loop that calls nothing."""
    try:
        if _here.run is not None:
            _here.run.check()
    except Exception as error:
        return host.failure(str(error))
    delta[0] = LOOK
    kind[0] = 0  # go on
    return 0


_at_deadline = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.POINTER(ffi.wasmtime_context_t),
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(ffi.wasmtime_update_deadline_kind_t),
)(_look)


class SandboxMachine:
    """The engine with the component loaded, and the thread that counts its epochs."""

    def __init__(self, at_once: int) -> None:
        self.engine = machine_code.new_engine(at_once)
        self.component = machine_code.load(self.engine)
        self.linked = Linked(self.engine, self.component, _here)
        self._lock = threading.Lock()
        self._running = 0
        self._wanted = threading.Event()
        threading.Thread(target=self._tick, name="sandbox-epochs", daemon=True).start()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Epochs are counted meanwhile; while nothing runs, nothing wakes the processor."""
        with self._lock:
            self._running += 1
            self._wanted.set()
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._wanted.clear()

    def _tick(self) -> None:
        while self._wanted.wait():
            time.sleep(TICK)
            self.engine.increment_epoch()


class SandboxInstance:
    """A fresh instance; for one run in the thread that made it."""

    def __init__(self, machine: SandboxMachine) -> None:
        self._machine = machine
        self._store = Store(machine.engine)
        store = self._store.ptr()
        ffi.wasmtime_store_epoch_deadline_callback(store, _at_deadline, None, host.NO_FINALIZER)
        self._store.set_epoch_deadline(LOOK)
        _here.surroundings = Surroundings()
        _here.emit = _discard
        instance = machine.linked.linker.instantiate(self._store, machine.component)
        self._exports = {
            name: function
            for name in ("handle", "execute")
            if (function := instance.get_func(self._store, name)) is not None
        }

    def answer(self, run: SandboxRun) -> None:
        """Run a request to its end, whichever that is."""
        self._store.set_limits(memory_size=run.limits.memory)
        _here.run, _here.emit = run, run.emit
        try:
            run.begin()
            with self._machine.counting():
                ok, text = self._call(run.export, run.request, run.limits.reply)
            if ok:
                run.end("returned", text)
            else:
                run.end("memory" if text == "memory" else "failed", reason=text)
        except (WasmtimeError, host.HostRefusal) as error:
            run.end("trapped", reason=str(error).rpartition("Caused by:")[2].strip())
        finally:
            _here.run = None

    def _call(self, export: str, request: str, most: int) -> tuple[bool, str]:
        """The guest's reply, or why it gave none."""
        argument, result = ffi.wasmtime_component_val_t(), ffi.wasmtime_component_val_t()
        host.set_text(argument, request)
        try:
            error: Any = ffi.wasmtime_component_func_call(
                *(ctypes.byref(self._exports[export]._func), self._store._context()),
                *(ctypes.byref(argument), 1, ctypes.byref(result), 1),
            )
            if error:
                raise WasmtimeError._from_ptr(error)
            found = result.of.result
            return bool(found.is_ok), host.text_of(found.val[0], most)
        finally:
            ffi.wasmtime_component_val_delete(ctypes.byref(argument))
            ffi.wasmtime_component_val_delete(ctypes.byref(result))

    def close(self) -> None:
        """Give its memory back."""
        self._store.close()
