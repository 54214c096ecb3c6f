"""Gradients of plain numbers that a program computes by hand: judged, at other numbers too."""

from dataclasses import dataclass
from textwrap import dedent

import pytest

from engine.by_hand import model
from engine.by_hand.model import HandVerdict
from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace import Trace
from engine.trace.build import trace

LINE = """\
    xs, ys = [1.0, 2.0, 3.0], [3.0, 5.0, 6.0]
    m, c, n = 0.5, 0.25, 3
    for epoch in range(4):
        loss = dm = dc = 0.0
        for x, y in zip(xs, ys):
            error = m*x + c - y
            loss += error**2
            dm += 2*error*x
            dc += 2*error
        loss /= n
        dm /= n
        dc /= n
        m -= 0.01*dm
        c -= 0.01*dc
    """
NETWORK = """\
    import math
    x, t, w1, w2, b = 0.5, 1.0, 0.4, -0.3, 0.2
    z1 = w1*x
    a1 = 1/(1 + math.exp(-z1))
    z2 = w2*a1 + b
    E = 0.5*(z2 - t)**2
    dz2 = z2 - t
    dw2 = dz2*a1
    db = 1.0*dz2
    da1 = dz2*w2
    dz1 = da1*a1*(1 - a1)
    dw1 = dz1*x
    """
CHAIN = """\
    x, y, z = -2.0, 5.0, -4.0
    q = x + y
    f = q*z
    dfdq = 1.0*z
    dfdz = 1.0*q
    dqdx = 1.0
    dfdx = dfdq*dqdx
    """
SAMPLES = """\
    w, b = 0.5, 0.0
    for x, y in [(1.0, 3.0), (2.0, 5.0), (4.0, 1.0)]:
        loss = (w*x + b - y)**2
        dw = 2*(w*x + b - y)*x
        db = 2*(w*x + b - y)
        w -= 0.1*dw
        b -= 0.1*db
    """


@dataclass(frozen=True)
class Slip:
    """A change of a right program, and the line of it that is blamed."""

    text: str
    right: str
    wrong: str
    line: int
    is_fixed: bool = True


SLIPS = {
    "a factor is left out": Slip(LINE, "2*error*x", "2*error", 8),
    "the two of the square": Slip(LINE, "dc += 2*error", "dc += error", 9),
    "the mean is left out": Slip(LINE, "        dm /= n\n", "", 8),
    "the wrong sign": Slip(LINE, "dm += 2*error*x", "dm += -2*error*x", 8),
    "another weight": Slip(NETWORK, "da1 = dz2*w2", "da1 = dz2*w1", 10),
    "before for after": Slip(NETWORK, "a1*(1 - a1)", "z1*(1 - z1)", 11),
    "half of the derivative": Slip(NETWORK, "da1*a1*(1 - a1)", "da1*(1 - a1)", 11),
    "the target first": Slip(NETWORK, "dz2 = z2 - t", "dz2 = t - z2", 7),
    "a sum for a product": Slip(CHAIN, "dfdx = dfdq*dqdx", "dfdx = dfdq + dqdx", 7),
}


def traced(text: str) -> Trace:
    return trace(Program(dedent(text), None, RepeatableRecording))


def judged(text: str) -> HandVerdict:
    found = traced(text).by_hand
    assert found is not None
    return found


@pytest.mark.parametrize("text", [LINE, NETWORK, CHAIN, SAMPLES])
def test_right_gradients_are_called_right(text: str) -> None:
    found = judged(text)
    assert found.checked == found.right > 0
    assert not found.mistakes


def test_the_loss_is_drawn_and_its_gradients_are_the_true_ones() -> None:
    shown = traced(LINE)
    assert shown.by_hand is not None
    assert shown.by_hand.loss == "loss"
    nodes = {node.id: node for node in shown.nodes}
    assert shown.output is not None
    # Σ (m x + c − y)²/3 at m = 0.5, c = 0.25, by hand: errors −2.25, −3.75, −4.25
    assert nodes[shown.output].data == pytest.approx((2.25**2 + 3.75**2 + 4.25**2) / 3)
    due = {row.shown: row.due.data[0] for row in shown.by_hand.gradients if row.due is not None}
    assert due["dm"] == pytest.approx(2 / 3 * (-2.25 * 1 - 3.75 * 2 - 4.25 * 3))
    assert due["dc"] == pytest.approx(2 / 3 * (-2.25 - 3.75 - 4.25))
    assert not shown.notes


@pytest.mark.parametrize("name", SLIPS)
def test_slips_are_blamed_in_their_line_with_a_fix_that_works(name: str) -> None:
    slip = SLIPS[name]
    assert slip.right in slip.text
    found = judged(slip.text.replace(slip.right, slip.wrong, 1))
    assert found.right < found.checked
    mistake = found.mistakes[0]
    assert mistake.span[0] == slip.line
    assert mistake.fix is not None


def test_what_is_right_for_one_sample_alone_is_not_called_right() -> None:
    found = judged(SAMPLES.replace("- y)*x", "- y)"))  # the first x is 1
    states = {row.shown: row.state for row in found.gradients}
    assert states == {"dw": model.LUCKY, "db": model.RIGHT}
    assert not found.mistakes
    assert found.right == 1 < found.checked == 2


@pytest.mark.parametrize(
    "text",
    [
        """\
        x, v, k, dt = 1.0, 0.0, 2.0, 0.01
        for i in range(20):
            dv = -k*x*dt
            dx = v*dt
            x += dx
            v += dv
        E = 0.5*v**2 + 0.5*k*x**2
        """,
        """\
        y, dt, J = 1.0, 0.1, 0.0
        for i in range(5):
            dy = -y*dt
            y = y + dy
            J += y*y
        """,
        """\
        def f(w): return (w*3.0 - 2.0)**2
        w, h = 0.3, 0.01
        loss = f(w)
        grad_w = (f(w + h) - loss)/h
        """,
        """\
        w, lr = 3.0, 0.1
        for i in range(3):
            loss = (w - 1)**2
            dw = lr*2*(w - 1)
            w -= dw
        """,
    ],
)
def test_steps_and_measured_slopes_are_not_accused(text: str) -> None:
    found = traced(text).by_hand
    assert found is None or not found.mistakes
