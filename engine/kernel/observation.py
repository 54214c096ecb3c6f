"""Activations of the current parameters at many points, read from a machine's memory."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from .layout import NUMBER, POINTS
from .machines import KernelMachine

LEAST_LIMIT = 1e-300  # keeps the scale of shades, 127 / limit, finite


def numbers_of(data: bytes) -> array[float]:
    """The doubles in a piece of memory."""
    return array("d", data)


class Observation:
    """What the network of a machine gives for samples, and for points of the input space."""

    def __init__(self, machine: KernelMachine) -> None:
        self._instance, self._layout, self._shape = machine.instance, machine.layout, machine.shape
        self._points: object = None  # those that lie in memory

    def take(self, points: Sequence[Sequence[float]], records: bytes) -> None:
        """Take in points as records lie in memory, for the next look at the same `points`."""
        if points is not self._points:
            self._instance.write(self._layout.records["points"], records)
            self._points = points

    def at_points(
        self, points: Sequence[Sequence[float]], last: bool, shades: bool = False
    ) -> list[bytes]:
        """For each neuron, or each output if `last`, its activations at the points.

        Passing the same tuple again skips copying the points into memory. Raises ValueError for
        more than POINTS points, and for points of another dimension.
        """
        if len(points) > POINTS:
            raise ValueError(f"at most {POINTS} points per call, got {len(points)}")
        if points is not self._points:
            inputs, blank = self._shape.inputs, (0.0,) * self._shape.sizes[-1]
            if any(len(point) != inputs for point in points):
                raise ValueError(f"each point must have {inputs} numbers")
            flat = [x for point in points for x in (*point, *blank)]
            self._instance.write_numbers(self._layout.records["points"], flat)
            self._points = points if isinstance(points, tuple) else None  # lists are mutable
        return self._activations(self._layout.records["points"], len(points), last, shades)

    def outputs(self, which: str, count: int) -> list[list[float]]:
        """The outputs for each of the `count` samples of a set."""
        rows = self._activations(self._layout.records[which], count, last=True)
        return [list(outputs) for outputs in zip(*map(numbers_of, rows), strict=True)]

    def set_limit(self, limit: float) -> None:
        """Take the limit of the next shades. Raises ValueError unless it exceeds LEAST_LIMIT."""
        if not limit > LEAST_LIMIT:
            raise ValueError(f"the limit of shades must exceed {LEAST_LIMIT}, got {limit}")
        self._instance.write_numbers(self._layout.shade, [127 / limit])

    def of_training(self, count: int) -> list[bytes]:
        """For each neuron, its quantised activations for the `count` training samples."""
        return self._activations(self._layout.records["train"], count, last=False, shades=True)

    def masks(self) -> list[array[float]]:
        """The dropout masks of the last evaluated block: for each hidden neuron, by sample."""
        row, neurons = self._layout.row // NUMBER, sum(self._shape.sizes[1:-1])
        flat = self._instance.numbers(self._layout.mask, row * neurons)
        return [flat[start : start + row] for start in range(0, len(flat), row)]

    def _activations(
        self, records: int, count: int, last: bool, shades: bool = False
    ) -> list[bytes]:
        layout, sizes = self._layout, self._shape.sizes
        neurons = sizes[-1] if last else sum(sizes[1:])
        rows = layout.active[-1] if last else layout.active[1]
        name, size = ("shades", 1) if shades else ("activations", NUMBER)
        slots = 2 * layout.pairs
        most = layout.map_bytes // (neurons * size * slots) * slots
        found: list[list[bytes]] = [[] for _ in range(neurons)]
        for start in range(0, count, most):
            some = min(most, count - start)
            blocks = layout.blocks_of(some)
            stride = blocks * slots * size
            first = records + start * layout.record
            self._instance.call(name, first, blocks, rows, neurons * layout.row, layout.map, stride)
            for neuron, parts in enumerate(found):
                parts.append(self._instance.read(layout.map + neuron * stride, some * size))
        return [b"".join(parts) for parts in found]
