"""The space as a layer sees it: the grid of inputs carried through the network, up to one layer.

A layer of two neurons is its own plane. Of a wider one the two main directions of the samples'
activations are taken: their first two principal components.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.kernel import Run

from .directions import Vector, dot, is_small, leading, without

LINES = 17
"""Lines of the grid in each direction."""
POINTS = 49
"""Points of a line, which bends as it is carried through the network."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Space:
    """Lines of the grid, and samples, in the plane of a layer.

    `lines` are those of constant first input, then those of constant second input. `share` is the
    part of the samples' variance in the plane, None for a layer of two neurons.
    """

    layer: int
    lines: Sequence[Sequence[Point]]
    samples: Sequence[Point]
    share: float | None


def space(run: Run, layer: int, bounds: tuple[float, float, float, float]) -> Space:
    """The space of a layer, counted from 1, at the run's step, for a network of two inputs.

    `bounds` are those of the grid: x_min, x_max, y_min, y_max. Raises ValueError for a layer of one
    neuron or with activations that are too large.
    """
    sizes = run.spec.layers
    if not 1 <= layer < len(sizes) or sizes[layer] < 2:
        raise ValueError(f"layer {layer} has no two neurons")
    grid = _grid(bounds)
    seen = _activations(run, layer, [*grid, *run.training.inputs, *run.test.inputs])
    if not all(map(is_small, seen)):
        raise ValueError(f"Some activations of layer {layer} are too large to be drawn.")
    samples = seen[len(grid) :]
    places: list[Point] = [(row[0], row[1]) for row in seen]
    share = None
    if sizes[layer] > 2:
        places, share = _projected(seen, samples)
    lines = [places[start : start + POINTS] for start in range(0, len(grid), POINTS)]
    return Space(layer, lines, places[len(grid) :], share)


def _grid(bounds: tuple[float, float, float, float]) -> list[Point]:
    left, right, low, high = bounds
    xs = [left + (right - left) * i / (LINES - 1) for i in range(LINES)]
    ys = [low + (high - low) * i / (LINES - 1) for i in range(LINES)]
    along = [i / (POINTS - 1) for i in range(POINTS)]
    upright = [(x, low + (high - low) * t) for x in xs for t in along]
    return upright + [(left + (right - left) * t, y) for y in ys for t in along]


def _activations(run: Run, layer: int, points: Sequence[Vector]) -> list[list[float]]:
    first = sum(run.spec.layers[1:layer])
    rows = run.maps(points)[first : first + run.spec.layers[layer]]
    return [list(row) for row in zip(*rows, strict=True)]


def _projected(seen: Sequence[Vector], samples: Sequence[Vector]) -> tuple[list[Point], float]:
    """Activations in the plane of the samples' main directions, and its share of the variance."""
    columns = list(zip(*samples, strict=True))
    middle = [sum(column) / len(column) for column in columns]
    away = [[x - m for x in column] for column, m in zip(columns, middle, strict=True)]
    spread = [[dot(a, b) for b in away] for a in away]
    axes = [_turned(axis) for axis in leading(spread)]
    axes[1] = without(axes[1], axes[:1])
    moved = [[x - m for x, m in zip(row, middle, strict=True)] for row in seen]
    total = sum(spread[i][i] for i in range(len(spread)))
    held = sum(dot(axis, [dot(row, axis) for row in spread]) for axis in axes)
    share = min(max(held / total, 0.0), 1.0) if total > 0 else 1.0
    return [(dot(row, axes[0]), dot(row, axes[1])) for row in moved], share


def _turned(axis: Vector) -> list[float]:
    """The axis with its largest component positive, so that pictures of two steps do not flip."""
    largest = max(axis, key=abs)
    return [x if largest > 0 else -x for x in axis]
