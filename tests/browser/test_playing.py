"""A visitor plays both passes. The page's clock stands still and is moved on by hand."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore_page import COUNT, Explore, requests
from tests.support.each import Cases, for_each


@pytest.fixture
def timed(page: Page) -> Explore:
    """The example at its last frame, on a page whose clock stands still."""
    page.clock.install(time=0)
    explore = Explore(page).open()
    page.clock.pause_at(60_000)
    return explore


def plays(explore: Explore, pace: int, frames: range) -> None:
    """Expect a frame to come after `pace` milliseconds, not before."""
    for frame, following in pairwise(frames):
        explore.page.clock.run_for(pace - 1)
        explore.is_at(frame, COUNT)
        explore.page.clock.run_for(1)
        explore.is_at(following, COUNT)


playing = Cases()


@for_each("case", playing)
def test_playing(timed: Explore, case: Callable[[Explore], None]) -> None:
    timed.release()
    timed.press("End")
    timed.is_at(COUNT - 1, COUNT)
    case(timed)


@playing.add
def space_plays_from_the_start_to_the_end(timed: Explore) -> None:
    timed.press("Space")
    timed.is_at(0, COUNT)
    expect(timed.page.get_by_role("button", name="Pause", exact=True)).to_have_text("Pause")
    with requests(timed.page) as sent:
        plays(timed, 1000, range(COUNT))
    assert sent == []
    expect(timed.page.get_by_role("button", name="Play", exact=True)).to_have_text("Play")


@playing.add
def space_plays_from_the_scrubber_too(timed: Explore) -> None:
    timed.scrubber.focus()
    timed.press("Space")
    plays(timed, 1000, range(3))


@playing.add
def space_pauses_and_goes_on(timed: Explore) -> None:
    timed.press("Space")
    plays(timed, 1000, range(3))
    timed.press("Space")
    timed.page.clock.run_for(5000)
    timed.is_at(2, COUNT)
    timed.press("Space")
    plays(timed, 1000, range(2, 5))


@playing.add
def button_plays_and_pauses(timed: Explore) -> None:
    timed.page.get_by_role("button", name="Play", exact=True).click()
    timed.page.clock.run_for(2000)
    timed.is_at(2, COUNT)
    timed.page.get_by_role("button", name="Pause", exact=True).click()
    timed.page.clock.run_for(5000)
    timed.is_at(2, COUNT)


@playing.add
def speeds(timed: Explore) -> None:
    for speed in (0.5, 2, 4):
        select = timed.pace().get_by_role("combobox", name="Speed")
        select.select_option(f"{speed:g}×")
        timed.page.get_by_role("button", name="Play", exact=True).click()
        timed.is_at(0, COUNT)
        plays(timed, round(1000 / speed), range(4))
        timed.page.get_by_role("button", name="Last frame").click()
    timed.pace().get_by_role("combobox", name="Speed").select_option("1×")


@playing.add
def answers_that_arrive_do_not_pause(timed: Explore) -> None:
    """Numbers of a dragged leaf, another picture of the program, its result, its direction."""
    timed.press("Space")
    plays(timed, 1000, range(2))
    timed.type_leaf("a", "2.5")
    timed.page.clock.run_for(400)
    expect(timed.card("a").locator("text.data")).to_have_text("2.5000")
    timed.page.clock.run_for(600)
    timed.is_at(2, COUNT)
    other = "input[name=direction]:not(:checked)"
    asked = ("redraw", "#stage"), ("run", "#program-form"), ("click", other)
    for at, (event, selector) in enumerate(asked):
        timed.page.evaluate(
            "([selector, event]) => {"
            "  document.getElementById('picture').dataset.mark = 'old';"
            "  const part = document.querySelector(selector);"
            "  if (event === 'click') part.click();"
            "  else part.dispatchEvent(new Event(event));"
            "}",
            [selector, event],
        )
        timed.page.clock.run_for(500)
        expect(timed.page.locator("#picture:not([data-mark])")).to_have_count(1)
        timed.page.clock.run_for(500)
        timed.is_at(3 + at, COUNT)
    expect(timed.page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    timed.press("Space")


@playing.add
def step_by_hand_ends_the_playing(timed: Explore) -> None:
    for key, frame in (("ArrowRight", 4), ("ArrowLeft", 2), ("Home", 0), ("End", 7)):
        timed.press("End")
        timed.press("Space")
        timed.page.clock.run_for(3000)
        timed.is_at(3, COUNT)
        timed.press(key)
        timed.is_at(frame, COUNT)
        expect(timed.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        timed.page.clock.run_for(5000)
        timed.is_at(frame, COUNT)
