"""How numbers are written: short for a card, in full, in words, in an equation, in JSON."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.numbers import WIDTH, full, in_equation, short, spoken, to_json

SHORT = [
    (2.0, "2.0000"),
    (-3.0, "-3.0000"),
    (0.0, "0.0000"),
    (24.70408163265306, "24.7041"),
    (0.30000000000000004, "0.3000"),
    (0.001, "0.0010"),
    (0.0009, "9.0000e-04"),
    (99999.0, "99999.0000"),
    (123456789.0, "1.2346e+08"),
    (-123456789.0, "-1.2346e+08"),
    (1.5e-300, "1.5000e-300"),
    (-1.23456e-300, "-1.235e-300"),
    (5e-324, "4.9407e-324"),
    (math.inf, "inf"),
    (-math.inf, "-inf"),
    (math.nan, "nan"),
]


@pytest.mark.parametrize(("x", "text"), SHORT)
def test_short(x: float, text: str) -> None:
    assert short(x) == text


@given(st.floats())
def test_short_fits_on_a_card_and_tells_the_number(x: float) -> None:
    text = short(x)
    assert len(text) <= WIDTH
    read = float(text)
    if abs(x) < 1.79e308:
        assert math.isclose(read, x, rel_tol=6e-4, abs_tol=6e-5 if abs(x) >= 1e-3 else 0)
        assert math.copysign(1, read) == math.copysign(1, x)
    elif not math.isfinite(x):
        assert repr(read) == repr(x)


@given(st.floats(allow_nan=False))
def test_full_reads_back_as_the_same_number(x: float) -> None:
    assert float(full(x)) == x
    assert math.copysign(1, float(full(x))) == math.copysign(1, x)


def test_full_hides_no_digit() -> None:
    assert full(0.1 + 0.2) == "0.30000000000000004"


@pytest.mark.parametrize(
    ("x", "text"),
    [(2.0, "2"), (0.5, "0.5"), (100.0, "100"), (-0.25, "-0.25"), (0.0, "0"), (math.nan, "nan")],
)
def test_spoken_has_no_idle_zeros(x: float, text: str) -> None:
    assert spoken(x) == text


@given(st.floats(allow_nan=False))
def test_spoken_is_the_same_number_as_short(x: float) -> None:
    assert float(spoken(x)) == float(short(x))


def test_equations_have_a_minus_sign_and_parentheses_where_asked() -> None:
    assert in_equation(-3.0) == "−3.0000"
    assert in_equation(-3.0, paren=True) == "(−3.0000)"
    assert in_equation(3.0, paren=True) == "3.0000"
    assert in_equation(-math.inf, paren=True) == "(−inf)"


@given(st.floats())
def test_json_holds_every_number(x: float) -> None:
    written = json.loads(json.dumps(to_json(x), allow_nan=False))
    assert repr(float(written)) == repr(x)


@pytest.mark.parametrize(("x", "text"), [(math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")])
def test_json_names_what_it_cannot_hold(x: float, text: str) -> None:
    assert to_json(x) == text
