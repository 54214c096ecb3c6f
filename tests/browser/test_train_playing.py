"""Time on the Train page: play, pause, steps, scrubbing, and what every step shows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.train_page import Train
from tests.support.each import for_each

NUMBERS = ("loss", "test_loss", "accuracy", "parameters")
LOGS = ("losses", "test_losses", "accuracies")


@pytest.fixture
def train(page: Page) -> Train:
    """The run at step 0."""
    return Train(page).open()


def is_as_the_server_says(train: Train) -> None:
    """Every number that is shown is the server's, and no loss is missing."""
    shown = train.complete()
    said = train.state(shown["step"])
    for name in (*NUMBERS, "gradient", "predictions"):
        assert shown[name] == said[name], name
    assert shown["known"] >= shown["step"]
    for name in LOGS:
        assert (shown[name] or [])[: shown["step"]] == said[name], name


def test_plays_pauses_and_plays_on_from_any_step(train: Train) -> None:
    """The first state is there at once; the address has the step soon after each pause."""
    train.is_at(0)
    is_as_the_server_says(train)
    expect(train.page.locator(".neuron")).to_have_count(2 + 5 + 3 + 1)
    before = train.pixels("#boundary"), train.pixels("[data-neuron='1.0']")
    train.press("Play")
    train.is_past(10)
    assert train.pixels("#boundary") != before[0]
    assert train.pixels("[data-neuron='1.0']") != before[1]
    train.press("Pause")
    step = train.complete()["step"]
    assert 10 < step < 300
    is_as_the_server_says(train)
    train.page.wait_for_url(re.compile(rf"[?&]step={step}(&|$)"))
    train.is_at(step)
    for start in (5, 200):  # seen, and beyond steps that were never seen
        train.drag_to(start)
        train.is_at(start)
        train.press("Play")
        train.is_past(start + 5)
        train.press("Pause")
        is_as_the_server_says(train)


@for_each("speed", ["fast", "10,60"])
def test_ends_at_the_last_step_and_begins_again(page: Page, speed: str) -> None:
    train = Train(page).open()
    train.speed(speed)
    train.press("Play")
    train.is_at(300)
    expect(train.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    is_as_the_server_says(train)
    train.speed("1,10")
    train.press("Play")
    expect(train.where).not_to_have_text("step 300 of 300")
    train.press("Pause")
    is_as_the_server_says(train)


# How many steps a second are shown, by the page's own clock.
PACE = """() => new Promise(done => {
  const step = () => Number(document.getElementById('stat-step').textContent)
  const start = performance.now(), first = step()
  const look = () => {
    const seconds = (performance.now() - start) / 1000
    if (seconds < 1 || step() === first) requestAnimationFrame(look)
    else done((step() - first) / seconds)
  }
  requestAnimationFrame(look)
})"""


def test_scrubbing_brings_back_any_step_and_the_address_holds_it(train: Train) -> None:
    train.speed("1,60")
    train.press("Play")
    train.is_past(60)
    train.press("Pause")
    seen = {}
    for step in (40, 7, 0):
        train.drag_to(step)
        train.is_at(step)
        is_as_the_server_says(train)
        seen[step] = train.pixels("#boundary"), train.pixels("[data-neuron='2.1']")
    assert len(set(seen.values())) == 3
    train.drag_to(40)
    train.is_at(40)
    train.complete()
    assert (train.pixels("#boundary"), train.pixels("[data-neuron='2.1']")) == seen[40]
    train.page.wait_for_url("**step=40**")
    loss = train.loss.text_content()
    train.page.reload()
    train.ready().is_at(40)
    expect(train.loss).to_have_text(loss or "")
    is_as_the_server_says(train)


def test_buttons_and_keys_step(train: Train) -> None:
    train.press("One step")
    train.is_at(1)
    train.page.keyboard.press("Escape")
    train.page.locator("#player").focus()
    for key, step in (
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 300),
        ("Home", 0),
    ):
        train.page.keyboard.press(key)
        train.is_at(step)
    train.drag_to(20)
    train.press("Back one step")
    train.is_at(19)
    train.press("Reset")
    train.is_at(0)
    train.page.locator("#player").focus()
    train.page.keyboard.press("Space")
    train.is_past(5)
    train.page.keyboard.press("Space")
    expect(train.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_an_epoch_is_so_many_steps(page: Page) -> None:
    train = Train(page).open(batch="10")  # 48 samples to train on: 5 steps
    for step in (5, 10):
        train.press("One epoch")
        train.is_at(step)
    train.press("One step")
    train.press("One epoch")
    train.is_at(15)


def test_chart_is_clicked_and_zoomed(train: Train) -> None:
    first_loss_is_on_the_chart(train)
    over = train.page.locator("#loss .u-over")
    box = over.bounding_box()
    assert box
    over.click(position={"x": box["width"] / 3, "y": 20})
    train.is_at(100)
    train.drag_to(300)
    train.is_at(300)
    train.page.mouse.move(5, 5)
    a_drag_zooms(train)
    keys_zoom(train)
    train.is_at(300)
    a_double_click_zooms_out_and_stays_at_its_step(train)


def first_loss_is_on_the_chart(train: Train) -> None:
    """A point at the left edge, in a chart that has no line yet."""
    words = train.page.locator("#loss-words")
    expect(words).to_have_text(re.compile(r"^Loss [\d.]+ before the first step$"))
    assert train.page.evaluate(
        """() => {
          const canvas = document.querySelector('#loss canvas')
          const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
          let blue = 0
          for (let i = 0; i < data.length; i += 4)
            blue += data[i + 3] > 200 && data[i + 2] > data[i] + 80
          return blue
        }"""
    )


def a_drag_zooms(train: Train) -> None:
    """A drag over the curve, until the button shows the whole run again."""
    box = train.page.locator("#loss .u-over").bounding_box()
    assert box
    whole = train.pixels("#loss canvas")
    train.page.mouse.move(box["x"] + 20, box["y"] + 30)
    train.page.mouse.down()
    train.page.mouse.move(box["x"] + 90, box["y"] + 40, steps=4)
    train.page.mouse.up()
    back = train.page.get_by_role("button", name="Whole run")
    expect(back).to_be_visible()
    train.is_at(300)
    assert train.pixels("#loss canvas") != whole
    back.click()
    expect(back).to_be_hidden()
    train.page.mouse.move(5, 5)
    assert train.pixels("#loss canvas") == whole


def keys_zoom(train: Train) -> None:
    """Plus, and each key that shows the whole run again."""
    whole = train.pixels("#loss canvas")
    chart = train.page.get_by_role("group", name="plus and minus zoom")
    back = train.page.get_by_role("button", name="Whole run")
    for key in ("0", "Escape", "-"):
        chart.focus()
        train.page.keyboard.press("+")
        expect(back).to_be_visible()
        assert train.pixels("#loss canvas") != whole
        train.page.keyboard.press(key)
        expect(back).to_be_hidden()
        assert train.pixels("#loss canvas") == whole


def a_double_click_zooms_out_and_stays_at_its_step(train: Train) -> None:
    """Neither of its clicks leads to another step."""
    chart = train.page.locator("#loss")
    back = train.page.get_by_role("button", name="Whole run")
    chart.focus()
    train.page.keyboard.press("+")
    expect(back).to_be_visible()
    over = chart.locator(".u-over")
    over.dblclick(position={"x": 30, "y": 20})
    expect(back).to_be_hidden()
    train.page.wait_for_timeout(400)
    train.is_at(300)


def test_words_and_speed_are_kept_while_it_plays(train: Train) -> None:
    train.speed("1,10")
    train.press("Play")
    train.is_past(3)
    assert 0 < train.page.evaluate(PACE) < 30
    for step in (5, 12):
        train.is_past(step)
        train.page.wait_for_function(
            """step => {
              const words = document.getElementById('loss-words').textContent
              const said = Number(words.match(/after (\\d+) step/)?.[1])
              const shown = Number(document.getElementById('stat-step').textContent)
              return said >= step && shown - said <= 10
            }""",
            arg=step,
        )


# Draws as a page does, `count` pictures, and counts the steps that were shown on them.
SHOWN = """count => new Promise(done => {
  const steps = new Set()
  let frames = 0
  const look = () => {
    frames += 1
    steps.add(document.getElementById('stat-step').textContent)
    if (frames < count) requestAnimationFrame(look)
    else done(steps.size)
  }
  requestAnimationFrame(look)
})"""


def test_pictures_keep_up_with_the_screen(train: Train) -> None:
    """Most pictures show another step; how many there are a second is for the benchmarks."""
    train.press("Play")
    train.is_past(5)
    assert train.page.evaluate(SHOWN, 30) > 20


def test_motion_changes_nothing_but_transitions(open_page: OpenPage) -> None:
    train = Train(open_page(motion=True)).open()
    train.press("Play")
    train.is_past(3)
    train.press("Pause")
    is_as_the_server_says(train)
