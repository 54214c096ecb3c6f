"""The verdict on the page: bar, mistakes, table, cards; with and without scripts."""

from __future__ import annotations

import pytest

from app.explore.verdict import apply, fix_view
from app.picture.frame_state import due_at
from app.program_address import View
from engine.trace.build import trace
from engine.verdict.model import Fix
from tests.support.own_class import CLASS
from tests.support.own_classes import BY_HAND, DOUBLE, RIGHT, WRONG
from tests.support.pages import client, get, read

REUSED = """\
a = Scalar(3.0)
b = a * a + a
c = Scalar(2.0)
L = b * c
L.backward()
"""
ASSIGNS = WRONG + DOUBLE
"""b = a + a, whose class writes self.grad = out.grad: 1.0 where 2.0 is due."""


def test_the_first_cause_stands_in_the_bar() -> None:
    page = get("/", ASSIGNS)
    bar = page.one(id="verdict")
    line = next(n for n, text in enumerate(ASSIGNS.split("\n"), 1) if "self.grad = out" in text)
    assert f"Line {line}" in bar.text or f"Line {line + 1}" in bar.text
    assert "a.grad ends at 1.0, it should be 2.0." in bar.text
    assert "1 of 2 gradients right" in bar.text


def test_a_right_class_is_told_so_with_what_was_checked() -> None:
    text = get("/", RIGHT + DOUBLE).one(id="verdict").text
    assert "All 2 gradients are right, checked with 4 sets of numbers." in text


@pytest.mark.parametrize(
    "program", ["a = 2.0\nb = a * 3", "a = Value(2.0)\nb = a * a\nb.backward()"]
)
def test_programs_without_gradients_of_their_own_have_no_verdict(program: str) -> None:
    assert get("/", program).one(id="verdict").text.strip() == ""


def test_gradients_by_hand_are_judged() -> None:
    assert "All 3 gradients are right" in get("/", BY_HAND).one(id="verdict").text
    wrong = BY_HAND.replace("a.grad = b.data * c.grad", "a.grad = a.data * c.grad")
    text = get("/", wrong).one(id="verdict").text
    assert "Line 5 has a wrong partial: a.grad ends at 2.0, it should be -3.0." in text


def test_the_table_lists_yours_against_the_true_ones() -> None:
    page = get("/", ASSIGNS)
    cells = [cell.text for cell in page.within(page.one(id="against")).all("td")]
    assert cells == ["1.0000", "2.0000", "!wrong", "1.0000", "1.0000", "✓right"]


def test_the_json_has_true_gradients_and_mistakes() -> None:
    found = trace(ASSIGNS).to_json()
    by_label = {node["label"]: node for node in found["nodes"] if node["label"]}
    assert (by_label["a"]["grad"], by_label["a"]["true_grad"]) == (1.0, 2.0)
    (mistake,) = found["mistakes"]
    assert mistake["kind"] == "assigned"
    assert (mistake["node"], mistake["ends"], mistake["true"]) == (by_label["a"]["id"], 1.0, 2.0)
    written = found["frames"][mistake["frame"]]["written"]
    assert written["span"][0] == mistake["span"][0]
    assert (written["after"], written["due"], written["right"]) == (1.0, 2.0, False)
    assert found["verdict"]["points"] == 4
    assert apply(ASSIGNS, Fix(**mistake["fix"])).count("+= out.grad") == 1
    assert mistake["mend"] == mistake["fix"]  # its former name


def test_built_in_values_have_their_true_gradients() -> None:
    found = trace("a = Value(2.0)\nb = a * a\nb.backward()").to_json()
    assert [node["true_grad"] for node in found["nodes"]] == [4.0, 1.0]
    assert found["mistakes"] == []
    assert found["verdict"] is None


def test_a_frame_tells_the_function_and_its_closure() -> None:
    found = trace(RIGHT + REUSED).to_json()
    running = [f["written"]["running"] for f in found["frames"] if f.get("written")][1:]
    assert any(
        r["function"].endswith("__mul__.pull") or "__mul__" in r["function"] for r in running
    )
    names = {node["id"]: node["name"] for node in found["nodes"]}
    held = [{name: names[node] for name, node in r["variables"].items()} for r in running]
    assert {"self": "b", "other": "c", "out": "L"} in held


def test_due_gradients_follow_the_frames() -> None:
    found = trace(ASSIGNS)
    last = len(found.frames) - 1
    first_write = next(i for i, f in enumerate(found.frames) if f.written)
    assert due_at(found, first_write) == {}
    assert list(due_at(found, last).values()) == [2.0]


def test_a_fix_replaces_its_span_alone() -> None:
    assert apply("ab = 1\nc = 2\n", Fix((1, 4, 1, 5), "+=")) == "ab += 1\nc = 2\n"
    assert apply("ab\ncd", Fix((2, 1, 2, 1), "x\n")) == "ab\nx\ncd"


def test_a_class_without_a_reflected_operator_is_told_which() -> None:
    answer = client().get("/", params={"program": RIGHT + "a = Scalar(3.0)\nb = 2 * a\n"})
    assert answer.status_code == 422
    bar = read(answer.text).one(id="verdict").text
    line = RIGHT.count("\n") + 2
    assert f"Line {line} needs __rmul__" in bar


def test_markup_of_the_program_stays_text() -> None:
    text = ASSIGNS.replace("a = Scalar(3.0)", "a = Scalar(3.0); a.label = '<b>x</b>'")
    page = get("/", text)
    assert "<b>x</b>.grad ends at" in page.one(id="verdict").text
    assert "<b>x</b>" in page.one(id="against").text


def test_only_the_scene_shown_is_called_right() -> None:
    two = RIGHT + DOUBLE + "c = a + a\nc.backward()\n"
    assert "of scene 2 are right" in get("/", two).one(id="verdict").text
    assert "of scene" not in get("/", RIGHT + DOUBLE).one(id="verdict").text


def test_a_gradient_of_two_passes_is_not_shown_as_the_same_number() -> None:
    two = RIGHT + "a = Scalar(3.0)\nb = a + a\nb.backward()\nc = a + a\nc.backward()\n"
    page = get("/", two)
    (row,) = [row.text for row in page.within(page.one(id="against")).all("tr") if "+" in row.text]
    assert row == "a4.00002.0000+right: added to that of the pass before"


def test_a_mistake_that_these_numbers_hide_is_not_counted_at_them() -> None:
    hidden = RIGHT.replace("+= other.data * out.grad", "+= out.grad")
    text = get("/", hidden + "a = Scalar(3.0)\nd = Scalar(1.0)\nb = a * d\nb.backward()\n")
    assert "1 mistake · hidden at the program’s own numbers" in text.one(id="verdict").text


def test_a_fix_is_shown_as_the_line_that_it_makes() -> None:
    view = View(program="if x:\n    y = 1\n")
    assert fix_view(Fix((2, 7, 2, 8), "+="), view, view.program or "").line == "y += 1"
    assert fix_view(Fix((3, 1, 3, 1), "z = 2\n"), view, view.program or "").line == "z = 2"
    below = Fix((2, 10, 2, 10), "\n\n    z = 2")
    assert fix_view(below, view, view.program or "").line == "z = 2"


def test_a_wrong_partial_is_put_right_in_one_place() -> None:
    """In the list, where scripts have no editor: the bar above only says what is wrong."""
    squared = CLASS.replace("(1 - t**2) * out.grad", "(1 - x**2) * out.grad")
    assert squared != CLASS
    page = get("/", f"{squared}a = Value(0.5)\nb = (a * 2).tanh()\nb.backward()\n")
    assert "t ** 2" not in page.one(id="verdict").text
    (right,) = page.all("p", **{"class": "right"})
    assert "(1 - t ** 2) * out.grad" in right.text


def test_a_write_that_came_too_early_is_not_called_due() -> None:
    early = RIGHT.replace("reversed(order)", "order")
    program = early + "a = Scalar(3.0)\nb = Scalar(2.0)\nc = a * b\nL = c + c\nL.backward()\n"
    found = trace(program)
    (mistake,) = found.to_json()["mistakes"]
    card = get("/", program, frame=mistake["frame"]).one(id="explanation")
    assert f"The mistake in line {mistake['span'][0]} shows here." in card.text


def test_gradients_that_are_cleared_after_the_pass_are_not_shown_as_still_there() -> None:
    """L = a b + a: dL/da = b + 1 = 4, which the line after the pass clears; dL/db = a = 2."""
    use = "a = Value(2.0)\nb = Value(3.0)\nL = a * b + a\nL.backward()\na.grad = 0.0\n"
    page = get("/", f"{CLASS}\n{use}")
    table = page.one(id="against")
    rows = {page.within(row).all("th")[0].text: row for row in page.within(table).all("tr")[1:]}
    assert rows["a"].attributes["class"] == "later"
    assert "right after the pass, later set to 0" in rows["a"].text
    assert rows["b"].attributes["class"] == "ok"
