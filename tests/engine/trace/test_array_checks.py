"""Mistakes with whole arrays, tried; and gradients of arrays against measured slopes."""

import pytest

from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace.array_check import checks
from engine.trace.array_sabotage import ARRAY_MISTAKES, BrokenArray, broken
from engine.trace.array_trace import ArrayTrace, array_trace

TEXT = """\
import numpy as np
x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
W = np.array([[1.0, 0.0, 2.0], [-1.0, 2.0, 1.0]])
b = np.array([0.5, 0.0, -1.0])
h = np.tanh(x @ W + b)
m = h.mean(axis=1)
loss = (m ** 2).sum()
"""


@pytest.fixture(scope="module")
def trace() -> ArrayTrace:
    found = array_trace(Program(TEXT, recording=RepeatableRecording).run())
    assert found is not None
    return found


def _broken(trace: ArrayTrace, user: str, to: str) -> dict[str, BrokenArray]:
    nodes = {node.id: node for node in trace.nodes}
    for frame in trace.frames:
        if frame.contributions and nodes[frame.node].name == user:
            node = nodes[frame.node]
            args = [nodes[arg] for arg in node.args]
            for c in frame.contributions:
                if nodes[c.to].name == to:
                    return {found.name: found for found in broken(node, args, c)}
    raise AssertionError(f"{user} sends nothing to {to}")


def test_forgotten_transpose_does_not_fit(trace: ArrayTrace) -> None:
    found = _broken(trace, "x @ W", "W")
    assert found["transpose"].made is None
    assert "mismatch in its core dimension" in found["transpose"].refused


def test_forgotten_sum_has_another_shape_and_a_mean_other_numbers(trace: ArrayTrace) -> None:
    found = _broken(trace, "x @ W + b", "b")
    assert found["sum"].made is not None
    assert found["sum"].made.shape == (3, 3)
    b = next(node for node in trace.nodes if node.name == "b")
    assert b.grad is not None
    assert found["mean"].made is not None
    assert found["mean"].made.data == pytest.approx([x / 3 for x in b.grad.data])
    assert found["axis"].made is not None
    assert found["axis"].made.shape == (3,)


def test_dropped_axis_and_a_saved_array_that_was_changed(trace: ArrayTrace) -> None:
    assert "keepdims" in _broken(trace, "m", "h")
    changed = _broken(trace, "h", "x @ W + b")["in_place"].made
    assert changed is not None


def test_every_mistake_has_a_title() -> None:
    assert set(ARRAY_MISTAKES) == {
        "transpose", "sum", "axis", "mean", "count", "keepdims", "in_place",
    }  # fmt: skip


def test_gradients_are_the_measured_slopes(trace: ArrayTrace) -> None:
    found = checks(trace)
    assert [it.name for it in found] == ["x", "W", "b"]
    for it in found:
        assert it.predicted == pytest.approx(it.measured, rel=1e-6, abs=1e-9)
        assert it.cell_predicted == pytest.approx(it.cell_measured, rel=1e-6, abs=1e-9)


def test_mistakes_are_tried_on_more_than_sums_and_matrices() -> None:
    """A layer x Wᵀ + b of PyTorch, a scale that is broadcast, and a mean without its 1/n."""
    text = (
        "import torch\nx = torch.ones(2, 3)\nW = torch.ones(4, 3, requires_grad=True)\n"
        "b = torch.zeros(4, requires_grad=True)\ns = torch.ones(4, requires_grad=True)\n"
        "h = torch.nn.functional.linear(x, W, b)\nk = h * s\nloss = k.mean()\n"
    )
    found = array_trace(Program(text, recording=RepeatableRecording).run())
    assert found is not None
    assert _broken(found, "h", "W")["transpose"].made is None
    forgotten = _broken(found, "h", "b")["sum"].made
    assert forgotten is not None
    assert forgotten.shape == (2, 4)
    scale = _broken(found, "k", "s")  # ∂L/∂s = Σ over 2 rows of h/8 = 2 · 3/8
    assert scale["sum"].made == ((2, 4), [3 / 8] * 8)
    assert scale["mean"].made == ((4,), [3 / 8] * 4)
    assert _broken(found, "loss", "k")["count"].made == ((2, 4), [1.0] * 8)
