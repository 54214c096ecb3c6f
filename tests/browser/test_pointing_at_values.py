"""Source, node, formula term and unrolled line of a Value light each other."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explore_page import EXAMPLE, Explore

POINTED = re.compile(r"\blit\b")


def line(page: Page, code: str) -> Locator:
    return page.locator("#unrolled li", has=page.locator("code", has_text=re.compile(f"^{code}$")))


@pytest.fixture
def unrolled(page: Page) -> Explore:
    """The example at its last frame, through × in a*b, with the unrolled program."""
    explore = Explore(page).open(EXAMPLE, frame=7)
    page.get_by_role("button", name="unrolled").click()
    expect(page.locator("#unrolled li").first).to_be_visible()
    return explore


def test_line_lights_the_node_and_the_term(unrolled: Explore) -> None:
    page = unrolled.page
    line(page, r"b = -3\.0").hover()
    expect(unrolled.card("b")).to_have_class(POINTED)
    expect(unrolled.card("a")).not_to_have_class(POINTED)
    expect(page.locator("#explanation [data-value=v2].lit").first).to_be_visible()


def test_node_and_term_light_lines(unrolled: Explore) -> None:
    page = unrolled.page
    unrolled.card("b").hover()
    expect(line(page, r"b = -3\.0")).to_have_class(POINTED)
    page.locator("#explanation [data-value=v1]").first.hover()
    expect(line(page, r"a = 2\.0")).to_have_class(POINTED)
    expect(line(page, r"b = -3\.0")).not_to_have_class(POINTED)


def test_source_lights_the_node_and_the_node_its_source(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE, frame=0)
    explore.card("b").hover()
    expect(page.locator(".code mark.pointed")).to_have_text("-3.0")
    text = page.locator(".code .cm-line").nth(1)
    text.hover(position={"x": 45, "y": 8})
    expect(explore.card("b")).to_have_class(POINTED)


def test_focus_lights_as_the_pointer_does(unrolled: Explore) -> None:
    unrolled.button("a").focus()
    expect(line(unrolled.page, r"a = 2\.0")).to_have_class(POINTED)


def test_current_line_follows_the_frames_and_a_line_leads_to_its_frame(unrolled: Explore) -> None:
    page = unrolled.page
    current = page.locator("#unrolled [aria-current=step] code")
    expect(current).to_have_text([re.compile("^a_ "), re.compile("^b_ ")])
    page.locator("#player").focus()
    unrolled.press("Home")
    unrolled.press("ArrowRight")
    expect(current).to_have_count(1)
    expect(current).to_contain_text("a * b")
    line(page, r"L = .*").click()
    expect(page.locator("#where")).to_have_text("frame 4 of 8")
    expect(page).to_have_url(re.compile("tab=unrolled"))


def test_unrolled_program_follows_a_leaf(unrolled: Explore) -> None:
    unrolled.type_leaf("b", "4")
    expect(line(unrolled.page, r"b = 4\.0")).to_be_visible()
