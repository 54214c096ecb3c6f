"""Neurons, layers and multilayer perceptrons over scalar Values.

    neuron  y = f(b + Σ wᵢ·xᵢ)        layer  several neurons on one input        MLP  layers in turn

Two conventions are in use among tutorials and both can be had by name (CONVENTIONS), or piece by
piece: the lecture's (tanh everywhere, bias drawn like a weight) and micrograd's own (relu, a
linear last layer, bias 0).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .ops import ACTIVATIONS, OPS
from .value import Value, apply

LINEAR = "linear"


@dataclass(frozen=True, slots=True)
class Convention:
    """What a network does where its caller does not say."""

    activation: str
    output_activation: str
    bias: str
    help: str


CONVENTIONS: dict[str, Convention] = {
    "lecture": Convention("tanh", "tanh", "uniform", "tanh on every neuron, random biases"),
    "tutorial": Convention("tanh", "tanh", "zero", "tanh on every neuron, biases start at 0"),
    "micrograd": Convention("relu", LINEAR, "zero", "relu, linear last layer, biases start at 0"),
}
BIASES = ("uniform", "zero")

Inputs = Sequence["Value | float"]
Hook = Callable[["Module", Any], Any]
"""Runs a module's forward pass on behalf of whoever watches it, and returns its result."""


class Module:
    """Something with parameters: a neuron, a layer, a network."""

    name: str = ""
    hook: Hook | None = None

    def parameters(self) -> list[Value]:
        """Every parameter: layer by layer, neuron by neuron, weights and then bias."""
        return []

    def load(self, numbers: Sequence[float]) -> None:
        """Give the parameters these numbers, in their order; ValueError for too many or few."""
        parameters = self.parameters()
        if len(numbers) != len(parameters):
            raise ValueError(f"there are {len(parameters)} parameters, and {len(numbers)} numbers")
        for parameter, x in zip(parameters, numbers, strict=True):
            parameter.data = float(x)

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for parameter in self.parameters():
            parameter.grad = 0.0

    def modules(self) -> list[Module]:
        """This module and all inside it."""
        return [self]

    def inputs(self) -> int:
        """How many inputs a call takes: the weights of its first neuron."""
        neurons = [module for module in self.modules() if isinstance(module, Neuron)]
        return len(neurons[0].w) if neurons else 0

    def forward(self, x: Any) -> Any:
        raise AttributeError("a Module by itself has no forward pass")

    def __call__(self, x: Any) -> Any:
        return self.forward(x) if self.hook is None else self.hook(self, x)


class Neuron(Module):
    """y = f(b + w₁x₁ + … + wₙxₙ), weights uniform in (−1, 1).

    `activation` is the name of an activation of the table or "linear"; `bias` is "uniform" or
    "zero". `nonlin` is micrograd's switch: True is relu, False linear. Raises ValueError for an
    unknown name, or for inputs of another number than `nin`. `parameters` are the numbers to start
    from, in the order of `parameters()`; without them they are drawn.
    """

    def __init__(
        self,
        nin: int,
        activation: str | None = None,
        bias: str | None = None,
        *,
        nonlin: bool | None = None,
        convention: str = "lecture",
        rng: random.Random | None = None,
        name: str = "",
        parameters: Sequence[float] | None = None,
    ) -> None:
        usual = _convention(convention)
        if activation is None and nonlin is not None:
            activation = "relu" if nonlin else LINEAR
        self.activation = _known(
            "activation", activation or usual.activation, (*ACTIVATIONS, LINEAR)
        )
        uniform = (rng or random).uniform
        prefix = f"{name}." if name else ""
        self.name = name
        self.w = [Value(uniform(-1, 1), label=f"{prefix}w{i}") for i in range(nin)]
        random_bias = _known("bias", bias or usual.bias, BIASES) == "uniform"
        self.b = Value(uniform(-1, 1) if random_bias else 0.0, label=f"{prefix}b")
        if parameters is not None:
            self.load(parameters)

    def forward(self, x: Inputs | Value) -> Value:
        if isinstance(x, Value):  # a layer of one neuron hands on a Value, not a list
            x = [x]
        if len(x) != len(self.w):
            raise ValueError(f"a neuron with {len(self.w)} weights got {len(x)} inputs")
        act = self.b
        for wi, xi in zip(self.w, x, strict=True):
            act = act + wi * xi
        return act if self.activation == LINEAR else apply(OPS[self.activation], act)

    def parameters(self) -> list[Value]:
        return [*self.w, self.b]

    def __repr__(self) -> str:
        return f"{self.activation}Neuron({len(self.w)})"


class Layer(Module):
    """`nout` neurons on the same `nin` inputs; one gives a Value, more give a list."""

    def __init__(
        self,
        nin: int,
        nout: int,
        *,
        name: str = "",
        parameters: Sequence[float] | None = None,
        **options: Any,
    ) -> None:
        prefix = f"{name}." if name else ""
        self.name = name
        self.neurons = [Neuron(nin, name=f"{prefix}n{i}", **options) for i in range(nout)]
        if parameters is not None:
            self.load(parameters)

    def forward(self, x: Any) -> Value | list[Value]:
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Value]:
        return [p for neuron in self.neurons for p in neuron.parameters()]

    def modules(self) -> list[Module]:
        return [self, *self.neurons]

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    """Layers in turn: `MLP(3, [4, 4, 1])` has 3 inputs, two hidden layers of 4 and one output.

    `activation` is that of the hidden layers, `output_activation` that of the last; if only the
    first is given, the last layer follows it unless the convention makes the last one linear.
    """

    def __init__(
        self,
        nin: int,
        nouts: Sequence[int],
        activation: str | None = None,
        output_activation: str | None = None,
        *,
        convention: str = "lecture",
        parameters: Sequence[float] | None = None,
        **options: Any,
    ) -> None:
        usual = _convention(convention)
        hidden = activation or usual.activation
        last = output_activation or (LINEAR if usual.output_activation == LINEAR else hidden)
        sizes = [nin, *nouts]
        self.layers = [
            Layer(
                sizes[i],
                sizes[i + 1],
                name=f"l{i}",
                activation=last if i == len(nouts) - 1 else hidden,
                convention=convention,
                **options,
            )
            for i in range(len(nouts))
        ]
        if parameters is not None:
            self.load(parameters)

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self) -> list[Value]:
        return [p for layer in self.layers for p in layer.parameters()]

    def modules(self) -> list[Module]:
        return [self, *(module for layer in self.layers for module in layer.modules())]

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(map(str, self.layers))}]"


def _convention(name: str) -> Convention:
    return CONVENTIONS[_known("convention", name, tuple(CONVENTIONS))]


def _known(what: str, name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        raise ValueError(f"{what} {name!r} is not known; there are {', '.join(names)}")
    return name
