"""Text that is no Python is refused alike, word for word, by every Python."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.record.source import Limits, ProgramError, Source, Span
from engine.recording import parsed
from tests.support.each import for_each
from tests.support.programs import check_place, printed

CHECK = "Check the brackets and signs around here."
CLOSE = "Close the bracket that was opened here."

REFUSED: list[tuple[str, str, Span, str]] = [
    ("a = (", "'(' was never closed.", (1, 5, 1, 6), CLOSE),
    ("a = 1)", "Unmatched ')'.", (1, 6, 1, 7), "Remove it, or open the bracket that it closes."),
    (
        "a = (1]",
        "Closing parenthesis ']' does not match opening parenthesis '('.",
        (1, 7, 1, 8),
        CHECK,
    ),
    ("a = 1 +", "Invalid syntax.", (1, 8, 1, 9), "Something is missing after +."),
    ("a = 1 +  # more", "Invalid syntax.", (1, 10, 1, 16), "Something is missing after +."),
    ("a = 2 b", "Invalid syntax.", (1, 7, 1, 8), "Write 2*b for a product."),
    ("3x", "A name cannot begin with a digit.", (1, 1, 1, 2), "Write 3*x for a product."),
    ("a = 0x", "Invalid hexadecimal literal.", (1, 6, 1, 7), CHECK),
    ("a = 09", "Leading zeros in decimal integer literals are not permitted.", (1, 5, 1, 6), CHECK),
    (
        "1 = a",
        "Cannot assign to literal here.",
        (1, 1, 1, 2),
        "Only a name can stand left of =: a = 1.",
    ),
    (
        "f() = 1",
        "Cannot assign to function call here.",
        (1, 1, 1, 4),
        "Only a name can stand left of =.",
    ),
    (
        "a + b = 1",
        "Cannot assign to expression here.",
        (1, 1, 1, 6),
        "Only a name can stand left of =.",
    ),
    (
        "a + b += 1",
        "'expression' is an illegal expression for augmented assignment.",
        (1, 1, 1, 6),
        CHECK,
    ),
    (
        "f(x) = x^2 + 1",
        "Cannot assign to function call here.",
        (1, 1, 1, 5),
        "Write def f(x): return x**2 + 1 for a function.",
    ),
    (
        "y = √(a + 1)",
        "Invalid character '√' (U+221A).",
        (1, 5, 1, 6),
        "Write sqrt(a + 1) instead of √(a + 1).",
    ),
    (
        "y = 2√a",
        "Invalid character '√' (U+221A).",
        (1, 6, 1, 7),
        "Write 2*sqrt(a) instead of 2√a.",
    ),
    (
        "y = 1 + |a - 3|",
        "Invalid syntax.",
        (1, 9, 1, 10),
        "Write abs(a - 3) for the absolute value.",
    ),
    ("y = a || b", "Invalid syntax.", (1, 8, 1, 9), "Write or instead of ||."),
    ("y = a && b", "Invalid syntax.", (1, 8, 1, 9), "Write and instead of &&."),
    ("y = x · z", "Invalid character '·' (U+00B7).", (1, 7, 1, 8), "Write * instead of ·."),
    ("if a = 3: pass", "Invalid syntax.", (1, 4, 1, 9), "Write == to compare."),
    ("if 2 > 1\n  a = 1", "Expected ':'.", (1, 9, 1, 10), "End the line with a colon."),
    (
        "if 2 > 1:\na = 1",
        "Expected an indented block after 'if' statement on line 1.",
        (2, 1, 2, 2),
        "Indent this line by four spaces.",
    ),
    (
        "def f(a=1, b): return a",
        "A parameter without a default follows one with a default.",
        (1, 12, 1, 13),
        CHECK,
    ),
    ("f(a=1, 2)", "Positional argument follows keyword argument.", (1, 9, 1, 10), CHECK),
    ("print 1", "Missing parentheses in call to 'print'.", (1, 1, 1, 8), "Write print(…)."),
    ("y = 2 if x", "Expected 'else' after 'if' expression.", (1, 5, 1, 11), CHECK),
    (
        "a = 'x",
        "Unterminated string literal (detected at line 1).",
        (1, 5, 1, 6),
        "Close the quotation mark.",
    ),
    ("for i = 1: pass", "Invalid syntax.", (1, 7, 1, 8), CHECK),
    ("fro i in x: pass", "Invalid syntax.", (1, 5, 1, 6), "Write fro*i for a product."),
    (
        "a = '\\N{nothing}'",
        "An escape after a backslash in this string cannot be read.",
        (1, 5, 1, 18),
        CHECK,
    ),
    (
        "print(f'a}')",
        "Single '}' in an f-string.",
        (1, 10, 1, 11),
        "Write }} to show a brace, or { in front of the expression.",
    ),
    (
        "print(f'{a!x}')",
        "A conversion in an f-string is !r, !s or !a.",
        (1, 12, 1, 13),
        "Write {x!r}, or {x:.2f} for a format.",
    ),
]


@for_each(("text", "message", "span", "hint"), REFUSED, ids=[case[0][:30] for case in REFUSED])
def test_a_refusal_has_the_same_words_and_place_on_every_python(
    text: str, message: str, span: Span, hint: str
) -> None:
    with pytest.raises(ProgramError) as caught:
        Source(text, Limits(), parsed)
    check_place(caught.value, text)
    assert (caught.value.message, caught.value.span, caught.value.hint) == (message, span, hint)


@for_each("text", ["def f[T](a): return a", "type X = int", "class A[T]: pass", "x = t'{1}'"])
def test_grammar_that_newer_pythons_added_is_refused(text: str) -> None:
    with pytest.raises(ProgramError):
        Source(text, Limits())


DEEP = {
    "a sign": "-" * 5000 + "1",
    "calls": "f" + "()" * 5000,
    "attributes": "a" + ".b" * 5000,
    "powers": "a**" * 2500 + "1",
    "sums": "a+" * 4000 + "1",
    "branches": "if 1: pass\n" + "elif 1: pass\n" * 1200,
    "much beside": "a = 1\n" * 9000 + "-" * 5000 + "1",
}


@for_each("text", DEEP.values(), ids=DEEP)
def test_what_is_too_deep_for_one_python_is_refused_alike_by_all(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        Source(text, Limits(program_bytes=100_000))
    assert caught.value.message == "This is nested too deeply: at most 140 levels are read."
    assert caught.value.span == (1, 1, 1, 2)


READ = {
    "f'{1}'": "1",
    "f'{{}}'": "{}",
    "f\"{'a'}\"": "a",
    "f'''{'a'}'''": "a",
    "f'''{\n1}'''": "1",
    "f'{2.5:.2f}' 'b' f'{1}'": "2.50b1",
    "rf'\\d{1}'": "\\d1",
    "fR'{1}'": "1",
    "F'\\x41{1}'": "A1",
    "f'{1}'  # f'{'": "1",
    "'f\"' f'{1}' '\"'": 'f"1"',
    "f\"{f'{1}'}\"": "1",
}


@pytest.mark.parametrize(("text", "shown"), READ.items(), ids=READ)
def test_f_strings_of_python_311_are_read(text: str, shown: str) -> None:
    assert printed(f"s = {text}\nprint(s)") == [shown]


def test_an_error_before_an_f_string_is_named_first() -> None:
    with pytest.raises(ProgramError) as caught:
        Program("a = 2 b\nprint(f'{}')")
    assert caught.value.line == 1


def test_a_place_never_ends_before_the_first_character_of_a_line() -> None:
    """CPython ends the place of this keyword argument in column 0 of the third line."""
    with pytest.raises(ProgramError) as caught:
        Program("α = 0.5\nβ = tanh(5\n= 0:\n      )")
    assert caught.value.span == (2, 10, 2, 11)
    assert str(caught.value.message) == "Expression cannot contain assignment."
