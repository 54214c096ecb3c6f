"""Everyone can use it: axe finds nothing, and every control is reached, and seen, by keyboard."""

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.example_numbers import chain
from tests.browser.explore_page import EXAMPLE, Explore
from tests.browser.explore_states import NETWORK, docs, error, warned

NAME = """place => {
  const on = place.shadowRoot?.activeElement ?? place  // the editor's field is in a shadow root
  return on.getAttribute('aria-label') ?? on.labels?.[0]?.textContent ?? on.textContent.trim()
}"""


def stops(page: Page, most: int = 120) -> list[dict[str, Any]]:
    """Where the Tab key leads, from the start of the page until it leaves it."""
    found: list[dict[str, Any]] = []
    page.evaluate("document.activeElement.blur()")
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => {
              const on = document.activeElement
              if (!on || on === document.body) return null
              const {x, y, width, height} = on.getBoundingClientRect()
              const parts = '.skip, .site, .program, .leaves, .stage, .panel, .tools, .player'
              return {
                part: on.closest(parts)?.classList[0], tag: on.tagName, name: (NAME)(on),
                box: {x, y, width, height},
              }
            }""".replace("NAME", NAME)
        )
        if stop is None:
            break
        found.append(stop)
    return found


def test_tab_leads_through_everything_in_a_sensible_order(page: Page) -> None:
    Explore(page).open()
    has_landmarks_and_headings(page)
    found = stops(page)
    parts = [part for part, _ in groupby(stop["part"] for stop in found)]
    assert parts == ["skip", "site", "program", "leaves", "stage", "panel", "tools", "player"]
    names = [stop["name"] for stop in found]
    for leaf in "abcf":
        at = names.index(f"{leaf}, slider")
        assert names[at + 1] == leaf  # its number field
    picture = [
        stop["name"].split(",")[0].split(":")[0] for stop in found if stop["part"] == "stage"
    ]
    assert sorted(picture) == sorted(chain())  # each card, and nothing else
    assert set(names) >= CONTROLS
    leaves_nothing_out(page, found)
    Explore(page).open(NETWORK, grouped=1)
    boxes = page.get_by_role("button", name=re.compile(": open$"))
    assert set(boxes.evaluate_all("all => all.map(box => box.tabIndex)")) == {0}


CONTROLS = {
    *("Skip to the program", "Explore", "Reference", "Share", "Examples", "Program"),
    *("Light or dark colours", "Look closer"),
    *("First frame", "Back", "Play", "Forward", "Last frame", "Frame"),
}


def leaves_nothing_out(page: Page, found: list[dict[str, Any]]) -> None:
    """Whatever can be pressed is among the places where the Tab key leads."""
    controls = page.evaluate(
        """() => [...document.querySelectorAll(`a[href], button:not(:disabled), select, textarea,
          input:not([type=hidden], :disabled), summary, [role=button]`)]
          .filter(on => on.checkVisibility({visibilityProperty: true}))
          .filter(on => !on.matches('input[type=radio]:not(:checked)'))
          .map(on => [on.tagName, (NAME)(on)])""".replace("NAME", NAME)
    )
    assert len(controls) > 30
    stopped = {(stop["tag"], stop["name"]) for stop in found}
    assert {tuple(control) for control in controls} - stopped == set()
    assert page.locator("[tabindex]:not([tabindex='0'], [tabindex='-1'])").count() == 0


def has_landmarks_and_headings(page: Page) -> None:
    """By which a screen reader finds its way."""
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for name in ("Leaves", "Picture", "Explanation", "Frames"):
        expect(page.get_by_role("region", name=name)).to_have_count(1)
    assert page.locator("html").get_attribute("lang") == "en"


def test_focus_is_seen_wherever_it_is(open_page: OpenPage) -> None:
    """The page looks different around a control that has the focus, and the control is in view.

    In light and dark colours in turn, so that kinds of controls are seen in both.
    """
    page = open_page()
    Explore(page).open("L = 2.0 * 3")
    unseen, outside = [], []
    page.keyboard.press("Escape")
    for number in range(120):
        page.keyboard.press("Tab")
        on = page.evaluate(FOCUSED)
        if on is None:
            break
        name = on.pop("name")
        if not is_inside(on):
            outside.append(name)
        elif not is_seen(page, on):
            unseen.append(name)
        page.emulate_media(color_scheme=("dark", "light")[number % 2])
    assert number > 20
    assert (unseen, outside) == ([], [])


FOCUSED = """() => {
  const on = document.activeElement
  if (!on || on === document.body) return null
  const shown = on.matches('input[type=radio], input[type=checkbox]') ? on.parentElement
    : on.matches('textarea') ? on.closest('.editor') : on
  const {x, y, width, height} = shown.getBoundingClientRect()
  return {name: (NAME)(on), x, y, width, height}
}""".replace("NAME", NAME)


def is_inside(on: dict[str, float]) -> bool:
    """Whether a box is within the window."""
    right, bottom = on["x"] + on["width"], on["y"] + on["height"]
    return on["x"] >= 0 and on["y"] >= 0 and right <= 1440 and bottom <= 860


def is_seen(page: Page, on: dict[str, float]) -> bool:
    """Whether the page around a box changes as the focus leaves it."""
    x, y = max(on["x"] - 5, 0), max(on["y"] - 5, 0)
    clip: FloatRect = {"x": x, "y": y, "width": on["width"] + 10, "height": on["height"] + 10}
    focused = page.screenshot(clip=clip)
    page.evaluate("document.activeElement.blur()")
    return page.screenshot(clip=clip) != focused


def test_skip_links_lead_to_program_and_frames(page: Page) -> None:
    explore = Explore(page).open()
    says_the_picture_in_words(explore)
    explore.open()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the program")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(explore.area).to_be_focused()
    explore.open()  # without the fragment, from which a reload would go on
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the frames")).to_be_focused()
    page.keyboard.press("Enter")
    explore.press("Home")
    explore.is_at(0, 8)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="First frame")).to_be_focused()


def says_the_picture_in_words(explore: Explore) -> None:
    """To who cannot see it."""
    page = explore.page
    expect(page.get_by_role("group", name="Computation graph of L")).to_be_visible()
    for words in (
        "a, leaf: data 2, gradient 6",
        "a*b: data −6, gradient −2",
        "L, output: data −8, gradient 1",
    ):
        expect(page.get_by_role("button", name=words, exact=True)).to_be_visible()
    explore.type_leaf("a", "4")
    expect(
        page.get_by_role("button", name="a, leaf: data 4, gradient 6", exact=True)
    ).to_be_visible()


# Motion


def test_reduced_motion_stops_all_motion(open_page: OpenPage) -> None:
    page = open_page()
    explore = Explore(page).open(NETWORK)
    moving = """() => document.getAnimations().filter(move => move.playState === 'running')
      .filter(move => move.effect.getComputedTiming().endTime > 1)
      .map(move => move.animationName ?? move.transitionProperty)"""
    for act in ("Home", "ArrowRight", "End", "+", "0"):
        explore.press(act)
        assert page.evaluate(moving) == []
    explore.card("x").hover()
    page.get_by_role("button", name="Play", exact=True).hover()
    assert page.evaluate(moving) == []


def test_flow_moves_where_motion_is_welcome_and_comes_to_rest(moving: Page) -> None:
    explore = Explore(moving).open()
    explore.press("Home")
    explore.press("ArrowRight")
    flow = """() => document.getAnimations().filter(move => move.animationName === 'flow')
      .map(move => move.effect.getComputedTiming().endTime)"""
    ends = moving.evaluate(flow)
    assert len(ends) == 3
    assert all(end <= 5000 for end in ends)  # what moves for longer needs a way to be stopped


# Sizes


@pytest.mark.parametrize("state", [error, warned, docs], ids=lambda state: state.__name__)
def test_page_is_never_wider_than_the_window(
    open_page: OpenPage, state: Callable[[Explore], None]
) -> None:
    """Opened on a small phone, which is then turned and becomes another."""
    page = open_page(width=320, height=640)
    state(Explore(page))
    wide = {}
    for width, height in ((320, 640), (640, 320), (390, 844), (844, 390), (1024, 700)):
        page.set_viewport_size({"width": width, "height": height})
        wide[width] = page.evaluate("document.documentElement.scrollWidth")
    assert {width: found for width, found in wide.items() if found > width} == {}


def test_text_spacing_of_a_reader_is_borne(page: Page) -> None:
    """WCAG 1.4.12: a reader's own spacing hides no control and makes the page no wider."""
    explore = Explore(page).open(EXAMPLE)
    page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet()
          sheet.replaceSync(`* {
            line-height: 1.5 !important; letter-spacing: .12em !important;
            word-spacing: .16em !important
          }`)
          document.adoptedStyleSheets = [sheet]
        }"""
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    for name in ("First frame", "Back", "Play"):
        page.get_by_role("button", name=name, exact=True).click(trial=True)
    for menu in ("Share", "Look closer"):
        page.locator("summary", has_text=menu).click(trial=True)
    explore.press("Home")
    explore.is_at(0, 8)
