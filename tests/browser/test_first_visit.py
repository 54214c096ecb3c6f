"""The first visit: before the first step, with one line that says what to do."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, LAST, Explore

# Parts of the stage that are laid over the picture.
OVER = """() => {
  const parts = [...document.querySelectorAll(
    '.tools > *, .minimap, .stale-mark, .start, .caption, .panel, .leaves, .program, .player')]
  return parts.flatMap(part => {
    const {left, top, right, bottom} = part.getBoundingClientRect()
    const name = part.id || part.className || part.tagName
    return right - left > 1 && bottom - top > 1 && part.checkVisibility({visibilityProperty: true})
      ? [[name, left, top, right, bottom, getComputedStyle(part).position === 'fixed']] : []
  })
}"""
SMALLEST = """() => {
  const texts = [...document.querySelectorAll('#picture text:not(.spoken)')].filter(text =>
    text.textContent && text.checkVisibility({visibilityProperty: true}))
  const svg = document.querySelector('#picture')
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  return Math.min(...texts.map(text => parseFloat(getComputedStyle(text).fontSize))) * scale
}"""
NETWORK = "random.seed(10)\nn = MLP(3, [4, 4, 1])\no = n([2.0, 3.0, -1.0])"


def test_bare_address_begins_before_the_first_step(page: Page) -> None:
    explore = Explore(page).go("/explore")
    explore.is_at(0, LAST + 1)
    line = page.locator(".start")
    expect(line).to_be_visible()
    expect(line).to_contain_text("to compute L")
    for name in "abcfL":
        expect(explore.card(name)).to_be_in_viewport(ratio=0.99)
    explore.press("ArrowRight")
    explore.is_at(1, LAST + 1)
    expect(line).to_be_hidden()


def test_example_begins_before_the_first_step(explore: Explore) -> None:
    explore.page.get_by_role("link", name="a + a", exact=True).click()
    explore.is_at(0, 4)
    expect(explore.page.locator(".start")).to_contain_text("to compute b")


def test_link_to_a_program_opens_its_last_frame(page: Page) -> None:
    Explore(page).open(EXAMPLE).is_at(LAST, LAST + 1)
    expect(page.locator(".start")).to_be_hidden()


def test_line_is_there_without_scripts(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto("/explore")
    expect(page.locator(".start")).to_have_text(
        "Press Forward to compute L step by step", use_inner_text=True
    )
    page.get_by_role("link", name="Forward").click()
    expect(page.locator(".start")).to_be_hidden()


def test_texts_of_small_graphs_are_legible(page: Page) -> None:
    """Ten pixels on a screen of 1440 × 860, in every example of up to 20 Values."""
    explore = Explore(page).open()
    links = page.locator(".examples a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    sizes = {}
    for link in [*links, "/?program=a=2;b=-3;c=a*b;d=a%2Bc;L=c*d%2Ba"]:
        explore.go(link)
        count = re.match(r"(\d+) Value", page.locator(".counts").inner_text())
        if count and int(count[1]) <= 20:
            explore.still()
            sizes[link] = page.evaluate(SMALLEST)
    assert len(sizes) > 10
    assert all(size >= 9.99 for size in sizes.values()), sizes


@pytest.mark.parametrize("width", [320, 390, 600, 900, 1024, 1440])
def test_nothing_over_the_picture_overlaps(open_page: OpenPage, width: int) -> None:
    explore = Explore(open_page(width=width, height=860)).open(NETWORK, frame=0, grouped=0)
    check(explore.page)
    if width <= 900:
        explore.page.locator("#program-panel > summary").click()
    explore.area.press("Control+End")
    explore.page.keyboard.type(" * g")
    expect(explore.stale).to_be_visible()
    check(explore.page)


def check(page: Page) -> None:
    """No two parts overlap, but for what is fixed over a page that scrolls."""
    parts = [part for part in page.evaluate(OVER) if not part[5]]
    assert len(parts) > 6
    for i, (one, left, top, right, bottom, _) in enumerate(parts):
        for other, x, y, x1, y1, _ in parts[i + 1 :]:
            apart = min(right, x1) - max(left, x) < 1 or min(bottom, y1) - max(top, y) < 1
            assert apart, (one, other)
