"""The text of a program before it runs: what it may hold, and where an error points."""

from __future__ import annotations

import ast
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.program import Program
from engine.record.source import Limits, ProgramError, Source, Span, clean, place, printable
from tests.support.each import for_each
from tests.support.programs import check_place, drawn_by, marked, refusal

LIMITS = Limits()


def unread(text: str, limits: Limits = LIMITS) -> ProgramError:
    """The error of a text that cannot be read."""
    with pytest.raises(ProgramError) as caught:
        Source(text, limits)
    check_place(caught.value, text)
    return caught.value


# Lines and columns


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts_as_one(end: str) -> None:
    text = end.join(["a = 2", "", "b = a * 3", "c = zz"])
    error = refusal(text)
    assert error.span == (4, 5, 4, 7)
    assert Source(text, LIMITS).lines == ["a = 2", "", "b = a * 3", "c = zz"]


@for_each(
    ("text", "span"),
    [
        ("α = 2\nβ = α*zz", (2, 7, 2, 9)),
        ("größe = 1; y = größe * zz", (1, 24, 1, 26)),
        ("print('日本', zz)", (1, 13, 1, 15)),
        ("print('😀', zz)", (1, 12, 1, 14)),
        ("a = 1  # é\nb = zz", (2, 5, 2, 7)),
        ("'é'; x = [1,\n 'ü', zz]", (2, 7, 2, 9)),
        ("print(f'é{zz}')", (1, 11, 1, 13)),
        ("\tx = 1" and "if 2 > 1:\n\tx = zz", (2, 6, 2, 8)),
        ("a\u00a0= zz", (1, 5, 1, 7)),
        ("y = (1 +\n     zz *\n 2)", (2, 6, 2, 8)),
    ],
)
def test_columns_count_characters_from_one(text: str, span: Span) -> None:
    error = refusal(text)
    assert error.span == span
    assert marked(text, error) == "zz"


@given(st.text(st.sampled_from("aé日😀 '+"), max_size=8))
def test_the_place_is_right_whatever_stands_before(before: str) -> None:
    text = f'x = ["""{before}""", zz]'
    assert marked(text, refusal(text)) == "zz"


def test_a_span_may_go_over_lines() -> None:
    text = "x = Value(1.0)\ny = x(1,\n      2)"
    tree = Source(text, LIMITS)
    assert tree.span(tree.tree.body[1]) == (2, 1, 3, 9)


@given(st.text("ab\n", min_size=1, max_size=30), st.data())
def test_place_agrees_with_counting(text: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text) - 1))
    line, column, end_line, end_column = place(text, index)
    assert line == end_line == text[:index].count("\n") + 1
    assert column == len(text[:index].split("\n")[-1]) + 1
    assert end_column == column + 1


# Syntax errors

SYNTAX = [
    ("a = (", (1, 5, 1, 6), "never closed", "Close the bracket"),
    ("a = 1)", (1, 6, 1, 7), "Unmatched", "Remove it"),
    ("a = 1 +", None, "Invalid syntax", "Something is missing after +."),
    ("a = ", None, "Invalid syntax", "Something is missing after =."),
    ("y = sin x", None, "Invalid syntax", "Write sin(x)."),
    ("L = a b", None, "Invalid syntax", "Write a*b for a product."),
    ("L = 'a b' c", None, "Invalid syntax", "brackets"),
    ("let x = 2", None, "Invalid syntax", "Write x = 2 without let."),
    ("const x = 2*3", None, "Invalid syntax", "Write x = 2*3 without const."),
    ("3 = x", None, "Cannot assign to literal here.", "left of =: x = 3."),
    ("if a = 3: pass", None, "Invalid syntax.", "Write == to compare."),
    ("3x", None, "A name cannot begin with a digit.", "Write 3*x for a product."),
    ("a = = 1", (1, 5, 1, 6), "Invalid syntax", "brackets"),
    ("  a = 1", None, "Unexpected indent", "Begin the line"),
    ("if 2 > 1:\nx = 1", (2, 1, 2, 2), "Expected an indented block", "four spaces"),
    ("for i in range(3)\n  x = 1", None, "Expected ':'", "colon"),
    ("for i in range(3):\n\ta = 1\n        b = 2", None, "Inconsistent use of tabs", "spaces only"),
    ("a = 'x", (1, 5, 1, 6), "Unterminated string", "quotation mark"),
    ("y = 2x", None, "A name cannot begin with a digit.", "2*x"),
    ("1 = a", None, "Cannot assign", "Only a name"),
    ("print 1", None, "Missing parentheses", "print(…)"),
    ("b = 2\n>>> a = 1", (2, 1, 2, 3), "Invalid syntax", "Remove the >>>"),
    ("% b\na = 1", (1, 1, 1, 2), "Invalid syntax", "command to a notebook"),
    ("a = |x|", None, "Invalid syntax", "abs(x)"),
    ("a = 2 × 3", (1, 7, 1, 8), "Invalid character", "Write * instead of ×."),
    ("a = 6 ÷ 3", (1, 7, 1, 8), "Invalid character", "Write / instead of ÷."),
    ("a = 5 − 3", (1, 7, 1, 8), "Invalid character", "Write - instead of −."),
    ("print(“a”)", None, "Invalid character", 'Write " instead of “.'),
    ("a = x²", None, "", "Write **2 instead of ²."),
    ("ü = 1\nä = 2 × 3", (2, 7, 2, 8), "Invalid character", "Write * instead of ×."),
]  # fmt: skip


@for_each(("text", "span", "message", "hint"), SYNTAX)
def test_syntax_errors(text: str, span: Span | None, message: str, hint: str) -> None:
    error = unread(text)
    assert message in error.message
    assert hint in error.hint
    if span:
        assert error.span == span
    assert not error.message.endswith("..")


# What no program may hold


@for_each(
    ("text", "span"),
    [
        ("a\u200b = 1", (1, 2, 1, 3)),
        ("a = 1\nb = 2 # \u202e x", (2, 9, 2, 10)),
        ("a = 1\nb = 'x\u2066y'", (2, 7, 2, 8)),
        ("a = 1  # \u200f x", (1, 10, 1, 11)),
        ("a = 1\u2028b = 2", (1, 6, 1, 7)),
        ("a = 1\x00", (1, 6, 1, 7)),
        ("a = 1\x0cb = 2", (1, 6, 1, 7)),
        ("a\U000e0061 = 1", (1, 2, 1, 3)),
        ("\ufeffa = 1", (1, 1, 1, 2)),
    ],
)
def test_invisible_characters_are_pointed_at_with_their_name(text: str, span: Span) -> None:
    error = unread(text)
    assert error.span == span
    character = text.split("\n")[span[0] - 1][span[1] - 1]
    assert f"U+{ord(character):04X}" in error.message
    assert unicodedata.name(character, "a control character").lower() in error.message


@for_each("character", "\u200b\u200c\u200d\u2060\ufeff\u00ad\U000e0061")
def test_invisible_characters_may_stand_in_comments_and_texts(character: str) -> None:
    text = f'a = 1  # b{character}c\nprint(\'x{character}y\', """{character}\n""")\nb = a * zz'
    assert marked(text, refusal(text)) == "zz"
    error = unread(f"a = '#'{character}  # '{character}'")
    assert error.span == (1, 8, 1, 9)


def test_half_a_character() -> None:
    error = unread('é = "\ud800"')
    assert error.span == (1, 6, 1, 7)
    assert "surrogate" in error.message


@for_each("text", ["", " ", "\n\n  \n", "\t"])
def test_nothing(text: str) -> None:
    error = unread(text)
    assert error.message == "There is nothing here yet."
    assert error.span == (1, 1, 1, 2)


def test_bytes_are_counted_not_characters() -> None:
    limits = Limits(program_bytes=10)
    assert clean("a = 1 + 2 ", limits)
    assert clean("a = 'éé'", limits)
    assert "11 bytes; at most 10" in unread("a = 'éé' ", limits).message


def test_nesting_is_counted_and_the_place_is_where_it_goes_too_deep() -> None:
    limits = Limits(nesting=20)
    deep = "y = " + "-(" * 30 + "x" + ")" * 30
    error = unread(deep, limits)
    assert "nested 21 levels deep; at most 20" in error.message
    assert error.line == 1
    assert error.column > 20
    Source("y = " + "+".join(["1.0"] * 15), limits)


def test_a_sum_of_a_hundred_terms_is_not_too_deep() -> None:
    assert drawn_by(Program("y = " + " + ".join(["1.0"] * 100))).data == 100.0


def test_parts_of_syntax_are_counted() -> None:
    error = unread("a = 1\n" * 10, Limits(syntax_nodes=20))
    assert "has 30 pieces of syntax; at most 20 are read" in error.message  # 3 a line
    assert error.line > 5


@for_each("text", ["-" * 9000 + "1", "(" * 9000, "[" * 3000 + "]" * 3000, "f" + "()" * 5000])
def test_depth_beyond_the_parser_is_refused_too(text: str) -> None:
    unread(text)


@for_each(
    "text",
    [
        "{} = 1", "def {}(): pass", "x = 1\nx.{}", "for {} in [1]: pass", "f = lambda {}: 1",
        "def f({}): pass", "f({}=1)", "import math as {}", "[{} for i in [1]]",
    ],
)  # fmt: skip
def test_names_have_at_most_64_letters(text: str) -> None:
    error = unread(text.format("x" * 65))
    assert "has 65 letters; at most 64" in error.message
    assert len(error.message) < 200
    Source(text.format("x" * 64), LIMITS)


def test_a_number_too_long_for_python_is_refused_with_its_line() -> None:
    error = unread("a = 1\nb = " + "7" * 5000)
    assert error.message == "A whole number is written with at most 4300 digits."
    assert error.span[0] == 2
    assert "10**5000" in error.hint
    Source(f"text = '{'1' * 5000}'", LIMITS)
    Source("a = " + "7" * 4300, LIMITS)
    Source("a = 0." + "3" * 400, LIMITS)


def test_an_invalid_escape_is_no_warning_of_python() -> None:
    Source("a = '\\d'", LIMITS)


def test_comments_and_coding_lines_are_text() -> None:
    tree = Source("# -*- coding: utf-7 -*-\na = 1  # end", LIMITS).tree
    assert isinstance(tree.body[0], ast.Assign)


@given(st.text())
def test_printable_keeps_the_length_and_everything_that_can_be_shown(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    for before, after in zip(text, shown, strict=True):
        assert before == after or (
            after == "\ufffd"
            and unicodedata.category(before) in ("Cc", "Cs", "Cn", "Cf", "Zl", "Zp")
        )
    shown.encode()


BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Bidi_Control of the Unicode Character Database (PropList.txt)."""


@for_each("character", [*BIDI_CONTROLS, "\u2028", "\u2029"], ids=ascii)
def test_no_text_of_a_program_reorders_the_sentence_around_it(character: str) -> None:
    """After an override, "2.0 = 4.0 / 2" of our own sentence would be shown from right to left."""
    assert printable(f"a{character}b") == "a\ufffdb"


def test_printable_keeps_the_joiners_of_words_and_emoji() -> None:
    assert printable("\u200c\u200d\u00ad") == "\u200c\u200d\u00ad"
