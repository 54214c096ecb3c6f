"""Source, node, formula term and unrolled line of a Value light each other."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.explore_page import EXAMPLE, Explore

POINTED = re.compile(r"\blit\b")


def line(page: Page, code: str) -> Locator:
    return page.locator("#unrolled li", has=page.locator("code", has_text=re.compile(f"^{code}$")))


def test_values_light_each_other_and_lines_follow_and_lead(page: Page) -> None:
    """The example at its last frame, through × in a*b, with the unrolled program."""
    explore = Explore(page).open(EXAMPLE, frame=7)
    explore.closer("unroll")
    expect(page.locator("#unrolled li").first).to_be_visible()
    lines_nodes_and_terms_light_each_other(explore)
    current_line_follows_the_frames_and_a_line_leads_to_its_frame(explore)
    explore.type_leaf("b", "4")
    expect(line(page, r"b = 4\.0")).to_be_visible()


def lines_nodes_and_terms_light_each_other(explore: Explore) -> None:
    page = explore.page
    line(page, r"b = -3\.0").hover()
    expect(explore.card("b")).to_have_class(POINTED)
    expect(explore.card("a")).not_to_have_class(POINTED)
    expect(page.locator("#explanation [data-value=v2].lit").first).to_be_visible()
    page.mouse.move(2, 2)
    expect(explore.card("b")).not_to_have_class(POINTED)
    explore.card("b").hover()
    expect(line(page, r"b = -3\.0")).to_have_class(POINTED)
    page.locator("#explanation [data-value=v1]").first.hover()
    expect(line(page, r"a = 2\.0")).to_have_class(POINTED)
    expect(line(page, r"b = -3\.0")).not_to_have_class(POINTED)
    page.mouse.move(2, 2)
    expect(line(page, r"a = 2\.0")).not_to_have_class(POINTED)
    explore.button("a").focus()
    expect(line(page, r"a = 2\.0")).to_have_class(POINTED)


def current_line_follows_the_frames_and_a_line_leads_to_its_frame(explore: Explore) -> None:
    page = explore.page
    current = page.locator("#unrolled [aria-current=step] code")
    expect(current).to_have_text([re.compile("^a_ "), re.compile("^b_ ")])
    page.locator("#player").focus()
    explore.press("Home")
    explore.press("ArrowRight")
    expect(current).to_have_count(1)
    expect(current).to_contain_text("a * b")
    line(page, r"L = .*").click()
    expect(page.locator("#where")).to_have_text("frame 4 of 8")
    expect(page).to_have_url(re.compile("tab=unrolled"))


def test_source_lights_the_node_and_the_node_its_source(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE, frame=0)
    explore.card("b").hover()
    expect(page.locator(".code mark.pointed")).to_have_text("-3.0")
    text = page.locator(".code .cm-line").nth(1)
    text.hover(position={"x": 45, "y": 8})
    expect(explore.card("b")).to_have_class(POINTED)
