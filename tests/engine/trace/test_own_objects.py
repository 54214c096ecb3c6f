"""The program's own objects in the graph: names, numbers that cannot be followed, later changes."""

from __future__ import annotations

from importlib import import_module

import pytest

from app.explore import explanation
from engine.ops import OPS, Op
from engine.trace.build import trace
from engine.trace.gradcheck import check
from engine.trace.transcript import transcript
from tests.oracles.records import Oracle
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
    assert "could not trace" in explanation.card(found, at)
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

DATACLASS = """\
from dataclasses import dataclass
@dataclass
class V:
    data: float
    grad: float = 0.0
    def __mul__(self, other):
        return V(self.data * other.data, 1.0)
"""


def test_an_object_made_with_a_gradient_is_no_pass() -> None:
    found = trace(f"{DATACLASS}a = V(2.0, 7.0)\nb = V(3.0)\nc = a * b\n")
    assert [scene.kind for scene in found.scenes] == ["end"]
    assert not any(frame.written for frame in found.frames)
    assert [node(found, name).grad for name in "abc"] == [7.0, 0.0, 1.0]


def test_a_gradient_written_later_is_one() -> None:
    found = trace(f"{DATACLASS}a = V(2.0, 7.0)\nb = V(3.0)\nc = a * b\nc.grad = 3.0\n")
    (frame,) = [frame for frame in found.frames if frame.written]
    assert frame.written is not None
    assert (frame.written.before, frame.written.after) == (1.0, 3.0)
    assert [node(found, name).grad for name in "abc"] == [7.0, 0.0, 3.0]


# Programs that plot


@pytest.mark.parametrize(
    "text",
    [
        "xs = [i * 0.5 for i in range(9)]\nys = [3*x**2 - 4*x + 5 for x in xs]\nplt.plot(xs, ys)",
        "ys = []\nfor i in range(9):\n    ys.append(i * 0.5)\nplt.plot(ys)\nplt.show()",
    ],
)
def test_points_of_a_chart_are_not_drawn(text: str) -> None:
    found = trace(f"import matplotlib.pyplot as plt\n{text}")
    assert (found.output, len(found.charts)) == (None, 1)


@pytest.mark.parametrize(
    ("text", "label", "data"),
    [
        ("w = 3.0\nloss = (w - 1) ** 2\nplt.plot([loss])", "loss", 4.0),
        ("ys = [x * 2 for x in [1.0, 2.0]]\nplt.plot(ys)\nh = 2.0\n(h + 1) * 2", "", 6.0),
    ],
)
def test_a_number_that_is_named_or_ends_the_program_is(text: str, label: str, data: float) -> None:
    found = trace(f"import matplotlib.pyplot as plt\n{text}")
    output = next(n for n in found.nodes if n.kind == "output")
    assert (output.label, output.data) == (label, data)


@pytest.mark.parametrize("name", ["__bool__", "__len__"])
def test_the_truth_of_an_object_is_not_asked_for_after_the_run(name: str) -> None:
    method = f"    def {name}(self):\n        print('called')\n        return 1\n"
    text = f"{CLASS}{method}a = Value(2.0)\nb = Value(3.0)\nL = b * 3\nL.grad = 1.0\nL._backward()"
    found = trace(text)
    assert not found.printed
    assert "L does not depend on a: its gradient is 0." in [note.message for note in found.notes]


# Words of methods


def test_numbers_of_operators_are_not_named_after_their_parameter() -> None:
    text = CLASS.replace(
        "    def tanh(",
        "    def __pow__(self, other):\n"
        "        return Value(self.data ** other, (self,))\n    def tanh(",
        1,
    )
    found = trace(f"{text}a = Value(3.0)\nL = a ** 2\nL.backward()")
    assert [n.label for n in found.nodes if n.kind == "constant"] == [""]


def test_a_write_is_quoted_without_the_comment_beside_it() -> None:
    text = CLASS.replace("self.grad += out.grad\n", "self.grad += out.grad  # d(a + b)/da = 1\n", 1)
    lines = [x.text for x in transcript(trace(f"{text}a = Value(3.0)\nL = a + a\nL.backward()"))]
    assert any(line.endswith("by self.grad += out.grad.") for line in lines)
    assert not any("#" in line for line in lines)


def test_a_number_of_a_class_without_gradients_is_named_by_its_args() -> None:
    text = "class V:\n    def __init__(self, data):\n        self.data = data\n"
    text += "    def __add__(self, other):\n        return V(self.data + other.data)\n"
    found = trace(f"{text}a = V(2.0)\nb = V(3.0)\nprint((a + b).data)")
    assert [n.name for n in found.nodes if n.args] == ["a + b"]
    assert found.source(found.nodes[-1]) == "a + b"


def test_the_sizes_of_layers_are_not_drawn() -> None:
    sizes = "sz = [2] + [3, 1]\n        self.layers = [Layer(sz[i], sz[i+1]) for i in range(2)]"
    text = MLP.replace("self.layers = [Layer(a, b) for a, b in zip(sizes, sizes[1:])]", sizes)
    assert sizes in text
    assert trace(f"{text}n = MLP([])").output is None


def test_constants_of_training_are_no_leaves_that_the_loss_should_depend_on() -> None:
    text = "n = MLP(2, [1])\nlr = 0.05\nfor _ in range(2):\n    loss = n([1.0, 2.0]) * 2\n"
    text += "    n.zero_grad()\n    loss.backward()\n"
    text += "    for p in n.parameters():\n        p.data -= lr * p.grad\n"
    assert not any("depend" in message for message in notes(text))


def test_objects_without_gradients_are_no_leaves_that_should_have_one() -> None:
    text = "class V:\n    def __init__(self, data):\n        self.data = data\n"
    assert notes(f"{text}a = V(2.0)\nb = V(3.0)\nprint(b.data + 1)") == []


def test_a_leaf_that_is_the_output_depends_on_nothing() -> None:
    assert notes("a = Value(2.0)\nb = Value(3.0)") == []


def test_a_note_says_that_objects_of_whole_arrays_are_not_drawn() -> None:
    found = trace(
        "import numpy as np\nclass Tensor:\n    def __init__(self, data):\n"
        "        self.data = np.asarray(data)\nt = Tensor([1.0, 2.0])\nprint(t.data.sum())"
    )
    assert found.printed == ("3.0",)
    assert found.nodes == ()
    (note,) = found.notes
    assert note.message.startswith("Objects of Tensor hold whole arrays in data")


# Functions of `math` and `operator`

OF_MODULES = [op for op in OPS.values() if op.module]


def own_method(op: Op) -> str:
    """A class of the reader's, and a function of its objects that computes `op`."""
    at = ", ".join(f"{name}.data" for name in op.params)
    return (
        "import math, operator\n"
        "class Value:\n"
        "    def __init__(self, data):\n        self.data = data\n        self.grad = 0.0\n"
        f"def f({', '.join(op.params)}):\n    return Value({op.called}({at}))\n"
    )


@pytest.mark.parametrize("op", OF_MODULES, ids=lambda op: op.name)
def test_functions_of_modules_in_a_class_of_ones_own_are_followed(op: Op) -> None:
    point = op.samples[1]
    names = op.params
    made = "".join(f"{name} = Value({x!r})\n" for name, x in zip(names, point, strict=True))
    right = [derive(op.compute(*point), *point) for derive in op.derive]
    by_hand = "".join(f"{name}.grad = {x!r}\n" for name, x in zip(names, right, strict=True))
    found = trace(f"{own_method(op)}{made}L = f({', '.join(names)})\nL.grad = 1.0\n{by_hand}")
    out = node(found, "L")
    assert (out.op, out.args) == (op.name, tuple(node(found, name).id for name in names))
    assert out.data == getattr(import_module(op.module), op.name)(*point)
    assert [node(found, name).grad for name in names] == right
    assert all(row.ok for row in check(found))


UNFOLLOWED = {
    "round(a.data, 1)": "a", "a.data // b.data": "ab", "int(a.data)": "a",
    "divmod(a.data, b.data)[0]": "ab", "math.floor(a.data)": "a", "math.gamma(a.data)": "a",
    "math.fsum([a.data, 1.0, b.data])": "ab", "math.hypot(a.data, b.data, 2.0)": "ab",
    "math.dist([a.data, 1.0], [b.data, 2.0])": "ab", "statistics.mean([a.data, b.data])": "ab",
    "np.floor(a.data)": "a", "float(np.round(a.data, 1))": "a",
}  # fmt: skip
"""Numbers that are computed in a way without an operation, and those that they come from."""


@pytest.mark.parametrize(("text", "names"), UNFOLLOWED.items())
def test_a_number_that_cannot_be_followed_is_connected(
    text: str, names: str, oracle: Oracle
) -> None:
    modules = "import math, statistics\nimport numpy as np\n"
    leaves = "a = Value(2.75)\nb = Value(1.5)\n"
    made = "class Value:\n    def __init__(self, data):\n        self.data = data\n"
    made += "        self.grad = 0.0\n"
    after = f"h = Value({text})\nL = Value(h.data * 3)\nL.grad = 1.0\nh.grad = 3.0\n"
    found = trace(f"{modules}{made}{leaves}{after}")
    h = node(found, "h")
    plain = text.replace("a.data", "2.75").replace("b.data", "1.5")
    (right,) = oracle("programs.printed", f"{modules}print(float({plain}))")["printed"]
    assert h.data == float(right)
    assert (h.op, h.key, h.grad) == (None, None, 3.0)
    assert h.args == tuple(node(found, name).id for name in names)
    assert [n.key for n in found.nodes if n.key] == list(names)


def test_without_objects_that_hold_numbers_such_a_number_is_a_leaf() -> None:
    found = trace("x = 2.75\nn = round(x, 1)\ny = n * 3")
    assert [(n.label, n.key) for n in found.nodes if n.label] == [("n", "n"), ("y", None)]


@pytest.mark.parametrize(
    ("lines", "op"),
    [
        ("x = 7.5\ny = x % 2.0", "mod"),
        ("import numpy as np\nw = 7.5\nx = np.exp(w)\ny = x % 2.0", "mod"),
        ("x = 7\nn = x % 2\ny = n * 3", "*"),
    ],
)
def test_the_remainder_of_floats_is_followed_and_that_of_ints_is_not(lines: str, op: str) -> None:
    found = trace(lines)
    assert any(n.op == "mod" for n in found.nodes) == (op == "mod")
    assert node(found, "y").op == op
