"""Arrays as boxes of their cells, which open into single Values and close."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe
from tests.browser.explore_page import Explore
from tests.engine.trace.test_arrays import NUMPY


def test_arrays(page: Page, axe: Axe) -> None:
    explore = Explore(page).open(NUMPY)
    explore.is_drawn_alike_by_browser_and_server(NUMPY)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []
    box_opens_by_click_and_closes_by_keyboard(explore)
    page.get_by_role("button", name="h: close", exact=True).press("Enter")
    expect(explore.picture.locator(".array")).to_have_count(4)
    cells_follow_frames_and_dragged_leaves(explore)


def box_opens_by_click_and_closes_by_keyboard(explore: Explore) -> None:
    page = explore.page
    box = page.get_by_role("button", name=re.compile(r"^h \(2,\) .*: open the array$"))
    cross = page.get_by_role("button", name="h: close", exact=True)
    expect(explore.picture.locator(".array")).to_have_count(4)
    closed = [part["says"] for part in explore.state()]
    box.locator(".label").click()
    expect(cross).to_be_focused()
    expect(explore.picture.locator(".array")).to_have_count(3)
    expect(explore.picture.locator(".op[data-of]:not(.formula)")).to_have_count(7)
    expect(page).to_have_url(re.compile(r"[?&]open=a\d"))
    explore.press("Enter")
    expect(box).to_be_focused()
    assert [part["says"] for part in explore.state()] == closed
    explore.press("Space")
    expect(cross).to_be_focused()


def cells_follow_frames_and_dragged_leaves(explore: Explore) -> None:
    """h = x w; with x[0] = 3, h[0] = 3 · 0.5 + 2 · 2 = 5.5."""
    explore.press("Escape")
    button = explore.page.get_by_role("button", name=re.compile(r"^h\[0\]:"))
    cell = explore.picture.locator(".cell").filter(has=button)
    expect(button).to_have_accessible_name("h[0]: data 4.5, gradient 9")
    explore.press("Home")
    expect(cell.locator("text.data")).to_have_text("·")
    explore.press("End")
    explore.type_leaf("x[0]", "3")
    explore.press("Escape")
    expect(cell.locator("text.data")).to_have_text("5.5000")
    expect(cell.locator("text.grad")).to_have_text("11.0000")
    cell.click()
    expect(explore.page.locator("#value-title")).to_have_text("h[0]")
    expect(button).to_have_attribute("aria-pressed", "true")
