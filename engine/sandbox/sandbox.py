"""Requests run inside: each in a fresh instance, made before the request comes, with a budget.

    outcome = sandbox().run(request)

Every run has a thread of the sandbox's own, with the deep stack that Python's recursion needs.
wasmtime releases the interpreter lock, so runs disturb each other and the caller little.
"""

from __future__ import annotations

import os
import queue
import threading

from engine.caches import cached
from engine.sandbox import machine_code
from engine.sandbox.instance import Instance, Machine
from engine.sandbox.run import Limits, OnOutput, Outcome, Run

IDLE = 30.0  # seconds after which a thread ends that is not needed
_starting = threading.Lock()


class Sandbox:
    """At most `at_once` runs at a time; `standby` instances stay ready where nothing runs."""

    def __init__(self, at_once: int = 0, standby: int = 2) -> None:
        self._at_once = at_once or 2 * (os.cpu_count() or 1)
        self._standby = min(standby, self._at_once)
        self._machine = Machine()
        self._waiting: queue.SimpleQueue[Run | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._free = 0  # threads that run nothing, less the requests that wait for one
        self._closed = False
        with self._lock:
            for _ in range(self._standby):
                self._add_thread()

    def run(
        self, request: str, *, limits: Limits | None = None, on_output: OnOutput | None = None
    ) -> Outcome:
        """Run a request and wait for its outcome."""
        return self.start(request, limits=limits, on_output=on_output).outcome()

    def start(
        self, request: str, *, limits: Limits | None = None, on_output: OnOutput | None = None
    ) -> Run:
        """Run a request; `on_output(kind, text)` is called in the thread of the run."""
        run = Run(request, limits or Limits(), on_output)
        with self._lock:
            if self._closed:
                raise RuntimeError("the sandbox is closed")
            self._free -= 1
            if self._free < 0 and self._threads < self._at_once:
                self._add_thread()
            self._waiting.put(run)
        return run

    def close(self) -> None:
        """Take no more requests; those that wait are run."""
        with self._lock:
            self._closed = True
            for _ in range(self._threads):
                self._waiting.put(None)

    def _add_thread(self) -> None:
        self._threads += 1
        self._free += 1
        with _starting:  # the size is one for the process
            before = threading.stack_size(machine_code.THREAD_STACK)
            try:
                threading.Thread(target=self._work, name="sandbox", daemon=True).start()
            finally:
                threading.stack_size(before)

    def _work(self) -> None:
        while True:
            made = self._make()
            run = self._next()
            if run is None:
                return
            if isinstance(made, Instance):
                self._answer(made, run)
            else:
                run.fail(made)
            with self._lock:
                self._free += 1

    def _make(self) -> Instance | Exception:
        try:
            return Instance(self._machine)
        except Exception as error:  # for the request that it was made for
            return error

    def _answer(self, instance: Instance, run: Run) -> None:
        try:
            instance.answer(run)
        except BaseException as error:  # a thread that ended would be missed for ever
            run.fail(error)
        finally:
            instance.close()

    def _next(self) -> Run | None:
        while True:
            try:
                return self._waiting.get(timeout=IDLE)
            except queue.Empty:
                with self._lock:
                    if self._threads > self._standby and self._free > 0:
                        self._threads -= 1
                        self._free -= 1
                        return None


_making = threading.Lock()


@cached("sandbox")
def _the_one() -> Sandbox:
    return Sandbox()


def sandbox() -> Sandbox:
    """The sandbox of this process, made when it is first asked for."""
    with _making:
        return _the_one()
