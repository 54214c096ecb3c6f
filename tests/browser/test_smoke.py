"""The first page opens, in every setting a visitor may have, and keeps to itself.

Foreign requests, errors in the console, uncaught errors and violations of the content security
policy fail each of these tests by way of the `witness` fixture.
"""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import COLOURS, Axe, OpenPage

SETTINGS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": {"width": 390, "height": 844, "touch": True},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_first_page_opens_and_is_accessible(open_page: OpenPage, axe: Axe, setting: str) -> None:
    """In light and dark colours, with motion and without."""
    page = open_page(**SETTINGS[setting], motion=True)
    answer = page.goto("/explore")
    assert answer is not None
    assert answer.status == 200
    assert "Seegrad" in page.title()
    assert axe(page) == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert axe(page, COLOURS) == []
    nothing_inline_may_run(answer.headers["content-security-policy"])
    is_never_wider_than_the_window(page)


def nothing_inline_may_run(policy: str) -> None:
    """By the policy of the page."""
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def is_never_wider_than_the_window(page: Page) -> None:
    """At the width of a phone, of a tablet and of a desktop."""
    for width in (390, 768, 1440):
        page.set_viewport_size({"width": width, "height": 860})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_first_page_opens_without_javascript(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    answer = page.goto("/explore")
    assert answer is not None
    assert answer.status == 200
    assert page.get_by_role("heading", level=1).is_visible()
