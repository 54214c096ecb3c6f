"""Requests run inside: each in a fresh instance, made before the request comes, with a budget.

    outcome = sandbox().run(request)

Runs have threads of the sandbox's own, with the deep stack that Python's recursion needs. wasmtime
releases the interpreter lock, so that runs disturb each other and the caller little.
"""

from __future__ import annotations

import _thread
import atexit
import os
import queue
import threading
import time

from engine.caches import cached
from engine.sandbox import machine_code
from engine.sandbox.instance import SandboxInstance, SandboxMachine
from engine.sandbox.run import Budget, Export, OnOutput, SandboxOutcome, SandboxRun

LONG = 0.02  # processor seconds after which a thread may have used much of its stack
CLOSING = 2.0  # seconds that running threads are waited for
_starting = threading.Lock()


class Sandbox:
    """At most `at_once` runs at a time; for the next one an instance is ready, or being made."""

    def __init__(self, at_once: int = 0) -> None:
        # beside programs that take long there must be room for a short one
        self._at_once = at_once or 2 * (os.cpu_count() or 1)
        self._machine = SandboxMachine(self._at_once)
        self._waiting: queue.SimpleQueue[SandboxRun | None] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._threads = 0
        self._free = 0  # threads that wait for a request, less the requests that wait for one
        self._runs: set[SandboxRun] = set()
        self._closed = False
        self._add_thread()
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
        with self._changed:
            if self._closed:
                raise RuntimeError("the sandbox is closed")
            self._free -= 1
            self._runs.add(run)
            self._waiting.put(run)
        run.future.add_done_callback(lambda _: self._runs.discard(run))
        self._add_thread()
        return run

    def close(self) -> None:
        """Cancel what runs and what waits, and take no more.

        Before the interpreter ends it must have happened: a thread that comes back to it later
        from machine code ends the process by a signal.
        """
        with self._changed:
            self._closed = True
            for _ in range(self._threads):
                self._waiting.put(None)
        for run in tuple(self._runs):
            run.cancel()
        with self._changed:
            self._changed.wait_for(lambda: not self._threads, CLOSING)
        atexit.unregister(self.close)

    def _add_thread(self) -> None:
        """Start a thread unless one is free, or there are as many as there may be."""
        with self._changed:
            if self._closed or self._free > 0 or self._threads >= self._at_once:
                return
            self._threads += 1
            self._free += 1
        with _starting:  # the size is one for the process
            before = threading.stack_size(machine_code.THREAD_STACK)
            try:
                # Thread.start() would wait until the system lets the new thread run.
                _thread.start_new_thread(self._work, ())
            except RuntimeError:  # the system has no more threads
                with self._changed:
                    self._threads -= 1
                    self._free -= 1
                if not self._threads:
                    raise
            finally:
                threading.stack_size(before)

    def _work(self) -> None:
        while self._serves():
            pass
        with self._changed:
            self._threads -= 1
            self._changed.notify_all()
        self._add_thread()

    def _serves(self) -> bool:
        """Make an instance and use it up; whether this thread can make another one."""
        made = self._make()
        run = self._next()
        if run is None:
            if isinstance(made, SandboxInstance):
                made.close()
            return False
        began = time.thread_time()
        self._answer(made, run)
        if time.thread_time() - began > LONG:  # its stack is given back with the thread
            return False
        with self._changed:
            self._free += 1
        return True

    def _next(self) -> SandboxRun | None:
        while (run := self._waiting.get()) is not None and run.future.done():
            with self._changed:  # it was cancelled while it waited
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
