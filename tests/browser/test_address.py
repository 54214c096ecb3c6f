"""The address is the state: a link, a reload and the back button bring back what was seen."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import EXAMPLE, Explore, requests

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
    explore.page.locator("#share-menu > summary").click()
    button.click()
    expect(button.locator("b")).to_have_text("Copied")
    expect(explore.page.locator("#announcer")).to_have_text("Link copied.")
    explore.press("Escape")
    link: str = explore.page.evaluate("navigator.clipboard.readText()")
    return link


def in_link(explore: Explore) -> dict[str, list[str]]:
    """What the address says by now."""
    return parse_qs(urlsplit(explore.page.url).query)


def test_address_and_link_hold_what_is_seen(explore: Explore, open_page: OpenPage) -> None:
    """At each point the link, opened elsewhere, shows the same."""
    there = Explore(open_page())
    stepping_leaves_no_trace_in_the_history(explore)
    explore.type_leaf("c", "4.5")
    explore.shows("c", 4.5, -2)
    expect(explore.page).to_have_url(re.compile(r"c=4\.5"))
    explore.press("Escape")
    explore.press("End")
    expect(explore.page).not_to_have_url(re.compile("&at="))
    assert in_link(explore) == {"program": [EXAMPLE], "c": ["4.5"]}
    for _ in range(3):
        explore.press("ArrowLeft")
    explore.is_at(4, 8)
    is_the_same_there(explore, there)
    there.is_at(4, 8)
    expect(there.card("L").locator("text.grad")).to_have_text("1.0000")
    expect(there.card("a").locator("text.grad")).to_have_text("·")
    assert float(there.field("c").input_value()) == 4.5
    expect(there.page.get_by_role("button", name="Reset")).to_be_visible()
    there.page.reload()
    assert there.ready().view() == explore.view()
    direction_turns_the_picture(explore)
    link_holds_direction_and_open_groups(explore, there)


def is_the_same_there(explore: Explore, there: Explore) -> str:
    """The copied link brings back, on another page, what is seen; the link."""
    link = copied_link(explore)
    there.go(link)
    for each in (explore, there):
        each.press("0")
    assert there.view() == explore.view()
    return link


def stepping_leaves_no_trace_in_the_history(explore: Explore) -> None:
    """But the address follows."""
    length = explore.page.evaluate("history.length")
    explore.press("Home")
    expect(explore.page).to_have_url(re.compile(r"&at=1$"))
    for key in ("ArrowRight", "End", "ArrowLeft"):
        explore.press(key)
    expect(explore.page).to_have_url(re.compile("&at=7$"))
    assert explore.page.evaluate("history.length") == length


def direction_turns_the_picture(explore: Explore) -> None:
    """Both ways, with the same numbers."""

    def reach() -> tuple[float, float]:
        explore.still()
        a, output = explore.middle(explore.card("a")), explore.middle(explore.card("L"))
        return output[0] - a[0], output[1] - a[1]

    numbers = explore.numbers()
    for title, word in (("Left to right", "LR"), ("Top to bottom", "TB")):
        explore.switches()
        explore.page.get_by_title(title).click()
        expect(explore.picture).to_have_attribute("data-direction", word)
        across, down = reach()
        assert across > abs(down) if word == "LR" else down > abs(across)
        expect(explore.page).to_have_url(re.compile(f"direction={word}"))
    assert explore.numbers() == numbers


def link_holds_direction_and_open_groups(explore: Explore, there: Explore) -> None:
    """Top to bottom, and one neuron open."""
    explore.insert(NETWORK)
    expect(explore.card("y")).to_be_visible()
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    explore.switches()
    explore.page.get_by_text("boxes", exact=True).click()
    expect(explore.picture.locator(".group").first).to_be_visible()
    title = "Neuron l0.n1"
    explore.page.get_by_role("button", name=re.compile(f"^{title}[ ,].*: open")).click()
    expect(explore.page.get_by_role("button", name=f"{title}: close")).to_be_visible()
    link = is_the_same_there(explore, there)
    assert "direction=TB" in link
    assert "grouped=1" in link
    assert "open=" in link
    expect(there.picture).to_have_attribute("data-direction", "TB")
    expect(there.page.get_by_role("button", name=f"{title}: close")).to_be_visible()


def test_senseless_leaf_is_named(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE, a="much", z="3", frame="99")
    explore.is_at(7, 8)
    assert explore.numbers() == as_shown(chain())
    said = " ".join(page.locator("#numbers .notice").all_text_contents())
    assert "a needs a number" in said
    assert "z" in said


def test_back_and_forward_walk_through_the_programs(page: Page) -> None:
    """Edits of one moment are one step, and one that comes later is another."""
    page.clock.install()
    explore = Explore(page).open()
    first, second = "a = 2.0\nL = a * 3", "a = 2.0\nb = 4.0\nL = a * b"
    for program, output in ((first, 6), (second, 8)):
        page.clock.fast_forward(A_WHILE)
        explore.write(program)
        explore.shows("L", output, 1)
    for program, output in ((first, 6), (EXAMPLE, -8)):
        page.go_back()
        expect(explore.program).to_have_value(program)
        explore.shows("L", output, 1)
    page.go_forward()
    expect(explore.program).to_have_value(first)
    explore.shows("L", 6, 1)
    expect(explore.stale).to_be_hidden()
    page.clock.fast_forward(A_WHILE)
    back_from_wrong_text_goes_to_a_right_program(explore)
    back_brings_the_leaf_and_the_frame_too(explore)


def back_from_wrong_text_goes_to_a_right_program(explore: Explore) -> None:
    """The one before what was typed last."""
    explore.area.press("Control+End")
    explore.page.keyboard.type(" *")
    expect(explore.stale).to_be_visible()
    explore.page.go_back()
    expect(explore.program).to_have_value(EXAMPLE)
    explore.shows("L", -8, 1)
    expect(explore.stale).to_be_hidden()
    expect(explore.problem).to_be_empty()


def back_brings_the_leaf_and_the_frame_too(explore: Explore) -> None:
    """As they were when another program was typed."""
    page = explore.page
    explore.type_leaf("a", "4.5")
    explore.shows("a", 4.5, 6)
    explore.press("Escape")
    explore.press("ArrowLeft")
    page.clock.fast_forward(A_WHILE)
    expect(page).to_have_url(re.compile(r"a=4\.5&at=7"))
    explore.insert("x = 1.0\ny = x * 3")
    explore.shows("y", 3, 1)
    page.go_back()
    explore.is_at(6, 8)
    assert float(explore.field("a").input_value()) == 4.5
    explore.shows("a*b", 4.5 * -3, -2)


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


def test_back_to_another_frame_of_the_same_program_sends_no_request(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE)
    page.evaluate("history.pushState({}, '', location.href + '&frame=2')")
    page.evaluate("history.pushState({}, '', location.href + '&a=1')")
    page.evaluate("history.replaceState({}, '', location.href.replace('&a=1', ''))")
    with requests(page) as sent:
        page.go_back()
        explore.is_at(2, 8)
    assert sent == []


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


def test_long_program_is_drawn_and_its_link_works(explore: Explore) -> None:
    """A program of more than 2 kB: requests go by POST, the link is as long as it must be."""
    lines = [f"x{i} = {i / 8}  # line number {i} of many that are not drawn" for i in range(60)]
    program = "\n".join(["a = 1.5", *lines, "L = a * x59"])
    explore.insert(program)
    explore.shows("L", 1.5 * 59 / 8, 1)
    link = copied_link(explore)
    link_is_copied_where_the_clipboard_is_refused(explore, program)
    explore.page.goto("about:blank")
    explore.go(link)
    expect(explore.program).to_have_value(program)
    explore.shows("L", 1.5 * 59 / 8, 1)


def link_is_copied_where_the_clipboard_is_refused(explore: Explore, program: str) -> None:
    """By hand, from the address bar."""
    explore.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    explore.page.locator("#share-menu > summary").click()
    button = explore.page.locator("#copy-link")
    expect(button.locator("b")).to_have_text("Copy link")
    button.click()
    expect(button.locator("b")).to_have_text(re.compile("^Copied$|address bar"))
    expect(button.locator("b")).to_have_text("Copy link")
    explore.press("Escape")
    assert in_link(explore)["program"] == [program]
