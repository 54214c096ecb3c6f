"""The geometry of edges: Graphviz's splines as SVG paths with arrowheads.

Arrowheads are triangles, as some SVG renderers lack markers. Coordinates are pixels, y downwards; a
curve is a sequence of connected cubic Bézier pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot

ARROW_LENGTH = 9.0
ARROW_WIDTH = 8.0
TRIM = 2.5  # distance of a line's end from its arrow's tip, too narrow to cover it
BOW = 7.0  # distance between parallel edges

Point = tuple[float, float]
Piece = tuple[Point, Point, Point, Point]
Curve = list[Piece]


@dataclass(frozen=True, slots=True)
class Route:
    """An edge as SVG path data: the line, and arrowheads at its end and its start."""

    line: str
    head: str
    tail: str
    middle: Point
    curve: Curve = field(default_factory=list)

    def at(self, share: float) -> Point:
        """The point of the curve after this share of its pieces, between 0 and 1."""
        whole = share * len(self.curve)
        index = min(int(whole), len(self.curve) - 1)
        return _point(self.curve[index], whole - index)


def curve_through(points: Sequence[Point]) -> Curve:
    """The curve of a spline's points: the start, then two control points and an end per piece."""
    return [
        (points[i], points[i + 1], points[i + 2], points[i + 3])
        for i in range(0, len(points) - 1, 3)
    ]


def part_twins(curves: list[Curve]) -> None:
    """Bend coincident edges apart, such as the two straight edges of x * x."""
    seen: dict[tuple[Point, Point], list[int]] = {}
    for index, curve in enumerate(curves):
        seen.setdefault((curve[0][0], curve[-1][3]), []).append(index)
    for (start, end), twins in seen.items():
        if len(twins) < 2 or len({str(curves[index]) for index in twins}) == len(twins):
            continue
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
        across = ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
        for number, index in enumerate(twins):
            shift = 2 * BOW * (number - (len(twins) - 1) / 2)
            curves[index] = [_bowed(start, end, across, shift)]


def _bowed(start: Point, end: Point, across: Point, shift: float) -> Piece:
    dx, dy = across[0] * shift, across[1] * shift
    x, y = end[0] - start[0], end[1] - start[1]
    first = (start[0] + x / 3 + dx, start[1] + y / 3 + dy)
    second = (start[0] + 2 * x / 3 + dx, start[1] + 2 * y / 3 + dy)
    return (start, first, second, end)


def route(curve: Curve) -> Route:
    """The path data of `curve`."""
    backwards = reverse(curve)
    head, tail = _arrow(backwards), _arrow(curve)
    trimmed = _trim(_trim(backwards))
    parts = [f"M{_at(trimmed[0][0])}"]
    parts += [f"C{_at(b)} {_at(c)} {_at(d)}" for _, b, c, d in trimmed]
    middle = _point(curve[len(curve) // 2], 0.5 if len(curve) % 2 else 0.0)
    return Route("".join(parts), head, tail, middle, curve)


def _trim(curve: Curve) -> Curve:
    """`curve` without its first TRIM pixels, reversed."""
    index, t = _walk(curve, TRIM)
    return reverse([_after(curve[index], t), *curve[index + 1 :]])


def reverse(curve: Curve) -> Curve:
    """The same curve from its end to its start."""
    return [(d, c, b, a) for a, b, c, d in reversed(curve)]


def _arrow(curve: Curve) -> str:
    """An arrowhead with its tip at the start of `curve`, as path data."""
    index, t = _walk(curve, ARROW_LENGTH)
    tip, back = curve[0][0], _point(curve[index], t)
    length = hypot(back[0] - tip[0], back[1] - tip[1]) or 1.0
    x, y = (back[0] - tip[0]) / length, (back[1] - tip[1]) / length
    base = (tip[0] + x * ARROW_LENGTH, tip[1] + y * ARROW_LENGTH)
    half = ARROW_WIDTH / 2
    left = (base[0] - y * half, base[1] + x * half)
    right = (base[0] + y * half, base[1] - x * half)
    return f"M{_at(tip)}L{_at(left)}L{_at(right)}z"


def _walk(curve: Curve, distance: float) -> tuple[int, float]:
    """The piece and parameter where `curve` first is `distance` away from its start."""
    x, y = curve[0][0]
    for index, piece in enumerate(curve):
        if hypot(piece[3][0] - x, piece[3][1] - y) >= distance:
            return index, _crossing(piece, x, y, distance)
    return len(curve) - 1, 0.5


def _crossing(piece: Piece, x: float, y: float, distance: float) -> float:
    """The parameter where `piece` is `distance` away from (x, y), by bisection."""
    (px, py), (qx, qy), (rx, ry), (ux, uy) = piece
    low, high = 0.0, 1.0
    for _ in range(12):  # `_point` written out: each edge of a picture takes 48 of them
        t = (low + high) / 2
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        across, down = a * px + b * qx + c * rx + d * ux, a * py + b * qy + c * ry + d * uy
        if hypot(across - x, down - y) < distance:
            low = t
        else:
            high = t
    return high


def _point(piece: Piece, t: float) -> Point:
    s = 1 - t
    a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    p, q, r, u = piece
    return (
        a * p[0] + b * q[0] + c * r[0] + d * u[0],
        a * p[1] + b * q[1] + c * r[1] + d * u[1],
    )


def _after(piece: Piece, t: float) -> Piece:
    """The part of a Bézier curve after parameter `t` (de Casteljau)."""
    p, q, r, u = piece
    pq, qr, ru = _mix(p, q, t), _mix(q, r, t), _mix(r, u, t)
    pqr, qru = _mix(pq, qr, t), _mix(qr, ru, t)
    return (_mix(pqr, qru, t), qru, ru, u)


def _mix(p: Point, q: Point, t: float) -> Point:
    return (p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t)


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
