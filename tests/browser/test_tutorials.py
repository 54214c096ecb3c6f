"""Code pasted from tutorials runs with its own classes: it is drawn, and what it prints is shown.

Two train their own class for 100 steps; where the steps do not matter they make 20 here.
"""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.support.places import DATA

SEEDS = DATA / "seeds"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SEEDS / "expected.json").read_text("utf-8"))
STEPS = 20
PATIENCE = 60_000  # milliseconds for the 100 steps of a class that is judged
TREE = [
    "+4.0000 (grad=1.0000)",
    "*-6.0000 (grad=1.0000)",
    "input2.0000 (grad=-3.0000)",
    "input-3.0000 (grad=2.0000)",
    "input10.0000 (grad=1.0000)",
]
"""The tutorial's drawing of a b + c at 2, -3 and 10, without its branches; a set orders them."""


def paste(page: Page, name: str, turns: int = STEPS) -> Explore:
    """The first page with a tutorial's code pasted over the program, by the real clipboard.

    It trains for `turns` of its hundred.
    """
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explore = Explore(page).open()
    text = (SEEDS / name).read_text("utf-8")
    text = text.replace("range(100)", f"range({turns})")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    explore.area.press("Control+a")
    with page.expect_response("**/graph", timeout=PATIENCE) as answer:
        explore.press("Control+v")
    assert answer.value.status == 200
    expect(explore.program).to_have_value(text)
    expect(explore.problem).to_be_empty()
    return explore


def printed(explore: Explore) -> list[str]:
    """The lines that the program printed."""
    return (explore.page.locator(".printed pre").text_content() or "").split("\n")


def notes(explore: Explore) -> list[str]:
    """What the page says beside the numbers."""
    return explore.page.locator("#numbers .notice").all_text_contents()


@pytest.mark.parametrize("name", ["2_all_assembled.py", "3_all.py", "4_all.py"])
def test_whole_tutorial_prints_what_its_author_saw(page: Page, name: str) -> None:
    explore = paste(page, name, turns=100)
    expect(explore.picture).to_be_visible()
    lines = iter(printed(explore))
    document = EXPECTED[name]
    patterns = document.get("printed_like") or [None] * len(document["printed"])
    for exact, like in zip(document["printed"], patterns, strict=True):
        if exact is not None:
            assert any(line == exact for line in lines), exact
        elif like is not None:
            assert any(re.fullmatch(like, line) for line in lines), like


def test_training_in_a_tutorial_trains(page: Page) -> None:
    explore = paste(page, "2_all_assembled.py")
    losses = [
        float(found[1])
        for found in map(re.compile(r"data=(.*)\)").search, printed(explore))
        if found
    ]
    assert len(losses) == 20
    assert losses[-1] < losses[0] / 2
    assert explore.numbers()["loss"][0] == f"{losses[-1]:.4f}"


def test_two_sweeps_over_a_leaf_add_up(page: Page) -> None:
    """The last lines of the tutorial: d(2a)/da = 2, after a second sweep 4."""
    explore = paste(page, "3_all.py")
    explore.shows("a", 3, 4)
    explore.shows("b", 6, 1)
    explore.press("Escape")
    explore.press("ArrowLeft")  # of the two writes of the second sweep, to a and to the 2
    expect(explore.explanation).to_contain_text("adds to the gradient of a")
    expect(explore.explanation).to_contain_text(re.compile(r"before\s*2\.0000\D*4\.0000"))
    expect(page.locator("#editor mark.backward")).to_contain_text("self.grad += ")


def test_drawings_of_the_program_are_shown(page: Page) -> None:
    explore = paste(page, "3_all.py")
    tree = [line.lstrip(" │├└─") for line in printed(explore) if "── " in line]
    assert sorted(tree) == sorted(TREE)
    chart = page.locator(".charts .chart")
    expect(chart).to_have_count(1)
    expect(chart).to_contain_text("Autograd engine training")
    assert not [note for note in notes(explore) if "passed over" in note or "built in" in note]


def test_tutorial_that_takes_too_long_says_so_and_shows_what_it_printed(page: Page) -> None:
    paste(page, "3_training_with_classes.py", turns=10**9)
    stop = page.locator(".notice.warning").first
    expect(stop).to_contain_text("it takes more than 5 seconds")
    expect(stop).to_contain_text("Shown is its last recorded scene")
    expect(page.locator(".printed pre")).to_contain_text("Epoch   0 | Loss: ")
    expect(page.locator(".printed pre")).to_contain_text("Epoch 200 | Loss: ")


def test_notes_go_with_the_program_that_had_them(page: Page) -> None:
    explore = paste(page, "3_all.py")
    explore.write("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    assert notes(explore) == []
    expect(page.locator(".printed")).to_have_count(0)


def test_leaf_that_the_output_does_not_need_is_named(page: Page) -> None:
    explore = Explore(page).open("a = 2.0\nb = 5.0\nL = a * 3")
    assert notes(explore) == ["L does not depend on b: its gradient is 0."]
