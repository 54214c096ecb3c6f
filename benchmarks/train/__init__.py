"""Training against peers: complete steps of four small networks from equal initial parameters.

    python -m benchmarks train --peers PYTHON      (or SEEGRAD_PEERS=PYTHON make bench ARGS=train)

PYTHON is an interpreter with the peers installed, by default this one. Missing peers are reported;
requirements/bench.in lists the packages of all:

- *JAX scan*: `lax.scan` over 50 steps per compiled call (T3: one epoch, T4: 10 steps); *jit per
  step*: one compiled call per step. Compilation is excluded.
- *NumPy plain*: textbook code on arrays. *PyTorch eager*: autograd and torch.optim, one thread.
- *closures*: a scalar Value with a closure for each operation, as in micrograd.
- *C by hand*: `limit.c`, compiled with -march=native: an estimate of the processor's limit.

Each contestant has its own process, kept on one core, and trains on the same rows (`tasks`) from
the same parameters with 64-bit floats; its processor time is what counts. Contestants alternate in
turns of about 0.15 s, A B C … A B C …, so that disturbances affect neighbours alike; a ratio is the
median over rounds. The loss in the table, computed from each contestant's parameters after 10
steps, verifies that all do the same. A contestant that needs more than 5 s per step does a single
one and is compared after it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.report import NO_GOAL, AtLeast, Goal, spread, table
from benchmarks.train import own
from benchmarks.train.rounds import (
    EAGER,
    LANES,
    LIMIT,
    OURS,
    PARITY,
    ROUNDS,
    SCAN,
    Result,
    agree,
    compete,
    versions,
    workers,
)
from benchmarks.train.tasks import TASKS, Task

PYTHON = "SEEGRAD_PEERS"
"""The environment variable with the path of the peers' Python."""

GOALS: dict[str, dict[str, AtLeast]] = {
    "T1": {SCAN: AtLeast(5), LIMIT: AtLeast(0.3)},
    "T2": {SCAN: AtLeast(1.4), LIMIT: AtLeast(0.3)},
    "T3": {SCAN: AtLeast(3), LIMIT: AtLeast(0.3)},
    "T4": {SCAN: AtLeast(0.7), EAGER: AtLeast(2), LIMIT: AtLeast(0.3)},
}
"""Goals: Seegrad's speed relative to peers."""
SAME = Goal(1e-12)

Results = dict[str, Result]


def ratios(results: Results, name: str, to: str) -> list[float]:
    """The speed of `name` relative to `to`, by round."""
    pairs = zip(results[to].times, results[name].times, strict=False)
    return [theirs / its for theirs, its in pairs]


def run() -> Iterator[str]:
    """Run all measurements; the tables as they come, as all take minutes."""
    python = os.environ.get(PYTHON) or sys.executable
    found: dict[str, Results] = {}
    with workers(python) as (contestants, absent):
        for name, task in TASKS.items():
            found[name] = compete(task, contestants)
            found[name] |= {missing: Result(absent=reason) for missing, reason in absent.items()}
            yield _table(task, found[name])
    lanes = "; ".join(f"{name}: {width}" for name, width in LANES.items())
    notes = (f"Peers: {versions(python)}", f"Lanes: {lanes}", *_absent(found))
    yield from (f"{line}\n" for line in notes)
    head = ("what", "figure", "goal", "")
    rows = [row for name, results in found.items() for row in _goals(name, results)]
    yield table(f"Training: goals, medians of {ROUNDS} rounds", head, rows)
    yield table("Training: Seegrad by itself", head, own.rows())


def _table(task: Task, results: Results) -> str:
    head = (
        "",
        "µs a step",
        "steps/s",
        "Seegrad, times as fast",
        "of C",
        f"loss after {PARITY} steps",
    )
    measured = {name: result for name, result in results.items() if result.times}
    rows = [_row(name, measured) for name in measured]
    return table(f"Training {task.name}: {task.says}", head, rows)


def _absent(found: dict[str, Results]) -> Iterator[str]:
    """The missing contestants, with reasons."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for task, results in found.items():
        for name, result in results.items():
            if result.absent:
                reasons.setdefault((name, result.absent), []).append(task)
    for (name, reason), tasks in reasons.items():
        yield f"{', '.join(tasks)}: {name}: {reason}"


def _row(name: str, results: Results) -> Sequence[str]:
    times = [seconds * 1e6 for seconds in results[name].times]
    speed = 1e6 / median(times)
    ahead = ratios(results, OURS, name) if OURS in results and name != OURS else []
    share = ratios(results, name, LIMIT) if LIMIT in results else []
    losses = results[name].losses
    steps = max(losses)
    return (
        name,
        spread(times, digits=_digits(median(times))),
        f"{speed:,.{_digits(speed)}f}",
        f"{_short(median(ahead))} ×" if ahead else "",
        f"{_short(100 * median(share))} %" if share else "",
        f"{losses[steps]:.14f}" if steps == PARITY else f"after {steps}: {losses[steps]:.14f}",
    )


def _digits(number: float) -> int:
    return 3 if number < 1 else 2 if number < 100 else 0


def _short(number: float) -> str:
    """`number` with two or three significant digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}" if number < 1 else f"{number:.3g}"


def _goals(task: str, results: Results) -> Iterator[Sequence[str]]:
    for name, goal in GOALS[task].items():
        what = f"{task}, times as fast as {name}"
        compared = ratios(results, OURS, name)
        if compared:
            yield what, spread(compared), *goal.words(median(compared))
        else:
            yield what, "not measured", *NO_GOAL
    worst = agree(results.values())
    yield f"{task}, largest difference of two losses, relative", f"{worst:.1g}", *SAME.words(worst)
