"""What the page says of gradients of plain numbers that a program computes by hand."""

from app.explore.hand_gradients import all_right, hand_view, headline
from engine.by_hand.model import HandVerdict
from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace.build import trace

SQUARE = "w, x, y = 0.5, 2.0, 3.0\nloss = (w*x - y)**2\ndw = 2*(w*x - y)*x\n"


def judged(text: str) -> HandVerdict:
    found = trace(Program(text, None, RepeatableRecording)).by_hand
    assert found is not None
    return found


def test_a_number_stands_beside_the_true_one_with_its_sign() -> None:
    shown = hand_view(judged(SQUARE))
    assert shown.is_of_numbers
    assert [(row.name, row.yours, row.true) for row in shown.rows] == [("dw", "−8.0000", "−8.0000")]
    assert not shown.compared


def test_headline_says_what_it_is_and_what_it_should_be() -> None:
    said = str(headline(judged(SQUARE.replace("- y)*x", "- y)"))))
    assert "Line 3 leaves out x for dw: <code>dw</code> is" in said
    assert "−4.0000</b>, and should be −8.0000." in said


def test_luck_is_no_proof() -> None:
    found = judged(SQUARE.replace("x, y = 0.5, 2.0", "x, y = 0.5, 1.0").replace("- y)*x", "- y)"))
    assert all_right(found) == "dw is right for these numbers alone."
    assert hand_view(found).rows[0].says == "for these alone"
