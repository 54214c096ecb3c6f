"""A server that is busy, or another version: the page says so, and its link is kept."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect
from starlette.testclient import TestClient

from app.main import create_app
from app.serving.thread_pools import BusyError, ThreadPool
from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, address
from tests.browser.train_page import Train
from tests.browser.train_page import address as run
from tests.browser.witness import Witness
from tests.support.pages import read

PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
OLD = "/v/0123456789ab"
DETAIL = "All rooms are taken just now."
LINKS = {"explore": address(EXAMPLE, c="5.5", at=3), "train": run(step=7)}


UNVERSIONED = re.compile(r"^http://[^/]+/(train)?\?")


def shows_what_was_linked(page: Page, name: str) -> None:
    """The page's address is that of the link, as the page writes it."""
    linked, shown = (parse_qs(urlsplit(it).query) for it in (LINKS[name], page.url))
    assert set(shown) <= set(linked)  # what goes without saying may be left out
    for word in {"program", "c", "at", "layers", "seed", "steps", "step"} & set(linked):
        assert shown[word] == linked[word]


def asked(path: str, headers: Mapping[str, str] | None = None) -> Any:
    """The answer of an application of this test's own."""
    with TestClient(create_app(), raise_server_exceptions=False) as client:
        return client.get(path, headers=dict(headers or {}))


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread is ever free."""

    async def acquire(self: ThreadPool, _: object) -> None:
        raise BusyError(self.kind, "No turn within 3 seconds.")

    monkeypatch.setattr(ThreadPool, "acquire", acquire)


def turn_away(page: Page, pattern: str) -> list[Request]:
    """Answer what matches with 503 from now on; who asked."""
    requests: list[Request] = []

    def answer(route: Route) -> None:
        requests.append(route.request)
        route.fulfill(status=503, json={"status": 503, "detail": DETAIL})

    page.route(re.compile(pattern), answer)
    return requests


@pytest.mark.parametrize("name", LINKS)
def test_page_that_finds_no_room_tries_again_by_itself(
    full: None, page: Page, witness: Witness, name: str
) -> None:
    """The answer is the application's own; the server that the browser asks then has room."""
    witness.allowed.append("status of 503")
    refusal = asked(LINKS[name], PAGE)
    assert refusal.status_code == 503
    assert refusal.headers["cache-control"] == "no-store"
    page.route(
        re.compile(re.escape(LINKS[name])),
        lambda route: route.fulfill(
            status=503, content_type="text/html; charset=utf-8", body=refusal.text
        ),
        times=1,
    )
    main = read(refusal.text).one("main")
    assert "The server is busy" in main.text
    assert "retries every 3 seconds" in main.text
    assert escape(LINKS[name]) in refusal.text
    page.goto(LINKS[name])
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    shows_what_was_linked(page, name)


def test_text_of_the_link_is_no_markup(full: None) -> None:
    words = asked("/?" + urlencode({"program": '"><script>x</script>'}), PAGE).text
    assert "<script>x" not in words
    words = asked('/?program="><script>x</script>', PAGE).text
    assert "<script>x" not in words


def test_machines_get_problem_details(full: None) -> None:
    for path in ("/train/state", "/api/trace?program=x", "/train/open"):
        answer = asked(path, {"accept": "application/json"})
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == 503
    assert asked("/api/trace?program=x", PAGE).json()["status"] == 503
    assert asked(f"{OLD}/train", {"accept": "*/*"}).json()["status"] == 410


@pytest.mark.parametrize("name", LINKS)
def test_link_of_another_version_leads_to_this_one(page: Page, witness: Witness, name: str) -> None:
    witness.allowed.append("status of 410")
    page.goto(OLD + LINKS[name])
    expect(page.get_by_role("heading", name="Seegrad was updated")).to_be_visible()
    page.get_by_role("link", name="Open it in this version").click()
    expect(page).to_have_url(UNVERSIONED)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    shows_what_was_linked(page, name)


def test_sweep_that_finds_no_room_is_not_repeated_by_itself(page: Page, witness: Witness) -> None:
    witness.allowed.append("status of 503")
    train = Train(page).open()
    requests = turn_away(page, "/train/sweep")
    train.press("Sweep")
    train.press("Train all")
    result = page.locator("#sweep-result")
    expect(result).to_contain_text(DETAIL)
    again = result.get_by_role("button", name="Try again")
    again.click()
    expect(result).not_to_have_attribute("aria-busy", "true")
    expect(again).to_be_visible()
    assert len(requests) == 2
    page.unroute_all()
    page.locator("#sweep-rates").fill("0.1")
    page.locator("#sweep-seeds").fill("1, 2")
    again.click()
    expect(result.locator("td")).to_have_count(2)


def test_phone_shows_that_the_server_is_busy_wherever_the_page_is_scrolled_to(
    open_page: OpenPage, witness: Witness
) -> None:
    witness.allowed.append("status of 503")
    train = Train(open_page(width=390, height=844, touch=True)).open()
    turn_away(train.page, "/train/(stream|kernel)")  # a kernel of its own would carry the run on
    train.press("Play")
    expect(train.notice).to_contain_text(f"{DETAIL} This is step 0. Trying again")
    expect(train.notice).to_be_in_viewport(ratio=1)
    notice, player = train.notice.bounding_box(), train.page.locator("#player").bounding_box()
    assert notice is not None
    assert player is not None
    assert notice["y"] + notice["height"] <= player["y"]
    train.page.unroute_all()
    train.is_past(3)
    expect(train.notice).to_be_hidden()


def test_setting_that_waits_for_room_says_why(page: Page, witness: Witness) -> None:
    witness.allowed.append("status of 503")
    train = Train(page).open()
    turn_away(page, "/train/setup")
    train.field("seed").fill("77")
    expect(train.notice).to_contain_text(f"{DETAIL} Trying again")
    page.unroute_all()
    page.wait_for_url("**seed=77**")
    expect(train.notice).to_be_hidden()


def test_busy_explore_keeps_the_text(page: Page, witness: Witness) -> None:
    witness.allowed += ["status of 503", "^htmx: htmx:"]
    explore = Explore(page).open()
    turn_away(page, "/graph$")
    explore.write(EXAMPLE.replace("10.0", "5.5"))
    expect(explore.problem).to_contain_text("The server is busy. Your text is kept")
    page.unroute_all()
    explore.shows("c", 5.5, -2)
    expect(explore.problem).to_be_empty()
