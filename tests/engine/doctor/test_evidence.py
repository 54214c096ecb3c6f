"""The evidence of a diagnosis: steps and samples in it, and its forward pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.doctor import evidence as evidence_module
from engine.doctor.evidence import (
    LOOKS,
    WORK,
    RunEvidence,
)
from engine.doctor.passes import by_layer, forward, spread
from engine.ops import ACTIVATIONS
from engine.training.samples import SAMPLES, initial_parameters, load
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each
from tests.support.ill_runs import SMALL, activations, with_losses


def test_activations_are_computed_at_few_steps_and_for_few_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = replace(SMALL, samples=300, steps=2000)
    states = with_losses([0.999**k for k in range(2001)], spec)
    calls: list[int] = []

    def counted(*args: Any) -> Any:
        calls.append(1)
        return forward(*args)

    monkeypatch.setattr(evidence_module, "forward", counted)
    evidence = RunEvidence(states, spec)
    assert [look.step for look in evidence.looks][:: LOOKS - 1] == [0, 2000]
    assert len(calls) == LOOKS * SAMPLES


def test_a_large_network_is_looked_at_less_often() -> None:
    spec = TrainSpec(layers=(2, 120, 120, 1), steps=100)
    parameters = initial_parameters(spec)
    states = [
        Snapshot(step, parameters, parameters, 1.0, None, None, None, 1.0) for step in range(41)
    ]
    evidence = RunEvidence(states, spec)
    assert 3 <= len(evidence.looks) <= max(3, WORK // (SAMPLES * spec.parameter_count))
    assert (evidence.looks[0].step, evidence.looks[-1].step) == (0, 40)


@for_each("count", [1, 2, 3, 40, 41, 1000])
def test_a_spread_holds_both_ends(count: int) -> None:
    items = list(range(count))
    chosen = spread(items, 40)
    assert (chosen[0], chosen[-1], len(chosen)) == (0, count - 1, min(count, 40))
    assert chosen == sorted(set(chosen))


@for_each("activation", [*ACTIVATIONS, "linear"])
def test_the_plain_forward_pass_gives_the_numbers_of_the_values(activation: str) -> None:
    spec = replace(SMALL, layers=(2, 5, 3, 1), activation=activation)
    state = next(textbook(spec))
    layers = by_layer(spec, state.parameters)
    seen = [forward(spec, layers, x) for x in load(spec)[0].inputs]
    for layer in (1, 2, 3):
        columns = zip(*(out[layer - 1][1] for out in seen), strict=True)
        assert [list(c) for c in columns] == activations(spec, state, layer)
