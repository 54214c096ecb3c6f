"""A section beside the picture is filled when opened, follows the numbers and is remembered."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore


def test_section_opens_by_keyboard_follows_a_leaf_and_stays_for_another_program(
    explore: Explore,
) -> None:
    summary = explore.page.locator("#lens-check > summary")
    explore.page.locator("#closer > summary").press("Enter")
    explore.press("ArrowDown")
    explore.press("ArrowDown")
    explore.press("ArrowDown")
    explore.press("Enter")
    expect(summary).to_be_focused()
    row = explore.page.locator("#lens-check tr[data-key=b] td.grad")
    expect(row).to_have_text("−4.0000")  # a f
    explore.type_leaf("a", "5")
    expect(row).to_have_text("−10.0000")
    expect(explore.page).to_have_url(re.compile("lens=check"))
    summary.click()
    expect(explore.page).to_have_url(re.compile("^(?!.*lens=)"))
    expect(summary).to_be_hidden()
    explore.look("check")
    explore.paste("x = 3.0\ny = x*x")
    expect(explore.page.locator("#lens-check tr[data-key=x] td.grad")).to_have_text("6.0000")


def test_open_sections_are_remembered_and_a_link_opens_its_own(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE)
    explore.look("check")
    explore.open(EXAMPLE)
    expect(page.locator("#lens-check tr[data-key=a]")).to_be_visible()
    expect(page).to_have_url(re.compile("lens=check"))
    page.locator("#lens-check > summary").click()
    expect(page).to_have_url(re.compile("^(?!.*lens=)"))  # so its closing is remembered
    explore.open(EXAMPLE)
    expect(page.locator("#lens-check")).not_to_have_attribute("open", "")
    explore.open(EXAMPLE, lens="check")
    expect(page.locator("#lens-check tr[data-key=a]")).to_be_visible()


def test_dial_of_the_nudge_shows_the_true_change(page: Page) -> None:
    explore = Explore(page).open("x = 3.0\ny = x*x")
    nudge = explore.look("nudge")
    slider = nudge.get_by_role("slider", name="Move x by")
    slider.focus()
    explore.press("End")
    says = nudge.locator(".readout dd")
    expect(says).to_have_text(["1", "6.0000", "7.0000", "1.0000"])  # (3 + 1)² − 9, 2·3·1
    expect(explore.page).to_have_url(re.compile("nudge=v1%401%4080"))
    reach = nudge.get_by_role("link", name="±0.1", exact=True)
    reach.click()
    expect(reach).to_have_attribute("aria-current", "true")
    slider.focus()
    explore.press("End")
    expect(says).to_have_text(["0.1", "0.6000", "0.6100", "0.0100"])


def test_dial_of_the_check_shows_rounding_and_truncation(page: Page) -> None:
    explore = Explore(page).open("x = 1.0\ny = exp(x)")
    check = explore.look("check")
    slider = check.get_by_role("slider", name="Step h")
    slider.focus()
    explore.press("Home")
    error = check.locator("[data-says=error]")
    expect(error).to_have_text(re.compile(r"e−[3-6]$"))  # rounding: some ε/h
    explore.press("End")
    expect(check.locator("[data-says=h]")).to_have_text("0.1")
    expect(error).to_have_text(re.compile(r"^0\.00167$"))  # truncation: h²/6
    check.get_by_role("link", name="x", exact=True).click()
    expect(check.locator("[data-says=h]")).not_to_have_text("0.1")


def test_opened_section_comes_into_sight(open_page: OpenPage) -> None:
    explore = Explore(open_page(height=700, motion=True)).open(EXAMPLE)
    check = explore.look("check")
    expect(check.locator("tr[data-key=f]")).to_be_in_viewport(ratio=1)
    expect(explore.page.locator("#lens-check > summary")).to_be_in_viewport(ratio=1)


def test_no_number_of_the_check_is_cut(open_page: OpenPage) -> None:
    page = open_page(width=1024, height=768)
    check = Explore(page).open("x = 2.0\ny = -x*1e-9\nz = y*1e-10 + relu(x)*1e12").look("check")
    expect(check.locator("tr[data-key=x]")).to_be_visible()
    table = check.locator(".scroll")
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_leaves_descend_by_slider_and_link_and_a_moved_leaf_starts_anew(page: Page) -> None:
    """y = x² with the rate 0.25: each step halves x."""
    explore = Explore(page).open("x = 3.0\ny = x*x", descend="v1@sgd@0.25@4@down")
    section = explore.look("descend")
    says = section.locator(".readout b")
    expect(says).to_have_text(["3.0000", "9.0000"])
    slider = section.get_by_role("slider", name="Step of the descent")
    play = section.get_by_role("button", name="Play")
    expect(play).to_have_attribute("aria-pressed", "false")  # so its script is there
    slider.focus()
    expect(slider).to_be_focused()
    explore.press("End")
    field = page.locator("#leaves .leaf[data-key=x] input[type=number]")
    expect(field).to_have_value("0.1875")
    expect(says).to_have_text(["0.1875", "0.0352"])
    explore.shows("y", 0.1875**2, 1)
    expect(page).to_have_url(re.compile("descend=v1%40sgd%400.25%404%40down%404%403.0"))
    section.get_by_text("All steps").click()
    section.get_by_role("link", name="2", exact=True).click()
    expect(field).to_have_value("0.75")
    expect(says).to_have_text(["0.7500", "0.5625"])
    section.get_by_role("link", name="up", exact=True).click()
    expect(field).to_have_value("3.0")
    expect(says).to_have_text(["3.0000", "9.0000"])
    explore.type_leaf("x", "2")
    expect(says).to_have_text(["2.0000", "4.0000"])
    play.click()
    expect(field).to_have_value("10.125")  # the last of four steps by 3 ∕ 2 each
    expect(play).to_be_visible()


def test_derivative_opens_as_a_program(page: Page) -> None:
    explore = Explore(page).open("x = 2.0\ny = x**3")
    explore.look("second").get_by_role("link", name="Open its graph").click()
    expect(page).to_have_url(re.compile("program=.*d_x"))
    explore.ready()
    explore.shows("d_x", 12, 1)
    expect(page.locator("#lens-second .order").first).to_contain_text("d2_x 12.0000")
