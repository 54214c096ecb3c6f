"""Neurons, layers, loops and functions as boxes that open and close in place."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explore_page import Explore
from tests.support.each import Cases, for_each

NETWORK = "random.seed(1)\nx = 0.5\nn = MLP(1, [3, 1])\ny = n([x])"
# A network whose every number is known: each neuron of the loop is w x + 1.
LOOP = "x = 2.0\ns = x\nfor i in range(3):\n    s = s * 3 + 1\nL = s * x"
LARGE = (
    "xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]\n"
    "ys = [1.0, -1.0, -1.0, 1.0]\nrandom.seed(42)\n"
    "n = MLP(3, [10, 10, 1])\nypred = [n(x) for x in xs]\n"
    "loss = sum((yp - yt)**2 for yt, yp in zip(ys, ypred))"
)


@pytest.fixture
def explore(page: Page) -> Explore:
    """A network of four neurons, each a closed box."""
    explore = Explore(page).open(NETWORK, grouped=1)
    expect(explore.picture.locator(".group")).to_have_count(4)
    return explore


def box(explore: Explore, title: str) -> Locator:
    """A closed group."""
    return explore.page.get_by_role("button", name=re.compile(f"^{re.escape(title)}[ ,].*: open$"))


def cross(explore: Explore, title: str) -> Locator:
    """What closes an open group."""
    return explore.page.get_by_role("button", name=f"{title}: close", exact=True)


def inside(explore: Explore, title: str) -> Locator:
    """The cards within the frame of an open group."""
    frame = explore.picture.locator(".cluster", has=cross(explore, title))
    expect(frame).to_have_count(1)
    x, y, width, height = explore.box(frame.locator(".frame"))
    cards = explore.cards.all()
    names = [
        card.locator("text.label").text_content() or ""
        for card in cards
        if x <= explore.middle(card)[0] <= x + width and y <= explore.middle(card)[1] <= y + height
    ]
    pattern = "|".join(re.escape(name) for name in names) or "(?!)"
    return explore.cards.filter(
        has=explore.page.locator("text.label", has_text=re.compile(f"^({pattern})$"))
    )


network = Cases()


@for_each("case", network)
def test_boxes_of_a_network(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    expect(explore.picture.locator(".group")).to_have_count(4)
    case(explore)


@network.add
def box_opens_in_place_and_closes_again_by_click(explore: Explore) -> None:
    closed = [part["says"] for part in explore.state()]
    box(explore, "Neuron l0.n1").click()
    expect(cross(explore, "Neuron l0.n1")).to_be_visible()
    expect(box(explore, "Neuron l0.n1")).to_have_count(0)
    expect(box(explore, "Neuron l0.n0")).to_be_visible()
    expect(box(explore, "Neuron l0.n2")).to_be_visible()
    expect(inside(explore, "Neuron l0.n1").first).to_be_visible()
    expect(explore.picture.locator(".op[data-of]").first).to_be_visible()
    cross(explore, "Neuron l0.n1").click()
    expect(box(explore, "Neuron l0.n1")).to_be_visible()
    assert [part["says"] for part in explore.state()] == closed


@network.add
def box_opens_and_closes_by_keyboard_and_a_layer_closes_into_one(explore: Explore) -> None:
    for key in ("Enter", "Space"):
        box(explore, "Neuron l0.n2").focus()
        explore.press(key)
        expect(cross(explore, "Neuron l0.n2")).to_be_focused()
        explore.press(key)
        expect(box(explore, "Neuron l0.n2")).to_be_focused()
    cross(explore, "Layer l0").click()
    expect(box(explore, "Layer l0")).to_be_visible()
    expect(explore.picture.locator(".group")).to_have_count(2)
    box(explore, "Layer l0").click()
    expect(cross(explore, "Layer l0")).to_be_visible()


@network.add
def toggle_draws_boxes_and_single_values(explore: Explore) -> None:
    page = explore.page
    boxes, one_by_one = (page.locator(f"[name=grouped][value='{is_on}']") for is_on in (1, 0))
    expect(boxes).to_be_checked()
    explore.switches()
    page.get_by_text("each Value").click()
    expect(explore.picture.locator(".group")).to_have_count(0)
    expect(boxes).not_to_be_checked()
    expect(page).to_have_url(re.compile("grouped=0"))
    assert explore.cards.count() > 20
    explore.switches()
    one_by_one.focus()
    explore.press("ArrowRight")
    expect(explore.picture.locator(".group")).to_have_count(4)
    explore.press("Escape")
    expect(boxes).to_be_checked()
    expect(page).to_have_url(re.compile("grouped=1"))


@network.add
def opening_a_box_fetches_the_picture_alone(explore: Explore) -> None:
    """All else of the result stays: a large graph opens its boxes in a moment."""
    title = "Neuron l0.n0"
    asked: list[str] = []
    explore.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    explore.page.evaluate("document.getElementById('transcript-list').dataset.mark = 'kept'")
    count = explore.picture.locator(".cluster").count()
    box(explore, title).click()
    expect(explore.picture.locator(".cluster")).to_have_count(count + 1)
    expect(explore.page.locator("#transcript-list[data-mark=kept]")).to_have_count(1)
    assert [path for path in asked if path in ("/graph", "/picture")] == ["/picture"]
    cross(explore, title).click()


@network.add
def opening_keeps_frame_and_leaf(explore: Explore) -> None:
    """Four boxes in each pass, the given numbers and the seed: 10 steps. In the open box w x, + b
    and relu are three in place of one, also before the seed.
    """
    explore.type_leaf("x", "0.75")
    explore.card("x").locator("text.data", has_text="0.7500").wait_for()
    explore.scrubber.fill("5")
    expect(explore.where).to_have_text("frame 6 of 10")
    frame = explore.picture.get_attribute("data-frame") or ""
    box(explore, "Neuron l0.n0").click()
    expect(cross(explore, "Neuron l0.n0")).to_be_visible()
    expect(explore.where).to_have_text("frame 8 of 14")
    expect(explore.picture).to_have_attribute("data-frame", frame)
    expect(explore.card("x").locator("text.data")).to_have_text("0.7500")
    assert float(explore.field("x").input_value()) == 0.75
    cross(explore, "Neuron l0.n0").click()


@network.add
def open_groups_are_in_the_address(explore: Explore) -> None:
    box(explore, "Neuron l0.n1").click()
    expect(cross(explore, "Neuron l0.n1")).to_be_visible()
    expect(explore.page).to_have_url(re.compile("open="))
    explore.press("0")
    before = explore.view()
    explore.page.reload()
    explore.ready()
    expect(cross(explore, "Neuron l0.n1")).to_be_visible()
    explore.press("0")
    assert explore.view() == before


def test_toggle_is_there_only_where_something_can_be_grouped(page: Page) -> None:
    explore = Explore(page).open()
    explore.switches()
    expect(page.locator("#edges-switch")).to_be_visible()
    expect(page.locator("#grouped")).to_be_hidden()
    explore.paste(NETWORK)
    expect(explore.card("y")).to_be_visible()
    explore.switches()
    expect(page.locator("#grouped")).to_be_visible()


def test_boxes_of_a_loop(page: Page) -> None:
    explore = Explore(page).open(LOOP, grouped=1)
    expect(explore.picture.locator(".group")).to_have_count(3)
    explore.is_drawn_alike_by_browser_and_server(LOOP, grouped=1)
    box_is_lit_while_a_value_inside_is_at_work(explore)
    box_shows_the_numbers_of_its_last_value(explore)
    box_is_one_step_of_every_grain_in_both_directions(explore)


def box_is_lit_while_a_value_inside_is_at_work(explore: Explore) -> None:
    explore.press("Home")
    boxes = explore.picture.locator(".group")
    expect(explore.picture.locator(".group.active")).to_have_count(0)
    for active in range(3):
        explore.press("ArrowRight")
        expect(boxes.nth(active)).to_have_class(re.compile(r"\bactive\b"))
        expect(explore.picture.locator(".group.active")).to_have_count(1)
        expect(boxes.nth(active)).to_have_class(re.compile(r"\bchanged\b"))
    explore.press("ArrowRight")
    expect(explore.picture.locator(".group.active")).to_have_count(0)
    expect(explore.op("L")).to_have_class(re.compile(r"\bactive\b"))


def box_shows_the_numbers_of_its_last_value(explore: Explore) -> None:
    """s = 3 s + 1 from 2: 7, 22, 67; L = s x. ds3/ds1 = 9 and dL/ds3 = x = 2."""
    explore.press("End")
    boxes = explore.picture.locator(".group")
    expect(boxes.locator("text.data")).to_have_text(["7.0000", "22.0000", "67.0000"])
    expect(boxes.locator("text.grad")).to_have_text(["18.0000", "6.0000", "2.0000"])
    explore.shows("x", 2, 2 * 27 + 67)
    explore.press("Home")
    expect(boxes.locator("text.data")).to_have_text(["·", "·", "·"])
    explore.press("ArrowRight")
    expect(boxes.locator("text.data")).to_have_text(["7.0000", "·", "·"])
    explore.type_leaf("x", "1")
    explore.press("Escape")
    explore.press("End")
    expect(boxes.locator("text.data")).to_have_text(["4.0000", "13.0000", "40.0000"])


def box_is_one_step_of_every_grain_in_both_directions(explore: Explore) -> None:
    """L = s x = (27 x + 13) x, so x ends with 54 x + 13. Of s x, each contribution is a step."""
    for grain, count in (("op", 10), ("contribution", 11)):
        explore.open(LOOP, grouped=1, frame=15, by=grain)
        unit = "frame" if grain == "op" else "step"
        expect(explore.where).to_have_text(f"{unit} {count} of {count}")
        expect(explore.scrubber).to_have_attribute("max", str(count - 1))
        expect(explore.explanation).to_contain_text("The gradient enters")
        expect(explore.explanation).to_contain_text("and goes on to x: 121.0000.")
        explore.press("ArrowLeft")
        expect(explore.where).to_have_text(f"{unit} {count - 1} of {count}")
        expect(explore.picture).to_have_attribute("data-frame", "13")
    explore.press("Home")
    explore.press("ArrowRight")
    expect(explore.explanation).to_contain_text("= 7.0000, from x = 2.0000.")
    expect(explore.explanation).to_contain_text("Inside: 2 operations.")
    boxes = explore.picture.locator(".group")
    boxes.first.click()
    expect(boxes).to_have_count(2)
    expect(explore.where).to_have_text("step 3 of 13")
    expect(explore.explanation).to_contain_text("Add")


def test_large_graph_opens_in_groups_and_can_be_stepped(page: Page) -> None:
    explore = Explore(page).open(LARGE)
    expect(explore.picture.locator(".group").first).to_be_visible()
    boxes = explore.picture.locator(".group, .value").count()
    assert boxes < 200
    expect(page.locator(".counts")).to_contain_text(re.compile(r"\d Values as 4 networks"))
    for key in ("Home", "ArrowRight", "ArrowRight", "End", "ArrowLeft"):
        explore.press(key)
    expect(explore.where).to_have_text(re.compile(r"^frame (\d+) of (\d+)$"))
    expect(explore.picture.locator(".group.active, .op.active")).to_have_count(1)


def test_edge_of_a_closed_box_counts_the_uses_it_stands_for(page: Page) -> None:
    """y = 3 x after the first turn, 3 x² + 2 x after the second; L = 3 y, dL/dx = 3 (6 x + 2)."""
    program = "x = 2.0\ny = 1.0\nfor i in range(2):\n    y = y*x + x*2\nL = y * 3"
    explore = Explore(page).open(program, grouped=1)
    expect(explore.picture.locator(".group")).to_have_count(2)
    edges = explore.picture.locator(
        f".edge.merged[data-from='{explore.id('x')} {explore.id('x')}']"
    )
    expect(edges.locator(".count")).to_have_text(["2", "2"])
    explore.shows("x", 2, 42)


def test_what_was_clicked_stays_under_the_pointer(moving: Page) -> None:
    explore = Explore(moving).open(NETWORK, grouped=1)
    explore.still()
    x, y = explore.middle(box(explore, "Neuron l0.n1"))
    direction = explore.picture.get_attribute("data-direction") or ""
    moving.mouse.click(x, y)
    frame = explore.picture.locator(".cluster", has=cross(explore, "Neuron l0.n1"))
    expect(frame).to_have_count(1)
    explore.still()
    left, top, width, height = explore.box(frame.locator(".frame"))
    assert left <= x <= left + width
    assert top <= y <= top + height
    expect(explore.picture).to_have_attribute("data-direction", direction)


def test_following_moves_by_no_more_than_half_the_picture(moving: Page) -> None:
    explore = Explore(moving).open(NETWORK.replace("[3, 1]", "[4, 4, 1]"), grouped=0, frame=0)
    x, y, width, height = explore.box(explore.canvas)
    middle = (x + width / 2, y + height / 2)
    moves = set()
    for _ in range(12):
        left, top, wide, _ = explore.box(explore.picture)
        share = (middle[0] - left) / wide, (middle[1] - top) / wide
        explore.press("ArrowRight")
        explore.still()
        left, top, wide, _ = explore.box(explore.picture)
        assert abs(left + share[0] * wide - middle[0]) <= width / 2 + 1
        assert abs(top + share[1] * wide - middle[1]) <= height / 2 + 1
        moves.add((left, top))
    assert len(moves) > 2
