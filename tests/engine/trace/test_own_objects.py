"""The program's own objects in the graph: names, numbers that cannot be followed, later changes."""

from __future__ import annotations

import pytest

from app.explore import explanation
from engine.trace.build import trace
from engine.trace.gradcheck import check
from engine.trace.transcript import transcript
from tests.support.own_class import CLASS
from tests.support.programs import node

CUT = f"{CLASS}a = Value(2.75)\nb = Value(3.0)\nh = (a * b).rounded()\nL = h * b\nL.backward()\n"


def test_an_object_whose_number_cannot_be_followed_keeps_its_args() -> None:
    found = trace(CUT)
    h = node(found, "h")
    product = next(n for n in found.nodes if n.data == 8.25)
    assert (h.op, h.args, h.data, h.kind) == (None, (product.id,), 8.0, "value")
    assert (node(found, "a").grad, node(found, "b").grad) == (9.0, 8.0 + 8.25)
    assert [(g.title, g.kind) for g in found.groups] == [("int", "formula")]
    assert h.group == found.groups[0].id


def test_its_gradient_check_says_that_it_cannot_be_computed() -> None:
    found = trace(CUT)
    verdicts = {row.node: row.verdict for row in check(found)}
    assert verdicts[node(found, "a").id].startswith("unknown")
    assert not any(row.ok for row in check(found))


def test_every_frame_of_it_is_explained() -> None:
    found = trace(CUT)
    lines = [line.text for line in transcript(found)]
    assert "Forward: h is 8.0, which the program computed from a*b." in lines
    at = next(i for i, f in enumerate(found.frames) if f.node == node(found, "h").id)
    assert "could not be followed" in explanation.card(found, at)
    assert 'data-op="null"' in explanation.templates(found)


def test_it_is_no_leaf_that_the_reader_could_change() -> None:
    found = trace(CUT)
    assert [n.key for n in found.nodes if n.key] == ["a", "b"]
    assert node(trace(CUT, {"b": 4.0}), "h").data == 11.0


@pytest.mark.parametrize(("x", "y", "slope"), [(2.0, 2.0, 1.0), (-2.0, 0.0, 0.0)])
def test_a_function_of_the_table_is_recognised_by_its_name_and_number(
    x: float, y: float, slope: float
) -> None:
    found = trace(f"{CLASS}a = Value({x})\nh = a.relu()\nL = h * 3\nL.backward()")
    assert (node(found, "h").op, node(found, "h").data) == ("relu", y)
    assert node(found, "a").grad == 3 * slope
    assert all(row.ok for row in check(found))


def test_a_function_that_computes_another_number_is_not() -> None:
    text = CLASS.replace("0.0 if self.data < 0 else self.data", "1.0 if self.data < 0 else 7.0")
    found = trace(f"{text}a = Value(2.0)\nh = a.relu()\nL = h * 3\nL.backward()")
    assert node(found, "h").op is None
    assert node(found, "h").args == (node(found, "a").id,)


def test_children_that_come_later_make_no_cycle() -> None:
    text = f"{CLASS}a = Value(2.0)\nb = Value(3.0)\na._prev = [b]\nb._prev = [a]\nb.grad = 1.0"
    found = trace(text)
    assert [n.args for n in found.nodes] == [(), (found.nodes[0].id,)]


def test_children_under_a_property_are_not_called_for() -> None:
    text = (
        "class V:\n"
        "    def __init__(self, data):\n        self.data = data\n        self.grad = 0.0\n"
        "    def __getattr__(self, name):\n        print('asked', name)\n        return None\n"
        "a = V(2.0)\nb = V(a.data * 3)\nb.grad = 1.0\n"
    )
    assert trace(text).printed == ()


# Names


def test_results_without_a_label_are_named_by_their_operation_on_named_args() -> None:
    found = trace(f"{CLASS}a = Value(2.0)\nb = Value(3.0)\nL = (a*b + a).tanh() * b\nL.backward()")
    names = [n.name for n in found.nodes if n.args and n.grad is not None]
    assert names == ["a*b", "a*b + a", "tanh(a*b + a)", "L"]


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


def notes(text: str) -> list[str]:
    return [note.message for note in trace(text).notes]


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
