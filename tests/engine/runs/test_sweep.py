"""A sweep is many runs at once, each the same as alone."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Barrier, get_ident

import pytest

from app.settings import from_environment
from app.train import sweep
from app.train.sweep import RunSweep, read
from engine.kernel import Run
from engine.runs.sweep import POINTS, SweepCancelled
from engine.training.fields import SpecError
from engine.training.spec import TrainLimits, TrainSpec
from tests.support.each import for_each
from tests.support.learning import CURVE, DIVERGING, MINIBATCH, SMALL, found, query, refused
from tests.support.pages import client

RATES = "0.001,0.003,0.01,0.03,0.1,0.3,1,3,10,30"
SEEDS = "1,2,3,4,5,6,7,8,9,10"


@pytest.mark.parametrize("spec", [SMALL, MINIBATCH, CURVE])
def test_the_runs_are_those_of_one_by_one(spec: TrainSpec) -> None:
    told = found("/sweep", spec, rates="0.01,0.5", seeds="3,1,2")
    assert told["rates"] == [0.01, 0.5]
    assert told["seeds"] == [3, 1, 2]
    assert told["steps"] == list(range(spec.steps))
    assert [(run["rate"], run["seed"]) for run in told["runs"]] == [
        (rate, seed) for rate in (0.01, 0.5) for seed in (3, 1, 2)
    ]
    for run in told["runs"]:
        alone = Run(replace(spec.with_weights(run["seed"]), learning_rate=run["rate"]))
        alone.advance(spec.steps)
        score = alone.evaluate()
        assert run["losses"] == list(alone.losses)
        assert (run["final"], run["accuracy"]) == (score.loss, score.accuracy)


def test_without_rates_and_seeds_it_is_the_run_itself() -> None:
    told = found("/sweep", SMALL)
    assert (told["rates"], told["seeds"]) == ([1.0], [1337])
    assert len(told["runs"]) == 1


def test_long_curves_are_thinned() -> None:
    told = found("/sweep", replace(SMALL, steps=1_000))
    assert len(told["steps"]) == len(told["runs"][0]["losses"]) == POINTS
    assert (told["steps"][0], told["steps"][-1]) == (0, 999)


def test_diverged_runs_are_reported() -> None:
    told = found("/sweep", DIVERGING, rates="500,0.01")
    diverged, converged = told["runs"]
    assert diverged["final"] in ("nan", "inf")
    assert converged["final"] < converged["losses"][0]


def test_runs_are_computed_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, both = set(), Barrier(2, timeout=60)
    made = Run.__init__

    def noted(self: Run, spec: TrainSpec) -> None:
        both.wait()  # for a run in another thread
        threads.add(get_ident())
        made(self, spec)

    monkeypatch.setattr(Run, "__init__", noted)
    settings = from_environment({"SEEGRAD_TRAIN_AT_ONCE": "2"})
    RunSweep(SMALL, [0.1, 0.2], [1, 2, 3]).run(settings, lambda: False)
    assert len(threads) == 2


def test_cancelled_sweep_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    made = Run.__init__

    def noted(self: Run, spec: TrainSpec) -> None:
        begun.append(spec.seed)
        made(self, spec)

    monkeypatch.setattr(Run, "__init__", noted)
    spec = TrainSpec(samples=1_000, layers=(2, 64, 64, 1), steps=500)
    with pytest.raises(SweepCancelled):
        RunSweep(spec, [0.1], range(100)).run(from_environment({}), lambda: bool(begun))
    assert len(begun) <= 2


def test_a_sweep_that_takes_too_long_is_given_up() -> None:
    spec = TrainSpec(samples=1_000, layers=(2, 64, 64, 1), steps=1_500)
    slow = client(SEEGRAD_SWEEP_SECONDS="0.05")
    answer = slow.get("/train/sweep", params=query(spec, seeds=SEEDS[:5]))
    assert answer.status_code == 503, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers["retry-after"]) > 0
    assert "time limit of 0.05 seconds" in answer.json()["detail"]
    assert slow.get("/train/sweep", params=query(SMALL)).status_code == 200


def test_ten_by_ten_of_the_default_network() -> None:
    told = found("/sweep", TrainSpec(steps=1_000), rates=RATES, seeds=SEEDS)
    assert len(told["runs"]) == 100
    assert len(json.dumps(told)) < 300_000
    best = min(run["final"] for run in told["runs"] if isinstance(run["final"], float))
    assert best < 0.05


@for_each(
    ("parameters", "field", "words"),
    [
        ({"rates": "0.1,x"}, "rates", "give a number"),
        ({"rates": "-1"}, "rates", "upwards"),
        ({"rates": "0.1,20000"}, "rates", "10,000"),
        ({"seeds": "1.5"}, "seeds", "whole number"),
        ({"seeds": ",".join(map(str, range(101)))}, "seeds", "at most 100"),
        ({"seeds": ",".join(map(str, range(60))), "rates": "1,2"}, "seeds", "120 runs"),
        ({"seeds": SEEDS, "rates": RATES, "steps": "90000"}, "steps", "take"),
        ({"layers": "1"}, "layers", "layers"),
    ],
)
def test_refusal_names_the_field(parameters: dict[str, str], field: str, words: str) -> None:
    problem = refused("/sweep", **parameters)
    assert problem["field"] == field
    assert words in problem["detail"]


def test_the_work_that_is_offered_instead_is_taken() -> None:
    limits = TrainLimits(work=10_000_000)
    pairs = [("rates", "1,2"), ("seeds", "1,2,3")]
    with pytest.raises(SpecError, match="too much work: take") as error:
        read(pairs, TrainSpec(steps=600), limits, 100)
    steps = int(error.value.message.rpartition(" ")[2].rstrip("."))
    read(pairs, TrainSpec(steps=steps), limits, 100)
    with pytest.raises(SpecError):
        read(pairs, TrainSpec(steps=steps + 1), limits, 100)
    assert sweep.LONGEST > 1
