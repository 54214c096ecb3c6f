"""The compiled kernel against the textbook loop: every table entry, every mistake, every step."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from engine.cancellation import Cancelled
from engine.kernel import Run
from engine.nn import LINEAR
from engine.ops import ACTIVATIONS
from engine.training.datasets import DATASETS
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.samples import initial_parameters, load
from engine.training.shuffling import permutation
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import answer, evaluate, network, textbook

SMALL = TrainSpec(
    samples=9, layers=(2, 3, 1), activation="tanh", learning_rate=0.1, steps=100, seed=5
)


def changed(**changes: object) -> TrainSpec:
    return replace(SMALL, **changes)  # type: ignore[arg-type]


def snapshots(spec: TrainSpec) -> Iterator[Snapshot]:
    run = Run(spec)
    while True:
        yield run.snapshot()
        run.advance(1)


def close(a: float | None, b: float | None, relative: float) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=relative, abs_tol=1e-15) or (a != a and b != b)


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


@pytest.mark.parametrize("name", INITS)
def test_every_initialisation(name: str) -> None:
    spec = changed(init=name, activation="relu")
    assert Run(spec).parameters() == pytest.approx(initial_parameters(spec), abs=0)
    agree(spec, steps=20)


@pytest.mark.parametrize("name", [name for name in DATASETS if name != "rows"])
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


def test_the_whole_set_is_evaluated_as_the_textbook_does() -> None:
    spec = changed(samples=50, test_share=0.4, batch=7, l2=0.01)
    run = Run(spec)
    run.advance(30)
    net = network(spec, run.parameters())
    for which, samples in zip(("train", "test"), load(spec), strict=True):
        loss, accuracy, outputs = evaluate(spec, net, samples)
        score = run.evaluate(which)
        assert close(score.loss, loss, 1e-12)
        assert score.accuracy == accuracy
        for mine, theirs in zip(run.predictions(which), outputs, strict=True):
            assert mine == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_grids_and_maps_are_the_networks_own_activations(activation: str) -> None:
    spec = changed(layers=(2, 5, 3, 2), loss="cross_entropy", activation=activation)
    run = Run(spec)
    run.advance(7)
    net = network(spec, run.parameters())
    points = [(x / 4 - 1, y / 3 - 1) for y in range(7) for x in range(9)]
    grid, maps = run.grid(points), run.maps(points)
    assert len(grid) == 2
    assert len(maps) == 5 + 3 + 2
    for at, point in enumerate(points):
        expected = []
        row: object = point
        for layer in net.layers:
            row = layer(row)
            expected += [value.data for value in row]  # type: ignore[attr-defined]
        assert [numbers[at] for numbers in maps] == pytest.approx(expected, rel=1e-12)
        assert [numbers[at] for numbers in grid] == pytest.approx(expected[-2:], rel=1e-12)
        assert [value.data for value in answer(net, point)] == expected[-2:]


@pytest.mark.parametrize("limit", [0.5, 1.0, 7.0])
def test_shades_are_the_same_activations_in_a_byte(limit: float) -> None:
    spec = changed(layers=(2, 5, 3, 2), loss="cross_entropy", activation="relu", samples=30)
    run = Run(spec)
    run.advance(7)
    points = [(x / 10 - 2, y / 11 - 2) for y in range(40) for x in range(50)]
    for numbers, shades in (
        (run.maps(points), run.shades(points, limit)),
        (run.grid(points), run.shades(points, limit, last=True)),
    ):
        assert len(numbers) == len(shades)
        for row, data in zip(numbers, shades, strict=True):
            expected = [min(max(math.floor(x * (127 / limit) + 128.5), 1), 255) for x in row]
            assert list(data) == expected


def test_maps_of_a_large_network_come_in_pieces() -> None:
    spec = changed(layers=(2, 128, 128, 1), init="he", steps=1)
    run = Run(spec)
    points = [(x / 20 - 1, y / 20 - 1) for y in range(40) for x in range(40)]
    maps = run.maps(points)
    assert len(maps) == 257
    one = run.maps([points[1234]])
    assert [numbers[1234] for numbers in maps] == [numbers[0] for numbers in one]
    assert list(run.grid(points)[0]) == list(maps[-1])


def test_looking_changes_nothing() -> None:
    spec = changed(zero_grad=False, batch=4, optimizer="adam", learning_rate=0.01)
    seen, blind = Run(spec), Run(spec)
    for _ in range(20):
        seen.snapshot()
        seen.evaluate()
        seen.predictions()
        seen.grid([(0.5, 0.5)])
        seen.advance(1)
    blind.advance(20)
    assert seen.parameters() == blind.parameters()
    assert seen.snapshot() == blind.snapshot()


def test_every_step_can_be_reached_again() -> None:
    spec = changed(samples=20, batch=6, optimizer="momentum", learning_rate=0.02, steps=10_000)
    run, rng = Run(spec), random.Random(1)
    run.advance(9_000)
    losses = list(run.losses)
    for step in [rng.randrange(10_000) for _ in range(25)]:
        run.seek(step)
        fresh = Run(spec)
        fresh.advance(step)
        assert run.step == fresh.step == step
        assert run.parameters() == fresh.parameters()
    assert list(run.losses)[:9_000] == losses


def test_losses_and_accuracies_of_every_step_are_kept() -> None:
    spec = changed(samples=10, batch=4, steps=6_000)
    run = Run(spec)
    run.advance(5_000)
    assert len(run.losses) == len(run.accuracies()) == 5_000
    for state in islice(textbook(spec), 12):
        assert close(run.losses[state.step], state.loss, 1e-11)
        assert run.accuracies()[state.step] == state.accuracy
    run.seek(4_999)
    assert run.snapshot().loss == run.losses[4_999]


def test_losses_of_the_test_set_are_kept_too() -> None:
    spec = changed(samples=20, test_share=0.35, batch=4, l1=0.001, l2=0.01, steps=30)
    run = Run(spec)
    run.advance(30)
    assert len(run.test_log) == 30
    for state in islice(textbook(spec), 30):
        assert close(run.test_log[state.step], state.test_loss, 1e-11)
    assert run.snapshot().test_loss == run.evaluate("test").loss


def test_parameters_changed_by_hand_make_another_run() -> None:
    run = Run(SMALL)
    run.advance(50)
    kept = list(run.losses[:10])
    run.seek(10)
    new = [x + 0.25 for x in run.parameters()]
    run.set_parameters(new)
    assert run.parameters() == new
    assert list(run.losses) == kept
    run.advance(5)
    after = run.parameters()
    run.seek(10)
    assert run.parameters() == new
    run.seek(15)
    assert run.parameters() == after
    with pytest.raises(ValueError, match="expected 13 parameters, got 2"):
        run.set_parameters([1.0, 2.0])


def test_a_change_by_hand_is_kept_wherever_the_run_comes_from() -> None:
    spec = changed(layers=(2, 128, 128, 1), init="he", samples=200, steps=3_000)
    run = Run(spec)
    run.advance(20)
    new = [0.01] * spec.parameter_count
    run.set_parameters(new)
    run.advance(5)
    after = run.parameters()
    for step in range(100, 2_600, 500):  # long enough for checkpoints to be thinned out
        run.seek(step)
    run.seek(10)
    run.advance(10)
    assert run.parameters() == new
    run.seek(25)
    assert run.parameters() == after
    run.seek(3)
    run.advance(22)
    assert run.parameters() == after


def test_no_step_before_the_first_or_after_the_last() -> None:
    run = Run(SMALL)
    for go in (run.seek, run.advance):
        for step in (-1, 101):
            with pytest.raises(ValueError, match=f"no step {step}; the last one is 100"):
                go(step)
    assert run.step == 0


def test_points_must_have_the_networks_inputs() -> None:
    for points in ([(1.0,)], [(1.0, 2.0, 3.0), (1.0,)]):
        with pytest.raises(ValueError, match="each point must have 2 numbers"):
            Run(SMALL).grid(points)


def test_points_may_be_changed_between_two_looks() -> None:
    run = Run(SMALL)
    points = [(0.5, 0.25)]
    first = run.grid(points)
    points[0] = (-1.0, 2.0)
    assert run.grid(points) == run.grid([(-1.0, 2.0)]) != first


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan, 1e-320])
def test_shades_need_a_limit(limit: float) -> None:
    with pytest.raises(ValueError, match="limit of shades"):
        Run(SMALL).shades([(0.0, 0.0)], limit)


def test_no_score_without_a_test_set() -> None:
    with pytest.raises(ValueError, match="no test set"):
        Run(SMALL).evaluate("test")


def test_a_run_that_nobody_waits_for_is_stopped() -> None:
    run = Run(changed(steps=100_000))
    asked: list[int] = []

    def is_cancelled() -> bool:
        asked.append(run.step)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        run.advance(100_000, is_cancelled)
    assert run.step == asked[-1] < 100_000


def test_what_lies_beside_a_batch_does_not_matter() -> None:
    """An overflow in a sample that is not looked at would turn a gradient of 0 into nan."""
    rows = ((1.0, 2.0), (1e308, 0.0), (0.5, 1.0))
    spec = changed(
        data="rows", rows=rows, layers=(1, 2, 1), activation="relu", loss="mse", l2=0.0,
        initial=(2.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0), learning_rate=0.01, steps=1,
    )  # fmt: skip
    agree(replace(spec, batch=1, shuffle=False), steps=1)
    agree(replace(spec, accumulate=False), steps=1)
    agree(replace(spec, accumulate=False, rows=rows * 200), steps=1)


def test_a_penalty_that_is_not_asked_for_adds_nothing() -> None:
    """0·p² is nan where p² overflows."""
    spec = changed(
        data="rows", rows=((1e-200, 1.0),), layers=(1, 1), loss="mse", l1=0.001, l2=0.0,
        initial=(1e155, 0.0), steps=1,
    )  # fmt: skip
    agree(spec, steps=0)
