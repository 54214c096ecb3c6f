"""Plots show the operation and its derivative, inside of their frame."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import mpmath
import pytest

from app.operations import plot
from app.operations.page import start
from app.operations.plot import Curves, curves
from app.operations.views import VIEWS, PlottedInput, chosen, held_choices
from engine.ops import OPS
from tests.support.each import for_each
from tests.support.references import OPERATIONS

CHOICES = [
    chosen(name, param, held)
    for name, op in OPS.items()
    for param in op.params
    for held in (held_choices(op, op.params.index(param)) if len(op.params) == 2 else (None,))
]
ONE_EACH = [chosen(name) for name in OPS]
SUBPATH = re.compile(r"M[^M]*")
PAIR = re.compile(r"[ML](-?[\d.]+) (-?[\d.]+)")


def words(choice: PlottedInput) -> str:
    return f"{choice.op.slug}-{choice.op.params[choice.over]}-{choice.held}"


def tree(choice: PlottedInput) -> ET.Element:
    place = choice.view.nearest(start(choice))
    return ET.fromstring(str(plot.plot(choice, place)))  # noqa: S314  our own picture


def drawn(choice: PlottedInput, look: str) -> list[list[tuple[float, float]]]:
    """The parts of a line, in the numbers of the axes."""
    (path,) = (part for part in tree(choice).iter("path") if part.get("class") == look)
    shown = curves(choice)
    low, high = choice.view.low, choice.view.high

    def read(x: str, y: str) -> tuple[float, float]:
        across = (float(x) - plot.LEFT) / plot.ACROSS
        up = 1 - (float(y) - plot.TOP) / plot.DOWN
        return low + across * (high - low), shown.bottom + up * (shown.top - shown.bottom)

    parts = SUBPATH.findall(path.attrib["d"])
    return [[read(x, y) for x, y in PAIR.findall(part)] for part in parts]


def inside(shown: Curves, y: float) -> bool:
    return shown.bottom <= y <= shown.top


@for_each("choice", CHOICES, ids=words)
def test_curves_have_a_part_inside_of_the_frame(choice: PlottedInput) -> None:
    shown = curves(choice)
    assert math.isfinite(shown.bottom)
    assert math.isfinite(shown.top)
    assert shown.bottom < 0 < shown.top
    for x in shown.xs:
        assert choice.view.low <= x <= choice.view.high
    real = [y for y in shown.ys if math.isfinite(y)]
    assert real
    assert sum(inside(shown, y) for y in real) >= 0.3 * len(real)


@for_each("choice", ONE_EACH, ids=words)
def test_lines_are_those_of_mathematics(choice: PlottedInput) -> None:
    shown = curves(choice)
    pixel_x = (choice.view.high - choice.view.low) / plot.ACROSS
    pixel_y = (shown.top - shown.bottom) / plot.DOWN
    found = [it for line in drawn(choice, "curve") for it in line]
    assert len(found) > 50
    for x, y in found[::37]:
        if not inside(shown, y) or choice.op.at_kink(*choice.point(round(x, 2))):
            continue
        sides = [choice.point(x + side * pixel_x * 0.06) for side in (-1, 0, 1)]
        if not all(choice.op.in_domain(*side) for side in sides):
            continue
        values = [float(mpmath.re(OPERATIONS[choice.op.name](*map(mpmath.mpf, s)))) for s in sides]
        margin = 0.1 * pixel_y
        assert min(values) - margin <= y <= max(values) + margin, (x, y, values)


@for_each("choice", ONE_EACH, ids=words)
def test_coordinates_stay_near_the_frame(choice: PlottedInput) -> None:
    for look in ("curve", "slope"):
        for part in tree(choice).iter("path"):
            if part.get("class") == look:
                for x, y in PAIR.findall(part.attrib["d"]):
                    assert plot.LEFT - 0.1 <= float(x) <= plot.LEFT + plot.ACROSS + 0.1
                    assert -plot.HEIGHT <= float(y) <= 2 * plot.HEIGHT


@for_each(("name", "parts"), [("tanh", 1), ("tan", 5), ("/", 2), ("mod", 4)])
def test_lines_are_interrupted_at_jumps_alone(name: str, parts: int) -> None:
    choice = chosen(name, "b") if name == "/" else chosen(name)
    lines = [line for line in drawn(choice, "curve") if len(line) > 1]
    assert len(lines) == parts


@for_each("choice", CHOICES, ids=words)
def test_point_starts_where_there_is_a_tangent(choice: PlottedInput) -> None:
    x = start(choice)
    shown = curves(choice)
    place = choice.view.nearest(x)
    assert shown.xs[place] == x
    assert math.isfinite(shown.ys[place])
    assert plot.tangent(shown, place)


def test_tangent_has_the_slope() -> None:
    choice = chosen("tanh")
    shown = curves(choice)
    place = choice.view.nearest(0.5)
    (ax, ay), (bx, by) = [(float(x), float(y)) for x, y in PAIR.findall(plot.tangent(shown, place))]
    rise = -(by - ay) / plot.DOWN * (shown.top - shown.bottom)
    run = (bx - ax) / plot.ACROSS * (choice.view.high - choice.view.low)
    assert rise / run == pytest.approx(1 - math.tanh(0.5) ** 2, rel=1e-3)


def test_places_are_decimals_and_hold_zero() -> None:
    for choice in ONE_EACH:
        places = choice.view.places()
        assert len(places) == choice.view.size
        assert all(float(f"{x:.2f}") == x for x in places)
        assert 0.0 in places
        assert all(math.copysign(1, x) == 1 for x in places if x == 0)


def test_views_are_of_operations() -> None:
    assert set(VIEWS) <= set(OPS)


def test_no_plot_is_empty() -> None:
    power = OPS["**"]
    assert held_choices(power, 1) == (0.5, 2.0, 3.0)  # a negative number to any power is no number
    assert all(2.0 in held_choices(op, i) for op in OPS.values() for i in range(2) if op.params[1:])


def test_unknown_choices_become_the_default() -> None:
    assert chosen("**", "c", 7.0) == chosen("**", "a", 2.0)
    assert chosen("tanh", "a", 3.0) == PlottedInput(OPS["tanh"])
