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

OTHER = {"SEEGRAD_PRINTED_LINES": "499"}  # any setting makes another version


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
    return page.get_by_role("status").filter(has_text="Seegrad was updated")


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


def test_open_pages_report_the_update_and_go_on_after_a_reload(
    own: OwnServer, open_page: OpenPage, axe: Axe
) -> None:
    page = open_page(new=True)
    page.add_init_script("delete globalThis.WebAssembly")  # the server has to train
    playing = Train(page).go(own.address + address(steps="2000"))
    settings = Train(open_page(new=True)).go(own.address + address())
    explore = Explore(open_page(new=True)).go(f"{own.address}/explore")
    explore.press("End")
    playing.speed("1,10")
    playing.press("Play")
    playing.is_past(3)
    before = version(page)
    update(own)
    _stops_and_continues(playing, axe)
    assert version(page) != before
    _keeps_its_settings(settings)
    _accepts_any_version(explore)


def _stops_and_continues(train: Train, axe: Axe) -> None:
    """A run that played stops, and continues after a reload."""
    expect(update_notice(train.page)).to_be_visible()
    expect(train.page.get_by_role("button", name="Play")).to_be_visible()
    expect(train.notice).to_be_hidden()
    assert axe(train.page) == []
    at = train.shown()["at"]
    _reload(train.page)
    train.ready()
    train.is_at(at, 2000)
    train.press("Play")
    train.is_past(at + 2)


def _keeps_its_settings(train: Train) -> None:
    """Settings changed after the update survive the reload."""
    train.field("seed").fill("4711")
    _reload(train.page)
    train.page.wait_for_url("**seed=4711**")
    train.is_at(0)


def _accepts_any_version(explore: Explore) -> None:
    """Explore draws with any version, and offers a reload."""
    explore.write(EXAMPLE.replace("10.0", "5.5"))
    explore.shows("c", 5.5, -2)
    expect(explore.problem).to_be_empty()
    _reload(explore.page)
    explore.ready().shows("c", 5.5, -2)


def _reload(page: Page) -> None:
    """Press the button of the notice, which is gone then."""
    update_notice(page).get_by_role("button", name="Reload").click()
    expect(update_notice(page)).to_have_count(0)
