"""The doctor's evidence of a training run: losses, sampled states and activations.

Memory is bounded: one number per step, LOOKS states, and activations as floats, not Values, for at
most SAMPLES samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from engine.caches import cached
from engine.nn import LINEAR
from engine.ops import OPS
from engine.training.features import featured
from engine.training.losses import LOSSES
from engine.training.samples import Samples, load
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.value import Constant

from .learning import Learning
from .passes import all_finite, by_layer, forward, mean, size, spread

LOOKS = 40
"""Number of states, evenly spaced over the run, whose gradients and activations are examined."""
STANDINGS = 9
"""Number of states, evenly spaced over the run, whose losses over the samples are computed."""
SAMPLES = 64
"""Number of training samples, evenly spaced, for which activations are computed."""
WORK = 4_000_000
"""Budget of multiplications for activations; large networks are examined at fewer states, >= 3."""
NEAR = 0.01
"""Distance from a limit that counts as saturated, relative to the range; tanh's slope is 4 %."""

TOGETHER = 8
"""Minimum number of steps averaged to one level where single losses are noisy."""


class Unit(NamedTuple):
    """One neuron's statistics, as shares of the samples.

    `silent`: the activation is 0 and passes no gradient. `limited`: it is near a limit of its
    range. `wrong`: it is an output near the limit farther from its target.
    """

    silent: float
    limited: float
    wrong: float


class Look(NamedTuple):
    """The neurons of each layer at one step, and whether all outputs of a layer are identical.

    `outputs` are those of the network for each sample.
    """

    step: int
    layers: list[list[Unit]]
    alike: list[bool]
    outputs: list[list[float]]


class RunEvidence:
    """The record of a run up to its first non-finite state.

    `steps` and `losses` precede that state; `kept` are evenly spaced states among them, including
    the first and the `last`. `broken` is the first non-finite state, if any, and `lost` the first
    step with a non-finite loss, if the losses of all steps were given.
    """

    def __init__(
        self, snapshots: Iterable[Snapshot], spec: TrainSpec, losses: Sequence[float] = ()
    ) -> None:
        self.spec = spec
        self.steps: list[int] = []
        self.losses: list[float] = []
        self.broken: Snapshot | None = None
        self.last: Snapshot | None = None
        kept: list[Snapshot] = []
        stride = 1
        for state in snapshots:
            if not is_whole(state):
                self.broken = state
                break
            if len(self.steps) % stride == 0:
                kept.append(state)
            if len(kept) > 2 * LOOKS:
                kept, stride = kept[::2], 2 * stride
            self.steps.append(state.step)
            self.losses.append(state.loss)
            self.last = state
        if self.last is not None and kept[-1] is not self.last:
            kept.append(self.last)
        self.kept = spread(kept, LOOKS)
        self.lost: int | None = None
        if losses:
            self._take(losses)

    def _take(self, losses: Sequence[float]) -> None:
        """Use the losses of all steps instead of those of the states."""
        known = len(losses) if self.broken is None else min(len(losses), self.broken.step)
        finite = next((k for k in range(known) if not math.isfinite(losses[k])), known)
        self.lost = finite if finite < known else None
        self.steps, self.losses = list(range(finite)), list(losses[:finite])
        if self.last is not None and self.last.step == finite:
            self.steps.append(finite)
            self.losses.append(self.last.loss)

    @cached_property
    def levels(self) -> list[tuple[int, float]]:
        """The mean loss of each epoch with its last step; of each step for full batches.

        An epoch's mean counts every sample once, which removes the noise of batch selection. Over
        partial runs and with dropout, at least TOGETHER steps are averaged.
        """
        width = -(-self.spec.train_samples // self.spec.batch_size)
        gap = self.steps[1] - self.steps[0] if len(self.steps) > 1 else 1
        if width > 1 and gap > 1:
            width = max(-(-width // gap), TOGETHER)
        if self.spec.dropout:
            width *= -(-TOGETHER // width)
        return [
            (self.steps[end - 1], mean(self.losses[end - width : end]))
            for end in range(width, len(self.losses) + 1, width)
        ]

    @cached_property
    def slopes(self) -> list[list[float]]:
        """The root mean square of each layer's gradient, for each state of `kept`."""
        return [
            [size(part) for part in by_layer(self.spec, self.slope(state))] for state in self.kept
        ]

    def slope(self, state: Snapshot) -> Sequence[float]:
        """The gradient without the penalties' part, which does not pass through the layers."""
        spec = self.spec
        if not (spec.l1 or spec.l2) or not (spec.zero_grad and spec.accumulate):
            return state.gradient
        return [
            g - spec.l1 * ((p > 0) - (p < 0)) - 2 * spec.l2 * p
            for g, p in zip(state.gradient, state.parameters, strict=True)
        ]

    @cached_property
    def training(self) -> Samples:
        """The training set."""
        return load(self.spec)[0]

    @cached_property
    def samples(self) -> list[tuple[Sequence[float], Sequence[float]]]:
        """What the network sees of at most SAMPLES training samples, and their targets."""
        training = self.training
        chosen = spread(range(len(training)), SAMPLES)
        return [(featured(self.spec, training.inputs[i]), training.targets[i]) for i in chosen]

    @cached_property
    def idle_loss(self) -> float:
        """The loss of a batch, without penalties, for a network that always predicts 0."""
        entry, zeros = LOSSES[self.spec.loss], [Constant(0.0)] * self.spec.outputs
        losses = [entry.sample(zeros, [Constant(x) for x in t]).data for _, t in self.samples]
        return mean(losses) * (1 if entry.mean else self.spec.batch_size)

    @cached_property
    def learning(self) -> Learning:
        """What the network has learnt of the training data."""
        targets = [target for _, target in self.samples]
        looks = [(look.step, look.outputs) for look in spread(self.looks, STANDINGS)]
        return Learning(self.spec, self.training, targets, looks)

    @cached_property
    def looks(self) -> list[Look]:
        """The neurons at states of `kept`, as many as WORK allows."""
        count = max(WORK // (len(self.samples) * self.spec.parameter_count), 3)
        return [self._look(state) for state in spread(self.kept, count)]

    def _look(self, state: Snapshot) -> Look:
        layers = by_layer(self.spec, state.parameters)
        outs = [[out for _, out in forward(self.spec, layers, x)] for x, _ in self.samples]
        targets = [t for _, t in self.samples]
        units, alike = [], []
        for i, name in enumerate(self.spec.activations):
            neurons = list(zip(*(out[i] for out in outs), strict=True))
            wanted: Sequence[Sequence[float]] = [()] * len(neurons)
            if i == len(layers) - 1:
                wanted = list(zip(*targets, strict=True))
            units.append([_unit(name, y, t) for y, t in zip(neurons, wanted, strict=True)])
            alike.append(len(neurons) > 1 and len(set(neurons)) == 1)
        return Look(state.step, units, alike, [out[-1] for out in outs])


def is_linear(spec: TrainSpec) -> bool:
    """Whether the network computes a linear function before its last activation."""
    return all(name == LINEAR for name in spec.activations[:-1])


def is_whole(state: Snapshot) -> bool:
    """Whether loss, parameters and gradient are finite."""
    numbers = (state.parameters, state.gradient)
    return math.isfinite(state.loss) and all(map(all_finite, numbers))


def rounded(x: float) -> str:
    """A number for a sentence, to four digits: "0.0001", "1.181", "12,345", "6.763e+08"."""
    return f"{x:,.0f}" if 1e4 <= abs(x) < 1e7 else f"{x:.4g}"


@cached("limits of activations")
def limits_of(activation: str) -> tuple[float, float] | None:
    """The limits of an activation at −∞ and ∞; None unless both are finite and differ."""
    if activation == LINEAR:
        return None
    compute = OPS[activation].compute
    low, high = (compute(sign * 1e6) for sign in (-1, 1))
    settled = (low, high) == (compute(-1e9), compute(1e9)) and all_finite((low, high))
    return (low, high) if settled and low < high else None


@cached("silent activations")
def goes_silent(activation: str) -> bool:
    """Whether an activation and its derivative are 0 for negative arguments, as relu's."""
    if activation == LINEAR:
        return False
    op = OPS[activation]
    return all(op.compute(x) == 0 and op.derive[0](0.0, x) == 0 for x in (-0.5, -1.0, -9.0))


def _unit(activation: str, outputs: Sequence[float], targets: Sequence[float]) -> Unit:
    count = len(outputs)
    silent = outputs.count(0.0) / count if goes_silent(activation) else 0.0
    limits = limits_of(activation)
    if limits is None:
        return Unit(silent, 0.0, 0.0)
    low, high = limits
    near = NEAR * (high - low)
    limited = sum(not low + near < y < high - near for y in outputs)
    wrong = sum(
        abs(y - min(max(t, low), high)) > (high - low) / 2
        for y, t in zip(outputs, targets, strict=False)
        if not low + near < y < high - near
    )
    return Unit(silent, limited / count, wrong / count)


def promised(evidence: RunEvidence, length: float) -> list[float]:
    """The relative decrease of the loss that the gradient predicts, for each state of `kept`.

    To first order, for a step of length `length`·‖parameters‖ against the gradient.
    """
    out = []
    for state in evidence.kept:
        steepness, far = math.hypot(*evidence.slope(state)), math.hypot(*state.parameters)
        out.append(length * far * steepness / state.loss if state.loss > 0 else 0.0)
    return out
