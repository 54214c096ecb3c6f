"""The reader's own engine in the browser: kept, gone on with, and used by pictures of lessons."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from app.learn.building.stage import STAGES
from tests.browser.conftest import Axe, OpenPage
from tests.browser.lesson_page import LessonPage
from tests.browser.test_front import is_accessible_wide_and_on_a_dark_phone

SET = """(area, text) => {
  area.value = text;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}"""
KEPT = "JSON.parse(localStorage['seegrad-engine'] ?? '{}')"


def write(page: Page, text: str) -> None:
    """Put a text into the editor, once it is there."""
    expect(page.locator("#fix-form")).to_have_attribute("data-ready", "true")
    page.locator("#program").evaluate(SET, text)


def test_a_piece_is_written_kept_and_gone_on_with(open_page: OpenPage) -> None:
    page = open_page(width=1280, height=800)
    page.goto("/learn/engine/gradients")
    right = STAGES["gradients"].engine
    write(page, right.replace("self.grad += other.data", "self.grad += self.data"))
    page.get_by_role("button", name="Check").click()
    reply = page.locator("#reply")
    expect(reply).to_contain_text("each input gets the number of the other one")
    expect(reply).to_contain_text("wrong local partial")
    expect(reply.locator(".smallest")).to_contain_text("d = a * b")
    assert reply.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
    page.locator("#program").evaluate(SET, right)
    page.get_by_role("button", name="Check").click()
    expect(reply).to_contain_text("Right on all")
    assert page.evaluate(f"{KEPT}.done") == ["gradients"]
    page.get_by_role("button", name="Next: The backward pass").click()
    page.wait_for_url("**/learn/engine/backward")
    assert "self.grad += other.data * out.grad" in page.locator("#program").input_value()
    write(page, STAGES["backward"].engine)
    page.get_by_role("button", name="Check").click()
    expect(reply).to_contain_text("Right on all 5")
    page.goto("/learn/engine/gradients")  # what is there stays
    expect(page.locator("#fix-form")).to_have_attribute("data-ready", "true")
    assert "def backward" in page.locator("#program").input_value()
    page.get_by_role("button", name="Leave it to you").click()
    expect(reply).to_contain_text("Seegrad’s piece is in your engine now")
    assert "# Seegrad's piece" in page.evaluate(f"{KEPT}.text")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "engine.py"


def test_lessons_are_drawn_by_the_kept_engine(open_page: OpenPage) -> None:
    page = open_page(width=1440, height=860)
    page.goto("/learn/engine")
    mine = STAGES["backward"].engine.replace("class Value:", "class Value:  # mine")
    page.evaluate(
        "text => localStorage['seegrad-engine'] = JSON.stringify({text, done: ['backward']})", mine
    )
    lesson = LessonPage(page).open("accumulate", 3)
    expect(page.locator("#own-words")).to_contain_text("Your own engine draws")
    expect(page.locator("#own-words")).to_contain_text("Powers, minus and plain numbers")
    expect(lesson.step(3)).to_have_class("step by-own")
    lesson.shows_frame(10, 10)
    lesson.shows_grad("v2", "8.0000")
    assert "# mine" in lesson.picture.locator("#program").input_value()
    page.locator("#own-switch").click()  # at the top of the text
    expect(page.locator("#own-words")).to_contain_text("Seegrad’s Value")
    lesson.open("accumulate", 3).shows_frame(8, 8)
    assert "class" not in lesson.picture.locator("#program").input_value()


def test_the_last_task_and_its_accessibility(page: Page, axe: Axe) -> None:
    page.goto("/learn/engine/moons")
    expect(page.locator("#fix-form")).to_have_attribute("data-ready", "true")
    page.get_by_role("button", name="Train it").click()
    expect(page.locator("#reply")).to_contain_text("40 of 40 points are right", timeout=20_000)
    expect(page.locator(".moons rect")).to_have_count(4 * 24 * 18)
    for path in ("/learn/engine", "/learn/engine/network"):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.emulate_media(color_scheme="light")
        page.goto(path)
        is_accessible_wide_and_on_a_dark_phone(page, axe, path)
