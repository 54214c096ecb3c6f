"""All that the component imports: text that leaves, `math`, and the world of `wasi`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import wasmtime
from wasmtime.component import Component, ComponentInstanceType, Linker, ResourceType

from engine.sandbox import host_functions as host
from engine.sandbox import wasi
from engine.sandbox.host_functions import HostFunction
from engine.sandbox.inside.real_functions import OF_ONE, OF_TWO

MOST_TEXT = 1 << 26  # bytes in one chunk


class Linked:
    """A linker with every import of a component; `here` says in whose name a function is called.

    What is not defined ends the run.
    """

    def __init__(self, engine: wasmtime.Engine, component: Component, here: wasi.Here) -> None:
        self._keep: list[object] = []
        self.linker = Linker(engine)
        functions = wasi.functions(here)
        with self.linker.root() as root:
            for name, function in _own(here):
                self._keep.append(host.define(root, name, function))
            for interface, item in component.type.imports(engine).items():
                if isinstance(item.ty, ComponentInstanceType):
                    with root.add_instance(interface) as instance:
                        for resource in item.ty.exports(engine).keys() & wasi.RESOURCES.keys():
                            kind = ResourceType.host(wasi.RESOURCES[resource])
                            instance.add_resource(resource, kind, wasi.forget)
                        for name, function in functions.pop(interface, {}).items():
                            self._keep.append(host.define(instance, name, function))
        assert not functions, functions.keys()  # of another version of wasi
        self.linker.define_unknown_imports_as_traps(component)


def _own(here: wasi.Here) -> Iterator[tuple[str, HostFunction]]:
    of_one = [_function(name) for name in OF_ONE]
    of_two = [_function(name) for name in OF_TWO]

    def emit(_context: Any, arguments: Any, _results: Any) -> None:
        here.emit(host.text_of(arguments[0], 256), host.text_of(arguments[1], MOST_TEXT))

    def real(_context: Any, arguments: Any, results: Any) -> None:
        host.set_f64(results[0], of_one[arguments[0].of.u32](arguments[1].of.f64))

    def real_of_two(_context: Any, arguments: Any, results: Any) -> None:
        function = of_two[arguments[0].of.u32]
        host.set_f64(results[0], function(arguments[1].of.f64, arguments[2].of.f64))

    yield from (("emit", emit), ("real", real), ("real-of-two", real_of_two))


def _function(name: str) -> Callable[..., float]:
    function: Callable[..., float] = getattr(math, name)

    def total(*numbers: float) -> float:
        try:
            return function(*numbers)
        except (ValueError, OverflowError):  # inside has raised already where it does
            return math.nan

    return total
