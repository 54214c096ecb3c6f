"""The gradients at the border of an opened box: two computations of one number."""

from __future__ import annotations

import math

import pytest

from engine.trace.build import trace
from engine.trace.expand import can_open, expanded
from engine.trace.group_borders import group_borders, is_equal
from engine.trace.model import Border

NET = "random.seed(1)\nn = MLP(3, [4, 4, 1])\nL = n([2.0, 3.0, -1.0])"
NEURON = (
    "def neuron(w, x, b):\n    return (w * x + b).tanh() * 2\n"
    "w = Value(0.5)\nx = Value(2.0)\nb = Value(-1.0)\ny = neuron(w, x, b)\nL = y * y + y\n"
)


def test_the_border_of_a_call_by_hand() -> None:
    """tanh(0) = 0 and its slope 1: dy/dw = 2 x = 4, dy/dx = 2 w = 1, dy/db = 2; dL/dy = 1."""
    found = trace(NEURON + "L.backward()")
    (group,) = [group for group in found.groups if group.kind == "function"]
    (borders,) = group_borders(found, [group.id]).values()
    names = found.names()
    assert {names[b.to]: (b.through, b.by) for b in borders} == {
        "w": (4.0, 4.0),
        "x": (1.0, 1.0),
        "b": (2.0, 2.0),
    }


def test_every_box_of_a_network_passes_on_the_same() -> None:
    found = trace(NET)
    borders = group_borders(found, [group.id for group in found.groups])
    assert borders.keys() == {group.id for group in found.groups}
    assert all(is_equal(found, each) for each in borders.values())


def test_a_difference_is_seen() -> None:
    assert not is_equal(trace(NET), [Border("v1", 1.0, 1.0), Border("v2", 1.0, 1.001)])


def test_gradients_of_two_passes_are_not_compared() -> None:
    found = trace(NEURON + "L.backward()\nL.backward()")
    assert group_borders(found, [group.id for group in found.groups]) == {}


CROSS_ENTROPY = (
    "import torch\nimport torch.nn.functional as F\n"
    "x = torch.tensor([[1.0, 2.0, -0.5]], requires_grad=True)\n"
    "L = F.cross_entropy(x, torch.tensor([1]))\nL.backward()"
)


def test_cross_entropy_opens_to_elementary_operations() -> None:
    """∂L/∂x = softmax(x) − [0, 1, 0], from all its operations opened as far as they go."""
    found = trace(CROSS_ENTROPY)
    (formula,) = [group for group in found.groups if group.kind == "formula"]
    (borders,) = group_borders(found, [formula.id]).values()
    exps = [math.exp(x) for x in (1.0, 2.0, -0.5)]
    due = [e / sum(exps) - (at == 1) for at, e in enumerate(exps)]
    assert [b.by for b in borders] == pytest.approx(due, rel=1e-6)
    assert [b.through for b in borders] == pytest.approx(due, rel=1e-6)
    wanted: list[str] = []
    shown = found
    while more := [n.id for n in shown.nodes if can_open(n) and n.id not in wanted]:
        wanted += more
        shown = expanded(found, wanted)
    assert not shown.kept_closed
    assert {node.op for node in shown.nodes if node.op} == {"+", "*", "exp", "log"}
