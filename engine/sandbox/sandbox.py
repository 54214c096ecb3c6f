"""Requests run inside: each in a fresh instance, made before the request comes, with a budget.

    outcome = sandbox().run(request)

Every run has a thread of its own, with the deep stack that Python's recursion needs: what of it was
used is given back with the thread. wasmtime releases the interpreter lock, so that runs disturb
each other and the caller little.
"""

from __future__ import annotations

import atexit
import os
import queue
import threading

from engine.caches import cached
from engine.sandbox import machine_code
from engine.sandbox.instance import SandboxInstance, SandboxMachine
from engine.sandbox.run import Budget, Export, OnOutput, SandboxOutcome, SandboxRun

CLOSING = 2.0  # seconds that a thread is waited for
_starting = threading.Lock()


class Sandbox:
    """At most `at_once` runs at a time; `standby` instances are ready when nothing runs."""

    def __init__(self, at_once: int = 0, standby: int = 2) -> None:
        self._at_once = at_once or 2 * (os.cpu_count() or 1)
        self._standby = min(standby, self._at_once)
        self._machine = SandboxMachine()
        self._waiting: queue.SimpleQueue[SandboxRun | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._runs: set[SandboxRun] = set()
        self._free = 0  # threads that wait for a request, less the requests that wait for one
        self._closed = False
        with self._lock:
            self._fill(self._standby)
        atexit.register(self.close)

    def run(
        self,
        request: str,
        *,
        export: Export = "handle",
        limits: Budget | None = None,
        on_output: OnOutput | None = None,
    ) -> SandboxOutcome:
        """Run a request and wait for its outcome."""
        run = self.start(request, export=export, limits=limits, on_output=on_output)
        try:
            return run.outcome()
        except BaseException:  # as Ctrl+C: nobody waits for it any more
            run.cancel()
            raise

    def start(
        self,
        request: str,
        *,
        export: Export = "handle",
        limits: Budget | None = None,
        on_output: OnOutput | None = None,
    ) -> SandboxRun:
        """Run a request; `on_output(kind, text)` is called in the thread of the run."""
        run = SandboxRun(request, export, limits or Budget(), on_output)
        with self._lock:
            if self._closed:
                raise RuntimeError("the sandbox is closed")
            self._fill(2)
            self._free -= 1
            self._runs.add(run)
            self._waiting.put(run)
        run.future.add_done_callback(lambda _: self._runs.discard(run))
        return run

    def close(self) -> None:
        """Cancel what runs and what waits, and take no more.

        Before the interpreter ends it must have happened: a thread that comes back to it later
        from machine code ends the process by a signal.
        """
        with self._lock:
            self._closed = True
            runs, threads = tuple(self._runs), self._threads - {threading.current_thread()}
            for _ in self._threads:
                self._waiting.put(None)
        for run in runs:
            run.cancel()
        for thread in threads:
            thread.join(CLOSING)
        atexit.unregister(self.close)

    def _fill(self, wanted: int) -> None:
        """Start threads until so many are free, as far as that is allowed."""
        while self._free < wanted and len(self._threads) < self._at_once and not self._closed:
            thread = threading.Thread(target=self._work, name="sandbox", daemon=True)
            with _starting:  # the size is one for the process
                before = threading.stack_size(machine_code.THREAD_STACK)
                try:
                    thread.start()
                except RuntimeError:  # the system has no more threads
                    if self._threads:
                        return
                    raise
                finally:
                    threading.stack_size(before)
            self._threads.add(thread)
            self._free += 1

    def _work(self) -> None:
        made = self._make()
        run = self._next()
        if run is not None:
            self._answer(made, run)
        elif isinstance(made, SandboxInstance):
            made.close()
        with self._lock:
            self._threads.discard(threading.current_thread())
            self._fill(self._standby)

    def _next(self) -> SandboxRun | None:
        while (run := self._waiting.get()) is not None and run.future.done():
            with self._lock:  # it was cancelled while it waited
                self._free += 1
        return run

    def _make(self) -> SandboxInstance | Exception:
        try:
            return SandboxInstance(self._machine)
        except Exception as error:
            return error

    def _answer(self, made: SandboxInstance | Exception, run: SandboxRun) -> None:
        if isinstance(made, Exception):  # what kept it from being made may have passed
            made = self._make()
        if isinstance(made, Exception):
            run.fail(made)
            return
        try:
            made.answer(run)
        except BaseException as error:  # somebody waits for it
            run.fail(error)
        finally:
            made.close()


_making = threading.Lock()


@cached("sandbox")
def _the_one() -> Sandbox:
    return Sandbox()


def sandbox() -> Sandbox:
    """The sandbox of this process, made when it is first asked for."""
    with _making:
        return _the_one()
