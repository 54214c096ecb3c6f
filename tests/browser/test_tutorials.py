"""Code pasted from a tutorial runs with its own classes: it is drawn, and what it prints is shown.

It trains its own class for 100 steps; here it makes 5. All of them, and what the other tutorials
print, are checked below the browser.
"""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.support.places import DATA

TUTORIAL = (DATA / "seeds/3_all.py").read_text("utf-8").replace("range(100)", "range(5)")
TREE = [
    "+4.0000 (grad=1.0000)",
    "*-6.0000 (grad=1.0000)",
    "input2.0000 (grad=-3.0000)",
    "input-3.0000 (grad=2.0000)",
    "input10.0000 (grad=1.0000)",
]
"""The tutorial's drawing of a b + c at 2, -3 and 10, without its branches; a set orders them."""


def paste(page: Page, text: str) -> Explore:
    """The first page with a text pasted over the program, by the real clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explore = Explore(page).open()
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    explore.area.press("Control+a")
    with page.expect_response("**/graph") as answer:
        explore.press("Control+v")
    assert answer.value.status == 200
    expect(explore.program).to_have_value(text)
    expect(explore.problem).to_be_empty()
    return explore


def notes(explore: Explore) -> list[str]:
    """What the page says beside the numbers."""
    return explore.page.locator("#numbers .notice").all_text_contents()


def has_drawings_and_output(explore: Explore) -> None:
    """The tree and the chart that the program draws, and what it prints."""
    page = explore.page
    printed = (page.locator(".printed pre").text_content() or "").split("\n")
    assert "PyTorch: de/da = 3.0, de/db = 8.0" in printed
    tree = [line.lstrip(" │├└─") for line in printed if "── " in line]
    assert sorted(tree) == sorted(TREE)
    chart = page.locator(".charts .chart")
    expect(chart).to_have_count(1)
    expect(chart).to_contain_text("Autograd engine training")
    assert not [note for note in notes(explore) if "passed over" in note or "built in" in note]


def adds_up_two_sweeps_over_a_leaf(explore: Explore) -> None:
    """The last lines of the tutorial: d(2a)/da = 2, after a second sweep 4."""
    explore.shows("a", 3, 4)
    explore.shows("b", 6, 1)
    explore.press("Escape")
    explore.press("ArrowLeft")  # of the two writes of the second sweep, to a and to the 2
    expect(explore.explanation).to_contain_text("adds to the gradient of a")
    expect(explore.explanation).to_contain_text(re.compile(r"before\s*2\.0000\D*2\.0000\D*4\.0000"))
    expect(explore.page.locator("#editor mark.backward")).to_contain_text("self.grad += ")


def test_pasted_tutorial_is_drawn_until_another_program_takes_its_place(page: Page) -> None:
    explore = paste(page, TUTORIAL)
    has_drawings_and_output(explore)
    adds_up_two_sweeps_over_a_leaf(explore)
    explore.insert("a = 2.0\nb = 5.0\nL = a * 3")
    explore.shows("L", 6, 1)
    assert notes(explore) == ["L does not depend on b: its gradient is 0."]
    expect(page.locator(".printed")).to_have_count(0)
