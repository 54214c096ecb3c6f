"""A Value is asked by clicking it: its card, its paths lit, contributions on the edges."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import Explore, requests
from tests.support.each import Cases, for_each

FAN = "a = 2.0\nb = -3.0\nc = a*b\nd = a + c\nL = c*d + a"
"""∂L/∂a = 1 (from L) − 6 (from d) + 30 (from c = ab, whose gradient is −4 − 6, times b = −3)."""
COUNT = 10
ON_EDGES = sorted(["1", "1", "−4", "−6", "−6", "−6", "30", "−20"])


@pytest.fixture
def explore(page: Page) -> Explore:
    return Explore(page).open(FAN, direction="TB")


def card(explore: Explore) -> Locator:
    return explore.page.locator("#value-card")


def rows(explore: Explore) -> list[str]:
    return [" ".join(text.split()) for text in card(explore).locator("tbody tr").all_inner_texts()]


def ask(explore: Explore, name: str) -> None:
    explore.card(name).click()
    expect(card(explore).locator("#value-title")).to_have_text(name)


def numbers_on_edges(explore: Explore) -> list[str]:
    return explore.page.locator(".amount:not(.none) text").all_text_contents()


fan = Cases()


@for_each("case", fan)
def test_fan(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.press("Escape")
    expect(card(explore)).to_be_hidden()
    explore.press("End")
    if explore.page.locator("#reset").is_visible():
        explore.page.locator("#reset").click()
    explore.shows("a", 2, 25)
    case(explore)


@fan.add
def a_click_opens_the_card_with_the_numbers_of_the_pass(explore: Explore) -> None:
    ask(explore, "a")
    expect(card(explore).locator(".sum")).to_have_text(re.compile(r"=\s*1 − 6 \+ 30\s*= 25"))
    assert rows(explore) == [
        "+ L = c*d + a frame 7 +1 1",
        "+ d = a + c frame 9 −6 −5",
        "× c = a*b frame 10 +30 25",
    ]
    expect(card(explore).get_by_role("heading", name="4 paths to L")).to_be_visible()
    expect(explore.explanation).to_be_hidden()
    expect(card(explore).locator("#value-title")).to_be_focused()
    expect(explore.page).to_have_url(re.compile("value=v1"))


@fan.add
def stepping_goes_on_and_marks_the_rows(explore: Explore) -> None:
    ask(explore, "a")
    with requests(explore.page) as sent:
        explore.press("ArrowLeft")
        explore.is_at(8, COUNT)
        current = card(explore).locator("tr[aria-current]")
        expect(current).to_contain_text("d = a + c")
        expect(card(explore).locator("tr.later")).to_have_count(1)
        expect(card(explore).locator("[data-now=grad]")).to_have_text("−5.0000")
        explore.press("Home")
        expect(card(explore).locator("tr.later")).to_have_count(3)
        expect(card(explore).locator("[data-now=grad]")).to_have_text("·")
    assert sent == []


@fan.add
def frames_of_the_card_are_links(explore: Explore) -> None:
    ask(explore, "a")
    card(explore).get_by_role("link", name="frame 7").click()
    explore.is_at(6, COUNT)
    expect(card(explore).locator("tr[aria-current]")).to_contain_text("L = c*d + a")
    card(explore).get_by_role("link", name="d = a + c").click()
    expect(card(explore).locator("#value-title")).to_have_text("d")
    assert explore.names("chosen") == {"d"}


@fan.add
def a_path_lights_its_edges_and_the_rest_stays_readable(explore: Explore) -> None:
    ask(explore, "a")
    path = card(explore).get_by_role("button", name="a → c → d → c*d → L")
    expect(path).to_contain_text("−3 × 1 × −6 × 1")
    path.hover()
    assert explore.names("on-path") == {"a", "c", "d", "c*d", "L"}
    uses = [ends for ends in explore.lit("on-path") if ends[0]]
    assert uses == [("v1", "v3"), ("v3", "v4"), ("v4", "v5"), ("v5", "v6")]
    opacity = explore.card("b").evaluate("card => Number(getComputedStyle(card).opacity)")
    assert 0.45 <= opacity < 1
    explore.page.mouse.move(2, 2)
    expect(explore.picture.locator(".on-path")).to_have_count(0)
    path.click()
    explore.page.mouse.move(2, 2)
    expect(path).to_have_attribute("aria-pressed", "true")
    assert explore.names("on-path") == {"a", "c", "d", "c*d", "L"}
    path.click()
    explore.page.mouse.move(2, 2)
    expect(explore.picture.locator(".on-path")).to_have_count(0)


@fan.add
def the_keyboard_opens_and_closes_it(explore: Explore) -> None:
    explore.button("c").focus()
    explore.press("Enter")
    title = card(explore).locator("#value-title")
    expect(title).to_be_focused()
    explore.press("Escape")
    expect(card(explore)).to_be_hidden()
    expect(explore.explanation).to_be_visible()
    expect(explore.button("c")).to_be_focused()
    expect(explore.page).not_to_have_url(re.compile("value="))
    explore.press("Enter")
    expect(title).to_be_focused()
    card(explore).get_by_role("link", name="Close the card of c").press("Enter")
    expect(card(explore)).to_be_hidden()
    expect(explore.button("c")).to_be_focused()


def test_a_link_restores_the_card_which_an_edit_above_keeps_at_its_value(explore: Explore) -> None:
    a_link_restores_card_frame_and_edges(explore)
    ask(explore, "c")
    explore.paste(f"z = 5.0\n{FAN} + z")
    expect(explore.card("z")).to_have_count(1)
    expect(card(explore).locator("#value-title")).to_have_text("c")
    assert explore.names("chosen") == {"c"}
    explore.paste("q = 5.0\nL = q * 2")
    expect(explore.card("q")).to_have_count(1)
    expect(card(explore)).to_be_hidden()


def a_link_restores_card_frame_and_edges(explore: Explore) -> None:
    ask(explore, "a")
    explore.switches()
    explore.page.get_by_text("contributions", exact=True).click()
    expect(explore.picture).to_have_class(re.compile("contributions"))
    expect(card(explore).locator("#value-title")).to_have_text("a")
    explore.press("ArrowLeft")
    explore.is_at(8, COUNT)
    explore.page.wait_for_url(re.compile("at=9.*value=v1.*edges=contributions"))
    before = numbers_on_edges(explore)
    link = explore.page.url
    explore.page.goto("/healthz")
    explore.page.evaluate("localStorage.clear(); sessionStorage.clear()")
    explore.go(link)
    expect(card(explore).locator("#value-title")).to_have_text("a")
    expect(card(explore).locator("tr[aria-current]")).to_contain_text("d = a + c")
    assert numbers_on_edges(explore) == before
    assert explore.names("chosen") == {"a"}
    assert explore.page.evaluate("document.activeElement.id") != "value-title"


@fan.add
def a_leaf_is_changed_on_its_card(explore: Explore) -> None:
    """With b = 1: c = 2, d = 4, L = 10; ∂L/∂a = 2ab(1 + b) + … = 4·1·2 + 1 = 9."""
    ask(explore, "b")
    field = card(explore).get_by_role("spinbutton", name="b on its card, number")
    field.press("Control+a")
    explore.page.keyboard.type("1")
    explore.shows("L", 10, 1)
    explore.shows("a", 2, 9)
    expect(explore.field("b")).to_have_value("1")
    expect(card(explore).locator("[data-now=data]")).to_have_text("1.0000")
    explore.type_leaf("b", "2")
    expect(field).to_have_value("2")


@fan.add
def dragging_a_leaf_renews_the_ledger(explore: Explore) -> None:
    ask(explore, "a")
    explore.type_leaf("b", "1")
    expect(card(explore).locator(".sum")).to_have_text(re.compile(r"=\s*1 \+ 2 \+ 6\s*= 9"))


@fan.add
def edges_show_what_has_come_up_to_the_frame(explore: Explore) -> None:
    before = explore.places()
    explore.switches()
    explore.page.get_by_text("contributions", exact=True).click()
    expect(explore.page.locator("#strengths")).to_contain_text("contribution 1, 6, 30")
    assert sorted(numbers_on_edges(explore)) == ON_EDGES
    explore.press("Home")
    assert numbers_on_edges(explore) == []
    for _ in range(6):
        explore.press("ArrowRight")
    explore.is_at(6, COUNT)
    assert numbers_on_edges(explore) == ["1", "1"]
    expect(explore.page.locator(".edge.made.new")).to_have_count(2)
    explore.press("End")
    explore.switches()
    explore.page.get_by_text("plain", exact=True).click()
    expect(explore.page.locator(".amount")).to_have_count(0)
    assert explore.places() == before


@for_each("program", [FAN, "n = MLP(1, [2, 1])\nL = n([2.0])"], ids=["fan", "boxes"])
def test_the_browser_draws_contributions_as_the_server_does(page: Page, program: str) -> None:
    view = {"direction": "TB", "edges": "contributions", "grouped": "1"}
    explore = Explore(page).open(program, **view)
    explore.is_drawn_alike_by_browser_and_server(program, **view)


def test_axe_finds_nothing_on_the_card(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(width=1440, height=844)
    explore = Explore(page).open(FAN, value="v1", edges="contributions", frame=8)
    expect(card(explore).locator("#value-title")).to_be_visible()
    assert axe(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe(page) == []


def test_without_scripts_links_lead_to_the_card(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto("/?program=a+%3D+2.0%0AL+%3D+a*a")
    page.get_by_role("link", name="The card of a").click()
    expect(page.locator("#value-title")).to_have_text("a")
    expect(page.locator("#value-card")).to_contain_text("They sum to 4")
    page.get_by_role("link", name="frame 4").first.click()
    expect(page.locator("#value-card tr.now")).to_have_count(2)
    page.get_by_role("link", name="Close the card of a").click()
    expect(page.locator("#value-card")).to_be_hidden()
