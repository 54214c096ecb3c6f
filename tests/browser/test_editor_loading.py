"""How the editor comes: after the first picture, within its size, and over a field that stays."""

import gzip

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, address, hold_editor
from tests.browser.witness import Witness

MOST = 150_000  # bytes, compressed
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
STARTED = """() => performance.getEntriesByType('resource')
  .filter(one => /codemirror|\\/editor\\//.test(one.name)).map(one => one.startTime)"""


@pytest.fixture
def fresh(open_page: OpenPage) -> Page:
    """A page for which nothing has been loaded before."""
    return open_page(new=True)


def is_editors(address: str) -> bool:
    """Whether only the editor needs what is at an address."""
    return "codemirror" in address or "/editor/" in address or "/words/" in address


def test_first_load_keeps_to_its_budget_and_comes_after_the_first_picture(fresh: Page) -> None:
    sizes: dict[str, int] = {}

    def note(request: Request) -> None:
        if is_editors(request.url):
            response = request.response()
            assert response is not None
            sizes[request.url] = int(response.headers["content-length"])

    fresh.on("requestfinished", note)
    explore = Explore(fresh).open()
    fresh.wait_for_load_state("networkidle")
    assert 0 < sum(sizes.values()) <= MOST
    assert not any("more" in one or "/words/" in one for one in sizes)
    starts = fresh.evaluate(STARTED)
    assert len(starts) == 4  # the script, and CodeMirror in three parts
    assert min(starts) > fresh.evaluate(PAINTED)
    words_are_kept_for_ever_at_an_address_of_their_own(explore)


def words_are_kept_for_ever_at_an_address_of_their_own(explore: Explore) -> None:
    with explore.page.expect_response("**/words/*") as answer:
        explore.area.focus()
    assert "immutable" in answer.value.headers["cache-control"]
    assert len(gzip.compress(answer.value.body())) < 41_000
    assert explore.page.request.get("/words/000000000000.json").status == 404


def test_page_works_before_the_editor_is_there_and_without_it(page: Page, witness: Witness) -> None:
    witness.allowed += ["^Failed to load resource: net::ERR_FAILED"]
    held = hold_editor(page)
    page.goto(address(EXAMPLE))
    explore = Explore(page)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    explore.shows("L", -8, 1)
    page.locator("#program").fill("a = 2.0\nL = a * g")
    expect(explore.problem).to_contain_text("line 2, column 9")
    page.locator("#program").fill("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    for route in held:
        route.abort()
    page.locator("#program").fill(EXAMPLE)
    explore.shows("L", -8, 1)
    expect(page.locator("html")).not_to_have_attribute("data-editor", "ready")


def test_nothing_moves_when_the_editor_comes(page: Page) -> None:
    held = hold_editor(page)
    page.goto("/explore")
    explore = Explore(page)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    parts = page.locator("#editor, .more, .leaves header, .leaf, .canvas, .panel")
    before = [explore.box(part) for part in parts.all()]
    for route in held:
        route.continue_()
    explore.ready()
    assert [explore.box(part) for part in parts.all()] == before


def test_selection_and_caret_are_seen(explore: Explore) -> None:
    for forced in ("active", "none"):
        explore.page.emulate_media(forced_colors=forced)
        explore.area.press("Control+Home")
        explore.press("Shift+End")
        explore.painted()
        box = explore.page.locator("#editor")
        selected = box.screenshot()
        explore.press("ArrowRight")
        explore.painted()
        with_caret = box.screenshot()
        explore.press("ArrowRight")
        explore.painted()
        assert len({selected, with_caret, box.screenshot()}) == 3, forced


def test_whole_program_is_printed(page: Page) -> None:
    lines = [f"x{i} = {i}.0" for i in range(120)]
    explore = Explore(page).open("\n".join([*lines, "L = x0 * x1"]))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    explore.painted()
    assert explore.seen_lines() == [*lines, "L = x0 * x1"]
    _, _, _, height = explore.box(page.locator("#editor"))
    assert height > 120 * 15
