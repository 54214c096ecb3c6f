"""Runs that have an illness, each made from a healthy one by what makes it ill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.training.samples import load
from engine.training.spec import TrainSpec

Settings = Mapping[str, Any]
NOTHING: Settings = MappingProxyType({})


def _as_it_is(spec: TrainSpec) -> TrainSpec:
    return spec


class IllnessExample(NamedTuple):
    """A healthy run's settings, those that make it ill, and what data or weights do."""

    settings: Settings
    ill: Settings = NOTHING
    made: Callable[[TrainSpec], TrainSpec] = _as_it_is

    def healthy(self, seed: int) -> TrainSpec:
        """The run that is well."""
        return TrainSpec(**self.settings, seed=seed)

    def sick(self, seed: int) -> TrainSpec:
        """The run with the illness."""
        return self.made(replace(self.healthy(seed), **self.ill))


def rows_of(
    scale: float = 1.0, flipped: float = 0.0, in_order: bool = False
) -> Callable[[TrainSpec], TrainSpec]:
    """The samples of a data set as rows: inputs scaled, a share of labels wrong, or sorted."""

    def made(spec: TrainSpec) -> TrainSpec:
        samples = load(spec)[0]
        wrong = set(Random(spec.seed).sample(range(len(samples)), int(flipped * len(samples))))
        rows = [
            (*(x * scale for x in inputs), label if i not in wrong else 1 - label)
            for i, (inputs, label) in enumerate(zip(samples.inputs, samples.labels, strict=True))
        ]
        if in_order:
            rows.sort(key=lambda row: row[-1])
        return replace(spec, data="rows", rows=tuple(rows))

    return made


def weights_up_to(scale: float) -> Callable[[TrainSpec], TrainSpec]:
    """Initial parameters drawn from a range."""

    def made(spec: TrainSpec) -> TrainSpec:
        rng = Random(spec.seed)
        drawn = tuple(scale * rng.uniform(-1, 1) for _ in range(spec.parameter_count))
        return replace(spec, initial=drawn)

    return made


MOONS: Settings = {
    "samples": 60, "layers": (2, 8, 1), "activation": "tanh", "loss": "bce", "l2": 0.0,
    "learning_rate": 1.0, "schedule": "constant", "steps": 400,
}  # fmt: skip
RELU: Settings = {
    **MOONS, "layers": (2, 8, 8, 1), "activation": "relu", "init": "he", "learning_rate": 0.3,
}  # fmt: skip
SIGMOIDS: Settings = {
    "layers": (2, 6, 6, 6, 6, 6, 6, 6, 1), "activation": "sigmoid",
}  # fmt: skip
XAVIER: Settings = {**MOONS, "layers": (2, 6, 6, 1), "init": "xavier"}
DEEP: Settings = {
    **RELU, "activation": "leaky_relu", "samples": 12, "layers": (2, 8, 8, 8, 1),
    "loss": "sum_squares", "learning_rate": 0.003, "steps": 200,
}  # fmt: skip
NOISY: Settings = {
    **MOONS, "test_share": 0.5, "layers": (2, 24, 24, 1), "optimizer": "adam",
    "learning_rate": 0.01, "steps": 200,
}  # fmt: skip
CIRCLES: Settings = {
    **MOONS, "data": "circles", "layers": (2, 10, 1), "learning_rate": 1.0, "steps": 200,
}  # fmt: skip
LONG: Settings = {
    **CIRCLES, "samples": 400, "layers": (2, 8, 8, 1), "learning_rate": 0.3, "batch": 10,
    "steps": 800,
}  # fmt: skip
BATCHES: Settings = {
    **MOONS, "samples": 100, "noise": 0.12, "layers": (2, 8, 8, 1), "output_activation": "tanh",
    "loss": "mse", "learning_rate": 0.2, "batch": 20, "steps": 400,
}  # fmt: skip
SINE: Settings = {
    "data": "sine", "samples": 60, "layers": (1, 8, 8, 1), "activation": "tanh", "l2": 0.0,
    "learning_rate": 0.1, "schedule": "constant", "steps": 400,
}  # fmt: skip

EXAMPLES: Mapping[str, Sequence[IllnessExample]] = {
    "wrong_gradient": (IllnessExample({**RELU, "loss": "hinge"}, {"accumulate": False}),),
    "unscaled_inputs": (
        IllnessExample(MOONS, made=rows_of(scale=2000.0)),
        IllnessExample(RELU, made=rows_of(scale=2000.0)),
        IllnessExample(MOONS, made=rows_of(scale=0.001)),
    ),
    "not_a_number": (IllnessExample(RELU, {"learning_rate": 1e6, "loss": "mse"}),),
    "wrong_output": (
        IllnessExample(MOONS, {"output_activation": "tanh"}),
        IllnessExample(MOONS, {"output_activation": "sigmoid"}),
    ),
    "missing_features": (
        IllnessExample(CIRCLES, {"features": ("x1",), "layers": (1, 10, 1)}),
        IllnessExample(MOONS, {"features": ("x1_x2",), "layers": (1, 8, 1)}),
    ),
    "sorted_batches": (IllnessExample(LONG, {"shuffle": False}, rows_of(in_order=True)),),
    "noisy_batches": (IllnessExample(BATCHES, {"batch": 1}),),
    "too_much_dropout": (
        IllnessExample(BATCHES, {"dropout": 0.9}),
        IllnessExample({**BATCHES, "batch": "all"}, {"dropout": 0.8}),
    ),
    "rate_too_large": (IllnessExample(RELU, {"learning_rate": 30.0}),),
    "wrong_labels": (IllnessExample(MOONS, {"samples": 100}, rows_of(flipped=0.5)),),
    "too_much_regularisation": (
        IllnessExample(XAVIER, {"l2": 0.03}),
        IllnessExample(
            {**XAVIER, "optimizer": "adamw", "learning_rate": 0.03}, {"weight_decay": 2.0}
        ),
    ),
    "shrunk_weights": (
        IllnessExample(MOONS, {"l2": 0.3}),
        IllnessExample({**RELU, "l2": 1e-4}, {"l2": 1.0}),
    ),
    "dead_relu": (IllnessExample(RELU, {"learning_rate": 100.0}),),
    "saturated": (IllnessExample(MOONS, {"learning_rate": 0.05}, weights_up_to(60.0)),),
    "symmetric": (IllnessExample(MOONS, {"init": "zeros"}),),
    "vanishing": (
        IllnessExample(XAVIER, SIGMOIDS),
        IllnessExample({**XAVIER, "init": "uniform"}, SIGMOIDS),
    ),
    "exploding": (IllnessExample(DEEP, {"steps": 4}, weights_up_to(4.0)),),
    "rate_too_small": (IllnessExample(MOONS, {"learning_rate": 1e-5}),),
    "underfitting": (
        IllnessExample(CIRCLES, {"activation": "linear"}),
        IllnessExample(CIRCLES, {"layers": (2, 1)}),
        IllnessExample({"data": "spiral"}, {"layers": (2, 2, 1)}),
        IllnessExample(SINE, {"layers": (1, 1)}),
    ),
    "overfitting": (IllnessExample(NOISY, {"noise": 0.6, "learning_rate": 0.03}),),
}
"""The examples of each illness of the table, by its name."""
