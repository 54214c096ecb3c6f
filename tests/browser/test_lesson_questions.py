"""Questions are answered in place, hints count themselves, and the map knows what was read."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from app.learn.course import lessons
from tests.browser.lesson_page import LessonPage


def test_question_is_answered_in_place(page: Page) -> None:
    """With = in place of +=, b = 3 keeps the last of its contributions 6 and 2."""
    lesson = LessonPage(page).open("accumulate", 3)
    form = lesson.step(3).locator("form.question")
    field, hint = form.get_by_role("textbox"), form.locator("button[value=hint]")
    field.fill("8")
    field.press("Enter")
    expect(form.locator(".not-yet")).to_contain_text("sum of both contributions")
    for shown, words in ((1, "Hint 2 of 3"), (2, "Hint 3 of 3"), (3, "No more hints")):
        hint.click()
        expect(form.locator(".hint")).to_have_count(shown)
        expect(hint).to_have_text(words)
    expect(hint).to_have_attribute("aria-disabled", "true")
    expect(field).to_have_value("8")
    field.fill("2")
    form.get_by_role("button", name="Check").click()
    expect(form.locator(".right")).to_be_visible()
    lesson.is_at(3)
    expect(lesson.bar).to_be_hidden()


def test_a_challenge_is_met_by_the_readers_picture(page: Page) -> None:
    """In `nudge`, y = x³ − 3x is flat at −1, on its hill, and at 1, in its valley."""
    lesson = LessonPage(page).open("nudge", 7)
    said = page.locator(".challenge .reached p")
    slider = lesson.picture.locator("#leaves .leaf input[type=range]")
    slider.focus()
    for end, key, words in (("Home", "Right", "hill"), ("End", "Left", "valley")):
        page.keyboard.press(end)  # −2.5 or 2.5, and 30 steps of 0.05
        for _ in range(30):
            page.keyboard.press(f"Arrow{key}")
        expect(said.filter(has_text=words)).to_have_count(1)
    expect(said).to_have_count(2)


def test_map_knows_what_was_read_until_it_forgets(page: Page) -> None:
    first, second, third = list(lessons())[:3]
    page.goto("/learn")
    expect(page.get_by_role("link", name="Start with lesson 1")).to_be_visible()
    page.goto(f"/learn/{second}?step=3")
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    page.goto("/learn")
    here = page.locator(f"[data-slug={second}]")
    expect(here).to_contain_class("here")
    expect(page.locator(f"[data-slug={first}]")).to_contain_class("ready")
    page.get_by_role("link", name="Go on: lesson 2, step 3").click()
    count = page.locator(".step").count()
    page.get_by_role("link", name=f"Step {count}").click()
    page.wait_for_url(f"**/learn/{second}?step={count}")
    page.go_back()
    expect(here).to_contain_class("read")
    expect(here.get_by_text(", read")).to_have_count(1)
    expect(page.locator(f"[data-slug={third}]")).to_contain_class("here")
    expect(page.locator("#progress-words")).to_contain_text(f"1 of {len(lessons())} read")
    expect(page.get_by_role("link", name="Go on: lesson 3, step 1")).to_be_visible()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("link", name="Start with lesson 1")).to_be_focused()
    expect(page.locator(".read[data-slug], .here[data-slug]")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('seegrad-learn')") is None


def test_what_follows_a_question_is_folded_until_it_is_answered(page: Page) -> None:
    lesson = LessonPage(page).open("accumulate", 3, is_read=False)
    question, after = lesson.step(3).locator("form.question"), lesson.step(4)
    expect(after).to_be_hidden()
    page.locator("#step-next").click()  # once: the question is asked for
    lesson.is_at(3)
    expect(question.get_by_role("textbox")).to_be_focused()
    page.locator("#step-next").click()
    lesson.is_at(4)
    lesson.open("accumulate", 3, is_read=False)
    question.get_by_role("textbox").fill("2")
    question.get_by_role("button", name="Check").click()
    expect(after).to_be_visible()
    lesson.open("accumulate", 3, is_read=False)
    question.get_by_role("button", name="Show me").click()
    expect(after).to_be_visible()
    lesson.open("accumulate", 3, is_read=False)
    page.get_by_role("button", name="Show it all the same").click()
    expect(after).to_be_visible()
    lesson.open("chain-rule", 3, is_read=False)
    forward, where = lesson.picture.locator("#forward"), lesson.picture.locator("#where")
    forward.click()  # the picture's own player asks for the answer once, too
    expect(question.get_by_role("textbox")).to_be_focused()
    expect(where).to_have_text("frame 5 of 8")
    forward.click()
    expect(where).to_have_text("frame 6 of 8")


def test_lines_are_ordered_by_dragging_and_by_keys(page: Page) -> None:
    """In `order`, the line that does not belong is dragged below the end, and keeps no number."""
    lesson = LessonPage(page).open("order", 5)
    form = lesson.step(5).locator("form.question")
    right = ["y.grad = 1", "y sends 1 to u", "u*u sends 6", "u sends 2 · 13"]
    for place, words in enumerate(right):
        for _ in range(6):
            rows = form.locator(".fields label code").all_inner_texts()
            at = next(k for k, row in enumerate(rows) if row.startswith(words))
            if at == place:
                break
            form.locator(".grip").nth(at).press("ArrowUp")
    wrong, end = form.locator(".grip").nth(4), form.locator(".order-end")
    wrong.evaluate("grip => grip.scrollIntoView({ block: 'center' })")
    box, below = wrong.bounding_box(), end.bounding_box()
    assert box
    assert below
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, below["y"] + below["height"] - 2, steps=6)
    page.mouse.up()
    numbers = form.locator("input[name=answer]").evaluate_all("all => all.map(one => one.value)")
    assert numbers == ["1", "2", "3", "4", ""]
    form.get_by_role("button", name="Check").click()
    expect(form.locator(".not-yet, .right")).to_be_visible()
