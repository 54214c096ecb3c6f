"""Neurons, layers and multilayer perceptrons over scalar Values.

    neuron  y = f(b + Σ wᵢ·xᵢ)    layer  neurons that share their inputs    MLP  composed layers

CONVENTIONS names the combinations of activation and bias initialisation that tutorials use, such as
the lecture's (tanh everywhere, bias drawn like a weight) and micrograd's own (relu, a linear last
layer, bias 0); each setting can also be given by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .ops import ACTIVATIONS, OPS
from .value import Value, apply

LINEAR = "linear"


@dataclass(frozen=True, slots=True)
class Convention:
    """Default activations and bias initialisation of a network."""

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
"""Wraps a module's forward pass, to observe it; returns its result."""


class Module:
    """Base class of neurons, layers and networks."""

    name: str = ""
    hook: Hook | None = None
    strict: bool = True
    """Whether an input of another length than the weights is refused, or cut as by zip."""

    def parameters(self) -> list[Value]:
        """All parameters by layer and neuron: weights, then bias."""
        return []

    def load(self, numbers: Sequence[float]) -> None:
        """Set `data` of the parameters, in order. Raises ValueError if the counts differ."""
        parameters = self.parameters()
        if len(numbers) != len(parameters):
            raise ValueError(f"got {len(numbers)} numbers for {len(parameters)} parameters")
        for parameter, x in zip(parameters, numbers, strict=True):
            parameter.data = float(x)

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for parameter in self.parameters():
            parameter.grad = 0.0

    def modules(self) -> list[Module]:
        """This module and its descendants, depth first, each once."""
        return list(self._descend())

    def _descend(self) -> Iterator[Module]:
        seen: set[int] = set()
        stack: list[Module] = [self]
        while stack:
            module = stack.pop()
            if id(module) not in seen:
                seen.add(id(module))
                yield module
                stack += reversed(_parts(module))

    def inputs(self) -> int:
        """The length of the input: the number of weights of the first neuron."""
        first: Module = self
        for _ in range(2):  # the first layer, and its first neuron
            first = next(iter(_parts(first)), first)
        if isinstance(first, Neuron):
            return len(first.w)
        return next((len(part.w) for part in self._descend() if isinstance(part, Neuron)), 0)

    def forward(self, x: Any) -> Any:
        raise AttributeError("Module is a base class and has no forward pass")

    def __call__(self, x: Any) -> Any:
        return self.forward(x) if self.hook is None else self.hook(self, x)


class Neuron(Module):
    """y = f(b + w₁x₁ + … + wₙxₙ), weights uniform in (−1, 1).

    `activation` is the name of an activation of the table or "linear"; `bias` is "uniform" or
    "zero". `nonlin` is micrograd's switch: True is relu, False linear. `parameters` are the initial
    values, in the order of `parameters()`; random by default. Raises ValueError for an unknown name
    and, when called, for an input whose length is not `nin`.
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
        if isinstance(x, Value):  # a layer of one neuron returns a Value, not a list
            x = [x]
        if self.strict and len(x) != len(self.w):
            raise ValueError(f"a neuron with {len(self.w)} weights got {len(x)} inputs")
        act = self.b
        for wi, xi in zip(self.w, x, strict=self.strict):
            act = act + wi * xi
        return act if self.activation == LINEAR else apply(OPS[self.activation], act)

    def parameters(self) -> list[Value]:
        return [*self.w, self.b]

    def __repr__(self) -> str:
        kind = {"relu": "ReLU", LINEAR: "Linear"}.get(self.activation, self.activation)
        return f"{kind}Neuron({len(self.w)})"


class Layer(Module):
    """`nout` neurons that share `nin` inputs; a call returns a list, or a Value if `nout` is 1."""

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

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    """Composed layers: `MLP(3, [4, 4, 1])` has 3 inputs, two hidden layers of 4 and one output.

    `activation` applies to the hidden layers, `output_activation` to the last one, where it
    defaults to "linear" if the convention says so and else to `activation`.
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

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(map(str, self.layers))}]"


def _parts(module: Module) -> list[Module]:
    """The modules directly below; a program may have put anything into the lists."""
    for kind, name in _HELD:
        if isinstance(module, kind):
            return [part for part in getattr(module, name, ()) if isinstance(part, Module)]
    return []


_HELD = ((MLP, "layers"), (Layer, "neurons"))


def _convention(name: str) -> Convention:
    return CONVENTIONS[_known("convention", name, tuple(CONVENTIONS))]


def _known(what: str, name: str, names: tuple[str, ...]) -> str:
    if name not in names:
        raise ValueError(f"unknown {what} {name!r}; choose from {', '.join(names)}")
    return name
