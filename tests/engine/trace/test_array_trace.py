"""Operations on whole arrays as nodes and frames: one operation is one of each."""

import json
from typing import Any

import pytest

from engine.by_hand.verdict import judge_arrays
from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace.array_json import arrays_json, by_hand_json
from engine.trace.array_trace import ArrayTrace, array_trace

LINEAR = """\
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
t = torch.tensor([[1.0], [0.0], [2.0]])
W = torch.tensor([[1.0], [-1.0]], requires_grad=True)
b = torch.tensor([0.5], requires_grad=True)
y = x @ W + b
loss = ((y - t) ** 2).mean()
loss.backward()
"""


def _traced(text: str) -> ArrayTrace:
    program = Program(text, recording=RepeatableRecording)
    found = array_trace(program.run())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def linear() -> ArrayTrace:
    return _traced(LINEAR)


def _by_name(trace: ArrayTrace) -> dict[str, Any]:
    return {node.name: node for node in trace.nodes}


def test_an_operation_is_one_node_with_a_frame_each_way(linear: ArrayTrace) -> None:
    computed = [node for node in linear.nodes if node.op is not None]
    assert [node.op for node in computed] == ["@", "+", "-", "**", "mean"]
    forward = [frame.node for frame in linear.frames if frame.pass_ == "forward"]
    backward = [frame.node for frame in linear.frames if frame.pass_ == "backward"]
    assert forward == ["", *(node.id for node in computed)]
    assert backward == [computed[-1].id, *(node.id for node in reversed(computed))]


def test_gradients_are_those_of_the_formulas(linear: ArrayTrace) -> None:
    """∂L/∂y = 2 (y - t) / 3, ∂L/∂W = xᵀ ∂L/∂y, ∂L/∂b its sum; y - t = -1.5, -0.5, -2.5."""
    found = _by_name(linear)
    assert found["y"].data.data == [-0.5, -0.5, -0.5]
    assert found["y"].grad.data == pytest.approx([-1.0, -1 / 3, -5 / 3])
    assert found["W"].grad.data == pytest.approx([-1 - 1 - 25 / 3, -2 - 4 / 3 - 10])
    assert found["b"].grad.data == pytest.approx([-3.0])


def test_a_broadcast_is_a_sum_that_is_named(linear: ArrayTrace) -> None:
    found = _by_name(linear)
    frame = next(f for f in linear.frames if f.pass_ == "backward" and f.node == found["y"].id)
    sent = {c.to: c for c in frame.contributions}
    assert sent[found["b"].id].summed == (0,)
    assert sent[found["x @ W"].id].summed == ()
    assert all(c.is_last for c in frame.contributions)


def test_a_graph_without_backward_ends_at_the_loss() -> None:
    text = "import numpy as np\na = np.array([1.0, 2.0])\nloss = (a * a).sum()\n"
    trace = _traced(text)
    found = _by_name(trace)
    assert trace.output == found["loss"].id
    assert found["a"].grad.data == [2.0, 4.0]
    (frame,) = [f for f in trace.frames if f.node == found["a * a"].id and f.contributions]
    assert [c.is_last for c in frame.contributions] == [False, True]


def test_json_has_nested_lists_and_summaries() -> None:
    text = "import numpy as np\nm = np.ones((40, 30))\nv = np.array([2.0])\ns = (m * v).sum()\n"
    found = arrays_json(_traced(text))
    nodes = {node["label"]: node for node in found["nodes"]}
    assert nodes["m"]["shape"] == [40, 30]
    assert nodes["m"]["dtype"] == "float64"
    assert nodes["m"]["data"]["norm"] == pytest.approx(1200**0.5)
    assert nodes["m"]["data"]["corners"] == [1.0] * 4
    assert nodes["v"]["data"] == [2.0]
    assert nodes["v"]["grad"] == [1200.0]
    assert nodes["s"]["data"] == 2400.0


MODULES = """\
import torch
import torch.nn as nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.act, self.fc2 = nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2, bias=False)
    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))
net = Net()
x = torch.randn(5, 3)
y = torch.tensor([0, 1, 1, 0, 1])
loss = nn.CrossEntropyLoss()(net(x), y)
loss.backward()
print([round(g, 4) for g in net.fc1.bias.grad.tolist()])
"""


def test_a_module_is_one_operation_with_its_parameters() -> None:
    """The gradient is the one that the program's own backward pass leaves."""
    program = Program(MODULES, recording=RepeatableRecording)
    run = program.run()
    found = array_trace(run)
    assert found is not None
    nodes = _by_name(found)
    ops = [node.op for node in found.nodes if node.op]
    assert ops == ["linear", "tanh", "linear", "cross_entropy"]
    assert {"fc1.weight", "fc1.bias", "fc2.weight"} <= nodes.keys()
    assert [str([round(g, 4) for g in nodes["fc1.bias"].grad.data])] == run.printed


LOOP = """\
import torch
import torch.nn as nn
torch.manual_seed(0)
x, t = torch.randn(4, 3), torch.randn(4, 1)
net = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(3):
    opt.zero_grad()
    loss = ((net(x) - t)**2).mean()
    loss.backward()
    grads = net[0].weight.grad.flatten().tolist()
    opt.step()
print(grads)
"""


def test_each_pass_is_a_scene_and_parameters_begin_it_as_leaves() -> None:
    """The gradients are those that the program's own last pass leaves."""
    run = Program(LOOP, recording=RepeatableRecording).run()
    found = array_trace(run)
    assert found is not None
    assert [scene.id for scene in run.scenes] == [1, 2, 3]
    losses = [scene.data or 0.0 for scene in run.scenes]
    assert losses == sorted(losses, reverse=True)
    nodes = _by_name(found)
    leaves = {"net.0.weight", "net.0.bias", "net.2.weight", "net.2.bias"}
    given = [node for node in found.nodes if node.op is None and not node.is_constant]
    assert leaves == {node.name for node in given if node.grad is not None}
    due = json.loads(run.printed[0])
    assert nodes["net.0.weight"].grad.data == pytest.approx(due, rel=1e-4, abs=1e-6)
    assert (nodes["x"].grad, nodes["t"].grad) == (None, None)  # which record none
    ops = [node.op for node in found.nodes if node.op]
    assert ops == ["linear", "tanh", "linear", "-", "**", "mean"]


def test_a_chosen_scene_is_the_graph_of_its_pass() -> None:
    text = (
        "import torch\nw = torch.tensor([1.0, 2.0], requires_grad=True)\n(w * w).sum().backward()\n"
        "w.grad = None\n(w * 3).sum().backward()\n"
    )
    program = Program(text, recording=RepeatableRecording)
    grads = []
    for scene in (1, 2):
        found = array_trace(program.run(scene=scene))
        assert found is not None
        grads.append(_by_name(found)["w"].grad.data)
    assert grads == [[2.0, 4.0], [3.0, 3.0]]


def test_changes_in_place_are_operations_that_pass_gradients() -> None:
    """L = w₀ (w₀ w₁ + w₂): ∂L/∂w = (2 w₀ w₁ + w₂, w₀², w₀) at (2, 3, 5)."""
    text = (
        "import torch\nw = torch.tensor([2.0, 3.0, 5.0], requires_grad=True)\nz = torch.zeros(3)\n"
        "z[1] = w[0] * w[1]\nz[1] += w[2]\nL = (z * w[0]).sum()\nL.backward()\nprint(w.grad)\n"
    )
    run = Program(text, recording=RepeatableRecording).run()
    found = array_trace(run)
    assert found is not None
    assert _by_name(found)["w"].grad.data == [17.0, 4.0, 2.0]
    assert run.printed == ["tensor([17.,  4.,  2.])"]


def test_tensors_of_one_number_are_values_not_arrays() -> None:
    text = "import torch\na = torch.tensor([2.0], requires_grad=True)\nL = a * 3\nL.backward()\n"
    run = Program(text, recording=RepeatableRecording).run()
    assert array_trace(run) is None
    assert run.output is not None
    assert (run.output.label, run.output.data) == ("L", 6.0)


@pytest.mark.parametrize("made", ["nn.Parameter(torch.ones(2))", "torch.ones(2).requires_grad_()"])
def test_a_tensor_that_begins_to_record_has_its_gradient(made: str) -> None:
    """∂(Σ w²)/∂w = 2 w."""
    text = f"import torch, torch.nn as nn\nw = {made}\nL = (w * w).sum()\nL.backward()\n"
    found = _by_name(_traced(text))
    assert found["w"].grad.data == [2.0, 2.0]


def test_json_has_the_verdict_on_gradients_by_hand() -> None:
    """y = x @ w = 5, 11, 17 and dy = 2y / 3, so that ∂L/∂w = xᵀ dy = (2/3) · (123, 156)."""
    text = (
        "import numpy as np\nx = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])\n"
        "w = np.array([1.0, 2.0])\ny = x @ w\nloss = (y ** 2).mean()\n"
        "dy = 2 * y / 3\ndw = x.T @ dy * 3\n"
    )
    program = Program(text, recording=RepeatableRecording)
    judged = judge_arrays(program, program.run())
    assert judged is not None
    found = json.loads(json.dumps(by_hand_json(judged)))
    assert (found["loss"], found["right"], found["checked"]) == ("loss", 1, 2)
    dy, dw = found["gradients"]
    assert (dy["name"], dy["state"], dy["maxdiff"]) == ("dy", "right", pytest.approx(0, abs=1e-12))
    assert (dw["of"], dw["state"], dw["exact"], dw["approximate"]) == ("w", "wrong", False, False)
    assert dw["due"] == pytest.approx([82.0, 104.0])
    assert dw["written"] == pytest.approx([246.0, 312.0])
    (mistake,) = found["mistakes"]
    assert (mistake["name"], mistake["span"][0]) == ("dw", 7)


def test_the_variable_of_a_loop_has_its_name() -> None:
    """It is first seen as an operand, and has no line of its own."""
    text = (
        "import torch\nW = torch.ones(3, 2, requires_grad=True)\nloss = 0\n"
        "for x in torch.ones(2, 2, 3):\n    loss = loss + (x @ W).sum()\nloss.backward()\n"
    )
    found = array_trace(Program(text, recording=RepeatableRecording).run())
    assert found is not None
    leaves = [it.name for it in found.nodes if it.op is None and not it.is_constant]
    assert leaves == ["W", "x", "x"]
