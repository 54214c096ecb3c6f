"""The case of a formula that applies gives the same numbers as the formula."""

from __future__ import annotations

import math

import pytest

from engine.formulas import compile_text
from engine.ops import OPS
from engine.trace.cases import EXPONENTS, branches, chooser, is_bare, is_number, specialised
from tests.support.each import for_each

POINTS = (-2.0, -0.5, -0.0, 0.0, 0.3, 1.0, 2.0)
TEXTS = [
    (text, params)
    for op in OPS.values()
    for text, params in [
        (op.formula, op.params),
        *((partial, ("y", *op.params)) for partial in op.partials),
    ]
    if " if " in text
]


@pytest.mark.parametrize(("text", "params"), TEXTS, ids=str)
def test_chosen_branch_gives_the_number_of_the_formula(text: str, params: tuple[str, ...]) -> None:
    whole, parts = compile_text(text, params), branches(text)
    assert len(parts) > 1
    for x in POINTS:
        for z in POINTS:
            given = (x, z, z + x)[: len(params)]
            part = compile_text(parts[int(chooser(text, params)(*given))], params)
            assert repr(part(*given)) == repr(float(whole(*given)))


def test_only_powers_have_an_exponent() -> None:
    assert EXPONENTS == {"**": 1}


@for_each("exponent", [0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, -1.5, 0.1])
@for_each("x", [-2.0, 0.7, 3.0])
def test_constant_exponent_gives_the_derivative(exponent: float, x: float) -> None:
    power = OPS["**"]
    text = specialised(power.partials[0], "b", exponent)
    assert "if" not in text
    y = power.compute(x, exponent)
    found = compile_text(text, ("y", "a", "b"))(y, x, exponent)
    assert found == pytest.approx(power.derive[0](y, x, exponent), nan_ok=True)
    expected = exponent * math.copysign(1, x) ** (exponent - 1) if exponent % 1 == 0 else None
    if expected is not None:
        assert math.copysign(1, found) == math.copysign(1, expected or 1)


@for_each(
    ("exponent", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (2.0, "2 * a"),
        (3.0, "3 * a ** 2"),
        (-1.0, "-a ** (-2)"),
        (1e300, "1e+300 * a ** 1e+300"),
    ],
)
def test_constant_exponent_is_worked_out(exponent: float, text: str) -> None:
    assert specialised(OPS["**"].partials[0], "b", exponent) == text


@pytest.mark.parametrize("exponent", [math.inf, -math.inf, math.nan])
def test_an_exponent_that_is_not_finite_stays_a_name(exponent: float) -> None:
    power = OPS["**"]
    for text in (power.formula, *power.partials):
        assert specialised(text, "b", exponent) == text


def test_bare_texts_need_no_numbers() -> None:
    assert all(map(is_bare, ["b", "-1", "0.5", "-a"]))
    assert not any(map(is_bare, ["1 / b", "2 * a"]))
    assert is_number("-1")
    assert not is_number("-a")
