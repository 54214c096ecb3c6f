"""A visitor types a program: the picture follows, errors are marked in place, nothing is lost."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import EXAMPLE, Explore, requests
from tests.browser.witness import Witness

WRONG = EXAMPLE.replace("* f", "* g")  # g has no value
OTHER = EXAMPLE.replace("10.0", "5.5")
CONTROL_END = "Control+End"
UNREACHABLE = [r"^Failed to load resource: net::ERR_FAILED", "^htmx: htmx:error: Failed to fetch"]


def shows(explore: Explore, **leaves: float) -> None:
    """The numbers of the example with other leaves, as soon as they are there."""
    for name, (data, grad) in as_shown(chain(**leaves)).items():
        explore.shows(name, data, grad)


def is_as_before(explore: Explore, **leaves: float) -> None:
    """The picture of the example is there, and says that it is an older one."""
    assert explore.numbers() == as_shown(chain(**leaves))
    expect(explore.stale).to_be_visible()
    expect(explore.stale).to_contain_text("last working program")


def is_current(explore: Explore) -> None:
    """Nothing is wrong, and the picture is that of the text."""
    expect(explore.area).not_to_have_attribute("aria-invalid", "true")
    expect(explore.problem).to_be_empty()
    expect(explore.error_mark()).to_have_count(0)
    expect(explore.stale).to_be_hidden()


def test_typing_changes_the_picture(explore: Explore) -> None:
    is_the_example(explore)
    tab_leaves_the_editor(explore)
    control_enter_runs_at_once(explore)
    number_typed_changes_the_picture_and_leaves_the_caret(explore)
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(OTHER)
    assert explore.numbers() == as_shown(chain(c=5.5))
    line_typed_at_the_end_adds_to_the_picture(explore)


def is_the_example(explore: Explore) -> None:
    """The first page."""
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.cards).to_have_count(7)
    assert explore.numbers() == as_shown(chain())
    expect(explore.picture.locator(".op")).to_have_text(["×", "+", "×"])
    expect(explore.picture.locator(".edge.in")).to_have_count(6)
    expect(explore.picture.locator(".edge.out")).to_have_count(3)
    is_current(explore)


def control_enter_runs_at_once(explore: Explore) -> None:
    """Also what has not changed."""
    with requests(explore.page) as sent, explore.page.expect_response("**/graph"):
        explore.area.press("Control+Enter")
    assert [line.rsplit("/", 1)[1] for line in sent] == ["graph"]
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.area).to_be_focused()


def tab_leaves_the_editor(explore: Explore) -> None:
    """And comes back."""
    explore.area.press("Tab")
    expect(explore.area).not_to_be_focused()
    expect(explore.program).to_have_value(EXAMPLE)
    explore.press("Shift+Tab")
    expect(explore.area).to_be_focused()


def number_typed_changes_the_picture_and_leaves_the_caret(explore: Explore) -> None:
    """The picture is drawn once between the digits."""
    explore.area.press("Control+Home")
    for key in ("ArrowDown", "ArrowDown", "End", *["Backspace"] * 4):
        explore.press(key)
    explore.page.keyboard.type("5")
    shows(explore, c=5)
    explore.page.keyboard.type(".5")
    shows(explore, c=5.5)
    expect(explore.program).to_have_value(OTHER)
    expect(explore.area).to_be_focused()
    is_current(explore)


def line_typed_at_the_end_adds_to_the_picture(explore: Explore) -> None:
    """dM/dL = 2 L = 1 · 2, and everything before it receives that much times its own dL/d…"""
    explore.area.press(CONTROL_END)
    explore.page.keyboard.type("\nM = L**2")
    explore.shows("L", 1, 2)
    explore.shows("a", 2, 2 * 6)
    explore.shows("M", 1, 1)
    expect(explore.card("M")).to_have_class(re.compile(r"\boutput\b"))
    expect(explore.card("L")).not_to_have_class(re.compile(r"\boutput\b"))


def test_wrong_text_is_marked_and_kept_over_the_last_right_picture(explore: Explore) -> None:
    explore.write(WRONG)
    expect(explore.stale).to_be_visible()
    error_is_marked_where_it_is(explore)
    wrong_text_survives_a_reload_and_another_page(explore)
    last_right_picture_obeys(explore)
    right_text_recovers(explore)
    explore.area.press("Control+a")
    explore.press("Delete")
    expect(explore.problem).to_contain_text("Type an expression")
    is_as_before(explore, c=20)
    refusals_name_their_places(explore)


def error_is_marked_where_it_is(explore: Explore) -> None:
    """The underline lies under the letter that the visitor typed, the 17th on its line."""
    expect(explore.area).to_have_attribute("aria-invalid", "true")
    expect(explore.problem).to_contain_text("line 5, column 17")
    expect(explore.problem).to_contain_text("NameError: name 'g' is not defined")
    expect(explore.area).to_have_accessible_description(re.compile(r"line 5, column 17"))
    expect(explore.problem).to_have_attribute("aria-live", "polite")
    mark = explore.error_mark()
    expect(mark).to_have_text("g")
    expect(mark).to_have_css("text-decoration-style", "wavy")
    x, y, width, height = explore.box(mark)
    left, top, _, row = explore.box(explore.line(5))
    pad = explore.line(5).evaluate("line => parseFloat(getComputedStyle(line).paddingLeft)")
    assert x == pytest.approx(left + pad + 16 * width, abs=1)
    assert y + height / 2 == pytest.approx(top + row / 2, abs=2)


def wrong_text_survives_a_reload_and_another_page(explore: Explore) -> None:
    """The way back from another page as well."""
    is_as_before(explore)
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")
    is_as_before(explore)
    explore.page.get_by_role("link", name="Reference").click()
    expect(explore.page).to_have_title(re.compile("Reference"))
    explore.page.go_back()
    explore.ready()
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")


def last_right_picture_obeys(explore: Explore) -> None:
    """Its frames and its leaves."""
    explore.area.press("Escape")
    explore.press("Home")
    explore.is_at(0, 8)
    explore.shows("L", "·", "·")
    explore.press("End")
    explore.is_at(7, 8)
    is_as_before(explore)
    explore.slider("c").focus()
    explore.press("End")  # c = 20
    shows(explore, c=20)
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")


def right_text_recovers(explore: Explore) -> None:
    """The text of the picture, and another."""
    explore.area.press(CONTROL_END)
    explore.press("Backspace")
    explore.page.keyboard.type("a")  # L = (a*b + c) * a = 28, dL/da = 2 a b + c = 8
    explore.shows("L", 28, 1)
    explore.shows("a", 2, 8)
    is_current(explore)
    explore.press("Backspace")
    explore.page.keyboard.type("f")
    shows(explore, c=20)
    explore.press("Backspace")
    explore.page.keyboard.type("g")
    expect(explore.stale).to_be_visible()
    explore.press("Backspace")
    explore.page.keyboard.type("f")
    is_current(explore)
    assert explore.numbers() == as_shown(chain(c=20))


def refusals_name_their_places(explore: Explore) -> None:
    """Of a text that cannot be read, and of one that cannot be run."""
    for line, column, words in (
        ("L = (a*b + c * f", 5, "never closed"),
        ("L = a.bias", 5, "bias"),
    ):
        explore.insert(f"a = 2.0\nb = a * 3\nc = 1\nf = 2\n{line}")  # no bracket is closed
        expect(explore.problem).to_contain_text(f"line 5, column {column} ")
        expect(explore.problem).to_contain_text(words)
        expect(explore.area).to_have_attribute("aria-invalid", "true")


def test_text_is_kept_while_the_server_is_away(explore: Explore, witness: Witness) -> None:
    witness.allowed += UNREACHABLE
    page = explore.page
    text_just_typed_survives_a_reload(explore)
    page.route("**/graph", lambda route: route.abort())
    text = EXAMPLE.replace("10.0", "4.5")
    explore.insert(text)
    expect(explore.problem).to_contain_text("cannot be reached")
    expect(explore.program).to_have_value(text)
    is_as_before(explore, c=5.5)
    with page.expect_request("**/graph"):
        page.get_by_role("button", name="Try again").click()
    page.unroute_all()
    shows(explore, c=4.5)
    is_current(explore)
    page.route("**/graph", lambda route: route.abort())
    explore.insert(EXAMPLE)
    expect(explore.problem).to_contain_text("Your text is kept")
    page.unroute_all()
    page.reload()
    explore.ready()
    expect(explore.program).to_have_value(EXAMPLE)
    late_answer_to_an_older_text_is_not_shown(explore)


def text_just_typed_survives_a_reload(explore: Explore) -> None:
    """Also before the server has said what it thinks of it."""
    explore.page.route("**/graph", lambda route: None)  # no answer
    explore.insert(OTHER)
    expect(explore.program).to_have_value(OTHER)
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(OTHER)
    explore.page.unroute("**/graph")
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(OTHER)
    shows(explore, c=5.5)


def late_answer_to_an_older_text_is_not_shown(explore: Explore) -> None:
    """An answer that is held back until the next text is drawn."""
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    shows(explore)
    explore.page.route("**/graph", hold_first)
    with explore.page.expect_request("**/graph"):
        explore.insert(OTHER)
    explore.area.press(CONTROL_END)
    explore.page.keyboard.type(" * 3")
    explore.shows("c", 5.5, -6)  # dL/dc = 3 f
    held[0].continue_()
    explore.page.wait_for_load_state("networkidle")
    explore.shows("c", 5.5, -6)
    expect(explore.program).to_have_value(OTHER + " * 3")


def coloured(explore: Explore, colour: str) -> list[str]:
    """The texts of the editor in a colour of the page."""
    found: list[str] = explore.area.evaluate(
        """(area, name) => {
          const probe = document.createElement('i')
          probe.style.color = `var(${name})`
          document.body.append(probe)
          const {color} = getComputedStyle(probe)
          probe.remove()
          return [...area.querySelectorAll('.cm-line span')]
            .filter(part => getComputedStyle(part).color === color).map(part => part.textContent)
        }""",
        colour,
    )
    return found


def test_code_is_indented_and_coloured(explore: Explore) -> None:
    explore.insert("s = 1.5\nfor i in range(3):")
    explore.page.keyboard.type("\ns *= 2")
    expect(explore.program).to_have_value("s = 1.5\nfor i in range(3):\n    s *= 2")
    expect(explore.picture.locator(".output text.data")).to_have_text("12.0000")
    for _ in range(4):
        explore.press("Control+z")
    assert "s *= 2" not in explore.program.input_value()
    colours_change_no_letter(explore)


def colours_change_no_letter(explore: Explore) -> None:
    """Of a text with markup, Greek and a letter of two code units."""
    text = (
        "# two, <b>&amp;\nfor i in range(2):\n    a = Value(2.5, label='π \"x\" 𝒙')\n"
        "b = a * 3e-1  # end"
    )
    explore.insert(text)
    lines = explore.page.locator("#editor .cm-line")
    assert lines.all_text_contents() == text.split("\n")
    expect(explore.program).to_have_value(text)
    assert coloured(explore, "--mute") == ["# two, <b>&amp;", "# end"]
    assert coloured(explore, "--data") == ["2", "2.5", "3e-1"]
    expect(explore.card("b")).to_be_visible()
