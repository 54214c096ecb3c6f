"""The part of the axes that the plot of an operation shows, and the numbers held in it."""

from __future__ import annotations

from typing import NamedTuple

from app.caches import cached
from engine.ops import OPS, Op


class PlotView(NamedTuple):
    """The plotted interval and the step of the point that is dragged in it."""

    low: float
    high: float
    step: float

    @property
    def size(self) -> int:
        """The number of places that the point can be at."""
        return round((self.high - self.low) / self.step) + 1

    def places(self) -> list[float]:
        """The places of the point, decimals such as 0.02."""
        return [round(self.low + i * self.step, 6) + 0.0 for i in range(self.size)]

    def nearest(self, x: float) -> int:
        """The number of the place nearest to `x`."""
        return min(max(round((x - self.low) / self.step), 0), self.size - 1)


USUAL = PlotView(-4.0, 4.0, 0.02)
_POSITIVE = PlotView(-1.0, 7.0, 0.02)
_INSIDE = PlotView(-1.25, 1.25, 0.01)
VIEWS: dict[str, PlotView] = {
    "exp": PlotView(-3.0, 2.0, 0.02),
    "exp2": PlotView(-4.0, 3.0, 0.02),
    "expm1": PlotView(-3.0, 2.0, 0.02),
    "sinh": PlotView(-3.0, 3.0, 0.02),
    "cosh": PlotView(-3.0, 3.0, 0.02),
    "sin": PlotView(-7.0, 7.0, 0.05),
    "cos": PlotView(-7.0, 7.0, 0.05),
    "tan": PlotView(-5.0, 5.0, 0.02),
    "log": _POSITIVE,
    "log2": _POSITIVE,
    "log10": _POSITIVE,
    "sqrt": _POSITIVE,
    "acosh": PlotView(0.0, 6.0, 0.02),
    "log1p": PlotView(-2.0, 6.0, 0.02),
    "asin": _INSIDE,
    "acos": _INSIDE,
    "atanh": _INSIDE,
    "erf": PlotView(-3.0, 3.0, 0.02),
    "erfc": PlotView(-3.0, 3.0, 0.02),
    "degrees": PlotView(-4.0, 4.0, 0.02),
    "radians": PlotView(-180.0, 180.0, 1.0),
}
"""Where the usual interval does not show an operation well."""
HELD = (-2.0, -1.0, 0.5, 2.0, 3.0)
"""The numbers to choose from for the input that is held."""
DEFAULT = 2.0
ENOUGH = 0.3  # share of the places at which an operation has a value, for a plot to be worth it


class PlottedInput(NamedTuple):
    """What is plotted: the operation over the input `over`, the other one held at `held`."""

    op: Op
    over: int = 0
    held: float | None = None

    @property
    def view(self) -> PlotView:
        """The plotted interval."""
        return VIEWS.get(self.op.name, USUAL)

    def point(self, x: float) -> tuple[float, ...]:
        """The inputs at the place `x`."""
        if self.held is None:
            return (x,)
        return (x, self.held) if self.over == 0 else (self.held, x)

    def numbers(self, x: float) -> tuple[float, float]:
        """The value and the partial at `x`."""
        point = self.point(x)
        y = float(self.op.compute(*point))
        return y, float(self.op.derive[self.over](y, *point))


@cached("held inputs")
def held_choices(op: Op, over: int) -> tuple[float, ...]:
    """The numbers of HELD with which there is something to plot over the input `over`."""
    found = []
    for held in HELD:
        choice = PlottedInput(op, over, held)
        places = choice.view.places()
        inside = sum(bool(op.in_domain(*choice.point(x))) for x in places)
        if inside >= ENOUGH * len(places):
            found.append(held)
    return tuple(found)


def chosen(name: str, over: str = "", held: float | None = None) -> PlottedInput:
    """The choice of a request; anything unknown becomes the default."""
    op = OPS[name]
    if len(op.params) == 1:
        return PlottedInput(op)
    slot = op.params.index(over) if over in op.params else 0
    return PlottedInput(op, slot, held if held in held_choices(op, slot) else DEFAULT)
