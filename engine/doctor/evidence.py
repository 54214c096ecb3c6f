"""The doctor's evidence of a training run: losses, sampled states and activations.

A run is judged by its loss over all training data, without penalties and dropout: that of a batch
has the noise of its selection, which says nothing about the network. Memory is bounded: one number
per step, LOOKS states, and activations as floats, not Values, for at most SAMPLES samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from engine.caches import cached
from engine.nn import LINEAR
from engine.ops import OPS
from engine.training.decision import chosen
from engine.training.features import featured
from engine.training.samples import Samples, examined, load
from engine.training.segments import segments
from engine.training.snapshot import NO_SIGHTS, Sight, Snapshot
from engine.training.spec import TrainSpec

from .course import LossCourse
from .learning import Learning, scale_of
from .neighbourhood import loss_of
from .passes import all_finite, by_layer, forward, mean, size, spread

LOOKS = 40
"""Number of states, evenly spaced over the run, whose gradients and activations are examined."""
WORK = 4_000_000
"""Budget of multiplications for activations; large networks are examined at fewer states, >= 3."""
NEAR = 0.01
"""Distance from a limit that counts as saturated, relative to the range; tanh's slope is 4 %."""


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

    `outputs` are those of the network for each sample, `loss` and `accuracy` those of a Sight.
    """

    step: int
    layers: list[list[Unit]]
    alike: list[bool]
    outputs: list[tuple[float, ...]]
    loss: float
    accuracy: float | None


class RunEvidence:
    """The record of a run up to its first non-finite state.

    `steps` and `losses` precede that state; `kept` are evenly spaced states among them, including
    the first and the `last`. `broken` is the first non-finite state, if any, and `lost` the first
    step with a non-finite loss, if the losses of all steps were given.

    `sights`, by step, are those that a faster engine than this module's has computed.
    """

    def __init__(
        self,
        snapshots: Iterable[Snapshot],
        spec: TrainSpec,
        losses: Sequence[float] = (),
        sights: Mapping[int, Sight] = NO_SIGHTS,
    ) -> None:
        self.spec = spec
        self._sights = sights
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

    @property
    def span(self) -> int:
        """The number of steps between the first state and the last."""
        return self.steps[-1] - self.steps[0] if self.steps else 0

    @cached_property
    def sees_all(self) -> bool:
        """Whether each step's loss is that of all training data: no batches, no dropout."""
        return not any(segment.is_partial for segment in segments(self.spec))

    @cached_property
    def levels(self) -> list[tuple[int, float]]:
        """The loss over all training data by step: of each step, or of the states examined."""
        if self.sees_all:
            return list(zip(self.steps, self.losses, strict=True))
        return [(look.step, look.loss * self.scale) for look in self.looks]

    @property
    def penalty(self) -> float:
        """The penalty on the last parameters."""
        return 0.0 if self.last is None else self.last.penalty

    @cached_property
    def scale(self) -> int:
        """The loss over all training data for a loss of 1 of each sample."""
        return scale_of(self.spec)

    @cached_property
    def course(self) -> LossCourse:
        """The loss over all training data at the states examined, as a share of the constant's."""
        constant = self.learning.constant
        return LossCourse([look.loss / constant if constant > 0 else 0.0 for look in self.looks])

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
        return [
            (featured(self.spec, training.inputs[i]), training.targets[i])
            for i in examined(training)
        ]

    @cached_property
    def idle_loss(self) -> float:
        """The loss over all training data, without penalties, of a network that predicts 0."""
        zeros = [0.0] * self.spec.outputs
        return self.scale * mean([self.learning.loss(zeros, t) for _, t in self.samples])

    @cached_property
    def learning(self) -> Learning:
        """What the network has learnt of the training data."""
        targets = [target for _, target in self.samples]
        last = self.looks[-1] if self.looks else None
        ends = [(look.step, look.loss, look.accuracy, look.outputs) for look in self.looks]
        return Learning(self.spec, self.training, targets, ends if last else [])

    @cached_property
    def looks(self) -> list[Look]:
        """The neurons at states of `kept`, as many as WORK allows."""
        each = sum(self.spec.layers) if self._sights else self.spec.parameter_count
        count = max(WORK // (len(self.samples) * each), 3)
        return [self._look(state) for state in spread(self.kept, count)]

    def _look(self, state: Snapshot) -> Look:
        sight = self._sights.get(state.step) or self._sight(state)
        targets = [t for _, t in self.samples]
        units, alike, end = [], [], 0
        for i, name in enumerate(self.spec.activations):
            start, end = end, end + self.spec.layers[i + 1]
            neurons = sight.neurons[start:end]
            wanted: Sequence[Sequence[float]] = [()] * len(neurons)
            if i == len(self.spec.activations) - 1:
                wanted = list(zip(*targets, strict=True))
            units.append([_unit(name, y, t) for y, t in zip(neurons, wanted, strict=True)])
            alike.append(len(neurons) > 1 and len(set(map(tuple, neurons))) == 1)
        outputs = list(zip(*neurons, strict=True))
        return Look(state.step, units, alike, outputs, sight.loss, sight.accuracy)

    def _sight(self, state: Snapshot) -> Sight:
        """What a state makes of the samples examined, by the forward pass of this package."""
        layers = by_layer(self.spec, state.parameters)
        outs = [[out for _, out in forward(self.spec, layers, x)] for x, _ in self.samples]
        pairs = [(out[-1], t) for out, (_, t) in zip(outs, self.samples, strict=True)]
        neurons = [
            column for layer in zip(*outs, strict=True) for column in zip(*layer, strict=True)
        ]
        loss = mean([loss_of(self.spec, o, t) for o, t in pairs])
        right = [chosen(o, self.spec.threshold) == chosen(t) for o, t in pairs]
        return Sight(loss, sum(right) / len(right) if self.spec.classifies else None, neurons)


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
