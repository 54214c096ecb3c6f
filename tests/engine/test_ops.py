"""Every operation of the table against its textbook definition, at its samples and at extremes."""

from __future__ import annotations

import ast
import math
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.operations.peers import PEERS
from engine.formulas import CONSTANTS, FUNCTIONS
from engine.ops import ACTIVATIONS, OPS, Op
from engine.value import Value, apply
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.references import OPERATIONS

NAN, INF = math.nan, math.inf
SAMPLES = [(op, point) for op in OPS.values() for point in op.samples]
REFERENCED = [(OPS[name], point) for name in OPERATIONS for point in OPS[name].samples]
EACH = for_each("op", OPS.values())


def spoken(sample: tuple[Op, tuple[float, ...]]) -> str:
    """The name of a sample."""
    return f"{sample[0].name}{sample[1]}"


def partials(op: Op, *args: float) -> list[float]:
    """The partial derivatives that the table gives at these inputs."""
    y = op.compute(*args)
    return [derive(y, *args) for derive in op.derive]


@for_each(("op", "point"), REFERENCED, ids=spoken)
def test_forward_agrees_with_fifty_digits(op: Op, point: tuple[float, ...]) -> None:
    with mpmath.workdps(50):
        right = OPERATIONS[op.name](*map(mpmath.mpf, point))
    assert math.isclose(op.compute(*point), right, rel_tol=1e-14)


@for_each(("op", "point"), REFERENCED, ids=spoken)
def test_partials_agree_with_fifty_digits(op: Op, point: tuple[float, ...]) -> None:
    with mpmath.workdps(50):
        exact = [mpmath.mpf(x) for x in point]
        for slot, found in enumerate(partials(op, *point)):
            order = tuple(int(i == slot) for i in range(len(point)))
            right = mpmath.diff(OPERATIONS[op.name], tuple(exact), order)
            assert math.isclose(found, right, rel_tol=1e-13), slot


@for_each(("op", "point"), SAMPLES, ids=spoken)
def test_partials_agree_with_central_differences(op: Op, point: tuple[float, ...]) -> None:
    for slot, found in enumerate(partials(op, *point)):
        h = 1e-5 * max(1.0, abs(point[slot]))
        above, below = (
            op.compute(*[x + sign * h * (i == slot) for i, x in enumerate(point)])
            for sign in (1, -1)
        )
        assert found == pytest.approx((above - below) / (2 * h), rel=1e-6, abs=1e-9)


@EACH
def test_samples_lie_in_the_domain_away_from_kinks(op: Op) -> None:
    assert op.samples
    for point in op.samples:
        assert len(point) == len(op.params) == len(op.partials)
        assert op.in_domain(*point)
        assert not op.at_kink(*point)


@EACH
def test_the_text_is_in_the_small_language_of_formulas(op: Op) -> None:
    earlier = list(OPS)[: list(OPS).index(op.name)]
    for text in (op.formula, *op.partials, op.kink or "x", op.domain or "x"):
        called = {
            part.func.id
            for part in ast.walk(ast.parse(text))
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
        }
        names = {part.id for part in ast.walk(ast.parse(text)) if isinstance(part, ast.Name)}
        assert called <= {*FUNCTIONS, *earlier}
        assert names - called <= {*op.params, *CONSTANTS, "y", "x"}


@EACH
def test_the_words_name_the_inputs_that_there_are(op: Op) -> None:
    assert len(op.backward_says) == len(op.params)
    for words in (op.forward_says, *op.backward_says):
        said = words.format(y="Y", **{f"x{i}": f"X{i}" for i in range(len(op.params))})
        assert said
        assert "{" not in said


@EACH
def test_a_condition_has_its_words(op: Op) -> None:
    assert bool(op.kink) == bool(op.kink_says)
    assert bool(op.domain) == bool(op.domain_says)


@EACH
def test_outside_of_its_domain_an_operation_is_not_finite(op: Op) -> None:
    grid = [x / 4 for x in range(-12, 13)]
    points: list[tuple[float, ...]] = (
        [(x,) for x in grid] if len(op.params) == 1 else [(a, b) for a in grid for b in grid]
    )
    for point in points:
        assert math.isfinite(op.compute(*point)) == op.in_domain(*point), point


@given(st.sampled_from(list(OPS.values())), st.floats(), st.floats(), st.floats())
def test_no_number_makes_an_operation_raise(op: Op, a: float, b: float, upstream: float) -> None:
    point = (a, b)[: len(op.params)]
    assert isinstance(op.compute(*point), float)
    assert len(partials(op, *point)) == len(point)
    assert op.at_kink(*point) in (True, False)
    assert op.in_domain(*point) in (True, False)


@given(st.sampled_from(list(OPS.values())), st.floats(), st.floats(), st.floats())
def test_the_fast_path_adds_what_the_partials_say(op: Op, a: float, b: float, g: float) -> None:
    args = [Value(x) for x in (a, b)[: len(op.params)]]
    out = apply(op, *args)
    out.grad = g
    op.pull(out)
    for arg, derive in zip(args, op.derive, strict=True):
        right = 0.0 + g * derive(out.data, *[x.data for x in args])
        assert arg.grad == right or (arg.grad != arg.grad and right != right)


# Extremes, from mathematics: what the naive formulas get wrong


def exactly(x: Any) -> float:
    """The float nearest to a number of mpmath."""
    return float(x)


with mpmath.workdps(400):
    EXTREMES = [
        ("sigmoid", -800.0, 0.0, 0.0),
        ("sigmoid", 800.0, 1.0, 0.0),
        ("sigmoid", -740.0, exactly(mpmath.exp(-740)), exactly(mpmath.exp(-740))),
        ("sigmoid", -50.0, exactly(mpmath.exp(-50)), exactly(mpmath.exp(-50))),
        ("softplus", 800.0, 800.0, 1.0),
        ("softplus", -800.0, 0.0, 0.0),
        ("softplus", INF, INF, 1.0),
        ("softplus", -INF, 0.0, 0.0),
        ("softplus", -740.0, exactly(mpmath.exp(-740)), exactly(mpmath.exp(-740))),
        ("softplus", -50.0, exactly(mpmath.log1p(mpmath.exp(-50))), exactly(mpmath.exp(-50))),
        ("tanh", 400.0, 1.0, 0.0),
        ("tanh", -400.0, -1.0, 0.0),
        ("tanh", 1e308, 1.0, 0.0),
        ("silu", 800.0, 800.0, 1.0),
        ("silu", -800.0, 0.0, 0.0),
        ("gelu", 50.0, 50.0, 1.0),
        ("gelu", -50.0, 0.0, 0.0),
        ("gelu", 1e200, 1e200, 1.0),
        ("gelu", 1.7e308, 1.7e308, 1.0),
        ("exp", 710.0, INF, INF),
        ("exp", -1000.0, 0.0, 0.0),
        ("relu", 1e308, 1e308, 1.0),
        ("sqrt", 0.0, 0.0, INF),
        ("cbrt", 0.0, 0.0, INF),
        ("sinh", 1000.0, INF, INF),
        ("sinh", -1000.0, -INF, INF),
        ("cosh", -1000.0, INF, -INF),
        ("expm1", 1e-20, 1e-20, 1.0),
        ("expm1", -1000.0, -1.0, 0.0),
        ("log1p", 1e-20, 1e-20, 1.0),
        ("exp2", 1024.0, INF, INF),
        ("erfc", 20.0, exactly(mpmath.erfc(20)), exactly(mpmath.diff(mpmath.erfc, 20))),
        ("asin", 1.0, exactly(mpmath.pi / 2), INF),
        ("acos", -1.0, exactly(mpmath.pi), -INF),
    ]


@for_each(("name", "x", "y", "slope"), EXTREMES)
def test_extremes(name: str, x: float, y: float, slope: float) -> None:
    op = OPS[name]
    tiny = 1e-13 if name == "gelu" else 0  # its partial at −50 is of the order of e^−1250
    assert op.compute(x) == pytest.approx(y, rel=1e-12, abs=tiny)
    assert partials(op, x)[0] == pytest.approx(slope, rel=1e-12, abs=tiny)


def test_log_of_a_sigmoid_has_a_better_form() -> None:
    naive = Value(50.0).sigmoid().log()
    better = -(-Value(50.0)).softplus()
    assert naive.data == 0.0
    assert better.data == pytest.approx(float(-mpmath.log1p(mpmath.exp(-50))), rel=1e-15)


@for_each(
    "name", ["relu", "leaky_relu", "softplus", "silu", "gelu", "abs", "tanh", "sigmoid", "exp"]
)
def test_nan_stays_nan(name: str) -> None:
    assert math.isnan(OPS[name].compute(NAN))


@for_each("name", ["max", "min", "+", "-", "*", "/"])
def test_nan_stays_nan_on_either_side(name: str) -> None:
    assert math.isnan(OPS[name].compute(NAN, 1.0))
    assert math.isnan(OPS[name].compute(1.0, NAN))


@for_each(
    ("name", "args", "right"),
    [
        ("/", (1.0, 0.0), INF),
        ("/", (1.0, -0.0), -INF),
        ("/", (0.0, 0.0), NAN),
        ("**", (0.0, -1.0), INF),
        ("**", (-8.0, 1 / 3), NAN),
        ("**", (2.0, 1e308), INF),
        ("exp", (710.0,), INF),
        ("log", (0.0,), -INF),
        ("log", (-1.0,), NAN),
        ("sin", (INF,), NAN),
    ],
)
def test_poles_and_overflow_give_what_ieee_754_gives(
    name: str, args: tuple[float, ...], right: float
) -> None:
    assert repr(OPS[name].compute(*args)) == repr(right)


# Kinks, as PyTorch has them

KINKS = [
    ("relu", (0.0,), (0.0,)),
    ("relu", (-0.0,), (0.0,)),
    ("leaky_relu", (0.0,), (0.01,)),
    ("abs", (0.0,), (0.0,)),
    ("max", (2.0, 2.0), (0.5, 0.5)),
    ("min", (2.0, 2.0), (0.5, 0.5)),
    ("max", (3.0, 2.0), (1.0, 0.0)),
    ("min", (3.0, 2.0), (0.0, 1.0)),
    ("atan2", (0.0, 0.0), (0.0, 0.0)),
    ("atan2", (0.0, -2.0), (-0.5, 0.0)),
    ("fmod", (4.0, 2.0), (1.0, -2.0)),
    ("mod", (4.0, 2.0), (1.0, -2.0)),
    ("copysign", (0.0, 2.0), (0.0, 0.0)),
]


@for_each(("name", "args", "right"), KINKS)
def test_kinks(name: str, args: tuple[float, ...], right: tuple[float, ...]) -> None:
    op = OPS[name]
    assert tuple(partials(op, *args)) == right
    assert op.at_kink(*args) == (len(set(args)) == 1 or bool(op.module))


@pytest.mark.parametrize("name", [op.name for op in OPS.values() if op.module == "math"])
@given(st.floats() | st.floats(-3, 3), st.floats() | st.floats(-3, 3))
def test_functions_of_math_are_pythons_to_the_last_bit(name: str, a: float, b: float) -> None:
    op = OPS[name]
    point = (a, b)[: len(op.params)]
    try:
        right = getattr(math, name)(*point)
    except (ValueError, OverflowError):
        assert not math.isfinite(op.compute(*point))
    else:
        assert repr(op.compute(*point)) == repr(right)


def test_the_length_of_a_vector_has_slope_0_at_the_origin() -> None:
    assert partials(OPS["hypot"], 0.0, 0.0) == [0.0, 0.0]
    assert OPS["hypot"].at_kink(0.0, 0.0)


@for_each(
    ("base", "exponent", "right"),
    [
        (0.0, 2.0, (0.0, 0.0)),
        (0.0, 1.0, (1.0, 0.0)),
        (0.0, 0.0, (0.0, 0.0)),
        (-3.0, 2.0, (-6.0, NAN)),
        (0.0, -1.0, (-INF, -INF)),
        (2.0, 0.0, (0.0, math.log(2))),
    ],
)
def test_partials_of_a_power_at_its_edges(
    base: float, exponent: float, right: tuple[float, float]
) -> None:
    found = partials(OPS["**"], base, exponent)
    assert found == pytest.approx(right, nan_ok=True)


def test_activations_are_the_functions_of_one_input_that_networks_use() -> None:
    assert {"tanh", "sigmoid", "relu", "leaky_relu", "softplus", "silu", "gelu"} <= set(ACTIVATIONS)
    assert all(len(OPS[name].params) == 1 for name in ACTIVATIONS)


# PyTorch, where it is installed


@for_each("name", [name for name, peer in PEERS.items() if peer.torch])
def test_pytorch_gives_the_same_numbers(name: str, oracle: Oracle) -> None:
    op, kinks = OPS[name], [args for of, args, _ in KINKS if of == name]
    for point in [*op.samples, *kinks]:
        value, *right = oracle("torch_operations.numbers", PEERS[name].torch, point)
        assert op.compute(*point) == pytest.approx(value, rel=1e-12)
        assert partials(op, *point) == pytest.approx(right, rel=1e-12)
