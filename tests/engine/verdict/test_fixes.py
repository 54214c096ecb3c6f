"""Fixes: the one line as it should be."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.verdict.fixes import applied, verdict_on, with_fixes
from engine.verdict.model import Mistake
from tests.support.bugs import Bug, bugs

FIXABLE = [bug for bug in bugs() if bug.fix]
"""The mistakes that one line mends."""
UNFIXED = frozenset({
    "by_hand/tanh_of_the_input", "gathered/add_has_no_inputs", "partials/mul_with_one_partial",
    "partials/exp_without_partial", "table/slope_alone", "table/slope_times_own_gradient",
    "tape/rsub_the_wrong_way_round",
})  # fmt: skip
"""Those for which that line is not found."""
PARTS = 8


def fixed(bug: Bug) -> tuple[Mistake, str | None]:
    """The first mistake of a program, and the text with its fix."""
    _, found = verdict_on(bug.text)
    assert found
    (first,) = with_fixes(Program(bug.text), found[:1])
    if first.fix is None:
        return first, None
    return first, applied(bug.text, first.fix.span, first.fix.text)


def changed_lines(before: str, after: str) -> int:
    """Lines of `before` that are not in `after`."""
    kept = after.split("\n")
    return sum(line not in kept for line in before.split("\n"))


@pytest.mark.parametrize("part", range(PARTS))
def test_a_fix_is_found_for_most_and_leaves_a_program_without_this_mistake(part: int) -> None:
    for bug in FIXABLE[part::PARTS]:
        mistake, text = fixed(bug)
        assert text is not None or bug.name in UNFIXED, bug.name
        if text is not None:
            verdict, found = verdict_on(text)
            assert verdict is not None, bug.name
            assert mistake.kind not in {m.kind for m in found or ()}, bug.name
            assert changed_lines(bug.text, text) <= 1, bug.name


def test_a_wrong_partial_says_the_right_one_in_the_names_of_the_program() -> None:
    bug = next(bug for bug in bugs() if bug.name == "closures/tanh_of_the_input")
    mistake, text = fixed(bug)
    assert text is not None
    assert "The partial is 1 - out.data ** 2." in mistake.message


@pytest.mark.parametrize("name", ["closures/no_rsub", "closures/no_rmul"])
def test_a_missing_reflected_operator_is_added_to_the_class(name: str) -> None:
    bug = next(bug for bug in bugs() if bug.name == name)
    _, text = fixed(bug)
    assert text is not None
    assert verdict_on(text)[1] == ()


def test_a_missing_reflected_power_is_added_to_the_class() -> None:
    text = (
        "class Node:\n    def __init__(self, data):\n        self.data = float(data)\n"
        "        self.grad = 0.0\n    def __pow__(self, other):\n"
        "        other = other if isinstance(other, Node) else Node(other)\n"
        "        return Node(self.data ** other.data)\n"
        "a = Node(3)\nb = 2 ** a"
    )
    _, found = verdict_on(text)
    assert found
    (first,) = with_fixes(Program(text), found)
    assert first.fix is not None
    assert "def __rpow__(self, other):" in applied(text, first.fix.span, first.fix.text)
