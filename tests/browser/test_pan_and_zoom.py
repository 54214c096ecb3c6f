"""The picture is moved and scaled: by pointer, wheel, buttons, minimap, and by following."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore_page import EXAMPLE, NETWORK, Explore
from tests.support.each import Cases, for_each


def scale(explore: Explore) -> float:
    """How large the picture is seen; 1 is its own size."""
    explore.still()
    width: float = explore.picture.evaluate(
        "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    )
    return width


# How many pixels of the minimap are drawn on.
INK = """map => map.getContext('2d').getImageData(0, 0, map.width, map.height).data
  .filter((x, i) => i % 4 === 3 && x).length"""


example = Cases()


@for_each("case", example)
def test_example(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.press("Escape")
    explore.press("0")
    assert explore.is_whole()
    case(explore)


@example.add
def drag_pans(explore: Explore) -> None:
    before = explore.box(explore.card("a"))
    x, y, _, height = explore.box(explore.canvas)
    mouse = explore.page.mouse
    mouse.move(x + 40, y + height - 60)
    mouse.down()
    mouse.move(x + 90, y + height - 100, steps=4)
    mouse.move(x + 110, y + height - 130, steps=4)
    mouse.up()
    after = explore.box(explore.card("a"))
    assert after == pytest.approx((before[0] + 70, before[1] - 70, before[2], before[3]), abs=1)


@example.add
def drag_that_starts_on_a_card_pans_and_chooses_nothing(explore: Explore) -> None:
    before = explore.box(explore.card("L"))
    x, y = explore.middle(explore.card("L"))
    mouse = explore.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 100, y + 50, steps=5)
    mouse.up()
    after = explore.box(explore.card("L"))
    assert after[:2] == pytest.approx((before[0] - 100, before[1] + 50), abs=1)
    expect(explore.picture.locator(".chosen")).to_have_count(0)
    mouse.click(x - 100, y + 50)
    expect(explore.card("L")).to_have_class(re.compile(r"\bchosen\b"))


@example.add
def picture_cannot_be_lost(explore: Explore) -> None:
    x, y = explore.middle(explore.canvas)
    mouse = explore.page.mouse
    for _ in range(4):
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 600, y + 300, steps=2)
        mouse.up()
    left, top, width, height = explore.box(explore.canvas)
    corner = explore.box(explore.picture)
    assert corner[0] < left + width - 40
    assert corner[1] < top + height - 40


@example.add
def wheel_zooms_around_the_pointer(explore: Explore) -> None:
    target = explore.card("b").locator("text.data")
    x, y = explore.middle(target)
    explore.page.mouse.move(x, y)
    for step, larger in ((-240, True), (400, False)):
        before = scale(explore)
        explore.page.mouse.wheel(0, step)
        explore.page.wait_for_function(
            """([scale, larger]) => {
              const svg = document.querySelector('#picture')
              const now = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
              return larger ? now > scale * 1.05 : now < scale * 0.95
            }""",
            arg=[before, larger],
        )
        assert explore.middle(target) == pytest.approx((x, y), abs=2)
    assert explore.page.evaluate("scrollY") == 0


@example.add
def picture_is_scaled_and_fitted_by_buttons(explore: Explore) -> None:
    zoom_and_fit(explore, by="buttons")


@example.add
def picture_is_scaled_and_fitted_by_keys(explore: Explore) -> None:
    zoom_and_fit(explore, by="keys")


def zoom_and_fit(explore: Explore, by: str) -> None:
    def do(button: str, key: str) -> None:
        if by == "keys":
            explore.press(key)
        elif explore.page.locator("main[data-whole]").count():
            explore.closer("zoom-in")
        else:
            explore.page.get_by_role("button", name=button, exact=True).click()

    start = scale(explore)
    assert explore.is_whole()
    do("Larger", "+")
    larger = scale(explore)
    assert larger > start * 1.2
    do("Larger", "+")
    do("Larger", "+")
    assert scale(explore) > larger
    do("Fit", "0")
    assert scale(explore) == pytest.approx(start)
    assert explore.is_whole()
    if by == "keys":
        explore.press("-")
        assert scale(explore) < start * 0.85


@example.add
def view_is_kept_while_typing(explore: Explore) -> None:
    explore.press("+")
    explore.press("+")
    before = scale(explore)
    explore.area.press("Control+End")
    explore.page.keyboard.type(" * a")
    explore.shows("L", -16, 1)
    assert scale(explore) == pytest.approx(before)
    explore.paste(EXAMPLE)
    explore.shows("L", -8, 1)


@example.add
def window_of_another_size_shows_the_whole_picture_again(explore: Explore) -> None:
    explore.page.set_viewport_size({"width": 1000, "height": 640})
    explore.page.wait_for_function(
        """() => {
          const [picture, canvas] = ['#picture', '#canvas'].map(name =>
            document.querySelector(name).getBoundingClientRect())
          return picture.left >= canvas.left && picture.right <= canvas.right
        }"""
    )
    assert explore.is_whole()
    explore.page.set_viewport_size({"width": 1440, "height": 860})


def test_tools_and_caption_leave_the_picture_free_at_any_width(page: Page) -> None:
    explore = Explore(page).open(NETWORK, grouped=1, frame=0)
    for width in (320, 390, 768, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        explore.painted()
        explore.press("0")
        explore.still()
        _, y, _, height = explore.box(explore.picture)
        _, top, _, tools = explore.box(page.locator(".tools"))
        assert tools < 50, width
        assert top + tools <= y, width
        for above in (".start", ".caption"):
            _, start, _, tall = explore.box(page.locator(above))
            assert start + tall <= y, (width, above)
        _, end, _, room = explore.box(explore.canvas)
        assert y + height <= end + room, width


def test_large_network_with_its_minimap_and_the_active_node_followed(moving: Page) -> None:
    explore = Explore(moving).open(NETWORK, grouped=0)
    minimap = moving.locator("#minimap")
    expect(minimap).to_be_visible()
    assert scale(explore) >= 0.6  # readable
    ink: int = minimap.evaluate(INK)
    assert ink > 500
    minimap_moves_the_view(explore)
    following_can_be_turned_off(explore)
    active_node_is_followed(explore)
    explore.paste("def f(x):\n    return x")
    expect(moving.get_by_text("Nothing to draw yet")).to_be_visible()
    expect(minimap).to_be_hidden()
    explore.paste(NETWORK)
    expect(minimap).to_be_visible()
    explore.paste(EXAMPLE)
    explore.shows("L", -8, 1)
    expect(minimap).to_be_hidden()


def minimap_moves_the_view(explore: Explore) -> None:
    minimap = explore.page.locator("#minimap")
    output = explore.card("y")
    expect(output).not_to_be_in_viewport(ratio=1)
    _, _, width, height = explore.box(minimap)
    x, y = explore.middle(output)
    left, top, whole_width, whole_height = explore.box(explore.picture)
    minimap.click(
        position={"x": width * (x - left) / whole_width, "y": height * (y - top) / whole_height}
    )
    expect(output).to_be_in_viewport(ratio=1)


def following_can_be_turned_off(explore: Explore) -> None:
    follow = explore.page.get_by_role("button", name="Follow the active node")
    expect(follow).to_have_attribute("aria-pressed", "true")
    explore.still()
    follow.click()
    before = explore.box(explore.picture)
    for key in ("Home", "ArrowRight", "ArrowRight", "End"):
        explore.press(key)
    explore.press("ArrowLeft")
    explore.still()
    assert explore.box(explore.picture) == before
    explore.scrubber.fill("1")
    follow.click()
    expect(explore.picture.locator(".op.active")).to_be_in_viewport(ratio=1)


def active_node_is_followed(explore: Explore) -> None:
    explore.press("Home")
    count = explore.count()
    places = set()
    for frame in [*range(1, count, count // 6), count - 1]:
        explore.scrubber.fill(str(frame))
        explore.is_at(frame, count)
        for part in explore.picture.locator(".value.changed:not(.copy)").all()[:1]:
            expect(part).to_be_in_viewport(ratio=1)
        expect(explore.picture.locator(".op.active")).to_be_in_viewport(ratio=1)
        explore.still()
        places.add(explore.box(explore.picture)[:2])
    assert len(places) > 3
