"""The component, and the machine code made from it once for a platform and a wasmtime."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import wasmtime
from wasmtime import _ffi as ffi
from wasmtime.component import Component

HERE = Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "build/sandbox"
COMPONENT = "python.wasm"
SUFFIX = ".machine-code"
# Python guards its recursion by the stack that it keeps in its memory, of 1 MB. For each byte of it
# machine code takes up to 60 of its own: with less, what should be RecursionError ends the run.
WASM_STACK = 64 << 20
THREAD_STACK = WASM_STACK + (16 << 20)  # the host's calls come on top
MEMORY = 256 << 20  # bytes that an instance may have
# Of an instance's memory this much is written back after a run instead of given back: a page that
# is touched for the first time costs ten times as much as copying it. Of the snapshot, which has
# 23 MB, runs touch the rest so seldom that to keep it would save 3 % of a short run.
KEPT = 16 << 20


class NotBuiltError(RuntimeError):
    """There is no component."""


def new_engine(at_once: int = 1) -> wasmtime.Engine:
    """An engine whose code checks the epoch in every loop and call, with room for instances."""
    config = wasmtime.Config()
    config.epoch_interruption = True
    config.wasm_relaxed_simd = False  # its results are implementation-defined
    ffi.wasmtime_config_async_stack_size_set(config.ptr(), WASM_STACK + (4 << 20))
    config.max_wasm_stack = WASM_STACK
    _set_pool(config, at_once)
    return wasmtime.Engine(config)


def _set_pool(config: wasmtime.Config, at_once: int) -> None:
    """Keep the memory of ended instances for the next ones."""
    pool = ffi.wasmtime_pooling_allocation_config_new()
    for limit, number in (
        ("total_component_instances", at_once),
        ("total_core_instances", 20 * at_once),  # the component has 14, one memory and 2 tables
        ("total_memories", at_once),
        ("total_tables", 2 * at_once),
        ("total_stacks", at_once),
        ("max_memory_size", MEMORY),
        ("linear_memory_keep_resident", KEPT),
    ):
        getattr(ffi, f"wasmtime_pooling_allocation_config_{limit}_set")(pool, number)
    ffi.wasmtime_pooling_allocation_strategy_set(config.ptr(), pool)
    ffi.wasmtime_pooling_allocation_config_delete(pool)


def component_path() -> Path:
    """The component: part of an installed package, or built in a checkout."""
    for folder in (HERE, BUILT):
        if (folder / COMPONENT).exists():
            return folder / COMPONENT
    raise NotBuiltError("CPython for the sandbox is not built: run make sandbox")


def name_for(component: Path) -> str:
    """The name of the file with a component's machine code."""
    with component.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    for part in (version("wasmtime"), sys.platform, platform.machine()):
        digest.update(f"{part}\n".encode())
    return digest.hexdigest()[:20] + SUFFIX


def compile_to(engine: wasmtime.Engine, component: Path, code: Path) -> Component:
    """Compile a component, which takes seconds, and keep the machine code."""
    compiled = Component.from_file(engine, component)
    code.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=code.parent, delete=False) as file:
        file.write(compiled.serialize())
    Path(file.name).chmod(0o644)  # an image is made by another user than it is run by
    Path(file.name).replace(code)  # a process that loads it at this moment sees all or nothing
    return compiled


def load(engine: wasmtime.Engine) -> Component:
    """The component as machine code, made now if it is not there."""
    path = component_path()
    name = name_for(path)
    own = _cache() / name
    for code in (path.with_name(name), own):
        if code.exists():
            try:
                return Component.deserialize_file(engine, str(code))
            except wasmtime.WasmtimeError:  # made for a processor with other abilities
                continue
    try:
        return compile_to(engine, path, own)
    except OSError:  # nowhere to keep it
        return Component.from_file(engine, path)


def prepare() -> None:
    """Put the machine code beside the component of an installed package."""
    component = component_path()
    compile_to(new_engine(), component, component.with_name(name_for(component)))


def _cache() -> Path:
    """A folder of the user's own: whoever can write there decides what this process runs."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "seegrad"
