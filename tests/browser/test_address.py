"""The address is the state: a link, a reload and the back button bring back what was seen."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, as_shown, chain, requests

NETWORK = "random.seed(1)\nx = 0.5\nn = MLP(1, [3, 1])\ny = n([x])"
A_WHILE = 10_000  # milliseconds; edits this far apart are two steps of the back button


@pytest.fixture
def explore(page: Page) -> Explore:
    """The example, in a browser that allows the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return Explore(page).open()


def copied_link(explore: Explore) -> str:
    """The link that the button copies."""
    button = explore.page.locator("#copy-link")
    button.click()
    expect(button).to_have_text("Copied")
    expect(explore.page.locator("#announcer")).to_have_text("Link copied.")
    link: str = explore.page.evaluate("navigator.clipboard.readText()")
    return link


def in_link(explore: Explore) -> dict[str, list[str]]:
    """What the address says by now."""
    return parse_qs(urlsplit(explore.page.url).query)


def test_link_brings_back_what_was_seen(explore: Explore, open_page: OpenPage) -> None:
    explore.type_leaf("a", "4.5")
    explore.shows("a", 4.5, 6)
    explore.press("Escape")
    for _ in range(3):
        explore.press("ArrowLeft")
    explore.is_at(4, 8)
    link = copied_link(explore)
    there = Explore(open_page()).go(link)
    there.is_at(4, 8)
    assert there.view() == explore.view()
    expect(there.card("L").locator("text.grad")).to_have_text("1.0000")
    expect(there.card("a").locator("text.grad")).to_have_text("·")
    assert float(there.field("a").input_value()) == 4.5
    expect(there.page.get_by_role("button", name="Reset")).to_be_visible()


def test_link_holds_direction_and_open_groups(explore: Explore, open_page: OpenPage) -> None:
    explore.write(NETWORK)
    expect(explore.card("y")).to_be_visible()
    explore.page.get_by_title("Top to bottom").click()
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    explore.page.get_by_text("boxes", exact=True).click()
    expect(explore.picture.locator(".group").first).to_be_visible()
    title = "Neuron l0.n1"
    explore.page.get_by_role("button", name=re.compile(f"^{title}[ ,].*: open")).click()
    expect(explore.page.get_by_role("button", name=f"{title}: close")).to_be_visible()
    link = copied_link(explore)
    assert "direction=TB" in link
    assert "grouped=1" in link
    assert "open=" in link
    there = Explore(open_page()).go(link)
    expect(there.picture).to_have_attribute("data-direction", "TB")
    expect(there.page.get_by_role("button", name=f"{title}: close")).to_be_visible()
    for each in (explore, there):
        each.page.get_by_role("button", name="Fit", exact=True).click()
    assert there.view() == explore.view()


def test_address_follows_frame_and_leaf(explore: Explore) -> None:
    explore.press("Home")
    expect(explore.page).to_have_url(re.compile(r"&at=1$"))
    explore.type_leaf("c", "3")
    expect(explore.page).to_have_url(re.compile(r"c=3"))
    explore.press("Escape")
    explore.press("End")
    expect(explore.page).not_to_have_url(re.compile("&at="))
    assert in_link(explore) == {"program": [EXAMPLE], "c": ["3"]}


def test_stepping_leaves_no_trace_in_the_history(explore: Explore) -> None:
    length = explore.page.evaluate("history.length")
    for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
        explore.press(key)
    expect(explore.page).to_have_url(re.compile("&at=7$"))
    assert explore.page.evaluate("history.length") == length


@pytest.mark.parametrize("frame", ["0", "6", "99"])
def test_reload_brings_back_the_picture(page: Page, frame: str) -> None:
    explore = Explore(page).open(EXAMPLE, b=2.5, frame=frame)
    explore.is_at(min(int(frame), 7), 8)
    before = explore.view()
    page.reload()
    explore.ready()
    explore.is_at(min(int(frame), 7), 8)
    assert explore.view() == before


def test_senseless_frame_is_passed_over(page: Page) -> None:
    for frame in ("-1", "x", "1e3", ""):
        Explore(page).open(EXAMPLE, frame=frame).is_at(7, 8)


def test_senseless_leaf_is_named(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE, a="much", z="3")
    assert explore.numbers() == as_shown(chain())
    said = " ".join(page.locator("#numbers .notice").all_text_contents())
    assert "a needs a number" in said
    assert "z" in said


def test_direction_turns_the_picture(explore: Explore) -> None:
    def reach() -> tuple[float, float]:
        a, output = explore.middle(explore.card("a")), explore.middle(explore.card("L"))
        return output[0] - a[0], output[1] - a[1]

    numbers = explore.numbers()
    explore.page.get_by_title("Left to right").click()
    expect(explore.picture).to_have_attribute("data-direction", "LR")
    explore.still()
    across, down = reach()
    assert across > abs(down)
    explore.page.get_by_title("Top to bottom").click()
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    explore.still()
    across, down = reach()
    assert down > abs(across)
    assert explore.numbers() == numbers
    expect(explore.page).to_have_url(re.compile("direction=TB"))
    explore.page.get_by_title("Left to right").click()
    expect(explore.picture).to_have_attribute("data-direction", "LR")
    expect(explore.page).to_have_url(re.compile("direction=LR"))


def test_back_and_forward_walk_through_the_programs(page: Page) -> None:
    """Edits of one moment are one step, and one that comes later is another."""
    page.clock.install()
    explore = Explore(page).open()
    programs = ["a = 2.0\nL = a * 3", "a = 2.0\nL = a * 5", "a = 2.0\nb = 4.0\nL = a * b"]
    for program, output in zip(programs, (6, 10, 8), strict=True):
        page.clock.fast_forward(A_WHILE)
        explore.write(program)
        explore.shows("L", output, 1)
    for program, output in ((programs[1], 10), (programs[0], 6), (EXAMPLE, -8)):
        page.go_back()
        expect(explore.program).to_have_value(program)
        explore.shows("L", output, 1)
    for program, output in zip(programs, (6, 10, 8), strict=True):
        page.go_forward()
        expect(explore.program).to_have_value(program)
        explore.shows("L", output, 1)
    expect(explore.stale).to_be_hidden()


def test_back_is_not_overtaken_by_the_address_of_where_it_came_from(page: Page) -> None:
    """The address is written a moment after a step; by then the visitor may have gone back."""
    page.clock.install()
    explore = Explore(page).open()
    page.clock.fast_forward(A_WHILE)
    explore.write("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    page.clock.fast_forward(A_WHILE)
    there = re.compile(r"program=.*10\.0")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/graph", hold)
    page.evaluate(
        """() => {
          const key = new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true})
          document.body.dispatchEvent(key)
          history.back()
        }"""
    )
    expect(page).to_have_url(there)
    page.clock.run_for(1000)
    expect(page).to_have_url(there)
    page.wait_for_function("() => document.querySelector('#program').value.includes('f')")
    held[0].continue_()
    explore.shows("L", -8, 1)
    expect(explore.program).to_have_value(EXAMPLE)
    page.go_forward()
    expect(explore.program).to_have_value("a = 2.0\nL = a * 3")


def test_back_brings_the_leaf_and_the_frame_too(page: Page) -> None:
    page.clock.install()
    explore = Explore(page).open()
    explore.type_leaf("a", "4.5")
    explore.shows("a", 4.5, 6)
    explore.press("Escape")
    explore.press("ArrowLeft")
    page.clock.fast_forward(A_WHILE)
    expect(page).to_have_url(re.compile(r"a=4\.5&at=7"))
    explore.write("x = 1.0\ny = x * 3")
    explore.shows("y", 3, 1)
    page.go_back()
    explore.is_at(6, 8)
    assert float(explore.field("a").input_value()) == 4.5
    explore.shows("a*b", 4.5 * -3, -2)


def test_back_to_another_frame_of_the_same_program_sends_no_request(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE)
    page.evaluate("history.pushState({}, '', location.href + '&frame=2')")
    page.evaluate("history.pushState({}, '', location.href + '&a=1')")
    page.evaluate("history.replaceState({}, '', location.href.replace('&a=1', ''))")
    with requests(page) as sent:
        page.go_back()
        explore.is_at(2, 8)
    assert sent == []


def test_back_from_wrong_text_goes_to_a_right_program(page: Page) -> None:
    page.clock.install()
    explore = Explore(page).open()
    page.clock.fast_forward(A_WHILE)
    explore.write("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    page.clock.fast_forward(A_WHILE)
    explore.area.press("Control+End")
    page.keyboard.type(" *")
    expect(explore.stale).to_be_visible()
    page.go_back()
    expect(explore.program).to_have_value(EXAMPLE)
    explore.shows("L", -8, 1)
    expect(explore.stale).to_be_hidden()
    expect(explore.problem).to_be_empty()


def test_link_to_a_wrong_program_shows_where_it_is_wrong(page: Page) -> None:
    explore = Explore(page).open("a = 2.0\nL = a * g")
    expect(explore.area).to_have_attribute("aria-invalid", "true")
    expect(explore.error_mark()).to_have_text("g")
    expect(explore.problem).to_contain_text("line 2, column 9")
    expect(explore.picture).to_have_count(0)
    explore.area.press("Control+End")
    explore.press("Backspace")
    page.keyboard.type("a")
    explore.shows("L", 4, 1)
    explore.shows("a", 2, 4)
    explore.press("Escape")
    explore.press("Home")
    explore.is_at(0, 3 + 1)


def test_link_is_copied_where_the_clipboard_is_refused(page: Page) -> None:
    explore = Explore(page).open()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    button = page.locator("#copy-link")
    button.click()
    expect(button).to_have_text(re.compile("^Copied$|address bar"))
    expect(button).to_have_text("Copy link")
    assert in_link(explore)["program"] == [EXAMPLE]


def test_long_program_is_drawn_and_its_link_works(explore: Explore, open_page: OpenPage) -> None:
    """A program of 6 kB: requests go by POST, the link is as long as it must be."""
    lines = [f"x{i} = {i / 8} * 2.0  # line number {i}" for i in range(150)]
    program = "\n".join(["a = 1.5", *lines, "L = a * x149"])
    explore.page.evaluate("text => navigator.clipboard.writeText(text)", program)
    explore.area.press("Control+a")
    explore.press("Control+v")
    explore.shows("L", 1.5 * 149 / 4, 1)
    there = Explore(open_page()).go(copied_link(explore))
    expect(there.program).to_have_value(program)
    there.shows("L", 1.5 * 149 / 4, 1)
