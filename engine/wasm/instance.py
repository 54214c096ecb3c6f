"""Instances of WebAssembly modules, run by wasmtime.

Extensions whose results depend on the machine are disabled. Calls release the global interpreter
lock, so instances run in parallel in several threads; a single instance is not thread-safe.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from array import array
from collections.abc import Sequence
from typing import Any

import wasmtime

from engine.caches import cached

from .exported_function import ExportedFunction

_compiling = threading.Lock()


@cached("WebAssembly engine")
def engine() -> wasmtime.Engine:
    """The process-wide engine."""
    config = wasmtime.Config()
    config.wasm_relaxed_simd = False  # its results are implementation-defined
    return wasmtime.Engine(config)


@cached("compiled modules")
def _compiled(code: bytes) -> wasmtime.Module:
    return wasmtime.Module(engine(), code)


@atexit.register
def _forget() -> None:
    """Release wasmtime's objects before the interpreter shuts down."""
    _compiled.cache_clear()
    engine.cache_clear()


class Instance:
    """An instance of a module with its own memory, whose address is fixed."""

    def __init__(self, code: bytes) -> None:
        with _compiling:
            module = _compiled(code)
        self._store = wasmtime.Store(engine())
        self._instance = wasmtime.Instance(self._store, module, [])
        self._functions: Any = self._instance.exports(self._store)
        self._calls: dict[str, ExportedFunction] = {}
        memory: Any = self._functions["memory"]
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        self._size: int = memory.data_len(self._store)

    @property
    def size(self) -> int:
        """Memory in bytes."""
        return self._size

    def call(self, name: str, *numbers: int) -> None:
        """Call an exported function."""
        found = self._calls.get(name)
        if found is None:
            found = self._calls[name] = ExportedFunction(self._functions[name], self._store)
        found(*numbers)

    def read(self, address: int, size: int) -> bytes:
        """A copy of `size` bytes. Raises IndexError outside the memory, as all accesses do."""
        self._check(address, size)
        return ctypes.string_at(self._base + address, size)

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        ctypes.memmove(self._base + address, data, len(data))

    def numbers(self, address: int, count: int) -> array[float]:
        """`count` f64 from `address` on."""
        return array("d", self.read(address, 8 * count))

    def write_numbers(self, address: int, numbers: Sequence[float]) -> None:
        self.write(address, array("d", numbers).tobytes())

    def write_indices(self, address: int, indices: Sequence[int]) -> None:
        """Store unsigned 32-bit integers."""
        self.write(address, array("I", indices).tobytes())

    def index(self, address: int) -> int:
        """One unsigned 32-bit integer."""
        return int.from_bytes(self.read(address, 4), "little")

    def _check(self, address: int, size: int) -> None:
        if address < 0 or address + size > self._size:
            raise IndexError(f"{size} bytes at address {address} exceed the memory")
