"""The size of a run's graph in Explore, known before it is opened.

Values are counted as the program of `sample_program` makes them, and its text is estimated, so that
the page can say what is too large and offer a part of the network instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from app.train.part_program import NetworkPart
from engine.formulas import names_in
from engine.nn import LINEAR
from engine.numbers import counted
from engine.program import Limits
from engine.training.features import FEATURES, PLAIN
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec
from engine.value import Value, args_first

EXPLORE = Limits()
"""The limits of Explore, unless a server sets others."""

TOGETHER = 200
"""The largest number of samples opened in Explore at a time."""
DIGITS = 21
"""Letters of a parameter in a program, with the comma after it, on average."""
FRAME = 1_000
"""Letters of a program besides its numbers, at most."""


def opening(spec: TrainSpec, limits: Limits) -> dict[str, Any]:
    """What Explore can open, as plain data.

    `most` is the number of samples together, `message` says why not more, and `parts` are offered
    if not even one can be opened.
    """
    most = _most(spec, limits)
    return {
        "most": most,
        "message": _message(spec, limits, most),
        "parts": [] if most else [{"part": p.text, "words": p.words} for p in _parts(spec, limits)],
    }


def values(spec: TrainSpec, samples: int) -> int:
    """The number of Values in the graph of some samples, constants included."""
    each = sum(_of_neurons(spec, layer, nout) for layer, nout in enumerate(spec.layers[1:], 1))
    each += _of_inputs(spec) + _of_loss(spec)
    if spec.dropout:
        each += 2 * sum(spec.layers[1:-1])
    whole = spec.parameter_count + samples * each + _of_penalty(spec)
    return whole + (samples + 3 if samples > 1 else 0)


def _of_neurons(spec: TrainSpec, layer: int, count: int) -> int:
    """The operations of some neurons of a layer: products, sums and activations."""
    bent = spec.activations[layer - 1] != LINEAR
    return count * (2 * spec.layers[layer - 1] + bent)


def _of_inputs(spec: TrainSpec) -> int:
    """The inputs of a sample that the network sees, and the operations of its features."""
    if not spec.features:
        return spec.inputs
    formulas = [FEATURES[name].formula for name in spec.features]
    used = {name for formula in formulas for name in names_in(formula)} & set(PLAIN)
    return len(used) + sum(formula not in PLAIN for formula in formulas)


def _of_loss(spec: TrainSpec) -> int:
    """The Values of the loss of a sample: operations, constants and targets."""
    outputs = [Value(0.5) for _ in range(spec.outputs)]
    targets = [Value(1.0) for _ in range(spec.outputs)]
    return len(args_first(LOSSES[spec.loss].sample(outputs, targets))) - spec.outputs


def _of_penalty(spec: TrainSpec) -> int:
    terms = bool(spec.l1) + bool(spec.l2)
    neurons = sum(spec.layers[1:])
    return terms * (2 * spec.parameter_count + 4 * neurons) + (2 if terms else 0)


def _letters(spec: TrainSpec, samples: int) -> int:
    each = DIGITS * (spec.inputs + spec.outputs)
    each += 5 * sum(spec.layers[1:-1]) if spec.dropout else 0
    return FRAME + DIGITS * spec.parameter_count + samples * each


def _fits(spec: TrainSpec, limits: Limits, samples: int) -> bool:
    is_short = _letters(spec, samples) <= limits.program_bytes
    return is_short and values(spec, samples) <= limits.values


def _most(spec: TrainSpec, limits: Limits) -> int:
    """The largest number of samples that fit together."""
    low, high = 0, min(TOGETHER, spec.all_samples)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(spec, limits, middle) else (low, middle - 1)
    return low


def _message(spec: TrainSpec, limits: Limits, most: int) -> str:
    if most:
        samples = counted(most, "sample")
        return f"Explore takes {samples} of this network together, with their Values."
    if values(spec, 1) > limits.values:
        count, room = f"about {values(spec, 1):,}", f"{limits.values:,} Values"
        large = f"the graph has {count} Values, and Explore takes {room}"
        return f"Too large for Explore: {large}. Open a part:"
    count, room = f"{spec.parameter_count:,}", f"{limits.program_bytes:,} letters"
    large = f"a program with {count} parameters is longer than {room}"
    return f"Too large for Explore: {large}. Open a part:"


def _parts(spec: TrainSpec, limits: Limits) -> Iterator[NetworkPart]:
    """An output neuron with its inputs, and each layer that can be opened."""
    last = len(spec.layers) - 1
    if spec.layers[-1] > 1 and _has_room(spec, limits, last):
        yield NetworkPart(last, 1)
    for layer in range(1, last + 1):
        if _has_room(spec, limits, layer):
            yield NetworkPart(layer)
        else:
            yield NetworkPart(layer, 1)


def _has_room(spec: TrainSpec, limits: Limits, layer: int) -> bool:
    nin, nout = list(pairwise(spec.layers))[layer - 1]
    parameters, terms = (nin + 1) * nout, bool(spec.l1) + bool(spec.l2)
    size = parameters * (1 + 2 * terms) + _of_neurons(spec, layer, nout) + nin + 8 * nout
    return size <= limits.values and FRAME + DIGITS * (parameters + nin) <= limits.program_bytes
