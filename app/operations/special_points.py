"""Special points of the operations, and what PyTorch computes there.

`torch_facts.json` is a record of PyTorch's numbers, made by `make oracles ARGS=--record`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.caches import cached
from engine.op import Point
from engine.ops import OPS, Op

FACTS = Path(__file__).with_name("torch_facts.json")
_NAN, _INF = math.nan, math.inf
ONE: tuple[Point, ...] = tuple(
    (x,) for x in (_NAN, _INF, -_INF, 0.0, -0.0, 1.0, -1.0, 1000.0, -1000.0)
)
TWO: tuple[Point, ...] = (
    (_NAN, 1.0), (1.0, _NAN), (_NAN, _NAN), (_NAN, 0.0),
    (_INF, 1.0), (1.0, _INF), (_INF, _INF), (_INF, -_INF),
    (-_INF, 1.0), (1.0, -_INF), (-_INF, -_INF), (_INF, 0.0), (0.0, _INF),
    (0.0, 0.0), (0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0),
    (1.0, 0.0), (1.0, -0.0), (0.0, 1.0), (-0.0, 1.0), (-1.0, 0.0), (0.0, -1.0),
    (1.0, 1.0), (-1.0, 0.5), (6.0, -3.0),
)  # fmt: skip
"""The points at which every operation of one or of two inputs is compared."""


DIFFERENCES: dict[str, str] = {
    "relu": "At nan the partial, 1 if y > 0 and else 0, is 0, since no comparison with nan holds. "
    "PyTorch sets the gradient to 0 where y ≤ 0, which does not hold either, so that it passes.",
    "silu": "Both partials are 0 below −745, where the sigmoid is 0; PyTorch’s zero is negative.",
    "max": "Where an input is nan neither is the larger: the gradient is split, as at a tie. "
    "PyTorch passes the whole gradient to both inputs.",
    "min": "Where an input is nan neither is the smaller: the gradient is split, as at a tie. "
    "PyTorch passes the whole gradient to both inputs.",
    "atan2": "At the origin, where there is no derivative, both use 0; PyTorch’s zeros have signs.",
    "acosh": "−1 is outside of the domain. The partials are 1 over a zero, which has the other "
    "sign in PyTorch.",
    "hypot": "At the origin the subgradient 0 is used; PyTorch divides 0 by 0, which gives nan.",
    "mod": "A result of 0 has the sign of b, as in Python; in PyTorch it may have the other one. "
    "With an infinite input the quotient rounded down is computed from a ÷ b here, and from the "
    "remainder in PyTorch.",
}
"""Why numbers differ from PyTorch's, by operation."""


class PointNumbers(NamedTuple):
    """The value of an operation at a point, and its partials."""

    value: float
    partials: tuple[float, ...]


class SpecialPoint(NamedTuple):
    """One point: our numbers and PyTorch's, None if it has no such operation."""

    point: Point
    ours: PointNumbers
    torch: PointNumbers | None

    @property
    def same_value(self) -> bool:
        """Whether the values agree, up to the rounding of the last digits."""
        return self.torch is None or alike(self.ours.value, self.torch.value)

    @property
    def same_partials(self) -> tuple[bool, ...]:
        """Whether each of the partials agrees."""
        if self.torch is None:
            return tuple(True for _ in self.ours.partials)
        return tuple(map(alike, self.ours.partials, self.torch.partials))

    @property
    def same(self) -> bool:
        """Whether all numbers agree."""
        return self.same_value and all(self.same_partials)


def points(op: Op) -> tuple[Point, ...]:
    """The special points of an operation."""
    return ONE if len(op.params) == 1 else TWO


def ours(op: Op, point: Point) -> PointNumbers:
    """The numbers of the operation table at `point`."""
    y = float(op.compute(*point))
    return PointNumbers(y, tuple(float(derive(y, *point)) for derive in op.derive))


def rows(op: Op) -> list[SpecialPoint]:
    """Every special point of an operation."""
    there: Sequence[PointNumbers | None] = recorded().get(op.name) or [None] * len(points(op))
    return [SpecialPoint(p, ours(op, p), found) for p, found in zip(points(op), there, strict=True)]


@cached("recorded special points")
def recorded() -> dict[str, list[PointNumbers]]:
    """PyTorch's numbers by operation, in the order of the points."""
    return {
        name: [PointNumbers(value, tuple(partials)) for value, *partials in found]
        for name, found in _file()["answers"].items()
    }


def torch_version() -> str:
    """The version of PyTorch whose numbers are recorded."""
    library: str = _file()["library"]
    return library.removeprefix("torch ")


def alike(a: float, b: float) -> bool:
    """Whether two numbers agree up to rounding; zeros by their sign, nan with nan."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if a == 0 or b == 0:
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    return math.isclose(a, b, rel_tol=1e-9)


@cached("file of special points")
def _file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FACTS.read_text("utf-8"))
    return found


def differences() -> Iterator[tuple[str, SpecialPoint]]:
    """Every point at which a number is not PyTorch's, with its operation."""
    for name, op in OPS.items():
        yield from ((name, row) for row in rows(op) if not row.same)
