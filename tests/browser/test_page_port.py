"""The port of a page, `window.seegrad`: what lessons, and tests, move it by."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, address
from tests.browser.train_page import Train
from tests.browser.train_page import address as train_address
from tests.support.places import ROOT

MARK = "() => { window.isSame = true }"  # gone once another document is loaded
IS_SAME = "window.isSame === true"
GO = "to => seegrad.go(to)"
HEAR = """events => {
  window.heard = []
  for (const event of events) seegrad.on(event, detail => heard.push([event, detail]))
}"""


def test_explore_turns_in_place(explore: Explore) -> None:
    page = explore.page
    page.evaluate(MARK)
    page.evaluate(HEAR, ["turn", "picture"])
    entries = page.evaluate("history.length")
    here = page.evaluate("location.pathname")
    goal = address(EXAMPLE, at=3).replace("/", here, 1)
    assert page.evaluate(GO, goal)
    explore.is_at(2, 8)
    other = address("a = 2.0\nL = a * 3").replace("/", here, 1)
    assert page.evaluate(GO, other)
    explore.shows("L", 6, 1)
    expect(explore.program).to_have_value("a = 2.0\nL = a * 3")
    page.wait_for_function("() => heard.some(([event]) => event === 'picture')")
    assert page.evaluate("heard.filter(([event]) => event === 'turn').slice(0, 2)") == [
        ["turn", goal], ["turn", other],
    ]  # fmt: skip
    assert page.evaluate(IS_SAME)
    assert page.evaluate("history.length") == entries
    assert not page.evaluate(GO, "/train")
    assert page.evaluate("location.pathname") == here


def test_explore_steps_lights_and_fits(explore: Explore) -> None:
    page = explore.page
    page.evaluate(HEAR, ["turn", "point"])
    page.evaluate("seegrad.step('back')")
    explore.is_at(6, 8)
    page.wait_for_function(
        "() => heard.some(([event, to]) => event === 'turn' && to.includes('at=7'))"
    )
    page.evaluate("seegrad.step('forward')")
    explore.is_at(7, 8)
    card = explore.card("a")
    page.evaluate("id => seegrad.light(id)", explore.id("a"))
    expect(card).to_contain_class("lit")
    page.evaluate("seegrad.light(null)")
    expect(card).not_to_contain_class("lit")
    card.hover()
    page.wait_for_function("id => heard.some(([e, to]) => e === 'point' && to === id)",
                           arg=explore.id("a"))  # fmt: skip
    for _ in range(6):
        explore.press("+")
    explore.still()
    assert not explore.is_whole()
    page.evaluate("seegrad.fit(9)")  # no picture is shown so large: it stays
    assert not explore.is_whole()
    page.evaluate("seegrad.fit()")
    explore.still()
    assert explore.is_whole()


def test_train_turns_in_place_unless_it_has_to_be_loaded(page: Page) -> None:
    train = Train(page).open(steps="20")
    page.evaluate(MARK)
    page.evaluate(HEAR, ["turn"])
    page.evaluate("seegrad.step('forward')")
    expect(page.locator("#stat-step")).to_have_text("1")
    page.evaluate("seegrad.step('back')")
    expect(page.locator("#stat-step")).to_have_text("0")
    goal = f"{train_address(steps='30')}&step=4"
    assert page.evaluate(GO, goal)
    train.is_at(4, 30)
    assert page.evaluate("heard.some(([, to]) => to.includes('steps=30'))")
    assert not page.evaluate(GO, f"{goal}&scale=log")
    assert page.evaluate(IS_SAME)
    train.is_at(4, 30)


def test_page_for_an_iframe_steps_and_lights(open_page: OpenPage) -> None:
    page = open_page()
    page.goto(address(EXAMPLE, at=3).replace("/?", "/embed?"))
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    page.evaluate("seegrad.step('forward')")
    expect(page.locator("#where")).to_have_text("frame 4 of 8")
    page.evaluate("seegrad.light('v1')")
    expect(page.locator("#picture .value.lit")).to_have_attribute("data-node", "v1")
    page.evaluate("seegrad.light(null)")
    expect(page.locator("#picture .lit")).to_have_count(0)
    assert not page.evaluate(GO, "/embed?program=L+%3D+2")


def test_lessons_invent_no_gestures() -> None:
    gesture = re.compile(
        r"new (?:Pop|Pointer|Mouse|Keyboard)\w*Event|dock-pointer|getElementById\([^)]*\)\??\.click"
    )
    for path in (ROOT / "static/js/learn").glob("*.js"):
        assert not gesture.search(path.read_text(encoding="utf-8")), path.name
