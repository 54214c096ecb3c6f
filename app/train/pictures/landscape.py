"""The loss as a landscape: a contour map with the path of the run, as SVG."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from app.picture.contours import above, levels
from app.picture.plots import AxisScale, Plot
from app.picture.text import escaped
from engine.numbers import brief
from engine.runs.landscape import LossLandscape


def landscape_svg(found: LossLandscape, titles: tuple[str, str], name: str) -> Markup:
    """The map; `titles` name its axes, `name` is its accessible name."""
    plot = _plot(found)
    parts = [*_ground(found, plot), *plot.grid(*titles), *_paths(found, plot)]
    return Markup(plot.svg(parts, name))  # noqa: S704  all text is escaped


def _ground(found: LossLandscape, plot: Plot) -> Iterator[str]:
    xs, ys = found.xs, found.ys
    left, top = plot.at(xs[0], ys[-1])
    right, down = f"h{plot.across:g}", f"v{plot.down:g}"
    yield f'<path class="h0" d="M{left:.1f} {top:.1f}{right}{down}h{-plot.across:g}z"/>'

    def to(column: float, row: float) -> tuple[float, float]:
        across, up = (len(xs) - 1), (len(ys) - 1)
        return plot.at(
            xs[0] + (xs[-1] - xs[0]) * column / across, ys[0] + (ys[-1] - ys[0]) * row / up
        )

    bounds = levels(found.losses)
    for number, level in enumerate(bounds, 1):
        upper = f" to {brief(bounds[number])}" if number < len(bounds) else " and more"
        title = f"<title>loss {brief(level)}{upper}</title>"
        yield f'<path class="h{number}" d="{above(found.losses, level, to)}">{title}</path>'


def _paths(found: LossLandscape, plot: Plot) -> Iterator[str]:
    for number, places in enumerate(found.others):
        yield plot.line([(place.x, place.y) for place in places], f"other o{number}")
    yield plot.line([(place.x, place.y) for place in found.path], "trail")
    for place, look in ((found.path[0], "start"), (found.path[-1], "end")):
        x, y = plot.at(place.x, place.y)
        words = f"step {place.step}, loss {brief(place.loss)}"
        yield (
            f'<circle class="{look}" cx="{x:.1f}" cy="{y:.1f}" r="4">'
            f"<title>{escaped(words)}</title></circle>"
        )


def pixels(found: LossLandscape) -> list[list[float]]:
    """Step, left and top of each state of the path, in the drawing's coordinates."""
    plot = _plot(found)
    return [[place.step, *(round(x, 1) for x in plot.at(place.x, place.y))] for place in found.path]


def _plot(found: LossLandscape) -> Plot:
    xs, ys = found.xs, found.ys
    return Plot(AxisScale(xs[0], xs[-1]), AxisScale(ys[0], ys[-1]), width=360, height=300, left=40)
