"""WebAssembly at work: a compiled module with its memory, run by wasmtime.

Everything that could make two machines differ is switched off. A call leaves Python's global lock
free, so instances in several threads run side by side; one instance serves one thread at a time.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import wasmtime

from .exported_function import Function

_compiling = threading.Lock()


@lru_cache(maxsize=1)
def engine() -> wasmtime.Engine:
    """The one engine of this process."""
    config = wasmtime.Config()
    config.wasm_relaxed_simd = False  # its results may differ from one machine to the next
    return wasmtime.Engine(config)


@lru_cache(maxsize=64)
def _compiled(code: bytes) -> wasmtime.Module:
    return wasmtime.Module(engine(), code)


@atexit.register
def _forget() -> None:
    """wasmtime's objects must not outlive the interpreter's last breath."""
    _compiled.cache_clear()
    engine.cache_clear()


class Instance:
    """One copy of a module with a memory of its own, which never moves."""

    def __init__(self, code: bytes) -> None:
        with _compiling:
            module = _compiled(code)
        self._store = wasmtime.Store(engine())
        self._instance = wasmtime.Instance(self._store, module, [])
        self._functions: Any = self._instance.exports(self._store)
        self._calls: dict[str, Function] = {}
        memory: Any = self._functions["memory"]
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        self._size: int = memory.data_len(self._store)

    @property
    def size(self) -> int:
        """Bytes of its memory."""
        return self._size

    def call(self, name: str, *numbers: int) -> None:
        """Run an exported function to its end."""
        found = self._calls.get(name)
        if found is None:
            found = self._calls[name] = Function(self._functions[name], self._store)
        found(*numbers)

    def read(self, address: int, size: int) -> bytes:
        """A copy of some memory."""
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
        """32-bit whole numbers."""
        self.write(address, array("I", indices).tobytes())

    def index(self, address: int) -> int:
        """One 32-bit whole number."""
        return int.from_bytes(self.read(address, 4), "little")

    def _check(self, address: int, size: int) -> None:
        if address < 0 or address + size > self._size:
            raise IndexError(f"{size} bytes at {address} are outside of the memory")
