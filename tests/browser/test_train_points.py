"""Own points: added, moved and removed, by pointer and by keyboard; and the sweep."""

import re

import pytest
from playwright.sync_api import Page, expect

from engine.numbers import brief
from tests.browser.train_page import PLAYER, Train


@pytest.fixture
def train(page: Page) -> Train:
    """The run, with its points to be edited."""
    train = Train(page).open(test_share="0")
    train.press("Edit points")
    expect(page.locator("#plot-hint")).to_be_visible()
    train.listen()
    return train


def rows(train: Train) -> list[list[float]]:
    """The rows that the form holds."""
    return [
        [float(cell) for cell in line.split(",")]
        for line in train.field("rows").input_value().splitlines()
    ]


def test_click_adds_a_point_and_delete_takes_it_back(train: Train) -> None:
    train.plot.click(position={"x": 20, "y": 20})
    train.page.wait_for_url("**data=rows**")
    assert len(rows(train)) == 61
    x, y, label = rows(train)[-1]
    assert x < 0 < y
    assert label == 1
    train.page.locator("#point-class").select_option("0")
    train.plot.click(position={"x": 60, "y": 20})
    train.hears("Point 62 added.")
    assert rows(train)[-1][-1] == -1
    train.page.keyboard.press("Delete")
    train.hears("Point 62 removed, 61 left.")
    assert len(rows(train)) == 61


def test_drag_moves_a_point_and_the_run_trains_on_own_points(train: Train) -> None:
    x, y = train.sample(3)
    box = train.plot.bounding_box()
    assert box
    before = rows_of_samples(train)
    train.page.mouse.move(box["x"] + x, box["y"] + y)
    train.page.mouse.down()
    train.page.mouse.move(box["x"] + x + 30, box["y"] + y + 12, steps=4)
    train.page.mouse.up()
    train.page.wait_for_url("**data=rows**")
    moved = [i for i, row in enumerate(rows(train)) if row[:2] != before[i]]
    assert len(moved) == 1
    assert rows(train)[moved[0]][0] > before[moved[0]][0]
    train.press("Edit points")
    expect(train.page.locator("#plot-hint")).to_be_hidden()
    train.press("Play")
    train.is_past(5)
    train.press("Pause")
    shown = train.complete()
    assert shown["losses"][: shown["step"]] == train.state(shown["step"])["losses"]
    assert len(shown["predictions"]) == 60


def rows_of_samples(train: Train) -> list[list[float]]:
    """The inputs of the samples that the page was opened with."""
    found: list[list[float]] = train.page.evaluate(
        "JSON.parse(document.getElementById('setup').textContent).samples.map(({x}) => x)"
    )
    return found


def test_points_by_keyboard_alone(train: Train) -> None:
    page = train.page
    expect(train.plot).to_be_focused()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "0", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url("**data=rows**")
    assert len(rows(train)) == 61
    assert rows(train)[-1][-1] == -1
    train.is_at(0)  # the keys of the player are the plot's here
    page.keyboard.press("n")
    train.hears("Point 1 at")
    first = rows(train)[0]
    for key in ("Space", "Shift+ArrowRight", "Space"):
        page.keyboard.press(key)
    train.hears("Point 1 moved.")
    assert rows(train)[0][0] > first[0]
    page.keyboard.press("n")
    page.keyboard.press("Delete")
    train.hears("60 left.")
    assert len(rows(train)) == 60


# Sweep


def test_sweep_shows_a_curve_for_each_run(page: Page) -> None:
    train = Train(page).open(set="0:5", at="10")
    train.press("Pin")
    expect(page.locator("#race-open")).to_have_attribute(
        "href", re.compile("run=set%3D0:5%26at%3D10|run=set%3D0%3A5%26at%3D10")
    )
    train.press("Sweep")
    page.locator("#sweep-rates").fill("0.01, 0.3")
    page.locator("#sweep-seeds").fill("1, 2, 3")
    page.get_by_role("button", name="Train all").click()
    links = page.locator("#sweep-result td a")
    expect(links).to_have_count(6)
    caption = page.locator("#sweep-result caption")
    expect(caption).to_contain_text("6 runs")
    expect(caption).to_contain_text("Weights changed by hand are left out.")
    link = page.get_by_role("link", name="Rate 0.01, seed 2")
    said = link.get_attribute("aria-label") or ""
    link.click()
    page.wait_for_url("**learning_rate=0.01**")
    train.ready()
    assert "seed=2" in page.url
    train.is_at(300)
    assert f"loss {brief(train.complete()['loss'])} at the end" in said


def test_sweep_says_what_is_wrong_with_it_and_a_large_one_is_seen_at_once(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    train = Train(page).open(steps="20")
    train.press("Sweep")
    page.locator("#sweep-rates").fill("fast")
    page.get_by_role("button", name="Train all").click()
    expect(page.locator("#sweep-result")).to_contain_text("rates")
    page.keyboard.press("Escape")
    expect(page.locator("#sweep")).to_be_hidden()
    train.is_at(0, 20)
    train.press("Sweep")
    page.locator("#sweep-rates").fill(", ".join(f"0.{i:02}" for i in range(1, 11)))
    page.locator("#sweep-seeds").fill(", ".join(map(str, range(1, 11))))
    page.get_by_role("button", name="Train all").click()
    expect(page.locator("#sweep-result td a")).to_have_count(100)
    for box in ("#sweep", "#sweep-result"):
        assert page.locator(box).evaluate(
            "e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight"
        ), box


def test_points_change_while_it_plays_and_the_others_stay_where_they_are(page: Page) -> None:
    train = Train(page).open(steps="2000")
    before = split_of(train)
    train.take("rows")
    page.wait_for_url("**data=rows**")
    assert split_of(train) == before  # the same run on the same points
    train.press("Edit points")
    train.press("Play")
    train.is_past(3)
    train.plot.click(position={"x": 20, "y": 20})
    expect(page.locator("#plot-words")).to_contain_text("with 61 samples")
    page.wait_for_function(f"async () => {PLAYER}.playing && {PLAYER}.snapshot")
    training, test = split_of(train)
    assert test == before[1]
    assert before[0] < training
    assert len(training - before[0]) == 1
    train.is_past(3)
    train.press("Pause")


def split_of(train: Train) -> tuple[set[tuple[float, ...]], set[tuple[float, ...]]]:
    """The inputs of the samples for training, and of those for testing."""
    samples = train.page.evaluate(f"async () => {PLAYER}.run.setup.samples")
    sides = (
        {tuple(each["x"]) for each in samples if each["test"] is test} for test in (False, True)
    )
    training, test = sides
    return training, test
