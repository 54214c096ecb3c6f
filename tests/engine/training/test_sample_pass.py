"""The passes of single samples beside the loss and the gradient of the textbook's batch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.training.dropout import masks_of
from engine.training.features import featured
from engine.training.losses import LOSSES
from engine.training.sample_pass import sample_pass
from engine.training.samples import initial_parameters, load
from engine.training.segments import segment_at
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each
from tests.support.learning import MINIBATCH, SMALL, SPECS, THREE

RUNS = {
    **{name: spec for name, spec in SPECS.items() if name != "diverging"},
    "features": replace(SMALL, layers=(3, 2, 1), features=("x1", "x2_squared", "sin_x1")),
    "dropout": replace(SMALL, layers=(2, 4, 3, 1), dropout=0.5),
    "overwritten": replace(SMALL, batch=1, accumulate=False),
}


@for_each("name", RUNS)
def test_samples_add_up_to_the_batch(name: str) -> None:
    """Losses and gradients of the batch are the mean or the sum of those of its samples."""
    spec = replace(RUNS[name], l1=0.0, l2=0.0, steps=2)
    training, _ = load(spec)
    for state in textbook(spec):
        batch = segment_at(spec, state.step).batch(state.step)
        passes = [
            sample_pass(
                spec,
                state.parameters,
                featured(spec, training.inputs[i]),
                training.targets[i],
                masks_of(spec, state.step, i),
            )
            for i in batch
        ]
        share = 1 / len(batch) if LOSSES[spec.loss].mean else 1.0
        assert share * sum(one.loss.data for one in passes) == pytest.approx(state.loss)
        gradients = [
            [g for layer in one.layers for neuron in layer for g in neuron.gradient]
            for one in passes
        ]
        added = [share * sum(of_one) for of_one in zip(*gradients, strict=True)]
        assert added == pytest.approx(state.gradient, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("spec", [MINIBATCH, THREE], ids=["tanh", "three"])
def test_numbers_of_a_neuron_belong_together(spec: TrainSpec) -> None:
    training, _ = load(spec)
    passes = sample_pass(spec, initial_parameters(spec), training.inputs[0], training.targets[0])
    entering = list(training.inputs[0])
    for layer in passes.layers:
        for neuron in layer:
            *weights, bias = neuron.parameters
            assert list(neuron.inputs) == entering
            total = bias + sum(w * x for w, x in zip(weights, entering, strict=True))
            assert neuron.z == pytest.approx(total)
            assert neuron.delta == pytest.approx(neuron.grad * neuron.slope)
            wanted = [neuron.delta * x for x in (*entering, 1.0)]
            assert list(neuron.gradient) == pytest.approx(wanted)
        entering = [neuron.out for neuron in layer]
    assert entering == [output.data for output in passes.outputs]
