"""A visitor types a program: the picture follows, errors are marked in place, nothing is lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, as_shown, chain, requests
from tests.browser.witness import Witness
from tests.support.each import Cases, for_each

WRONG = EXAMPLE.replace("* f", "* g")  # g has no value
UNREACHABLE = [r"^Failed to load resource: net::ERR_FAILED", "^htmx: htmx:error: Failed to fetch"]


def is_as_before(explore: Explore) -> None:
    """The picture of the example is there, and says that it is an older one."""
    assert explore.numbers() == as_shown(chain())
    expect(explore.stale).to_be_visible()
    expect(explore.stale).to_contain_text("last working program")


def is_current(explore: Explore) -> None:
    """Nothing is wrong, and the picture is that of the text."""
    expect(explore.area).not_to_have_attribute("aria-invalid", "true")
    expect(explore.problem).to_be_empty()
    expect(explore.error_mark()).to_have_count(0)
    expect(explore.stale).to_be_hidden()


def test_opens_on_the_example(explore: Explore) -> None:
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.cards).to_have_count(7)
    assert explore.numbers() == as_shown(chain())
    expect(explore.picture.locator(".op")).to_have_text(["×", "+", "×"])
    expect(explore.picture.locator(".edge.in")).to_have_count(6)
    expect(explore.picture.locator(".edge.out")).to_have_count(3)
    is_current(explore)


def test_number_typed_in_the_program_changes_the_picture(explore: Explore) -> None:
    explore.area.press("Control+Home")
    for key in ("ArrowDown", "ArrowDown", "End", "Backspace", "Backspace", "Backspace"):
        explore.press(key)
    explore.press("Backspace")
    explore.page.keyboard.type("5.5")
    expect(explore.program).to_have_value(EXAMPLE.replace("10.0", "5.5"))
    for name, (data, grad) in as_shown(chain(c=5.5)).items():
        explore.shows(name, data, grad)
    expect(explore.area).to_be_focused()
    is_current(explore)


def test_line_typed_at_the_end_adds_to_the_picture(explore: Explore) -> None:
    explore.area.press("Control+End")
    explore.page.keyboard.type("\nM = L**2")
    # dM/dL = 2 L = -16, and everything before it receives that much times its own dL/d…
    explore.shows("L", -8, -16)
    explore.shows("a", 2, -16 * 6)
    explore.shows("M", 64, 1)
    expect(explore.card("M")).to_have_class(re.compile(r"\boutput\b"))
    expect(explore.card("L")).not_to_have_class(re.compile(r"\boutput\b"))


def test_typing_does_not_move_the_caret(explore: Explore) -> None:
    explore.area.press("Control+Home")
    explore.press("End")
    with explore.page.expect_response("**/graph"):
        explore.page.keyboard.type("5")
    explore.shows("a", 2.05, 6)
    explore.page.keyboard.type("5")
    explore.shows("a", 2.055, 6)


wrong = Cases()


@for_each("case", wrong)
def test_wrong_text_over_the_example(explore: Explore, case: Callable[[Explore], None]) -> None:
    is_moved = explore.page.locator("#reset").is_visible()
    if is_moved or explore.program.input_value() != WRONG:
        explore.open()
        explore.write(WRONG)
    expect(explore.stale).to_be_visible()
    case(explore)


@wrong.add
def error_is_marked_where_it_is(explore: Explore) -> None:
    expect(explore.area).to_have_attribute("aria-invalid", "true")
    expect(explore.problem).to_contain_text("line 5, column 17")
    expect(explore.problem).to_contain_text("NameError: name 'g' is not defined")
    mark = explore.error_mark()
    expect(mark).to_have_text("g")
    expect(mark).to_have_css("text-decoration-style", "wavy")
    # The underline lies under the letter that the visitor typed, the 17th on its line.
    x, y, width, height = explore.box(mark)
    left, top, _, row = explore.box(explore.line(5))
    pad = explore.line(5).evaluate("line => parseFloat(getComputedStyle(line).paddingLeft)")
    assert x == pytest.approx(left + pad + 16 * width, abs=1)
    assert y + height / 2 == pytest.approx(top + row / 2, abs=2)


@wrong.add
def error_is_announced_to_screen_readers(explore: Explore) -> None:
    expect(explore.area).to_have_accessible_description(re.compile(r"line 5, column 17"))
    expect(explore.problem).to_have_attribute("aria-live", "polite")


def test_each_refusal_names_its_place(explore: Explore) -> None:
    for line, column, words in (
        ("L = (a*b + c * f", 5, "never closed"),
        ("L = a *", 8, "Invalid syntax"),
        ("L = open(a)", 5, "open"),
        ("L = a.bias", 5, "bias"),
    ):
        explore.insert(f"a = 2.0\nb = a * 3\nc = 1\nf = 2\n{line}")  # no bracket is closed
        expect(explore.problem).to_contain_text(f"line 5, column {column} ")
        expect(explore.problem).to_contain_text(words)
        expect(explore.area).to_have_attribute("aria-invalid", "true")


@wrong.add
def last_right_picture_stays_and_obeys(explore: Explore) -> None:
    is_as_before(explore)
    explore.press("Escape")
    explore.press("Home")
    explore.is_at(0, 8)
    explore.shows("L", "·", "·")
    explore.press("End")
    explore.is_at(7, 8)
    is_as_before(explore)
    explore.slider("c").focus()
    explore.press("End")  # c = 20
    for name, (data, grad) in as_shown(chain(c=20)).items():
        explore.shows(name, data, grad)
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")


@wrong.add
def right_text_recovers(explore: Explore) -> None:
    explore.area.press("Control+End")
    explore.press("Backspace")
    explore.page.keyboard.type("a")  # L = (a*b + c) * a = 8, dL/da = 2 a b + c = -2
    explore.shows("L", 8, 1)
    explore.shows("a", 2, -2)
    is_current(explore)


@wrong.add
def return_to_the_text_of_the_picture_recovers(explore: Explore) -> None:
    explore.area.press("Control+End")
    explore.press("Backspace")
    explore.page.keyboard.type("f")
    is_current(explore)
    assert explore.numbers() == as_shown(chain())


def test_empty_program_says_what_to_do(explore: Explore) -> None:
    explore.area.press("Control+a")
    explore.press("Delete")
    expect(explore.problem).to_contain_text("Type an expression")
    is_as_before(explore)


@wrong.add
def wrong_text_survives_a_reload(explore: Explore) -> None:
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")
    is_as_before(explore)


@wrong.add
def wrong_text_survives_another_page_and_back(explore: Explore) -> None:
    explore.page.get_by_role("link", name="Reference").click()
    expect(explore.page).to_have_title(re.compile("Reference"))
    explore.page.go_back()
    explore.ready()
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")


def test_right_text_survives_a_reload(explore: Explore) -> None:
    text = EXAMPLE.replace("10.0", "5.5")
    explore.write(text)
    explore.shows("c", 5.5, -2)
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(text)
    assert explore.numbers() == as_shown(chain(c=5.5))


def test_text_just_typed_survives_a_reload(explore: Explore) -> None:
    """Also before the server has said what it thinks of it."""
    explore.page.route("**/graph", lambda route: None)  # no answer
    text = EXAMPLE.replace("10.0", "5.5")
    explore.write(text)
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(text)
    explore.page.unroute("**/graph")


def test_unreachable_server_loses_nothing(explore: Explore, witness: Witness) -> None:
    witness.allowed += UNREACHABLE
    explore.page.route("**/graph", lambda route: route.abort())
    text = EXAMPLE.replace("10.0", "5.5")
    explore.write(text)
    expect(explore.problem).to_contain_text("cannot be reached")
    expect(explore.program).to_have_value(text)
    assert explore.numbers() == as_shown(chain())
    with explore.page.expect_request("**/graph"):
        explore.page.get_by_role("button", name="Try again").click()
    explore.page.unroute("**/graph")
    explore.shows("c", 5.5, -2)
    is_current(explore)


def test_picture_of_another_text_is_marked_while_the_server_is_away(
    explore: Explore, witness: Witness
) -> None:
    witness.allowed += UNREACHABLE
    explore.page.route("**/graph", lambda route: route.abort())
    explore.write(EXAMPLE.replace("10.0", "5.5"))
    expect(explore.problem).to_contain_text("cannot be reached")
    is_as_before(explore)


def test_text_kept_by_word_is_kept_over_a_reload(explore: Explore, witness: Witness) -> None:
    """The page says "Your text is kept" when the server cannot be reached."""
    witness.allowed += UNREACHABLE
    explore.page.route("**/graph", lambda route: route.abort())
    text = EXAMPLE.replace("10.0", "5.5")
    explore.write(text)
    expect(explore.problem).to_contain_text("Your text is kept")
    explore.page.unroute("**/graph")
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(text)


def test_late_answer_to_an_older_text_is_not_shown(explore: Explore) -> None:
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    explore.page.route("**/graph", hold_first)
    with explore.page.expect_request("**/graph"):
        explore.write(EXAMPLE.replace("10.0", "5.5"))
    explore.area.press("Control+End")
    explore.page.keyboard.type(" * 3")
    explore.shows("c", 5.5, -6)  # dL/dc = 3 f
    held[0].continue_()
    explore.page.wait_for_load_state("networkidle")
    explore.shows("c", 5.5, -6)
    expect(explore.program).to_have_value(EXAMPLE.replace("10.0", "5.5") + " * 3")


def test_control_enter_runs_at_once(explore: Explore) -> None:
    with requests(explore.page) as sent, explore.page.expect_response("**/graph"):
        explore.area.press("Control+Enter")
    assert [line.rsplit("/", 1)[1] for line in sent] == ["graph"]
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.area).to_be_focused()


def test_tab_leaves_the_editor(explore: Explore) -> None:
    explore.area.press("Tab")
    expect(explore.area).not_to_be_focused()
    expect(explore.program).to_have_value(EXAMPLE)
    explore.press("Shift+Tab")
    expect(explore.area).to_be_focused()


def test_block_is_indented_and_the_indent_can_be_undone(explore: Explore) -> None:
    explore.write("s = 1.5\nfor i in range(3):\ns = s * 2")
    expect(explore.program).to_have_value("s = 1.5\nfor i in range(3):\n    s = s * 2")
    expect(explore.picture.locator(".output text.data")).to_have_text("12.0000")
    for _ in range(20):
        explore.press("Control+z")
    assert "s * 2" not in explore.program.input_value()


def test_chip_brings_its_example(explore: Explore) -> None:
    explore.page.get_by_role("link", name="a + a", exact=True).click()
    explore.ready()
    expect(explore.program).to_have_value(re.compile(r"b = a \+ a"))
    explore.press("End")
    explore.shows("a", 3, 2)
    expect(explore.page.locator(".printed pre")).to_have_text("2.0")


def test_every_example_is_drawn(open_page: OpenPage) -> None:
    page = open_page()
    explore = Explore(page).open()
    links = page.locator(".examples a").evaluate_all("links => links.map(link => link.href)")
    assert len(links) > 5
    for link in links:
        explore.go(link)
        expect(explore.picture).to_be_visible()
        is_current(explore)


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


def test_code_is_coloured_without_changing_a_letter(explore: Explore) -> None:
    text = (
        "# two, <b>&amp;\nfor i in range(2):\n    a = Value(2.5, label='π \"x\" 𝒙')\n"
        "b = a * 3e-1  # end"
    )
    explore.write("x = 1.0")
    explore.area.press("Control+a")
    explore.page.keyboard.insert_text(text)
    lines = explore.page.locator("#editor .cm-line")
    assert lines.all_text_contents() == text.split("\n")
    expect(explore.program).to_have_value(text)
    assert coloured(explore, "--mute") == ["# two, <b>&amp;", "# end"]
    assert coloured(explore, "--data") == ["2", "2.5", "3e-1"]
    expect(explore.card("b")).to_be_visible()
