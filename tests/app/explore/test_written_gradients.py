"""Gradients that the program writes itself: the card, the transcript, the check, the sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.explore.explanation import card, slots
from app.explore.gradient_check import check_rows
from engine.trace.build import trace
from engine.trace.gradcheck import check
from engine.trace.transcript import transcript
from tests.support import node
from tests.support.own_classes import BY_HAND, DOUBLE, RIGHT, TWO_PASSES, WRONG
from tests.support.pages import get, read
from tests.support.places import ROOT

SCRIPT = Path(__file__).with_name("slots.mjs")
EXPLORE = ROOT / "static/js/explore"
LINE = WRONG[: WRONG.index("self.grad = out.grad")].count("\n") + 1


def visible(html: str) -> str:
    """The text of a card, without what is hidden."""
    page = read(f"<div>{html}</div>")
    hidden = {e.text for e in page.elements if "hidden" in e.attributes}
    text = page.elements[0].text
    for words in hidden:
        text = text.replace(words, "", 1)
    return text


def test_a_card_says_the_line_and_the_change() -> None:
    found = trace(BY_HAND)
    *_, seed, a, b = (visible(card(found, at)) for at in range(len(found.frames)))
    assert "Line 4 sets the gradient of c:" in seed
    assert "c.grad = 1.0" in seed
    assert "Line 5 sets the gradient of a:" in a
    assert "before0.0000→after−3.0000" in a
    assert "Line 6 adds to the gradient of b:" in b
    assert "b.grad += a.data * c.grad" in b


def test_the_transcript_quotes_the_line() -> None:
    texts = [line.text for line in transcript(trace(BY_HAND)) if line.pass_ == "backward"]
    assert texts == [
        "Line 4 sets the gradient of c: 0.0 → 1.0, by c.grad = 1.0.",
        "Line 5 sets the gradient of a: 0.0 → -3.0, by a.grad = b.data * c.grad.",
        "Line 6 adds to the gradient of b: 0.0 → 2.0, by b.grad += a.data * c.grad.",
    ]


def test_the_span_is_the_whole_statement() -> None:
    lines = BY_HAND.split("\n")
    for frame in trace(BY_HAND).frames:
        if frame.written:
            line, column, end_line, end_column = frame.written.span
            assert (line, column) == (end_line, 1)
            assert end_column == len(lines[line - 1]) + 1


def test_numbers_are_those_of_the_class() -> None:
    """CPython prints 2.0 and 1.0 for a.grad."""
    for program, grad in ((RIGHT, 2.0), (WRONG, 1.0)):
        found = trace(f"{program}{DOUBLE}print(a.grad)")
        assert found.printed == (repr(grad),)
        assert next(n.grad for n in found.nodes if n.label == "a") == grad
        last = [f.written.after for f in found.frames if f.written and f.node == "v1"][-1]
        assert last == grad


def test_the_check_shows_a_wrong_gradient() -> None:
    (right,) = check_rows(trace(RIGHT + DOUBLE), 1000) or ()
    (wrong,) = check_rows(trace(WRONG + DOUBLE), 1000) or ()
    assert (right.verdict, right.ok) == ("agrees", True)
    assert (wrong.grad, wrong.nudge, wrong.ok) == ("1.0000", "2.0000", False)
    assert wrong.verdict == "differs: the slope is 2.0000, the gradient 1.0000"
    page = get("/", WRONG + DOUBLE, lens="check")
    (mark,) = page.all("td", class_="verdict")
    assert mark.has(class_="bad")
    assert "✓" not in page.within(page.one(id="check")).elements[0].text


def test_the_check_says_what_was_not_reset() -> None:
    """a.grad is 6 after the first pass; dc/da = 2a + 1 = 7 comes on top, twice through b."""
    (row,) = check_rows(trace(RIGHT + TWO_PASSES), 1000) or ()
    assert not row.ok
    assert row.verdict.startswith("differs: the slope is 7.0000")
    fresh = RIGHT + DOUBLE + "c = a + a\nc.backward()"
    (row,) = check_rows(trace(fresh), 1000) or ()
    assert row.verdict == (
        "differs: the slope is 2.0000, the gradient 4.0000, "
        "as it was 2.0000 before this pass and was not reset"
    )


def test_the_sentence_gives_the_slope_and_not_the_wrong_gradient() -> None:
    text = json.dumps(get("/", WRONG + DOUBLE).trace)
    script = Path(__file__).with_name("sentence.mjs")
    said, _ = json.loads(node.run(script, EXPLORE / "trace.js", EXPLORE / "leaves.js", text=text))
    assert said == "If a grows by 0.01, b grows by about 0.02."


def test_without_a_pass_nothing_is_checked() -> None:
    program = RIGHT + "a = Scalar(3.0)\nb = a + a\nb"
    found = trace(program)
    assert all(frame.pass_ == "forward" for frame in found.frames)
    assert check(found) == []
    page = get("/", program, lens="check")
    assert "has run no backward pass" in page.one(id="check").text
    assert page.one(id="pass").text == "forward"


@pytest.mark.parametrize("program", [BY_HAND, WRONG + TWO_PASSES, RIGHT + DOUBLE])
def test_scripts_fill_the_same_slots(program: str) -> None:
    found = trace(program)
    text = json.dumps(get("/", program).trace)
    ran = node.run(SCRIPT, EXPLORE / "trace.js", EXPLORE / "explanation.js", text=text)
    lines = ran.splitlines()
    for at, frame in enumerate(found.frames):
        if frame.written:
            wanted = {k: x for k, x in slots(found, at).items() if k.startswith("written.")}
            assert _known(json.loads(lines[at])) == _known(wanted)


def _known(slots_of_frame: Mapping[str, object]) -> dict[str, object]:
    """The slots that a card shows: of flags those that are set."""
    return {name: x for name, x in slots_of_frame.items() if x not in (None, False, "")}


def test_the_check_says_which_gradient_was_never_written() -> None:
    program = RIGHT + "a = Scalar(3.0)\nb = Scalar(2.0)\nc = a * b\nc.grad = 1.0\na.grad = b.data\n"
    rows = {row.label: row.verdict for row in check_rows(trace(program), 1000) or ()}
    assert rows == {
        "a": "agrees",
        "b": "differs: the slope is 3.0000, the gradient 0.0000, which the program never wrote",
    }
