"""The verdict: no right program is accused, and of two mistakes the first is named."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from engine.verdict.fixes import verdict_on
from tests.support.bugs import Pair, Right, edited, pairs, right_programs
from tests.support.each import for_each
from tests.support.places import DATA

pytestmark = pytest.mark.usefixtures("natively")

BROKEN = frozenset({
    "class_forgotten_parents", "class_mul_overwrites_only", "class_other_grad_bug",
    "class_overwrites_gradient", "class_relu_sets_gradient", "class_relu_that_leaks",
    "class_tanh_wrong_derivative", "lecture_missing_zero_grad",
})  # fmt: skip
"""Programs of the corpus that are wrong on purpose, as their names say."""
CORPUS = [
    file
    for file in sorted((DATA / "corpus").glob("class_*.py"))
    if file.stem not in BROKEN and "grad" in file.read_text("utf-8")
]
SEEDS_OF_LEARNERS = {"oddities/seed_of_a_half": 0.5, "oddities/weighted_losses": 0.25}
SEEDS = sorted((DATA / "seeds").glob("*.py"))


def named(text: str) -> list[tuple[str, int]]:
    """The kinds and lines of the mistakes of a program."""
    return [(mistake.kind, mistake.span[0]) for mistake in verdict_on(text)[1] or ()]


@for_each("right", right_programs(), ids=lambda right: right.name)
def test_a_right_program_is_not_accused_and_its_gradients_are_right(right: Right) -> None:
    verdict, found = verdict_on(right.text)
    assert found == ()
    assert verdict is not None
    assert verdict.right == verdict.checked > 0
    assert (verdict.because, verdict.seed) == ("", SEEDS_OF_LEARNERS.get(right.name, 1.0))


@for_each("file", [*CORPUS, *SEEDS], ids=lambda file: file.stem)
def test_a_program_that_people_write_is_not_accused(file: object) -> None:
    text = file.read_text("utf-8")  # type: ignore[attr-defined]
    assert named(text) == []


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_of_two_mistakes_the_first_is_named_and_the_second_once_it_is_fixed(pair: Pair) -> None:
    found = named(pair.text)
    assert found[0][0] in pair.first.kinds
    lines = pair.text.split("\n")
    assert lines[found[0][1] - 1].strip() in (pair.first.blamed, pair.first.cause)
    fixed = edited(pair.first.base.text, pair.second.edits)
    found = named(fixed)
    assert found[0][0] in pair.second.kinds
    assert found[0][1] in pair.second.lines


def test_a_pass_by_hand_that_has_only_begun_is_not_accused_but_told_what_comes_next() -> None:
    (right,) = [it for it in right_programs() if it.name == "by_hand/called_one_by_one"]
    begun = right.text.replace("d._backward()\n", "").replace("c._backward()\n", "")
    verdict = trace(begun).verdict
    assert verdict is not None
    assert not verdict.mistakes
    assert verdict.because == "No line runs the operation of d yet."


@pytest.mark.parametrize(
    ("after", "is_told"),
    [
        ("a.grad = 0.0\na.data -= 0.1 * a.grad", True),
        ("for v in (a, b): v.grad = 0\nfor v in (a, b): v.data -= 0.1 * v.grad", True),
        ("b.grad = 0.0\na.data -= 0.1 * a.grad", False),
        ("a.data -= 0.1 * a.grad\na.grad = 0.0", False),
        ("for v in (a, b):\n    v.data -= 0.1 * v.grad\n    v.grad = 0", False),
    ],
)
def test_gradients_set_to_zero_before_the_update_are_told(after: str, is_told: bool) -> None:
    (right,) = [it for it in right_programs() if it.name == "closures/lecture"]
    text = right.text[: right.text.index("for v in (a, b, c")] + after
    verdict = trace(text).verdict
    assert verdict is not None
    assert not verdict.mistakes
    assert ("before line" in verdict.because) == is_told


def test_a_sum_on_a_gradient_of_minus_one_is_followed() -> None:
    """The gradient of v is -1 when the product's parts come: the line for all operations adds."""
    (right,) = [it for it in right_programs() if it.name == "functions/contexts"]
    graph = "u = T(1.5)\nv = u + u\ny = v * v * u - v\ny.backward()\n"
    text = right.text[: right.text.index("x = T(0.5)")] + graph
    assert named(text) == []
    wrong = text.replace("return up * b, up * a", "return b, a")
    line = wrong.split("\n").index("        return b, a") + 1
    assert named(wrong) == [("upstream_missing", line)]


def test_a_gradient_that_the_pass_takes_away_again_is_missed() -> None:
    (right,) = [it for it in right_programs() if it.name == "functions/contexts"]
    line = "                s.grad = s.grad + g"
    taken = right.text.replace(line, f"{line}\n            t.grad = None")
    leaves = taken.replace("if t.fn is None:", "if t.fn is None:\n                t.grad = None")
    assert {kind for kind, _ in named(leaves)} == {"altered"}
