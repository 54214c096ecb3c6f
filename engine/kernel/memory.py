"""The shape of a segment of a run, its memory at its first step, and the state it takes over."""

from __future__ import annotations

from typing import NamedTuple

from engine.training.dropout import threshold
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS
from engine.training.samples import Samples, initial_parameters
from engine.training.segments import Segment
from engine.training.settings import RunSettings
from engine.wasm.instance import Instance

from .layout import INDEX, NUMBER, Layout, Shape


def shape_of(spec: RunSettings, training: int, test: int) -> Shape:
    """The shape of a run with so many training and test samples."""
    return Shape(
        sizes=spec.layers,
        features=spec.features,
        activations=spec.activations,
        loss=spec.loss,
        optimizer=spec.optimizer,
        schedule=spec.schedule,
        samples=training,
        tests=test,
        batch=spec.batch_size,
        minibatch=spec.batch != "all",
        shuffle=spec.shuffle,
        zero_grad=spec.zero_grad,
        accumulate=spec.accumulate,
        l1=spec.l1 > 0,
        l2=spec.l2 > 0,
        dropout=spec.dropout > 0 and len(spec.layers) > 2,
        classifies=spec.classifies,
    )


def fill(
    instance: Instance, layout: Layout, segment: Segment, training: Samples, test: Samples
) -> None:
    """Initialise the memory for the first step of a segment, with the run's initial parameters."""
    spec = segment.settings
    instance.write_numbers(layout.parameter, initial_parameters(spec))
    instance.call("spread")
    instance.write_indices(layout.identity, range(layout.count))
    begin(instance, layout, segment)
    instance.write(layout.seed, spec.seeds.order.to_bytes(8, "little"))
    for which, samples in (("train", training), ("test", test)):
        instance.write_numbers(layout.records[which], _records(samples))
    for name, count in layout.counts.items():
        if count:
            instance.write_numbers(layout.weights[name], _weights(spec, layout, count))


def begin(instance: Instance, layout: Layout, segment: Segment) -> None:
    """Write a segment's settings, and the state with which it starts except for the parameters."""
    spec, rule = segment.settings, OPTIMIZERS[segment.settings.optimizer]
    instance.write_indices(layout.STEP, [segment.start, 0, segment.epochs])
    instance.write_numbers(layout.SCALARS, [start for _, start in rule.scalars])
    for row in layout.state.values():
        instance.write(row, bytes(layout.parameter_bytes))
    instance.write_indices(layout.list, range(layout.shape.samples))
    numbers = {name: float(getattr(spec, setting)) for name, setting in layout.SETTINGS.items()}
    numbers |= {"since": float(segment.since), "steps": float(segment.horizon - segment.since)}
    for name, number in numbers.items():
        instance.write_numbers(layout.setting[name], [number])
    if layout.shape.dropout:
        instance.write_numbers(layout.kept, [1 / (1 - spec.dropout)])
        instance.write(layout.kept + NUMBER, threshold(spec.dropout).to_bytes(8, "little"))


class Copy(NamedTuple):
    """A part of the state that a segment takes over: its two addresses, and its size in bytes."""

    source: int
    target: int
    size: int


def taken_over(before: Layout, after: Layout, segment: Segment) -> list[Copy]:
    """The state that `segment`, of the layout `after`, takes over from the segment before it.

    The rest of its state is that of `begin`. Batches go on, or begin a new epoch; an optimizer goes
    on, or starts afresh.
    """
    rows = [(before.parameter, after.parameter), (before.carried, after.carried)]
    copies = []
    if segment.keeps_optimizer:
        rows += [(before.state[name], after.state[name]) for name in after.state]
        scalars = NUMBER * len(OPTIMIZERS[segment.settings.optimizer].scalars)
        copies += [Copy(before.SCALARS, after.SCALARS, scalars)]
    if not segment.draws_anew:
        copies += [Copy(before.POSITION, after.POSITION, 2 * INDEX)]
        copies += [Copy(before.list, after.list, INDEX * after.shape.samples)]
    copies += [Copy(*addresses, after.parameter_bytes) for addresses in rows]
    return [copy for copy in copies if copy.size]


def _weights(spec: RunSettings, layout: Layout, count: int) -> list[float]:
    """For each pair of slots, the weights of its losses and the seeds of its gradients.

    With accumulate=False only the first sample's seed is nonzero.
    """
    weight = 1 / count if LOSSES[spec.loss].mean else 1.0
    slots = 2 * layout.pairs * layout.blocks_of(count)
    weights = [weight] * count + [0.0] * (slots - count)
    seeds = weights if spec.accumulate else [weight] + [0.0] * (slots - 1)
    return [
        number
        for slot in range(0, slots, 2)
        for number in (*weights[slot : slot + 2], *seeds[slot : slot + 2])
    ]


def _records(samples: Samples) -> list[float]:
    """Inputs and targets, concatenated sample by sample."""
    return [
        number
        for inputs, targets in zip(samples.inputs, samples.targets, strict=True)
        for number in (*inputs, *targets)
    ]
