"""Networks: parameters in order, conventions of the tutorials, errors, the same random numbers."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from engine import MLP, Layer, Module, Neuron, Value
from engine.nn import CONVENTIONS
from tests.support.each import for_each


def numbers(module: Module) -> list[float]:
    """The data of every parameter."""
    return [p.data for p in module.parameters()]


def test_a_network_of_3_4_4_1_has_41_parameters() -> None:
    assert len(MLP(3, [4, 4, 1]).parameters()) == 41


def test_parameters_stand_layer_by_layer_neuron_by_neuron_weights_then_bias() -> None:
    net = MLP(2, [3, 1])
    labels = [p.label for p in net.parameters()]
    assert labels[:6] == ["l0.n0.w0", "l0.n0.w1", "l0.n0.b", "l0.n1.w0", "l0.n1.w1", "l0.n1.b"]
    assert labels[-4:] == ["l1.n0.w0", "l1.n0.w1", "l1.n0.w2", "l1.n0.b"]
    by_hand = [p for layer in net.layers for n in layer.neurons for p in [*n.w, n.b]]
    assert net.parameters() == by_hand


def test_a_module_alone_has_nothing() -> None:
    assert Module().parameters() == []
    with pytest.raises(AttributeError):
        Module()([1.0])


def test_a_neuron_is_a_weighted_sum_through_its_activation() -> None:
    neuron = Neuron(2, "tanh")
    for p, x in zip(neuron.parameters(), [-3.0, 1.0, 6.8813735870195432], strict=True):
        p.data = x
    x1, x2 = Value(2.0), Value(0.0)
    out = neuron([x1, x2])
    out.backward()
    assert out.data == pytest.approx(1 / math.sqrt(2), rel=1e-14)
    assert x1.grad == pytest.approx(-1.5, rel=1e-12)
    assert x2.grad == pytest.approx(0.5, rel=1e-12)
    assert [p.grad for p in neuron.parameters()] == pytest.approx([1.0, 0.0, 0.5], rel=1e-12)


def test_plain_numbers_are_inputs_too() -> None:
    neuron = Neuron(2, "linear")
    w0, w1, b = numbers(neuron)
    assert neuron([2.0, -1]).data == pytest.approx(2 * w0 - w1 + b, rel=1e-14)


def test_one_neuron_gives_a_value_and_more_give_a_list() -> None:
    assert isinstance(Layer(2, 1)([1.0, 2.0]), Value)
    two = Layer(2, 2)([1.0, 2.0])
    assert isinstance(two, list)
    assert len(two) == 2
    assert isinstance(MLP(2, [3, 1])([1.0, 2.0]), Value)


def test_a_layer_may_follow_a_layer_of_one_neuron() -> None:
    net = MLP(2, [1, 2, 1])
    out = net([1.0, -1.0])
    out.backward()
    assert all(p.grad != 0 for p in net.layers[-1].parameters())


@pytest.mark.parametrize(
    ("name", "hidden", "last", "has_bias"),
    [
        ("lecture", "tanh", "tanh", True),
        ("tutorial", "tanh", "tanh", False),
        ("micrograd", "relu", "linear", False),
    ],
)
def test_conventions(name: str, hidden: str, last: str, has_bias: bool) -> None:
    net = MLP(2, [3, 3, 1], convention=name)
    assert [n.activation for n in net.layers[0].neurons] == [hidden] * 3
    assert [n.activation for n in net.layers[1].neurons] == [hidden] * 3
    assert net.layers[-1].neurons[0].activation == last
    assert any(n.b.data for layer in net.layers for n in layer.neurons) == has_bias
    assert all(-1 <= p.data <= 1 for p in net.parameters())


def test_every_convention_is_tested_here() -> None:
    assert set(CONVENTIONS) == {"lecture", "tutorial", "micrograd"}


def test_an_activation_for_all_layers_or_for_the_last() -> None:
    both = MLP(1, [2, 1], "sigmoid")
    assert [layer.neurons[0].activation for layer in both.layers] == ["sigmoid", "sigmoid"]
    mixed = MLP(1, [2, 1], "relu", "tanh")
    assert [layer.neurons[0].activation for layer in mixed.layers] == ["relu", "tanh"]
    micrograd = MLP(1, [2, 1], "tanh", convention="micrograd")
    assert [layer.neurons[0].activation for layer in micrograd.layers] == ["tanh", "linear"]


@pytest.mark.parametrize(("nonlin", "activation"), [(True, "relu"), (False, "linear")])
def test_nonlin_is_the_switch_of_micrograd(nonlin: bool, activation: str) -> None:
    assert Neuron(2, nonlin=nonlin).activation == activation
    assert Layer(2, 2, nonlin=nonlin).neurons[0].activation == activation


@for_each(
    ("make", "message"),
    [
        (lambda: Neuron(2, "swosh"), "unknown activation 'swosh'; choose from tanh"),
        (lambda: Neuron(2, bias="none"), "unknown bias 'none'; choose from uniform, zero"),
        (lambda: MLP(2, [1], convention="mine"), "unknown convention 'mine'"),
        (lambda: MLP(2, [1], output_activation="swosh"), "unknown activation 'swosh'"),
        (lambda: Neuron(2)([1.0]), "a neuron with 2 weights got 1 inputs"),
        (lambda: Neuron(2)([1.0, 2.0, 3.0]), "a neuron with 2 weights got 3 inputs"),
        (lambda: MLP(2, [2, 1])([1.0]), "a neuron with 2 weights got 1 inputs"),
    ],
    ids=["activation", "bias", "convention", "last activation", "few", "many", "few for MLP"],
)
def test_wrong_number_of_inputs_is_an_error(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_zero_grad() -> None:
    net = MLP(2, [2, 1])
    net([1.0, 2.0]).backward()
    assert any(p.grad for p in net.parameters())
    net.zero_grad()
    assert all(p.grad == 0.0 for p in net.parameters())


def test_texts() -> None:
    assert str(Neuron(2, "relu")) == "ReLUNeuron(2)"
    assert str(Neuron(2, "linear")) == "LinearNeuron(2)"
    assert str(MLP(2, [1], "tanh")) == "MLP of [Layer of [tanhNeuron(2)]]"


def test_a_hook_runs_the_forward_pass() -> None:
    seen = []

    def hook(module: Module, x: Any) -> Any:
        seen.append(module)
        return module.forward(x)

    net = MLP(2, [2, 1])
    for part in net.modules():
        part.hook = hook
    plain = MLP(2, [2, 1])
    for p, q in zip(plain.parameters(), net.parameters(), strict=True):
        p.data = q.data
    assert net([1.0, 2.0]).data == plain([1.0, 2.0]).data
    assert seen == net.modules()


# The classes of the tutorials, as their readers type them: the same seed gives the same network


class TheirNeuron:
    """Weights, then the bias, all from uniform(-1, 1): the order of the lecture."""

    def __init__(self, nin: int, random_bias: bool) -> None:
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1) if random_bias else 0.0)

    def __call__(self, x: list[Any]) -> Value:
        return sum((wi * xi for wi, xi in zip(self.w, x, strict=True)), self.b).tanh()


class TheirMLP:
    """Layers as lists of neurons."""

    def __init__(self, nin: int, nouts: list[int], random_bias: bool) -> None:
        sizes = [nin, *nouts]
        self.layers = [
            [TheirNeuron(sizes[i], random_bias) for _ in range(sizes[i + 1])]
            for i in range(len(nouts))
        ]

    def __call__(self, x: list[Any]) -> list[Any]:
        for layer in self.layers:
            x = [neuron(x) for neuron in layer]
        return x


@for_each(("convention", "random_bias"), [("lecture", True), ("tutorial", False)])
@for_each("seed", [0, 7, 1337])
def test_the_same_random_numbers_as_the_classes_of_the_tutorials(
    convention: str, random_bias: bool, seed: int
) -> None:
    x = [2.0, 3.0, -1.0]
    random.seed(seed)
    theirs = TheirMLP(3, [4, 4, 1], random_bias)
    (right,) = theirs(x)
    random.seed(seed)
    ours = MLP(3, [4, 4, 1], convention=convention)
    assert ours(x).data == right.data
    seeded = MLP(3, [4, 4, 1], convention=convention, rng=random.Random(seed))
    assert numbers(seeded) == numbers(ours)


def test_two_steps_of_descent_lower_the_loss() -> None:
    net = MLP(3, [4, 4, 1], rng=random.Random(1))
    xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
    ys = [1.0, -1.0, -1.0, 1.0]
    losses = []
    for _ in range(50):
        loss = sum(((net(x) - y) ** 2 for x, y in zip(xs, ys, strict=True)), Value(0.0))
        net.zero_grad()
        loss.backward()
        for p in net.parameters():
            p.data -= 0.05 * p.grad
        losses.append(loss.data)
    assert losses[-1] < losses[0] / 5


def test_a_network_starts_from_given_parameters() -> None:
    numbers = [0.5, -1.0, 0.25, 2.0, -3.0, 0.0, 1.0, 1.0, -0.5]
    net = MLP(2, [2, 1], activation="tanh", parameters=numbers)
    assert [p.data for p in net.parameters()] == numbers
    first = math.tanh(0.5 * 3 - 1.0 * 4 + 0.25)
    second = math.tanh(2.0 * 3 - 3.0 * 4)
    assert net([3.0, 4.0]).data == pytest.approx(math.tanh(first + second - 0.5), rel=1e-15)
    assert [p.data for p in Layer(1, 2, parameters=[1, 2, 3, 4]).parameters()] == [1, 2, 3, 4]
    for wrong in ([], [1.0] * 8, [1.0] * 10):
        with pytest.raises(ValueError, match="9 parameters"):
            MLP(2, [2, 1], parameters=wrong)
