"""Presets: each opens, and its run does what its sentence says."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import pytest

from app.train.presets import PRESETS, STARTING, Preset, grouped
from engine.kernel import Run
from engine.training.samples import load
from engine.training.snapshot import History, Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import answer, network
from tests.support.each import for_each
from tests.support.pages import client, read


@dataclass(frozen=True)
class Course:
    """A whole run, with every state."""

    spec: TrainSpec
    history: History

    @property
    def end(self) -> Snapshot:
        return self.history.states[-1]

    def norm(self, step: int, layer: int) -> float:
        """The Euclidean norm of the gradient of a layer, biases included; -1 is the last one."""
        sizes = self.spec.layers
        counts = [(a + 1) * b for a, b in pairwise(sizes)]
        start = sum(counts[: range(len(counts))[layer]])
        part = self.history.states[step].gradient[start : start + counts[layer]]
        return math.hypot(*part)

    def accuracy(self, step: int) -> float:
        """The accuracy over the training set."""
        inputs, labels = load(self.spec)[0].inputs, load(self.spec)[0].labels
        net = network(self.spec, self.history.states[step].parameters)
        right = [
            (answer(net, x)[0].data > 0) == (y > 0) for x, y in zip(inputs, labels, strict=True)
        ]
        return sum(right) / len(right)


def _follows(run: Course) -> bool:
    tests = run.history.test_losses
    return run.end.loss < run.history.losses[0] / 10 and tests[-1] < tests[0] / 5


def _in_reach(run: Course) -> bool:
    found = [(o[0], t[0]) for o, t in zip(run.history.predictions, _targets(run), strict=True)]
    return all(abs(o - t) <= 0.1 for o, t in found)


def _targets(run: Course) -> tuple[tuple[float, ...], ...]:
    return load(run.spec)[0].targets


def _jitters(run: Course) -> bool:
    losses = run.history.losses
    rises = sum(after > before for before, after in pairwise(losses))
    return run.history.accuracy is not None and run.history.accuracy > 0.95 and rises > 300


def _overfits(run: Course) -> bool:
    tests = run.history.test_losses
    return run.spec.train_samples == 20 and run.end.loss < 1e-3 and tests[-1] > 3 * min(tests)


def _is_dead(run: Course) -> bool:
    net = network(run.spec, run.history.states[2].parameters)
    silent = all(
        neuron(x).data == 0.0 for neuron in net.layers[0].neurons for x in load(run.spec)[0].inputs
    )
    later = run.history.losses[2:]
    return silent and not any(run.end.gradient) and all(abs(x - 1) < 1e-9 for x in later)


SHOWS: dict[str, Callable[[Course], bool]] = {
    "two_moons": _follows,
    "micrograd": lambda run: (
        run.spec.parameter_count == 337
        and run.spec.steps == 100
        and (run.spec.learning_rate, run.spec.end_rate) == (1.0, 0.1)
        and run.history.accuracy == 1.0
    ),
    "four_points_20": lambda run: (
        run.spec.steps == 20 and run.end.loss < 0.1 and run.end.accuracy == 1
    ),
    "four_points_100": lambda run: run.spec.steps == 100 and _in_reach(run),
    "circle": _jitters,
    "exclusive_or": lambda run: run.history.accuracy == 1.0,
    "gaussian": lambda run: run.spec.steps == 1000 and run.accuracy(100) >= 0.97,
    "spiral": lambda run: (
        min(run.history.losses[:300]) > 0.7
        and run.accuracy(700) >= 0.97
        and run.history.accuracy == 1.0
    ),
    "vanishing": lambda run: (
        run.norm(0, 0) < run.norm(0, -1) / 1000 and abs(run.end.loss - math.log(2)) < 0.001
    ),
    "exploding": lambda run: run.norm(0, -1) > 100 and math.isnan(run.history.losses[10]),
    "overfit": lambda run: run.spec.parameter_count == 1185 and _overfits(run),
    "dead_relu": _is_dead,
}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_a_preset_does_what_its_sentence_says(preset: Preset) -> None:
    run = Course(preset.spec, Run(preset.spec).history(range(preset.spec.steps)))
    assert SHOWS[preset.name](run)
    assert preset.watch.endswith(".")


@for_each("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_a_preset_opens_with_its_sentence(preset: Preset) -> None:
    found = read(client().get(f"/train?{preset.query}").text)
    assert found.one("p", id="watch").text == f"{preset.title} {preset.watch}"
    menu = found.within(found.one("details", id="presets"))
    assert menu.one("a", aria_current="true").attributes["href"] == f"/train?{preset.query}"
    assert len(menu.all("a")) == len(PRESETS)


def test_specs_of_presets_differ_and_the_page_opens_with_the_first() -> None:
    assert len({preset.spec for preset in PRESETS.values()}) == len(PRESETS) == len(SHOWS)
    assert [preset for group in grouped().values() for preset in group] == [*PRESETS.values()]
    page = read(client().get("/train").text)
    assert page.one("p", id="watch").text.startswith(next(iter(PRESETS.values())).title)
    assert next(iter(PRESETS.values())).spec == STARTING


def test_another_run_has_no_sentence_and_hidden_presets_have_no_menu() -> None:
    found = read(client().get("/train?data=moons&seed=4").text)
    assert "hidden" in found.one("p", id="watch").attributes
    assert not read(client().get("/train?hide=presets").text).all("details", id="presets")
