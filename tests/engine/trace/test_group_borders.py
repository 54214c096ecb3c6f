"""The gradients at the border of an opened box: two computations of one number."""

from __future__ import annotations

from engine.trace.build import trace
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
