"""The reference training loop over scalar Values: forward, loss, backward, update.

`textbook(spec)` is the specification of every faster path; `engine.runs.run.train(spec)` takes the
fastest available and yields the same Snapshots.

`python -m seegrad.training SPEC.json` (or `-`) prints a whole run as JSON.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from engine.nn import MLP
from engine.reverse import ASSIGNED, sweep
from engine.value import Constant, Value, args_first, partials

from .decision import chosen
from .dropout import masks_of
from .features import featured
from .losses import LOSSES, total
from .optim import OPTIMIZERS, Updater
from .samples import Samples, initial_parameters, load
from .segments import Segment, segment_at
from .settings import RunSettings
from .snapshot import Snapshot


def textbook(spec: RunSettings) -> Iterator[Snapshot]:
    """The states 0, 1, …, `steps` of a run. Numbers may become nan or infinite without raising."""
    training, test = load(spec)
    inputs = [featured(spec, x) for x in training.inputs]
    net = network(spec, initial_parameters(spec))
    parameters = net.parameters()
    optimizer: Updater | None = None
    for step in range(spec.total_steps + 1):
        segment = segment_at(spec, step)
        now = segment.settings
        if step == segment.start:
            optimizer = _updater(segment, len(parameters), optimizer)
        batch = segment.batch(step)
        # forward
        outputs = [answer(net, inputs[i], masks_of(now, step, i)) for i in batch]
        targets = [training.targets[i] for i in batch]
        loss = loss_of(now, outputs, targets, parameters)
        # backward
        if spec.zero_grad:
            net.zero_grad()
        if spec.accumulate:
            loss.backward()
        else:
            overwrite(loss)
        gradient = [p.grad for p in parameters]
        rate = segment.rate(step)
        yield Snapshot(
            step,
            [p.data for p in parameters],
            gradient,
            loss.data,
            accuracy_of(spec, outputs, targets),
            *evaluate(now, net, test)[:2],
            learning_rate=rate,
            penalty=penalty_of(now, [p.data for p in parameters]),
        )
        # update
        assert optimizer is not None, "it is created at step 0"
        updated = optimizer.step([p.data for p in parameters], gradient, rate)
        for p, x in zip(parameters, updated, strict=True):
            p.data = x


def _updater(segment: Segment, count: int, before: Updater | None) -> Updater:
    """The optimizer of a segment, with the state of the one before if it is the same."""
    spec = segment.settings
    after = Updater(OPTIMIZERS[spec.optimizer], count, spec.momentum, spec.weight_decay)
    if before is not None and segment.keeps_optimizer:
        after.take_state(before)
    return after


def network(spec: RunSettings, parameters: Sequence[float]) -> MLP:
    """The network of a spec, with these parameters."""
    net = MLP(spec.layers[0], spec.layers[1:], rng=random.Random(0))
    for layer, activation in zip(net.layers, spec.activations, strict=True):
        for neuron in layer.neurons:
            neuron.activation = activation
    for p, x in zip(net.parameters(), parameters, strict=True):
        p.data = x
    return net


def answer(
    net: MLP, x: Sequence[Value | float], masks: Sequence[Sequence[Value | float]] = ()
) -> list[Value]:
    """The outputs for one sample; `masks` multiply its hidden activations (dropout)."""
    out: Any = list(x)
    for i, layer in enumerate(net.layers):
        out = layer(out)
        out = out if isinstance(out, list) else [out]
        if i < len(masks):
            out = [y * factor for y, factor in zip(out, masks[i], strict=True)]
    return list(out)


def loss_of(
    spec: RunSettings,
    outputs: Sequence[Sequence[Value]],
    targets: Sequence[Sequence[float]],
    parameters: Sequence[Value],
) -> Value:
    """The loss of a batch: the sum or mean over its samples, + l1·Σ|p| + l2·Σp²."""
    loss = data_loss(spec, outputs, targets)
    if spec.l1:
        loss = loss + spec.l1 * total(abs(p) for p in parameters)
    if spec.l2:
        loss = loss + spec.l2 * total(p * p for p in parameters)
    return loss


def data_loss(
    spec: RunSettings, outputs: Sequence[Sequence[Value]], targets: Sequence[Sequence[float]]
) -> Value:
    """The loss of samples without penalties: the sum or mean over them."""
    entry = LOSSES[spec.loss]
    loss = total(
        entry.sample(o, [Constant(x) for x in t]) for o, t in zip(outputs, targets, strict=True)
    )
    return loss * (1 / len(outputs)) if entry.mean else loss


def penalty_of(spec: RunSettings, parameters: Sequence[float]) -> float:
    """The part of the loss that the parameters alone make: l1·Σ|p| + l2·Σp²."""
    first = spec.l1 * sum(map(abs, parameters)) if spec.l1 else 0.0
    return first + (spec.l2 * sum(p * p for p in parameters) if spec.l2 else 0.0)


def overwrite(output: Value) -> None:
    """A backward pass with a well-known mistake: `grad = contribution` instead of `+=`.

    A Value used several times keeps its last contribution. In reverse order of `args_first`, that
    is the contribution of the first sample of the batch for a parameter, and of the first neuron of
    the next layer for a hidden activation.
    """
    for value, grad in sweep(args_first(output), partials, {output: 1.0}, ASSIGNED).items():
        value.grad = grad


def accuracy_of(
    spec: RunSettings, outputs: Sequence[Sequence[Value]], targets: Sequence[Sequence[float]]
) -> float | None:
    """The fraction of correct predictions; None for regression. See `chosen`."""
    if not spec.classifies:
        return None
    right = sum(
        chosen([value.data for value in o], spec.threshold) == chosen(t)
        for o, t in zip(outputs, targets, strict=True)
    )
    return right / len(outputs)


def evaluate(
    spec: RunSettings, net: MLP, samples: Samples
) -> tuple[float | None, float | None, list[list[float]]]:
    """Loss without penalties, accuracy and outputs over a set; None, None, [] if it is empty."""
    if not len(samples):
        return None, None, []
    outputs = [answer(net, featured(spec, x)) for x in samples.inputs]
    loss = data_loss(spec, outputs, samples.targets)
    accuracy = accuracy_of(spec, outputs, samples.targets)
    return loss.data, accuracy, [[value.data for value in o] for o in outputs]
