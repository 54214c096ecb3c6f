"""Paths of arrays to a loss, and the axis that is the batch."""

import pytest

from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace.array_batch import batch_of
from engine.trace.array_paths import array_paths
from engine.trace.array_trace import ArrayTrace, array_trace

TEXT = """\
import numpy as np
x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
W = np.array([[1.0, 0.0], [-1.0, 2.0]])
h = x @ W
s = h.sum(axis=1)
loss = (s ** 2).sum() + 10 * h[0].sum()
"""


def _trace(text: str) -> ArrayTrace:
    found = array_trace(Program(text, recording=RepeatableRecording).run())
    assert found is not None
    return found


def test_paths_add_up_to_the_gradient() -> None:
    """h = [[−1, 4], [−1, 8], [−1, 12]] and s = (3, 7, 11): ∂L/∂h[0, 1] = 2·3 + 10."""
    trace = _trace(TEXT)
    nodes = {node.name: node for node in trace.nodes}
    found = array_paths(trace, nodes["h"].id, 1)
    assert found.total == 2
    assert [path.amount for path in found.followed] == [10.0, 6.0]
    through = array_paths(trace, nodes["W"].id, 3)
    grad = nodes["W"].grad
    assert grad is not None
    assert sum(path.amount for path in through.followed) == pytest.approx(grad.data[3])
    assert array_paths(trace, nodes["s"].id, 0).followed == ()  # one path is the gradient itself


def test_many_paths_are_counted_alone() -> None:
    """Of x doubled 20 times by adding it to itself there are 2 ** 20."""
    trace = _trace("import numpy as np\nx = np.ones(2)\ny = x\nfor i in range(20):\n    y = y + y\n"
                   "loss = y.sum()\n")  # fmt: skip
    assert array_paths(trace, "a0", 0) == (2**20, ())


def test_long_paths_are_followed() -> None:
    """Of 1,200 signs, more than Python's functions may be nested: 1 through each of two."""
    text = "x = np.ones(1)\ny = x\nfor i in range(1200):\n    y = -y\nloss = (y + x).sum()\n"
    found = array_paths(_trace(f"import numpy as np\n{text}"), "a0", 0)
    assert [path.amount for path in found.followed] == [1.0, 1.0]


def test_the_batch_is_the_axis_along_which_rows_do_not_mix() -> None:
    trace = _trace(TEXT)
    batch = batch_of(trace)
    assert batch is not None
    names = {node.id: node.name for node in trace.nodes}
    assert batch.length == 3
    assert {names[id_] for id_ in batch.nodes} == {"x", "h", "s", "s ** 2"}
    h = next(node for node in trace.nodes if node.name == "h")
    assert [batch.sample(h, cell) for cell in (0, 1, 2, 5)] == [0, 0, 1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "x = np.array([1.0, 2.0, 3.0])\nloss = (x ** 2).sum()",  # no axis is mixed
        "A = np.eye(3) * 2.0\nB = np.ones((3, 3))\nloss = (A.T @ B).T.sum()",
    ],
)
def test_without_samples_there_is_no_batch(text: str) -> None:
    batch = batch_of(_trace(f"import numpy as np\n{text}\n"))
    assert batch is None or len(batch.nodes) <= 2
