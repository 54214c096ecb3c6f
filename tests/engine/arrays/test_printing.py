"""Arrays print as NumPy 2 prints them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.arrays.array import as_array
from engine.arrays.context import PrintOptions
from engine.arrays.dtypes import FLOAT32
from engine.arrays.scalars import Float64, scalar
from tests.oracles.records import Oracle
from tests.support.arrays import fresh, shaped
from tests.support.each import for_each
from tests.support.library_draws import drawn_array


@for_each(
    ("value", "text"),
    [
        ([1.0, 2.5], "[1.  2.5]"),
        ([1, -20, 300], "[  1 -20 300]"),
        ([True, False], "[ True False]"),
        ([[1.0, 0.5], [0.0, -1.0]], "[[ 1.   0.5]\n [ 0.  -1. ]]"),
        ([1e-10, 1.0], "[1.e-10 1.e+00]"),
        ([math.nan, -math.inf, 2.0], "[ nan -inf   2.]"),
        ([1 / 3], "[0.33333333]"),
        ([], "[]"),
        (["a", "bc"], "['a' 'bc']"),
        ([None, [1]], None),
    ],
)
def test_str_of_arrays(value: Any, text: str | None) -> None:
    if text is None:
        with pytest.raises(ValueError, match="inhomogeneous shape after 1 dimensions"):
            as_array(fresh(), value)
    else:
        assert str(as_array(fresh(), value)) == text


def test_repr_names_what_does_not_show() -> None:
    context = fresh()
    assert repr(as_array(context, [1.0, 2.0])) == "array([1., 2.])"
    assert repr(as_array(context, [1.0], FLOAT32)) == "array([1.], dtype=float32)"
    assert repr(as_array(context, [])) == "array([], dtype=float64)"
    assert repr(as_array(context, list(range(2000)))) == (
        "array([   0,    1,    2, ..., 1997, 1998, 1999], shape=(2000,))"
    )


def test_scalars_show_their_type_in_repr_only() -> None:
    assert [f"{Float64(2.0)}", repr(Float64(2.0))] == ["2.0", "np.float64(2.0)"]
    assert repr(scalar(0.1, FLOAT32)) == "np.float32(0.1)"


def test_print_options() -> None:
    context = fresh()
    context.printing = PrintOptions(precision=3, suppress=True)
    assert str(as_array(context, [1e-5, 1.23456])) == "[0.    1.235]"


@for_each("seed", range(200))
def test_any_array_prints_as_in_numpy(seed: int, oracle: Oracle) -> None:
    drawn, context = drawn_array(seed), fresh()
    context.printing = PrintOptions(**drawn.options)
    ours = shaped(context, drawn.items, drawn.shape, drawn.kind)
    assert [str(ours), repr(ours)] == oracle("array_functions.texts", seed)
