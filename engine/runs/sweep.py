"""Sweeps over learning rates and seeds of the weights, on any Executor.

    from concurrent.futures import ThreadPoolExecutor
    from seegrad.training import TrainSpec, sweep

    with ThreadPoolExecutor() as executor:
        found = sweep(TrainSpec(), rates=[0.1, 1.0], seeds=range(50), executor=executor)

Threads suffice on one machine, since the kernel releases the GIL. A `ProcessPoolExecutor`, or the
executor of a Dask cluster (`Client(address).get_executor()`), gives the same numbers, bit for bit.
The number of runs is unlimited.

Only strings and numbers cross process boundaries; the one pickled function, `_piece`, is imported
from the worker's own installation. A worker of another edition raises EditionMismatch.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from engine.caches import cached
from engine.cancellation import Cancelled, IsCancelled, never_cancelled
from engine.doctor.passes import spread
from engine.numbers import to_json
from engine.sources import sources
from engine.training.spec import TrainSpec

from .history import compiled, history

POINTS = 60
"""Points on the loss curve of a run, spread over its steps."""

PIECE = 500_000_000  # work of a task of several runs, about 0.2 s; submitting one takes 0.01 s
PIECES = 32  # tasks of a sweep with enough runs, so that workers finish at about the same time
START = 5_000_000  # set-up cost of a run, in the unit of work
POLL = 0.1  # seconds between checks for cancellation

Plain = dict[str, Any]
Chosen = tuple[float, int]
"""The learning rate and the seed of a run."""


class SweepError(RuntimeError):
    """A sweep did not complete."""


class SweepCancelled(SweepError, Cancelled):
    """The caller cancelled the sweep."""


class SweepTimedOut(SweepError):
    """The sweep exceeded its time limit."""


class EditionMismatch(SweepError):
    """A worker runs another version or another backend, so its numbers could differ."""


def sweep(
    spec: TrainSpec,
    rates: Iterable[float],
    seeds: Iterable[int],
    executor: Executor,
    *,
    is_cancelled: IsCancelled = never_cancelled,
    seconds: float = math.inf,
) -> Plain:
    """All runs of a spec with these rates and seeds, rate by rate, as plain data for JSON.

    A seed is that of the weights: all runs have the same data in the same order.

    The result has `rates`, `seeds`, `steps` (at which losses are sampled) and `runs`, each with its
    `rate`, `seed`, `losses` before these steps, and `final` loss and `accuracy` over the training
    set.

    Raises SweepCancelled, SweepTimedOut after `seconds`, SpecError for a rate or a seed out of
    range, and the errors of the executor. Pending tasks are then cancelled; running ones stop soon
    in this process, and elsewhere after at most `seconds`.
    """
    rates, seeds = list(rates), list(seeds)
    specs = [_varied(spec, rate, seed) for rate in rates for seed in seeds]
    text = json.dumps(spec.to_json())
    with _asked(is_cancelled) as name:
        tasks = [_Task(edition(), name, text, part, seconds) for part in _pieces(specs)]
        found = _gathered(executor, tasks, is_cancelled, seconds)
    return {
        "rates": rates,
        "seeds": seeds,
        "steps": _steps(spec),
        "runs": [run for part in found for run in part],
    }


def _varied(spec: TrainSpec, rate: float, seed: int) -> TrainSpec:
    return replace(spec.with_weights(seed), learning_rate=rate)


def _steps(spec: TrainSpec) -> list[int]:
    return spread(range(spec.total_steps), POINTS)


def _pieces(specs: Sequence[TrainSpec]) -> list[list[Chosen]]:
    """Runs grouped into tasks: each worth its overhead, yet enough tasks for many workers."""
    if not specs:
        return []
    work = specs[0].work + START  # independent of the rate and the seed
    most = min(PIECE // work, len(specs) // PIECES) or 1
    runs = [(spec.learning_rate, spec.seed) for spec in specs]
    return [runs[start : start + most] for start in range(0, len(runs), most)]


# In the calling process


@dataclass(frozen=True, slots=True)
class _Asking:
    """A sweep of this process, whose local tasks can be cancelled."""

    is_cancelled: IsCancelled
    over: list[bool]

    def ends(self) -> bool:
        return bool(self.over) or self.is_cancelled()


_ASKING: dict[str, _Asking] = {}
_TOKEN = secrets.token_hex(8)


def _here() -> str:
    """What the names of sweeps of this process begin with: forks share all but their number."""
    return f"{_TOKEN}-{os.getpid()}-"


@contextmanager
def _asked(is_cancelled: IsCancelled) -> Iterator[str]:
    """A name under which tasks in this process look up whether the sweep is cancelled."""
    name = _here() + secrets.token_hex(8)
    _ASKING[name] = asking = _Asking(is_cancelled, [])
    try:
        yield name
    finally:
        asking.over.append(True)
        del _ASKING[name]


def _gathered(
    executor: Executor, tasks: Sequence[_Task], is_cancelled: IsCancelled, seconds: float
) -> list[list[Plain]]:
    """The results of all tasks, in order; the first failure cancels the rest."""
    end = time.monotonic() + seconds
    done: SimpleQueue[Future[list[Plain]]] = SimpleQueue()
    places: dict[Future[list[Plain]], int] = {}
    found: dict[int, list[Plain]] = {}
    try:
        for place, task in enumerate(tasks):
            future = executor.submit(_piece, *task.plain)
            places[future] = place
            future.add_done_callback(done.put)
        while len(found) < len(tasks):
            _check(is_cancelled, end)
            try:
                future = done.get(timeout=POLL)
            except Empty:
                continue
            found[places[future]] = future.result()
    finally:
        for future in places:
            future.cancel()
    return [found[place] for place in range(len(tasks))]


def _check(is_cancelled: IsCancelled, end: float) -> bool:
    """False while the sweep may continue. Raises SweepError."""
    if is_cancelled():
        raise SweepCancelled("the sweep was cancelled")
    if time.monotonic() > end:
        raise SweepTimedOut("the sweep takes too long")
    return False


# In a worker


@dataclass(frozen=True, slots=True)
class _Task:
    """The arguments of a task."""

    edition: str
    name: str
    spec: str
    runs: list[Chosen]
    seconds: float

    @property
    def plain(self) -> tuple[str, str, str, list[Chosen], float]:
        return self.edition, self.name, self.spec, self.runs, self.seconds


def _piece(
    made_by: str, name: str, text: str, runs: Sequence[Chosen], seconds: float
) -> list[Plain]:
    """The runs of one task. Raises SweepError."""
    if made_by != edition():
        raise EditionMismatch(f"the sweep is of edition {made_by}, this worker of {edition()}")
    spec = TrainSpec(**json.loads(text))
    end = time.monotonic() + seconds
    asking = _ASKING.get(name)
    if asking is None and name.startswith(_here()):
        raise SweepCancelled("the sweep was over before the task began")
    is_cancelled = asking.ends if asking else never_cancelled

    def watch() -> bool:
        return _check(is_cancelled, end)

    return [_run(_varied(spec, rate, seed), watch) for rate, seed in runs]


def _run(spec: TrainSpec, watch: IsCancelled) -> Plain:
    watch()
    losses, final, accuracy = _trained(spec, watch)
    return {
        "rate": spec.learning_rate,
        "seed": spec.seed,
        "losses": [to_json(losses[step]) for step in _steps(spec)],
        "final": to_json(final),
        "accuracy": accuracy,
    }


def _trained(spec: TrainSpec, watch: IsCancelled) -> tuple[Sequence[float], float, float | None]:
    run = compiled(spec)
    if run is None:
        found = history(spec)
        return found.losses, found.loss, found.accuracy
    run.advance(spec.total_steps, watch)
    score = run.evaluate()
    return run.losses, score.loss, score.accuracy


# Editions


@cached("edition of the engine")
def edition() -> str:
    """A digest of everything results depend on: equal editions give bit-identical numbers.

    It covers the sources of the engine, the minor version of Python and the backend. The kernel is
    bit-identical on every machine; without it, the results of the platform's libm are included.
    """
    digest = hashlib.sha256()
    for name, source in sources(Path(__file__).resolve().parents[1]):
        digest.update(f"{name} {len(source)}\n".encode())
        digest.update(source)
    digest.update(repr(sys.version_info[:2]).encode())
    if find_spec("wasmtime") is None:
        functions = (math.exp, math.log, math.sin, math.cos, math.tanh, math.erfc)
        digest.update(repr([f(k / 7) for f in functions for k in range(1, 200)]).encode())
    return digest.hexdigest()[:12]
