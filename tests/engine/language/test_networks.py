"""Networks in programs: how they are called, named and refused."""

from __future__ import annotations

import pytest

from engine.language.program import Program, ProgramError
from engine.trace.build import trace
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


@pytest.mark.parametrize(
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


def test_a_pasted_neuron_says_how_the_network_is_made() -> None:
    text = (
        "class Neuron:\n    def __init__(self, n):\n"
        "        self.w = [Value(random.uniform(-1, 1)) for _ in range(n)]\n"
        "        self.b = Value({})\n    def __call__(self, x):\n"
        "        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)\n        return {}\n"
        "n = Neuron(2)"
    )
    for bias, out, activation in [
        ("random.uniform(-1, 1)", "act.tanh()", "tanh"),
        ("0.0", "act.relu()", "ReLU"),
        ("0", "act", "Linear"),
    ]:
        ((neuron, _),) = finished(text.format(bias, out)).tape.networks
        assert str(neuron) == f"{activation}Neuron(2)"
        assert bool(neuron.parameters()[-1].data) == ("random" in bias)


def test_inputs_are_shared_by_the_neurons_and_have_names() -> None:
    found = trace("n = Layer(2, 3)\nx = [0.5, -1.0]\ny = sum(n(x))")
    assert sum(n.label == "x[0]" for n in found.nodes) == 1
    mapped = trace("n = MLP(2, [1])\ny = list(map(n, [[0.5, -1.0]]))[0]")
    assert all(n.label == n.label.strip() for n in mapped.nodes)


REFUSED_NETWORKS = [
    ("n = MLP(2, [1])\ny = n([1.0])", "A neuron with 2 weights got 1 inputs."),
    ("n = MLP(2, [1])\ny = n(1.0)", "A network takes one list of inputs."),
    ("n = MLP(2, [1])\ny = n([1.0, 'x'])", "A network takes numbers, not a text."),
    ("n = MLP(2, [0])", "A size of a network is at least 1."),
    ("n = MLP(2)", "MLP takes its number of inputs and a list"),
    ("n = MLP(2, 3)", "MLP takes its number of inputs and a list"),
    ("n = Layer(2)", "Layer takes its number of inputs and its number of neurons."),
    ("n = Layer(2, 2.5)", "A whole number is needed here, not 2.5."),
    ("n = Neuron(True)", "A whole number is needed here, not a truth value."),
    ("n = Neuron(2, bias=math)", "bias is a text, not a module."),
    ("n = Neuron(2, bias=lambda x: x)", "bias is a text, not a function."),
    ("n = Neuron(2, nonlin=3)", "nonlin is True or False, not a plain number."),
    ("n = Layer(2, 2, 'relu', activation='relu')", "Layer has too many arguments here."),
    ("n = MLP(2, [1.5])", "A whole number is needed here, not 1.5."),
    ("n = MLP(100, [100, 100])", "This network has more than 10,000 weights."),
    ("n = MLP(2, [1], activation='swosh')", "The network cannot be made: unknown activation"),
    ("n = MLP(2, [1], size=3)", "MLP has no argument size here."),
    ("n = Neuron(2, output_activation='tanh')", "Only an MLP has an output_activation."),
    ("n = Neuron(2)\nn.w = 1", "A neuron has no attribute w to set."),
    ("n = Neuron(2)\nn.w[0] = 1", "The parts of a network cannot be replaced."),
    ("n = Layer(2, 2)\nn.neurons.append(1)", "The parts of a network cannot be replaced."),
    ("n = MLP(2, [1])\nn.layers.extend([1])", "The parts of a network cannot be replaced."),
]


@pytest.mark.parametrize(("text", "message"), REFUSED_NETWORKS)
def test_networks_that_cannot_be(text: str, message: str) -> None:
    assert refusal(text).message.startswith(message)


@pytest.mark.parametrize(
    ("body", "used"),
    [
        (
            "def __init__(self, nin):\n        self.b = Value(0.0)",
            "with tanh, weights from random.uniform(-1, 1) and biases of 0",
        ),
        (
            "def __init__(self, nin):\n        self.b = Value(random.uniform(-1, 1))",
            "with tanh, and weights and biases from random.uniform(-1, 1)",
        ),
        (
            "def __init__(self, nin, nonlin=True):\n        self.b = random.uniform(-1, 1)",
            "with relu except in the last layer, and weights and biases from random.uniform(-1, 1)",
        ),
    ],
)
def test_a_pasted_neuron_says_what_is_used(body: str, used: str) -> None:
    (note,) = finished(f"class Neuron:\n    {body}\n").notes
    assert note.message == (
        f"Neuron is built in: your class is passed over and the built-in one is used, {used}."
    )


def test_a_network_with_given_parameters_has_them_as_leaves() -> None:
    text = "net = MLP(2, [1], parameters=[0.5, -1.0, 0.25])\nL = net([1.0, 2.0])\nL.backward()"
    found = {node.label: node.data for node in trace(text).nodes}
    assert (found["l0.n0.w0"], found["l0.n0.w1"], found["l0.n0.b"]) == (0.5, -1.0, 0.25)
    changed = trace(Program(text), {"l0.n0.w0": 2.0})
    assert {node.label: node.data for node in changed.nodes}["l0.n0.w0"] == 2.0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("[0.5]", "1 numbers for 3 parameters"),
        ("3", "list of numbers"),
        ("[1, 2, 'x']", "A number is needed"),
        (f"[1, 2, {'9' * 400}]", "400 digits"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(given: str, says: str) -> None:
    with pytest.raises(ProgramError, match=says):
        trace(f"net = MLP(2, [1], parameters={given})\nL = net([1.0, 2.0])")


def test_networks_count_as_work_before_they_are_made() -> None:
    """A weight takes as long as some operations, whether or not it is ever used."""
    with pytest.raises(ProgramError, match="more than 250,000 operations") as caught:
        Program("nets = [MLP(30, [30, 30]) for i in range(25)]\nL = 2.0*3").run()
    assert caught.value.span == (1, 9, 1, 26)
    Program("net = MLP(90, [100, 1])\nL = 2.0*3").run()
