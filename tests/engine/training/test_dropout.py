"""Dropout: the masks of an independent generator, their statistics, and what they are used for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import NormalDist
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel import Run
from engine.runs.run import run
from engine.training.dropout import masks, masks_of, threshold
from engine.training.samples import load
from engine.training.shuffling import batch_indices
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import evaluate, network, textbook
from tests.oracles.records import Oracle
from tests.support.each import for_each

SPEC = TrainSpec(
    samples=12, layers=(2, 5, 4, 1), activation="tanh", loss="mse", learning_rate=0.1, dropout=0.4,
    l2=0.0, steps=6, seed=3,
)  # fmt: skip
RATES = st.floats(0.0, 1.0, exclude_max=True)
WHOLE = st.integers(0, 2**64 - 1)


def split_mix(state: int) -> Iterator[int]:
    """The numbers of the generator from a state, as its authors' C code draws them (2014)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def drawn(spec: TrainSpec, step: int, sample: int) -> list[list[float]]:
    """The masks of a sample, by drawing all numbers of the step up to them, one after the other."""
    key = spec.seed * 0x9E3779B97F4A7C15 + step * 0xBF58476D1CE4E5B9 + 2
    # One draw from a state is its own mixing function, a step of the counter earlier.
    numbers = split_mix(next(split_mix((key - 0x9E3779B97F4A7C15) % 2**64)))
    sizes = spec.layers[1:-1]
    for _ in range(sample * sum(sizes)):
        next(numbers)
    uniform = ((next(numbers) >> 11) / 2**53 for _ in range(sum(sizes)))
    kept = 1 / (1 - spec.dropout)
    return [[0.0 if next(uniform) < spec.dropout else kept for _ in range(n)] for n in sizes]


def first(spec: TrainSpec, parameters: Sequence[float]) -> Snapshot:
    return next(textbook(replace(spec, initial=tuple(parameters))))


# The masks


@pytest.mark.parametrize("seed", [0, 3, 2**64 - 1])
def test_masks_are_those_of_the_generator(seed: int) -> None:
    spec = replace(SPEC, seed=seed)
    for step in (0, 1, 5):
        for sample in (0, 1, 11):
            assert masks_of(spec, step, sample) == drawn(spec, step, sample)


@given(RATES, WHOLE, st.integers(0, 10**5), st.integers(0, 2000))
def test_a_mask_is_zero_or_the_inverse_of_the_keep_rate(
    rate: float, seed: int, step: int, sample: int
) -> None:
    (layer,) = masks(rate, seed, step, sample, [20])
    assert set(layer) <= {0.0, 1 / (1 - rate)}


@given(RATES, st.integers(0, 2**53 - 1))
def test_the_threshold_decides_as_the_rate(rate: float, number: int) -> None:
    assert (number >= threshold(rate)) == (number / 2**53 >= rate)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_a_share_of_the_rate_is_dropped(rate: float) -> None:
    """Over steps, samples, neurons: the count is binomial, so that its mean is that of 1."""
    factors = [
        [x for layer in masks(rate, 11, step, sample, [4, 3]) for x in layer]
        for step in range(60)
        for sample in range(60)
    ]
    bound = NormalDist().inv_cdf(1 - 1e-6)
    for column in zip(*factors, strict=True):
        spread = math.sqrt(len(column) * rate * (1 - rate))
        assert abs(column.count(0.0) - rate * len(column)) < bound * spread
        assert abs(math.fsum(column) / len(column) - 1) < bound * spread / (1 - rate) / len(column)


def test_masks_of_neurons_samples_and_steps_are_independent() -> None:
    """Two masks that differ in one of them agree half of the time at rate 1/2."""
    count = 4000
    pairs = {
        "neuron": [masks(0.5, 1, k, 0, [2])[0] for k in range(count)],
        "sample": [[masks(0.5, 1, k, i, [1])[0][0] for i in (0, 1)] for k in range(count)],
        "step": [[masks(0.5, 1, k + i, 7, [1])[0][0] for i in (0, 1)] for k in range(count)],
        "seed": [[masks(0.5, k + i, 7, 7, [1])[0][0] for i in (0, 1)] for k in range(count)],
    }
    for name, found in pairs.items():
        same = sum(a == b for a, b in found)
        assert abs(same - count / 2) < 5 * math.sqrt(count) / 2, name


# What is computed with them


def forward(spec: TrainSpec, p: Sequence[float], x: Sequence[float], step: int, i: int) -> float:
    """The output of a network of tanh, and a linear last layer, with the masks of a step."""
    rest, values = iter(p), list(x)
    factors = [*drawn(spec, step, i), [1.0]]
    for (nin, nout), mask in zip(pairwise(spec.layers), factors, strict=True):
        sums = []
        for _ in range(nout):
            weights = [next(rest) for _ in range(nin)]
            products = [w * v for w, v in zip(weights, values, strict=True)]
            sums.append(math.fsum([*products, next(rest)]))
        values = sums if mask == [1.0] else [math.tanh(s) for s in sums]
        values = [m * v for m, v in zip(mask, values, strict=True)]
    return values[0]


@pytest.mark.parametrize("batch", ["all", 5])
def test_the_loss_of_a_step_is_that_of_its_masked_network(batch: int | Literal["all"]) -> None:
    spec = replace(SPEC, batch=batch)
    training, _ = load(spec)
    for state in textbook(spec):
        seen = batch_indices(len(training), spec.batch, state.step, spec.seed, True)
        errors = [
            forward(spec, state.parameters, training.inputs[i], state.step, i)
            - training.targets[i][0]
            for i in seen
        ]
        assert state.loss == pytest.approx(math.fsum(e * e for e in errors) / len(seen), rel=1e-13)


@pytest.mark.parametrize(
    "changes", [{}, {"activation": "linear"}, {"batch": 5, "l2": 0.01}], ids=str
)
def test_the_gradient_agrees_with_central_differences(changes: dict[str, object]) -> None:
    """The masks of step 0 are the same at every parameter."""
    spec, h = replace(SPEC, **changes), 1e-6  # type: ignore[arg-type]
    state = next(textbook(spec))
    for i, found in enumerate(state.gradient):
        above, below = (
            first(spec, [p + side * h * (i == j) for j, p in enumerate(state.parameters)]).loss
            for side in (1, -1)
        )
        assert found == pytest.approx((above - below) / (2 * h), rel=1e-6, abs=1e-8), i


def test_a_dropped_neuron_learns_nothing_from_the_sample() -> None:
    """One sample a step: no gradient flows into a neuron whose mask is 0, nor out of it."""
    spec = replace(SPEC, batch=1, layers=(2, 6, 1), steps=12)
    for state in textbook(spec):
        (i,) = batch_indices(12, 1, state.step, spec.seed, True)
        (mask,) = drawn(spec, state.step, i)
        for neuron, factor in enumerate(mask):
            own = [*state.gradient[3 * neuron : 3 * neuron + 3], state.gradient[18 + neuron]]
            assert any(own) == (factor > 0)


@for_each("seed", range(6))
def test_pytorch_finds_the_same_gradients_with_the_same_masks(seed: int, oracle: Oracle) -> None:
    rows = tuple(((k % 5 - 2) / 2, (3 * k % 7 - 3) / 4, float(k % 2)) for k in range(12))
    spec = replace(SPEC, data="rows", rows=rows, seed=seed)
    initial = tuple((5 * i % 13 - 6) / 8 for i in range(spec.parameter_count))
    spec = replace(spec, initial=initial)
    training, _ = load(spec)
    factors = list(zip(*(drawn(spec, 0, i) for i in range(12)), strict=True))
    value, *right = oracle(
        "torch_calculus.dropout_step", spec.layers, training.inputs, training.targets, initial,
        factors,
    )  # fmt: skip
    state = next(textbook(spec))
    assert state.loss == pytest.approx(value, rel=1e-13)
    assert list(state.gradient) == pytest.approx(right, rel=1e-11, abs=1e-14)


# What is computed without them


def test_tests_predictions_and_the_end_see_the_whole_network() -> None:
    spec = replace(SPEC, test_share=0.25, steps=3)
    training, test = load(spec)
    for state in textbook(spec):
        net = network(spec, state.parameters)
        assert (state.test_loss, state.test_accuracy) == evaluate(spec, net, test)[:2]
    answer = run(spec)
    *_, last = textbook(spec)
    loss, accuracy, outputs = evaluate(spec, network(spec, last.parameters), training)
    assert answer["final"]["loss"] == pytest.approx(loss, rel=1e-12)
    assert answer["final"]["accuracy"] == accuracy
    assert [y for (y,) in answer["predictions"]] == pytest.approx([y for (y,) in outputs])
    compiled = Run(spec)
    compiled.seek(3)
    maps = compiled.maps(list(training.inputs))
    assert list(maps[-1]) == pytest.approx([y for (y,) in outputs])
    assert all(x != 0 for row in maps for x in row)


# In the kernel


@pytest.mark.parametrize("batch", ["all", 5])
def test_the_kernel_draws_the_same_masks_bit_for_bit(batch: int | Literal["all"]) -> None:
    spec = replace(SPEC, batch=batch, seed=2**64 - 1, dropout=1 / 3)
    compiled = Run(spec)
    for step in (0, 4, 1, 6):
        compiled.seek(step)
        compiled.snapshot()
        found = compiled.masks()
        for slot, sample in enumerate(compiled.batch_of(step)):
            wanted = [factor for layer in drawn(spec, step, sample) for factor in layer]
            assert [row[slot] for row in found] == wanted
