"""What the editor shows: errors, mistakes and notes in place and in a list; frames and numbers."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import JSHandle, Page, expect

from tests.browser.conftest import Axe
from tests.browser.explore_page import EXAMPLE, Explore
from tests.support.each import Cases, for_each

TEXT = "class V:\n    def f(self):\n        self.grad = 2.0\n\nx = 1.0\ny = x * 3\n"
MISTAKE = {
    "from": TEXT.index("self.grad"),
    "to": TEXT.index("\n\n"),
    "severity": "mistake",
    "message": "= throws away what was there before.",
    "fix": {"from": TEXT.index("= 2.0"), "to": TEXT.index("= 2.0") + 1, "insert": "+="},
}
NOTE = {
    "from": TEXT.index("x * 3"),
    "to": TEXT.index("x * 3") + 5,
    "severity": "note",
    "message": "x is used once.",
}

# An editor of its own beside the page's, as other parts of the page are to use it.
OPEN = """async text => {
  const {modules, words} = document.querySelector('#editor').dataset
  const [first] = modules.split(' ')
  const {CodeEditor} = await import(first)
  const host = document.createElement('div')
  host.id = 'second'
  document.querySelector('#editor').append(host)
  Object.assign(host.style, {height: '160px'})
  window.said = []
  return new CodeEditor(host, {
    text, first: text, selection: [0, 0], rows: 18, most: 1e9, words,
    takes: () => true, onChange: text => said.push(text), onRun() {}, onLine() {}
  })
}"""


def second(page: Page, text: str = TEXT) -> JSHandle:
    """A new second editor in the place of the one before, TEXT with a mistake and a note."""
    page.evaluate("document.querySelector('#second')?.remove()")
    page.mouse.move(-1, -1)
    found = page.evaluate_handle(OPEN, text)
    if text == TEXT:
        call(found, "setDiagnostics", [MISTAKE, NOTE])
    return found


def call(editor: JSHandle, name: str, *given: Any) -> Any:
    """Call a method of the editor."""
    return editor.evaluate("(editor, [name, given]) => editor[name](...given)", [name, given])


def text(editor: JSHandle) -> str:
    """The text of the editor."""
    found: str = editor.evaluate("editor => editor.text")
    return found


# Errors, mistakes, notes

diagnosed = Cases()


@for_each("case", diagnosed)
def test_second_editor(explore: Explore, case: Callable[[Page, JSHandle], None]) -> None:
    case(explore.page, second(explore.page))


@for_each("dark", [False, True])
def test_everything_shown_is_accessible(explore: Explore, axe: Axe, dark: bool) -> None:
    page = explore.page
    page.emulate_media(color_scheme="dark" if dark else "light")
    editor = second(page)
    call(editor, "show", {"span": [6, 5, 6, 10], "look": "backward"}, True)
    expect(page.locator("#second mark.backward")).to_be_visible()
    page.locator("#second .cm-content").press("Control+Shift+M")
    expect(page.get_by_role("listbox", name="Errors, mistakes and notes")).to_be_focused()
    assert axe(page) == []


@diagnosed.add
def mistake_is_underlined_signed_and_explained(page: Page, editor: JSHandle) -> None:
    mark = page.locator("#second mark.mistake")
    expect(mark).to_have_text("self.grad = 2.0")
    expect(mark).to_have_css("text-decoration-style", "wavy")
    expect(page.locator("#second .cm-marks .mistake", has_text="!")).to_be_visible()
    below = page.locator("#second .below")
    expect(below).to_contain_text("= throws away what was there before.")
    expect(below.locator("code")).to_have_text("self.grad += 2.0")
    expect(below.locator("ins")).to_have_text("+=")
    expect(page.locator("#second mark.note")).to_have_text("x * 3")
    expect(page.locator("#second .cm-marks .note", has_text="i")).to_be_visible()
    mark.hover()
    expect(page.locator("#second .cm-tooltip-hover")).to_contain_text("throws away")


@diagnosed.add
def diagnostics_move_with_their_text_and_go_with_it(page: Page, editor: JSHandle) -> None:
    area = page.locator("#second .cm-content")
    area.press("Control+Home")
    page.keyboard.type("# one more line\n")
    expect(page.locator("#second mark.mistake")).to_have_text("self.grad = 2.0")
    expect(page.locator("#second .cm-lineNumbers .is-mistake")).to_have_text(["4"])
    area.press("Control+a")
    page.keyboard.press("Delete")
    expect(page.locator("#second mark")).to_have_count(0)
    expect(page.locator("#second .below")).to_have_count(0)


@diagnosed.add
def list_of_diagnostics_by_keyboard(page: Page, editor: JSHandle) -> None:
    area = page.locator("#second .cm-content")
    area.press("Control+Shift+M")
    found = page.get_by_role("listbox", name="Errors, mistakes and notes")
    expect(found).to_be_focused()
    expect(found.get_by_role("option")).to_have_text(
        ["!line 3= throws away what was there before.", "iline 6x is used once."]
    )
    page.keyboard.press("ArrowDown")
    expect(found.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(found).to_have_count(0)
    expect(area).to_be_focused()
    page.keyboard.type("7 * ")
    expect(area).to_contain_text("y = 7 * x * 3")


@diagnosed.add
def key_goes_from_one_to_the_next(page: Page, editor: JSHandle) -> None:
    area = page.locator("#second .cm-content")
    area.press("Control+Home")
    said = page.locator("#second .cm-announced")
    for words in (
        "Mistake in line 3: = throws",
        "Note in line 6: x is",
        "Mistake in line 3: = throws",
    ):
        page.keyboard.press("F8")
        expect(said).to_contain_text(words)
    page.keyboard.press("Shift+F8")
    expect(said).to_contain_text("Note in line 6")


@diagnosed.add
def change_is_taken_back_by_a_click_or_by_undo(page: Page, editor: JSHandle) -> None:
    fix = MISTAKE["fix"]
    fixed = TEXT.replace("= 2.0", "+= 2.0")
    applied = editor.evaluate_handle("(editor, fix) => editor.apply(fix)", fix)
    assert text(editor) == fixed
    assert page.evaluate("said.at(-1)") == fixed
    assert applied.evaluate("it => it.undo()")
    assert text(editor) == TEXT
    applied = editor.evaluate_handle("(editor, fix) => editor.apply(fix)", fix)
    page.locator("#second .cm-content").press("Control+End")
    page.keyboard.type("z = 1")
    expect(page.locator("#second .cm-content")).to_contain_text("z = 1")
    assert applied.evaluate("it => it.undo()")
    assert text(editor) == TEXT + "z = 1"
    editor.evaluate_handle("(editor, fix) => editor.apply(fix)", fix)
    page.locator("#second .cm-content").press("Control+z")
    assert text(editor) == TEXT + "z = 1"


@diagnosed.add
def change_whose_text_was_changed_is_not_taken_back(page: Page, editor: JSHandle) -> None:
    applied = editor.evaluate_handle("(editor, it) => editor.apply(it)", MISTAKE["fix"])
    call(editor, "replace", "something else", "restore")
    assert not applied.evaluate("it => it.undo()")
    assert text(editor) == "something else"


@diagnosed.add
def line_is_shown_even_where_it_is_folded(page: Page, editor: JSHandle) -> None:
    methods = "".join(f"    def f{i}(self):\n        return {i}\n" for i in range(40))
    program = f"class V:\n{methods}\nx = 1.0\n"
    editor = second(page, program)
    call(editor, "foldClasses", [])
    line = page.locator("#second .cm-line", has_text="return 25")
    expect(line).to_have_count(0)
    call(editor, "showLine", program.index("return 25"))
    expect(line).to_be_visible()
    expect(page.locator("#second .cm-line", has_text="return 24")).to_have_count(0)


example = Cases()


@for_each("case", example)
def test_example(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    if explore.program.input_value() != EXAMPLE:
        explore.paste(EXAMPLE)
        expect(explore.stale).to_be_hidden()
    explore.press("Escape")
    explore.press("End")
    explore.is_at(7, 8)
    expect(explore.page.locator("#editor .has-frames").first).to_be_visible()
    case(explore)


@example.add
def error_of_the_program_is_in_the_list_too(explore: Explore) -> None:
    explore.paste(EXAMPLE.replace("* f", "* g"))
    expect(explore.error_mark()).to_have_text("g")
    explore.area.press("Control+Home")
    explore.press("F8")
    expect(explore.page.locator("#editor .cm-announced")).to_contain_text("Error in line 5")
    explore.press("Delete")
    explore.page.keyboard.type("f")
    explore.shows("L", -8, 1)
    expect(explore.error_mark()).to_have_count(0)


# Frames and numbers of a line


def number(explore: Explore, line: int) -> Any:
    """The number of a line, in the margin."""
    return explore.page.locator("#editor .cm-lineNumbers .has-frames").get_by_text(
        str(line), exact=True
    )


@example.add
def click_on_a_line_number_walks_through_the_frames_of_the_line(explore: Explore) -> None:
    for frame in (1, 2, 3, 4, 5, 6, 7, 1):  # a*b, + c, * f; back through each
        number(explore, 5).click()
        explore.is_at(frame, 8)
    number(explore, 2).click()
    explore.is_at(0, 8)  # the leaves are given


@example.add
def key_walks_through_the_frames_of_the_line(explore: Explore) -> None:
    explore.area.press("Control+End")
    for frame in (1, 2, 3):
        explore.press("Alt+Enter")
        explore.is_at(frame, 8)
    explore.press("Shift+Alt+Enter")
    explore.is_at(2, 8)
    expect(explore.program).to_have_value(EXAMPLE)


@example.add
def lines_of_a_text_without_its_picture_lead_nowhere(explore: Explore) -> None:
    explore.paste(EXAMPLE.replace("* f", "* g"))
    expect(explore.stale).to_be_visible()
    expect(explore.page.locator("#editor .has-frames")).to_have_count(0)
    explore.press("Alt+Enter")
    explore.is_at(7, 8)
    expect(explore.page.locator("#announcer")).to_contain_text("belongs to an earlier text")


def values(explore: Explore) -> list[str]:
    """The numbers at the ends of the lines."""
    found = explore.page.locator("#editor .values").all_text_contents()
    return [re.sub(r"\s+", " ", one).strip() for one in found]


def test_numbers_at_the_ends_of_lines_follow_the_frames(page: Page, axe: Axe) -> None:
    explore = Explore(page).open()
    toggle = page.get_by_role("button", name="data, grad")
    assert values(explore) == []
    explore.closer("line-values")
    expect(page.locator("#editor .values")).to_have_count(5)
    # dL/da = b f, dL/db = a f, dL/dc = f, dL/df = a b + c
    assert values(explore) == [
        "2.0000 6.0000", "−3.0000 −4.0000", "10.0000 −2.0000", "−2.0000 4.0000", "−8.0000 1.0000",
    ]  # fmt: skip
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.locator("#player").focus()
    explore.press("Home")
    explore.press("ArrowRight")
    explore.is_at(1, 8)
    assert values(explore)[4] == "−6.0000 ·"  # a*b so far
    page.reload()
    Explore(page).ready()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#editor .values")).to_have_count(5)
    toggle.press("Enter")
    expect(page.locator("#editor .values")).to_have_count(0)
