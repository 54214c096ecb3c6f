"""The origin of a training run's first non-finite number.

Searched in the order of computation: parameters, forward pass layer by layer, loss of a sample,
loss of the batch, gradient from the last layer back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.training.dropout import masks_of
from engine.training.features import featured
from engine.training.losses import LOSSES
from engine.training.shuffling import batch_indices
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.value import Constant, Value, args_first

from .evidence import WORK, RunEvidence, rounded
from .findings import Found, Thresholds
from .passes import all_finite, by_layer, forward


class OverflowCause(NamedTuple):
    """The layer, from 1, of the first non-finite number, if it belongs to one, and the reason."""

    layer: int | None
    why: str


def not_a_number(evidence: RunEvidence, at: Thresholds) -> Iterator[Found]:
    state, lost = evidence.broken, evidence.lost
    first = f"At step {lost} the loss is not finite"
    if state is not None:
        layer, why = cause(evidence, state)
        seen = f"step {state.step} {why}"
        message = f"At {seen}" if lost is None else f"{first}, and at {seen}"
        yield Found(state.step if lost is None else lost, layer, message)
    elif lost is not None:
        yield Found(lost, None, f"{first}.")


def cause(evidence: RunEvidence, state: Snapshot) -> OverflowCause:
    """The cause of the non-finite `state`, which follows those of `evidence`."""
    return (
        _parameter(evidence, state)
        or _forward(evidence, state)
        or _sum(evidence.spec, state)
        or _gradient(evidence.spec, state)
    )


def _parameter(evidence: RunEvidence, state: Snapshot) -> OverflowCause | None:
    broken = _first_broken(evidence.spec, state.parameters)
    if broken is None:
        return None
    layer, x = broken
    before = evidence.last
    if before is None:
        return OverflowCause(layer, f"a parameter of layer {layer} is {x!r}.")
    rate, steepest = rounded(before.learning_rate), rounded(max(map(abs, before.gradient)))
    update = f"a learning rate of {rate} and a gradient of up to {steepest}"
    if state.step - before.step == 1:
        return OverflowCause(
            layer, f"a parameter of layer {layer} is {x!r}: the update overflowed, with {update}."
        )
    when = f"at step {before.step} the loss was {rounded(before.loss)}, with {update}"
    return OverflowCause(layer, f"a parameter of layer {layer} is {x!r}; {when}.")


def _first_broken(spec: TrainSpec, numbers: Sequence[float]) -> tuple[int, float] | None:
    """The first layer with a non-finite number, and that number."""
    for layer, part in enumerate(by_layer(spec, numbers), 1):
        for x in part:
            if not math.isfinite(x):
                return layer, x
    return None


def _forward(evidence: RunEvidence, state: Snapshot) -> OverflowCause | None:
    """An overflow in the forward pass of the batch or in the loss of one of its samples."""
    spec, training = evidence.spec, evidence.training
    layers = by_layer(spec, state.parameters)
    batch = batch_indices(len(training), spec.batch, state.step, spec.seeds.order, spec.shuffle)
    for i in batch[: max(WORK // spec.parameter_count, 1)]:
        x = featured(spec, training.inputs[i])
        masks = masks_of(spec, state.step, i)
        for layer, (sums, outs) in enumerate(forward(spec, layers, x, masks), 1):
            if not all_finite(sums):
                sizes = (
                    f"weights of up to {_largest(layers[layer - 1])} and inputs of {_largest(x)}"
                )
                return OverflowCause(
                    layer, f"a weighted sum of layer {layer} overflowed, with {sizes}."
                )
            if not all_finite(outs):
                z = next(z for z, y in zip(sums, outs, strict=True) if not math.isfinite(y))
                call = f"{spec.activations[layer - 1]} of {rounded(z)}"
                return OverflowCause(layer, f"an activation of layer {layer} overflowed, {call}.")
            x = outs
        for op in _overflows(spec, x, training.targets[i]):
            return OverflowCause(None, f"the loss of a sample overflowed, {op}.")
    return None


def _overflows(
    spec: TrainSpec, outputs: Sequence[float], targets: Sequence[float]
) -> Iterator[str]:
    """The operations of a sample's loss that overflow, with their arguments."""
    loss = LOSSES[spec.loss].sample([Value(x) for x in outputs], [Constant(x) for x in targets])
    for value in args_first(loss):
        if value.op and not math.isfinite(value.data):
            numbers = [arg.data for arg in value.args]
            if all_finite(numbers):
                yield f"{value.op.symbol} of {' and '.join(map(rounded, numbers))}"


def _sum(spec: TrainSpec, state: Snapshot) -> OverflowCause | None:
    if math.isfinite(state.loss):
        return None
    largest = _largest(state.parameters)
    if not math.isfinite(sum(p * p for p in state.parameters)) and (spec.l1 or spec.l2):
        return OverflowCause(None, f"the penalty overflowed, with parameters of up to {largest}.")
    return OverflowCause(
        None, f"the loss of the batch is {state.loss!r}, with parameters of up to {largest}."
    )


def _gradient(spec: TrainSpec, state: Snapshot) -> OverflowCause:
    broken = [
        (layer, x)
        for layer, part in enumerate(by_layer(spec, state.gradient), 1)
        for x in part
        if not math.isfinite(x)
    ]
    layer, x = broken[-1]
    loss = f"the loss is {rounded(state.loss)}"
    return OverflowCause(
        layer, f"the backward pass overflowed: {loss}, a gradient of layer {layer} {x!r}."
    )


def _largest(numbers: Sequence[float]) -> str:
    return rounded(max(map(abs, numbers)))
