"""Dead, saturated and identical neurons."""

from __future__ import annotations

from dataclasses import replace

from engine.doctor.diagnosis import diagnose
from engine.doctor.evidence import (
    goes_silent,
    limits_of,
)
from engine.ops import ACTIVATIONS
from engine.training.textbook import textbook
from tests.support.ill_runs import SEEDS, SMALL, activations, named, verdicts


def test_dead_neurons_are_counted_since_their_step() -> None:
    spec = replace(SMALL, learning_rate=10.0)
    states = list(textbook(spec))
    found = named(spec, "dead_relu")[0]
    dead = [sum(not any(neuron) for neuron in activations(spec, state, 1)) for state in states]
    assert f"{dead[-1]} of 6 neurons of layer 1 are dead since step {found.step}" in found.message
    assert all(count >= 3 for count in dead[found.step :])
    assert dead[found.step - 1] < 3
    assert "for all 24 samples" in found.message


def test_neurons_that_recover_are_not_called_dead() -> None:
    spec = replace(SMALL, learning_rate=10.0)
    states = list(textbook(spec))
    well = list(textbook(replace(SMALL, steps=3)))
    later = [replace(state, step=len(states) + state.step) for state in well]
    assert "dead_relu" not in {verdict.name for verdict in diagnose([*states, *later], spec)}


def test_saturated_neurons_are_counted() -> None:
    spec = replace(SEEDS, learning_rate=5.0)
    last = list(textbook(spec))[-1]
    for verdict in named(spec, "saturated"):
        assert verdict.layer is not None
        neurons = activations(spec, last, verdict.layer)
        stuck = sum(all(abs(y) > 0.98 for y in neuron) for neuron in neurons)
        who = {1: "The neuron", 4: "All 4 neurons"}.get(stuck, f"{stuck} of 4 neurons")
        assert verdict.message.startswith(who if len(neurons) > 1 else "The neuron")
        assert "tanh is near -1 or 1" in verdict.message


def test_an_output_at_the_limit_that_it_should_reach_is_well() -> None:
    spec = replace(SEEDS, learning_rate=0.5, steps=1, initial=())
    rows = ((0.0, 0.0, 1.0, 1.0), (0.0, 0.0, -1.0, -1.0))
    right = replace(
        spec, data="rows", rows=rows, layers=(3, 1), activation=(), initial=(0.0, 0.0, 9.0, 0.0)
    )
    assert verdicts(right) == []
    wrong = replace(right, initial=(0.0, 0.0, -9.0, 0.0))
    assert [verdict.name for verdict in verdicts(wrong)] == ["saturated"]


def test_which_activations_have_limits_and_which_go_silent() -> None:
    assert {name: limits_of(name) for name in ACTIVATIONS if limits_of(name)} == {
        "tanh": (-1.0, 1.0),
        "sigmoid": (0.0, 1.0),
    }
    assert [name for name in ACTIVATIONS if goes_silent(name)] == ["relu"]
    assert limits_of("linear") is None
    assert not goes_silent("linear")


def test_neurons_of_random_weights_are_not_alike() -> None:
    assert named(replace(SMALL, activation="tanh"), "symmetric") == []
