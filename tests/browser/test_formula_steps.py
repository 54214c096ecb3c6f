"""A visitor steps through a program of his own class: a closed formula is one step."""

from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.support.own_class import CLASS

PROGRAM = f"{CLASS}n = Value(0.5)\nm = Value(0.25)\no = (n + m).tanh()\nL = o * n\nL.backward()\n"
COUNT = 10
"""The given numbers, n + m, o, L, and six writes to gradients."""


def test_an_opened_formula_is_stepped_through_and_a_closed_one_is_not(page: Page) -> None:
    explore = Explore(page).open(PROGRAM)
    explore.is_drawn_alike_by_browser_and_server(PROGRAM)
    explore.is_at(COUNT - 1, COUNT)
    explore.press("Home")
    explore.press("ArrowRight")
    explore.press("ArrowRight")
    explore.is_at(2, COUNT)
    expect(explore.explanation).to_contain_text("tanh in the program’s own code gives o: 0.6351")
    explore.press("ArrowLeft")
    page.get_by_role("button", name="tanh").click()
    explore.is_at(1, COUNT + 6)
    for frame in range(2, 9):
        page.keyboard.press("ArrowRight")
        explore.is_at(frame, COUNT + 6)
    expect(explore.explanation).to_contain_text("Divide")


def test_a_gradient_that_is_never_written_says_so(page: Page) -> None:
    program = PROGRAM.replace("L = o * n", "L = o * 2")
    program = program.replace("self.grad += out.grad\n            other.grad", "other.grad", 1)
    explore = Explore(page).open(program).ready()
    card = explore.card("n")
    expect(explore.button("n")).to_have_attribute(
        "aria-label", "n, leaf: data 0.5, gradient never written by the program"
    )
    card.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("never written by the program")
