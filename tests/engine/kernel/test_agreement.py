"""The compiled kernel against the textbook loop: every table entry, mistake and proportion."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from engine.kernel import Run
from engine.nn import LINEAR
from engine.ops import ACTIVATIONS
from engine.training.datasets import DATASETS
from engine.training.features import FEATURES
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.samples import initial_parameters
from engine.training.shuffling import permutation
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each
from tests.support.kernel_runs import changed, close


def snapshots(spec: TrainSpec) -> Iterator[Snapshot]:
    run = Run(spec)
    while True:
        yield run.snapshot()
        run.advance(1)


def agree(spec: TrainSpec, steps: int = 100) -> None:
    """Gradients of the first step and ten losses to 1e-12, a hundred losses to 1e-9."""
    pairs = zip(textbook(spec), snapshots(spec), strict=False)
    for plain, fast in islice(pairs, steps + 1):
        where = f"step {plain.step} of {spec.to_query()}"
        if plain.step == 0:
            size = max(map(abs, plain.gradient), default=0.0)
            for a, b in zip(plain.gradient, fast.gradient, strict=True):
                assert math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-13 * size), where
        tolerance = 1e-12 if plain.step <= 10 else 1e-9
        assert plain.step == fast.step
        assert close(plain.loss, fast.loss, tolerance), where
        assert close(plain.test_loss, fast.test_loss, tolerance), where
        assert close(plain.learning_rate, fast.learning_rate, 1e-14), where
        if plain.step <= 10:
            assert plain.accuracy == fast.accuracy, where
            assert plain.test_accuracy == fast.test_accuracy, where


@pytest.mark.parametrize("name", [*ACTIVATIONS, LINEAR])
def test_every_activation(name: str) -> None:
    agree(changed(activation=name, output_activation=name, loss="mse"))


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss(name: str) -> None:
    outputs = LOSSES[name].least_outputs
    agree(changed(loss=name, layers=(2, 3, outputs)))


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss_with_three_outputs(name: str) -> None:
    agree(changed(data="three_spirals", samples=12, loss=name, layers=(2, 4, 3)))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_optimizer_on_every_schedule(optimizer: str, schedule: str) -> None:
    agree(changed(optimizer=optimizer, schedule=schedule, learning_rate=0.02, schedule_end=0.001))


@for_each("name", INITS)
def test_every_initialisation(name: str) -> None:
    spec = changed(init=name, activation="relu")
    assert Run(spec).parameters() == pytest.approx(initial_parameters(spec), abs=0)
    agree(spec, steps=20)


@for_each("name", [name for name in DATASETS if name != "rows"])
def test_every_data_set(name: str) -> None:
    entry = DATASETS[name]
    outputs = 1 if entry.classes <= 2 else entry.classes
    loss = "mse" if entry.classes == 0 else "hinge"
    agree(changed(data=name, layers=(entry.inputs, 3, outputs), loss=loss), steps=12)


@pytest.mark.parametrize(
    "changes",
    [
        {"l1": 0.01},
        {"l2": 0.02},
        {"l1": 0.003, "l2": 0.02, "optimizer": "adam", "learning_rate": 0.01},
        {"zero_grad": False, "learning_rate": 0.01},
        {"accumulate": False},
        {"accumulate": False, "l1": 0.01, "layers": (2, 4, 3, 1)},
        {"zero_grad": False, "accumulate": False},
        {"zero_grad": False, "learning_rate": 0.01, "l2": 0.02, "batch": 4},
        {
            "accumulate": False,
            "data": "three_spirals",
            "loss": "cross_entropy",
            "layers": (2, 3, 3),
        },
        {"accumulate": False, "loss": "cross_entropy", "layers": (2, 3, 2)},
        {"batch": 1},
        {"batch": 4},
        {"batch": 4, "shuffle": False},
        {"batch": 8, "accumulate": False},
        {"batch": 9},
        {"batch": 9, "accumulate": False},
        {"batch": 9, "shuffle": False},
        {"test_share": 0.3, "samples": 12, "l2": 0.01},
        {"layers": (2, 1)},
        {"layers": (2, 1, 1, 1, 1)},
        {"layers": (2, 5, 4, 3, 1), "activation": ("relu", "tanh", "sigmoid")},
        {"momentum": 0.5, "optimizer": "nesterov"},
        {"dropout": 0.5},
        {"dropout": 0.2, "batch": 4, "l2": 0.02, "optimizer": "adam", "learning_rate": 0.01},
        {"dropout": 0.2, "activation": ("relu", "gelu"), "layers": (2, 5, 3, 1)},
        {"dropout": 0.3, "activation": LINEAR, "test_share": 0.3, "samples": 12},
        {"dropout": 0.3, "accumulate": False, "layers": (2, 4, 3, 1)},
        {"dropout": 0.3, "zero_grad": False, "learning_rate": 0.01, "batch": 4},
        {"dropout": 0.5, "layers": (2, 1)},
        {"weight_decay": 0.3, "optimizer": "adamw", "learning_rate": 0.01},
        {"features": tuple(FEATURES), "layers": (7, 3, 1), "batch": 4, "dropout": 0.2},
        {"features": ("sin_x2",), "layers": (1, 3, 1), "test_share": 0.3, "samples": 12},
    ],
    ids=str,
)
def test_every_choice_and_mistake(changes: dict[str, object]) -> None:
    agree(changed(**changes))


def test_networks_of_all_proportions() -> None:
    """Sizes and batches around those of the tiles, with rests of every kind."""
    rng = random.Random(0)
    for _ in range(25):
        layers = (2, *(rng.randrange(1, 10) for _ in range(rng.randrange(1, 4))), 1)
        samples = rng.randrange(2, 40)
        batch = rng.choice(["all", rng.randrange(1, samples + 1)])
        activation = rng.choice(ACTIVATIONS)
        agree(changed(layers=layers, samples=samples, batch=batch, activation=activation), steps=2)


def test_a_batch_of_many_blocks() -> None:
    agree(changed(samples=700, layers=(2, 4, 3, 1), steps=3), steps=3)
    agree(changed(samples=700, layers=(2, 4, 3, 1), steps=3, dropout=0.3), steps=3)


@pytest.mark.parametrize("epoch", [0, 1, 5])
def test_samples_are_shuffled_as_the_generator_says(epoch: int) -> None:
    spec = changed(samples=23, batch=5, steps=40, seed=2**64 - 1)
    run = Run(spec)
    run.seek(5 * epoch)
    run.snapshot()
    order = [run.batch_of(5 * epoch + k) for k in range(5)]
    flat = [sample for batch in order for sample in batch]
    assert flat == permutation(spec.seed, epoch, 23)
    assert run.order() == flat


def test_divergence_ends_in_the_same_infinities() -> None:
    """Where numbers overflow, no path raises, and both go on."""
    spec = changed(activation="relu", loss="mse", learning_rate=50.0, schedule="constant")
    plain = [state.loss for state in textbook(spec)]
    fast = [state.loss for state in islice(snapshots(spec), len(plain))]
    assert not math.isfinite(plain[-1])
    assert [math.isfinite(x) for x in plain] == [math.isfinite(x) for x in fast]


def test_samples_outside_the_batch_do_not_matter() -> None:
    """An overflow in a sample that is not looked at would turn a gradient of 0 into nan."""
    rows = ((1.0, 2.0), (1e100, 0.0), (0.5, 1.0))
    spec = changed(
        data="rows", rows=rows, layers=(1, 2, 1), activation="relu", loss="mse", l2=0.0,
        initial=(1e220, -1e220, 1.0, 0.0, 1.0, 1.0, 0.0), learning_rate=0.01, steps=1,
    )  # fmt: skip
    agree(replace(spec, batch=1, shuffle=False), steps=1)
    agree(replace(spec, accumulate=False), steps=1)
    agree(replace(spec, accumulate=False, rows=rows * 200), steps=1)


def test_a_penalty_of_zero_adds_nothing() -> None:
    """0·p² is nan where p² overflows."""
    spec = changed(
        data="rows", rows=((1e-200, 1.0),), layers=(1, 1), loss="mse", l1=0.001, l2=0.0,
        initial=(1e155, 0.0), steps=1,
    )  # fmt: skip
    agree(spec, steps=0)
