"""The loss as a landscape: drawn on demand, with a dot at the step and axes to choose."""

import re

from playwright.sync_api import Page, expect

from tests.browser.train_page import Train


def test_the_landscape_follows_the_step_and_its_axes_are_chosen(page: Page) -> None:
    train = Train(page).open(step=300)
    panel = page.locator("#landscape")
    panel.locator("summary").click()
    dot = panel.locator("svg .now")
    expect(dot).to_be_attached()
    end = panel.locator("svg .end").get_attribute("cx")
    assert end is not None
    expect(dot).to_have_attribute("cx", end)
    train.press("Reset")
    start = panel.locator("svg .start").get_attribute("cx")
    assert start is not None
    expect(dot).to_have_attribute("cx", start)
    panel.get_by_label("First axis").select_option("0")
    panel.get_by_label("Second axis").select_option("4")
    expect(panel.locator("svg")).to_contain_text("layer 1, neuron 2, weight 2")
    expect(page).to_have_url(re.compile("plane=0(,|%2C)4"))
    page.reload()
    expect(panel.locator("svg")).to_contain_text("layer 1, neuron 2, weight 2")
