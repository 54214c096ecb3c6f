"""Writing in the editor: indentation, cursors, search, undo, folding, completion, help."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import EXAMPLE, Explore, hold_editor
from tests.support.each import Cases, for_each

CLASS = "\n".join(
    [
        "class Value:",
        "    def __init__(self, data):",
        "        self.data = data",
        "        self.grad = 0.0",
        "        self._backward = lambda: None",
        *(f"    def unused{i}(self):\n        return {i}" for i in range(70)),
        "    def __mul__(self, other):",
        "        out = Value(self.data * other.data)",
        "        def _backward():",
        "            self.grad += other.data * out.grad",
        "            other.grad += self.data * out.grad",
        "        out._backward = _backward",
        "        return out",
    ]
)
USE = "a = Value(3.0)\nb = Value(2.0)\nL = a * b\nL.grad = 1.0\nL._backward()\n"
PROGRAM = f"{CLASS}\n\n{USE}"
AT_LEAST = 200  # milliseconds; the list takes no key that was meant for the text before it opened


def options(explore: Explore) -> Locator:
    """The rows of the list of completions."""
    return explore.page.get_by_role("listbox", name="Completions").get_by_role("option")


def row(explore: Explore, name: str) -> Locator:
    """The completion called `name`."""
    label = explore.page.locator(".cm-completionLabel", has_text=re.compile(f"^{name}$"))
    return options(explore).filter(has=label)


def at_end(explore: Explore, text: str) -> None:
    """Type at the end of the program."""
    explore.settle()
    explore.area.press("Control+End")
    explore.page.keyboard.type(text, delay=20)


writing = Cases()


@for_each("case", writing)
def test_writing(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.settle()
    explore.press("Escape")
    if explore.program.input_value() != EXAMPLE:
        explore.paste(EXAMPLE)
    expect(options(explore)).to_have_count(0)
    case(explore)


# Keys


@writing.add
def lines_are_indented_as_python_wants(explore: Explore) -> None:
    explore.area.press("Control+a")
    explore.page.keyboard.type("def f(x):\nif x:\nreturn 1\nelse:\ny = [\n1,")
    lines = ("def f(x):", "    if x:", "        return 1", "    else:", "        y = [")
    expect(explore.program).to_have_value("\n".join([*lines, "            1,", "        ]"]))


@writing.add
def brackets_are_closed_and_overtyped(explore: Explore) -> None:
    explore.area.press("Control+a")
    explore.page.keyboard.type("a = [1.0")
    expect(explore.program).to_have_value("a = [1.0]")
    explore.page.keyboard.type("]\nb = sum(a)")
    expect(explore.program).to_have_value("a = [1.0]\nb = sum(a)")


@writing.add
def tab_indents_once_somebody_works_and_escape_leaves(explore: Explore) -> None:
    explore.area.press("Control+Home")
    explore.press("Tab")
    expect(explore.program).to_have_value("    " + EXAMPLE)
    explore.press("Shift+Tab")
    expect(explore.program).to_have_value(EXAMPLE)
    explore.press("Escape")
    explore.press("Tab")
    expect(explore.area).not_to_be_focused()
    expect(explore.program).to_have_value(EXAMPLE)


@writing.add
def leaving_by_escape_and_tab_is_said(explore: Explore) -> None:
    expect(explore.area).to_have_accessible_description(re.compile("press Escape, then Tab"))
    expect(explore.area).to_have_accessible_name("Program")


@writing.add
def several_cursors_write_at_once(explore: Explore) -> None:
    explore.area.press("Control+Home")
    explore.press("Control+Alt+ArrowDown")
    explore.press("Control+Alt+ArrowDown")
    explore.page.keyboard.type("#")  # no name, for which completions would open
    expect(explore.program).to_have_value(
        "#a = 2.0\n#b = -3.0\n#c = 10.0\nf = -2.0\nL = (a*b + c) * f"
    )
    explore.press("Escape")  # one cursor again, still in the editor
    expect(explore.area).to_be_focused()
    explore.page.keyboard.type("y")
    expect(explore.program).to_have_value(re.compile(r"^[^y]*y[^y]*$"))


# Undo


def test_undo_outlives_a_reload_and_does_not_reach_into_another_program(explore: Explore) -> None:
    at_end(explore, " * 3")
    explore.shows("L", -24, 1)
    explore.page.reload()
    explore.ready()
    expect(explore.program).to_have_value(EXAMPLE + " * 3")
    for _ in range(5):
        explore.area.press("Control+z")
    expect(explore.program).to_have_value(EXAMPLE)
    explore.shows("L", -8, 1)
    for _ in range(5):
        explore.press("Control+y")
    expect(explore.program).to_have_value(EXAMPLE + " * 3")
    explore.open("x = 2.0\ny = x * 5")
    explore.area.press("Control+z")
    expect(explore.program).to_have_value("x = 2.0\ny = x * 5")


def test_undo_that_is_kept_is_bounded(page: Page) -> None:
    explore = Explore(page).open()
    for letter in "abcdefgh":
        explore.paste(f"x = 1.0  # {letter * 60_000}")
    page.reload()
    explore.ready()
    kept = page.evaluate("(sessionStorage.getItem('seegrad.undo.explore') ?? '').length")
    assert kept < 400_000
    expect(explore.program).to_have_value(f"x = 1.0  # {'h' * 60_000}")


def test_text_typed_before_the_editor_is_there_can_be_undone(page: Page) -> None:
    held = hold_editor(page)
    page.goto("/explore")
    area = page.locator("#program")
    area.press("Control+End")
    page.keyboard.type(" * 3")
    assert held
    for route in held:
        route.continue_()
    explore = Explore(page).ready()
    expect(explore.area).to_be_focused()
    page.keyboard.type(" + 1")
    expect(explore.program).to_have_value(EXAMPLE + " * 3 + 1")
    for _ in range(6):
        explore.press("Control+z")
    expect(explore.program).to_have_value(EXAMPLE)


# Folding


def test_class_is_folded_and_the_active_frame_unfolds_its_method_only(page: Page) -> None:
    explore = Explore(page).open(PROGRAM)
    assert len(PROGRAM.split("\n")) > 150
    seen = explore.seen_lines()
    assert re.fullmatch(r"class Value:\d+ lines", seen[0])
    assert seen[1:] == ["", *USE.split("\n")]
    expect(page.locator("#editor .cm-line", has_text="L._backward()")).to_be_in_viewport(ratio=1)
    expect(explore.program).to_have_value(PROGRAM)
    page.locator("#player").focus()
    explore.press("ArrowLeft")
    mark = page.locator("#editor mark.backward")
    expect(mark).to_have_text("self.grad += other.data * out.grad")
    expect(mark).to_be_in_viewport()
    assert "    def unused69(self):1 line" in explore.seen_lines()
    assert "        return 69" not in explore.seen_lines()


def test_error_unfolds_its_method_at_opening(page: Page) -> None:
    wrong = PROGRAM.replace("out = Value(self.data * other.data)", "out = Value(self.data * oops)")
    explore = Explore(page).open(wrong)
    expect(explore.error_mark()).to_have_text("oops")
    expect(explore.error_mark()).to_be_in_viewport()
    assert "    def unused69(self):1 line" in explore.seen_lines()


def test_short_program_stays_open_and_is_folded_by_keyboard_and_by_pointer(page: Page) -> None:
    text = "class A:\n    def f(self):\n        return 2.0\na = A().f()\nL = a * 3"
    explore = Explore(page).open(text)
    assert explore.seen_lines() == text.split("\n")
    explore.area.press("Control+Home")
    explore.press("Control+Shift+BracketLeft")
    assert explore.seen_lines() == ["class A:2 lines", "a = A().f()", "L = a * 3"]
    explore.press("Control+Shift+BracketRight")
    assert explore.seen_lines() == text.split("\n")
    page.locator("#editor .fold:visible").first.click()
    page.get_by_role("button", name="2 lines folded").click()
    assert explore.seen_lines() == text.split("\n")


# Completion and help


@writing.add
def a_completion_is_taken_once_it_was_chosen_and_by_no_other_key(explore: Explore) -> None:
    at_end(explore, "\nM = ta")
    expect(row(explore, "tanh")).to_contain_text("Squash x into the interval from −1 to 1.")
    explore.page.wait_for_timeout(AT_LEAST)
    explore.press("ArrowDown")
    explore.press("ArrowDown")
    explore.press("Enter")
    expect(explore.program).to_have_value(EXAMPLE + "\nM = tanh")
    for key, end in (("Tab", "\nM = tan"), ("Enter", "\nM = tan\n")):
        explore.paste(EXAMPLE)
        at_end(explore, "\nM = tan")
        expect(row(explore, "tanh")).to_be_visible()
        explore.page.wait_for_timeout(AT_LEAST)
        explore.press(key)
        expect(explore.program).to_have_value(EXAMPLE + end)
        expect(options(explore)).to_have_count(0)


REACHED = [
    ("a = Value(2.0)", "\na.ba", "backward", "Walk back"),
    ("import math", "\nx = math.sq", "sqrt", "square root"),
    ("import numpy as np", "\nx = np.lin", "linspace", "evenly spaced"),
    ("xs = [1.0]", "\nxs.app", "append", "Append object to the end of the list."),
    ("name = 'a'", "\nname.up", "upper", "uppercase"),
    (CLASS, "\na = Value(1.0)\na.unused6", "unused69", "def unused69(self):"),
    ("learning_rate = 0.1", "\nx = lear", "learning_rate", "line 1: learning_rate = 0.1"),
]


@writing.add
def what_a_name_or_a_dot_may_reach(explore: Explore) -> None:
    for program, typed, found, words in REACHED:
        explore.paste(program)
        at_end(explore, typed)
        expect(row(explore, found)).to_contain_text(words)
        explore.press("Escape")


@writing.add
def every_name_is_offered_on_request_in_an_empty_place(explore: Explore) -> None:
    at_end(explore, "\nM = ")
    explore.press("Control+Space")
    for name in ("L", "relu"):
        explore.page.keyboard.type(name)
        expect(row(explore, name)).to_be_visible()
        for _ in name:
            explore.press("Backspace")
        explore.press("Control+Space")


@writing.add
def nothing_is_offered_in_text_and_comments(explore: Explore) -> None:
    at_end(explore, "  # tan")
    explore.page.wait_for_timeout(400)
    expect(options(explore)).to_have_count(0)


def test_search_and_help(explore: Explore, axe: Axe) -> None:
    search_finds_and_replaces(explore, axe)
    explore.settle()
    help_on_a_word_by_pointer_and_by_key(explore, axe)


def search_finds_and_replaces(explore: Explore, axe: Axe) -> None:
    explore.area.press("Control+f")
    find = explore.page.get_by_role("textbox", name="Find")
    expect(find).to_be_focused()
    explore.page.keyboard.type("2.0")
    expect(explore.page.locator("#editor .cm-searchMatch")).to_have_count(2)
    assert axe(explore.page) == []
    explore.page.get_by_role("textbox", name="Replace").fill("7.0")
    explore.page.get_by_role("button", name="replace all").click()
    expect(explore.program).to_have_value(EXAMPLE.replace("2.0", "7.0"))
    explore.press("Escape")
    expect(find).to_have_count(0)
    expect(explore.area).to_be_focused()


def help_on_a_word_by_pointer_and_by_key(explore: Explore, axe: Axe) -> None:
    explore.insert("x = 0.5\ny = tanh(x)\nz = y * 1")
    expect(explore.card("z")).to_be_visible()
    explore.page.locator("#editor .cm-line").nth(1).get_by_text("tanh").hover()
    tip = explore.page.locator("#editor .cm-tooltip-hover")
    expect(tip).to_contain_text("tanh(x)")
    expect(tip).to_contain_text("Squash x into the interval from −1 to 1.")
    explore.page.mouse.move(0, 0)
    explore.area.press("Control+End")
    explore.press("Home")
    explore.press("F1")
    expect(tip).to_contain_text("line 3: z = y * 1")
    assert axe(explore.page) == []
    explore.press("Escape")
    expect(tip).to_have_count(0)
    expect(explore.area).to_be_focused()


# A phone


def test_editor_on_a_phone(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(width=390, height=844, touch=True)
    explore = Explore(page).open(PROGRAM)
    page.locator("#program-panel > summary").tap()
    expect(explore.area).to_be_visible()
    expect(page.locator("#editor .cm-line", has_text="L._backward()")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert axe(page) == []


@writing.add
def a_word_of_65_536_letters_does_not_stop_the_page(explore: Explore) -> None:
    explore.area.press("Control+a")
    explore.page.keyboard.insert_text("a" * 65_536)
    explore.page.keyboard.insert_text("b")
    expect(explore.program).to_have_value("a" * 65_536 + "b")
