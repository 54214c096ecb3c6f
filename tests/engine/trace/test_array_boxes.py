"""Calls and turns around operations on arrays as boxes: what they compute, send and hide."""

import pytest

from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace.array_boxes import MOST, BoxedArrays, boxed
from engine.trace.array_trace import ArrayTrace, array_trace

CALLS = """\
import numpy as np
def twice(x):
    a = x * 2
    b = x * 3
    return a + b
x = np.array([1.0, -2.0])
y = twice(x)
z = twice(y)
loss = z.sum()
"""


def _traced(text: str) -> ArrayTrace:
    found = array_trace(Program(text, recording=RepeatableRecording).run())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def calls() -> BoxedArrays:
    return boxed(_traced(CALLS), frozenset(), None)


def test_a_box_is_one_node_with_the_result_of_its_call(calls: BoxedArrays) -> None:
    """twice(x) = 5x, so y = (5, -10), z = (25, -50) and ∂L/∂y = 5."""
    drawn = {node.name: node for node in calls.trace.nodes}
    assert list(drawn) == ["x", "y", "z", "loss"]
    assert (drawn["y"].op, drawn["y"].members, drawn["y"].data.data) == ("twice()", 3, [5, -10])
    assert drawn["z"].grad is not None
    assert drawn["z"].grad.data == [1.0, 1.0]
    assert drawn["z"].drawn_args == (drawn["y"].id,)


def test_a_box_is_one_frame_and_sends_the_sum_of_its_contributions(calls: BoxedArrays) -> None:
    drawn = {node.name: node for node in calls.trace.nodes}
    backward = [frame for frame in calls.trace.frames if frame.pass_ == "backward"]
    assert [frame.node for frame in backward[1:]] == [drawn[it].id for it in ("loss", "z", "y")]
    through_z, through_y = backward[2].contributions, backward[3].contributions
    assert [(c.to, c.amount.data) for c in through_z] == [(drawn["y"].id, [5.0, 5.0])]
    assert [(c.to, c.amount.data) for c in through_y] == [(drawn["x"].id, [25.0, 25.0])]


def test_an_open_box_shows_its_operations() -> None:
    trace = _traced(CALLS)
    first = next(box for box in boxed(trace, frozenset(), None).closed.values())
    found = boxed(trace, frozenset({first.id}), None)
    assert [box.id for box in found.opened] == [first.id]
    assert sum(node.op is not None for node in found.trace.nodes) == 5


def test_few_arrays_are_drawn_each_and_long_programs_in_chunks() -> None:
    assert not boxed(_traced(CALLS), None, None).closed
    line = "x = np.tanh(x * 0.9 + 0.01)\n"
    text = "import numpy as np\nx = np.ones(2)\n" + line * 100 + "loss = x.sum()\n"
    found = boxed(_traced(text), None, None)
    assert 8 < len(found.trace.nodes) < MOST
    known: set[str] = set()
    for node in found.trace.nodes:  # each below what it was computed from
        assert known.issuperset(node.drawn_args)
        known.add(node.id)
    assert found.trace.nodes[-1].data.data == _traced(text).nodes[-1].data.data
