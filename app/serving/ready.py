"""Readiness: the server draws, computes the same bits as at its start, and is not being stopped.

A check draws and trains, so at most one runs at a time, and its result is kept for HOLDS seconds.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import struct
import time
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain

from app.caches import cached
from app.picture import layout
from app.picture.drawing import standalone_svg
from app.picture.grouping import visible
from app.serving.shutdown import Draining
from engine.kernel import Run
from engine.ops import OPS, Op
from engine.program import Program
from engine.trace.build import trace
from engine.training.spec import TrainSpec
from engine.value import Value, apply

HOLDS = 1.0  # seconds
PROGRAM = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = tanh((a*b + c) * f / 8)"
SPEC = TrainSpec(samples=8, layers=(2, 3, 1), activation="tanh", optimizer="adam", steps=4)


# Numerics


def fingerprint() -> str:
    """A hash of the exact results of all operations and of a short run on this machine.

    Servers with equal fingerprints compute the same bits for a program and for a run.
    """
    run = Run(SPEC)
    run.advance(SPEC.steps)
    operations = chain.from_iterable(_bits(op) for op in OPS.values())
    numbers = [*operations, *run.parameters(), *run.losses]
    return hashlib.sha256(struct.pack(f"<{len(numbers)}d", *numbers)).hexdigest()


def _bits(op: Op) -> list[float]:
    """Results and gradients of an operation at its sample arguments."""
    found: list[float] = []
    for sample in op.samples:
        leaves = [Value(x) for x in sample]
        out = apply(op, *leaves)
        out.backward()
        found += [out.data, *(leaf.grad for leaf in leaves)]
    return found


@cached("first fingerprint")
def first_fingerprint() -> str:
    """The fingerprint at the first call in this process."""
    return fingerprint()


# Readiness


class NotReady(Exception):
    """A check has failed; the message says why."""


class Readiness:
    """Checks whether one application is ready; a check may take `seconds`."""

    def __init__(self, draining: Draining, seconds: float) -> None:
        self._draining = draining
        self._seconds = seconds
        self._first = first_fingerprint()
        self._thread = ThreadPoolExecutor(1, "readiness")
        self._check: Future[str | None] | None = None
        self._until = 0.0  # when the result of the last check expires

    async def problem(self) -> str | None:
        """The reason why the server is not ready; None if it is."""
        try:
            check = self._latest()
        except RuntimeError:
            return "No thread can be started."
        if not check.done():
            await asyncio.wait([asyncio.wrap_future(check)], timeout=self._seconds)
        if self._draining.begun:
            return "The server is being stopped."
        if not check.done():
            return f"The check has not ended within {self._seconds:g} seconds."
        return check.result()

    def _latest(self) -> Future[str | None]:
        """The check that is running or has not expired, or else a new one."""
        check = self._check
        if check is None or (check.done() and time.monotonic() >= self._until):
            check = self._check = self._thread.submit(self._checked)
        return check

    def _checked(self) -> str | None:
        try:
            self._work()
        except NotReady as reason:
            return str(reason)
        except Exception as error:  # any failure means that a balancer should skip this server
            return f"The check failed: {type(error).__name__}."
        finally:
            self._until = time.monotonic() + HOLDS
        return None

    def _work(self) -> None:
        """Open a file, draw a graph, compute the fingerprint. Raises NotReady, or any error."""
        began = time.perf_counter()
        with open(os.devnull, "rb"):  # noqa: PTH123  # a file descriptor is available
            pass
        seen = trace(Program(PROGRAM))
        standalone_svg(seen, layout.place_anew(visible(seen), deadline=self._seconds))
        if fingerprint() != self._first:
            raise NotReady("The numbers are not those of the server's start.")
        took = time.perf_counter() - began
        if took > self._seconds:
            raise NotReady(f"A small graph took {took:.2f} seconds; {self._seconds:g} are allowed.")
