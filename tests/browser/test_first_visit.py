"""The first visit: before the first step, with one line that says what to do."""

import re

from playwright.sync_api import Page, expect

from app.explore.examples import EXAMPLES
from engine.trace.build import trace
from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, LAST, Explore
from tests.support.pages import client, read

# Parts of the stage that are laid over the picture.
OVER = """() => {
  const parts = [...document.querySelectorAll(
    '.tools > *, .map-room, .stale-mark, .start, .caption, .panel, .leaves, .player,'
    + '.program form, .program h2, .gist')]
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
WIDTHS = [1440, 1024, 900, 600, 390, 320]
NETWORK = "random.seed(10)\nn = MLP(3, [4, 4, 1])\no = n([2.0, 3.0, -1.0])"


def test_first_page_and_examples_begin_before_the_first_step(page: Page) -> None:
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
    entry_brings_its_example(explore)
    explore.open(EXAMPLE).is_at(LAST, LAST + 1)  # as any link to a program
    expect(line).to_be_hidden()


def entry_brings_its_example(explore: Explore) -> None:
    """Before its first step, with what it prints."""
    explore.page.locator(".more > summary").click()
    explore.page.get_by_role("link", name="a + a", exact=True).click()
    explore.is_at(0, 4)
    expect(explore.page.locator(".start")).to_contain_text("to compute b")
    expect(explore.program).to_have_value(re.compile(r"b = a \+ a"))
    explore.press("End")
    explore.shows("a", 3, 2)
    expect(explore.page.locator(".printed pre")).to_have_text("2.0")


def test_line_is_there_without_scripts(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto("/explore")
    expect(page.locator(".start")).to_have_text(
        "Press Forward to compute L step by step", use_inner_text=True
    )
    page.get_by_role("link", name="Forward").click()
    expect(page.locator(".start")).to_be_hidden()


def test_texts_of_small_graphs_are_legible(page: Page) -> None:
    """Nine pixels at 1440 × 860, in the widest and highest small examples; a neuron at 1024."""
    small = [one for one in EXAMPLES if len(trace(one.program).nodes) <= 20]
    size = {one.slug: picture_size(one.address) for one in small}
    widest, highest = (max(small, key=lambda one: size[one.slug][side]) for side in (0, 1))
    assert widest is not highest
    addresses = [widest.address, highest.address, "/?program=a=2;b=-3;c=a*b;d=a%2Bc;L=c*d%2Ba"]
    explore = Explore(page)
    for to in addresses:
        explore.go(to)
        explore.still()
        assert page.evaluate(SMALLEST) >= 9, to
    page.set_viewport_size({"width": 1024, "height": 768})
    explore.go(next(one.address for one in EXAMPLES if one.title == "Neuron with tanh"))
    expect(page.locator("[data-whole]")).to_be_visible()
    assert page.evaluate(SMALLEST) >= 9


def picture_size(address: str) -> tuple[float, float]:
    """Width and height of a picture, in its own units."""
    picture = read(client().get(address).text).one("svg", id="picture")
    _, _, width, height = map(float, picture.attributes["viewbox"].split())
    return width, height


def test_nothing_over_the_picture_overlaps(open_page: OpenPage) -> None:
    """At any width, also with the program open and wrong."""
    explore = Explore(open_page(width=WIDTHS[-1], height=860)).open(NETWORK, frame=0, grouped=0)
    check_at(explore.page, WIDTHS)
    explore.page.locator("#program-panel > summary").click()
    explore.area.press("Control+End")
    explore.page.keyboard.type(" * g")
    expect(explore.stale).to_be_visible()
    check_at(explore.page, WIDTHS[::-1])


def check_at(page: Page, widths: list[int]) -> None:
    """Look at every width."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 860})
        check(page)


def check(page: Page) -> None:
    """No two parts overlap, but for what is fixed over a page that scrolls."""
    parts = [part for part in page.evaluate(OVER) if not part[5]]
    assert len(parts) > 5
    for i, (one, left, top, right, bottom, _) in enumerate(parts):
        for other, x, y, x1, y1, _ in parts[i + 1 :]:
            apart = min(right, x1) - max(left, x) < 1 or min(bottom, y1) - max(top, y) < 1
            assert apart, (one, other)
