"""The textbook loop: snapshots, losses, gradients by differences, divergence."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from engine.nn import LINEAR
from engine.ops import ACTIVATIONS
from engine.runs.run import run, train
from engine.training.decision import chosen
from engine.training.losses import LOSSES
from engine.training.samples import Samples, initial_parameters, load
from engine.training.shuffling import batch_indices
from engine.training.spec import TrainSpec
from engine.training.textbook import network, textbook
from tests.support.each import for_each
from tests.support.textbook_runs import TUTORIAL, first, forward

# Snapshots


@pytest.mark.parametrize("schedule", ["constant", "linear", "cosine"])
def test_there_is_a_snapshot_before_each_step_and_one_after_the_last(schedule: str) -> None:
    spec = replace(TUTORIAL, schedule=schedule, schedule_end=0.01)
    states = list(textbook(spec))
    assert [state.step for state in states] == list(range(21))
    assert states[0].parameters == initial_parameters(spec)
    assert states[0].learning_rate == 0.05
    assert states[-1].learning_rate == (0.05 if schedule == "constant" else 0.01)
    assert {len(state.parameters) for state in states} == {41}
    assert {len(state.gradient) for state in states} == {41}


def test_earlier_snapshots_stay_as_they_were() -> None:
    states = list(textbook(TUTORIAL))
    assert [s.parameters for s in textbook(TUTORIAL)] == [s.parameters for s in states]
    assert states[0].parameters != states[1].parameters


def test_an_update_goes_against_the_gradient_of_its_snapshot() -> None:
    for before, after in pairwise(textbook(TUTORIAL)):
        moved = [p - 0.05 * g for p, g in zip(before.parameters, before.gradient, strict=True)]
        assert after.parameters == moved


def test_the_best_path_yields_the_same_snapshots() -> None:
    for one, other in zip(train(TUTORIAL), textbook(TUTORIAL), strict=True):
        assert one.step == other.step
        assert one.loss == pytest.approx(other.loss, rel=1e-10)
        assert list(one.parameters) == pytest.approx(list(other.parameters), rel=1e-9)
        assert list(one.gradient) == pytest.approx(list(other.gradient), rel=1e-9, abs=1e-12)
        assert (one.accuracy, one.test_loss) == (other.accuracy, other.test_loss)
        assert one.learning_rate == pytest.approx(other.learning_rate, rel=1e-15)


# Forward, in plain numbers


@pytest.mark.parametrize("batch", ["all", 7])
def test_the_loss_is_that_of_the_batch_with_penalties(batch: Any) -> None:
    spec = TrainSpec(
        layers=(2, 5, 3, 1), activation=("tanh", LINEAR), loss="mse", samples=20, steps=5,
        batch=batch, l1=0.01, l2=0.02, test_share=0.25, learning_rate=0.1,
    )  # fmt: skip
    training, test = load(spec)

    def loss_over(samples: Samples, which: Sequence[int], p: Sequence[float]) -> float:
        errors = [forward(spec, p, samples.inputs[i])[0] - samples.targets[i][0] for i in which]
        return math.fsum(e * e for e in errors) / len(errors)

    def penalty(p: Sequence[float]) -> float:
        return 0.01 * math.fsum(map(abs, p)) + 0.02 * math.fsum(x * x for x in p)

    def right_over(samples: Samples, which: Sequence[int], p: Sequence[float]) -> float:
        answers = [forward(spec, p, samples.inputs[i])[0] > 0 for i in which]
        right = [a == (samples.labels[i] == 1) for a, i in zip(answers, which, strict=True)]
        return sum(right) / len(right)

    for state in textbook(spec):
        seen = batch_indices(15, batch, state.step, spec.seed, True)
        assert state.penalty == pytest.approx(penalty(state.parameters), rel=1e-13)
        data = loss_over(training, seen, state.parameters)
        assert state.loss == pytest.approx(data + state.penalty, rel=1e-13)
        assert state.accuracy == right_over(training, seen, state.parameters)
        whole = range(len(test))
        assert state.test_loss == pytest.approx(loss_over(test, whole, state.parameters), rel=1e-13)
        assert state.test_accuracy == right_over(test, whole, state.parameters)


def test_a_sum_is_not_divided_by_the_size_of_the_batch() -> None:
    training, _ = load(TUTORIAL)
    state = first(TUTORIAL)
    outputs = [forward(TUTORIAL, state.parameters, x)[0] for x in training.inputs]
    errors = [o - t for o, (t,) in zip(outputs, training.targets, strict=True)]
    assert state.loss == pytest.approx(math.fsum(e * e for e in errors), rel=1e-14)


def test_without_test_set_or_classes_there_is_nothing_to_say_of_them() -> None:
    spec = TrainSpec(data="sine", layers=(1, 3, 1), loss="mse", samples=6, steps=1)
    for state in textbook(spec):
        assert (state.accuracy, state.test_loss, state.test_accuracy) == (None, None, None)
    with_test = first(replace(spec, test_share=0.5))
    assert with_test.test_loss is not None
    assert with_test.test_accuracy is None


@for_each(
    ("outputs", "number"),
    [([0.1], 1), ([0.0], 0), ([-2.0], 0), ([math.nan], 0), ([1.0, 3.0, 2.0], 1),
     ([2.0, 2.0], 0), ([-1.0, -1.0, 0.0], 2), ([math.inf, math.inf], 0)],
)  # fmt: skip
def test_the_class_that_outputs_stand_for(outputs: list[float], number: int) -> None:
    assert chosen(outputs) == number


# Backward


@for_each("activation", [*ACTIVATIONS, LINEAR])
@for_each("loss", LOSSES)
def test_the_first_gradient_agrees_with_central_differences(loss: str, activation: str) -> None:
    data, layers = ("three_spirals", (2, 3, 3)) if loss == "cross_entropy" else ("moons", (2, 3, 1))
    spec = TrainSpec(
        data=data, samples=6, loss=loss, layers=layers, activation=activation, l1=0.01, l2=0.02,
        output_activation=LINEAR if LOSSES[loss].no == 0 else activation, seed=4,
    )  # fmt: skip
    state, h = first(spec), 1e-6
    for i, found in enumerate(state.gradient):
        above, below = (
            first(spec, [p + side * h * (i == j) for j, p in enumerate(state.parameters)]).loss
            for side in (1, -1)
        )
        assert found == pytest.approx((above - below) / (2 * h), rel=1e-6, abs=1e-8), i


def test_activations_by_layer() -> None:
    spec = TrainSpec(layers=(2, 2, 2, 1), activation=("tanh", "sigmoid"), output_activation="tanh")
    net = network(spec, [0.0] * spec.parameter_count)
    found = [[neuron.activation for neuron in layer.neurons] for layer in net.layers]
    assert found == [["tanh"] * 2, ["sigmoid"] * 2, ["tanh"]]


def test_neurons_that_start_alike_stay_alike() -> None:
    *_, last = textbook(replace(TUTORIAL, init="zeros", layers=(3, 4, 1)))
    neurons = [last.parameters[4 * i : 4 * i + 4] for i in range(4)]
    assert neurons == [neurons[0]] * 4


# Numbers that break down


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
def test_a_run_that_diverges_runs_to_its_end(optimizer: str) -> None:
    spec = TrainSpec(
        samples=6, layers=(2, 3, 1), activation=LINEAR, loss="sum_squares", optimizer=optimizer,
        learning_rate=1e4, schedule="constant", steps=60, test_share=0.5,
    )  # fmt: skip
    answer = run(spec)
    assert len(answer["losses"]) == 60
    text = json.dumps(answer, allow_nan=False)
    if optimizer != "adam":
        assert answer["losses"][-1] == "nan"
        assert answer["final"]["test_loss"] == answer["predictions"][0][0] == "nan"
        assert '"inf"' in text or '"-inf"' in text or '"nan"' in text
