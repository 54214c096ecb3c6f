"""The doctor over 20 seeds: what the tests ask of one seed, and random runs that learn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from app.train.doctor import examination as examined_at
from app.train.live_run import LiveRun
from app.train.presets import ILLNESSES as GONE_WRONG
from app.train.presets import PRESETS
from benchmarks.report import table
from engine.cancellation import never_cancelled
from engine.doctor.illnesses import ILLNESSES
from engine.runs.examination import Examination, examination
from engine.runs.history import history
from engine.training.datasets import DATASETS
from engine.training.fields import SpecError
from engine.training.limits import TrainLimits
from engine.training.samples import load
from engine.training.spec import TrainSpec
from tests.support.illness_runs import EXAMPLES

SEEDS = 20
RANDOM = 200
TENTHS = range(1, 11)
LIMITS = TrainLimits()


def run() -> str:
    """The tables of all counts."""
    head = ["illness", "example", "named", "cured", "healthy neighbours accused"]
    ill = table(f"Illnesses over {SEEDS} seeds", head, _ill())
    well = table("Runs that learn", ["run", "learned", "accused at a tenth"], _well())
    return f"{ill}\n{well}\n{_random()}\n"


def _examined(spec: TrainSpec) -> Examination:
    return examination(spec, history(spec), LIMITS)


def _ill() -> Iterator[list[str]]:
    for name in ILLNESSES:
        for place, example in enumerate(EXAMPLES[name], 1):
            named = cured = accused = 0
            for seed in range(SEEDS):
                found = [e for e in _examined(example.sick(seed)).found if e.verdict.name == name]
                named += bool(found)
                cured += any(each.verdict.cure for each in found)
                accused += bool(_examined(example.healthy(seed)).found)
            yield [name, str(place), f"{named} of {SEEDS}", str(cured), str(accused)]


def _well() -> Iterator[list[str]]:
    runs = {name: p.spec for name, p in PRESETS.items() if p.group != GONE_WRONG}
    runs |= {name: TrainSpec(data=name) for name in DATASETS if name != "rows"}
    for name, spec in runs.items():
        learned = accused = 0
        for seed in range(SEEDS):
            live = LiveRun(replace(spec, seed=seed) if seed else spec)
            steps = [max(1, spec.total_steps * tenth // 10) for tenth in TENTHS]
            found = [examined_at(live, step, LIMITS, never_cancelled) for step in steps]
            learned += found[-1].outlook.learned
            accused += any(each.found for each in found)
        yield [name, str(learned), str(accused)]


# Random runs

RATES = {"sgd": (0.1, 0.3, 1.0), "momentum": (0.03, 0.1), "rmsprop": (0.003, 0.01),
         "adam": (0.01, 0.03)}  # fmt: skip
REGRESSION = ("sine", "plane", "hills")
DATA = ("xor", "moons", "circles", "gauss", "spiral", "three_spirals", *REGRESSION)


def _random() -> str:
    rng = Random(1)
    healthy, accused = 0, list[str]()
    while healthy < RANDOM:
        try:
            spec = TrainSpec(**_settings(rng))
        except SpecError:
            continue
        if not _learns(spec):
            continue
        healthy += 1
        accused += [each.verdict.name for each in _examined(spec).found]
    names = f": {', '.join(accused)}" if accused else ""
    return f"Of {healthy} random runs that learn, {len(accused)} verdicts{names}."


def _settings(rng: Random) -> dict[str, Any]:
    data, optimizer = rng.choice(DATA), rng.choice(list(RATES))
    hidden = [rng.choice((4, 6, 8, 12, 16, 24)) for _ in range(rng.choice((1, 2, 2, 3)))]
    loss = rng.choice(("mse", "hinge", "bce"))
    loss = "mse" if data in REGRESSION else "cross_entropy" if data == "three_spirals" else loss
    ends = 1 if data == "sine" else 2, 3 if data == "three_spirals" else 1
    return {
        "data": data, "layers": (ends[0], *hidden, ends[1]), "loss": loss, "optimizer": optimizer,
        "samples": rng.choice((40, 60, 100, 200)), "noise": rng.choice((0.0, 0.05, 0.1, 0.2, 0.3)),
        "test_share": rng.choice((0, 0, 0.2, 0.5)), "batch": rng.choice(("all", "all", 10, 20)),
        "activation": rng.choice(("tanh", "relu", "leaky_relu", "sigmoid", "silu")),
        "init": rng.choice(("uniform", "xavier", "he", "zero_bias")),
        "l2": rng.choice((0, 0, 1e-4, 1e-3)), "dropout": rng.choice((0, 0, 0, 0.1, 0.2)),
        "learning_rate": rng.choice(RATES[optimizer]) * (0.3 if data in REGRESSION else 1.0),
        "schedule": rng.choice(("constant", "linear", "cosine")),
        "steps": rng.choice((200, 500, 1000)), "seed": rng.randrange(10**6),
    }  # fmt: skip


def _learns(spec: TrainSpec) -> bool:
    """Whether a run ends with 95 % right and about that on test data, or with little variance."""
    found = history(spec)
    last = found.states[-1]
    if found.accuracy is not None:
        tested = 1.0 if last.test_accuracy is None else last.test_accuracy
        return found.accuracy >= 0.95 and tested >= found.accuracy - 0.06
    targets = [target for (target,) in load(spec)[0].targets]
    middle = sum(targets) / len(targets)
    variance = sum((y - middle) ** 2 for y in targets) / len(targets)
    return found.loss < 0.15 * variance and (last.test_loss or 0.0) < 0.3 * variance
