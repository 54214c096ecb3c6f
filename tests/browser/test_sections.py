"""A section beside the picture is filled when opened, follows the numbers and is remembered."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import EXAMPLE, Explore


def test_section_opens_follows_a_leaf_and_is_in_the_address(explore: Explore) -> None:
    row = explore.look("check").locator("tr[data-key=b] td.grad")
    expect(row).to_have_text("-4.0000")  # a f
    explore.type_leaf("a", "5")
    expect(row).to_have_text("-10.0000")
    expect(explore.page).to_have_url(re.compile("lens=check"))
    explore.page.locator("#lens-check > summary").click()
    expect(explore.page).to_have_url(re.compile("^(?!.*lens=)"))


def test_section_stays_open_for_another_program(explore: Explore) -> None:
    explore.look("check")
    explore.write("x = 3.0\ny = x*x")
    row = explore.page.locator("#lens-check tr[data-key=x] td.grad")
    expect(row).to_have_text("6.0000")


def test_open_sections_are_remembered_and_a_link_opens_its_own(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE)
    explore.look("check")
    explore.open(EXAMPLE)
    expect(page.locator("#lens-check tr[data-key=a]")).to_be_visible()
    page.locator("#lens-check > summary").click()
    explore.open(EXAMPLE)
    expect(page.locator("#lens-check")).not_to_have_attribute("open", "")
    explore.open(EXAMPLE, lens="check")
    expect(page.locator("#lens-check tr[data-key=a]")).to_be_visible()


def test_section_opens_by_keyboard(explore: Explore) -> None:
    explore.page.locator("#lens-check > summary").focus()
    explore.page.keyboard.press("Enter")
    expect(explore.page.locator("#lens-check tr[data-key=a]")).to_be_visible()
