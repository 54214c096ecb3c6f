"""The world that C code inside sees: nothing in it but clocks, random bytes and two streams.

Clocks start at the same moment in every run, and go on by a step at each look and by what is slept;
random bytes are the same in every run. There are no files, arguments or variables, and connections
are denied.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Protocol

from wasmtime import StoreContext

from engine.sandbox import host_functions as host
from engine.sandbox.host_functions import HostFunction, HostRefusal

VERSION = "0.2.9"
START = 1_767_225_600  # 2026-01-01, midnight UTC
STEP = 1_000  # nanoseconds between two looks at a clock
AT_ONCE = 1 << 12  # bytes written or asked for in one call
MOST_WAITS = 1 << 10

# Of which type each resource is; a pollable is always ready.
RESOURCES = {"pollable": 1, "input-stream": 2, "output-stream": 3, "network": 4}
STREAMS = {1: "stdout", 2: "stderr"}


class Surroundings:
    """What one instance sees: its clock and its random bytes."""

    def __init__(self) -> None:
        self.clock = 0
        self._drawn = 0

    def now(self) -> int:
        """Nanoseconds since the start, another number each time."""
        self.clock += STEP
        return self.clock

    def random(self, count: int) -> bytes:
        """The next random bytes. Raises HostRefusal if they are very many."""
        if count > AT_ONCE:
            raise HostRefusal(f"{count} random bytes")
        self._drawn += 1
        return hashlib.shake_128(self._drawn.to_bytes(8, "little")).digest(count)


class Here(Protocol):
    """What runs in this thread."""

    surroundings: Surroundings
    emit: Callable[[str, str], None]


def forget(_store: StoreContext, _number: int) -> None:
    """Called when the guest lets go of a resource: nothing belongs to one."""


def functions(here: Here) -> dict[str, dict[str, HostFunction]]:
    """The functions by interface."""
    parts = {**_clocks(here), **_streams(here), **_emptiness(here)}
    return {f"wasi:{interface}@{VERSION}": part for interface, part in parts.items()}


def _clocks(here: Here) -> dict[str, dict[str, HostFunction]]:
    def now(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_u64(results[0], here.surroundings.now())

    def resolution(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_u64(results[0], STEP)

    def sleep_until(context: Any, arguments: Any, results: Any) -> None:
        here.surroundings.clock = max(here.surroundings.clock, arguments[0].of.u64)
        _set_ready(context, arguments, results)

    def sleep(context: Any, arguments: Any, results: Any) -> None:
        here.surroundings.clock += arguments[0].of.u64
        _set_ready(context, arguments, results)

    def date(_context: Any, _arguments: Any, results: Any) -> None:
        seconds, rest = divmod(here.surroundings.now(), 10**9)
        _set_date(results[0], START + seconds, rest)

    def date_resolution(_context: Any, _arguments: Any, results: Any) -> None:
        _set_date(results[0], 0, STEP)

    def poll(_context: Any, arguments: Any, results: Any) -> None:
        count = arguments[0].of.list.size
        if count > MOST_WAITS:
            raise HostRefusal(f"{count} waits at once")
        host.set_list(results[0], range(count), host.set_u32)

    return {
        "clocks/monotonic-clock": {
            "now": now,
            "resolution": resolution,
            "subscribe-instant": sleep_until,
            "subscribe-duration": sleep,
        },
        "clocks/wall-clock": {"now": date, "resolution": date_resolution},
        "io/poll": {
            "poll": host.borrowing(poll),
            "[method]pollable.block": host.borrowing(lambda *_: None),
        },
    }


def _streams(here: Here) -> dict[str, dict[str, HostFunction]]:
    def opener(number: int, kind: str) -> HostFunction:
        return lambda context, _arguments, results: host.set_resource(
            context, results[0], number, RESOURCES[kind]
        )

    def room(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_result(results[0], True, host.number(host.set_u64, AT_ONCE))

    def write(context: Any, arguments: Any, results: Any) -> None:
        text = host.bytes_of(arguments[1], AT_ONCE).decode("utf-8", "replace")
        here.emit(STREAMS[host.resource_of(context, arguments[0])], text)
        host.set_result(results[0], True)

    def done(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_result(results[0], True)

    def ended(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_closed(results[0])

    return {
        "io/streams": {
            "[method]output-stream.check-write": host.borrowing(room),
            "[method]output-stream.write": host.borrowing(write),
            "[method]output-stream.blocking-write-and-flush": host.borrowing(write),
            "[method]output-stream.blocking-flush": host.borrowing(done),
            "[method]output-stream.subscribe": host.borrowing(_set_ready),
            "[method]input-stream.read": host.borrowing(ended),
            "[method]input-stream.subscribe": host.borrowing(_set_ready),
        },
        "cli/stdin": {"get-stdin": opener(0, "input-stream")},
        "cli/stdout": {"get-stdout": opener(1, "output-stream")},
        "cli/stderr": {"get-stderr": opener(2, "output-stream")},
    }


def _emptiness(here: Here) -> dict[str, dict[str, HostFunction]]:
    def random(_context: Any, arguments: Any, results: Any) -> None:
        host.set_bytes(results[0], here.surroundings.random(arguments[0].of.u64))

    def nothing(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_list(results[0], (), host.set_u32)

    def none(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_none(results[0])

    def denied(_context: Any, _arguments: Any, results: Any) -> None:
        host.set_result(results[0], False, host.enumeration("access-denied"))

    def network(context: Any, _arguments: Any, results: Any) -> None:
        host.set_resource(context, results[0], 0, RESOURCES["network"])

    def leave(_context: Any, _arguments: Any, _results: Any) -> None:
        raise HostRefusal("the program ended its process")

    return {
        "random/random": {"get-random-bytes": random},
        "cli/environment": {"get-environment": nothing, "get-arguments": nothing},
        "cli/exit": {"exit": leave},
        "cli/terminal-stdin": {"get-terminal-stdin": none},
        "cli/terminal-stdout": {"get-terminal-stdout": none},
        "cli/terminal-stderr": {"get-terminal-stderr": none},
        "filesystem/preopens": {"get-directories": nothing},
        "sockets/instance-network": {"instance-network": network},
        "sockets/ip-name-lookup": {"resolve-addresses": host.borrowing(denied)},
        "sockets/tcp-create-socket": {"create-tcp-socket": denied},
        "sockets/udp-create-socket": {"create-udp-socket": denied},
    }


def _set_ready(context: Any, _arguments: Any, results: Any) -> None:
    host.set_resource(context, results[0], 0, RESOURCES["pollable"])


def _set_date(place: Any, seconds: int, nanoseconds: int) -> None:
    host.set_record(
        place,
        {"seconds": (host.set_u64, seconds), "nanoseconds": (host.set_u32, nanoseconds)},
    )
