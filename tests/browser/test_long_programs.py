"""A program of any length: the page keeps to the window, and the editor scrolls in its box."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from app.packed_text import pack
from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, requests
from tests.support import packed_texts
from tests.support.each import for_each

# The height of the window, the document's, and the lower edge of Play.
HEIGHTS = """() => [
  innerHeight,
  document.documentElement.scrollHeight,
  document.querySelector('#play').getBoundingClientRect().bottom,
]"""
TRAINING = """
random.seed(1)
n = MLP(2, [3, 1])
for k in range(3):
    loss = (n([2.0, 3.0]) - 1.0)**2
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    for p in n.parameters():
        p.data += -0.05 * p.grad
    print(k, loss.data, [p.data for p in n.parameters()])
"""


def long_program(count: int) -> str:
    """A program of `count` lines whose graph is small: most lines are remarks."""
    lines = ["a = 2.0", "b = -3.0", "c = a * b", *(f"# remark {i}" for i in range(count - 4))]
    return "\n".join([*lines, "L = c * 2"])


def wrong_program(count: int, line: int) -> str:
    """The same with an unknown name on one line."""
    lines = long_program(count).split("\n")
    lines[line - 1] = "c = a * g"
    return "\n".join(lines)


def fits(page: Page) -> None:
    """The page is as tall as the window and Play is on it."""
    window, document, play = page.evaluate(HEIGHTS)
    assert document == window
    assert play <= window


def scroller(explore: Explore) -> Locator:
    """The part of the editor that scrolls."""
    return explore.page.locator("#editor .cm-scroller")


def is_in_the_editor(explore: Explore, mark: str) -> None:
    """The marked text lies in the editor's box, above the message if there is one."""
    _, top, _, height = explore.box(explore.page.locator("#editor"))
    bottom = top + height
    if explore.problem.is_visible():
        bottom = explore.box(explore.problem)[1]
    _, y, _, row = explore.box(explore.page.locator(mark))
    assert top <= y
    assert y + row <= bottom + 1


def test_page_is_as_tall_as_the_window_and_stays_so_while_the_program_grows(
    open_page: OpenPage,
) -> None:
    page = open_page(height=600)
    explore = Explore(page).open(long_program(30))
    expect(explore.cards).to_have_count(5)
    for count in (30, 300):
        if count > 30:
            explore.paste(long_program(count))
            expect(explore.where).to_have_text("frame 6 of 6")
        for height in (600, 860):
            page.set_viewport_size({"width": 1440, "height": height})
            explore.painted()
            fits(page)
            expect(page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
            assert scroller(explore).evaluate("it => it.scrollHeight > it.clientHeight")


def test_a_long_program_opens_as_tall_as_the_window(page: Page) -> None:
    explore = Explore(page).open(long_program(300))
    fits(page)
    assert scroller(explore).evaluate("it => it.scrollHeight > it.clientHeight")
    stepping_scrolls_the_editor_to_the_active_line(explore)
    lines_and_their_numbers_stay_side_by_side(explore)


@for_each("line", [3, 150, 299])
def test_error_of_a_link_is_seen(page: Page, line: int) -> None:
    explore = Explore(page).open(wrong_program(300, line))
    expect(explore.error_mark()).to_have_text("g")
    expect(explore.problem).to_contain_text(f"line {line}, column 9")
    expect(explore.problem).to_be_in_viewport(ratio=1)
    explore.painted()  # the editor scrolls with the next picture on the screen
    is_in_the_editor(explore, "#editor mark.error")
    fits(page)


def test_error_of_pasted_text_is_seen_and_the_editor_stays_with_who_types(page: Page) -> None:
    explore = Explore(page).open()
    explore.paste(wrong_program(300, 3))
    expect(explore.problem).to_contain_text("line 3, column 9")
    expect(explore.problem).to_be_in_viewport(ratio=1)
    explore.painted()
    is_in_the_editor(explore, "#editor mark.error")
    fits(page)
    explore.area.press("Control+End")
    with page.expect_response("**/graph"):
        page.keyboard.type(" + 1")
    before = scroller(explore).evaluate("it => it.scrollTop")
    assert before > 0
    expect(explore.problem).to_contain_text("line 3")  # said again, as it is still wrong
    expect(explore.area).to_have_attribute("aria-invalid", "true")
    explore.painted()
    assert scroller(explore).evaluate("it => it.scrollTop") == before


def stepping_scrolls_the_editor_to_the_active_line(explore: Explore) -> None:
    explore.press("Home")
    for line in (2, 299):  # c = a * b, then L = c * 2
        explore.press("ArrowRight")
        mark = explore.page.locator("#editor mark.forward")
        number = explore.page.locator("#editor .cm-lineNumbers .forward")
        expect(mark).to_be_visible()
        explore.painted()
        is_in_the_editor(explore, "#editor mark")
        expect(number).to_have_text(str(line + 1))


def lines_and_their_numbers_stay_side_by_side(explore: Explore) -> None:
    page = explore.page
    scroller(explore).evaluate("it => { it.scrollTop = 2000 }")
    expect(page.locator("#editor .cm-line", has_text="# remark 100")).to_be_visible()
    for remark in (100, 105):
        line = page.locator("#editor .cm-line", has_text=f"# remark {remark}")
        number = page.locator("#editor .cm-lineNumbers .cm-gutterElement").get_by_text(
            str(remark + 4), exact=True
        )
        assert explore.box(line)[1] == pytest.approx(explore.box(number)[1], abs=0.5)


def test_long_printed_lines_scroll_by_themselves(page: Page) -> None:
    explore = Explore(page).open(TRAINING)
    expect(explore.picture).to_be_visible()
    printed = page.locator(".printed pre")
    assert printed.evaluate("pre => pre.scrollWidth > pre.clientWidth")
    for part in ("#numbers", ".printed", ".panel"):
        x, _, width, _ = explore.box(page.locator(part))
        assert x + width <= 1440
    assert page.evaluate("document.documentElement.scrollWidth") == 1440
    fits(page)


def test_too_long_a_program_is_not_sent_and_long_messages_stay_inside_the_editor(
    page: Page,
) -> None:
    explore = Explore(page).open()
    with requests(page) as sent:
        text = "".join(f"a{i} = {i}.0  # the leaf number {i}\n" for i in range(2_000))
        explore.paste(text)
        expect(explore.problem).to_contain_text(f"{len(text):,} bytes; the limit is 65,536")
        expect(explore.problem.get_by_role("button")).to_have_count(0)
        expect(explore.stale).to_be_visible()
    assert not [url for url in sent if "/graph" in url]
    explore.press("Escape")
    explore.press("Home")  # the picture before it still obeys
    explore.is_at(0, 8)
    explore.press("End")
    for wrong in ("x = 1.0\n" + "y" * 3000, "a = 2.0\nL = a * g"):
        explore.paste(wrong)
        expect(explore.problem).to_contain_text("line 2")
        explore.painted()
        _, top, _, height = explore.box(page.locator("#editor"))
        _, y, _, tall = explore.box(explore.problem)
        assert top <= y
        assert y + tall <= top + height + 0.5
    explore.paste("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    expect(explore.problem).to_be_empty()
    assert explore.seen_lines() == ["a = 2.0", "L = a * 3"]


def test_a_huge_paste_leaves_the_text_as_it_was(page: Page) -> None:
    """Browsers stand still over thousands of lines in a field."""
    explore = Explore(page).open()
    text = "".join(f"a{i} = {i}.0 + 1.0\n" for i in range(24_000))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    explore.area.press("Control+a")
    explore.press("Control+v")
    expect(explore.problem).to_contain_text(f"{len(text):,} bytes; the limit is 65,536")
    expect(explore.problem.get_by_role("button")).to_have_count(0)
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.stale).to_be_hidden()
    explore.write("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    expect(explore.problem).to_be_empty()


def test_link_of_a_long_program_leads_back_to_it(page: Page) -> None:
    """Packed by the page, unpacked by the server, and by the page when it goes back."""
    text = "# λ\n" + long_program(4_000)
    explore = Explore(page).open(EXAMPLE)
    packed_texts.judge(page.evaluate(packed_texts.script()))
    explore.paste(text)
    page.wait_for_url(re.compile(r"/\?packed="))
    assert len(page.url) < 30_000 < len(text)
    assert page.request.get(page.url.replace("/?", "/graph.svg?")).ok
    page.goto(page.url)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    expect(explore.program).to_have_value(text)
    explore.paste(EXAMPLE)
    page.wait_for_url(re.compile(r"/\?program="))
    page.go_back()
    expect(explore.program).to_have_value(text)


def test_browser_without_streams_has_the_plain_link(page: Page) -> None:
    page.add_init_script("delete window.CompressionStream; delete window.DecompressionStream")
    explore = Explore(page).open(EXAMPLE)
    text = long_program(1_000)
    explore.paste(text)
    page.wait_for_url(re.compile(r"/\?program=a.*remark\+900"))
    page.goto("/?packed=" + pack(text))
    expect(explore.ready().program).to_have_value(text)
    explore.press("Home")
    expect(explore.where).to_have_text(re.compile("^frame 1 of"))
