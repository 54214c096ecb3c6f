"""The front page, the teachers' page, and the exercises of the debugger."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from app.learn.fixing.exercises import EXERCISES
from app.learn.fixing.judge import HIDDEN
from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import EXAMPLE, Explore

WIDE: ViewportSize = {"width": 1440, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 844}
FIX = next(iter(EXERCISES.values()))


def is_accessible_wide_and_on_a_dark_phone(page: Page, axe: Axe, path: str) -> None:
    """A page that is open in light colours."""
    assert axe(page) == [], path
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    assert axe(page) == [], path
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_front_page_answers_a_drag_and_has_three_ways(page: Page, axe: Axe) -> None:
    page.goto("/")
    ways = page.locator(".ways a")
    assert ways.evaluate_all("all => all.map(one => one.getAttribute('href'))") == [
        "/learn",
        "/explore",
        "/train",
    ]
    start = page.get_by_role("link", name="Start: 8 minutes, no calculus needed")
    expect(start).to_have_attribute("href", "/learn/nudge")
    is_accessible_wide_and_on_a_dark_phone(page, axe, "/")
    page.get_by_role("slider", name="a", exact=True).focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    said = page.locator(".said [aria-live]")
    expect(said).to_have_text("a moved by 0.5, so L moved by 2.")  # L = a·b + a: (3 + 1) · 0.5
    for place, text in {"L.data": "10", "b.grad": "2.5", "ab-a": "3", "L-a": "1"}.items():
        expect(page.locator(f".tall [data-text='{place}']")).to_have_text(text)
    page.get_by_role("slider", name="b", exact=True).fill("-1")
    expect(page.locator(".tall [data-text='a.grad']")).to_have_text("0")  # b + 1
    expect(page.locator(".front-words .no-js")).to_be_hidden()
    page.get_by_role("slider", name="Step").fill("0")
    expect(page.locator("[data-bend=step]")).to_have_text("0")


def test_who_comes_back_can_go_on_where_they_were(open_page: OpenPage) -> None:
    page = open_page()
    explore = Explore(page).open(EXAMPLE)
    explore.insert("M = 2.0 * 3")
    page.wait_for_url(re.compile("program=M"))
    explore.insert("M = 2.0 * nope")  # refused, and not lost
    expect(page.locator("#problem")).to_contain_text("nope")
    page.goto("/")  # which always shows the front page
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "See how a network learns, number by number"
    )
    page.locator("#go-on a").click()
    page.wait_for_url(re.compile("program=M"))
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    assert page.locator("#program").input_value() == "M = 2.0 * nope"
    page.goto("/learn/nudge?step=2")
    page.wait_for_function("JSON.parse(localStorage['seegrad-learn'] ?? '{}').at?.step === 2")
    page.goto("/")
    page.locator("#go-on a").click()
    page.wait_for_url(re.compile(r"/learn/nudge\?step=2"))


def test_pages_for_teachers_are_accessible(page: Page, axe: Axe) -> None:
    for path in ("/teach", "/learn/fix", f"/learn/fix/{FIX.slug}", "/learn/by-hand/product"):
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light")
        page.goto(path)
        is_accessible_wide_and_on_a_dark_phone(page, axe, path)


def test_a_class_is_fixed(open_page: OpenPage) -> None:
    page = open_page()
    page.goto(f"/learn/fix/{FIX.slug}")
    reply, field = page.locator("#reply"), page.locator("#program")
    page.get_by_role("button", name="Check").click()
    expect(reply).to_contain_text("Not yet.")
    page.get_by_role("button", name="Hint").click()
    expect(reply.locator(".hint")).to_have_count(1)
    page.get_by_role("button", name="Hint").click()
    expect(reply.locator(".hint")).to_have_count(2)
    field.evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }",
        FIX.solution,
    )
    page.get_by_role("button", name="Check").click()
    expect(reply).to_contain_text(f"Right on all {len(HIDDEN)}.")
    assert page.url.endswith(FIX.slug)  # nothing was loaded anew
