"""The page for an iframe: it steps on another site, and leaves nothing behind there."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.conftest import COLOURS, Axe, OpenPage, free_port
from tests.browser.explore_page import EXAMPLE, Explore, address
from tests.browser.witness import HOST, Witness


class Elsewhere(BaseHTTPRequestHandler):
    """Another site: each path is a page with the line given for it."""

    lines: ClassVar[dict[str, str]] = {}

    def do_GET(self) -> None:
        """Answer with the page."""
        body = self.lines.get(self.path, "").encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(
            b"<!doctype html><html lang=en><title>Notes</title><link rel=icon href=data:,>" + body
        )

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        """Nothing is logged."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The address of another site."""
    with ThreadingHTTPServer((HOST, free_port()), Elsewhere) as site:
        thread = Thread(target=site.serve_forever)
        thread.start()
        yield f"http://{HOST}:{site.server_port}"
        site.shutdown()
        thread.join()


Embed = Callable[[Page, str], FrameLocator]


@pytest.fixture
def embedded(elsewhere: str) -> Embed:
    """Opens a page of another site with the line of an iframe."""

    def open_there(page: Page, line: str) -> FrameLocator:
        path = f"/{len(Elsewhere.lines)}"
        Elsewhere.lines[path] = line
        page.goto(elsewhere + path)
        return page.frame_locator("iframe")

    return open_there


def line(server: str, program: str = EXAMPLE, **view: object) -> str:
    """An iframe with a program."""
    path = address(program, **view).replace("/?", "/embed?")
    return f'<iframe src="{server}{path}" width="760" height="560" title="Graph"></iframe>'


def test_it_steps_on_another_site(open_page: OpenPage, server: str, embedded: Embed) -> None:
    page = open_page()
    inner = embedded(page, line(server, frame=3))
    expect(inner.locator("#where")).to_have_text("frame 4 of 8")
    here, before = page.url, page.evaluate("history.length")
    inner.get_by_role("button", name="Forward").click()
    expect(inner.locator("#pass")).to_have_text("backward")
    inner.get_by_role("button", name="Last frame").click()
    expect(inner.locator("#where")).to_have_text("frame 8 of 8")
    expect(inner.locator("#explanation")).to_contain_text("6.0000")
    inner.get_by_role("slider", name="Frame").fill("0")
    expect(inner.locator("#where")).to_have_text("frame 1 of 8")
    page.keyboard.press("ArrowRight")
    expect(inner.locator("#where")).to_have_text("frame 2 of 8")
    assert page.evaluate("history.length") == before
    assert page.url == here
    (frame,) = page.frames[1:]
    assert frame.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        0, 0, "",
    ]  # fmt: skip


def test_other_pages_cannot_be_framed(
    open_page: OpenPage, server: str, embedded: Embed, witness: Witness
) -> None:
    witness.allowed.append("frame-ancestors")
    page = open_page()
    shown = line(server).replace("/embed?", "/?")
    inner = embedded(page, shown)
    expect(inner.locator("#picture")).to_have_count(0)
    page.wait_for_load_state()
    expect(inner.locator("#picture")).to_have_count(0)


def test_nothing_but_picture_explanation_and_player(open_page: OpenPage) -> None:
    page = open_page()
    page.goto(address(EXAMPLE).replace("/?", "/embed?"))
    assert page.locator("a:visible, form, textarea, .site").count() == 0
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for key in ("Home", "PageDown", "ArrowRight", "End"):
        page.keyboard.press(key)
    expect(page.locator("#where")).to_have_text("frame 8 of 8")
    assert asked == []


def test_a_box_opens_in_place(open_page: OpenPage, server: str, embedded: Embed) -> None:
    page = open_page()
    program = "random.seed(1)\nn = MLP(1, [3, 1])\ny = n([0.5])"
    inner = embedded(page, line(server, program, grouped=1))
    before = page.evaluate("history.length")
    boxes = inner.locator("#picture .group")
    box = boxes.first
    group = box.get_attribute("data-group")
    box.press("Enter")
    expect(inner.locator(f'#picture .cluster[data-group="{group}"]')).to_have_count(1)
    assert page.evaluate("history.length") == before


def test_the_menu_copies_link_and_line_and_leads_to_print(
    explore: Explore, server: str, embedded: Embed
) -> None:
    page = explore.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explore.press("Home")
    explore.press("ArrowRight")
    page.locator("#share-menu > summary").press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#copy-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#copy-link b")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.get_by_role("button", name=re.compile("Embed line")).click()
    expect(page.locator("#share-embed b")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r'<iframe src="[^"<>]+"( \w+="[^"<>]+")+></iframe>', copied)
    assert unescape(copied).startswith(f'<iframe src="{server}/embed?program=')
    page.locator("#share-menu").get_by_role("link", name=re.compile("Print")).click()
    expect(page).to_have_url(re.compile(r"/print\?program="))
    expect(page.locator(".sheet")).to_have_count(8)
    inner = embedded(page, copied)
    expect(inner.locator("#where")).to_have_text("frame 2 of 8")


def test_without_scripts_links_step(open_page: OpenPage, server: str, embedded: Embed) -> None:
    page = open_page(javascript=False)
    inner = embedded(page, line(server, frame=3))
    expect(inner.locator("#frame-title")).to_have_text("Frame 4 of 8")
    inner.get_by_role("link", name="Forward").click()
    expect(inner.locator("#frame-title")).to_have_text("Frame 5 of 8")


def test_is_accessible(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(width=390, height=844)
    page.goto(address(EXAMPLE).replace("/?", "/embed?"))
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    expect(page.locator("#picture")).to_have_attribute("data-direction", "TB")  # else cut off
    expect(page.locator("#canvas")).not_to_have_class(re.compile("scrolled"))
    assert axe(page) == []
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.emulate_media(color_scheme="dark")
    assert axe(page, COLOURS) == []
