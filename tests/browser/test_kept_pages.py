"""A page that one test hands on to another remembers nothing."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import OpenPage
from tests.browser.kept_pages import EMPTY, KeptPages, Kind, Look
from tests.browser.witness import Witness
from tests.support.each import for_each

KIND = Kind(javascript=True, touch=False)
LOOK = Look(width=800, height=600, dark=True, reduced_motion=False)
OTHER = Look(width=400, height=300, dark=False, reduced_motion=True)
STORE = """() => {
  localStorage.a = sessionStorage.a = window.name = 'a'
  addEventListener('pagehide', () => { localStorage.b = sessionStorage.b = 'b' })
}"""
REMEMBERED = "() => localStorage.length + sessionStorage.length + window.name.length"
SEEN = """() => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches,
  matchMedia('(prefers-reduced-motion)').matches, matchMedia('print').matches]"""


@pytest.fixture
def kept(server: str, browser: Browser) -> Iterator[KeptPages]:
    """Pages for these tests alone."""
    pages = KeptPages(server, browser)
    yield pages
    pages.close()


def test_page_is_handed_on_without_what_a_test_left_behind(kept: KeptPages) -> None:
    first = kept.take(KIND, LOOK)
    page = first.page
    page.goto("/reference")
    page.goto("/docs")
    page.evaluate(STORE)
    page.emulate_media(media="print")
    page.route("**/reference", lambda route: route.abort())
    assert page.evaluate(SEEN) == [800, 600, True, False, True]
    kept.give_back(KIND, first)
    again = kept.take(KIND, OTHER)
    assert again.page is page
    page.goto("/reference")
    assert page.evaluate(REMEMBERED) == 0
    assert page.evaluate(SEEN) == [400, 300, False, True, False]
    assert page.go_back() is not None  # the empty document, and nothing before it
    assert page.url == f"{kept.server}{EMPTY}"
    assert page.go_back() is None
    kept.give_back(KIND, again)


LEFT: dict[str, Callable[[Page], object]] = {
    "a clock": lambda page: page.clock.install(),
    "a second page": lambda page: page.context.new_page(),
    "a script before those of a page": lambda page: page.add_init_script("void 0"),
    "a cookie": lambda page: page.evaluate("document.cookie = 'a=b'"),
    "another document": lambda page: page.goto("about:blank"),
}


@for_each("left", LEFT)
def test_page_that_cannot_be_cleared_is_closed(kept: KeptPages, left: str) -> None:
    used = kept.take(KIND, LOOK)
    used.page.goto("/healthz")
    LEFT[left](used.page)
    kept.give_back(KIND, used)
    assert used.page.is_closed()
    assert kept.waiting == {}


def test_test_that_failed_is_judged_again_on_a_page_of_its_own(
    kept: KeptPages, request: pytest.FixtureRequest
) -> None:
    first, failed = OpenPage(kept, Witness()), OpenPage(kept, Witness())
    page = first()
    page.goto("/healthz")
    first.close(has_failed=False)
    assert failed() is page
    failed.close(has_failed=True)
    assert page.is_closed()
    kept.waiting[KIND] = waiting = kept.new(KIND, LOOK)
    again = OpenPage(kept, Witness(), is_rerun=True)
    own = again()
    assert own is not waiting.page
    again.close(has_failed=True)
    assert own.is_closed()
    assert kept.waiting == {KIND: waiting}
    marker = request.node.get_closest_marker("flaky")
    assert marker is not None
    assert marker.kwargs == {"reruns": 1}
