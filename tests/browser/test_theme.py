"""Light and dark colours: the system's choice, the visitor's own, and that it is kept."""

import pytest
from playwright.sync_api import Page, expect

from app.pages import PAGES
from tests.browser.conftest import OpenPage
from tests.browser.explore_page import Explore
from tests.browser.witness import Witness


def is_dark(page: Page) -> bool:
    """Whether the page's background is dark."""
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))) < 3 * 128


def toggle(page: Page) -> None:
    """Press the button for light or dark colours."""
    page.get_by_role("button", name="Light or dark colours").click()


def test_system_s_choice_is_followed(page: Page, witness: Witness) -> None:
    witness.allowed.append("status of 404")  # of the page that there is not
    for address in (*(it.path for it in PAGES), "/nowhere"):
        page.goto(address)
        assert not is_dark(page)
        page.emulate_media(color_scheme="dark")
        assert is_dark(page)
        page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("dark", [False, True])
def test_choice_is_kept_everywhere(open_page: OpenPage, dark: bool) -> None:
    page = open_page(dark=dark)
    page.goto("/explore")
    assert is_dark(page) is dark
    toggle(page)
    assert is_dark(page) is not dark
    page.goto("/reference")
    assert is_dark(page) is not dark
    toggle(page)
    assert is_dark(page) is dark
    page.goto("/explore")
    assert is_dark(page) is dark


def test_choice_is_there_before_the_first_paint(open_page: OpenPage) -> None:
    """No flash: the colours are set by the time the body begins."""
    page = open_page(dark=True)
    page.goto("/reference")
    toggle(page)
    page.add_init_script(
        """new MutationObserver((changes, watch) => {
          if (!document.body) return
          window.first = document.documentElement.dataset.theme
          watch.disconnect()
        }).observe(document, {childList: true, subtree: true})"""
    )
    page.reload()
    assert page.evaluate("first") == "light"


def test_refused_storage_does_no_harm(page: Page) -> None:
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, {get() { throw new DOMException('refused') }})"
    )
    explore = Explore(page).open()
    toggle(page)
    assert is_dark(page)
    explore.insert("a = 2.0\nL = a * g")
    expect(explore.error_mark()).to_have_text("g")
    explore.insert("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
