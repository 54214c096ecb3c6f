"""The verdict on pasted classes: what is said, where it leads, and how it is put right."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import Explore
from tests.support.own_classes import RIGHT, WRONG

USE = "a = Scalar(3.0)\nb = a * a\nb.backward()\n"
"""db/da = 2a = 6, of which the WRONG class keeps the last contribution alone, 3."""
UNSEEDED = "a = Scalar(3.0)\nd = Scalar(2.0)\nb = a * d\nc = b * a\nc.backward()\n"
ASSIGNS = WRONG + USE
LINE = next(n for n, text in enumerate(WRONG.split("\n"), 1) if "other.grad = self.data" in text)
SENTENCE = f"Line {LINE} assigns where it should add: a.grad ends at 3.0, it should be 6.0."
GO = "Go to the write"


def judged(explore: Explore, words: str) -> None:
    """Expect these words in the bar of the verdict."""
    expect(explore.page.locator("#verdict .sentence")).to_contain_text(words)


def pasted(explore: Explore, program: str) -> Explore:
    """The page after a paste in place of the program."""
    explore.paste(program)
    return explore


def in_sight(explore: Explore, text: str) -> None:
    """Expect an underlined mistake within the editor's box, with its message."""
    box = explore.page.locator("#editor").bounding_box()
    assert box is not None
    for part in (
        explore.page.locator("#editor mark.mistake", has_text=text),
        explore.page.locator(".cm-line.mistake", has_text=text).locator("+ .below"),
    ):
        expect(part).to_be_in_viewport()
        found = part.bounding_box()
        assert found is not None
        assert box["y"] <= found["y"]
        assert found["y"] + found["height"] <= box["y"] + box["height"]


def test_a_pasted_class_is_judged_and_leads_to_the_write(explore: Explore, axe: Axe) -> None:
    pasted(explore, ASSIGNS)
    judged(explore, SENTENCE)
    in_sight(explore, "other.grad = self.data * out.grad")
    card = explore.card("a")
    expect(card.locator("text.due")).to_have_text("due 6.0000")
    explore.page.get_by_role("button", name="First frame").click()
    expect(card).not_to_have_class(re.compile("wrong"))
    explore.page.get_by_role("button", name=GO).click()
    expect(card).to_have_class(re.compile("wrong"))
    expect(explore.explanation).to_contain_text(f"Line {LINE} sets the gradient of a")
    expect(explore.explanation.locator(".pill b")).to_have_text(["3.0000", "3.0000", "6.0000"])
    in_sight(explore, "other.grad = self.data * out.grad")
    rows = explore.page.locator("#against tbody tr")
    expect(rows).to_have_text(["a3.00006.0000!wrong", "b1.00001.0000✓right"])
    assert axe(explore.page) == []


def test_verdict_of_what_is_pasted_one_after_the_other(explore: Explore) -> None:
    fix_is_applied_by_a_click_and_taken_back(explore)
    missing_operator_is_named_while_typing(explore)
    line_behind_a_failure_is_marked_too(explore)
    verdict_follows_a_leaf_and_the_picture_stays_where_it_is(explore)


def verdict_follows_a_leaf_and_the_picture_stays_where_it_is(explore: Explore) -> None:
    pasted(explore, ASSIGNS)
    judged(explore, SENTENCE)
    before = explore.box(explore.canvas)
    explore.type_leaf("a", "5")
    judged(explore, "a.grad ends at 5.0, it should be 10.0.")
    expect(explore.card("a").locator("text.due")).to_have_text("due 10.0000")
    pasted(explore, RIGHT + USE)
    judged(explore, "All 2 gradients are right")
    assert explore.box(explore.canvas) == before


def fix_is_applied_by_a_click_and_taken_back(explore: Explore) -> None:
    pasted(explore, RIGHT.replace("other.grad += self", "other.grad = self") + USE)
    judged(explore, SENTENCE)
    bar = explore.page.locator("#verdict")
    bar.get_by_role("link", name="Apply fix").click()
    judged(explore, "All 2 gradients are right")
    expect(explore.program).to_have_value(RIGHT + USE)
    expect(explore.page.locator(".cm-line", has_text="other.grad += self")).to_be_in_viewport()
    expect(explore.page.locator("#editor mark.mistake")).to_have_count(0)
    explore.shows("a", 3, 6)
    bar.get_by_role("button", name="Undo fix").click()
    judged(explore, SENTENCE)
    explore.shows("a", 3, 3)


def missing_operator_is_named_while_typing(explore: Explore) -> None:
    pasted(explore, RIGHT + "a = Scalar(3.0)\nb = a * a\n")
    expect(explore.card("b").locator("text.data")).to_have_text("9.0000")
    explore.press("Control+End")
    explore.page.keyboard.type("c = 2 * b\nc.backward()\n")
    line = RIGHT.count("\n") + 3
    expect(explore.problem).to_contain_text(f"Line {line} needs __rmul__")
    expect(explore.error_mark()).to_have_text("2 * b")
    explore.page.locator("#problem").get_by_role("button", name="Apply fix").click()
    expect(explore.card("c").locator("text.data")).to_have_text("18.0000")
    expect(explore.problem).to_be_empty()


def line_behind_a_failure_is_marked_too(explore: Explore) -> None:
    called = RIGHT.replace("out.pull = pull\n        return", "out.pull = pull()\n        return")
    pasted(explore, called + USE)
    expect(explore.problem).to_contain_text("calls the function where it should store it")
    explore.area.press("Control+Home")
    expect(explore.page.locator("#editor mark.mistake").first).to_have_text("out.pull = pull()")


def test_failure_of_a_page_that_is_opened_leads_to_its_line(page: Page) -> None:
    explore = Explore(page).open(RIGHT + "a = Scalar(3.0)\nb = 2 * a\n" + 30 * "\n")
    judged(explore, "needs __rmul__")
    explore.area.press("Control+End")
    expect(explore.error_mark()).not_to_be_in_viewport()
    explore.page.get_by_role("button", name="Show the line").click()
    expect(explore.error_mark()).to_be_in_viewport()


def test_mistake_without_a_write_leads_to_its_line(open_page: OpenPage) -> None:
    explore = Explore(open_page(width=390, height=844, touch=True))
    explore.open(RIGHT.replace("        self.grad = 1.0\n", "") + UNSEEDED)
    judged(explore, "starts the pass without a seed")
    expect(explore.area).to_be_hidden()
    explore.page.get_by_role("button", name="Show the line").tap()
    in_sight(explore, "c.backward()")
    assert explore.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_verdict_by_keyboard_on_a_phone_in_the_dark(open_page: OpenPage, axe: Axe) -> None:
    page: Page = open_page(width=390, height=844, dark=True)
    explore = Explore(page).open(ASSIGNS)
    judged(explore, SENTENCE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    button = page.get_by_role("button", name=GO)
    for _ in range(40):
        explore.press("Tab")
        if button.evaluate("it => it === document.activeElement"):
            break
    expect(button).to_be_focused()
    explore.press("Enter")
    expect(explore.explanation).to_contain_text(f"Line {LINE} sets the gradient of a")
    expect(button).to_be_focused()
    page.locator("#program-panel > summary").click()
    explore.area.press("Control+Shift+M")
    found = page.get_by_role("listbox", name="Errors, mistakes and notes")
    expect(found.get_by_role("option")).to_contain_text([f"line {LINE}"])
    explore.press("Escape")
    expect(found).to_have_count(0)
