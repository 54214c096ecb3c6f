"""Runs to diagnose, and their verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from engine.doctor.diagnosis import Diagnosis, diagnose
from engine.training.samples import initial_parameters, load
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import answer, network, textbook

SMALL = TrainSpec(
    samples=24, layers=(2, 6, 1), l2=0.0, learning_rate=0.1, schedule="constant", steps=25
)
SEEDS = TrainSpec(
    data="four_points", layers=(3, 4, 4, 1), activation="tanh", output_activation="tanh",
    loss="sum_squares", l2=0.0, learning_rate=0.05, schedule="constant", steps=30,
)  # fmt: skip
"""What the tutorials train."""
ONE = TrainSpec(
    data="rows", rows=((1.0, 1.0), (-1.0, -1.0)), layers=(1, 1), loss="sum_squares", l2=0.0,
    schedule="constant", steps=3,
)  # fmt: skip
"""One weight and one bias."""
DEEP = replace(
    SMALL, activation="sigmoid", layers=(2, 4, 4, 4, 4, 4, 4, 4, 1), init="xavier", steps=15
)
_LIGHT = replace(
    SMALL, samples=8, layers=(2, 8, 8, 8, 1), loss="sum_squares", learning_rate=0.01, steps=2
)
HEAVY = replace(_LIGHT, initial=tuple(4 * p for p in initial_parameters(_LIGHT)))
UNSCALED = replace(
    SMALL, data="rows", loss="bce", learning_rate=1e-5,
    rows=tuple((i % 5 * 500.0 - 900, i % 3 * 300.0, float(i % 5 > 2)) for i in range(15)),
)  # fmt: skip


@cache
def verdicts(spec: TrainSpec) -> list[Diagnosis]:
    """The diagnosis of a run, which several tests ask for."""
    return diagnose(textbook(spec), spec)


def named(spec: TrainSpec, name: str) -> list[Diagnosis]:
    return [verdict for verdict in verdicts(spec) if verdict.name == name]


def activations(spec: TrainSpec, state: Snapshot, layer: int) -> list[list[float]]:
    """What each neuron of a layer, from 1, says to each training sample, by Values."""
    net = network(spec, state.parameters)
    del net.layers[layer:]
    said = [answer(net, x) for x in load(spec)[0].inputs]
    return [[value.data for value in column] for column in zip(*said, strict=True)]


def with_losses(losses: list[float], spec: TrainSpec = SMALL) -> list[Snapshot]:
    """A real state with other losses: what becomes of the loss alone decides."""
    state = next(textbook(spec))
    return [replace(state, step=step, loss=loss) for step, loss in enumerate(losses)]
