"""The loss chart that the server draws: curves, gaps, ticks, words."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from lxml import etree

from app.picture.ticks import ticks
from app.train.pictures import loss_svg, penalties
from app.train.pictures.chart import loss_words
from tests.support.pages import client
from tests.support.train_pictures import SVG


def chart(
    losses: list[Any], test_losses: list[Any] | None = None, steps: int = 10, page: bool = False
) -> str:
    return loss_svg({"steps": steps}, losses, test_losses or [], page)


def curves(text: str) -> dict[str, str]:
    """The path of each curve of a chart on a page."""
    return dict(re.findall(r'class="curve (\w+)" d="([^"]*)"', text))


def test_chart_has_a_curve_of_training_of_testing_and_of_the_run_beside() -> None:
    text = loss_svg({"steps": 4}, [4, 2, 1], [5, 4, 3], True, [4, 1, 0.5])
    assert list(curves(text)) == ["beside", "test", "train"]
    assert all(line.count("L") == 2 for line in curves(text).values())
    assert list(curves(chart([1, 2], page=True))) == ["train"]
    assert 'stroke-dasharray="5 3"' in chart([4, 2], [5, 4])


def test_chart_has_the_penalty_apart() -> None:
    assert penalties({"penalties": [0.5, 0.25], "penalty": 0.125}) == [0.5, 0.25, 0.125]
    assert penalties({"penalty": 0.0}) == []
    text = loss_svg({"steps": 4}, [4, 2], [3, 2], True, penalties=[1, 2])
    (start, end) = re.findall(r"[\d.]+ ([\d.]+)", curves(text)["penalty"])
    assert float(start) > float(end)


def test_chart_falls_from_left_to_right() -> None:
    points = re.findall(r"([\d.]+) ([\d.]+)", curves(chart([3.0, 2.0, 0.0], page=True))["train"])
    xs, ys = zip(*[(float(x), float(y)) for x, y in points], strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys)


def test_chart_is_broken_where_there_is_no_number() -> None:
    line = curves(chart([3.0, "nan", 2.0, 1.0, "inf"], page=True))["train"]
    assert line.count("M") == 2
    assert "nan" not in line
    assert "inf" not in line


@pytest.mark.parametrize("losses", [[], [1.5], ["nan"], ["nan", "inf"], [0.0, 0.0], [1e300, 1.0]])
def test_chart_of_few_or_odd_losses(losses: list[Any]) -> None:
    etree.fromstring(chart(losses))
    etree.fromstring(chart(losses, page=True))


def test_chart_of_a_long_run_is_small_and_keeps_its_peaks() -> None:
    losses = [1.0] * 100_000
    losses[43_210] = 50.0
    text = chart(losses, steps=100_000, page=True)
    assert len(text) < 30_000
    highest = min(float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", curves(text)["train"]))
    assert highest < 20


def test_chart_alone_needs_nothing_else() -> None:
    text = chart([3.0, 2.0], [4.0, 3.0])
    for forbidden in ("class=", "style", "url(", "href", "var("):
        assert forbidden not in text
    svg = etree.fromstring(text)
    assert svg.findtext(f"{SVG}desc") == "loss 3.000 → 2.000 after 1 step; test loss 3.000"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 1.0, [0.0, 0.5, 1.0]),
        (0.0, 400.0, [0, 100, 200, 300, 400]),
        (0.0, 7.0, [0, 2, 4, 6]),
        (0.0, 1.3e-4, [0, 5e-5, 1e-4]),
        (3.0, 3.0, [3.0]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_loss_in_words() -> None:
    assert loss_words([]) == "No step yet"
    assert loss_words([1.5]) == "Loss 1.500 before the first step"
    assert loss_words([1.18, 0.0123]) == "loss 1.180 → 0.0123 after 1 step"
    assert loss_words([1.0, 0.5, 0.25], [2.0, 1.0, 0.5]) == (
        "loss 1.000 → 0.2500 after 2 steps; test loss 0.5000"
    )


def test_picture_of_a_run_has_the_one_that_the_page_compares_it_with() -> None:
    site, run = client(), "data=four_points&steps=10&step=10&learning_rate=0.3"
    pinned = quote(run.replace("0.3", "0.05"))
    for more, count in (
        ("", 0),
        (f"&pin={pinned}", 1),
        ("&zero_grad=false", 1),
        (f"&pin={quote(run)}", 0),
    ):
        text = site.get(f"/train/loss.svg?{run}{more}").text
        plain = site.get(f"/train/loss.svg?{run}").text
        assert text.count("<path") - plain.count("<path") == count, more
    assert site.get(f"/train/loss.svg?{run}&pin=layers%3D0").status_code == 422
