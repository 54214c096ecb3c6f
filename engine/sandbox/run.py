"""One request on its way through the sandbox: what it may spend, and how it ended."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from engine.sandbox.host_functions import HostRefusal
from engine.sandbox.machine_code import MEMORY

Ending = Literal["returned", "failed", "time", "memory", "output", "cancelled", "trapped"]
Export = Literal["handle", "execute"]
"""Who is asked inside: the guest, or CPython alone, which takes the request as a program."""
OnOutput = Callable[[str, str], None]
CHUNK = 64  # bytes that a chunk costs besides its text
LONG = 0.3  # processor seconds after which a run gives way to whatever else wants to run
NICENESS = 5


@dataclass(frozen=True)
class Budget:
    """What a run may spend: processor time, bytes of memory, bytes emitted, bytes of its reply."""

    seconds: float = 5.0
    memory: int = MEMORY
    output: int = 1 << 20
    reply: int = 32 << 20


@dataclass(frozen=True)
class SandboxOutcome:
    """How a run ended, and what it gave.

    `reply` is what the guest returned, and `reason` says why there is none. `emitted` is what it
    emitted until it ended, as kind and text. `seconds` is processor time.
    """

    ending: Ending
    reply: str | None
    reason: str
    emitted: tuple[tuple[str, str], ...]
    seconds: float

    def text(self, kind: str = "stdout") -> str:
        """All that was emitted under a kind."""
        return "".join(text for of, text in self.emitted if of == kind)


class SandboxRun:
    """A request whose outcome any thread may wait for or prevent; `future` will hold it."""

    def __init__(
        self, request: str, export: Export, limits: Budget, on_output: OnOutput | None
    ) -> None:
        self.request = request
        self.export = export
        self.limits = limits
        self._on_output = on_output
        self._stopped_by: Ending | None = None
        self._room = limits.output
        self._emitted: list[tuple[str, str]] = []
        self.future: Future[SandboxOutcome] = Future()
        self._lock = threading.Lock()
        self._started: float | None = None
        self._ended = False
        self._gives_way = False

    def cancel(self) -> None:
        """End the run, now if it has not begun, and else soon."""
        with self._lock:
            self._stopped_by = self._stopped_by or "cancelled"
            waits = self._started is None
        if waits:
            self.end("cancelled")

    def outcome(self, timeout: float | None = None) -> SandboxOutcome:
        """Wait for the outcome. Raises what `on_output` raised, and TimeoutError."""
        return self.future.result(timeout)

    def begin(self) -> None:
        """Count the processor time of this thread from here on. Raises HostRefusal if cancelled."""
        with self._lock:
            self._started = time.thread_time()
        self.check()

    def check(self) -> None:
        """Raise HostRefusal if the run must end."""
        spent = self._spent()
        if spent > LONG and not self._gives_way:
            self._gives_way = True
            _give_way()
        if spent > self.limits.seconds:
            self._stopped_by = self._stopped_by or "time"
        if self._stopped_by is not None:
            raise HostRefusal(self._stopped_by)

    def emit(self, kind: str, text: str) -> None:
        """Keep a chunk and pass it on, as far as there is room."""
        self._room -= len(kind) + len(text.encode()) + CHUNK
        if self._room < 0:
            self._stopped_by = self._stopped_by or "output"
        self.check()
        self._emitted.append((kind, text))
        if self._on_output is not None:
            try:
                self._on_output(kind, text)
            except BaseException as error:
                self.fail(error)
                self.cancel()

    def end(self, ending: Ending, reply: str | None = None, reason: str = "") -> None:
        """Hand over the outcome; if the run was stopped, that is its ending."""
        if reply is None:
            ending = self._stopped_by or ending
        if self._is_first():
            emitted = tuple(self._emitted)
            self.future.set_result(SandboxOutcome(ending, reply, reason, emitted, self._spent()))

    def fail(self, error: BaseException) -> None:
        """Hand over an error of the host's."""
        if self._is_first():
            self.future.set_exception(error)

    def _is_first(self) -> bool:
        """Whether nothing was handed over before."""
        with self._lock:
            before, self._ended = self._ended, True
        return not before

    def _spent(self) -> float:
        return 0.0 if self._started is None else time.thread_time() - self._started


def _give_way() -> None:
    """Put this thread behind the others, for good: a run that was long has it for itself."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
