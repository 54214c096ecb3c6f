"""Random texts and mutated programs: drawn or refused, nothing else."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.each import for_each
from tests.support.hostile import GOOD, answer

TOKENS = (
    *"()[]{}:;,.=+-*/%@&|^~<>!'\"#\\ \n\t", "**", "//", "==", "!=", ":=", "->", "...", "f'", "{x}",
    "0", "1", "2.5", "1e999", "9" * 320, "x", "y", "_", "__class__", "Value", "MLP", "print", "sum",
    "for ", "in ", "if ", "else ", "def ", "return ", "lambda ", "class ", "import ", "from ",
    "not ", "and ", "is ", "del ", "None", "True", "\n    ", "é", "×", "\u200b", "\ud800", "\x00",
    "random.", "math.", ".data", ".grad", ".backward()", "range(9)", "label=", "*", "inf", "nan",
)  # fmt: skip

mutations = st.lists(
    st.tuples(
        st.sampled_from(["put", "cut", "swap"]), st.integers(0, 400), st.sampled_from(TOKENS)
    ),
    min_size=1,
    max_size=6,
)


def mutated(text: str, changes: list[tuple[str, int, str]]) -> str:
    """A program with pieces put in, cut out or put in place of others."""
    for change, place, token in changes:
        at = place % (len(text) + 1)
        end = at if change == "put" else at + 1 + place % 5
        text = text[:at] + ("" if change == "cut" else token) + text[end:]
    return text


@given(st.text())
@example("\ufeffa = 1")
@example("f'''\n{x!r:\n>{y}}'''")
@example("a = 1\\")
@example("\\\n")
@example("\tif 1:\n x")
def test_any_text_is_drawn_or_refused(text: str) -> None:
    answer(text)


@given(st.lists(st.sampled_from(TOKENS), max_size=30).map("".join))
def test_any_tokens_are_drawn_or_refused(text: str) -> None:
    answer(text)


@given(st.sampled_from(GOOD), mutations)
def test_any_mutated_program_is_drawn_or_refused(
    text: str, changes: list[tuple[str, int, str]]
) -> None:
    answer(mutated(text, changes))


@for_each("text", GOOD)
def test_the_programs_before_mutation_run(text: str) -> None:
    assert answer(text) == "ok"
