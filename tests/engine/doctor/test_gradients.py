"""Vanishing and exploding gradients."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median

from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.ill_runs import DEEP, HEAVY, named


def sizes(spec: TrainSpec, state: Snapshot) -> list[float]:
    """The root mean square of the gradient in each layer."""
    out, start = [], 0
    for nin, nout in zip(spec.layers, spec.layers[1:], strict=False):
        part = state.gradient[start : start + (nin + 1) * nout]
        out.append(math.sqrt(sum(g * g for g in part) / len(part)))
        start += len(part)
    return out


def test_vanishing_gradients_are_given_with_their_ratio() -> None:
    spec = replace(DEEP, loss="bce")
    seen = [sizes(spec, state) for state in textbook(spec)]
    ratio = median(s[0] / s[-1] for s in seen)
    (found,) = named(spec, "vanishing")
    assert f"is {ratio:.4g} times that of layer 8" in found.message
    first, last = (median(s[i] for s in seen) for i in (0, -1))
    assert f"{first:.4g} against {last:.4g}" in found.message
    assert found.advice == "Try fewer layers, with tanh and the initial weights of xavier."


def test_penalties_do_not_hide_a_vanishing_gradient() -> None:
    assert named(replace(DEEP, loss="bce", l2=0.01, l1=0.001), "vanishing")


def test_exploding_gradients_are_given_with_their_size() -> None:
    states = list(textbook(HEAVY))
    (found,) = named(HEAVY, "exploding")
    first = sizes(HEAVY, states[0])
    assert found.layer == 1 + first.index(max(first))
    assert f"The gradient is {max(first):,.0f} in layer {found.layer} at step 0" in found.message
