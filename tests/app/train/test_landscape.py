"""The panel with the loss as a landscape, and its contours."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.picture.contours import above
from engine.numbers import brief


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(create_app())


def area(path: str) -> float:
    """The area of the polygons of a path."""
    total = 0.0
    for polygon in path.split("z")[:-1]:
        numbers = [float(x) for x in re.findall(r"-?[0-9.]+", polygon)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        pairs = zip(points, [*points[1:], points[0]], strict=True)
        total += abs(sum(a * d - b * c for (a, b), (c, d) in pairs)) / 2
    return total


def test_a_contour_encloses_what_is_above_it() -> None:
    """A cone over 40 × 40 cells: above z lies all but a disc of radius z."""
    heights = [[((x - 20) ** 2 + (y - 20) ** 2) ** 0.5 for x in range(41)] for y in range(41)]
    for radius in (5.0, 12.0, 19.0):
        found = area(above(heights, radius, lambda x, y: (10 * x, 10 * y))) / 100
        assert found == pytest.approx(1600 - 3.14159265 * radius**2, abs=4)
    assert area(above(heights, -1.0, lambda x, y: (x, y))) == 1600
    assert above(heights, 100.0, lambda x, y: (x, y)) == ""


def test_not_a_number_is_above_every_contour() -> None:
    nan = float("nan")
    assert area(above([[nan, nan], [nan, nan]], 1e9, lambda x, y: (x, y))) == 1


def test_the_panel_has_picture_path_and_axes(client: TestClient) -> None:
    text = client.get("/train/landscape?data=four_points&steps=20").text
    assert "first main direction" in text
    assert text.count("<path") > 8
    assert '"axis-first"' in text
    chosen = client.get("/train/landscape?data=four_points&steps=20&plane=0,3&step=5").text
    assert "All other parameters are as at step 5" in chosen
    assert "layer 1, neuron 1, weight 1" in chosen


def test_weights_changed_by_hand_are_on_the_path(client: TestClient) -> None:
    """A server that has not played the run shows the loss at which the run ends."""
    run = "data=four_points&steps=20&set=0:5&at=10&set=3:2&at=15"
    text = client.get(f"/train/landscape?{run}").text
    final = client.get(f"/train/state?{run}&step=20").json()["loss"]
    assert f" to {brief(final)};" in text
    plain = "data=four_points&steps=20"
    pinned = client.get("/train/landscape", params=[*parse_qsl(plain), ("pin", run)]).text
    alone = client.get("/train/landscape", params=[*parse_qsl(plain), ("pin", plain)]).text
    assert pinned.count('class="other') == alone.count('class="other') > 0
    assert pinned != alone


@pytest.mark.parametrize(
    ("plane", "words"),
    [("0", "two different"), ("0,0", "two different"), ("x,1", "plane"), ("0,99999", "plane")],
)
def test_other_axes_are_refused(client: TestClient, plane: str, words: str) -> None:
    answer = client.get(f"/train/landscape?data=four_points&plane={plane}")
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_the_page_has_it_without_scripts(client: TestClient) -> None:
    text = client.get("/train?data=four_points&steps=20&plane=main").text
    assert 'id="landscape" open' in text
    assert "first main direction" in text


def test_what_takes_too_long_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.runs.landscape.WORK", 1e3)
    text = client.get("/train/landscape?data=four_points&steps=1").text
    assert "takes too long" in text
    assert "<svg" not in text


@pytest.mark.parametrize("plane", ["main", "0,2"])
def test_numbers_that_are_too_large_are_left_out(client: TestClient, plane: str) -> None:
    rows = "rows=1e99,2,1;3,4,0&layers=2-1&loss=mse&learning_rate=1"
    text = client.get(f"/train/landscape?data=rows&{rows}&steps=6&plane={plane}&step=6").text
    assert "too large to be drawn" in text
    assert "nan" not in text
    seen = client.get("/train/space?data=rows&rows=1e99,2,1;3,4,0&layers=2-3-1&activation=relu")
    assert seen.status_code == 200
