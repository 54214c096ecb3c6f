"""Each illness over twenty seeds: the ill run is named, its healthy neighbour is not accused.

The neighbour differs in the setting that makes the run ill, and is to learn, so that the silence
about it is worth something.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.doctor.illnesses import ILLNESSES, Diagnosis, diagnose
from engine.runs.run import history
from engine.training.datasets import DATASETS
from engine.training.samples import load
from engine.training.spec import TrainSpec

SEEDS = 20
RIGHT = 19
MOONS = TrainSpec(
    samples=60, layers=(2, 8, 1), activation="tanh", loss="bce", l2=0.0, learning_rate=0.5,
    schedule="constant", steps=80,
)  # fmt: skip
RELU = replace(MOONS, layers=(2, 8, 8, 1), activation="relu", init="he", learning_rate=0.1)
NOISY = replace(
    MOONS, samples=60, test_share=0.5, layers=(2, 24, 24, 1), optimizer="adam",
    learning_rate=0.01, steps=200,
)  # fmt: skip
CIRCLES = replace(MOONS, data="circles", layers=(2, 10, 1), learning_rate=1.0, steps=200)


DEEP = replace(
    RELU,
    activation="leaky_relu",
    samples=12,
    layers=(2, 8, 8, 8, 1),
    loss="sum_squares",
    learning_rate=0.003,
    steps=60,
)


class Pair(NamedTuple):
    """An illness, a healthy run, and the settings that make it ill.

    `initial` is the range of initial parameters; `rows` changes the data.
    """

    name: str
    healthy: TrainSpec
    ill: dict[str, Any]
    rows: Callable[[TrainSpec], TrainSpec] = lambda spec: spec


def as_rows(spec: TrainSpec, scale: float = 1.0, flipped: float = 0.0) -> TrainSpec:
    """The samples of a data set as rows: inputs scaled, and a share of the labels wrong."""
    samples = load(spec)[0]
    wrong = set(Random(spec.seed).sample(range(len(samples)), int(flipped * len(samples))))
    rows = tuple(
        (*(x * scale for x in inputs), label if i not in wrong else 1 - label)
        for i, (inputs, label) in enumerate(zip(samples.inputs, samples.labels, strict=True))
    )
    return replace(spec, data="rows", rows=rows)


PAIRS = [
    Pair("not_a_number", RELU, {"learning_rate": 1e6, "loss": "mse"}),
    Pair("wrong_gradient", replace(RELU, loss="hinge"), {"accumulate": False}),
    Pair("unscaled_inputs", MOONS, {}, lambda spec: as_rows(spec, scale=2000.0)),
    Pair("unscaled_inputs", RELU, {}, lambda spec: as_rows(spec, scale=2000.0)),
    Pair("wrong_output", MOONS, {"output_activation": "tanh"}),
    Pair("wrong_output", MOONS, {"output_activation": "sigmoid"}),
    Pair("wrong_labels", MOONS, {"samples": 100}, lambda spec: as_rows(spec, flipped=0.5)),
    Pair("shrunk_weights", MOONS, {"l2": 0.3}),
    Pair("shrunk_weights", replace(RELU, l2=1e-4), {"l2": 1.0}),
    Pair("dead_relu", RELU, {"learning_rate": 100.0}),
    Pair("saturated", MOONS, {"initial": 60.0}),
    Pair("symmetric", MOONS, {"init": "zeros"}),
    Pair(
        "vanishing", replace(MOONS, layers=(2, 6, 6, 1), init="xavier"),
        {"layers": (2, 6, 6, 6, 6, 6, 6, 6, 1), "activation": "sigmoid"},
    ),
    Pair(
        "vanishing", replace(MOONS, layers=(2, 6, 6, 1)),
        {"layers": (2, 6, 6, 6, 6, 6, 6, 6, 1), "activation": "sigmoid"},
    ),
    Pair("exploding", DEEP, {"initial": 4.0, "steps": 4}),
    Pair("rate_too_large", RELU, {"learning_rate": 30.0}),
    Pair("rate_too_small", MOONS, {"learning_rate": 1e-5}),
    Pair("underfitting", CIRCLES, {"activation": "linear"}),
    Pair("underfitting", CIRCLES, {"layers": (2, 1)}),
    Pair("overfitting", NOISY, {"noise": 0.6, "learning_rate": 0.03}),
]  # fmt: skip


def verdicts(spec: TrainSpec) -> list[Diagnosis]:
    """The diagnosis from every sixth of the states that the page's doctor sees, for speed."""
    found = history(spec)
    states = [*islice(found.states, 0, len(found.states) - 1, 6), found.states[-1]]
    return diagnose(states, spec, found.losses)


@cache
def accusations(spec: TrainSpec) -> list[str]:
    """The messages of a run's verdicts; kept, as several illnesses share a healthy neighbour."""
    return [verdict.message for verdict in verdicts(spec)]


def sickened(pair: Pair, healthy: TrainSpec) -> TrainSpec:
    """The ill run with the seed of the healthy one."""
    settings = dict(pair.ill)
    scale = settings.pop("initial", 0.0)
    ill = pair.rows(replace(healthy, **settings))
    rng = Random(healthy.seed)
    drawn = tuple(scale * rng.uniform(-1, 1) for _ in range(ill.parameter_count))
    return replace(ill, initial=drawn) if scale else ill


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair.name}-{i}" for i, pair in enumerate(PAIRS)])
def test_an_ill_run_is_named_and_its_neighbour_is_not_accused(pair: Pair) -> None:
    named = 0
    for seed in range(SEEDS):
        healthy = replace(pair.healthy, seed=seed)
        named += pair.name in {verdict.name for verdict in verdicts(sickened(pair, healthy))}
        assert accusations(healthy) == [], seed
    assert named >= RIGHT


@pytest.mark.parametrize("data", [name for name in DATASETS if name != "rows"])
def test_the_default_runs_are_not_accused(data: str) -> None:
    """Seed 8 of moons and of gauss loses half of a layer's neurons on the way, and learns."""
    for seed in (1, 8):
        assert accusations(TrainSpec.from_query([("data", data), ("seed", str(seed))])) == []


def test_every_illness_has_a_pair() -> None:
    assert {pair.name for pair in PAIRS} == set(ILLNESSES)


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair.name}-{i}" for i, pair in enumerate(PAIRS)])
def test_the_cure_ends_the_illness(pair: Pair) -> None:
    ill = sickened(pair, replace(pair.healthy, seed=1))
    (found, *_) = [verdict for verdict in verdicts(ill) if verdict.name == pair.name]
    if pair.name == "wrong_labels":
        assert not found.cure, "no setting corrects labels"
        return
    cured = replace(ill, **found.cure)
    assert pair.name not in {verdict.name for verdict in verdicts(cured)}
