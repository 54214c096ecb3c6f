"""The points of the input space at which pages evaluate a network.

Bounds are the range of all samples and a margin. A grid and a map have a point at the centre of
each cell, row by row from the top, so that an image of them stretched over the bounds is aligned.
Outputs are quantised to bytes: 128 is 0, 1 and 255 are ∓ the limit of their layer.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from app.caches import cached
from engine.doctor.evidence import limits_of
from engine.training.features import featured
from engine.training.losses import LOSSES
from engine.training.samples import Samples
from engine.training.spec import TrainSpec

GRID = 100  # cells along a side of the boundary: 10,000 points, one call of the kernel
MAP = 24  # cells along a side of a neuron's map
CURVE = 200  # points of a curve over one input
MARGIN = 0.1  # of the samples' range, on each side
LOGIT = 4.0  # limit of logits: a probability of 0.98
OPEN = 2.0  # limit of unbounded activations, rarely exceeded

Bounds = tuple[float, ...]


class Points(Sequence[tuple[float, ...]]):
    """A view of points in records of the kernel: `inputs` numbers, then `others`.

    10,000 tuples instead would take a megabyte per run.
    """

    def __init__(self, records: bytes, inputs: int, others: int) -> None:
        self._numbers = memoryview(records).cast("d")
        self._inputs = inputs
        self._width = inputs + others

    def __len__(self) -> int:
        return len(self._numbers) // self._width

    @overload
    def __getitem__(self, place: int) -> tuple[float, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[float, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[float, ...] | list[tuple[float, ...]]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        start = range(len(self))[place] * self._width
        return tuple(self._numbers[start : start + self._inputs])


@dataclass(frozen=True, slots=True)
class InputPoints:
    """Points of the input space, also as records for the kernel's memory."""

    points: Points
    records: bytes


@dataclass(frozen=True, slots=True)
class SamplePoints:
    """The evaluation points of a network, as inputs of samples: before features.

    With more than two inputs there are only maps, with a stripe for each of MAP samples instead of
    a plane. `limits` are those of the inputs and of each layer; `inputs` are the constant maps of
    the inputs themselves as bytes.
    """

    bounds: Bounds | None
    limits: tuple[float, ...]
    grid: InputPoints | None = None
    curve: InputPoints | None = None
    map: InputPoints | None = None
    inputs: bytes = b""
    repeat: int = 1
    """The number of times that the row of points is repeated in a map."""


def sample_points(spec: TrainSpec, training: Samples, test: Samples) -> SamplePoints:
    """The evaluation points of a run with these samples."""
    bounds = _bounds(spec, training, test)
    limits = (_input_limit(spec, training, test), *_limits(spec, training, test))
    if bounds is None:
        stripes = _places(_spread(training.inputs), spec.outputs)
        columns = zip(*stripes.points, strict=True)
        shades = b"".join(shade(column, limits[0]) * MAP for column in columns)
        return SamplePoints(None, limits, map=stripes, inputs=shades, repeat=MAP)
    cells = _cells(bounds, MAP, spec.inputs, spec.outputs)
    return SamplePoints(
        bounds=bounds,
        limits=limits,
        grid=_cells(bounds, GRID, 2, spec.outputs) if spec.inputs == 2 else None,
        curve=_curve(bounds, spec.outputs) if spec.inputs == 1 else None,
        map=cells,
        inputs=_input_maps(spec, cells, limits[0]),
    )


def _input_maps(spec: TrainSpec, cells: InputPoints, limit: float) -> bytes:
    """The maps of what the network sees."""
    seen = zip(*(featured(spec, point) for point in cells.points), strict=True)
    return b"".join(shade(column, limit) for column in seen)


def _spread(rows: Sequence[tuple[float, ...]]) -> Iterator[tuple[float, ...]]:
    """MAP samples, evenly spread over all."""
    return (rows[i * len(rows) // MAP] for i in range(MAP))


def map_kind(inputs: int) -> str:
    """The domain of a map: "plane" or "line" of the inputs, or "samples", one stripe each."""
    return {1: "line", 2: "plane"}.get(inputs, "samples")


def shade(numbers: Iterable[float], limit: float) -> bytes:
    """Numbers quantised to bytes as in the kernel."""
    return bytes(int(max(1.0, min(255.0, x * (127 / limit) + 128.5))) for x in numbers)


def _bounds(spec: TrainSpec, training: Samples, test: Samples) -> Bounds | None:
    """(x_min, x_max, y_min, y_max) of two inputs, or of one input and the targets."""
    if spec.inputs > 2:
        return None
    columns = list(zip(*training.inputs, *test.inputs, strict=True))
    if spec.inputs == 1:
        columns.append(tuple(y for target in _targets(training, test) for y in target))
    return tuple(x for column in columns for x in _padded(column))


def _padded(numbers: Iterable[float]) -> tuple[float, float]:
    """The range of numbers with its margin; never of width 0."""
    found = list(numbers)
    low, high = min(found), max(found)
    margin = MARGIN * (high - low) or 1.0
    return low - margin, high + margin


def _targets(training: Samples, test: Samples) -> Iterator[tuple[float, ...]]:
    yield from training.targets
    yield from test.targets


def _input_limit(spec: TrainSpec, training: Samples, test: Samples) -> float:
    rows = [featured(spec, x) for x in (*training.inputs, *test.inputs)]
    return max(abs(x) for row in rows for x in row) * (1 + MARGIN) or 1.0


def _limits(spec: TrainSpec, training: Samples, test: Samples) -> Iterator[float]:
    """The limit of each layer."""
    for name in spec.activations[:-1]:
        yield _bound(name) or OPEN
    bound = _bound(spec.activations[-1])
    if bound is None and spec.classifies:
        bound = LOGIT if LOSSES[spec.loss].no == 0 else 1.0
    yield bound or max(abs(y) for target in _targets(training, test) for y in target) or 1.0


def _bound(activation: str) -> float | None:
    """The supremum of |y| of an activation; None if it is unbounded."""
    limits = limits_of(activation)
    return max(map(abs, limits)) if limits else None


@cached("centres of cells")
def _cells(bounds: Bounds, side: int, inputs: int, outputs: int) -> InputPoints:
    """The centres of side × side cells, or of `side` cells along one input."""
    xs = [_between(bounds[0], bounds[1], (i + 0.5) / side) for i in range(side)]
    if inputs == 1:
        return _places(((x,) for x in xs), outputs)
    ys = [_between(bounds[3], bounds[2], (i + 0.5) / side) for i in range(side)]
    return _places(((x, y) for y in ys for x in xs), outputs)


@cached("points of a curve")
def _curve(bounds: Bounds, outputs: int) -> InputPoints:
    low, high, *_ = bounds
    return _places(((_between(low, high, i / (CURVE - 1)),) for i in range(CURVE)), outputs)


def _between(start: float, end: float, share: float) -> float:
    return start + (end - start) * share


def _places(points: Iterable[tuple[float, ...]], outputs: int) -> InputPoints:
    blank = (0.0,) * outputs  # records include targets
    rows = [array("d", (*point, *blank)).tobytes() for point in points]
    records = b"".join(rows)
    inputs = len(rows[0]) // 8 - outputs
    return InputPoints(Points(records, inputs, outputs), records)
