"""Runs to export, with every entry of every table, and the losses they have."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import cycle, product
from typing import Any

import pytest

from engine.ops import ACTIVATIONS
from engine.training.datasets import DATASETS
from engine.training.features import FEATURES
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES, Loss
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.specs import changes

SPEC = TrainSpec(samples=9, layers=(2, 3, 1), activation="tanh", learning_rate=0.1, steps=30)
ROWS = ((0.5, -1.25, 0.0), (1.5, 0.3, 1.0), (-0.75, 2.0, 1.0), (0.1, 1e-7, 0.0), (-2.0, 0.25, 1.0))


@cache
def losses(spec: TrainSpec) -> list[float]:
    """The loss before each update."""
    return [state.loss for state in textbook(spec)][:-1]


def close(seen: list[float], wanted: list[float]) -> bool:
    return seen == pytest.approx(wanted, rel=1e-9, abs=1e-13)


def outputs(loss: Loss, count: int = 1) -> tuple[int, ...]:
    return (2, 3, max(count, loss.least_outputs))


MODES: tuple[dict[str, Any], ...] = ({"batch": "all"}, {"batch": 4}, {"batch": 3, "shuffle": False})
RUNS: dict[str, TrainSpec] = {
    f"{loss} by {optimizer}, {', '.join(map(str, mode.values()))}": replace(
        SPEC, loss=loss, layers=outputs(LOSSES[loss]), optimizer=optimizer,
        learning_rate=0.005, schedule_end=0.001, **mode,
    )
    for (loss, mode), optimizer in zip(product(LOSSES, MODES), cycle(OPTIMIZERS), strict=False)
}  # fmt: skip
RUNS |= {
    optimizer: replace(SPEC, optimizer=optimizer, learning_rate=0.02) for optimizer in OPTIMIZERS
}
RUNS |= {
    f"{schedule} schedule": replace(SPEC, schedule=schedule, schedule_end=0.02)
    for schedule in SCHEDULES
}
RUNS |= {f"{activation} inside": replace(SPEC, activation=activation) for activation in ACTIVATIONS}
RUNS |= {
    f"{activation} last": replace(SPEC, output_activation=activation, loss="mse", activation="silu")
    for activation in ACTIVATIONS
}
RUNS |= {f"{init} start": replace(SPEC, init=init) for init in INITS}
RUNS |= {
    f"{loss}, two outputs": replace(SPEC, loss=loss, layers=(2, 3, 2), learning_rate=0.02)
    for loss in LOSSES
}
RUNS |= {
    "two activations": replace(SPEC, layers=(2, 3, 2, 1), activation=("linear", "gelu")),
    "no hidden layer": replace(SPEC, layers=(2, 1), activation=()),
    "penalties": replace(SPEC, l1=0.01, l2=0.02),
    "no penalty": replace(SPEC, l2=0.0),
    "a test set": replace(SPEC, samples=12, test_share=0.25, batch=2),
    "own rows": replace(SPEC, data="rows", rows=ROWS, loss="bce"),
    "own numbers": replace(
        SPEC, data="rows", rows=ROWS, loss="mse", initial=(0.1, -0.2) * 6 + (0.3,)
    ),
    "no momentum": replace(SPEC, optimizer="nesterov", momentum=0.0),
    "a large seed": replace(SPEC, seed=2**64 - 1, batch=5),
    "gradients left": replace(SPEC, zero_grad=False, learning_rate=0.01),
    "dropout": replace(SPEC, dropout=0.3, layers=(2, 4, 3, 1)),
    "dropout, batches": replace(SPEC, dropout=0.5, batch=4, loss="sum_squares"),
    "dropout, in order": replace(SPEC, dropout=0.1, batch=4, shuffle=False, optimizer="adam"),
    "dropout of nothing": replace(SPEC, dropout=0.5, layers=(2, 1), activation=()),
    "changes of numbers": replace(
        SPEC, at=changes("7:learning_rate=0.05,l2=0.001,30:steps=34,32:l2=0.0"),
    ),
    "changes of batches": replace(
        SPEC, batch=4, dropout=0.2, at=changes("5:batch=all,dropout=0.0,9:batch=2"),
    ),
    "changes of an optimizer": replace(
        SPEC, optimizer="momentum", schedule="constant", l1=0.01, zero_grad=False,
        learning_rate=0.01,
        at=changes("6:momentum=0.5,l1=0.0,9:learning_rate=0.02,11:optimizer=sgd"),
    ),
    "changes between optimizers": replace(
        SPEC, optimizer="adamw", learning_rate=0.02,
        at=changes("5:weight_decay=0.1,9:optimizer=rmsprop,20:optimizer=adamw"),
    ),
    "changes to no momentum": replace(
        SPEC, optimizer="nesterov", at=changes("5:momentum=0.0,9:optimizer=adam"),
    ),
    "changes to and from no momentum": replace(
        SPEC, optimizer="momentum", at=changes("5:momentum=0.0,9:momentum=0.9"),
    ),
    "standardized inputs": replace(SPEC, scaling="standardize", features=("x2", "x1_squared")),
    "features": replace(SPEC, features=tuple(FEATURES), layers=(7, 2, 1), batch=4),
    "three classes": replace(
        SPEC, data="three_spirals", layers=(2, 3, 3), loss="cross_entropy", batch=4
    ),
}  # fmt: skip
RUNS |= {
    f"{data.name} data": replace(
        SPEC, data=data.name, layers=(data.inputs, 2, 1), loss="mse" if not data.classes else "bce"
    )
    for data in DATASETS.values()
    if data.name not in ("rows", "three_spirals")
}
OVERWRITTEN: dict[str, TrainSpec] = {
    loss: replace(
        SPEC, accumulate=False, loss=loss, layers=(2, 3, 2, max(2, LOSSES[loss].least_outputs)),
        learning_rate=0.01, l1=0.001,
    )
    for loss in LOSSES
}  # fmt: skip
OVERWRITTEN |= {
    "relu": replace(SPEC, accumulate=False, activation="relu", loss="mse", batch=4),
    "dropout": replace(SPEC, accumulate=False, dropout=0.3, layers=(2, 4, 2, 1)),
    "gradients left": replace(SPEC, accumulate=False, zero_grad=False, activation="gelu"),
}
