"""The shape of a run, and its memory at step 0."""

from __future__ import annotations

from engine.training.dropout import threshold
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS
from engine.training.samples import Samples, initial_parameters
from engine.training.spec import TrainSpec
from engine.wasm.instance import Instance

from .layout import NUMBER, Layout, Shape


def shape_of(spec: TrainSpec, training: int, test: int) -> Shape:
    """The shape of a run with so many training and test samples."""
    return Shape(
        sizes=spec.layers,
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
    instance: Instance, layout: Layout, spec: TrainSpec, training: Samples, test: Samples
) -> None:
    """Initialise the memory for step 0."""
    instance.write_numbers(layout.parameter, initial_parameters(spec))
    instance.call("spread")
    scalars = [start for _, start in OPTIMIZERS[spec.optimizer].scalars]
    instance.write_numbers(layout.SCALARS, scalars)
    instance.write_indices(layout.list, range(layout.shape.samples))
    instance.write_indices(layout.identity, range(layout.count))
    for name, setting in layout.SETTINGS.items():
        instance.write_numbers(layout.setting[name], [float(getattr(spec, setting))])
    instance.write(layout.seed, spec.seed.to_bytes(8, "little"))
    if layout.shape.dropout:
        instance.write_numbers(layout.kept, [1 / (1 - spec.dropout)])
        instance.write(layout.kept + NUMBER, threshold(spec.dropout).to_bytes(8, "little"))
    for which, samples in (("train", training), ("test", test)):
        instance.write_numbers(layout.records[which], _records(samples))
    for name, count in layout.counts.items():
        if count:
            instance.write_numbers(layout.weights[name], _weights(spec, layout, count))


def _weights(spec: TrainSpec, layout: Layout, count: int) -> list[float]:
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
