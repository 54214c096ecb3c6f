"""The page stays calm: half a line is not called wrong, nothing jumps, keys step frames again."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore

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


def restore(explore: Explore) -> None:
    """Show the example again, with nothing put off."""
    explore.paste(EXAMPLE)
    explore.shows("L", -8, 1)
    expect(explore.problem).to_be_empty()
    explore.page.evaluate("held.clear()")


def break_off(explore: Explore) -> None:
    """Type half a line and wait until the page puts off what the server answered."""
    explore.area.press("Control+End")
    with explore.page.expect_response("**/graph") as answer:
        explore.page.keyboard.type(" *")
    assert answer.value.status == 422
    explore.page.wait_for_function("() => window.held.size > 0")


def test_half_a_line_is_refused_only_after_a_while_or_at_once_when_asked(explore: Explore) -> None:
    explore.page.evaluate(HOLD, CALM)
    line_that_is_finished_in_time_is_never_refused(explore)
    half_a_line_is_refused_only_after_a_while(explore)
    for how in ("Control+Enter", "Escape"):
        restore(explore)
        break_off(explore)
        explore.press(how)
        expect(explore.problem).to_contain_text("line 5")
        expect(explore.stale).to_be_visible()


def half_a_line_is_refused_only_after_a_while(explore: Explore) -> None:
    restore(explore)
    below = explore.page.locator(".leaves header, .leaf")
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


def line_that_is_finished_in_time_is_never_refused(explore: Explore) -> None:
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


def test_slider_gives_the_keys_back_to_the_mouse_and_keeps_those_of_tab(explore: Explore) -> None:
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
    explore.press("End")
    explore.field("b").focus()
    explore.press("Tab")
    expect(explore.slider("c")).to_be_focused()
    explore.page.mouse.click(x, y)
    expect(explore.slider("c")).to_be_focused()
    number = float(explore.slider("c").input_value())
    explore.press("ArrowLeft")
    assert float(explore.slider("c").input_value()) < number
    explore.is_at(7, 8)


SENTENCES = [
    ("x = 0.0\ny = x * 3", "If x grows by 0.01, y grows by about 0.03."),
    ("x = 0.0\ny = relu(x)", ""),
    ("x = 0.00042\ny = x * 3", "If x grows by 0.000004, y grows by about 0.000012."),
    ("x = -1.0\ny = log(x)", ""),
    ("x = -0.5\ny = x * -2", "If x grows by 0.005, y falls by about 0.01."),
]


def test_sentence_takes_a_nudge_that_fits(explore: Explore) -> None:
    for program, sentence in SENTENCES:
        explore.paste(program)
        expect(explore.card("y")).to_be_visible()
        expect(explore.page.locator("#sentence")).to_have_text(sentence)


def test_every_example_of_the_menu_can_be_seen(page: Page) -> None:
    explore = Explore(page).open()
    more = page.locator(".more > summary")
    links = page.locator(".more li a")
    for height in (1000, 860, 640, 480):
        page.set_viewport_size({"width": 1440, "height": height})
        explore.painted()
        if not explore.area.is_visible():
            page.locator("#program-panel > summary").click()
        more.click()
        expect(links.first).to_be_in_viewport(ratio=1)
        links.last.scroll_into_view_if_needed()
        expect(links.last).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(links.first).to_be_hidden()


def test_phone_on_its_side_leaves_room_for_the_picture(open_page: OpenPage) -> None:
    explore = Explore(open_page(width=844, height=390, touch=True)).open()
    _, _, _, player = explore.box(explore.page.locator("#player"))
    assert player <= 52
    expect(explore.canvas).to_be_in_viewport(ratio=1)
    _, _, _, canvas = explore.box(explore.canvas)
    assert canvas >= 220
