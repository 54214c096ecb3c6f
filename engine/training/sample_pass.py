"""One sample's way through the network and back, as in the textbook, with every number in between.

Forward, layer by layer, z = b + Σ w·a and a = f(z); its loss ℓ, without penalties; backward
∂ℓ/∂a, δ = ∂ℓ/∂z and ∂ℓ/∂w = δ·a. In a batch, ℓ is one term of the loss L.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.nn import LINEAR
from engine.value import Constant, Value

from .losses import LOSSES
from .settings import RunSettings
from .textbook import network, overwrite


@dataclass(frozen=True, slots=True)
class NeuronPass:
    """One neuron's numbers for a sample.

    `z` is the sum, `a` the activation, `out` what the next layer gets: a · `mask`, with `mask` 1
    without dropout. `grad` is ∂ℓ/∂a, `slope` f′(z), `delta` ∂ℓ/∂z. `inputs` are those of the
    neuron, `parameters` its weights and then its bias, `gradient` ∂ℓ/∂p of each.
    """

    z: float
    a: float
    mask: float
    out: float
    grad: float
    slope: float
    delta: float
    inputs: Sequence[float]
    parameters: Sequence[float]
    gradient: Sequence[float]


@dataclass(frozen=True, slots=True)
class SamplePass:
    """The numbers of each layer's neurons for a sample, and its loss as a Value over `outputs`."""

    layers: Sequence[Sequence[NeuronPass]]
    outputs: Sequence[Value]
    loss: Value


@dataclass(frozen=True, slots=True)
class _Cell:
    """A neuron's Values: its sum, its activation, and the activation times its mask."""

    z: Value
    a: Value
    mask: float
    out: Value
    parameters: Sequence[Value]


def sample_pass(
    spec: RunSettings,
    parameters: Sequence[float],
    inputs: Sequence[float],
    targets: Sequence[float],
    masks: Sequence[Sequence[float]] = (),
) -> SamplePass:
    """The passes of one sample with these parameters, in flat order; `masks` as in `answer`.

    With `accumulate=False` gradients are overwritten, as in the textbook.
    """
    layers = _forward(spec, parameters, inputs, masks)
    outputs = [cell.out for cell in layers[-1]]
    loss = LOSSES[spec.loss].sample(outputs, [Constant(x) for x in targets])
    if spec.accumulate:
        loss.backward()
    else:
        overwrite(loss)
    entering = [list(inputs), *([cell.out.data for cell in layer] for layer in layers)]
    read = [
        [_neuron(cell, xs) for cell in layer]
        for layer, xs in zip(layers, entering[:-1], strict=True)
    ]
    return SamplePass(read, outputs, loss)


def _forward(
    spec: RunSettings,
    parameters: Sequence[float],
    inputs: Sequence[float],
    masks: Sequence[Sequence[float]],
) -> list[list[_Cell]]:
    entering: list[Value] = [Constant(x) for x in inputs]
    layers = []
    for i, layer in enumerate(network(spec, parameters).layers):
        cells = []
        for j, neuron in enumerate(layer.neurons):
            a = neuron(entering)
            z = a if neuron.activation == LINEAR else a.args[0]
            mask = masks[i][j] if i < len(masks) else 1.0
            out = a * Constant(mask) if i < len(masks) else a
            cells.append(_Cell(z, a, mask, out, neuron.parameters()))
        layers.append(cells)
        entering = [cell.out for cell in cells]
    return layers


def _neuron(cell: _Cell, inputs: Sequence[float]) -> NeuronPass:
    z, a = cell.z, cell.a
    slope = 1.0 if z is a or a.op is None else a.op.derive[0](a.data, z.data)
    return NeuronPass(
        z=z.data,
        a=a.data,
        mask=cell.mask,
        out=cell.out.data,
        grad=a.grad,
        slope=slope,
        delta=z.grad,
        inputs=inputs,
        parameters=[p.data for p in cell.parameters],
        gradient=[p.grad for p in cell.parameters],
    )
