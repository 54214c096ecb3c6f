"""A sweep as an address asks for it: read strictly, and computed by what the settings name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.settings import Settings
from app.train import executors
from app.train.address import Pairs, items
from engine.cancellation import IsCancelled
from engine.runs import sweep as engine_sweep
from engine.training.fields import Number, SpecError, Whole, shown
from engine.training.spec import TrainLimits, TrainSpec

LONGEST = 4  # of the longest runs that are taken are as much work as a whole sweep may be


class Unfinished(RuntimeError):
    """A sweep that could not be computed now; what it says is for the visitor."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The runs of a spec with other rates and seeds, rate by rate."""

    spec: TrainSpec
    rates: Sequence[float]
    seeds: Sequence[int]

    def run(self, settings: Settings, is_cancelled: IsCancelled) -> dict[str, Any]:
        """All of it as plain data. Raises SweepCancelled and Unfinished."""
        seconds = settings.number("sweep_seconds")
        try:
            with executors.executor(settings) as executor:
                return engine_sweep.sweep(
                    self.spec,
                    self.rates,
                    self.seeds,
                    executor,
                    is_cancelled=is_cancelled,
                    seconds=seconds,
                )
        except executors.ClusterError:
            raise Unfinished("The machines that compute sweeps do not answer.") from None
        except engine_sweep.SweepTimedOut:
            took = f"The sweep took longer than {seconds:g} seconds, as many as it may."
            raise Unfinished(f"{took} Try again later, or with fewer runs or steps.") from None


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
