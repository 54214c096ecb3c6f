"""The presentation: picture and explanation fill the window; keys step, and Escape leaves."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import COLOURS, Axe, OpenPage
from tests.browser.explore_page import LAST, Explore

SHOWN = ("#stage", "#explanation", "#progress")
HIDDEN = (
    ".site", "#program-panel", "#leaves", ".tools", ".caption", "#transcript", "#lenses",
    ".panel-head", "#numbers",
)  # fmt: skip
STEPS = [
    ("Home", 0), ("ArrowRight", 1), ("ArrowDown", 2), ("PageDown", 3), ("Space", 4),
    ("ArrowLeft", 3), ("ArrowUp", 2), ("PageUp", 1), ("End", LAST),
]  # fmt: skip
"""Keys pressed one after the other, and the frames that they lead to."""


def presented(open_page: OpenPage, width: int = 1280, height: int = 720, frame: int = 3) -> Explore:
    """The example, presented by its address."""
    page = open_page(width=width, height=height)
    example = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
    return Explore(page).open(example, frame=frame, present="on")


def is_at(page: Page, frame: int) -> None:
    """Expect the picture at a frame."""
    expect(page.locator("#picture")).to_have_attribute("data-frame", str(frame))


def is_presenting(page: Page, turned_on: bool = True) -> None:
    """Expect the presentation to be on, or off, with nothing else to be seen while it is."""
    expect(page.locator("#explanation")).to_be_visible()
    for part in HIDDEN if turned_on else ():
        expect(page.locator(part)).to_be_hidden()
    for part in SHOWN if turned_on else (".site", "#program-panel"):
        expect(page.locator(part)).to_be_visible()


def test_by_keyboard_alone(explore: Explore) -> None:
    page = explore.page
    page.locator("#share-menu > summary").press("Enter")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".present-link")).to_be_focused()
    page.keyboard.press("Enter")
    is_presenting(page)
    expect(page).to_have_url(re.compile("&present=on"))
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    is_at(page, 1)
    page.keyboard.press("Escape")
    is_presenting(page, False)
    expect(page.locator("#share-menu > summary")).to_be_focused()
    expect(page).not_to_have_url(re.compile("present"))
    explore.is_at(1, LAST + 1)


def test_every_key_of_a_clicker_steps_and_moves_no_node(open_page: OpenPage) -> None:
    explore = presented(open_page)
    page, places = explore.page, explore.places()
    for key, frame in STEPS:
        page.keyboard.press(key)
        is_at(page, frame)
        explore.painted()
        assert explore.places() == places
    is_presenting(page)
    page.keyboard.press(".")  # darkens the screen
    expect(page.locator("body")).to_have_class(re.compile("dark-screen"))
    is_at(page, LAST)
    page.keyboard.press("PageUp")
    expect(page.locator("body")).not_to_have_class(re.compile("dark-screen"))
    is_at(page, LAST - 1)


NEURON = """\
x1 = Value(2.0, label='x1')
x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1')
w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
"""
SMALLEST = """() => {
  const picture = document.querySelector('#picture')
  const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width
  const pixels = text => parseFloat(getComputedStyle(text).fontSize)
  const drawn = [...picture.querySelectorAll('text:not(.spoken)')].filter(text => text.textContent)
  return Math.min(...drawn.map(text => pixels(text) * scale),
    pixels(document.querySelector('#explanation')))
}"""
"""The size in pixels of the smallest text of picture and sentence on the screen."""


def test_neuron_of_the_lecture_fills_a_projector_and_is_read_from_afar(
    open_page: OpenPage,
) -> None:
    page = open_page(width=1024, height=768)
    explore = Explore(page).open(NEURON, frame=7, present="on")
    expect(explore.picture).to_have_attribute("data-direction", "TB")  # the window was told
    explore.still()
    is_at(page, 7)
    assert page.evaluate(SMALLEST) >= 18
    assert explore.is_whole()
    assert explore.box(explore.picture)[3] > 0.9 * 768
    words, (left, _, width, _) = explore.box(explore.explanation), explore.box(explore.canvas)
    assert words[0] >= left + width
    assert words[0] + words[2] <= 1024
    expect(page).to_have_url(re.compile("present=on$"))
    expect(explore.card("x1*w1 + x2*w2")).to_be_visible()  # no name is cut
    page.keyboard.press("ArrowRight")
    is_at(page, 8)
    page.keyboard.press("Escape")
    is_presenting(page, False)
    expect(explore.picture.locator(".large")).to_have_count(0)
    is_at(page, 8)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_nothing_overlaps(open_page: OpenPage, width: int, height: int) -> None:
    explore = presented(open_page, width, height, frame=6)
    explore.still()
    words, bar = explore.box(explore.explanation), explore.box(explore.page.locator("#progress"))
    canvas = explore.box(explore.canvas)
    assert canvas[1] >= 0
    assert canvas[1] + canvas[3] <= words[1] + 1
    assert words[1] + words[3] <= bar[1]
    assert round(bar[1] + bar[3]) == height
    assert words[0] >= 0
    assert words[0] + words[2] <= width
    if width > height:
        expect(explore.picture).to_be_in_viewport(ratio=0.99)
        assert explore.box(explore.picture)[2] > 0.8 * width


def test_the_player_comes_with_the_pointer_and_covers_no_text(open_page: OpenPage) -> None:
    explore = presented(open_page)
    page = explore.page
    player = page.locator("#player")
    expect(player).to_have_css("opacity", "0")
    below = explore.box(explore.explanation)[1]
    page.mouse.move(300, 200)
    page.mouse.move(360, 240)
    expect(player).to_have_css("opacity", "1")
    page.wait_for_function(
        """() => document.querySelector('#explanation').getBoundingClientRect().bottom
          < document.querySelector('#player').getBoundingClientRect().top"""
    )
    assert explore.box(explore.explanation)[1] < below
    page.get_by_role("button", name="Forward").click()
    is_at(page, 4)
    page.get_by_role("button", name="Leave").click()
    is_presenting(page, False)


def test_without_scripts_links_step(open_page: OpenPage) -> None:
    page = open_page(width=1280, height=720, javascript=False)
    page.goto("/?program=a+%3D+2.0%0AL+%3D+a+*+3&frame=0&present=on")
    steps = page.get_by_role("navigation", name="Step")
    steps.get_by_role("link", name="Forward").click()
    is_at(page, 1)
    for part in HIDDEN:
        expect(page.locator(part).first).to_be_hidden()
    steps.get_by_role("link", name="Leave").click()
    expect(page.locator("#program-panel")).to_be_visible()


def test_is_accessible(page: Page, axe: Axe) -> None:
    Explore(page).open("a = 3.0\nL = a * a", mistake="assign", present="on")
    expect(page.locator("#verdict")).to_contain_text("Broken on purpose")
    expect(page.locator("#verdict .sentence")).to_be_visible()
    assert axe(page) == []
    page.mouse.move(300, 200)
    page.mouse.move(360, 240)
    expect(page.locator("#player")).to_have_css("opacity", "1")
    assert axe(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe(page, COLOURS) == []
