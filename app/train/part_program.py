"""One neuron or one layer of a run at a step, as a program for Explore.

Its inputs are numbers of the run, and L is the sum of its outputs times the gradients that reach
them, plus its penalty: so the gradients of its parameters are the run's for a batch of the sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.train.sample_program import check, check_finite, masks_at, penalty, title, unlike
from engine.doctor.passes import by_layer, forward
from engine.nn import LINEAR
from engine.ops import OPS
from engine.program import Limits
from engine.training.features import featured
from engine.training.fields import SpecError
from engine.training.losses import LOSSES
from engine.training.samples import Samples
from engine.training.settings import RunSettings
from engine.value import Constant, Value

_PART = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,4}))?", re.ASCII)

Numbers = Sequence[float]


class NetworkPart(NamedTuple):
    """A layer, or one of its neurons; both are counted from 1. `text` is its name in an address."""

    layer: int
    neuron: int | None = None

    @property
    def text(self) -> str:
        return f"{self.layer}" if self.neuron is None else f"{self.layer}.{self.neuron}"

    @property
    def words(self) -> str:
        layer = f"layer {self.layer}"
        return layer if self.neuron is None else f"neuron {self.neuron} of {layer}"


def part_of(text: str, spec: RunSettings) -> NetworkPart:
    """The part that an address names: 2 for layer 2, 2.5 for its fifth neuron. Raises SpecError."""
    found = _PART.fullmatch(text)
    if found:
        part = NetworkPart(int(found[1]), int(found[2]) if found[2] else None)
        is_layer = 1 <= part.layer < len(spec.layers)
        if is_layer and (part.neuron is None or 1 <= part.neuron <= spec.layers[part.layer]):
            return part
    last = len(spec.layers) - 1
    message = f"part={text} must be a layer from 1 to {last}, or a neuron of one, such as {last}.1."
    raise SpecError("part", text, message)


def part_program(
    spec: RunSettings,
    step: int,
    parameters: Numbers,
    samples: Samples,
    sample: int,
    part: NetworkPart,
    limits: Limits,
) -> str:
    """The program of a part for a sample after `step` updates. Raises SpecError."""
    check_finite(step, parameters)
    masks = (masks_at(spec, step, [sample]) or [[]])[0]
    layers = by_layer(spec, parameters)
    inputs, targets = featured(spec, samples.inputs[sample]), samples.targets[sample]
    passes = forward(spec, layers, inputs, masks)
    x = list(passes[part.layer - 2][1] if part.layer > 1 else inputs)
    slopes = _slopes(spec, layers, passes, masks, targets, part.layer)
    text = "\n".join(_lines(spec, title(spec, step, [sample]), part, layers, x, slopes)) + "\n"
    check(text, limits, "choose a single neuron.")
    return text


def _lines(
    spec: RunSettings,
    head: str,
    part: NetworkPart,
    layers: Sequence[Numbers],
    x: Numbers,
    slopes: Numbers,
) -> Iterator[str]:
    nin, nout = spec.layers[part.layer - 1 : part.layer + 1]
    flat, name = layers[part.layer - 1], spec.activations[part.layer - 1]
    source = f"the outputs of layer {part.layer - 1}" if part.layer > 1 else "the inputs"
    yield f"{head}, {part.words}"
    yield from unlike(spec)
    yield f"# x: {source}; gradient: of the run's loss with respect to the {_kind(part)}'s output"
    yield f"x = {x!r}"
    if part.neuron is None:
        yield f'layer = Layer({nin}, {nout}, parameters={list(flat)!r}, activation="{name}")'
        yield f"gradient = {list(slopes)!r}"
        out = "layer(x)" if nout > 1 else "[layer(x)]"
        whole = f"sum(y * g for y, g in zip({out}, gradient))"
        yield from penalty(spec)
        yield f"L = {whole}" + (" + penalty([layer])" if spec.l1 or spec.l2 else "")
    else:
        own = list(flat[(nin + 1) * (part.neuron - 1) : (nin + 1) * part.neuron])
        yield f'neuron = Neuron({nin}, parameters={own!r}, activation="{name}")'
        yield f"gradient = {slopes[part.neuron - 1]!r}"
        yield from penalty(spec)[:1]
        more = " + penalty_of(neuron.parameters())" if spec.l1 or spec.l2 else ""
        yield f"L = neuron(x) * gradient{more}"
    yield "L.backward()"


def _kind(part: NetworkPart) -> str:
    return "layer" if part.neuron is None else "neuron"


def _slopes(
    spec: RunSettings,
    layers: Sequence[Numbers],
    passes: Sequence[tuple[Numbers, Numbers]],
    masks: Sequence[Numbers],
    targets: Numbers,
    layer: int,
) -> Numbers:
    """The gradient of the sample's loss by the outputs of `layer`, before its mask."""
    outputs = [Value(y) for y in passes[-1][1]]
    loss = LOSSES[spec.loss].sample(outputs, [Constant(t) for t in targets])
    loss.backward()
    slopes: Numbers = [y.grad for y in outputs]
    for number in range(len(layers), layer, -1):
        name, sums = spec.activations[number - 1], passes[number - 1][0]
        inner = [g * _derivative(name, z) for g, z in zip(slopes, sums, strict=True)]
        nin, flat = spec.layers[number - 1], layers[number - 1]
        slopes = [sum(g * flat[(nin + 1) * j + i] for j, g in enumerate(inner)) for i in range(nin)]
        if masks and number - 2 < len(masks):
            slopes = [g * factor for g, factor in zip(slopes, masks[number - 2], strict=True)]
    return slopes


def _derivative(activation: str, z: float) -> float:
    if activation == LINEAR:
        return 1.0
    op = OPS[activation]
    return op.derive[0](op.compute(z), z)
