"""Networks of a program's own class: how their parts are named, and what is told of them."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from tests.support.own_class import CLASS
from tests.support.programs import node, notes

NETWORK = f"""{CLASS}
class Neuron:
    def __init__(self, size):
        self.w = [Value(0.5 * i - 0.5) for i in range(size)]
        self.b = Value(0.25)
    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            total = total + wi * xi
        return total.tanh()
class Layer:
    def __init__(self, size, count):
        self.neurons = [Neuron(size) for _ in range(count)]
    def __call__(self, x):
        return [n(x) for n in self.neurons]
"""


def test_weights_are_named_by_the_way_to_them() -> None:
    found = trace(f"{NETWORK}n = Neuron(2)\nL = n([1.0, 2.0])\nL.backward()")
    labels = {n.label: n.data for n in found.nodes if n.kind == "leaf" and n.label}
    assert labels == {"w0": -0.5, "w1": 0.0, "b": 0.25}
    assert {n.key for n in found.nodes if n.key} == {"w0", "w1", "b"}


def test_weights_of_layers_and_of_several_networks() -> None:
    found = trace(f"{NETWORK}n = Layer(1, 2)\nm = Neuron(1)\nL = m([n([1.0])[1]])\nL.backward()")
    labels = {n.label for n in found.nodes if n.kind == "leaf" and n.label}
    assert labels == {"n.n1.w0", "n.n1.b", "m.w0", "m.b"}


TRAINED = f"""{NETWORK}
n = Neuron(1)
for k in range(3):
    L = n([1.0])
    for p in [*n.w, n.b]:
        p.grad = 0.0
    L.backward()
    for p in [*n.w, n.b]:
        p.data -= 0.1 * p.grad
"""


def test_a_trained_weight_is_changed_at_its_start() -> None:
    found = trace(TRAINED)
    assert {n.key for n in found.nodes if n.key} == {"w0", "b"}
    w, b = node(found, "w0"), node(found, "b")
    assert (w.kind, w.key) == ("leaf", "w0")
    assert w.data < -0.5  # two steps against a positive slope
    assert b.data - w.data == pytest.approx(0.75)  # both have the slope 1 - tanh² in every step
    moved = trace(TRAINED, {"w0": 5.0})
    assert 4.9 < node(moved, "w0").data < 5.0


# Later changes


def test_a_step_after_the_pass_is_told_of() -> None:
    step = f"{NETWORK}n = Neuron(2)\nL = n([1.0, 2.0])\nL.backward()\n"
    step += "for p in [*n.w, n.b]:\n    p.data -= 0.1 * p.grad\n"
    (message,) = notes(step)
    assert message == (
        "The numbers are those of this pass; w0, w1 and 1 more were changed after it."
    )


def test_built_in_values_too() -> None:
    text = "w = Value(2.0)\nv = Value(3.0)\nL = w * v\nL.backward()\n"
    one = "The numbers are those of this pass; w was changed after it."
    two = "The numbers are those of this pass; w and v were changed after it."
    assert notes(f"{text}w.data -= 0.5") == [one]
    assert notes(f"{text}w.data -= 0.5\nv.data = 1.0") == [two]


def test_the_pass_that_is_drawn_has_its_numbers() -> None:
    found = trace("w = Value(2.0)\nL = w * 3\nL.backward()\nw.data = 5.0")
    assert (node(found, "w").data, node(found, "L").data) == (2.0, 6.0)


@pytest.mark.parametrize("end", ["w.data = 2.0", "w.data += 1\nw.data -= 1", "w.grad = 0.0"])
def test_a_program_that_ends_with_the_same_numbers_is_not_told(end: str) -> None:
    assert notes(f"w = Value(2.0)\nL = w * 3\nL.backward()\n{end}") == []
    assert notes(f"{CLASS}w = Value(2.0)\nL = w * 3\nL.backward()\n{end}") == []


# Networks of the program's own classes

MLP = f"""{NETWORK}
class MLP:
    def __init__(self, sizes):
        self.layers = [Layer(a, b) for a, b in zip(sizes, sizes[1:])]
    def __call__(self, x):
        return self.forward(x)
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x[0]
"""


def titles(text: str) -> list[str]:
    return [g.title for g in trace(text).groups if g.kind == "function"]


def test_groups_are_named_as_those_of_the_built_in_networks() -> None:
    own = trace(f"{MLP}n = MLP([2, 2, 1])\nL = n([1.0, -2.0])\nL.backward()")
    built_in = trace("n = MLP(2, [2, 1])\nL = n([1.0, -2.0])\nL.backward()")
    parts = [g.title for g in built_in.groups]
    assert [g.title for g in own.groups if g.kind == "function"] == parts
    assert "Neuron l0.n1" in parts
    assert not any("line" in g.title for g in own.groups if g.parent is None)


def test_results_of_neurons_are_named_as_those_of_the_built_in_ones() -> None:
    own = trace(f"{MLP}n = MLP([2, 2, 1])\nL = n([1.0, -2.0])\nL.backward()")
    names = [n.name for n in own.nodes if n.op and n.grad is not None]
    assert {"l0.n0", "l0.n1"} <= {*names}
    products = [name for name in names if name.startswith("l1.n0.w")]
    assert products == ["l1.n0.w0*l0.n0", "l1.n0.w1*l0.n1"]


def test_several_networks_are_told_apart() -> None:
    text = f"{MLP}n = MLP([1, 1])\nm = MLP([1, 1])\nL = n([1.0]) + m([2.0])\nL.backward()"
    parts = [[f"MLP {name}", f"Layer {name}.l0", f"Neuron {name}.l0.n0"] for name in "nm"]
    assert titles(text) == [*parts[0], *parts[1]]


def test_a_neuron_that_no_variable_leads_to_is_named_by_its_class() -> None:
    assert titles(f"{MLP}L = Neuron(2)([1.0, 2.0]) + 1\nL.backward()") == ["Neuron(…)"]


def test_other_methods_keep_their_names() -> None:
    text = f"{MLP}class Model:\n    def __init__(self):\n        self.n = Neuron(1)\n"
    text += "    def predict(self, x):\n        return self.n.b * x + self.n.w[0]\n"
    found = titles(f"{text}m = Model()\nL = m.predict(2.0) + Value(1.0)\nL.backward()")
    assert [title.partition(", line")[0] for title in found] == ["predict(…)"]


# Notes on leaves


def test_parts_of_networks_are_no_leaves_that_the_output_should_depend_on() -> None:
    assert notes(f"{MLP}n = MLP([2, 2, 1])\nL = Value(2.0) * 3\nL.backward()") == []
    assert notes("n = MLP(2, [2, 1])\nL = Value(2.0) * 3\nL.backward()") == []


def test_leaves_of_earlier_scenes_are_not_those_of_the_last() -> None:
    text = (
        f"{CLASS}a = Value(2.0)\nb = a * 3\nb.backward()\nc = Value(1.0)\nL = c * 2\nL.backward()"
    )
    assert notes(text) == []


@pytest.mark.parametrize("start", ["", CLASS])
def test_many_leaves_are_told_of_once(start: str) -> None:
    loop = "for i in range(42):\n    a = Value(1.0, label=f'a{i}')\n"
    assert notes(f"{start}{loop}L = Value(2.0) * Value(3.0)\nL.backward()") == [
        "L does not depend on a0, a1, a2 and 39 others: their gradients are 0."
    ]


def test_a_gradient_that_a_leaf_has_is_not_said_to_be_0() -> None:
    text = f"{CLASS}a = Value(2.0)\na.grad = 5.0\nb = Value(3.0)\nL = b * 3\nL.backward()"
    assert notes(text) == ["L does not depend on a."]


# Gradients that are there from the start


def test_the_sizes_of_layers_are_not_drawn() -> None:
    sizes = "sz = [2] + [3, 1]\n        self.layers = [Layer(sz[i], sz[i+1]) for i in range(2)]"
    text = MLP.replace("self.layers = [Layer(a, b) for a, b in zip(sizes, sizes[1:])]", sizes)
    assert sizes in text
    assert trace(f"{text}n = MLP([])").output is None
