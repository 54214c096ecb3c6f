"""Built-in functions that read texts and go through items: as CPython's."""

from __future__ import annotations

import math

import pytest

from tests.support.programs import finished, printed, refusal


@pytest.mark.parametrize("text", ["inf", "+inf", "-inf", "nan", "1.5", " 2_0 ", "-0.0", "1e400"])
def test_floats_are_read_from_text(text: str) -> None:
    read = finished(f"best = float('{text}')").globals["best"]
    assert repr(float(read)) == repr(float(text))


@pytest.mark.parametrize("text", ["", "x", "1,5", "0x1", "1__0"])
def test_what_is_no_float_raises_as_in_python(text: str) -> None:
    with pytest.raises(ValueError, match="could not convert") as right:
        float(text)
    assert refusal(f"a = float('{text}')").message == f"ValueError: {right.value}"


def test_a_strict_zip_takes_lists_of_one_length() -> None:
    assert printed("print(list(zip([1], [2], strict=True)))") == ["[(1, 2)]"]
    assert printed("print(list(zip([1], [2, 3], strict=False)))") == ["[(1, 2)]"]
    with pytest.raises(ValueError, match="longer") as right:
        list(zip([1], [2, 3], strict=True))
    assert refusal("list(zip([1], [2, 3], strict=True))").message == f"ValueError: {right.value}"


@pytest.mark.parametrize("text", ["max(a, b)", "max([a, b])", "min(b, a, 3)", "max(a, math.nan)"])
def test_the_choice_of_a_number_is_that_of_python(text: str) -> None:
    for a, b in [(1, 2.0), (2.0, 1), (2, 2.0), (-0.0, 0.0), (0.0, -0.0), (True, 1.0)]:
        right = eval(text, {"a": a, "b": b, "math": math})  # noqa: S307  # the list above
        assert printed(f"a, b = {a}, {b}\nprint({text})") == [str(right)]
