"""The page stays calm: half a line is not called wrong, nothing jumps, keys step frames again."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import Explore

CALM = 800  # milliseconds

# The time stands still, and what the page puts off for about as long as CALM waits for `pass`.
HOLD = """calm => {
  const now = performance.now(), {setTimeout: wait, clearTimeout: clear} = window
  let last = 0
  window.held = new Map()
  performance.now = () => now
  window.setTimeout = (run, after = 0, ...rest) => {
    if (after < calm / 2 || after > 2 * calm) return wait(run, after, ...rest)
    window.held.set(--last, {run, after})
    return last
  }
  window.clearTimeout = id => window.held.delete(id) || clear(id)
  window.pass = () => window.held.forEach(({run}) => run())
}"""


def break_off(explore: Explore) -> None:
    """Type half a line and wait until the page puts off what the server answered."""
    explore.page.evaluate(HOLD, CALM)
    explore.area.press("Control+End")
    with explore.page.expect_response("**/graph") as answer:
        explore.page.keyboard.type(" *")
    assert answer.value.status == 422
    explore.page.wait_for_function("() => window.held.size > 0")


def test_half_a_line_is_refused_only_after_a_while(explore: Explore) -> None:
    below = explore.page.locator(".examples, .leaves header, .leaf")
    places = [explore.box(part) for part in below.all()]
    break_off(explore)
    explore.painted()
    assert explore.problem.text_content() == ""
    assert explore.stale.is_hidden()
    assert explore.area.get_attribute("aria-invalid") != "true"
    assert explore.page.evaluate("[...held.values()].map(({after}) => after)") == [CALM]
    explore.page.evaluate("pass()")
    expect(explore.problem).to_contain_text("line 5")
    expect(explore.stale).to_be_visible()
    expect(explore.error_mark()).to_have_count(1)
    assert [explore.box(part) for part in below.all()] == places


def test_line_that_is_finished_in_time_is_never_refused(explore: Explore) -> None:
    explore.page.evaluate(
        """() => {
          window.refusals = 0
          new MutationObserver(() => { window.refusals += 1 })
            .observe(document.querySelector('#problem'), {childList: true})
        }"""
    )
    break_off(explore)
    explore.page.keyboard.type(" 2")
    explore.shows("L", -16, 1)
    explore.page.evaluate("pass()")
    explore.painted()
    assert explore.page.evaluate("window.refusals") == 0
    expect(explore.stale).to_be_hidden()


@pytest.mark.parametrize("how", ["Control+Enter", "Escape"])
def test_finished_typing_shows_the_error_at_once(explore: Explore, how: str) -> None:
    break_off(explore)
    explore.press(how)
    expect(explore.problem).to_contain_text("line 5")
    expect(explore.stale).to_be_visible()


def test_slider_moved_by_mouse_gives_the_keys_back(explore: Explore) -> None:
    x, y = explore.middle(explore.slider("c"))
    explore.page.mouse.move(x, y)
    explore.page.mouse.down()
    explore.page.mouse.move(x + 20, y)
    explore.page.mouse.up()
    expect(explore.slider("c")).not_to_be_focused()
    before = explore.slider("c").input_value()
    explore.press("ArrowLeft")
    explore.is_at(6, 8)
    assert explore.slider("c").input_value() == before


def test_slider_reached_by_tab_keeps_the_keys(explore: Explore) -> None:
    explore.field("b").focus()
    explore.press("Tab")
    expect(explore.slider("c")).to_be_focused()
    x, y = explore.middle(explore.slider("c"))
    explore.page.mouse.click(x, y)
    expect(explore.slider("c")).to_be_focused()
    before = float(explore.slider("c").input_value())
    explore.press("ArrowLeft")
    assert float(explore.slider("c").input_value()) < before
    explore.is_at(7, 8)


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("x = 0.0\ny = x * 3", "If x grows by 0.01, y grows by about 0.03."),
        ("x = 0.00042\ny = x * 3", "If x grows by 0.000004, y grows by about 0.000012."),
        ("x = -0.5\ny = x * -2", "If x grows by 0.005, y falls by about 0.01."),
        ("x = 0.0\ny = relu(x)", ""),
        ("x = -1.0\ny = log(x)", ""),
    ],
)
def test_sentence_takes_a_nudge_that_fits(explore: Explore, program: str, sentence: str) -> None:
    explore.open(program)
    expect(explore.card("y")).to_be_visible()
    expect(explore.page.locator("#sentence")).to_have_text(sentence)


@pytest.mark.parametrize("height", [1000, 860, 640, 480])
def test_every_example_of_the_list_can_be_seen(open_page: OpenPage, height: int) -> None:
    explore = Explore(open_page(height=height)).open()
    chips = explore.page.locator(".examples > a.chip")
    expect(chips).to_have_count(6)
    if not explore.area.is_visible():
        explore.page.locator("#program-panel > summary").click()
    explore.page.locator(".more > summary").click()
    links = explore.page.locator(".more li a")
    expect(links.first).to_be_in_viewport(ratio=1)
    expect(links.last).to_be_in_viewport(ratio=1)


def test_phone_on_its_side_leaves_room_for_the_picture(open_page: OpenPage) -> None:
    explore = Explore(open_page(width=844, height=390, touch=True)).open()
    _, _, _, player = explore.box(explore.page.locator("#player"))
    assert player <= 52
    expect(explore.canvas).to_be_in_viewport(ratio=1)
    _, _, _, canvas = explore.box(explore.canvas)
    assert canvas >= 220
