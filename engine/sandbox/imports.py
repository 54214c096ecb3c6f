"""All that the component imports: text that leaves, `math`, and a world with nothing in it.

Clocks start at the same moment in every run and go on by a step at each look; random bytes are the
same in every run. There are no files, arguments, variables or connections, and what is not defined
here ends the run.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import wasmtime
from wasmtime.component import Component, Linker

from engine.sandbox import host_functions as host
from engine.sandbox.host_functions import HostFunction, Refused
from engine.sandbox.real_functions import OF_ONE, OF_TWO

WASI = "0.2.9"
START = 1_767_225_600  # 2026-01-01, midnight UTC
STEP = 1_000  # nanoseconds between two looks at a clock
MOST_TEXT = 1 << 19  # bytes in one chunk
MOST_RANDOM = 1 << 16


class Surroundings:
    """What one instance sees: its clock and its random bytes."""

    def __init__(self) -> None:
        self._clock = 0
        self._bytes = 0

    def now(self) -> int:
        """Nanoseconds since the start, another number each time."""
        self._clock += STEP
        return self._clock

    def random(self, count: int) -> bytes:
        """The next random bytes. Raises Refused if they are very many."""
        if count > MOST_RANDOM:
            raise Refused(f"{count} random bytes")
        self._bytes += 1
        return hashlib.shake_128(self._bytes.to_bytes(8, "little")).digest(count)


class Here(Protocol):
    """What runs in this thread."""

    surroundings: Surroundings
    emit: Callable[[str, str], None]


class Linked:
    """A linker with every import of a component; `here` says in whose name a function is called."""

    def __init__(self, engine: wasmtime.Engine, component: Component, here: Here) -> None:
        self._keep: list[object] = []
        self.linker = Linker(engine)
        with self.linker.root() as root:
            for name, function in _own(here):
                self._keep.append(host.define(root, name, function))
            for interface, functions in _wasi(here).items():
                with root.add_instance(f"wasi:{interface}@{WASI}") as instance:
                    for name, function in functions.items():
                        self._keep.append(host.define(instance, name, function))
        self.linker.define_unknown_imports_as_traps(component)


def _own(here: Here) -> Iterator[tuple[str, HostFunction]]:
    of_one = [_function(name) for name in OF_ONE]
    of_two = [_function(name) for name in OF_TWO]

    def emit(arguments: Any, _results: Any) -> None:
        here.emit(host.text_of(arguments[0], 256), host.text_of(arguments[1], MOST_TEXT))

    def real(arguments: Any, results: Any) -> None:
        host.set_f64(results[0], of_one[arguments[0].of.u32](arguments[1].of.f64))

    def real_of_two(arguments: Any, results: Any) -> None:
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


def _wasi(here: Here) -> dict[str, dict[str, HostFunction]]:
    def now(_arguments: Any, results: Any) -> None:
        host.set_u64(results[0], here.surroundings.now())

    def resolution(_arguments: Any, results: Any) -> None:
        host.set_u64(results[0], STEP)

    def date(_arguments: Any, results: Any) -> None:
        seconds, rest = divmod(here.surroundings.now(), 10**9)
        _set_date(results[0], START + seconds, rest)

    def date_resolution(_arguments: Any, results: Any) -> None:
        _set_date(results[0], 0, STEP)

    def random(arguments: Any, results: Any) -> None:
        host.set_list(results[0], here.surroundings.random(arguments[0].of.u64), host.set_u8)

    def nothing(_arguments: Any, results: Any) -> None:
        host.set_list(results[0], (), host.set_u8)

    def none(_arguments: Any, results: Any) -> None:
        host.set_none(results[0])

    def denied(_arguments: Any, results: Any) -> None:
        host.set_result(results[0], False, host.enumeration("access-denied"))

    return {
        "clocks/monotonic-clock": {"now": now, "resolution": resolution},
        "clocks/wall-clock": {"now": date, "resolution": date_resolution},
        "random/random": {"get-random-bytes": random},
        "cli/environment": {"get-environment": nothing, "get-arguments": nothing},
        "cli/terminal-stdin": {"get-terminal-stdin": none},
        "cli/terminal-stdout": {"get-terminal-stdout": none},
        "cli/terminal-stderr": {"get-terminal-stderr": none},
        "filesystem/preopens": {"get-directories": nothing},
        "sockets/tcp-create-socket": {"create-tcp-socket": denied},
        "sockets/udp-create-socket": {"create-udp-socket": denied},
    }


def _set_date(place: Any, seconds: int, nanoseconds: int) -> None:
    host.set_record(
        place,
        {"seconds": (host.set_u64, seconds), "nanoseconds": (host.set_u32, nanoseconds)},
    )
