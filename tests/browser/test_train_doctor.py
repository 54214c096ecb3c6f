"""The doctor beside the figures: a worthless run is told without a drawer, and cured there."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.train_page import Train


@pytest.fixture
def train(page: Page) -> Train:
    """A run whose penalty shrinks the weights to nothing, at its end."""
    return Train(page).open(l2="2", learning_rate="0.2", steps=60, step=60)


def test_a_sick_run_is_told_and_cured_beside_itself(train: Train) -> None:
    page = train.page
    note = page.locator("#ailment")
    expect(note).to_be_visible()
    expect(page.locator("#doctor")).not_to_have_attribute("open", "")
    expect(note.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(r"^Trained to the end beside this run: loss \S+ instead of \S+")
    )
    page.get_by_label("More settings").press("Space")  # at first sight all of it is in the window
    end = page.locator("#player").evaluate("part => part.getBoundingClientRect().top")
    for part in (page.locator("#stats"), note):
        assert part.evaluate("part => part.getBoundingClientRect().bottom") <= end
    page.get_by_label("More settings").press("Space")
    cure = note.get_by_role("link", name="Try the cure")
    sick = train.query()
    assert "pin=" in str(cure.get_attribute("href"))
    cure.click()
    expect(page.locator("#pins tr[data-pin]")).to_have_count(1)
    expect(note).to_be_hidden()
    train.is_at(60, 60)
    assert train.query() != sick
    expect(page).to_have_url(re.compile(r"[?&]pin="))
    expect(page.locator("#doctor-list .well")).to_have_text(
        re.compile("^(Nothing is wrong with this run so far|Not learned yet:)")
    )
    expect(note).to_be_hidden()


def test_a_run_that_is_lost_is_told_while_it_plays(page: Page) -> None:
    train = Train(page).open(learning_rate="9999", output_activation="linear", steps=5000)
    train.press("Play")
    expect(page.locator("#ailment")).to_contain_text("not a number")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def test_a_network_too_large_for_explore_offers_its_parts(page: Page) -> None:
    train = Train(page).open(layers="2-64-64-1", activation="tanh", step=2)
    expect(page.locator("#open")).to_be_hidden()
    expect(page.locator("#opening")).to_contain_text("Too large for Explore")
    train.neuron(2, 4).click()
    page.locator("#inspector").get_by_role("link", name="in Explore").click()
    expect(page.locator("#program")).to_have_value(re.compile("neuron 5 of layer 2"))
    page.get_by_role("link", name="← Back to the run at step 2").click()
    train.ready()
    train.is_at(2)
