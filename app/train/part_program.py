"""One neuron or one layer of a run at a step, as a program for Explore.

Its inputs are numbers of the run, and L is the sum of its outputs times the gradients that reach
them, plus its penalty: so the gradients of its parameters are the run's for a batch of the sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.train.sample_program import check, check_finite, masks_at, penalty, title, unlike
from engine.program import Limits
from engine.training.features import featured
from engine.training.fields import SpecError
from engine.training.sample_pass import sample_pass
from engine.training.samples import Samples
from engine.training.settings import RunSettings

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
    inputs, targets = featured(spec, samples.inputs[sample]), samples.targets[sample]
    layers = sample_pass(replace(spec, accumulate=True), parameters, inputs, targets, masks).layers
    cells = layers[part.layer - 1]
    x, slopes = list(cells[0].inputs), [cell.grad for cell in cells]
    flat = [p for cell in cells for p in cell.parameters]
    text = "\n".join(_lines(spec, title(spec, step, [sample]), part, flat, x, slopes)) + "\n"
    check(text, limits, "choose a single neuron.")
    return text


def _lines(
    spec: RunSettings,
    head: str,
    part: NetworkPart,
    flat: Numbers,
    x: Numbers,
    slopes: Numbers,
) -> Iterator[str]:
    nin, nout = spec.layers[part.layer - 1 : part.layer + 1]
    name = spec.activations[part.layer - 1]
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
