"""Slopes through numbers that could not be traced: the program runs again with the leaf moved."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.trace.build import trace
from engine.trace.gradcheck import check
from engine.trace.rerun import Rerun
from tests.support.own_class import CLASS
from tests.support.pages import get
from tests.support.programs import node

READ = CLASS.replace("int(self.data)", "float(str(self.data))")
"""A method `rounded` that changes no number, but through text."""
TEXT = f"{READ}a = Value(2.75)\nb = Value(3.0)\nh = (a * b).rounded()\nL = h * b\nL.backward()\n"
"""L = a·b², so dL/da = b² and dL/db = 2·a·b."""
PLENTY = 100_000


def rerun(text: str, most: int = PLENTY, leaves: dict[str, float] | None = None) -> Rerun:
    program = Program(text)
    return Rerun(program, leaves or {}, trace(program, leaves), most)


def verdicts(measure: Rerun) -> dict[str, str]:
    names = measure.shown.names()
    return {names[row.node]: row.verdict for row in check(measure.shown, rerun=measure)}


@pytest.mark.parametrize("leaves", [{}, {"a": -1.5}, {"a": 4.0, "b": 0.25}])
def test_the_slope_is_that_of_the_program(leaves: dict[str, float]) -> None:
    measure = rerun(TEXT, leaves=leaves)
    a, b = node(measure.shown, "a").data, node(measure.shown, "b").data
    slopes = {row.node: row.slope for row in check(measure.shown, rerun=measure)}
    assert slopes[node(measure.shown, "a").id] == pytest.approx(b * b, rel=1e-6)
    assert slopes[node(measure.shown, "b").id] == pytest.approx(2 * a * b, rel=1e-6)
    assert verdicts(rerun(TEXT, leaves=leaves)) == {"a": "agrees", "b": "agrees"}


def test_a_wrong_gradient_shows() -> None:
    start, end = TEXT.split('"int")')
    wrong = f'{start}"int"){end.replace("+=", "-=", 1)}'
    assert verdicts(rerun(wrong))["a"] == "differs: the slope is 9.0000, the gradient −9.0000"


def test_a_rounded_number_has_slope_0() -> None:
    text = TEXT.replace("float(str(self.data))", "int(self.data)")
    assert verdicts(rerun(text))["a"] == "differs: the slope is 0.0000, the gradient 9.0000"


def test_beyond_the_operations_nothing_is_measured() -> None:
    assert all(verdict.startswith("unknown") for verdict in verdicts(rerun(TEXT, 0)).values())
    assert verdicts(rerun(TEXT, Program(TEXT).limits.recorded))["a"] == "agrees"


def test_a_number_that_was_trained_before_the_pass_is_not_moved() -> None:
    text = f"{TEXT}b.data -= 0.5\nh = (a * b).rounded()\nL = h * a\nL.backward()\n"
    found = verdicts(rerun(text))
    assert found["b"].startswith("unknown")


def test_a_program_that_fails_when_moved_is_not_measured() -> None:
    text = f"{TEXT}assert a.data == 2.75\n"
    found = verdicts(rerun(text))
    assert found["a"].startswith("unknown")
    assert found["b"] == "agrees"


def test_the_page_checks_so() -> None:
    page = get("/", TEXT, lens="check")
    rows = [row for row in page.all("tr") if "data-key" in row.attributes]
    assert [page.within(row).one("td", class_="verdict").text[-6:] for row in rows] == [
        "agrees"
    ] * 2
