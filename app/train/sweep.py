"""The sweep of an address: parsed strictly, and run on the executor of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.settings import Settings
from app.train import executors
from app.train.address import Pairs, items
from engine.cancellation import IsCancelled
from engine.numbers import whole_to_json
from engine.runs import sweep as engine_sweep
from engine.training.fields import Number, SpecError, Whole, shown
from engine.training.spec import TrainLimits, TrainSpec

LONGEST = 4  # maximum work of a sweep, in runs of the maximum work


class Unfinished(RuntimeError):
    """A sweep that could not be computed now; the message is for the visitor."""


@dataclass(frozen=True, slots=True)
class RunSweep:
    """The runs of a spec with these learning rates and seeds, rate by rate."""

    spec: TrainSpec
    rates: Sequence[float]
    seeds: Sequence[int]

    def run(self, settings: Settings, is_cancelled: IsCancelled) -> dict[str, Any]:
        """The results as plain data. Raises SweepCancelled and Unfinished."""
        seconds = settings.number("sweep_seconds")
        try:
            with executors.executor(settings) as executor:
                found = engine_sweep.sweep(
                    self.spec,
                    self.rates,
                    self.seeds,
                    executor,
                    is_cancelled=is_cancelled,
                    seconds=seconds,
                )
        except executors.ClusterError:
            raise Unfinished("The cluster for sweeps does not respond.") from None
        except engine_sweep.SweepTimedOut:
            limit = f"The sweep exceeded its time limit of {seconds:g} seconds."
            raise Unfinished(f"{limit} Try again later, or with fewer runs or steps.") from None
        runs = [{**run, "seed": whole_to_json(run["seed"])} for run in found["runs"]]
        return {**found, "seeds": list(map(whole_to_json, found["seeds"])), "runs": runs}


def read(pairs: Pairs, spec: TrainSpec, limits: TrainLimits, most: int) -> RunSweep:
    """The sweep of an address, with at most `most` runs. Raises SpecError."""
    rates = items(pairs, "rates", Number(), most) or [spec.learning_rate]
    seeds = items(pairs, "seeds", Whole(0, 2**64 - 1), most) or [spec.seed]
    count = len(rates) * len(seeds)
    if count > most:
        product = f"{len(rates)} rates × {len(seeds)} seeds are {count:,} runs"
        message = f"{product}; at most {most:,} are taken."
        raise SpecError("seeds", shown(f"{count} runs"), message)
    if count * spec.work > LONGEST * limits.work:
        steps = LONGEST * limits.work * spec.total_steps // (count * spec.work)
        message = f"{count:,} runs of {spec.total_steps:,} steps are too much work: take {steps:,}."
        raise SpecError("steps", str(spec.steps), message)
    if max(rates) > limits.rate:
        message = f"rates go up to {max(rates):g}; the largest rate is {limits.rate:,}."
        raise SpecError("rates", f"{max(rates):g}", message)
    return RunSweep(spec, rates, [int(seed) for seed in seeds])
