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
from tests.support.each import for_each
from tests.support.own_class import CLASS
from tests.support.programs import node, notes

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


@for_each("op", OF_MODULES, ids=lambda op: op.name)
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


@for_each(("text", "names"), UNFOLLOWED.items())
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
