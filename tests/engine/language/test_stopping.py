"""Runs that are stopped at the limit of operations: their last finished scene is drawn."""

from __future__ import annotations

import pytest

from engine.program import Limits, Program, ProgramError
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.support.own_class import CLASS

LIMITS = Limits(operations=20_000)
TURNS = """\
w = Value(1.0)
for step in range(100_000):
    d = w * 3.0 + -1.0
    loss = d * d
    w.grad = 0.0
    loss.backward()
    w.data -= 0.01 * w.grad
    print(step)
"""
BACKWARD = """\
    def backward(self):
        order, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    build(child)
                order.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()
"""
BUILT_IN, OWN = TURNS, CLASS + TURNS


def stopped(text: str) -> Trace:
    return trace(text, limits=LIMITS)


@pytest.mark.parametrize("text", [BUILT_IN, OWN])
def test_last_finished_pass_is_drawn_with_its_numbers(text: str) -> None:
    """The derivative of (3w − 1)² is 6 (3w − 1)."""
    found = stopped(text)
    steps = len([line for line in found.printed if line])
    w = 1.0
    drawn = next(node for node in found.nodes if node.label == "w")
    for _ in range(len([scene for scene in found.scenes if scene.kind == "backward"]) - 1):
        w -= 0.01 * 6 * (3 * w - 1)
    assert steps > 20
    assert drawn.data == pytest.approx(w, rel=1e-9)
    assert drawn.grad == pytest.approx(6 * (3 * w - 1), rel=1e-9)
    assert not found.mistakes


@pytest.mark.parametrize("text", [BUILT_IN, OWN])
def test_notice_names_the_turn_the_loop_and_a_way_out(text: str) -> None:
    found = stopped(text)
    assert found.stopped is not None
    assert found.notes[0] == found.stopped
    line = text[: text.index("for step")].count("\n") + 1
    assert found.stopped.span == (line, 13, line, 27)
    assert f"of the loop in line {line}: it needs more than 20,000 op" in found.stopped.message
    assert f"Shown is its last finished scene, {found.scenes[-1].title}." in found.stopped.message
    assert "Do fewer turns of the loop" in found.stopped.message
    assert found.to_json()["stopped"]["message"] == found.stopped.message


def test_pass_under_way_is_no_scene() -> None:
    """The second pass is stopped when it has set its seed."""
    endless = "a = Value(2.0)\nb = a * a\nb.backward()\nendless = True\nb.backward()\n"
    spin = BACKWARD.replace(
        "self.grad = 1.0\n", "self.grad = 1.0\n        while endless:\n            pass\n"
    )
    found = stopped(f"endless = False\n{CLASS}{spin}{endless}")
    assert found.stopped is not None
    assert [scene.title.partition(",")[0] for scene in found.scenes] == ["b.backward()"]
    assert [node.grad for node in found.nodes] == [4.0, 1.0]


def test_line_without_its_end_is_printed() -> None:
    found = stopped("a = Value(2.0)\na.backward()\nprint(1, end=' ')\nwhile True:\n    pass")
    assert found.printed == ("1 ",)


def test_every_scene_before_the_stop_can_be_chosen() -> None:
    found = trace(BUILT_IN, limits=LIMITS, scene=3)
    assert found.scene == 3
    assert found.stopped is not None


def test_changed_leaf_goes_through_the_same_turns() -> None:
    found = trace(BUILT_IN, {"w": 2.0}, limits=LIMITS, scene=1)
    assert next(node.data for node in found.nodes if node.label == "w") == 2.0


@pytest.mark.parametrize(
    "text",
    ["while True:\n    pass", "a = Value(2.0)\nwhile True:\n    a = a * 1.0"],
)
def test_without_a_finished_scene_the_program_is_refused(text: str) -> None:
    with pytest.raises(ProgramError, match="stopped here: it needs more than 20,000 operations"):
        stopped(text)


def test_run_to_the_end_is_not_stopped() -> None:
    assert Program("a = Value(2.0)\na.backward()").run().stopped is None
