"""Runs of the textbook loop, and a forward pass of its own in plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook

TUTORIAL = TrainSpec(
    data="four_points", layers=(3, 4, 4, 1), activation="tanh", output_activation="tanh",
    loss="sum_squares", l2=0.0, learning_rate=0.05, schedule="constant", steps=20, seed=0,
)  # fmt: skip
"""What the five tutorials train."""


def first(spec: TrainSpec, parameters: Sequence[float] = ()) -> Snapshot:
    """The state before the first update, of other parameters than the spec's if some are given."""
    return next(textbook(replace(spec, initial=tuple(parameters)) if parameters else spec))


def forward(spec: TrainSpec, parameters: Sequence[float], x: Sequence[float]) -> list[float]:
    """The outputs of a network of tanh and linear layers, written out once more."""
    rest = iter(parameters)
    values = list(x)
    for size, activation in zip(spec.layers[1:], spec.activations, strict=True):
        sums = []
        for _ in range(size):
            weights = [next(rest) for _ in values]
            products = [w * v for w, v in zip(weights, values, strict=True)]
            sums.append(math.fsum([*products, next(rest)]))
        values = [math.tanh(s) for s in sums] if activation == "tanh" else sums
    return values
