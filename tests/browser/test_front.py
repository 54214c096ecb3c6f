"""The front page, the teachers' page, and the exercises of the debugger."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from app.learn.fixing.exercises import EXERCISES
from app.learn.fixing.judge import HIDDEN
from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import EXAMPLE, Explore

LOOKS: list[dict[str, Any]] = [{}, {"width": 390, "height": 844, "touch": True, "dark": True}]
FIX = next(iter(EXERCISES.values()))


@pytest.mark.parametrize("look", LOOKS, ids=["wide", "phone, dark"])
def test_front_page_has_a_live_graph_and_three_ways(
    open_page: OpenPage, axe: Axe, look: dict[str, Any]
) -> None:
    page = open_page(**look)
    page.goto("/")
    ways = page.locator(".ways a")
    assert ways.evaluate_all("all => all.map(one => one.getAttribute('href'))") == [
        "/learn/nudge",
        "/explore",
        "/train",
    ]
    assert axe(page) == []
    graph = page.frame_locator(".front-graph iframe")
    where = graph.locator("#where")
    expect(where).to_have_text("frame 8 of 8")
    graph.locator("#back").click()
    expect(where).to_have_text("frame 7 of 8")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_comes_back_is_where_they_were(open_page: OpenPage) -> None:
    page = open_page()
    explore = Explore(page).open(EXAMPLE)
    explore.insert("M = 2.0 * 3")
    page.wait_for_url(re.compile("program=M"))
    explore.insert("M = 2.0 * nope")  # refused, and not lost
    expect(page.locator("#problem")).to_contain_text("nope")
    page.goto("/")
    page.wait_for_url(re.compile("program=M"))
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    assert page.locator("#program").input_value() == "M = 2.0 * nope"
    page.locator(".brand").click()  # who asks for the front page gets it
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
    page.wait_for_url(re.compile(r"/learn/nudge\?step=2"))


@pytest.mark.parametrize("look", LOOKS, ids=["wide", "phone, dark"])
def test_pages_for_teachers_are_accessible(
    open_page: OpenPage, axe: Axe, look: dict[str, Any]
) -> None:
    page = open_page(**look)
    for path in ("/teach", "/learn/fix", f"/learn/fix/{FIX.slug}"):
        page.goto(path)
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


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
    field.fill(FIX.solution)
    page.get_by_role("button", name="Check").click()
    expect(reply).to_contain_text(f"Right on all {len(HIDDEN)}.")
    assert page.url.endswith(FIX.slug)  # nothing was loaded anew
