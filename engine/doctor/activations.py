"""Illnesses of activations: dead, saturated and symmetric neurons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from engine.training.samples import SAMPLES
from engine.training.spec import TrainSpec

from .evidence import RunEvidence, Unit, limits_of, rounded
from .findings import Found, Thresholds


def dead_relu(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec = evidence.spec
    for layer, name in enumerate(spec.activations, 1):
        step, dead = _lasting(evidence, layer, at["share"].value, lambda unit: unit.silent == 1)
        if not dead:
            continue
        who = _neurons(dead, spec, layer)
        message = f"{who} dead since step {step}: {name} gives 0 for all {_samples(spec)}."
        yield Found(step, layer, message)


def saturated(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    spec = evidence.spec
    for layer, name in enumerate(spec.activations, 1):
        limits = limits_of(name)
        samples = at["samples"].value
        wrong = at["wrong"].value if layer == len(spec.activations) else 0.0
        ill = partial(_is_saturated, samples=samples, wrong=wrong)
        step, stuck = _lasting(evidence, layer, at["share"].value, ill)
        if not stuck or limits is None:
            continue
        message = (
            f"{_neurons(stuck, spec, layer)} saturated since step {step}: {name} is near"
            f" {rounded(limits[0])} or {rounded(limits[1])} for at least {samples:.0%} of"
            f" {_samples(spec)}."
        )
        yield Found(step, layer, message)


def _is_saturated(unit: Unit, samples: float, wrong: float) -> bool:
    return unit.limited >= samples and unit.wrong >= wrong


def symmetric(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    for layer in range(1, len(evidence.spec.layers) - 1):
        alike = all(look.alike[layer - 1] for look in evidence.looks)
        silent = all(unit.silent == 1 for look in evidence.looks for unit in look.layers[layer - 1])
        if evidence.looks and alike and not silent:
            who = f"All {evidence.spec.layers[layer]} neurons of layer {layer}"
            message = f"{who} compute the same output for every sample and stay identical."
            yield Found(evidence.steps[0], layer, message)


def _lasting(
    evidence: RunEvidence, layer: int, share: float, ill: Callable[[Unit], bool]
) -> tuple[int, int]:
    """The first step since which at least `share` of a layer's neurons are ill, and their number.

    (0, 0) if only the last inspection finds them, as that may be transient.
    """
    step = count = seen = 0
    for look in reversed(evidence.looks):
        units = look.layers[layer - 1]
        now = sum(map(ill, units))
        if now < max(share * len(units), 1):
            break
        step, count, seen = look.step, count or now, seen + 1
    return (step, count) if seen >= min(2, len(evidence.looks)) else (0, 0)


def _neurons(count: int, spec: TrainSpec, layer: int) -> str:
    """The beginning of a sentence about `count` neurons of a layer: subject and verb."""
    there_are = spec.layers[layer]
    if there_are == 1:
        return f"The neuron of layer {layer} is"
    some = f"All {count}" if count == there_are else f"{count} of {there_are}"
    return f"{some} neurons of layer {layer} are"


def _samples(spec: TrainSpec) -> str:
    if spec.train_samples <= SAMPLES:
        return f"{spec.train_samples} samples"
    return f"the {SAMPLES} samples examined"
