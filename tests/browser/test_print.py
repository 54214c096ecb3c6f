"""Frames of choice on paper: as many pages as frames were asked for."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import COLOURS, Axe, OpenPage
from tests.browser.explore_page import EXAMPLE, address

LONG = (
    "x = 2.0\n"
    + "\n".join(f"h{i} = (x * {i} + 0.5).tanh()" for i in range(1, 9))
    + ("\nL = " + " + ".join(f"h{i} * h{i}" for i in range(1, 9)))
)


def printed(page: Page, frames: str, program: str = EXAMPLE, **view: object) -> Page:
    """The page of frames."""
    page.goto(address(program, frames=frames, **view).replace("/?", "/print?"))
    return page


def pages(page: Page, size: str = "A4", landscape: bool = False) -> int:
    """The pages of the document that the browser prints."""
    found = page.pdf(format=size, landscape=landscape)
    return len(re.findall(rb"/Type\s*/Page\b", found))


FRAMES = {"all": [1, 2, 3, 4, 5, 6, 7, 8], "1,4-8": [1, 4, 5, 6, 7, 8], "ends": [4, 8], "this": [3]}
"""The frames that a word stands for, where the third is shown."""


def test_a_page_for_each_frame(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    for frames, numbers in FRAMES.items():
        printed(page, frames, frame=2)
        sheets = page.locator(".sheet").all_text_contents()
        assert len(sheets) == len(numbers), frames
        for sheet, number in zip(sheets, numbers, strict=True):
            assert f"frame {number} of 8" in sheet
        assert pages(page) == len(numbers), frames


def test_any_paper(open_page: OpenPage) -> None:
    page = printed(open_page(), "1,9-12", LONG, direction="TB")
    for size, landscape in (("Letter", True), ("A4", True), ("A5", False)):
        assert pages(page, size, landscape) == 5, size


def test_other_frames_by_the_form(open_page: OpenPage) -> None:
    page = printed(open_page(javascript=False), "all")
    page.get_by_label("Frames", exact=True).fill("2, 5-6")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".sheet")).to_have_count(3)
    page.get_by_role("link", name="End of each pass").click()
    expect(page.locator(".sheet")).to_have_count(2)
    page.get_by_role("link", name="Back to the graph").click()
    expect(page.locator("#program")).to_have_value(EXAMPLE)


def test_the_button_prints(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script("window.print = () => { document.title = 'printed' }")
    printed(page, "1").get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")


def test_is_accessible(page: Page, axe: Axe) -> None:
    for frames in ("1,8", "99"):
        printed(page, frames)
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 860})
            assert page.evaluate("document.documentElement.scrollWidth") == width
        assert axe(page) == []
        page.emulate_media(color_scheme="dark")
        assert axe(page, COLOURS) == []
        page.emulate_media(color_scheme="light")
