"""A page that is open while its server is updated never mixes versions, and reports the update."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import EXAMPLE, Explore
from tests.browser.train_page import OwnServer, Train, address
from tests.browser.witness import Witness

OTHER = {"GRADLENS_PRINTED_LINES": "499"}  # any setting makes another version


@pytest.fixture
def own(tmp_path: Path, witness: Witness) -> Iterator[OwnServer]:
    """A server that the test may replace by another version."""
    witness.allowed += ["net::ERR_", "status of 410", "^htmx: htmx:error: Failed to fetch"]
    server = OwnServer(tmp_path / "output.txt")
    server.start()
    yield server
    server.kill()


def update(own: OwnServer) -> None:
    """Restart the server at the same address with another version."""
    own.kill()
    own.environment = OTHER
    own.start()


def update_notice(page: Page) -> Locator:
    """The notice that the server was updated."""
    return page.get_by_role("status").filter(has_text="Gradlens was updated")


def version(page: Page) -> str:
    """The version of a page."""
    return page.locator("html").get_attribute("data-version") or ""


def test_requests_of_train_carry_the_version_and_its_links_do_not(page: Page) -> None:
    train = Train(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    train.open()
    key = version(page)
    assert re.fullmatch("[0-9a-f]{12}", key)
    train.press("Play")
    train.is_past(3)
    train.press("Pause")
    train.drag_to(40)
    train.is_at(40)
    below = [re.sub(r"^http://[^/]*", "", url) for url in asked if "/train/" in url]
    data = [path for path in below if re.search(r"/train/(state|stream|setup)\?", path)]
    assert data
    assert all(path.startswith(f"/v/{key}/train/") for path in data)
    train.press("Copy link")
    page.wait_for_url("**step=40**")
    links = page.locator("a").evaluate_all("links => links.map(link => link.href)")
    assert not [link for link in [*links, page.url] if "/v/" in link or key in link]


def test_playing_run_stops_and_continues_after_a_reload(
    own: OwnServer, open_page: OpenPage, axe: Axe
) -> None:
    page = open_page(new=True)
    page.add_init_script("delete globalThis.WebAssembly")  # the server has to train
    train = Train(page).go(own.address + address(steps="2000"))
    train.speed("1,30")
    train.press("Play")
    train.is_past(10)
    before = version(page)
    update(own)
    expect(update_notice(page)).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(train.notice).to_be_hidden()
    assert axe(page) == []
    at = train.shown()["at"]
    update_notice(page).get_by_role("button", name="Reload").click()
    expect(update_notice(page)).to_have_count(0)
    train.ready()
    train.is_at(at, 2000)
    assert version(page) != before
    train.press("Play")
    train.is_past(at + 5)


def test_settings_changed_after_the_update_survive_the_reload(own: OwnServer, page: Page) -> None:
    train = Train(page).go(own.address + address())
    update(own)
    train.field("seed").fill("4711")
    expect(update_notice(page)).to_be_visible()
    update_notice(page).get_by_role("button", name="Reload").click()
    page.wait_for_url("**seed=4711**")
    train.is_at(0)
    expect(update_notice(page)).to_have_count(0)


def test_explore_accepts_any_version_and_offers_a_reload(own: OwnServer, page: Page) -> None:
    explore = Explore(page).go(f"{own.address}/explore")
    explore.press("End")
    update(own)
    explore.write(EXAMPLE.replace("10.0", "5.5"))
    explore.shows("c", 5.5, -2)
    expect(explore.problem).to_be_empty()
    update_notice(page).get_by_role("button", name="Reload").click()
    expect(update_notice(page)).to_have_count(0)
    explore.ready().shows("c", 5.5, -2)
