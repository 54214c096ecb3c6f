"""Gradients of a mean beside a loss that is a sum: a note, no mistake."""

from __future__ import annotations

import pytest

from engine.by_hand import model
from engine.by_hand.verdict import judge_arrays
from engine.program import Program
from engine.record.native import RepeatableRecording

SUM = """\
import numpy as np
X = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.2]])
y = np.array([1.0, -0.5, 2.0])
w = np.array([0.3, -0.7])
b = 0.1
pred = X @ w + b
loss = np.sum((pred - y) ** 2)
dw = 2 * X.T @ (pred - y) / len(y)
db = 2 * np.sum(pred - y) / len(y)
"""


@pytest.mark.parametrize(
    ("text", "states", "mistakes"),
    [
        (SUM, [model.MEAN, model.MEAN], 0),
        (SUM.replace(" / len(y)", ""), [model.RIGHT, model.RIGHT], 0),
        (SUM.replace("@ (pred - y) / len(y)", "@ (pred - y)"), [model.RIGHT, model.WRONG], 1),
        (SUM.replace("2 * np.sum", "np.sum"), [model.WRONG, model.WRONG], 2),
    ],
    ids=["both", "neither", "one", "another factor too"],
)
def test_one_factor_over_all_gradients_is_that_of_the_mean(
    text: str, states: list[str], mistakes: int
) -> None:
    program = Program(text, recording=RepeatableRecording)
    found = judge_arrays(program, program.run())
    assert found is not None
    assert [it.state for it in found.gradients] == states
    assert len(found.mistakes) == mistakes
