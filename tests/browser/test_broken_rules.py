"""A rule broken on purpose: switches, the wrong numbers on the cards, the way back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explore_page import Explore
from tests.support.each import Cases, for_each

DIAMOND = "a = Value(2.0)\nb = a * 3\nL = b + b * b\nL.backward()"  # dL/db = 13, dL/da = 39


def bar(explore: Explore) -> Locator:
    return explore.page.locator("#verdict .broken")


def grad(explore: Explore, name: str) -> Locator:
    return explore.card(name).locator("text.grad")


def switch(explore: Explore, name: str) -> Locator:
    return explore.look("mistakes").get_by_role("link", name=name)


diamond = Cases()


@pytest.fixture
def explore(page: Page) -> Explore:
    return Explore(page).open(DIAMOND)


@for_each("case", diamond)
def test_diamond(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.press("End")
    if bar(explore).count():
        bar(explore).get_by_role("link", name="Follow the rule again").click()
    if explore.page.locator("#reset").is_visible():
        explore.page.locator("#reset").click()
    expect(bar(explore)).to_have_count(0)
    expect(grad(explore, "a")).to_have_text("39.0000")
    case(explore)


@diamond.add
def a_switch_shows_the_wrong_number_beside_the_right_one_and_goes_off_again(
    explore: Explore,
) -> None:
    one = switch(explore, "Depth-first instead of topological order")
    one.click()
    expect(bar(explore)).to_contain_text("a.grad is 3, not 39.")
    expect(grad(explore, "a")).to_have_text("3.0000")
    expect(explore.card("a").locator("text.due")).to_have_text("due 39.0000")
    expect(explore.card("a")).to_have_class(re.compile(r"wrong.*first-wrong|first-wrong.*wrong"))
    expect(explore.card("b")).not_to_have_class(re.compile("wrong"))
    expect(explore.button("a")).to_have_attribute("aria-label", re.compile("which should be 39"))
    expect(explore.page).to_have_url(re.compile("mistake=depth_first"))
    expect(one).to_be_focused()
    expect(one).to_have_attribute("aria-current", "true")
    one.press("Enter")
    expect(bar(explore)).to_have_count(0)
    expect(grad(explore, "a")).to_have_text("39.0000")
    expect(explore.page).not_to_have_url(re.compile("mistake="))


@diamond.add
def the_switches_stay_in_sight_and_the_explanation_says_that_it_follows_the_rule(
    explore: Explore,
) -> None:
    one = switch(explore, "Assign instead of accumulate")
    one.click()
    expect(bar(explore)).to_be_visible()
    expect(one).to_be_in_viewport()
    expect(explore.page.locator("#numbers .notice")).to_contain_text("explained by the rule")
    switch(explore, "Recurse along every path").click()
    expect(bar(explore)).to_contain_text("Recurse", ignore_case=True)


@diamond.add
def frames_before_the_last_show_their_right_numbers(explore: Explore) -> None:
    switch(explore, "Depth-first").click()
    expect(grad(explore, "a")).to_have_text("3.0000")
    explore.press("Escape")
    explore.press("ArrowLeft")
    expect(grad(explore, "a")).to_have_text("·")
    expect(grad(explore, "b")).to_have_text("13.0000")
    explore.press("ArrowRight")
    expect(grad(explore, "a")).to_have_text("3.0000")
    expect(explore.card("a")).to_have_class(re.compile("wrong"))


@diamond.add
def the_bar_follows_a_leaf_and_its_button_follows_the_rule_again(explore: Explore) -> None:
    switch(explore, "Depth-first").click()
    explore.type_leaf("a", "3")
    expect(bar(explore)).to_contain_text("a.grad is 3, not 57.")
    expect(explore.page.locator("#lens-mistakes td.due")).to_have_text("57.0000")
    bar(explore).get_by_role("link", name="Follow the rule again").click()
    expect(bar(explore)).to_have_count(0)
    expect(grad(explore, "a")).to_have_text("57.0000")


@diamond.add
def a_partial_of_ones_own_is_tried_and_a_wrong_text_is_explained(explore: Explore) -> None:
    section = explore.look("mistakes")
    section.get_by_role("combobox").select_option("*:0")
    field = section.get_by_role("textbox", name="Your partial")
    expect(field).to_have_attribute("placeholder", "b")
    field.fill("b.real")
    field.press("Enter")
    expect(bar(explore)).to_contain_text("not part of the language of partials")
    expect(field).to_be_focused()
    field.fill("b + 1")
    field.press("Enter")
    expect(bar(explore)).to_contain_text("your partial b + 1 is 7; the right one is 6")
    # Left factors: b·b gives b 1·7 + 1·6, with 1 from the sum 14; a·3 gives a 14·4.
    expect(grad(explore, "b")).to_have_text("14.0000")
    expect(grad(explore, "a")).to_have_text("56.0000")


@diamond.add
def the_back_button_follows_the_rule_again(explore: Explore) -> None:
    explore.go(explore.page.url + "&mistake=assign")
    expect(bar(explore)).to_contain_text("Broken on purpose")
    explore.page.go_back()
    explore.ready()
    expect(bar(explore)).to_have_count(0)
