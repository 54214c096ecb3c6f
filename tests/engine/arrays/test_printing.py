"""Arrays print as NumPy 2 prints them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.arrays.array import as_array
from engine.arrays.context import PrintOptions
from engine.arrays.dtypes import FLOAT32
from engine.arrays.scalars import Float64, scalar
from tests.support.arrays import fresh, like

SHAPES = ((1,), (2,), (5,), (17,), (60,), (2, 3), (3, 2, 2), (0,), (0, 3), (1001,), (30, 40), ())


@pytest.mark.parametrize(
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


NUMBERS = st.one_of(
    st.floats(width=32),
    st.floats(-10, 10).map(lambda x: round(x, 3)),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-999, 999).map(float),
    st.sampled_from([0.0, -0.0, 1e8, 99999999.0, 1e-4, 0.5, math.nan, math.inf]),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 10),
        "suppress": st.booleans(),
        "sign": st.sampled_from(" +-"),
        "linewidth": st.sampled_from([20, 75, 120]),
        "floatmode": st.sampled_from(["fixed", "unique", "maxprec", "maxprec_equal"]),
        "threshold": st.sampled_from([5, 1000]),
    },
)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_array_prints_as_in_numpy(data: Any, np: Any) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    elements, kind = data.draw(
        st.sampled_from(
            [(NUMBERS, "float64"), (NUMBERS, "float32"), (st.integers(-(10**9), 10**9), "int64"),
             (st.booleans(), "bool")]
        )
    )  # fmt: skip
    few = data.draw(st.lists(elements, min_size=1, max_size=8))
    size = math.prod(shape)
    with np.errstate(all="ignore"):
        theirs = np.array((few * size)[:size], dtype=kind).reshape(shape)
    options = data.draw(OPTIONS)
    context = fresh()
    context.printing = PrintOptions(**options)
    ours = like(context, theirs)
    with np.printoptions(**options), np.errstate(all="ignore"):
        assert str(ours) == str(theirs)
        assert repr(ours) == repr(theirs)
