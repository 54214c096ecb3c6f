"""Exercises in a browser: by keyboard on both kinds of fields, on a phone, for everyone."""

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.conftest import COLOURS, Axe, OpenPage

CHAIN = "a = 3.0\nb = -1.0\nc = 4.0\nf = 2.0\nL = (a*b + c) * f"


def address(task: str) -> str:
    return f"/exercise?{urlencode({'program': CHAIN, 'exercise': task})}"


def counted(page: Page, text: str) -> None:
    expect(page.locator(".count")).to_have_text(text)


def test_exercise_is_done_by_keyboard_and_handed_in(open_page: OpenPage, axe: Axe) -> None:
    page = open_page()
    page.goto(address("gradients"))
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    answer = page.get_by_role("textbox", name="gradient of a*b + c").last
    expect(answer).to_be_focused()
    assert axe(page) == []
    page.keyboard.type("2")
    expect(page.locator("[name=q1]")).to_have_value("2")  # the field on the card follows
    page.keyboard.press("Enter")
    counted(page, "1 of 6 right, 1 at the first try")
    page.locator("[name=q2]").fill("0.5")
    page.reload()  # what was answered and typed is back
    counted(page, "1 of 6 right, 1 at the first try")
    expect(page.locator("#answer")).to_have_value("0.5")
    page.locator("[name=q2]").fill("")
    for at, text in enumerate(("1", "2", "2"), 2):
        expect(page.locator(f"[name=q{at}]")).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    counted(page, "4 of 6 right, 4 at the first try")
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    expect(page.locator(".reply.not-yet")).to_contain_text("6 is 3 × 2")
    expect(page.locator("#announcer")).to_contain_text("6 is 3 × 2")
    for grade in (1, 2, 3):
        page.get_by_role("button", name=f"Show hint {grade}").press("Enter")
        expect(page.locator(".hint.shown")).to_have_count(grade)
    assert axe(page) == []
    page.locator("#answer").fill("b*2")
    page.keyboard.press("Enter")
    counted(page, "5 of 6 right, 4 at the first try")
    page.locator("#answer").fill("6")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Your name").fill("Ada")
    page.keyboard.press("Enter")
    expect(page.locator("#line")).to_be_focused()
    line = page.locator("#line").input_value()
    assert "| right 6 of 6 | first 5 | hints 3 | shown 0 |" in line
    assert axe(page) == []
    page.get_by_role("link", name="Check results").first.click()
    page.locator("#lines").fill(line)
    page.get_by_role("button", name="Check").press("Enter")
    expect(page.get_by_role("heading", name="1 of 1 genuine")).to_be_visible()
    assert axe(page) == []


def test_fields_of_a_phone_in_any_order(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(width=390, height=844, touch=True)
    page.goto(address("gradients,any"))
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    page.locator("[name=q6]").fill("6")
    page.locator("[name=q5]").fill("3")
    page.keyboard.press("Enter")
    counted(page, "1 of 6 right, 1 at the first try")
    expect(page.get_by_role("heading", level=2)).to_have_text(
        "Through × in a*b: what is the gradient of a?"
    )
    page.get_by_role("button", name="Question 4, gradient of c").press("Enter")
    expect(page.get_by_role("heading", level=2)).to_contain_text("gradient of c?")
    expect(page.locator("[name=q5]")).to_have_value("3")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark")
    assert axe(page, COLOURS) == []
    page.emulate_media(color_scheme="light")
    for other in ("sheet", "new", "check-result"):
        page.goto(f"/exercise/{other}?difficulty=5&seed=3")
        assert axe(page) == [], other
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), other
