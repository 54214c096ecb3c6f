"""Networks in programs: how they are called, named and refused."""

from __future__ import annotations

import pytest

from engine.program import Program, ProgramError
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import finished, printed, refusal


def test_a_network_that_is_not_called_is_called_once() -> None:
    found = trace("n = MLP(2, [3, 1])")
    assert any("not called yet" in note.message for note in found.notes)
    assert sum(n.kind == "leaf" for n in found.nodes) == 13


def test_networks_read_like_micrograd() -> None:
    text = (
        "n = MLP(2, [3, 1])\nprint(len(n.parameters()), len(n.layers), len(n.layers[0].neurons))\n"
        "y = n([1.0, -2.0])\nn.zero_grad()\ny.backward()\nneuron = n.layers[0].neurons[2]\n"
        "print(len(neuron.w), neuron.b.label)\nz = neuron([1.0, 2.0])\nw = n.layers[0]([1.0, 2.0])"
    )
    assert printed(text) == ["13 2 3", "2 l0.n2.b"]


@for_each(
    ("line", "activation", "bias"),
    [
        ("n = Neuron(2)", "tanh", True),
        ("n = Neuron(2, 'relu', 'zero')", "ReLU", False),
        ("n = Neuron(2, nonlin=False)", "Linear", True),
        ("from micrograd.nn import Neuron\nn = Neuron(2)", "ReLU", False),
        ("import micrograd.nn\nn = micrograd.nn.Neuron(2, activation='silu')", "silu", False),
    ],
)
def test_conventions_of_networks(line: str, activation: str, bias: bool) -> None:
    ((neuron, _),) = finished(line).tape.networks
    assert str(neuron) == f"{activation}Neuron(2)"
    assert bool(neuron.parameters()[-1].data) == bias


def test_a_pasted_neuron_is_its_own() -> None:
    text = (
        "class Neuron:\n    def __init__(self, n):\n"
        "        self.w = [Value(0.5) for _ in range(n)]\n"
        "        self.b = Value(-1.0)\n    def __call__(self, x):\n"
        "        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)\n"
        "        return act.relu()\n"
        "n = Neuron(2)\ny = n([2.0, 4.0])"
    )
    found = trace(text)
    assert (found.nodes[-1].label, found.nodes[-1].data) == ("y", 0.5 * 2 + 0.5 * 4 - 1)
    assert found.notes == ()


def test_inputs_are_shared_by_the_neurons_and_have_names() -> None:
    found = trace("n = Layer(2, 3)\nx = [0.5, -1.0]\ny = sum(n(x))")
    assert sum(n.label == "x[0]" for n in found.nodes) == 1
    mapped = trace("n = MLP(2, [1])\ny = list(map(n, [[0.5, -1.0]]))[0]")
    assert all(n.label == n.label.strip() for n in mapped.nodes)


REFUSED_NETWORKS = [
    ("n = MLP(2, [1])\ny = n(1.0)", "TypeError: 'float' object is not iterable"),
    (
        "n = MLP(2, [1])\ny = n([1.0, 'x'])",
        "TypeError: unsupported operand type(s) for *: 'Value' and 'str'",
    ),
    ("n = MLP(2, [0])", "A size of a network is at least 1."),
    ("n = MLP(2)", "TypeError: MLP.__init__() missing 1 required positional argument: 'nouts'"),
    ("n = MLP(2, 3)", "MLP takes a list of the sizes of its layers."),
    ("n = Layer(2)", "TypeError: Layer.__init__() missing 1 required positional argument: 'nout'"),
    ("n = Layer(2, 2.5)", "A size of a network is a whole number, not 2.5."),
    ("n = Neuron(True)", "A size of a network is a whole number, not True."),
    ("n = Neuron(2, bias=math)", "bias is a text."),
    ("n = Neuron(2, bias=lambda x: x)", "bias is a text."),
    ("n = Neuron(2, nonlin=3)", "nonlin is True or False."),
    ("n = Layer(2, 2, 'relu', activation='relu')", "Layer has too many arguments here."),
    ("n = MLP(2, [1.5])", "A size of a network is a whole number, not 1.5."),
    ("n = MLP(100, [100, 100])", "This network has more than 10,000 weights."),
    ("n = MLP(2, [1], activation='swosh')", "The network cannot be made: unknown activation"),
    (
        "n = MLP(2, [1], size=3)",
        "TypeError: MLP.__init__() got an unexpected keyword argument 'size'",
    ),
    (
        "n = Neuron(2, output_activation='tanh')",
        "TypeError: Neuron.__init__() got an unexpected keyword argument 'output_activation'",
    ),
    ("n = Neuron(2)\nn.w = 1", "w cannot be set here."),
    ("n = Layer(2, 2)\nn.neurons.append(1)\nn([1.0, 2.0])", "TypeError: 'int' object is not"),
]


@for_each(("text", "message"), REFUSED_NETWORKS)
def test_networks_that_cannot_be(text: str, message: str) -> None:
    assert refusal(text).message.startswith(message)


def test_too_few_inputs_are_cut_as_by_zip_with_a_note() -> None:
    found = trace("n = Neuron(2, parameters=[1.0, 2.0, 0.5], activation='linear')\ny = n([3.0])")
    assert found.nodes[-1].data == 3.0 + 0.5
    assert found.notes[0].message.startswith("The network has 2 inputs and got 1; as with")


def test_a_network_with_given_parameters_has_them_as_leaves() -> None:
    text = "net = MLP(2, [1], parameters=[0.5, -1.0, 0.25])\nL = net([1.0, 2.0])\nL.backward()"
    found = {node.label: node.data for node in trace(text).nodes}
    assert (found["l0.n0.w0"], found["l0.n0.w1"], found["l0.n0.b"]) == (0.5, -1.0, 0.25)
    changed = trace(Program(text), {"l0.n0.w0": 2.0})
    assert {node.label: node.data for node in changed.nodes}["l0.n0.w0"] == 2.0


@for_each(
    ("given", "says"),
    [
        ("[0.5]", "1 numbers for 3 parameters"),
        ("3", "'int' object is not iterable"),
        ("[1, 2, 'x']", "The parameters of a network are numbers"),
        (f"[1, 2, {'9' * 400}]", "int too large to convert to float"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(given: str, says: str) -> None:
    with pytest.raises(ProgramError, match=says):
        trace(f"net = MLP(2, [1], parameters={given})\nL = net([1.0, 2.0])")


def test_whole_numbers_stay_ints_as_in_micrograd() -> None:
    """micrograd computes `data**2` and `0 if data < 0 else data` with Python's own numbers."""
    lines = printed(
        "from micrograd.engine import Value\n"
        "print(Value(3)**2, Value(4)**0.5, Value(2)**-1, Value(2.0)**2)\n"
        "print(Value(-5.0).relu(), Value(5).relu(), Value(2.5).relu())\n"
    )
    assert lines == [
        (
            "Value(data=9, grad=0) Value(data=2.0, grad=0) Value(data=0.5, grad=0) "
            "Value(data=4.0, grad=0)"
        ),
        "Value(data=0, grad=0) Value(data=5, grad=0) Value(data=2.5, grad=0)",
    ]


def test_neurons_of_micrograd_tell_whether_they_are_bent() -> None:
    text = "from micrograd.nn import MLP\nn = MLP(2, [3, 1])\n"
    shown = "print([[n.nonlin for n in layer.neurons] for layer in n.layers])"
    assert printed(text + shown) == ["[[True, True, True], [False]]"]
    assert "has no attribute 'nonlin'" in refusal("Neuron(2).nonlin").message
