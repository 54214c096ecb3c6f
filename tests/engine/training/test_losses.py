"""Every loss of the table: its value by definition, its gradient by differences, its limits."""

from __future__ import annotations

import math
import random

import mpmath
import pytest

from engine.runs.run import train
from engine.training.losses import LOSSES, Loss
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from engine.value import Constant, Value, topological_order
from tests.oracles.records import Oracle
from tests.support import references
from tests.support.each import for_each
from tests.support.references import Numbers

EACH = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)


def points(loss: Loss) -> list[tuple[list[float], list[float]]]:
    """Outputs and targets, of one to four outputs."""
    rng = random.Random(loss.name)
    found = []
    for count in (1, 2, 3, 4):
        if count >= loss.least_outputs:
            for right in range(count):
                targets = [1.0 if i == right else loss.no for i in range(count)]
                found.append(([rng.uniform(-3, 3) for _ in range(count)], targets))
        if count == 1:
            found.append(([rng.uniform(-3, 3)], [loss.no]))
        if loss.regression:
            found.append(
                ([rng.uniform(-3, 3) for _ in range(count)], [0.3, -2.5, 7.0, 0.0][:count])
            )
    return [(o, t) for o, t in found if len(o) >= loss.least_outputs]


def recorded(loss: Loss, o: Numbers, t: Numbers) -> tuple[Value, list[Value]]:
    """The loss of one sample as a Value, and its outputs."""
    outputs = [Value(x) for x in o]
    return loss.sample(outputs, [Constant(x) for x in t]), outputs


def number(loss: Loss, o: Numbers, t: Numbers) -> float:
    """The loss of one sample."""
    return recorded(loss, o, t)[0].data


def gradient(loss: Loss, o: Numbers, t: Numbers) -> list[float]:
    """The derivatives of the loss of one sample by its outputs."""
    value, outputs = recorded(loss, o, t)
    value.backward()
    return [output.grad for output in outputs]


@EACH
def test_an_entry_says_what_it_is(loss: Loss) -> None:
    assert LOSSES[loss.name] is loss
    assert loss.help.endswith(".")
    assert loss.formula


@for_each("name", references.LOSSES)
def test_value_agrees_with_the_definition(name: str) -> None:
    loss = LOSSES[name]
    with mpmath.workdps(50):
        for o, t in points(loss):
            right = references.LOSSES[name](o, t)
            assert math.isclose(number(loss, o, t), right, rel_tol=1e-14, abs_tol=1e-15), (o, t)


@EACH
def test_gradient_agrees_with_central_differences(loss: Loss) -> None:
    h = 1e-5
    for o, t in points(loss):
        for i, found in enumerate(gradient(loss, o, t)):
            above, below = (
                number(loss, [x + side * h * (j == i) for j, x in enumerate(o)], t)
                for side in (1, -1)
            )
            assert found == pytest.approx((above - below) / (2 * h), rel=1e-6, abs=1e-8), (o, t)


@EACH
def test_the_graph_is_the_same_whatever_the_numbers(loss: Loss) -> None:
    """So that it can be recorded once and run on every sample."""

    def shape(o: Numbers, t: Numbers) -> list[tuple[str, list[int]]]:
        order = topological_order(recorded(loss, o, t)[0])
        place = {value: i for i, value in enumerate(order)}
        return [
            (value.op.name if value.op else "", [place[arg] for arg in value.args])
            for value in order
        ]

    first = shape([5.0, -5.0], [1.0, loss.no])
    assert shape([-700.0, 700.0], [1.0, loss.no]) == first
    assert shape([0.0, 0.0], [loss.no, 1.0]) == first


@EACH
def test_one_output_is_not_divided_by_one_nor_added_to_zero(loss: Loss) -> None:
    if loss.least_outputs == 1:
        order = topological_order(recorded(loss, [0.3], [1.0])[0])
        assert "/" not in {value.op.name for value in order if value.op}
        assert not [v for v in order if isinstance(v, Constant) and v.data == 0]


def test_the_cross_entropy_s_gradient_is_softmax_minus_target() -> None:
    loss = LOSSES["cross_entropy"]
    for o, t in points(loss):
        right = [float(p) - b for p, b in zip(references.softmax(o), t, strict=True)]
        assert gradient(loss, o, t) == pytest.approx(right, rel=1e-13, abs=1e-15)


def test_the_binary_cross_entropy_s_gradient_is_sigmoid_minus_target() -> None:
    for o in (-3.0, -0.1, 0.0, 2.0):
        for t in (0.0, 1.0):
            right = 1 / (1 + math.exp(-o)) - t
            assert gradient(LOSSES["bce"], [o], [t]) == pytest.approx([right], rel=1e-14)


@for_each(("o", "t"), [(35.0, 1.0), (-35.0, 0.0), (700.0, 1.0), (3.0, 1.0)])
def test_the_binary_cross_entropy_keeps_its_digits_for_confident_answers(
    o: float, t: float
) -> None:
    """On Values, and in WebAssembly."""
    with mpmath.workdps(400):
        size = mpmath.mpf(abs(o))
        loss = float(mpmath.log1p(mpmath.exp(-size)))
        slope = float(mpmath.sign(-o) / (1 + mpmath.exp(size)))
    assert number(LOSSES["bce"], [o], [t]) == pytest.approx(loss, rel=1e-15, abs=0)
    assert gradient(LOSSES["bce"], [o], [t]) == pytest.approx([slope], rel=1e-15, abs=0)
    spec = TrainSpec(
        data="rows", rows=((1.0, t), (-1.0, 1 - t)), layers=(1, 1), loss="bce", l2=0.0,
        learning_rate=0.0, initial=(o, 0.0), batch=1, steps=2,
    )  # fmt: skip
    for run in (textbook, train):
        for state in run(spec):
            assert state.loss == pytest.approx(loss, rel=1e-15, abs=0)


@for_each(
    ("name", "o", "t", "value", "slope"),
    [
        ("bce", [1e5], [1.0], 0.0, [0.0]),
        ("bce", [1e5], [0.0], 1e5, [1.0]),
        ("bce", [-1e5], [1.0], 1e5, [-1.0]),
        ("cross_entropy", [1e5, 0.0], [1.0, 0.0], 0.0, [0.0, 0.0]),
        ("cross_entropy", [1e5, 0.0], [0.0, 1.0], 1e5, [1.0, -1.0]),
        ("cross_entropy", [-1e5, -1e5], [1.0, 0.0], math.log(2), [-0.5, 0.5]),
        ("hinge", [1e5], [1.0], 0.0, [0.0]),
        ("hinge", [1.0], [1.0], 0.0, [0.0]),
        ("hinge", [-1.0], [1.0], 2.0, [-1.0]),
    ],
)
def test_large_outputs_neither_overflow_nor_lose_the_gradient(
    name: str, o: list[float], t: list[float], value: float, slope: list[float]
) -> None:
    assert number(LOSSES[name], o, t) == pytest.approx(value, rel=1e-15)
    assert gradient(LOSSES[name], o, t) == slope


@EACH
def test_pytorch_gives_the_same_losses_and_gradients(loss: Loss, oracle: Oracle) -> None:
    for o, t in points(loss):
        value, *slopes = oracle("torch_calculus.loss", loss.name, o, t)
        assert number(loss, o, t) == pytest.approx(value, rel=1e-13, abs=1e-15)
        assert gradient(loss, o, t) == pytest.approx(slopes, rel=1e-12, abs=1e-15)
