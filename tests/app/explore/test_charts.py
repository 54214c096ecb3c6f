"""Charts: where points stand, how many are drawn, and that nothing breaks an axis."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.explore.charts import ACROSS, DOWN, LEFT, TOP, chart_svg, spoken_name
from app.picture.ticks import ticks
from engine.record.charts import Chart, Series
from tests.support.each import for_each
from tests.support.pages import Element, Html, read

KINDS = ("line", "scatter", "bar")


def drawn(*series: Series, title: str = "") -> Html:
    """The parsed figure of a chart."""
    return read(chart_svg(Chart(series[0].kind, title, "x", "y", list(series)), 0))


def path_of(page: Html, kind: str) -> Element:
    """The path of the only series of a kind."""
    return page.one("path", class_=kind)


def points(path: Element) -> list[tuple[float, float]]:
    """The points of a path of lines or dots."""
    found = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.attributes["d"])
    return [(float(x), float(y)) for x, y in found]


def test_a_line_goes_through_its_points_in_proportion() -> None:
    found = points(path_of(drawn(Series("line", [0.0, 1.0, 4.0], [2.0, 6.0, 4.0])), "line"))
    xs, ys = zip(*found, strict=True)
    assert (xs[2] - xs[0]) / (xs[1] - xs[0]) == pytest.approx(4, rel=0.01)
    assert (ys[2] - ys[0]) / (ys[1] - ys[0]) == pytest.approx(0.5, rel=0.01)
    assert ys[1] < ys[2] < ys[0]  # up is less


def test_a_line_is_interrupted_at_numbers_that_are_not_finite() -> None:
    ys = [1.0, 2.0, math.nan, 3.0, math.inf, 4.0, 5.0]
    path = path_of(drawn(Series("line", list(map(float, range(7))), ys)), "line")
    assert path.attributes["d"].count("M") == 3
    assert len(points(path)) == 5


def test_bars_stand_on_zero() -> None:
    path = path_of(drawn(Series("bar", ["a", "b"], [2.0, -1.0])), "bar").attributes["d"]
    starts = re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", path)
    (zero, up), (same, down) = ((float(a), float(b)) for a, b in starts)
    assert zero == same
    assert zero - up == pytest.approx(2 * (down - zero), abs=0.2)


def test_texts_along_x_are_named_and_escaped() -> None:
    page = drawn(Series("bar", ["<b>", "ok"], [1.0, 2.0], "<i>"), title="<script>")
    assert {"<b>", "ok"} <= {e.text for e in page.all("text")}
    assert page.one("figcaption").text == "<script>"
    assert not page.all("script")
    assert not page.all("b")


def test_an_image_has_a_cell_for_each_number() -> None:
    page = drawn(Series("image", [], [0.0, 1.0, 2.0, 3.0, math.nan, 5.0], width=3))
    cells = "".join(e.attributes["d"] for e in page.all("path", class_="cell"))
    assert cells.count("M") == 5
    shades = {float(e.attributes["fill-opacity"]) for e in page.all("path", class_="cell")}
    assert min(shades) == 0
    assert max(shades) == 1


def test_of_many_points_the_extremes_are_kept() -> None:
    ys = [math.sin(i) for i in range(2000)]
    ys[777] = 50.0
    found = points(path_of(drawn(Series("line", list(map(float, range(2000))), ys)), "line"))
    assert len(found) <= 1200
    highest = min(y for _, y in found)
    assert sum(y == highest for _, y in found) == 1
    assert highest < TOP + 0.2 * DOWN


def test_many_series_share_the_points() -> None:
    many = [Series("line", list(map(float, range(2000))), [float(i)] * 2000) for i in range(20)]
    assert len(chart_svg(Chart("line", "", "", "", many), 0)) < 40_000


def test_the_name_says_kind_title_and_range() -> None:
    chart = Chart("line", "Loss", series=[Series("line", [0.0, 1.0], [2.5, 0.5], "train")])
    assert spoken_name(chart, 1) == "Line chart 2, Loss: train, 2 numbers from 0.5 to 2.5"
    assert "no finite numbers" in spoken_name(Chart(series=[Series("line", [], [])]), 0)


numbers = st.floats(allow_nan=True, allow_infinity=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@example("bar", [(1.5037769784172664e300, 0.0)], "")
@example("bar", [(0.0, 0.0), (2.6196402877697844e300, 0.0)], "")
@given(st.sampled_from(KINDS), st.lists(st.tuples(numbers | texts, numbers), max_size=6), texts)
def test_any_numbers_give_a_picture_within_its_frame(
    kind: str, rows: list[tuple[float | str, float]], label: str
) -> None:
    series = Series(kind, [x for x, _ in rows], [y for _, y in rows], label)
    page = drawn(series, title=label)
    for x, y in points(path_of(page, kind)):
        assert LEFT - 1 <= x <= LEFT + ACROSS + 1
        assert TOP - 1 <= y <= TOP + DOWN + 1


@given(numbers, numbers)
def test_images_of_any_numbers(a: float, b: float) -> None:
    page = drawn(Series("image", [], [a, b], width=2))
    assert all(0 <= float(e.attributes["fill-opacity"]) <= 1 for e in page.all("path"))


@for_each(("low", "high", "step"), [(0, 4, 1), (0, 1, 0.5), (-3, 7, 5), (0, 9, 5)])
def test_ticks_are_multiples_of_a_round_step(low: float, high: float, step: float) -> None:
    found = ticks(low, high)
    assert found[0] == math.ceil(low / step) * step
    assert {b - a for a, b in pairwise(found)} == {step}
    assert high - step < found[-1] <= high
