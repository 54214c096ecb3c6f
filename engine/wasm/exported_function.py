"""Functions of WebAssembly that take 32-bit whole numbers, called again and again.

wasmtime's own way asks for the function's type at every call and converts each number by calls
into its library, each of which gives Python's global lock away: some 50 chances for another thread
to take it, where this way has one.
"""

from __future__ import annotations

import ctypes
from typing import Any

import wasmtime
from wasmtime import _ffi

ffi: Any = _ffi


class Function:
    """An exported function; for one thread at a time, as its store is."""

    def __init__(self, function: Any, store: wasmtime.Store) -> None:
        kind = function.type(store)
        self._numbers = (ffi.wasmtime_val_t * len(kind.params))()
        for number in self._numbers:
            number.kind = ffi.WASMTIME_I32
        self._results = (ffi.wasmtime_val_t * len(kind.results))()
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)()
        self._kept = function, store  # what the addresses below belong to
        self._arguments = (
            store._context(),
            ctypes.byref(function._func),
            self._numbers,
            len(self._numbers),
            self._results,
            len(self._results),
            ctypes.byref(self._trap),
        )

    def __call__(self, *numbers: int) -> int:
        """The result, 0 if it has none. Raises wasmtime.Trap, wasmtime.WasmtimeError."""
        for place, number in zip(self._numbers, numbers, strict=True):
            place.of.i32 = number
        error = ffi.wasmtime_func_call(*self._arguments)
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if self._trap:
            raise self._caught()
        return self._results[0].of.i32 if self._results else 0

    def _caught(self) -> wasmtime.Trap:
        """The trap as an error, which frees it; the next call finds none."""
        caught = ctypes.cast(self._trap, type(self._trap))
        ctypes.memset(ctypes.byref(self._trap), 0, ctypes.sizeof(self._trap))
        return wasmtime.Trap._from_ptr(caught)
