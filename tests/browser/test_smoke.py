"""The first page opens, in every setting a visitor may have, and keeps to itself.

Foreign requests, errors in the console, uncaught errors and violations of the content security
policy fail each of these tests by way of the `witness` fixture.
"""

from typing import Any

import pytest

from tests.browser.conftest import Axe, OpenPage

SETTINGS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "dark": {"dark": True},
    "phone": {"width": 390, "height": 844, "touch": True},
    "phone-dark": {"width": 390, "height": 844, "touch": True, "dark": True},
    "motion": {"motion": True},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_first_page_opens_and_is_accessible(open_page: OpenPage, axe: Axe, setting: str) -> None:
    page = open_page(**SETTINGS[setting])
    answer = page.goto("/explore")
    assert answer is not None
    assert answer.status == 200
    assert "Seegrad" in page.title()
    assert axe(page) == []


def test_first_page_opens_without_javascript(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    answer = page.goto("/explore")
    assert answer is not None
    assert answer.status == 200
    assert page.get_by_role("heading", level=1).is_visible()


def test_nothing_inline_may_run(open_page: OpenPage) -> None:
    answer = open_page().goto("/explore")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("width", [1440, 768, 390])
def test_page_is_never_wider_than_the_window(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    page.goto("/explore")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
