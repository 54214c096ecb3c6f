"""Repeated calls of exported WebAssembly functions with i32 parameters.

wasmtime's own wrapper looks up the function's type and converts each argument at every call, in
some 50 foreign calls, each of which releases the global interpreter lock. Here one call does.
"""

from __future__ import annotations

import ctypes
from typing import Any

import wasmtime
from wasmtime import _ffi

ffi: Any = _ffi


class ExportedFunction:
    """An exported function; not thread-safe, like its store."""

    def __init__(self, function: Any, store: wasmtime.Store) -> None:
        kind = function.type(store)
        self._numbers = (ffi.wasmtime_val_t * len(kind.params))()
        for number in self._numbers:
            number.kind = ffi.WASMTIME_I32
        self._results = (ffi.wasmtime_val_t * len(kind.results))()
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)()
        self._kept = function, store  # keeps the memory behind the pointers below alive
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
        """The result, or 0 if there is none. Raises wasmtime.Trap and wasmtime.WasmtimeError."""
        for place, number in zip(self._numbers, numbers, strict=True):
            place.of.i32 = number
        error = ffi.wasmtime_func_call(*self._arguments)
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if self._trap:
            raise self._caught()
        return self._results[0].of.i32 if self._results else 0

    def _caught(self) -> wasmtime.Trap:
        """The trap as an exception, which takes ownership; clears it for the next call."""
        caught = ctypes.cast(self._trap, type(self._trap))
        ctypes.memset(ctypes.byref(self._trap), 0, ctypes.sizeof(self._trap))
        return wasmtime.Trap._from_ptr(caught)
