"""True gradients of recorded arrays against central differences of the same operations."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS
from engine.by_hand.judge import hand_pass
from engine.by_hand.truth import ArrayTruth, flat
from engine.program import Program
from engine.record.array_model import ArrayNode
from engine.record.native import RepeatableRecording
from tests.support.each import for_each

STEP = 1e-6


def _loss_with(nodes: Sequence[ArrayNode], truth: ArrayTruth, at: int, moved: Flat) -> float:
    """The loss of the recorded operations, with another leaf."""
    values: dict[int, Flat] = {}
    for i in truth.order:
        node = nodes[i]
        if i == at:
            values[i] = moved
        elif node.op is None:
            values[i] = flat(node)
        else:
            args = [values[arg] for arg in node.args]
            values[i] = ARRAY_OPS[node.op].forward(args, node.params)
    (x,) = values[truth.loss].data
    return float(x)


@for_each("name", ["batch_norm", "attention_head", "char_rnn", "softmax_classifier"])
def test_gradients_are_slopes(name: str) -> None:
    text = Path(f"tests/data/by_hand/{name}.py").read_text()
    program = Program(text, recording=RepeatableRecording)
    found = hand_pass(program, program.run())
    assert found is not None
    truth, nodes = found.matched.truth, found.nodes
    leaves = [at for at in truth.order if nodes[at].op is None and at in truth.gradients]
    named = [at for at in leaves if not nodes[at].is_constant]
    assert named
    for at in named:
        x = flat(nodes[at])
        direction = [((7 * i) % 5 - 2) / 2 for i in range(len(x.data))]
        slope = sum(g * d for g, d in zip(truth.gradients[at].data, direction, strict=True))
        sides = [
            _loss_with(nodes, truth, at, Flat(x.shape, [a + h * d for a, d in
                       zip(x.data, direction, strict=True)]))
            for h in (STEP, -STEP)
        ]  # fmt: skip
        assert slope == pytest.approx((sides[0] - sides[1]) / (2 * STEP), rel=1e-5, abs=1e-7)
