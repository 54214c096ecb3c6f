"""The table of presets: runs that the page opens with one click, each with what to watch in it.

To add a preset, add one entry to PRESETS, and its check in the test that walks the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from engine.training.spec import TrainSpec

TUTORIALS, PLAYGROUND, ILLNESSES = "Tutorials", "TensorFlow Playground", "Gone wrong"


@dataclass(frozen=True, slots=True)
class Preset:
    """One preset: its spec, its place in the menu, and a sentence on what to watch."""

    name: str
    group: str
    title: str
    watch: str
    spec: TrainSpec

    @property
    def query(self) -> str:
        """The run as a query string; never empty."""
        return urlencode(self.spec.to_query() or [("data", self.spec.data)])

    def to_json(self) -> dict[str, str]:
        """The texts that a page shows."""
        return {"name": self.name, "title": self.title, "watch": self.watch}


def _run(query: str) -> TrainSpec:
    return TrainSpec.from_query(parse_qsl(query))


def _playground(data: str, **more: Any) -> TrainSpec:
    """A problem of TensorFlow Playground with its default network, rate, batch and split."""
    settings = {
        "samples": 200, "noise": 0.1, "test_share": 0.5, "layers": (2, 4, 2, 1),
        "activation": "tanh", "output_activation": "tanh", "loss": "mse", "l2": 0.0,
        "learning_rate": 0.03, "schedule": "constant", "batch": 10, "steps": 1000, "seed": 3,
    }  # fmt: skip
    return TrainSpec(data=data, **{**settings, **more})


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "two_moons",
            TUTORIALS,
            "Two moons",
            "Press Play: the loss falls while the boundary bends around the moons, and the loss on"
            " test data follows.",
            _run(
                "data=moons&samples=120&noise=0.12&test_share=0.2&layers=2-6-4-1"
                "&activation=tanh&output_activation=tanh&loss=mse&l2=0.0&learning_rate=0.2"
                "&schedule=constant&steps=400&seed=3"
            ),
        ),
        Preset(
            "micrograd",
            TUTORIALS,
            "micrograd's demo",
            "337 parameters and 100 steps, at a rate from 1 down to 0.1: at the end every point is"
            " on its side.",
            _run("data=moons&init=zero_bias"),
        ),
        Preset(
            "four_points_20",
            TUTORIALS,
            "Four points, 20 steps",
            "The loop that tutorials end with: after 20 steps the four signs are right and the loss"
            " is below 0.1.",
            _run("data=four_points&steps=20&seed=3"),
        ),
        Preset(
            "four_points_100",
            TUTORIALS,
            "Four points, 100 steps",
            "Zero biases and 100 steps: see in Predictions how each output comes within 0.1 of its"
            " target.",
            _run("data=four_points&init=zero_bias&steps=100&seed=3"),
        ),
        Preset(
            "circle",
            PLAYGROUND,
            "Circle",
            "Each of the four neurons draws a line; the next layer joins them to a ring. Batches of"
            " 10 make the loss jitter.",
            _playground("circles", learning_rate=0.1, seed=1),
        ),
        Preset(
            "exclusive_or",
            PLAYGROUND,
            "Exclusive or",
            "No single line parts these corners: see in the maps how the hidden layers fold the"
            " plane.",
            _playground("xor"),
        ),
        Preset(
            "gaussian",
            PLAYGROUND,
            "Gaussian",
            "One line is enough: nearly all points are right after 100 of the 1,000 steps.",
            _playground("gauss"),
        ),
        Preset(
            "spiral",
            PLAYGROUND,
            "Spiral",
            "For 300 of the 2,000 steps the loss stays above 0.7; then the arms part, and by step"
            " 700 nearly all points are right.",
            _playground(
                "spiral",
                samples=300,
                noise=0.05,
                test_share=0.3,
                scaling="standardize",
                layers=(2, 8, 8, 8, 1),
                learning_rate=0.2,
                batch="all",
                steps=2000,
            ),
        ),
        Preset(
            "vanishing",
            ILLNESSES,
            "Vanishing gradients",
            "Open Norms: the gradient of the first layer is less than a thousandth of the last"
            " one's, and the loss stays at ln 2 = 0.693, that of a guess.",
            _run(
                "data=moons&layers=2-8-8-8-8-8-8-1&activation=sigmoid&init=xavier&loss=bce"
                "&l2=0.0&learning_rate=0.5&schedule=constant&steps=300&seed=3"
            ),
        ),
        Preset(
            "exploding",
            ILLNESSES,
            "Exploding gradients",
            "Open Norms: the last layer's first gradient is above 100, and within ten steps the"
            " loss is not a number.",
            _run(
                "data=moons&layers=2-16-16-16-16-1&loss=mse&l2=0.0&learning_rate=0.1"
                "&schedule=constant&steps=50&seed=3"
            ),
        ),
        Preset(
            "overfit",
            ILLNESSES,
            "Overfitting",
            "1,185 parameters learn 20 noisy points by heart: the training loss goes to 0 while the"
            " test loss climbs.",
            _run(
                "data=moons&samples=40&noise=0.4&test_share=0.5&layers=2-32-32-1&init=he"
                "&loss=bce&l2=0.0&optimizer=adam&learning_rate=0.01&schedule=constant&steps=400"
                "&seed=3"
            ),
        ),
        Preset(
            "dead_relu",
            ILLNESSES,
            "Dead relu",
            "Two steps at rate 20 push every relu below zero for every point: white maps, gradients"
            " of 0, a loss of 1 for good.",
            _run(
                "data=moons&layers=2-8-8-1&l2=0.0&learning_rate=20.0&schedule=constant&steps=60"
                "&seed=3"
            ),
        ),
    )
}
"""Every preset by its name; the page opens with the first if its address names no run."""

STARTING = next(iter(PRESETS.values())).spec
"""The run that the page opens with when its address names none."""

BY_SPEC = {preset.spec: preset for preset in PRESETS.values()}
"""Every preset by its spec."""


def grouped() -> dict[str, list[Preset]]:
    """The presets of each group, in order."""
    found: dict[str, list[Preset]] = {}
    for preset in PRESETS.values():
        found.setdefault(preset.group, []).append(preset)
    return found
