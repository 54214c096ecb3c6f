"""Breakpoints: playing pauses at a line, and at the next change of a Value."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.browser.test_grains import LOOP, choose, frame_of

LINE_4 = [1, 4, 9, 12]
"""The frames in which the fourth line begins to run: in two turns, and back through them."""
W = [10, 13]
"""The frames in which w receives gradient."""


def margin(page: Page, line: int) -> None:
    """Click beside the number of a line."""
    number = page.locator("#editor .cm-lineNumbers").get_by_text(str(line), exact=True)
    marks = page.locator("#editor .cm-marks")
    at, top = number.bounding_box(), marks.bounding_box()
    assert at is not None
    assert top is not None
    marks.click(position={"x": 5, "y": at["y"] + at["height"] / 2 - top["y"]})


def listed(page: Page) -> list[str]:
    return [text.rstrip("×") for text in page.locator("#stop-list li").all_text_contents()]


def test_a_run_goes_from_breakpoint_to_breakpoint(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=0)
    margin(page, 4)
    assert listed(page) == ["line 4"]
    run = page.get_by_role("button", name="Run to next")
    for frame in LINE_4:
        run.click()
        assert frame_of(page) == frame
        expect(page.locator("#stop-message")).to_have_text(
            f"Stopped at frame {frame + 1} of 14: line 4."
        )
    run.click()
    assert frame_of(page) == 13
    expect(page.locator("#stop-message")).to_contain_text("No breakpoint ahead")
    expect(page).to_have_url(re.compile("stops=line%3A4"))
    margin(page, 4)
    expect(page.locator("#stops")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("stops"))
    explore.is_at(13, 14)
    page.locator("#player").focus()
    runs_by_keyboard_alone(explore)


def runs_by_keyboard_alone(explore: Explore) -> None:
    page = explore.page
    explore.press("Home")
    explore.area.focus()
    explore.press("Control+Home")
    for _ in range(4):
        explore.press("ArrowDown")
    explore.press("F9")
    assert listed(page) == ["line 5"]
    expect(page.locator("#announcer")).to_contain_text("Breakpoint at line 5.")
    page.get_by_role("button", name="Run to next").press("Enter")
    assert frame_of(page) == 3
    expect(page.locator("#announcer")).to_contain_text("Stopped at frame 4 of 14: line 5.")
    page.get_by_role("button", name="Remove the breakpoint: line 5").press("Enter")
    expect(page.locator("#stops")).to_be_hidden()
    expect(page.locator("#player")).to_be_focused()


def test_playing_pauses_where_a_value_changes(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=8)
    explore.button("w").press("Enter")
    toggle = page.get_by_role("button", name="stop when it changes")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    assert listed(page) == ["w changes"]
    explore.pace().locator("#speed").select_option("4")
    for frame in W:
        page.get_by_role("button", name="Play").click()
        expect(page.locator("#stop-message")).to_contain_text(f"frame {frame + 1} of 14: w changes")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        assert frame_of(page) == frame


def test_coarse_and_fine_steps_pause_as_well(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=0, by="call", stops="line:4,value:v2")
    assert listed(page) == ["line 4", "L₁ changes"]
    run = page.get_by_role("button", name="Run to next")
    choose(page, "pass")
    run.click()
    assert frame_of(page) == 6
    explore.open(LOOP, frame=11, by="contribution", stops="value:v3")
    run.click()
    assert frame_of(page) == 12
    expect(page.locator("#picture")).to_have_attribute("data-slot", "1")


def test_breakpoints_move_with_their_lines_and_values(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=0, stops="line:5,value:v1")
    assert listed(page) == ["line 5", "w changes"]
    explore.area.press("Control+Home")
    page.keyboard.insert_text("k = Value(2.0)\nL = k*1\n")
    expect(page.locator("#editor .cm-lineNumbers .is-stop")).to_have_text("7")
    expect(page.locator("#stop-list li").first).to_contain_text("line 7")
    page.keyboard.insert_text("q = k + k\n")
    expect(page.locator("#stop-list")).to_contain_text("line 8")
    expect(page.locator("#stop-list")).to_contain_text("w changes")
