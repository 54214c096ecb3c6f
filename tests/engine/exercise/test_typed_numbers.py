"""Typed numbers are read as they are written anywhere, and slips of arithmetic are named."""

import math

import pytest

from engine.exercise import number_slips as slips
from engine.exercise.answer_text import AnswerError, read_number
from tests.support.each import for_each


@for_each(
    ("text", "number"),
    [
        ("log(3)", math.log(3)),
        ("ln 3", math.log(3)),
        ("ln(3)", math.log(3)),
        ("log 3 + 1", math.log(3) + 1),
        ("2/3", 2 / 3),
        ("½", 0.5),
        ("√2", math.sqrt(2)),
        ("0,14", 0.14),
        (",5", 0.5),
        ("-0,5*3", -1.5),
        ("exp(0,5)", math.exp(0.5)),
        ("max(1,2)", 2),
        ("1,234.5", 1234.5),
        ("12,345,678", 12345678),
        ("+2*3", 6),
        ("−1.5", -1.5),
        ("2^3", 8),
        ("a.grad = -3", -3),
        ("= 4", 4),
    ],
)
def test_number_is_read(text: str, number: float) -> None:
    assert read_number(text) == number


@for_each(
    ("text", "words"),
    [
        ("1,234", "Write 1234 or 1.234"),
        ("", "Type a number"),
        ("x", "neither a number"),
        ("nan", "neither a number"),
        ("1e999", "not a finite number"),
        ("9**9**9**9", "not a finite number"),
        ("2 == 2", "neither a number"),
        ("two", "neither a number"),
        ("1" * 121, "at most 120"),
        ("log()", "log takes 1 number"),
    ],
)
def test_other_texts_say_why_not(text: str, words: str) -> None:
    with pytest.raises(AnswerError, match=words):
        read_number(text)


@for_each(
    ("typed", "due", "says"),
    [
        (-0.25, 0.25, slips.SIGN),
        (2.5, 0.25, slips.POINT),
        (0.0025, 0.25, slips.POINT),
        (4.0, 0.25, slips.UPSIDE_DOWN),
        (0.5, 0.25, slips.TWICE),
        (0.7, 1.4, slips.HALF),
        (0.7, 0.7391, slips.ROUNDED),
        (0.72, 0.7391, slips.NEAR),
        (0.0, 0.7391, slips.ZERO),
        (8.0, 7, slips.MANY),
        (6.0, 7, slips.FEW),
        (5.0, 0.7391, ""),
        (1.0, 0.0, ""),
        (math.nan, 1.0, ""),
        (1.0, math.inf, ""),
        (0.25, 0.25, ""),
    ],
)
def test_slip_of_arithmetic_is_named(typed: float, due: float, says: str) -> None:
    assert slips.number_slip(typed, due) == says
