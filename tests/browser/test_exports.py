"""Exports: the menu of the page, and the file that steps offline."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from app.explore.exports import EXPORTS
from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import Explore, address
from tests.support.pages import client

PROGRAM = "a = Value(2.0)\nb = Value(-3.0)\nc = a * b\nd = a + c\nL = c * d + a"


def offline(open_page: OpenPage, folder: Path, program: str = PROGRAM) -> Page:
    """The exported file, opened from the disk."""
    path = folder / "graph.html"
    path.write_bytes(client().get("/export/html", params={"program": program}).content)
    page = open_page(width=900)
    page.goto(path.as_uri())
    return page


def test_the_file_steps_offline(open_page: OpenPage, tmp_path: Path, axe: Axe) -> None:
    page = offline(open_page, tmp_path)
    assert axe(page) == []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    card = page.locator("#picture .value", has_text="a").first
    title, words = page.locator("#frame-title"), page.locator("#explanation")
    page.keyboard.press("Home")
    expect(title).to_have_text(re.compile("Frame 1 of"))
    expect(page.locator("#picture .value.pending").first).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("Multiply a by b")
    page.get_by_role("button", name="Last frame").click()
    expect(page.locator("#pass")).to_have_text("backward")
    expect(card).to_contain_text("25.0000")
    page.get_by_role("slider", name="Frame").fill("0")
    expect(title).to_have_text(re.compile("Frame 1 of"))
    page.get_by_role("button", name="Play").click()
    expect(title).to_have_text(re.compile("Frame 2 of"), timeout=15_000)
    page.get_by_role("button", name="Pause").click()
    assert asked == []


def test_the_file_keeps_hostile_text_as_text(open_page: OpenPage, tmp_path: Path) -> None:
    text = 'a = Value(2.0, label="</script><b id=evil>")\nL = a * a'
    page = offline(open_page, tmp_path, text)
    expect(page.locator("#frame-title")).to_have_text(re.compile("Frame .* of"))
    assert page.locator("#evil").count() == 0


def test_the_menu_by_keyboard_and_its_links(explore: Explore, tmp_path: Path) -> None:
    page = explore.page
    menu = page.locator("#export-menu")
    summary = menu.locator("summary")
    expect(page.get_by_role("link", name="PyTorch")).to_be_hidden()
    share = page.locator("#share-menu > summary")
    share.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link")).to_have_count(len(EXPORTS))
    page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("link").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("link").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("link").first).to_be_hidden()
    expect(share).to_be_focused()
    explore.exports()
    page.locator("#canvas").click(position={"x": 5, "y": 5})
    expect(menu.get_by_role("link").first).to_be_hidden()
    links_follow_frame_and_leaves(explore, tmp_path)


def links_follow_frame_and_leaves(explore: Explore, folder: Path) -> None:
    """Also to a file."""
    explore.press("ArrowLeft")
    explore.type_leaf("a", "4")
    page = explore.page
    explore.exports()
    link = page.get_by_role("link", name="Plain Python")
    expect(link).to_have_attribute("href", re.compile(r"^/export/python\?.*a=4.*at=7"))
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "graph.py"
    download.value.save_as(folder / "graph.py")
    assert "a = 4.0" in (folder / "graph.py").read_text("utf-8")


def test_the_menu_fits(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(width=320)
    page.goto(address(PROGRAM))
    Explore(page).exports()
    for width in (320, 700, 1440):
        page.set_viewport_size({"width": width, "height": 860})
        box = page.locator("#share-menu .export-list").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    assert axe(page) == []


def test_without_scripts_the_menu_is_links(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto(address(PROGRAM, frame=4))
    Explore(page).exports()
    href = page.get_by_role("link", name="JAX").get_attribute("href") or ""
    assert href.startswith("/export/jax?")
    assert "at=5" in href
