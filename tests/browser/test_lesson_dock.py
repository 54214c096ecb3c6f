"""Lessons drive the live picture beside their text; readers take it over and come back.

The lesson on accumulation is about e = a*b + b**2 at a = 2, b = 3: the square sends b its share,
2b = 6, in frame 7 of 8, and the product its, a = 2, in frame 8. With b = 3.5 they are 7 and 2.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import COLOURS, Axe, OpenPage
from tests.browser.lesson_page import LessonPage
from tests.support.each import for_each

SLUG = "accumulate"
B = "v2"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page on which scrolling to a step takes no time."""
    return open_page()


@pytest.fixture
def lesson(page: Page) -> LessonPage:
    """The lesson at its second step, in which b has received one contribution."""
    return LessonPage(page).open(SLUG, 2)


def test_text_drives_the_picture(lesson: LessonPage) -> None:
    page = lesson.page
    lesson.is_at(2)
    lesson.shows_frame(7, 8)
    lesson.shows_grad(B, "6.0000")
    entries = page.evaluate("history.length")
    page.keyboard.press("n")
    lesson.is_at(3)
    lesson.shows_frame(8, 8)
    lesson.shows_grad(B, "8.0000")
    expect(lesson.picture.locator("#value-title")).to_have_text("b")
    lesson.card(B).press("p")  # keys work in the picture as well
    lesson.is_at(2)
    lesson.shows_grad(B, "6.0000")
    page.get_by_role("button", name="Next").click()
    lesson.is_at(3)
    page.get_by_role("link", name="Step 5").click()
    lesson.is_at(5)
    expect(lesson.picture.locator("#program")).to_have_value("a = 3.0\nb = a + a")
    lesson.step(2).get_by_role("link").first.click()
    lesson.is_at(2)
    lesson.shows_frame(7, 8)
    expect(lesson.bar).to_be_hidden()
    assert page.evaluate("history.length") == entries
    names_and_nodes_light_each_other(lesson)


def names_and_nodes_light_each_other(lesson: LessonPage) -> None:
    """Across the border of the picture's frame."""
    name = lesson.step(2).locator(f'code[data-node="{B}"]').first
    node = lesson.card(B)
    name.hover()
    expect(node).to_contain_class("lit")
    lesson.where.hover()
    expect(node).not_to_contain_class("lit")
    node.hover()
    expect(name).to_contain_class("lit")
    lesson.where.hover()
    expect(name).not_to_contain_class("lit")
    name.focus()
    expect(node).to_contain_class("lit")


def test_scrolling_stays_the_browsers_and_the_picture_follows(lesson: LessonPage) -> None:
    page = lesson.page
    lesson.shows_frame(7, 8)
    for x in (200, 900):  # over the text, and over the picture
        page.evaluate("scrollTo(0, 0)")
        lesson.is_at(1)
        lesson.shows_frame(4, 8)
        place = lesson.frame.evaluate("document.getElementById('picture').style.transform")
        page.mouse.move(x, 300)
        page.mouse.wheel(0, 140)
        page.wait_for_function("() => scrollY === 140")
        assert lesson.frame.evaluate("document.getElementById('picture').style.transform") == place
        page.mouse.wheel(0, 260)
        page.wait_for_function("() => scrollY === 400")
        lesson.is_at(2)
        lesson.shows_frame(7, 8)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    lesson.is_at(7)
    expect(lesson.picture.locator("#program")).to_have_value("a = 3.0\nb = a*a + a")


def test_reader_takes_the_picture_over_and_comes_back(lesson: LessonPage) -> None:
    page, bar = lesson.page, lesson.bar
    page.keyboard.press("n")
    lesson.shows_grad(B, "8.0000")
    entries = page.evaluate("history.length")
    lesson.leaf("b").fill("3.5")
    lesson.shows_grad(B, "9.0000")
    expect(bar).to_contain_text("Here b is 3.5; in the lesson it is 3.")
    expect(lesson.picture.locator(".leaf.marked .lesson-mark")).to_have_text(
        "The mark is the lesson’s 3."
    )
    expect(page.locator("#announcer")).to_contain_text("The picture is yours.")
    page.mouse.move(200, 400)
    page.mouse.wheel(0, 700)  # the next step begins as it is meant
    expect(bar).to_be_hidden()
    expect(page.locator("#step-where")).not_to_have_text("Step 3 of 7")
    expect(lesson.leaf("b")).not_to_have_value("3.5")
    page.get_by_role("button", name="Bring mine back").click()
    expect(bar).to_contain_text("Here")
    expect(lesson.leaf("b")).to_have_value("3.5")
    page.mouse.wheel(0, -700)
    lesson.is_at(3)
    lesson.shows_grad(B, "8.0000")
    lesson.leaf("b").fill("3.5")
    lesson.shows_grad(B, "9.0000")
    expect(bar.get_by_role("button")).to_contain_text("Back to step 3")
    link = bar.get_by_role("link", name="Open in Explore")
    link.focus()
    expect(link).to_have_attribute("href", re.compile("b=3.5"))
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    lesson.shows_grad(B, "8.0000")
    expect(lesson.picture.locator(".leaf.marked")).to_have_count(0)
    lesson.where.click()
    page.keyboard.press("ArrowLeft")
    lesson.shows_frame(7, 8)
    expect(bar).to_contain_text("Here it is frame 7; in the lesson it is 8.")
    bar.get_by_role("button", name="Back to step 3").click()
    lesson.shows_frame(8, 8)
    expect(bar).to_be_hidden()
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    lesson.picture.locator("#back").click()
    expect(bar).to_be_visible()
    lesson.card(B).press("n")  # the next step begins as it is meant
    lesson.is_at(4)
    expect(bar).to_be_hidden()
    lesson.shows_grad(B, "2.0000")  # its mistake: the last contribution alone
    assert page.evaluate("history.length") == entries


def test_pages_of_train_are_driven_and_taken_over(page: Page) -> None:
    lesson = LessonPage(page).open("training-loop")
    expect(lesson.picture.locator("#stat-step")).to_have_text("0")
    expect(lesson.picture.locator("#spec")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(lesson.picture.locator("#stat-step")).to_have_text("1")
    expect(lesson.bar).to_contain_text("Here it is step 1; in the lesson it is 0.")
    page.keyboard.press("n")
    expect(lesson.bar).to_be_hidden()
    expect(lesson.picture.locator("#stat-step")).to_have_text("0")
    expect(lesson.picture.locator("#phases")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("p")
    expect(lesson.picture.locator("#phases")).to_have_attribute("aria-pressed", "false")
    more = lesson.picture.get_by_role("button", name="All controls")
    more.click()
    expect(lesson.picture.get_by_role("heading", name="Predictions")).to_be_visible()


def test_colours_follow_the_readers_choice_and_pictures_may_stand_in_the_text(page: Page) -> None:
    lesson = LessonPage(page).open(SLUG)
    page.get_by_role("button", name="Light or dark colours").click()
    chosen = page.locator("html").get_attribute("data-theme") or ""
    expect(lesson.picture.locator("html")).to_have_attribute("data-theme", chosen)
    pictures = page.locator(".step figure img:visible")
    expect(pictures).to_have_count(0)
    page.get_by_role("button", name="Pictures in the text").click()
    expect(lesson.live).to_be_hidden()
    expect(pictures).to_have_count(7)
    page.reload()
    expect(pictures).to_have_count(7)
    page.get_by_role("button", name="Picture beside the text").click()
    lesson.shows_frame(4, 8)
    has_the_pictures_above_the_text_on_paper(page)


def test_everyone_can_use_it(page: Page, axe: Axe) -> None:
    lesson = LessonPage(page).open(SLUG, 3)
    lesson.leaf("b").fill("3.5")
    expect(lesson.bar).to_be_visible()
    page.get_by_role("button", name="Hint").first.click()
    expect(page.locator(".reply .hint")).to_have_count(1)
    assert axe(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe(page, COLOURS) == []
    page.goto("/learn")
    assert axe(page, COLOURS) == []
    page.emulate_media(color_scheme="light")
    assert axe(page) == []


def test_phone_has_the_picture_above_the_text(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(width=390, height=844, touch=True)
    lesson = LessonPage(page).open(SLUG, 3)
    box, bar = lesson.live.bounding_box(), page.locator("#lesson-player").bounding_box()
    assert box is not None
    assert bar is not None
    assert (box["x"], box["width"], bar["width"]) == (0, 390, 390)
    assert box["y"] == 0
    assert 0.4 * 844 < box["height"] < 0.5 * 844
    assert bar["y"] + bar["height"] == 844
    heading = lesson.step(3).get_by_role("heading").bounding_box()
    assert heading is not None
    assert box["height"] < heading["y"] < bar["y"]
    lesson.shows_grad(B, "8.0000")
    lesson.leaf("a").fill("5")
    expect(lesson.bar).to_contain_text("Here a is 5; in the lesson it is 2.")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert axe(page) == []
    lesson.bar.get_by_role("button").tap()
    expect(lesson.bar).to_be_hidden()
    lesson.shows_grad(B, "8.0000")


def has_the_pictures_above_the_text_on_paper(page: Page) -> None:
    """Without what moves them."""
    page.emulate_media(media="print")
    expect(page.locator("#live")).to_be_hidden()
    expect(page.locator("#lesson-player")).to_be_hidden()
    places = page.locator(".step").evaluate_all(
        """all => all.map(step => [step.querySelector('img').getBoundingClientRect().bottom,
          step.querySelector('h2').getBoundingClientRect().top])"""
    )
    assert len(places) == 7
    assert all(picture <= heading for picture, heading in places)


STATES = (
    ("accumulate", 3, "#value-card"),
    ("check", 4, ".lens[open]"),
    ("own-value", 4, "#verdict .verdict"),  # a class stands beside the picture
    ("graph", 2, "v1"),
)
"""Steps of lessons, and what is open there, or the Value whose card the reader opens."""


SIZES = {
    1000: (599, 716), 1024: (623, 716), 1280: (818, 748), 1366: (873, 716), 1405: (898, 848),
    1440: (921, 848), 390: (390, 387),
}  # fmt: skip
"""The size of the picture's frame at the width of a window; resizing the window moves the text."""
ROOM = """sizes => sizes.map(([width, height]) => {
  Object.assign(frameElement.style, {width: `${width}px`, height: `${height}px`});
  const stage = document.querySelector(".stage").getBoundingClientRect();
  return [innerWidth, innerHeight, stage.width / width, stage.height / height];
})"""


@for_each(("slug", "step", "opened"), STATES, ids=lambda state: f"{state[0]}, step {state[1]}")
def test_the_graph_keeps_its_room_beside_what_is_open(
    page: Page, slug: str, step: int, opened: str
) -> None:
    lesson = LessonPage(page).open(slug, step)
    if opened == "v1":
        lesson.card(opened).click()
        opened = "#value-card"
    expect(lesson.picture.locator(opened)).to_be_visible()
    found = lesson.frame.evaluate(ROOM, list(SIZES.values()))
    for (window, size), (*shown, across, down) in zip(SIZES.items(), found, strict=True):
        assert tuple(shown) == size
        assert across >= 0.4, (window, across)
        assert down >= 0.25, (window, down)
