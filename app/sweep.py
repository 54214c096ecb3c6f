"""Many runs side by side, alike but for their learning rate and their seed.

The kernel leaves Python's global lock free, so that runs in several threads take as many cores.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from app import computing
from app.train_state import plain
from app.train_view import Pairs, items
from engine.course import spread
from engine.fields import Number, SpecError, Whole, shown
from engine.kernel import Run
from engine.numbers import to_json
from engine.spec import TrainLimits, TrainSpec

POINTS = 60  # of the curve of a run
LONGEST = 4  # of the longest runs that are taken are as much work as a whole sweep may be


class Sweep:
    """The runs of a spec with other rates and seeds, rate by rate."""

    def __init__(self, spec: TrainSpec, rates: Sequence[float], seeds: Sequence[int]) -> None:
        self.rates = rates
        self.seeds = seeds
        self.steps = spread(range(spec.steps), POINTS)
        self.specs = [
            replace(spec, learning_rate=rate, seed=seed) for rate in rates for seed in seeds
        ]

    def run(self, threads: int, stopped: computing.Stopped) -> dict[str, Any]:
        """All of it as plain data, computed by so many threads. Raises Stopped."""
        with ThreadPoolExecutor(threads) as pool:
            runs = list(pool.map(partial(self._run, stopped), self.specs))
        return {
            "rates": list(self.rates),
            "seeds": list(self.seeds),
            "steps": list(self.steps),
            "runs": runs,
        }

    def _run(self, stopped: computing.Stopped, spec: TrainSpec) -> dict[str, Any]:
        run = Run(spec)
        run.advance(spec.steps, stopped)
        score = run.evaluate()
        return {
            "rate": spec.learning_rate,
            "seed": spec.seed,
            "losses": plain([run.losses[step] for step in self.steps]),
            "final": to_json(score.loss),
            "accuracy": score.accuracy,
        }


def read(pairs: Pairs, spec: TrainSpec, limits: TrainLimits, most: int) -> Sweep:
    """The sweep that an address asks for: of at most so many runs. Raises SpecError."""
    rates = items(pairs, "rates", Number(), most) or [spec.learning_rate]
    seeds = items(pairs, "seeds", Whole(0, 2**64 - 1), most) or [spec.seed]
    count = len(rates) * len(seeds)
    if count > most:
        asked = f"{len(rates)} rates × {len(seeds)} seeds are {count:,} runs"
        message = f"{asked}; at most {most:,} are taken."
        raise SpecError("seeds", shown(f"{count} runs"), message)
    if count * spec.work > LONGEST * limits.work:
        steps = LONGEST * limits.work * spec.steps // (count * spec.work)
        message = f"{count:,} runs of {spec.steps:,} steps are too much work: take {steps:,}."
        raise SpecError("steps", str(spec.steps), message)
    if max(rates) > limits.rate:
        message = f"rates go up to {max(rates):g}; the largest rate is {limits.rate:,}."
        raise SpecError("rates", f"{max(rates):g}", message)
    return Sweep(spec, rates, [int(seed) for seed in seeds])
