"""A surface over two numbers in oblique projection, with its tangent plane and gradient, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.picture.plots import text
from app.picture.text import escaped, fitted

WIDTH, HEIGHT = 332.0, 250.0
CENTRE = (166.0, 168.0)
ACROSS, DEPTH, RISE = 74.0, 34.0, 118.0  # pixels of a unit along both leaves, and of the height
SHADES = 8
ARROW = 0.75  # length of the gradient's arrow, in units of the reach
PLANES = (0.9, 0.6, 0.4, 0.2, 0.1)  # half sides of the tangent plane that are tried
FONT = 11.0


@dataclass(frozen=True, slots=True)
class SurfacePicture:
    """A surface: heights over the square within `reach` of a point, with a tangent plane there."""

    heights: Sequence[Sequence[float]]
    here: float
    grads: tuple[float, float]
    reach: float
    low: float
    high: float

    def at(self, a: float, b: float, z: float) -> list[float]:
        """The pixel of the point `a`, `b` beside the middle, at the height `z`."""
        u, v = a / self.reach, b / self.reach
        share = (z / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        x = CENTRE[0] + ACROSS * (u - v)
        y = CENTRE[1] + DEPTH * (u + v) - RISE * min(max(share, -0.6), 1.6)
        return [round(x, 1), round(y, 1)]

    def svg(self, titles: tuple[str, str, str], marks: Iterable[str]) -> Markup:
        """The drawing; `titles` name both leaves and the output."""
        parts = [*self._floor(titles), *self._cells(), *self._plane(), *marks]
        words = f"{titles[2]} over {titles[0]} and {titles[1]}, with its tangent plane and gradient"
        return Markup(  # noqa: S704  all text is escaped
            f'<svg class="plot landscape" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img"'
            f' aria-label="{escaped(words)}">{"".join(parts)}</svg>'
        )

    def _floor(self, titles: tuple[str, str, str]) -> Iterator[str]:
        """The square below the surface with the gradient's arrow, and the names of its sides."""
        r = self.reach
        corners = [self.at(a, b, self.low) for a, b in ((-r, -r), (r, -r), (r, r), (-r, r))]
        yield f'<path class="floor" d="{_closed(corners)}"/>'
        yield self._arrow("arrow", self.low, self.low)
        x, y = self.at(0.0, r, self.low)
        yield text("label", x - 16, y + 18, fitted(titles[0], 110, FONT), "middle")
        x, y = self.at(r, 0.0, self.low)
        yield text("label", x + 16, y + 18, fitted(titles[1], 110, FONT), "middle")
        yield text("label", 4, 14, fitted(titles[2], 150, FONT), "start")

    def _arrow(self, look: str, low: float, high: float) -> str:
        """An arrow in the direction of the gradient, from the height `low` to `high`."""
        size = math.hypot(*self.grads)
        if not size or not math.isfinite(size):
            return ""
        a, b = (ARROW * self.reach * g / size for g in self.grads)
        start, end = self.at(0.0, 0.0, low), self.at(a, b, high)
        turn = math.atan2(end[1] - start[1], end[0] - start[0])
        wings = [
            [round(end[0] - 9 * math.cos(turn + s), 1), round(end[1] - 9 * math.sin(turn + s), 1)]
            for s in (0.45, -0.45)
        ]
        line = f"M{start[0]} {start[1]}L{end[0]} {end[1]}"
        head = f"M{wings[0][0]} {wings[0][1]}L{end[0]} {end[1]}L{wings[1][0]} {wings[1][1]}"
        return f'<path class="{look}" d="{line}{head}"/>'

    def _cells(self) -> Iterator[str]:
        """The cells of the surface from the back to the front."""
        rows, columns = len(self.heights) - 1, len(self.heights[0]) - 1
        offsets = [self.reach * (2 * k / columns - 1) for k in range(columns + 1)]
        order = sorted(((i, j) for i in range(rows) for j in range(columns)), key=sum)
        for i, j in order:
            corners = [(j, i), (j + 1, i), (j + 1, i + 1), (j, i + 1)]
            zs = [self.heights[k][m] for m, k in corners]
            if not all(map(math.isfinite, zs)):
                continue
            share = (sum(z / 4 for z in zs) / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
            points = [
                self.at(offsets[m], offsets[k], z) for (m, k), z in zip(corners, zs, strict=True)
            ]
            shade = round(min(max(share, 0.0), 1.0) * SHADES)
            yield f'<path class="cell h{shade}" d="{_closed(points)}"/>'

    def _plane(self) -> Iterator[str]:
        """The tangent plane, as large as it fits between the lowest and the highest point."""
        steep = (abs(self.grads[0]) + abs(self.grads[1])) * self.reach
        if not math.isfinite(steep):
            return
        room = self.high - self.low
        half = next((p for p in PLANES if steep * p <= 0.8 * room), PLANES[-1]) * self.reach
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        points = [
            self.at(a, b, self.here + self.grads[0] * a + self.grads[1] * b) for a, b in corners
        ]
        yield f'<path class="plane" d="{_closed(points)}"/>'


def landscape(
    heights: Sequence[Sequence[float]], here: float, grads: tuple[float, float], reach: float
) -> SurfacePicture:
    """The surface with its range of heights, which is never empty."""
    finite = [z for row in heights for z in row if math.isfinite(z)] or [0.0]
    low, high = max(min(finite), -1e300), min(max(finite), 1e300)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-290):
        low, high = low - max(abs(low) / 2, 0.5), high + max(abs(high) / 2, 0.5)
    return SurfacePicture(heights, here, grads, reach, low, high)


def _closed(points: Sequence[Sequence[float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points) + "z"
