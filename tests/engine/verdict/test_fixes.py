"""The verdict on the catalogue: kind and line of every mistake, and the line as it should be."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.verdict.fixes import verdict_on, with_fixes
from engine.verdict.model import Mistake
from engine.verdict.text_edits import applied
from tests.support.bugs import Bug, bugs, right_programs
from tests.support.each import for_each

pytestmark = pytest.mark.usefixtures("natively")

UNFIXED = frozenset({
    "by_hand/tanh_of_the_input", "gathered/add_has_no_inputs", "partials/mul_with_one_partial",
    "partials/exp_without_partial", "table/slope_alone", "table/slope_times_own_gradient",
    "slots/wrong_rule_for_sub", "tape/rsub_the_wrong_way_round",
})  # fmt: skip
"""The mistakes that one line fixes, for which that line is not found."""


def first_mistake(bug: Bug) -> Mistake:
    _, found = verdict_on(bug.text)
    assert found
    return found[0]


def fixed(bug: Bug, mistake: Mistake) -> tuple[Mistake, str | None]:
    """The mistake with its fix, and the text with that."""
    (with_fix,) = with_fixes(Program(bug.text), (mistake,))
    if with_fix.fix is None:
        return with_fix, None
    return with_fix, applied(bug.text, with_fix.fix.span, with_fix.fix.text)


def changed_lines(before: str, after: str) -> int:
    """Lines of `before` that are not in `after`."""
    kept = after.split("\n")
    return sum(line not in kept for line in before.split("\n"))


def each_with_place() -> list[tuple[Bug, int]]:
    return [(bug, place) for place, bug in enumerate(bugs())]


@for_each(("bug", "place"), each_with_place, ids=[bug.name for bug in bugs()])
def test_it_is_named_first_and_most_have_a_fix_that_leaves_none_of_its_kind(
    bug: Bug, place: int
) -> None:
    """Fixes are looked for in every third; the text with one was judged before it was offered."""
    first = first_mistake(bug)
    assert first.kind in bug.kinds
    assert first.span[0] in bug.lines
    if not bug.fix or place % 3:
        return
    _, text = fixed(bug, first)
    assert text is not None or bug.name in UNFIXED
    if text is not None:
        assert changed_lines(bug.text, text) <= 1
    if text is not None and place % 12 == 0:
        verdict, found = verdict_on(text)
        assert verdict is not None
        assert first.kind not in {mistake.kind for mistake in found or ()}


def test_a_wrong_partial_says_the_right_one_in_the_names_of_the_program() -> None:
    bug = next(bug for bug in bugs() if bug.name == "closures/tanh_of_the_input")
    mistake, text = fixed(bug, first_mistake(bug))
    assert text is not None
    assert "The partial is 1 - t ** 2." in mistake.message


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("closures/tanh_of_the_input", "You squared x, not t."),
        ("closures/exp_of_the_input", "You used self.data, not out.data."),
        ("numpy/tanh_of_x", "You squared self.data, not t."),
    ],
)
def test_a_fix_that_changes_one_name_says_which(name: str, says: str) -> None:
    bug = next(bug for bug in bugs() if bug.name == name)
    assert fixed(bug, first_mistake(bug))[0].why == says


RELU = next(right for right in right_programs() if right.name == "slots/hierarchy").text
SLOPE = "        if self.kids[0].v > 0:\n            self.kids[0].g += self.g"
GRAPH = RELU[RELU.index("c = (a * b)") :]


@pytest.mark.parametrize("graph", ["c = (a * b * b).relu()\nbackward(c * c)", GRAPH])
@pytest.mark.parametrize("slope", [0.5, 1.0, -2.0])
def test_the_fix_of_a_relu_knows_its_flat_side_whatever_numbers_it_has(
    graph: str, slope: float
) -> None:
    """`c * c` is flat where `c` is 0: no gradient ever comes to the flat side."""
    wrong = RELU.replace(SLOPE, f"        self.kids[0].g += {slope} * self.g")
    text = wrong.replace(GRAPH, graph)
    mistakes = with_fixes(Program(text), verdict_on(text)[1] or ())
    fixes = [mistake.fix for mistake in mistakes if mistake.fix is not None]
    assert fixes or slope == 1.0
    for fix in fixes:
        fixed = applied(text, fix.span, fix.text)
        assert verdict_on(fixed.replace(graph, GRAPH))[1] == ()


@pytest.mark.parametrize("name", ["closures/no_rsub", "closures/no_rmul"])
def test_a_missing_reflected_operator_is_added_to_the_class(name: str) -> None:
    bug = next(bug for bug in bugs() if bug.name == name)
    _, text = fixed(bug, first_mistake(bug))
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
