"""What a program plots becomes plain data."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.language.modules.charts import CHARTS, POINTS
from engine.record.charts import Chart

from .fake import FakeMachine


def charts_of(draw: Any) -> list[Chart]:
    """The charts that `draw(plt)` leaves."""
    from engine.language.modules import MODULES

    m = FakeMachine()
    draw(MODULES["matplotlib.pyplot"](cast("Any", m)))
    return m.charts


def test_a_line_with_its_words() -> None:
    def draw(plt: Any) -> None:
        plt["plot"]([1, 2, 3], [4, 5, 6], "r--", label="loss")
        plt["title"]("Loss")
        plt["xlabel"]("step")
        plt["ylabel"]("value")
        plt["show"]()

    (chart,) = charts_of(draw)
    assert (chart.kind, chart.title, chart.xlabel, chart.ylabel) == (
        "line",
        "Loss",
        "step",
        "value",
    )
    (series,) = chart.series
    assert (series.xs, series.ys, series.label) == ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], "loss")


def test_show_begins_a_new_chart_and_subplots_have_their_own() -> None:
    def draw(plt: Any) -> None:
        plt["plot"]([1, 2])
        plt["scatter"]([0, 1], [1, 0])
        plt["show"]()
        _, (left, right) = plt["subplots"](1, 2)
        from engine.language.modules.charts import AXES, bar

        bar(left.m, left, ["a", "b"], [1, 2])
        AXES.methods["set_title"](right.m, right, "right")
        AXES.methods["imshow"](right.m, right, [[1, 2], [3, 4]])

    first, left, right = charts_of(draw)
    assert [series.kind for series in first.series] == ["line", "scatter"]
    assert left.series[0].xs == ["a", "b"]
    assert (right.title, right.kind) == ("right", "image")
    assert (right.series[0].ys, right.series[0].width) == ([1.0, 2.0, 3.0, 4.0], 2)


def test_a_histogram_counts_as_numpy_does() -> None:
    def draw(plt: Any) -> None:
        counts, edges, _ = plt["hist"]([0, 1, 1, 2, 10], bins=5)
        assert counts == [3, 1, 0, 0, 1]  # numpy.histogram([0, 1, 1, 2, 10], 5)
        assert edges == [0, 2, 4, 6, 8, 10]

    (chart,) = charts_of(draw)
    assert chart.series[0].xs == [1, 3, 5, 7, 9]


def test_points_and_charts_are_limited() -> None:
    def draw(plt: Any) -> None:
        for _ in range(CHARTS + 3):
            plt["plot"](range(3 * POINTS))
            plt["show"]()

    found = charts_of(draw)
    assert len(found) == CHARTS
    assert all(len(chart.series[0].ys) <= POINTS for chart in found)


def test_rows_of_different_lengths_raise_as_matplotlib_does() -> None:
    with pytest.raises(ValueError, match="same first dimension"):
        charts_of(lambda plt: plt["plot"]([1, 2], [1]))


def test_every_other_name_does_nothing() -> None:
    def draw(plt: Any) -> None:
        assert "colorbar" in plt
        assert "__class__" not in plt
        plt["gca"]()

    assert charts_of(draw) == []
