"""Tangents and kept numbers are marked on the cards, and follow frames, numbers and choices."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explore_page import Explore

NEURON = "a = 2.0\nb = -3.0\nc = 6.5\no = tanh(a*b + c)"


def mark(page: Page, node: str, look: str) -> Locator:
    return page.locator(f"#picture .value[data-node={node}] .{look} text")


def test_tangents_stand_on_the_cards_and_follow_frames_numbers_and_the_chosen_leaf(
    page: Page,
) -> None:
    explore = Explore(page).open(NEURON, at="2")
    section = explore.look("forward")
    expect(mark(page, "v4", "tangent-mark")).to_have_text("tangent −3.0000")  # b
    expect(mark(page, "v6", "tangent-mark")).to_be_hidden()
    section.get_by_role("link", name="o", exact=True).click()
    explore.is_at(3, 8)
    expect(mark(page, "v6", "tangent-mark")).to_be_visible()
    explore.type_leaf("b", "4")
    expect(mark(page, "v4", "tangent-mark")).to_have_text("tangent 4.0000")
    section.get_by_role("link", name="b", exact=True).first.click()
    expect(mark(page, "v4", "tangent-mark")).to_have_text("tangent 2.0000")  # a
    section.get_by_role("spinbutton", name="Outputs").fill("50")
    expect(section.locator("tr.wins th")).to_contain_text("Forward")
    expect(page).to_have_url(re.compile("tangent=v2%403%4050"))
    section.locator("summary").click()
    expect(page.locator("#picture .tangent-mark")).to_have_count(0)


def test_kept_numbers_follow_the_slider(page: Page) -> None:
    explore = Explore(page).open("x = Value(0.1)\ny = tanh(x)\nz = tanh(y)\nw = tanh(z)\n")
    section = explore.look("memory")
    kept = page.locator("#picture .memory-mark.kept")
    expect(kept).to_have_count(3)
    section.get_by_role("slider").focus()
    explore.press("End")
    expect(page.locator("#picture .memory-mark.again")).to_have_count(2)
    expect(kept).to_have_count(2)  # the leaf and the output
    expect(section.locator("[data-says=again]")).to_have_text("2")
    expect(page).to_have_url(re.compile("keep=every%3A3"))
