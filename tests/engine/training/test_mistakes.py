"""Gradients that are never zeroed, and gradients that overwrite instead of accumulating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.nn import LINEAR
from engine.training.losses import LOSSES
from engine.training.samples import load
from engine.training.spec import TrainSpec
from engine.training.textbook import overwrite, textbook
from engine.value import Value, args_first
from tests.support.each import for_each
from tests.support.textbook_runs import TUTORIAL, first


def test_gradients_that_are_never_zeroed_add_up() -> None:
    spec = replace(TUTORIAL, zero_grad=False, steps=5, learning_rate=0.01)
    total = [0.0] * 41
    for state in textbook(spec):
        own = first(replace(spec, zero_grad=True), state.parameters).gradient
        total = [a + b for a, b in zip(total, own, strict=True)]
        assert list(state.gradient) == pytest.approx(total, rel=1e-12, abs=1e-14)


def test_without_accumulating_a_parameter_keeps_the_first_sample_s_contribution() -> None:
    """One hidden layer, one output: then every sample contributes to a parameter once."""
    spec = TrainSpec(layers=(2, 3, 1), activation="tanh", loss="mse", samples=8)
    training, _ = load(spec)
    x, (t,) = training.inputs[0], training.targets[0]
    other = (9.0, 9.0, -t)
    alone = replace(spec, data="rows", rows=((*x, t), other), batch=1, shuffle=False, l2=0.0)
    eighth = [g / 8 for g in first(alone).gradient]
    assert list(first(replace(spec, accumulate=False)).gradient) == pytest.approx(eighth, rel=1e-14)
    assert list(first(spec).gradient) != pytest.approx(eighth, rel=0.1)


def test_without_accumulating_a_hidden_neuron_keeps_its_first_use() -> None:
    """1-1-2, linear: h = w·x + b, o = (u·h + c, v·h + d); the second output is lost on h."""
    w, b, u, c, v, d = 0.5, -0.2, 1.5, 0.1, -0.7, 0.3
    spec = TrainSpec(
        data="rows", rows=((2.0, 0.0), (-1.0, 1.0)), layers=(1, 1, 2), activation=LINEAR,
        loss="sum_squares", initial=(w, b, u, c, v, d), l1=0.1, l2=0.1, accumulate=False,
    )  # fmt: skip
    x, h = 2.0, w * 2.0 + b  # the first sample, of class 0: targets 1 and -1
    e0, e1 = 2 * (u * h + c - 1), 2 * (v * h + d + 1)
    right = [e0 * u * x, e0 * u, e0 * h, e0, e1 * h, e1]
    assert list(first(spec).gradient) == pytest.approx(right, rel=1e-14)


@for_each("loss", LOSSES)
def test_both_mistakes_together_overwrite(loss: str) -> None:
    layers = (2, 3, LOSSES[loss].least_outputs)
    spec = TrainSpec(loss=loss, layers=layers, samples=6, steps=3, accumulate=False)
    for one, other in zip(textbook(spec), textbook(replace(spec, zero_grad=False)), strict=True):
        assert one == other


def test_the_order_of_the_mistaken_pass() -> None:
    a, b = Value(2.0), Value(3.0)
    c = a * b
    d = c + a
    e = d * c
    assert args_first(e) == [a, b, c, d, e]
    overwrite(e)
    assert (d.grad, c.grad) == (6.0, 6.0)  # d's contribution to c, 6, over that of e, which is 8
    assert (a.grad, b.grad) == (18.0, 12.0)  # c's contributions, the last ones


def test_the_mistaken_pass_is_as_deep_as_it_must_be() -> None:
    y = x = Value(1.0)
    for _ in range(100_000):
        y = y + 1.0
    overwrite(y)
    assert x.grad == 1.0
