"""On a phone: everything is within reach of a thumb, and nothing covers anything."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.pages import PAGES
from tests.browser.conftest import OpenPage
from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import Explore
from tests.support.each import Cases, for_each

NETWORK = "random.seed(1)\nx = 0.5\nn = MLP(1, [4, 4, 1])\ny = n([x])"


@pytest.fixture
def phone(open_page: OpenPage) -> Explore:
    """The smallest phone."""
    return Explore(open_page(width=320, height=640, touch=True))


@pytest.fixture
def explore(phone: Explore) -> Explore:
    """The example on a phone."""
    return phone.open()


def tap(page: Page, name: str) -> None:
    """Tap a button."""
    page.get_by_role("button", name=name, exact=True).tap()


def touch(page: Page, *moves: list[tuple[float, float]]) -> None:
    """Touch with as many fingers as a move has points, move on, and let go."""
    session = page.context.new_cdp_session(page)
    for at, points in enumerate([*moves, []]):
        kind = "touchEnd" if not points else "touchMove" if at else "touchStart"
        fingers: list[dict[str, Any]] = [
            {"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)
        ]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


example = Cases()


@for_each("case", example)
def test_example(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    if explore.area.is_visible():
        explore.page.locator("#program-panel > summary").tap()
    explore.press("End")
    explore.press("0")
    explore.field("a").scroll_into_view_if_needed()
    explore.page.evaluate("scrollTo(0, 0)")
    explore.still()
    case(explore)


@example.add
def picture_and_frames_are_seen_at_once(explore: Explore) -> None:
    expect(explore.area).to_be_hidden()
    expect(explore.canvas).to_be_in_viewport(ratio=1)
    expect(explore.picture.locator(".op.active")).to_be_in_viewport(ratio=0.99)
    for name in ("First frame", "Back", "Play", "Forward", "Last frame"):
        expect(explore.page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    assert explore.numbers() == as_shown(chain())


@example.add
def stepping_by_thumb(explore: Explore) -> None:
    for name, frame in (
        ("First frame", 0),
        ("Forward", 1),
        ("Forward", 2),
        ("Back", 1),
        ("Last frame", 7),
    ):
        tap(explore.page, name)
        explore.is_at(frame, 8)
    expect(explore.page.get_by_role("heading", name="Frame 8 of 8")).to_be_visible()


@example.add
def buttons_are_large_enough_for_a_thumb(explore: Explore) -> None:
    """WCAG 2.5.8 asks for 24 px; what steps is used again and again and gets 44 in height."""
    buttons = explore.page.locator(
        "button:visible, .chip:visible, select:visible, summary:visible, .site nav a:visible"
    )
    sizes = buttons.evaluate_all(SIZES)
    assert len(sizes) > 12
    assert [one for one in sizes if min(one[1:]) < 24] == []
    for name in ("First frame", "Back", "Play", "Forward", "Last frame"):
        _, _, _, height = explore.box(explore.page.get_by_role("button", name=name, exact=True))
        assert height >= 44


SIZES = """all => all.map(one => {
  const {width, height} = one.getBoundingClientRect()
  return [one.textContent, width, height]
})"""


@example.add
def nothing_covers_a_control(explore: Explore) -> None:
    explore.page.locator("#program-panel > summary").tap()
    expect(explore.area).to_be_visible()
    controls = explore.page.locator(
        ":is(button:not([aria-disabled=true]), select, summary, input[type=number], a)"
        ":not(.skip, :disabled):visible"
    )
    assert controls.count() > 15
    assert controls.evaluate_all(COVERED) == []
    explore.area.click(trial=True)


COVERED = """all => all.filter(one => {
  one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})
  const [{x, y, width, height}] = one.getClientRects()
  return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}).map(one => one.textContent || one.outerHTML)"""


@example.add
def larger_phone_shows_the_same_and_may_be_turned(explore: Explore) -> None:
    page = explore.page
    try:
        page.set_viewport_size({"width": 390, "height": 844})
        explore.press("0")
        page.evaluate("scrollTo(0, 0)")
        explore.still()
        picture_and_frames_are_seen_at_once(explore)
        sentence_stands_between_picture_and_player(explore)
        page.set_viewport_size({"width": 844, "height": 390})
        tap(page, "First frame")
        explore.is_at(0, 8)
        explore.canvas.scroll_into_view_if_needed()
        _, _, width, height = explore.box(explore.canvas)
        assert height >= 150
        assert width >= 800
    finally:
        page.set_viewport_size({"width": 320, "height": 640})


def test_network_has_its_card_and_its_tools_at_hand(phone: Explore) -> None:
    phone.open(NETWORK, grouped=1, value="v1")
    card_is_seen_below_the_picture_and_is_not_wider_than_the_page(phone)
    tools_stand_in_one_line_and_their_menu_has_the_switches(phone)


def card_is_seen_below_the_picture_and_is_not_wider_than_the_page(phone: Explore) -> None:
    """Of a Value that is asked about."""
    card = phone.page.locator("#value-card")
    expect(card.locator(".pair")).to_be_visible()
    _, top, _, height = phone.box(phone.page.locator("#stage"))
    assert phone.box(card)[1] - (top + height) < 20
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def tools_stand_in_one_line_and_their_menu_has_the_switches(phone: Explore) -> None:
    """By thumb and by keyboard."""
    _, _, _, height = phone.box(phone.page.locator(".tools"))
    assert height < 50
    button = phone.page.locator("#closer > summary")
    edges = phone.page.get_by_role("group", name="Edges")
    expect(edges).to_be_hidden()
    button.tap()
    expect(phone.page.get_by_role("group", name="Nodes")).to_be_in_viewport(ratio=1)
    edges.get_by_text("contributions").tap()
    expect(phone.picture).to_have_class(re.compile("contributions"))
    expect(edges).to_be_hidden()
    button.focus()
    phone.press("Enter")
    phone.page.locator("[name=grouped]:checked").focus()
    phone.press("ArrowLeft")  # a press of the pointer closes the menu, and so does Escape
    expect(phone.picture.locator(".group")).to_have_count(0)
    phone.switches()
    expect(edges).to_be_visible()
    phone.press("Escape")
    expect(edges).to_be_hidden()


def test_first_line_covers_no_part_of_the_picture(phone: Explore) -> None:
    phone.go("/explore")
    line = phone.page.locator(".start")
    expect(line).to_be_in_viewport(ratio=1)
    _, top, _, height = phone.box(line)
    assert top + height <= phone.box(phone.canvas)[1]


def test_program_opens_and_shows_its_last_line_and_its_error(explore: Explore) -> None:
    expect(explore.page.locator(".gist")).to_have_text("L = (a*b + c) * f")
    explore.page.locator("#program-panel > summary").tap()
    explore.insert("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    expect(explore.page.locator("#program-panel")).to_have_attribute("open", "")
    assert float(explore.area.evaluate("area => parseFloat(getComputedStyle(area).fontSize)")) >= 16
    explore.page.locator("#program-panel > summary").tap()
    expect(explore.page.locator(".gist")).to_have_text("L = a * 3")
    explore.page.locator("#program-panel > summary").tap()
    explore.insert("a = 2.0\nL = a * g")
    expect(explore.problem).to_contain_text("line 2, column 9")
    expect(explore.problem).to_be_in_viewport()
    expect(explore.error_mark()).to_be_in_viewport()


@example.add
def leaf_is_changed_by_typing(explore: Explore) -> None:
    explore.field("a").tap()
    explore.type_leaf("a", "4")
    for name, (data, grad) in as_shown(chain(a=4)).items():
        explore.shows(name, data, grad)


@example.add
def one_finger_moves_the_picture(explore: Explore) -> None:
    explore.card("a*b").click(trial=True)  # the picture has come to rest
    before = explore.box(explore.card("a*b"))
    x, y = explore.middle(explore.canvas)
    touch(explore.page, [(x, y)], [(x + 20, y + 10)], [(x + 60, y + 30)])
    expect(explore.canvas).not_to_have_class(re.compile("moving"))
    after = explore.box(explore.card("a*b"))
    assert after[:2] == pytest.approx((before[0] + 60, before[1] + 30), abs=2)


@example.add
def two_fingers_zoom_the_picture(explore: Explore) -> None:
    """Three times as far apart, and 24 px lower: so is what is between them."""
    left, top, width, height = explore.box(explore.picture)
    x, y = explore.middle(explore.canvas)
    steps = ((20, 0), (30, 8), (45, 16), (60, 24))
    touch(explore.page, *([(x - far, y + by), (x + far, y + by)] for far, by in steps))
    expect(explore.canvas).not_to_have_class(re.compile("moving"))
    after = explore.box(explore.picture)
    expected = (x - 3 * (x - left), y + 24 - 3 * (y - top), 3 * width, 3 * height)
    assert after == pytest.approx(expected, abs=2)
    assert explore.page.evaluate("visualViewport.scale") == 1


def sentence_stands_between_picture_and_player(explore: Explore) -> None:
    """All of it, under the picture, at every frame, without a scroll."""
    _, bottom, *_ = explore.box(explore.page.get_by_role("region", name="Frames"))
    _, top, _, height = explore.box(explore.canvas)
    explore.press("Home")
    for frame in range(8):
        explore.is_at(frame, 8)
        _, said, _, tall = explore.box(explore.explanation)
        assert top + height <= said <= top + height + 30, frame
        assert said + tall <= bottom, frame
        explore.press("ArrowRight")
    assert explore.page.evaluate("scrollY") == 0


@example.add
def player_hides_no_end_of_the_page(explore: Explore) -> None:
    _, top, *_ = explore.box(explore.page.get_by_role("region", name="Frames"))
    explore.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    _, y, _, height = explore.box(explore.field("f"))
    assert y + height <= top


def test_large_network_opens_readable_and_its_badge_leaves_the_picture_free(phone: Explore) -> None:
    phone.open(NETWORK, grouped=0)
    phone.still()
    width = phone.picture.evaluate(
        "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    )
    assert width * 12 >= 9  # pixels of a letter
    expect(phone.page.locator("#minimap")).to_be_hidden()
    tap(phone.page, "First frame")
    tap(phone.page, "Forward")
    expect(phone.picture.locator(".op.active")).to_be_in_viewport(ratio=1)
    phone.page.locator("#program-panel > summary").tap()
    phone.area.press("Control+End")
    phone.page.keyboard.insert_text(" * g")
    expect(phone.stale).to_be_visible()
    _, top, _, height = phone.box(phone.stale)
    assert top + height <= phone.box(phone.canvas)[1]


PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

SHIFTS = """window.shifts = 0
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shifts += entry.value
}).observe({type: 'layout-shift', buffered: true})"""

ARRIVE = """async path => {
  const html = await (await fetch(path)).text()
  const painted = PAINTED
  const ends = [...html.matchAll(/<\\/(form|section|details|div)>\\s/g)]
    .map(end => end.index + end[0].length)
  document.open()
  let from = 0
  for (const to of [...ends.filter(end => end > html.indexOf('<main')), html.length]) {
    if (to - from < 1500 && to < html.length) continue
    document.write(html.slice(from, to))
    await painted()
    from = to
  }
  document.close()
}""".replace("PAINTED", PAINTED)


NEURON = """\
x1 = Value(2.0)
x2 = Value(0.0)
w1 = Value(-3.0)
w2 = Value(1.0)
b = Value(6.8813735870195432)
o = (x1*w1 + x2*w2 + b).tanh()
o.backward()
"""
LEAST_TEXT = """svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  const sizes = [...svg.querySelectorAll("text.data, text.grad, text.label")]
  return scale * Math.min(...sizes.map(text => parseFloat(getComputedStyle(text).fontSize)))
}"""


def test_neuron_is_whole_and_its_sentence_below_it(open_page: OpenPage) -> None:
    """It is drawn from top to bottom, where the server's first picture would be cut off."""
    page = open_page(width=390, height=844, touch=True)
    explore = Explore(page).open(NEURON)
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    for card in explore.picture.locator(".value").all():
        expect(card).to_be_in_viewport(ratio=0.99)
    assert explore.picture.evaluate(LEAST_TEXT) >= 8
    stage, words = page.locator("#stage"), page.locator("#explanation")
    room, said = stage.bounding_box(), words.bounding_box()
    assert room
    assert said
    assert 0 <= said["y"] - (room["y"] + room["height"]) < 16
    assert "direction" not in page.url  # a wide screen that opens the link chooses its own


@pytest.mark.parametrize("path", ["/explore", "/train"])
def test_nothing_jumps_while_the_page_arrives(open_page: OpenPage, path: str) -> None:
    """Piece by piece, as over a slow connection; browsers call a sum of shifts up to 0.1 good."""
    page = open_page(width=390, height=844, touch=True)
    page.goto("/reference")
    page.evaluate(SHIFTS)
    page.evaluate(ARRIVE, path)
    page.wait_for_selector("html[data-ready]")
    page.evaluate(PAINTED)
    assert page.evaluate("window.shifts") < 0.05


def test_pages_name_each_other_in_the_header_and_cut_no_table_off(open_page: OpenPage) -> None:
    page = open_page(width=390, height=844, touch=True)
    for path in (it.path for it in PAGES):
        page.goto(path)
        nav = page.get_by_role("navigation", name="Pages")
        assert nav.evaluate("nav => nav.scrollWidth <= nav.clientWidth"), path
        if path in ("/reference", "/docs"):
            tables_are_not_cut_off(page)
    assert {"/reference", "/docs"} <= {it.path for it in PAGES}


def tables_are_not_cut_off(page: Page) -> None:
    """Their cells stand below each other."""
    hidden = page.locator(".scroll").evaluate_all(
        "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).length"
    )
    assert hidden == 0
    expect(page.locator("td[data-label]").first).to_be_visible()


def test_wrong_program_of_a_link_is_shown_open_and_its_refusal_whole(phone: Explore) -> None:
    """The line that is refused scrolls in its box; the words about it are not cut off."""
    page = phone.page
    phone.open(f"a = {' + '.join(['wrong'] * 40)}")
    expect(phone.area).to_be_visible()
    expect(phone.problem).to_contain_text("line 1, column 5")
    words = page.locator(".blank .message")
    expect(words).to_contain_text("wrong")
    right = words.evaluate("words => words.getBoundingClientRect().right")
    assert right <= page.evaluate("innerWidth")
