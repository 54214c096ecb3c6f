"""Whether the server is ready: it draws, its numbers are those of its start, it is not stopping.

A check is real work, so there is never more than one, and its result holds for HOLDS seconds.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import struct
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from itertools import chain

from app.picture import layout
from app.picture.drawing import standalone_svg
from app.picture.grouping import visible
from app.serving.shutdown import Draining
from engine.kernel import Run
from engine.language.program import Program
from engine.ops import OPS, Op
from engine.trace.build import trace
from engine.training.spec import TrainSpec
from engine.value import Value, apply

HOLDS = 1.0  # seconds
PROGRAM = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = tanh((a*b + c) * f / 8)"
SPEC = TrainSpec(samples=8, layers=(2, 3, 1), activation="tanh", optimizer="adam", steps=4)


# Numerics


def fingerprint() -> str:
    """A hash of the exact bits of this machine's mathematics: of all operations, of some training.

    Two servers with the same one give the same bits for the same program and the same run.
    """
    run = Run(SPEC)
    run.advance(SPEC.steps)
    operations = chain.from_iterable(_bits(op) for op in OPS.values())
    numbers = [*operations, *run.parameters(), *run.losses]
    return hashlib.sha256(struct.pack(f"<{len(numbers)}d", *numbers)).hexdigest()


def _bits(op: Op) -> list[float]:
    """Result and gradients of an operation at its samples."""
    found: list[float] = []
    for sample in op.samples:
        leaves = [Value(x) for x in sample]
        out = apply(op, *leaves)
        out.backward()
        found += [out.data, *(leaf.grad for leaf in leaves)]
    return found


@lru_cache(1)
def first_fingerprint() -> str:
    """The fingerprint that the process had when it was first asked for."""
    return fingerprint()


# Readiness


class NotReady(Exception):
    """Why the server should not be sent requests now."""


class Readiness:
    """Answers whether one application is ready; `seconds` is the time that a check may take."""

    def __init__(self, draining: Draining, seconds: float) -> None:
        self._draining = draining
        self._seconds = seconds
        self._first = first_fingerprint()
        self._thread = ThreadPoolExecutor(1, "readiness")
        self._check: Future[str | None] | None = None
        self._until = 0.0  # the time to which the result of the last check holds

    async def problem(self) -> str | None:
        """Why the server is not ready; None if it is."""
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
        """The check that runs, the one whose result still holds, or a new one."""
        check = self._check
        if check is None or (check.done() and time.monotonic() >= self._until):
            check = self._check = self._thread.submit(self._checked)
        return check

    def _checked(self) -> str | None:
        try:
            self._work()
        except NotReady as reason:
            return str(reason)
        except Exception as error:  # whatever it is, this server should be passed over
            return f"The check failed: {type(error).__name__}."
        finally:
            self._until = time.monotonic() + HOLDS
        return None

    def _work(self) -> None:
        """Everything that is needed to answer. Raises NotReady, and anything else."""
        began = time.perf_counter()
        with open(os.devnull, "rb"):  # noqa: PTH123  # a descriptor is to be had
            pass
        seen = trace(Program(PROGRAM))
        standalone_svg(seen, layout.place_anew(visible(seen), deadline=self._seconds))
        if fingerprint() != self._first:
            raise NotReady("The numbers are not those of the server's start.")
        took = time.perf_counter() - began
        if took > self._seconds:
            raise NotReady(f"A small graph took {took:.2f} seconds; {self._seconds:g} are allowed.")
