"""The picture: what is drawn, how it is moved, and what pointing at it tells."""

import base64
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore

# A network that does not fit on the screen at a readable size; drawn one by one, not in groups.
NETWORK = "random.seed(3)\nx = [0.5, -1.0]\nn = MLP(2, [4, 4, 1])\ny = n(x)"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def explore(page: Page) -> Explore:
    """The example."""
    return Explore(page).open()


def scale(explore: Explore) -> float:
    """How large the picture is seen; 1 is its own size."""
    explore.still()
    width: float = explore.picture.evaluate(
        "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    )
    return width


def is_whole(explore: Explore) -> bool:
    """Whether the whole picture is in view."""
    explore.still()
    x, y, width, height = explore.box(explore.picture)
    left, top, room_width, room_height = explore.box(explore.canvas)
    return (
        x >= left
        and y >= top
        and x + width <= left + room_width
        and y + height <= top + room_height
    )


# What is drawn


def test_square_has_two_edges(page: Page) -> None:
    explore = Explore(page).open("x = 3.0\ny = x * x")
    edges = explore.picture.locator(
        f".edge.in[data-from={explore.id('x')}][data-to={explore.id('y')}]"
    )
    expect(edges).to_have_count(2)
    assert {edge.get_attribute("data-slot") for edge in edges.all()} == {"0", "1"}
    lines = {edge.locator(".line").get_attribute("d") for edge in edges.all()}
    assert len(lines) == 2
    assert len(explore.lit("flow-backward")) == 3  # both edges and the one from op to card
    explore.shows("x", 3, 6)


def test_no_two_cards_overlap_and_edges_lead_from_left_to_right(page: Page) -> None:
    explore = Explore(page).open(NETWORK)
    boxes, edges = page.evaluate(
        """() => [
          [...document.querySelectorAll('#picture .value')].map(card => {
            const {left, top, right, bottom} = card.querySelector('.card').getBoundingClientRect()
            return {of: card.dataset.copy ? '' : card.dataset.node, left, top, right, bottom}
          }),
          [...document.querySelectorAll('#picture .edge.in')].map(({dataset}) =>
            [dataset.from, dataset.to]),
        ]"""
    )
    assert len(boxes) == explore.cards.count() > 50
    for one, other in combinations(boxes, 2):
        beside = one["right"] <= other["left"] or other["right"] <= one["left"]
        assert beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
    left = {box["of"]: box["left"] for box in boxes}
    for source, to in edges:
        assert source not in left or left[source] < left[to]


@pytest.mark.parametrize(
    "label", ["<b>x</b>", "<img src=x onerror=alert(1)>", "]]>&lt;\"'", "x" * 200, "\u202eevil"]
)
def test_any_label_is_only_text(page: Page, label: str) -> None:
    explore = Explore(page).open(f"a = Value(2.0, label={label!r})\nL = a * 3")
    expect(explore.cards).to_have_count(3)
    expect(page.locator("#picture, #explanation, #leaves").locator("b, img")).to_have_count(
        page.locator("#explanation .pill > b, #explanation b.sign").count()
    )
    card = explore.cards.first
    expect(card).to_have_accessible_name(re.compile(r"leaf: data 2, gradient 3$"))
    text = card.locator("text.label")
    if label.isprintable() and len(label) < 12:
        expect(text).to_have_text(label)
    left, _, width, _ = explore.box(text)
    card_left, _, card_width, _ = explore.box(card.locator("rect.card"))
    assert left + width <= card_left + card_width


# Pan and zoom


def test_drag_pans(explore: Explore) -> None:
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


def test_drag_that_starts_on_a_card_pans_and_chooses_nothing(explore: Explore) -> None:
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


def test_picture_cannot_be_lost(explore: Explore) -> None:
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


def test_wheel_zooms_around_the_pointer(explore: Explore) -> None:
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


@pytest.mark.parametrize("by", ["buttons", "keys"])
def test_zoom_and_fit(explore: Explore, by: str) -> None:
    def do(button: str, key: str) -> None:
        if by == "keys":
            explore.press(key)
        else:
            explore.page.get_by_role("button", name=button, exact=True).click()

    start = scale(explore)
    assert is_whole(explore)
    do("Larger", "+")
    larger = scale(explore)
    assert larger > start * 1.2
    do("Larger", "+")
    do("Larger", "+")
    assert scale(explore) > larger
    do("Fit", "0")
    assert scale(explore) == pytest.approx(start)
    assert is_whole(explore)
    do("Smaller", "-")
    assert scale(explore) < start * 0.85


def test_view_is_kept_while_typing(explore: Explore) -> None:
    explore.press("+")
    explore.press("+")
    before = scale(explore)
    explore.area.press("Control+End")
    explore.page.keyboard.type(" * a")
    explore.shows("L", -16, 1)
    assert scale(explore) == pytest.approx(before)


def test_window_of_another_size_shows_the_whole_picture_again(explore: Explore) -> None:
    explore.page.set_viewport_size({"width": 1000, "height": 640})
    explore.page.wait_for_function(
        """() => {
          const [picture, canvas] = ['#picture', '#canvas'].map(name =>
            document.querySelector(name).getBoundingClientRect())
          return picture.left >= canvas.left && picture.right <= canvas.right
        }"""
    )
    assert is_whole(explore)


# The minimap, and following


def test_minimap_is_there_only_when_it_helps(page: Page) -> None:
    explore = Explore(page).open()
    expect(page.locator("#minimap")).to_be_hidden()
    explore.open(NETWORK)
    expect(page.locator("#minimap")).to_be_visible()
    ink: int = page.locator("#minimap").evaluate(
        """map => map.getContext('2d').getImageData(0, 0, map.width, map.height).data
          .filter((x, i) => i % 4 === 3 && x).length"""
    )
    assert ink > 500
    explore.write(EXAMPLE)
    explore.shows("L", -8, 1)
    expect(page.locator("#minimap")).to_be_hidden()


def test_minimap_moves_the_view(page: Page) -> None:
    explore = Explore(page).open(NETWORK)
    minimap = page.locator("#minimap")
    expect(minimap).to_be_visible()
    explore.still()
    output = explore.card("y")
    expect(output).not_to_be_in_viewport(ratio=1)
    _, _, width, height = explore.box(minimap)
    x, y = explore.middle(output)
    left, top, whole_width, whole_height = explore.box(explore.picture)
    minimap.click(
        position={"x": width * (x - left) / whole_width, "y": height * (y - top) / whole_height}
    )
    expect(output).to_be_in_viewport(ratio=1)


def test_active_node_is_followed(page: Page) -> None:
    explore = Explore(page).open(NETWORK)
    follow = page.get_by_role("button", name="Follow the active node")
    expect(follow).to_have_attribute("aria-pressed", "true")
    explore.press("Home")
    count = int(explore.scrubber.get_attribute("max") or 0) + 1
    places = set()
    for frame in [*range(1, count, 7), count - 1]:
        explore.scrubber.fill(str(frame))
        explore.is_at(frame, count)
        for part in explore.picture.locator(".value.changed:not(.copy)").all()[:1]:
            expect(part).to_be_in_viewport(ratio=1)
        expect(explore.picture.locator(".op.active")).to_be_in_viewport(ratio=1)
        explore.still()
        places.add(explore.box(explore.picture)[:2])
    assert len(places) > 3


def test_following_can_be_turned_off(page: Page) -> None:
    explore = Explore(page).open(NETWORK)
    explore.still()
    page.get_by_role("button", name="Follow the active node").click()
    before = explore.box(explore.picture)
    for key in ("Home", "ArrowRight", "ArrowRight", "End"):
        explore.press(key)
    explore.press("ArrowLeft")
    explore.still()
    assert explore.box(explore.picture) == before
    explore.scrubber.fill("1")
    page.get_by_role("button", name="Follow the active node").click()
    expect(explore.picture.locator(".op.active")).to_be_in_viewport(ratio=1)


def test_large_network_opens_at_a_readable_size(page: Page) -> None:
    explore = Explore(page).open(NETWORK)
    assert scale(explore) >= 0.6


# Pointing and choosing


def test_pointing_at_a_card_shows_the_full_numbers(page: Page) -> None:
    explore = Explore(page).open("x = 1.0\ny = x / 3")
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_be_hidden()
    explore.card("y").hover()
    expect(tooltip).to_contain_text("0.3333333333333333")
    explore.card("x").hover()
    expect(tooltip).to_contain_text("0.3333333333333333")  # dy/dx
    expect(tooltip).to_contain_text("1.0")
    page.mouse.move(2, 2)
    expect(tooltip).to_be_hidden()


def test_focus_on_a_card_shows_the_full_numbers(page: Page) -> None:
    explore = Explore(page).open("x = 1.0\ny = x / 3")
    explore.card("y").focus()
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_contain_text("0.3333333333333333")
    explore.press("Escape")
    expect(tooltip).to_be_hidden()


def test_full_numbers_follow_the_frame(page: Page) -> None:
    explore = Explore(page).open("x = 1.0\ny = x / 3")
    explore.card("y").focus()
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_contain_text("0.3333333333333333")
    explore.press("Home")
    explore.is_at(0, 4)
    expect(tooltip).to_contain_text("not yet computed")


def test_tooltip_stays_on_the_screen(page: Page) -> None:
    explore = Explore(page).open(NETWORK)
    for card in explore.cards.all()[:12]:
        card.focus()
        tooltip = page.get_by_role("tooltip")
        expect(tooltip).to_be_visible()
        expect(tooltip).to_be_in_viewport(ratio=1)


def test_chosen_value_shows_its_neighbours_and_its_source(explore: Explore) -> None:
    explore.card("a*b").click()
    expect(explore.picture).to_have_class(re.compile(r"\bchoosing\b"))
    assert explore.names("chosen") == {"a*b"}
    assert explore.names("near") == {"a", "b", "a*b + c"}
    mark = explore.page.locator(".mirror mark.chosen")
    expect(mark).to_have_text("a*b")
    explore.card("a*b").click()
    expect(explore.picture.locator(".chosen, .near")).to_have_count(0)
    expect(mark).to_have_count(0)


def test_choosing_by_keyboard(explore: Explore) -> None:
    explore.card("c").focus()
    explore.press("Enter")
    assert explore.names("chosen") == {"c"}
    expect(explore.page.locator("#sentence")).to_have_text(
        "If c grows by 0.01, L falls by about 0.02."
    )
    explore.press("Escape")
    expect(explore.picture.locator(".chosen")).to_have_count(0)
    expect(explore.card("c")).to_be_focused()
    explore.press("Space")
    assert explore.names("chosen") == {"c"}
    expect(explore.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_linked_copies_light_up_together(page: Page) -> None:
    """A leaf used in many places stands near each of them."""
    uses = " + ".join(f"x*w{i}" for i in range(6))
    explore = Explore(page).open(
        "x = 2.0\n" + "\n".join(f"w{i} = {i}.5" for i in range(6)) + f"\ny = {uses}"
    )
    copies = explore.picture.locator(f".value.copy[data-node={explore.id('x')}]")
    expect(copies).to_have_count(6)
    copies.nth(2).hover()
    expect(explore.picture.locator(".value.copy.pointed")).to_have_count(6)
    page.mouse.move(2, 2)
    expect(explore.picture.locator(".pointed")).to_have_count(0)
    copies.nth(4).click()
    expect(explore.picture.locator(".value.copy.chosen")).to_have_count(6)
    total = sum(i + 0.5 for i in range(6))
    for copy in copies.all():
        expect(copy.locator("text.grad")).to_have_text(f"{total:.4f}")  # dy/dx = the sum of all w
    explore.type_leaf("x", "4")
    explore.shows("y", 4 * total, 1)
    for copy in copies.all():
        expect(copy.locator("text.data")).to_have_text("4.0000")


# The picture as a file


def downloaded(explore: Explore, to: Path) -> str:
    """The file that the link gives."""
    with explore.page.expect_download() as download:
        explore.page.get_by_role("link", name="Picture as SVG").click()
    assert download.value.suggested_filename.endswith(".svg")
    download.value.save_as(to)
    return to.read_text("utf-8")


def texts(svg: str) -> list[str]:
    """Everything written in a picture."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


def test_picture_is_saved_as_it_is_shown(explore: Explore, tmp_path: Path) -> None:
    for _ in range(3):
        explore.press("ArrowLeft")
    explore.is_at(4, 8)
    link = explore.page.get_by_role("link", name="Picture as SVG")
    expect(link).to_have_attribute("href", re.compile("frame=4"))
    svg = downloaded(explore, tmp_path / "graph.svg")
    written = explore.picture.locator("text:not(.spoken)").all_text_contents()
    assert sorted(texts(svg)) == sorted(written)
    assert "·" in written
    explore.press("End")
    explore.type_leaf("a", "4")
    explore.shows("a", 4, 6)
    expect(link).to_have_attribute("href", re.compile("a=4"))
    svg = downloaded(explore, tmp_path / "later.svg")
    assert sorted(texts(svg)) == sorted(
        explore.picture.locator("text:not(.spoken)").all_text_contents()
    )
    assert "·" not in texts(svg)


def test_picture_saved_right_after_a_step_is_the_one_shown(page: Page, tmp_path: Path) -> None:
    """The address is written a moment after a step; the picture does not wait for it."""
    page.clock.install(time=0)
    explore = Explore(page).open()
    page.clock.pause_at(60_000)
    explore.press("Home")
    explore.is_at(0, 8)
    svg = downloaded(explore, tmp_path / "graph.svg")
    assert sorted(texts(svg)) == sorted(
        explore.picture.locator("text:not(.spoken)").all_text_contents()
    )


def test_saved_picture_stands_alone(explore: Explore, open_page: OpenPage, tmp_path: Path) -> None:
    """An <img> shows it: nothing in it needs our page, its style sheet or its scripts."""
    svg = downloaded(explore, tmp_path / "graph.svg")
    assert not re.search(r"<style|<script|class=|url\(|href=|onload", svg)
    coded = base64.b64encode(svg.encode()).decode()
    page = open_page()
    page.set_content(f'<img alt="graph" src="data:image/svg+xml;base64,{coded}">')
    picture = page.get_by_role("img")
    sizes = picture.evaluate(
        "async img => { await img.decode(); return [img.naturalWidth, img.naturalHeight] }"
    )
    box = explore.picture.evaluate("svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]")
    assert sizes == pytest.approx(box, abs=1)
    # It is a picture in blue and orange, not a blank sheet.
    colours = picture.evaluate(
        """img => {
          const canvas = document.createElement('canvas')
          Object.assign(canvas, {width: img.naturalWidth, height: img.naturalHeight})
          const context = canvas.getContext('2d')
          context.drawImage(img, 0, 0)
          const {data} = context.getImageData(0, 0, canvas.width, canvas.height)
          let blue = 0, orange = 0
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] && data[i + 2] > data[i] + 90) blue += 1
            if (data[i + 3] && data[i] > data[i + 2] + 90) orange += 1
          }
          return {blue, orange}
        }"""
    )
    assert colours["blue"] > 100
    assert colours["orange"] > 100


def test_saved_picture_of_groups(page: Page, tmp_path: Path) -> None:
    explore = Explore(page).open(NETWORK, grouped=1, direction="TB", frame=3)
    svg = downloaded(explore, tmp_path / "graph.svg")
    assert sorted(texts(svg)) == sorted(
        explore.picture.locator("text:not(.spoken)").all_text_contents()
    )
