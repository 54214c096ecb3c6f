"""Samples of the training data: their tables and graphs, and what is picked of them."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.train_page import Train

TIP = "#tip"


@pytest.fixture
def train(page: Page) -> Train:
    """The run at step 40."""
    return Train(page).open_at(40)


def test_button_opens_the_step_and_picked_samples_in_explore(train: Train) -> None:
    train.drag_to(37)
    train.is_at(37)
    train.complete()
    link = train.page.get_by_role("link", name=re.compile("Open step 37"))
    expect(link).to_have_attribute("href", re.compile("step=37"))
    link.click()
    train.page.wait_for_url("**/?program=**")
    expect(train.page.locator("#picture")).to_be_visible()
    assert parse_qs(urlsplit(train.page.url).query)["grouped"] == ["1"]
    train.page.go_back()
    train.ready().is_at(37)
    several_samples_are_opened_together(train)


def test_samples_open_their_graph_from_plot_and_table(train: Train) -> None:
    the_tooltip_agrees_with_the_table(train)
    x, y = train.sample(4)
    train.plot.hover(position={"x": x, "y": y})
    expect(train.page.locator(TIP)).to_contain_text("Sample")
    train.plot.click(position={"x": x, "y": y})
    train.page.wait_for_url("**/?program=**")
    expect(train.page.locator("#picture")).to_be_visible()
    train.open_at(40)
    train.page.locator("#predictions > summary").click()
    rows = train.page.locator("#predictions-body tr")
    expect(rows).to_have_count(48)
    shown = train.complete()
    expect(rows.nth(4)).to_contain_text(f"{shown['predictions'][4][0]:.4f}".replace("-", "−"))
    rows.nth(4).get_by_role("link").click()
    train.page.wait_for_url("**/?program=**")


def test_tables_follow_the_step_and_samples_are_picked_there(train: Train) -> None:
    page = train.page
    samples_are_picked_by_keyboard(train)
    for name in ("losses", "norms", "doctor", "code"):
        page.locator(f"#{name} > summary").click()
    expect(page.locator("#losses-body tr")).to_have_count(11)
    expect(page.locator("#norms-body tr")).to_have_count(3)
    page.locator("#code-as").select_option("pytorch")
    expect(page.locator("#code-text")).to_contain_text("torch")
    page.locator("#code-as").select_option("seegrad")
    expect(page.locator("#code-text")).not_to_contain_text("torch")
    before = page.locator("#norms-body").text_content()
    train.drag_to(90)
    train.is_at(90)
    expect(page.locator("#norms-body")).not_to_have_text(before or "")
    expect(page.locator("#losses-body tr").last).to_contain_text("90")


def the_tooltip_agrees_with_the_table(train: Train) -> None:
    """Its number and its target."""
    train.page.locator("#predictions summary").click()
    x, y = train.sample(4)
    train.plot.hover(position={"x": x, "y": y})
    tip = train.page.locator("#tip")
    expect(tip).to_contain_text("target")
    found = re.search(r"Sample (\d+)", tip.text_content() or "")
    assert found
    row = train.page.locator("#predictions-body tr").nth(int(found[1]) - 1)
    expect(tip).to_contain_text("target" + (row.locator("td").nth(1).text_content() or "?"))


def samples_are_picked_by_keyboard(train: Train) -> None:
    """In the table of predictions."""
    expect(train.page.locator("#pick-words")).to_contain_text("Shift+click picks several")
    train.page.locator("#predictions summary").click()
    for number in (2, 5, 7):
        train.page.get_by_role("checkbox", name=f"Pick sample {number} for").focus()
        train.page.keyboard.press("Space")
    link = train.page.get_by_role("link", name="Open 3 samples at step 40 in Explore")
    expect(link).to_have_attribute("href", re.compile(r"sample=1(,|%2C)4(,|%2C)6$"))
    train.page.keyboard.press("Space")
    expect(train.page.locator("#open")).to_contain_text("Open 2 samples")


def several_samples_are_opened_together(train: Train) -> None:
    """Those that were clicked with Shift."""
    link = train.page.locator("#open")
    expect(link).to_contain_text("Open step 37 in Explore")
    for index in (4, 9):
        x, y = train.sample(index)
        train.plot.click(position={"x": x, "y": y}, modifiers=["Shift"])
    expect(link).to_contain_text("Open 2 samples at step 37 in Explore")
    expect(train.page.locator("#pick-words")).to_contain_text("Picked for Explore")
    expect(link).to_have_attribute("href", re.compile(r"sample=\d+(,|%2C)\d+$"))
    link.click()
    train.page.wait_for_url("**/?program=**")
    expect(train.page.locator("#picture")).to_be_visible()
