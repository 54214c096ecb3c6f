"""Data sets: formulas without noise, sizes, balance, six decimals; targets; the test split."""

from __future__ import annotations

import ast
import math
from collections import Counter
from typing import Any

import pytest

from engine.training.datasets import DATASETS, DataSet, class_numbers
from engine.training.losses import LOSSES
from engine.training.samples import load
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.places import DATA
from tests.support.references import DATA_SETS

CLASSES = {name: data.classes for name, data in DATASETS.items() if name != "rows"}
TWO = [name for name, classes in CLASSES.items() if classes == 2 and name != "four_points"]
DRAWN = [name for name, data in DATASETS.items() if data.drawn]


def spec(data: str, **fields: Any) -> TrainSpec:
    """A spec with a network and a loss that fit the data."""
    classes = CLASSES.get(data, 2)
    fields.setdefault("loss", "hinge" if classes else "mse")
    fields.setdefault("layers", (DATASETS[data].inputs, 4, classes if classes > 2 else 1))
    return TrainSpec(data=data, **fields)


def points(data: str, **fields: Any) -> list[tuple[tuple[float, ...], float]]:
    """Inputs and label of every sample."""
    found, test = load(spec(data, **fields))
    assert len(test) == 0
    return list(zip(found.inputs, found.labels, strict=True))


@for_each("data", DATASETS.values(), ids=DATASETS)
def test_an_entry_says_what_it_is(data: DataSet) -> None:
    assert DATASETS[data.name] is data
    assert data.help.endswith(".")
    assert data.formula


@for_each("name", DRAWN)
@for_each("samples", [3, 4, 99, 100])
def test_size_balance_and_range(name: str, samples: int) -> None:
    found = points(name, samples=samples)
    assert len(found) == samples
    assert {len(x) for x, _ in found} == {DATASETS[name].inputs}
    assert all(-2 <= number <= 2.5 for x, _ in found for number in x)
    if CLASSES[name]:
        counts = Counter(label for _, label in found)
        assert set(counts) == set(map(float, range(CLASSES[name])))
        assert max(counts.values()) - min(counts.values()) <= 1


@for_each("name", CLASSES)
def test_numbers_have_six_decimals_and_no_negative_zero(name: str) -> None:
    for x, label in points(name):
        for number in (*x, label):
            assert len(repr(number).partition(".")[2]) <= 6 or "e-0" in repr(number)
            assert round(number, 6) == number
            assert repr(number) != "-0.0"


@for_each("name", DRAWN)
def test_the_seed_decides(name: str) -> None:
    assert points(name, seed=5) == points(name, seed=5)
    assert points(name, seed=5) != points(name, seed=6)


@for_each("name", [name for name in DRAWN if CLASSES[name]])
def test_a_first_batch_is_of_several_classes(name: str) -> None:
    for seed in range(5):
        assert len({label for _, label in points(name, seed=seed)[:10]}) == CLASSES[name]


@for_each("name", sorted({*DRAWN} - {"gauss", "plane", "hills"}))
def test_noise_moves_points_and_nothing_else(name: str) -> None:
    """The same draws, scaled: twice the noise, twice as far."""
    if name in ("spiral", "three_spirals"):
        return  # the noise turns these
    still, some, more = (points(name, noise=noise) for noise in (0.0, 0.1, 0.2))
    for (x, y), (x1, y1), (x2, y2) in zip(still, some, more, strict=True):
        if CLASSES[name]:
            assert y == y1 == y2
        for a, b, c in zip((*x, y), (*x1, y1), (*x2, y2), strict=True):
            assert c - a == pytest.approx(2 * (b - a), abs=3e-6)


# What the formulas say, without noise


def test_the_four_points_are_those_of_the_tutorials() -> None:
    tree = ast.parse((DATA / "seeds" / "2_training.py").read_text("utf-8"))
    said = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("xs", "ys")
    }  # fmt: skip
    found, _ = load(spec("four_points", noise=5.0, samples=77, seed=9))
    assert [list(x) for x in found.inputs] == said["xs"]
    assert [t for (t,) in found.targets] == said["ys"]


def test_xor() -> None:
    for x, label in points("xor", noise=0.0):
        assert set(map(abs, x)) == {1.0}
        assert label == (x[0] * x[1] < 0)
    assert set(Counter(points("xor", noise=0.0)).values()) == {25}


@for_each("name", DATA_SETS)
def test_samples_without_noise_follow_the_definition(name: str) -> None:
    for x, label in points(name, noise=0.0):
        assert DATA_SETS[name](x, label) == pytest.approx(0.0, abs=2e-5)


def test_gauss() -> None:
    found = points("gauss", samples=2000, noise=0.05)
    for number, centre in ((0, -0.75), (1, 0.75)):
        for axis in (0, 1):
            xs = [x[axis] for x, label in found if label == number]
            mean = sum(xs) / len(xs)
            deviation = math.sqrt(sum((x - mean) ** 2 for x in xs) / (len(xs) - 1))
            assert mean == pytest.approx(centre, abs=0.04)  # 4 standard errors of 0.25/√1000
            assert deviation == pytest.approx(0.25, rel=0.1)


@pytest.mark.parametrize(
    ("name", "turn", "arms"), [("spiral", 3.5 * math.pi, 2), ("three_spirals", 4.0, 3)]
)
def test_spirals(name: str, turn: float, arms: int) -> None:
    found = points(name, noise=0.0, samples=90)
    for (x, y), label in found:
        radius = math.hypot(x, y)
        angle = turn * radius + 2 * math.pi * label / arms
        assert x == pytest.approx(radius * math.sin(angle), abs=2e-5)
        assert y == pytest.approx(radius * math.cos(angle), abs=2e-5)
    for arm in range(arms):
        radii = sorted(math.hypot(*x) for x, label in found if label == arm)
        right = [(i + 1) * arms / 90 for i in range(90 // arms)]
        assert radii == pytest.approx(right, abs=2e-6)


@for_each("name", [name for name, classes in CLASSES.items() if classes])
def test_no_point_is_of_two_classes(name: str) -> None:
    for samples in (50, 100):
        found = points(name, noise=0.0, samples=samples)
        assert len(dict(found)) == len(set(found))


def test_sine() -> None:
    found = sorted(points("sine", noise=0.0, samples=21))
    assert [x for (x,), _ in found] == pytest.approx([i / 10 - 1 for i in range(21)], abs=1e-6)
    for (x,), y in found:
        assert y == pytest.approx(math.sin(math.pi * x), abs=1e-6)


@pytest.mark.parametrize("name", ["plane", "hills"])
def test_a_surface_lies_over_the_square(name: str) -> None:
    assert all(max(map(abs, x)) <= 1 for x, _ in points(name, noise=0.0))


# Targets


@for_each("loss", LOSSES)
@for_each("name", CLASSES)
def test_targets_fit_the_loss(name: str, loss: str) -> None:
    classes, entry = CLASSES[name], LOSSES[loss]
    for outputs in (1, 2, 3):
        if outputs < entry.least_outputs or outputs not in {0: (1,), 2: (1, 2), 3: (3,)}[classes]:
            continue
        if not classes and not entry.regression:
            continue
        found, _ = load(spec(name, loss=loss, layers=(DATASETS[name].inputs, 2, outputs)))
        for label, target in zip(found.labels, found.targets, strict=True):
            if not classes:
                assert target == (label,)
            elif outputs == 1:
                assert target == (1.0 if label else entry.no,)
            else:
                assert target == tuple(1.0 if i == label else entry.no for i in range(outputs))


def own(labels: list[float], **fields: Any) -> tuple[list[float], list[tuple[float, ...]]]:
    """Labels and targets of own rows with these in the last column."""
    rows = tuple((0.1 * i, -1.0, y) for i, y in enumerate(labels))
    found, _ = load(TrainSpec(data="rows", rows=rows, **fields))
    assert found.inputs == tuple(row[:-1] for row in rows)
    return list(found.labels), list(found.targets)


@pytest.mark.parametrize("labels", [[0, 1, 1], [-1, 1, 1]])
def test_own_rows_of_two_classes(labels: list[float]) -> None:
    assert own(labels) == ([0, 1, 1], [(-1,), (1,), (1,)])
    assert own(labels, loss="bce") == ([0, 1, 1], [(0,), (1,), (1,)])
    two = own(labels, loss="cross_entropy", layers=(2, 2))
    assert two == ([0, 1, 1], [(1, 0), (0, 1), (0, 1)])


def test_own_rows_of_several_classes() -> None:
    labels, targets = own([2, 0, 1], loss="cross_entropy", layers=(2, 3))
    assert (labels, targets) == ([2, 0, 1], [(0, 0, 1), (1, 0, 0), (0, 1, 0)])
    assert own([2, 0, 1], loss="mse", layers=(2, 3))[1] == [(-1, -1, 1), (1, -1, -1), (-1, 1, -1)]


def test_own_rows_of_numbers_stay_as_they_are() -> None:
    numbers = [0.12345678912345, -7.5, 1e-9]
    assert own(numbers, loss="mse") == (numbers, [(y,) for y in numbers])
    assert own([0, 1, 1], loss="mse") == ([0, 1, 1], [(0,), (1,), (1,)])
    assert own([-1, 1, 1], loss="mse") == ([0, 1, 1], [(-1,), (1,), (1,)])


@for_each(
    ("labels", "numbers"),
    [
        ([-1, 1, -1], (0, 1, 0)),
        ([0, 1], (0, 1)),
        ([0, 3], (0, 3)),
        ([-1, 0], None),
        ([0.5, 1], None),
        ([2, -2], None),
    ],
)
def test_class_numbers(labels: list[float], numbers: tuple[int, ...] | None) -> None:
    assert class_numbers([float(y) for y in labels]) == numbers


# The split


@for_each("share", [0.1, 0.25, 0.5, 0.9])
@for_each("name", ["moons", "sine", "four_points"])
def test_a_split_loses_and_moves_nothing(name: str, share: float) -> None:
    whole = points(name, seed=2)
    if name == "four_points" and share == 0.9:
        return  # nothing would be left to train on
    training, test = load(spec(name, seed=2, test_share=share))
    assert len(test) == round(share * len(whole))
    parts = [list(zip(s.inputs, s.labels, strict=True)) for s in (training, test)]
    assert sorted(parts[0] + parts[1]) == sorted(whole)
    for part in parts:
        assert [row for row in whole if row in part] == part


def test_set_depends_on_the_seed_alone() -> None:
    def tested(seed: int, **fields: Any) -> tuple[tuple[float, ...], ...]:
        rows = tuple((float(i), float(i % 2)) for i in range(40))
        _, test = load(
            TrainSpec(data="rows", rows=rows, layers=(1, 1), test_share=0.25, seed=seed, **fields)
        )
        return test.inputs

    assert tested(1) == tested(1, steps=7, batch=3, learning_rate=0.5)
    assert tested(1) != tested(2)
    chosen = Counter(x for seed in range(200) for x in tested(seed))
    assert len(chosen) == 40
    assert all(20 < count < 80 for count in chosen.values())  # 50 each, deviation 6
