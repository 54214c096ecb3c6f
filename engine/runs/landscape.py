"""The loss over a plane through the space of parameters, with the path of a run drawn on it.

The plane is spanned by two parameters, all others being held, or by the two main directions of the
path: the principal components of the differences between its states and its last one (Li and
others, Visualizing the loss landscape of neural nets, 2018).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.cancellation import Cancelled, IsCancelled, never_cancelled
from engine.kernel import Run
from engine.training.spec import TrainSpec

from .directions import Vector, dot, is_small, leading, spare, without

STATES = 60
"""The states of a path, at most, spread evenly over the run."""
MOST_CELLS = 40
LEAST_CELLS = 6
WORK = 1.5e9
"""The parameters × samples of all points of a grid, at most: about 2 s on one core."""
MARGIN = 0.35  # beyond the path, as a share of its extent
FLAT = 1e-9  # an extent below which a path is a point, relative to the parameters


BEYOND = "The parameters are too large to be drawn."


class TooLargeError(ValueError):
    """The run, or its numbers, are too large for a landscape."""


class PlanePoint(NamedTuple):
    """A state of a run on the plane, and its loss over all training samples."""

    step: int
    x: float
    y: float
    loss: float


@dataclass(frozen=True, slots=True)
class Plane:
    """Points origin + x·u + y·v; u and v are orthonormal.

    `share` is the part of the path's squared length in the plane, None for chosen parameters.
    """

    origin: Vector
    u: Vector
    v: Vector
    share: float | None = None

    def at(self, x: float, y: float) -> list[float]:
        """The parameters at a point."""
        return [o + x * a + y * b for o, a, b in zip(self.origin, self.u, self.v, strict=True)]

    def place(self, parameters: Vector) -> tuple[float, float]:
        """The coordinates of the point of the plane that is nearest to the parameters."""
        away = [p - o for p, o in zip(parameters, self.origin, strict=True)]
        return dot(away, self.u), dot(away, self.v)


@dataclass(frozen=True, slots=True)
class LossLandscape:
    """Losses over a grid of a plane: `losses[row][column]` at `ys[row]`, `xs[column]`."""

    plane: Plane
    xs: Sequence[float]
    ys: Sequence[float]
    losses: Sequence[Sequence[float]]
    path: Sequence[PlanePoint]
    others: Sequence[Sequence[PlanePoint]] = ()
    """The paths of other runs of the same network."""


def landscape(
    run: Run,
    chosen: tuple[int, int] | None = None,
    step: int = 0,
    others: Sequence[Run] = (),
    is_cancelled: IsCancelled = never_cancelled,
) -> LossLandscape:
    """The landscape of a run, over its path's main directions or over two chosen parameters.

    With chosen parameters the others are those after `step` updates. Paths of `others`, runs of a
    network of the same layers, are projected onto the same plane.

    Raises Cancelled and TooLargeError.
    """
    cells = cells_of(run.spec)
    states = path_of(run, is_cancelled)
    if chosen is None:
        plane = main_plane([parameters for _, parameters in states])
    else:
        run.seek(step, is_cancelled)
        if not is_small(run.parameters()):
            raise TooLargeError(BEYOND)
        plane = chosen_plane(run.parameters(), *chosen)
    path = _places(run, plane, states)
    more = [_places(run, plane, path_of(other, is_cancelled)) for other in others]
    everywhere = [place for line in (path, *more) for place in line]
    xs, ys = (_axis([place[i] for place in everywhere], cells) for i in (1, 2))
    losses = []
    for y in ys:
        if is_cancelled():
            raise Cancelled
        losses.append(run.losses_at([plane.at(x, y) for x in xs]))
    return LossLandscape(plane, xs, ys, losses, path, more)


def cells_of(spec: TrainSpec) -> int:
    """The cells along each side of the grid. Raises TooLargeError."""
    cells = int(math.sqrt(WORK / (spec.parameter_count * spec.train_samples)))
    if cells < LEAST_CELLS:
        raise TooLargeError(
            f"A landscape of {spec.parameter_count:,} parameters and {spec.train_samples:,} samples"
            " takes too long; use fewer samples or a smaller network."
        )
    return min(cells, MOST_CELLS)


def path_of(run: Run, is_cancelled: IsCancelled = never_cancelled) -> list[tuple[int, list[float]]]:
    """Steps and parameters of a run, evenly spread, the last among them.

    States with parameters that are too large to be drawn are left out. Raises TooLargeError if all
    of them are.
    """
    last = run.spec.total_steps
    steps = [*range(0, last, -(-last // (STATES - 1))), last]
    found = []
    for step in steps:
        run.seek(step, is_cancelled)
        if is_small(parameters := run.parameters()):
            found.append((step, parameters))
    if not found:
        raise TooLargeError(BEYOND)
    return found


def _places(run: Run, plane: Plane, states: Sequence[tuple[int, list[float]]]) -> list[PlanePoint]:
    losses = run.losses_at([parameters for _, parameters in states])
    return [
        PlanePoint(step, *plane.place(parameters), loss)
        for (step, parameters), loss in zip(states, losses, strict=True)
    ]


def chosen_plane(origin: Vector, first: int, second: int) -> Plane:
    """The plane of two parameters. Raises ValueError for one parameter twice."""
    if first == second:
        raise ValueError("choose two different parameters")
    u, v = ([float(i == place) for i in range(len(origin))] for place in (first, second))
    plane = [0.0 if i in (first, second) else x for i, x in enumerate(origin)]
    return Plane(plane, u, v)


def main_plane(states: Sequence[Vector]) -> Plane:
    """The two directions in which the states lie farthest from the last one.

    They are found by subspace iteration on the matrix of inner products, which is small. A path
    without a second direction gets a parameter's.
    """
    origin = states[-1]
    away = [[p - o for p, o in zip(state, origin, strict=True)] for state in states]
    inner = [[dot(a, b) for b in away] for a in away]
    weights = leading(inner)
    axes: list[list[float]] = []
    spread = max(math.hypot(*origin), 1.0) * FLAT
    for weight in weights:
        axis = [dot(weight, column) for column in zip(*away, strict=True)]
        axis = without(axis, axes)
        size = math.hypot(*axis)
        axes.append([x / size for x in axis] if size > spread else spare(len(origin), axes))
    total = sum(inner[i][i] for i in range(len(inner)))
    seen = sum(x * x for x in (dot(a, axis) for a in away for axis in axes))
    return Plane(origin, axes[0], axes[1], min(seen / total, 1.0) if total > 0 else 1.0)


def _axis(numbers: Sequence[float], cells: int) -> list[float]:
    """`cells` + 1 coordinates that reach beyond the numbers on both sides."""
    low, high = min(numbers), max(numbers)
    reach = max((high - low) * MARGIN, 0.5 if high - low < FLAT else 0.0, abs(high) * FLAT)
    low, high = low - reach, high + reach
    return [low + (high - low) * i / cells for i in range(cells + 1)]
