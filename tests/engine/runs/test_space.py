"""The space as a layer sees it, against the network computed number by number."""

from __future__ import annotations

import math

import pytest

from engine.kernel import Run
from engine.runs.space import LINES, POINTS, space
from engine.training.spec import TrainSpec

BOUNDS = (-1.0, 2.0, -0.5, 1.5)
TWO = TrainSpec(data="moons", layers=(2, 2, 1), activation="tanh", steps=20, test_share=0.2)


def hidden(run: Run, x: float, y: float) -> list[float]:
    """The first layer's activations: tanh(w·x + b)."""
    p = run.parameters()
    return [math.tanh(p[k] * x + p[k + 1] * y + p[k + 2]) for k in (0, 3)]


def test_a_layer_of_two_neurons_is_its_own_plane() -> None:
    run = Run(TWO)
    run.seek(20)
    found = space(run, 1, BOUNDS)
    assert found.share is None
    assert len(found.lines) == 2 * LINES
    assert {len(line) for line in found.lines} == {POINTS}
    for line, end, corner in ((0, 0, (-1.0, -0.5)), (0, -1, (-1.0, 1.5)), (-1, -1, (2.0, 1.5))):
        assert found.lines[line][end] == pytest.approx(hidden(run, *corner), abs=1e-14)
    for place, (x, y) in zip(found.samples, run.training.inputs, strict=False):
        assert place == pytest.approx(hidden(run, x, y), abs=1e-14)
    assert len(found.samples) == 100


def test_a_wider_layer_is_seen_along_its_main_directions() -> None:
    """Their variance is that of the two largest eigenvalues: no turned pair holds more."""
    run = Run(TrainSpec(data="circles", layers=(2, 5, 1), activation="tanh", steps=5))
    run.seek(5)
    found = space(run, 1, BOUNDS)
    assert found.share is not None
    assert 0.5 < found.share <= 1
    xs, ys = zip(*found.samples, strict=True)
    assert sum(xs) == pytest.approx(0, abs=1e-9)
    assert sum(x * y for x, y in found.samples) == pytest.approx(0, abs=1e-6)
    assert sum(x * x for x in xs) > sum(y * y for y in ys)
    rows = list(zip(*run.maps(list(run.training.inputs))[:5], strict=True))
    middle = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    total = sum((x - m) ** 2 for row in rows for x, m in zip(row, middle, strict=True))
    held = sum(x * x + y * y for x, y in found.samples)
    assert held / total == pytest.approx(found.share, rel=1e-9)


def test_layers_without_a_plane_are_refused() -> None:
    run = Run(TWO)
    for layer in (0, 2, 3):
        with pytest.raises(ValueError, match="two neurons"):
            space(run, layer, BOUNDS)
