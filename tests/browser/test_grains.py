"""Stepping by contribution, op, line, call and pass, with scripts and without."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import Explore

LOOP = """\
w = Value(0.5)
L = Value(0.0)
for i in range(2):
    L = L + w*w
    L = L.tanh()
L.backward()
"""
LINES = [0, 2, 3, 5, 6, 7, 8, 10, 11, 13]
"""The last frames of the steps by line."""


def choose(page: Page, grain: str) -> None:
    Explore(page).pace().locator(".grains").get_by_text(grain, exact=True).click()
    page.keyboard.press("Escape")


def frame_of(page: Page) -> int:
    return int(page.locator("#picture").get_attribute("data-frame") or -1)


def test_the_arrow_keys_step_by_the_chosen_grain(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=0)
    expect(explore.where).to_have_text("frame 1 of 14")
    choose(page, "line")
    explore.page.locator("#player").focus()
    for place, frame in enumerate(LINES):
        expect(explore.where).to_have_text(f"step {place + 1} of 10")
        assert frame_of(page) == frame
        explore.press("ArrowRight")
    choose(page, "pass")
    expect(explore.where).to_have_text("step 3 of 3")
    explore.page.locator("#player").focus()
    explore.press("ArrowLeft")
    assert frame_of(page) == 6
    expect(explore.explanation).to_contain_text("6 operations of the forward pass; the last:")


def test_a_contribution_is_shown_alone(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=11, by="contribution", edges="contributions")
    explore.page.locator("#player").focus()
    explore.press("ArrowRight")
    expect(explore.where).to_have_text("step 15 of 18")
    expect(page).to_have_url(re.compile("at=13.*by=contribution%3A0"))
    assert explore.names("changed") == {"L₁"}
    assert set(explore.lit("flow-backward")) == {("v2", "v4"), (None, "v4")}
    assert len(explore.receipts()) == 1
    explore.press("ArrowRight")
    assert len(explore.receipts()) == 1
    assert frame_of(page) == 12
    expect(page).to_have_url(re.compile("by=contribution%3A1"))
    page.reload()
    explore.ready()
    expect(explore.where).to_have_text("step 16 of 18")


def test_every_step_is_drawn_alike_by_browser_and_server(page: Page) -> None:
    explore = Explore(page).open(LOOP, edges="contributions")
    for grain in ("contribution", "line", "call", "pass"):
        choose(page, grain)
        explore.is_drawn_alike_by_browser_and_server(LOOP, by=grain, edges="contributions")


def test_the_grain_is_remembered_and_an_address_goes_before(page: Page) -> None:
    explore = Explore(page).open(LOOP)
    choose(page, "line")
    explore.open(LOOP, frame=5)
    expect(explore.where).to_have_text("step 4 of 10")
    explore.open(LOOP, frame=5, by="call")
    expect(explore.where).to_have_text("step 6 of 14")


def test_playing_goes_from_step_to_step(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=0, by="pass")
    explore.pace().locator("#speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(explore.where).to_have_text("step 3 of 3")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert frame_of(page) == 13


def test_a_page_without_scripts_steps_by_line(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto("/explore")
    page.locator("#program").fill(LOOP)
    page.locator("#pace-menu > summary").click()
    page.get_by_role("combobox", name="step by").select_option(label="line")
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("link", name="First").click()
    found = []
    while True:
        found.append(int(page.locator("#picture").get_attribute("data-frame") or -1))
        forward = page.get_by_role("link", name="Forward")
        if not forward.count():
            break
        forward.click()
    assert found == LINES


def test_the_unrolled_program_marks_the_line_of_the_contribution(page: Page) -> None:
    explore = Explore(page).open(
        "a = 2.0\nb = -3.0\nL = a*b", frame=3, by="contribution:0", tab="unrolled"
    )
    line = page.locator("#unrolled li[aria-current]")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("a_ = b * L_")
    explore.page.locator("#player").focus()
    explore.press("ArrowRight")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("b_ = a * L_")
