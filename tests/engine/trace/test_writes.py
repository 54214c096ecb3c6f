"""Scenes with more writes to gradients than there are frames."""

from __future__ import annotations

import pytest

from engine.program import Limits
from engine.trace.build import trace
from engine.trace.model import Frame
from engine.trace.traced import Trace
from tests.support.pages import client, read
from tests.support.programs import node

MOST = 10
BUILT_IN = """
a = Value(2.0); b = a * 3
b.grad = 1.0
for i in range({turns}):
    a.grad += 0.5
c = a + b
"""
OWN = """
class V:
    def __init__(self, data, kids=()):
        self.data, self.kids, self.grad = data, kids, 0.0
    def __mul__(self, other):
        return V(self.data * other.data, (self, other))
    def backward(self):
        self.grad = 1.0
        x, y = self.kids
        for i in range({turns}):
            x.grad += y.data * self.grad / {turns}
        y.grad += x.data * self.grad * {wrong}
a = V(2.0); b = V(3.0)
c = a * b
c.backward()
"""


def written(found: Trace) -> list[Frame]:
    return [frame for frame in found.frames if frame.written is not None]


def limited(program: str) -> Trace:
    return trace(program, limits=Limits(writes=MOST))


def test_first_writes_and_the_last_of_each_value() -> None:
    found = limited(BUILT_IN.format(turns=100))
    frames = [frame.written for frame in written(found)]
    ends = [(given.before, given.after) for given in frames if given]
    assert ends == [(0.0, 1.0), *((i / 2, (i + 1) / 2) for i in range(MOST - 1)), (49.5, 50.0)]
    assert node(found, "a").grad == 50.0
    assert node(found, "b").grad == 1.0


def test_note_says_how_many_are_left_out_and_how_to_see_them() -> None:
    found = limited(BUILT_IN.format(turns=100))
    (note,) = [note for note in found.notes if "no frame" in note.message]
    assert "90 of the 101 writes" in note.message
    assert "first 10 " in note.message
    assert "draw_dot(" in note.message
    assert note.span[0] == 5


@pytest.mark.parametrize("program", [BUILT_IN, OWN])
def test_as_many_writes_as_there_are_frames(program: str) -> None:
    found = limited(program.format(turns=MOST - 2, wrong=1))
    assert not [note for note in found.notes if "no frame" in note.message]
    assert len(written(found)) <= MOST


def test_call_in_the_loop_shows_the_writes_before_it() -> None:
    drawn = BUILT_IN.replace("a.grad += 0.5", "a.grad += 0.5\n    draw_dot(b)")
    found = trace(drawn.format(turns=100), limits=Limits(writes=MOST), scene=50)
    assert not [note for note in found.notes if "no frame" in note.message]
    assert node(found, "a").grad == 25.0


@pytest.mark.parametrize("wrong", ["1", "2"])
def test_verdict_belongs_to_the_frames_shown(wrong: str) -> None:
    """What is due in a frame does not depend on the frames that are left out."""
    program = OWN.format(turns=100, wrong=wrong)
    whole, short = trace(program), limited(program)
    assert all(frame in written(whole) for frame in written(short))
    assert len(written(short)) == MOST + 2 < len(written(whole))
    assert whole.verdict is not None
    assert short.verdict is not None
    for one, other in zip(whole.mistakes, short.mistakes, strict=True):
        if one.frame is not None and other.frame is not None:
            assert whole.frames[one.frame] == short.frames[other.frame]
        assert one._replace(frame=None) == other._replace(frame=None)
    assert bool(short.mistakes) is (wrong == "2")


def test_page_of_20_000_writes() -> None:
    answer = client().post("/graph", data={"program": BUILT_IN.format(turns=20_000)})
    assert answer.status_code == 200
    trace = read(answer.text).trace
    assert len(trace["frames"]) < 10_010
    assert {it["label"]: it["grad"] for it in trace["nodes"]}["a"] == 10_000.0
