"""Graphs of objects of many kinds of class: numbers and gradients, and what stays as it is."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.live.graph import live_graph
from engine.live.refusal import CannotShow
from engine.live.trace import live_trace
from engine.trace.traced import Trace
from engine.value import Value
from tests.support.live_classes import BY_TEXT, STYLES, cell, value_class

DAGS = 3
SIZE = 9  # operations of a random graph


OPERATIONS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - b,
    lambda a, b: a.tanh(),
    lambda a, b: a**2,
    lambda a, b: a * a,
)


class Dual:
    """A number with its derivative in one direction: forward mode, independent of any graph."""

    def __init__(self, x: float, dx: float = 0.0) -> None:
        self.x, self.dx = x, dx

    def __add__(self, o: Dual) -> Dual:
        return Dual(self.x + o.x, self.dx + o.dx)

    def __sub__(self, o: Dual) -> Dual:
        return Dual(self.x - o.x, self.dx - o.dx)

    def __mul__(self, o: Dual) -> Dual:
        return Dual(self.x * o.x, self.dx * o.x + self.x * o.dx)

    def __pow__(self, n: int) -> Dual:
        return Dual(self.x**n, n * self.x ** (n - 1) * self.dx)

    def tanh(self) -> Dual:
        t = math.tanh(self.x)
        return Dual(t, (1 - t * t) * self.dx)


def graph(seed: int, leaves: list[Any]) -> Any:
    """A random computation on `leaves`, the same for each kind of number."""
    draw = random.Random(seed)
    made = list(leaves)
    for _ in range(SIZE):
        kind, a, b = draw.randrange(len(OPERATIONS)), draw.choice(made[-5:]), draw.choice(made)
        made.append(OPERATIONS[kind](a, b))
    return (made[-1] * made[-2] + made[-3] * leaves[0]).tanh() + leaves[1]


def numbers(seed: int) -> list[float]:
    draw = random.Random(-seed)
    return [round(draw.uniform(-1, 1), 3) for _ in range(3)]


def state(root: Any) -> list[dict[str, Any]]:
    """All that the objects of a graph hold."""
    order = live_graph(root).order
    slots = list(getattr(type(root), "__slots__", ()))
    return [
        {name: getattr(o, name) for name in (*slots, *getattr(o, "__dict__", {}))} for o in order
    ]


def shown(trace: Trace) -> dict[str, tuple[float, float | None]]:
    return {node.label: (node.data, node.grad) for node in trace.nodes if node.label}


@pytest.mark.parametrize("style", STYLES)
def test_data_and_gradients_are_those_of_forward_mode(style: str) -> None:
    kind = value_class(STYLES[style])
    for seed in range(DAGS):
        at = numbers(seed)
        leaves = [kind(x) for x in at]
        out = graph(seed, leaves)
        before = state(out)
        beside = {"backward": kind.__init__.__globals__.get("backward")}
        trace = live_trace(out, dict(zip("abc", leaves, strict=True)) | {"out": out} | beside)
        assert state(out) == before
        found = shown(trace)
        exact = graph(seed, [Dual(x) for x in at]).x
        assert found["out"][0] == exact
        for i, name in enumerate("abc"):
            if name in found:
                duals = [Dual(x, float(i == j)) for j, x in enumerate(at)]
                grad = found[name][1]
                assert grad is not None
                assert math.isclose(grad, graph(seed, duals).dx, rel_tol=1e-11, abs_tol=1e-13)
        assert not trace.mistakes
        assert trace.notes == ()  # no pass has run, nothing differs


def test_the_expression_of_the_lecture_by_hand() -> None:
    kind = value_class(STYLES["micrograd"])
    a, b, c, f = kind(2.0), kind(-3.0), kind(10.0), kind(-2.0)
    out = (a * b + c) * f
    out.backward()
    trace = live_trace(out, {"a": a, "b": b, "c": c, "f": f, "L": out})
    assert shown(trace) == {
        "a": (2.0, 6.0), "b": (-3.0, -4.0), "c": (10.0, -2.0), "f": (-2.0, 4.0), "L": (-8.0, 1.0),
    }  # fmt: skip
    assert [node.name for node in trace.nodes if not node.label] == ["a * b", "a * b + c"]
    assert trace.verdict is not None
    assert trace.verdict.right == trace.verdict.checked == 7


def test_the_built_in_value_agrees_with_central_differences() -> None:
    def f(x: Any, y: Any) -> Any:
        return (2 * x - y / 3) ** 2 * x.sigmoid() + (x * y).exp()

    at, step = (0.7, -0.4), 1e-6
    x, y = map(Value, at)
    out = f(x, y)
    out.backward()
    held = [(node.data, node.grad) for node in (x, y, out)]
    found = shown(live_trace(out, {"x": x, "y": y, "out": out}))
    assert [found[name] for name in ("x", "y", "out")] == held
    for i, name in enumerate("xy"):
        moved = [[v + sign * step * (i == j) for j, v in enumerate(at)] for sign in (1, -1)]
        slope = (f(*map(Value, moved[0])).data - f(*map(Value, moved[1])).data) / (2 * step)
        assert found[name][1] == pytest.approx(slope, rel=1e-8)


SETTINGS = """
class Value:
    def __init__(self, data, requires_grad=True, parents=()):
        self.data, self.requires_grad, self.parents, self.grad = data, requires_grad, parents, 0.0

    def __mul__(self, other):
        return Value(self.data * other.data, True, ((self, other.data), (other, self.data)))

    def backward(self, seed=1.0):
        self.grad += seed
        for x, partial in self.parents:
            if x.requires_grad:
                x.backward(seed * partial)
"""


def test_what_a_class_was_told_of_a_leaf_is_told_again() -> None:
    kind = value_class(SETTINGS)
    a, b = kind(2.0, requires_grad=False), kind(5.0)
    out = a * b
    assert shown(live_trace(out, {"a": a, "b": b})) == {"a": (2.0, 0.0), "b": (5.0, 2.0)}


def test_of_two_operations_that_fit_none_is_chosen() -> None:
    text = SETTINGS.replace("((self, other.data), (other, self.data))", "(self, other)") + (
        "    def __add__(self, other):\n"
        "        return Value(self.data + other.data, True, (self, other))\n"
    )
    kind = value_class(text)
    two = kind(2.0)
    with pytest.raises(CannotShow, match=r"Both __add__ and __mul__ give 4\.0"):
        live_trace(two * two, {})


def test_without_a_pass_the_rules_of_calculus_are_shown() -> None:
    kind = value_class(STYLES["micrograd"].partition("    def backward(self)")[0])
    x = kind(3.0)
    trace = live_trace(x * x, {"x": x})
    assert shown(trace) == {"x": (3.0, 6.0)}
    assert any("Value has no backward()" in note.message for note in trace.notes)


def test_what_stands_beside_a_class_in_its_module_means_the_same_class() -> None:
    """`lift` asks whether its argument is a Value: of the class that runs again."""
    text = STYLES["helper"].replace(
        "return self._new(self.data *", "other = lift(other)\n        return self._new(self.data *"
    )
    text += "\ndef lift(x):\n    return x if isinstance(x, Value) else Value(x)\n"
    kind = cell(text, "a_lesson")["Value"]
    a = kind(3.0)
    trace = live_trace(a * a * 2.0, {"a": a})
    assert shown(trace)["a"] == (3.0, 12.0)  # by hand: 4a
    assert trace.notes == ()


def test_an_argument_used_twice_has_two_edges() -> None:
    kind = value_class(STYLES["micrograd"])
    x = kind(3.0)
    trace = live_trace(x * x + x, {"x": x})
    assert shown(trace)["x"] == (3.0, 7.0)
    (square,) = [node for node in trace.nodes if node.op == "*"]
    assert len(square.args) == 2
    assert len(set(square.args)) == 1


def test_the_line_that_assigns_is_named_with_its_place_in_the_cell() -> None:
    text = STYLES["tuple"].replace("self.grad += out.grad", "self.grad = out.grad", 1)
    text = "# a cell\n\n" + text.replace("other.grad += out.grad", "other.grad = out.grad", 1)
    kind = value_class(text)
    a, b = kind(2.0), kind(5.0)
    out = (a + b) * a
    out.backward()
    trace = live_trace(out, {"a": a, "b": b, "out": out})
    (mistake,) = trace.mistakes
    wrong = text.split("\n").index("            other.grad = out.grad") + 1
    assert mistake.kind == "assigned"
    assert mistake.span[0] in (wrong - 1, wrong)
    assert (mistake.ends, mistake.true) == (2.0, 9.0)  # by hand: 2a + b
    assert "a.grad" in mistake.message


def test_objects_are_called_by_the_way_that_leads_to_them() -> None:
    kind = value_class(STYLES["micrograd"])

    class Neuron:
        def __init__(self) -> None:
            self.w = [kind(0.5), kind(-1.5)]
            self.b = kind(0.25)

    n, inputs = Neuron(), {"left": kind(1.0), "right": kind(2.0)}
    out = (n.w[0] * inputs["left"] + n.w[1] * inputs["right"] + n.b).tanh()
    trace = live_trace(out, {"n": n, "inputs": inputs, "_": out})
    labels = {node.label for node in trace.nodes}
    assert {"n.w[0]", "n.w[1]", "n.b", "inputs['left']", "inputs['right']"} <= labels


def test_the_parts_of_a_network_are_boxes() -> None:
    text = (
        STYLES["micrograd"]
        + """
class Neuron:
    def __init__(self, w):
        self.w, self.b = [Value(x) for x in w], Value(0.5)

    def __call__(self, xs):
        total = self.b
        for w, x in zip(self.w, xs):
            total = total + w * x
        return total.tanh()

class Layer:
    def __init__(self, rows):
        self.neurons = [Neuron(row) for row in rows]

    def __call__(self, xs):
        return [neuron(xs) for neuron in self.neurons]

class Net:
    def __init__(self):
        self.layers = [Layer([[1.0, -1.0], [0.5, 2.0]]), Layer([[1.0, 3.0]])]

    def __call__(self, xs):
        for layer in self.layers:
            xs = layer(xs)
        return xs[0]

net = Net()
x = [Value(1.0), Value(2.0)]
loss = net(x) * net(x)
"""
    )
    names = cell(text)
    trace = live_trace(names["loss"], names)
    titles = {group.id: group.title for group in trace.groups}
    assert sorted(titles.values()) == [
        "Layer 0", "Layer 1", "Net net", "Neuron 0", "Neuron 0", "Neuron 1",
    ]  # fmt: skip
    kinds = {group.title: group.kind for group in trace.groups}
    assert (kinds["Neuron 0"], kinds["Layer 1"], kinds["Net net"]) == ("neuron", "layer", "mlp")
    (node,) = [node for node in trace.nodes if node.label == "net.layers[0].neurons[1].w[0]"]
    assert titles[node.group or ""] == "Neuron 1"
    assert all(node.group is None for node in trace.nodes if node.label in ("loss", "x[0]"))


def test_the_object_s_own_label_is_kept() -> None:
    kind = value_class(STYLES["micrograd"])
    x = kind(1.5, label="speed")
    assert "speed" in shown(live_trace(x * x, {"x": x}))


def test_two_passes_without_zeroing_are_told() -> None:
    kind = value_class(STYLES["tuple"])
    a, b = kind(2.0), kind(3.0)
    for _ in range(2):
        out = a * b
        out.backward()
    trace = live_trace(out, {"a": a, "b": b, "out": out})
    assert shown(trace)["a"] == (2.0, 3.0)
    (note,) = trace.notes
    assert "a.grad holds 6.0, shown is 3.0" in note.message
    assert "They hold 2 passes: set the gradients to 0" in note.message


def test_numbers_changed_after_use_are_told() -> None:
    kind = value_class(STYLES["tuple"])
    a = kind(2.0)
    out = a * a
    a.data = 3.0
    trace = live_trace(out, {"a": a, "out": out})
    assert shown(trace)["out"] == (9.0, 1.0)
    (note,) = trace.notes
    assert "out holds 4.0, shown is 9.0" in note.message
    assert out.data == 4.0


def test_without_a_source_the_rules_of_calculus_are_shown() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(STYLES["micrograd"], names)  # noqa: S102  typed at a prompt: no file, no cell
    kind = names["Value"]
    x = kind(3.0)
    trace = live_trace(x * x + x, {"x": x})
    assert shown(trace)["x"] == (3.0, 7.0)
    (note,) = trace.notes
    assert "source of Value is not at hand" in note.message


def test_the_class_is_not_run_on_the_objects_shown() -> None:
    text = BY_TEXT.replace(
        "        g = self.gradient\n", "        RUNS.append(self)\n        g = self.gradient\n"
    )
    names = cell("RUNS = []\n" + text)
    kind = names["Scalar"]
    x = kind(3.0)
    out = x * x
    live_trace(out, {"x": x})
    assert names["RUNS"] == []


def test_a_long_chain_needs_no_recursion() -> None:
    x = out = Value(1.0)
    for _ in range(3000):
        out = out + x
    out.backward()
    found = shown(live_trace(out, {"x": x, "out": out}))
    assert found["x"] == (1.0, 3001.0)
