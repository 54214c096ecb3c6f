"""Code pasted from tutorials runs unchanged: it is drawn, and what it prints is shown."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.support.places import DATA

SEEDS = DATA / "seeds"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SEEDS / "expected.json").read_text("utf-8"))


def paste(page: Page, name: str) -> Explore:
    """The first page with a tutorial's code pasted over the program, by the real clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explore = Explore(page).open()
    text = (SEEDS / name).read_text("utf-8")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    explore.area.press("Control+a")
    with page.expect_response("**/graph") as answer:
        explore.press("Control+v")
    assert answer.value.status == 200
    expect(explore.area).to_have_value(text)
    expect(explore.problem).to_be_empty()
    return explore


def printed(explore: Explore) -> list[str]:
    """The lines that the program printed."""
    return (explore.page.locator(".printed pre").text_content() or "").split("\n")


def notes(explore: Explore) -> list[str]:
    """What the page says of the parts that were passed over."""
    return explore.page.locator("#numbers .notice").all_text_contents()


@pytest.mark.parametrize("name", ["2_all_assembled.py", "3_all.py", "4_all.py"])
def test_whole_tutorial_prints_what_its_author_saw(page: Page, name: str) -> None:
    explore = paste(page, name)
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
    assert explore.numbers() == {"a": ("3.0000", "4.0000"), "b": ("6.0000", "1.0000")}
    assert explore.receipts() == [["1.0000", "2.0000", "2.0000"]]
    expect(explore.explanation.locator(".so-far")).to_have_text(
        "Sum so far for a: 2.0000 from before this pass + 2.0000 = 4.0000"
    )
    explore.press("Escape")
    explore.press("Home")
    expect(explore.where).to_have_text("frame 1 of 4")


def test_ignored_statements_are_noted(page: Page) -> None:
    said = "\n".join(notes(paste(page, "3_all.py")))
    for words in (
        "Value is built in",
        "MLP is built in",
        "plt.plot(…) is passed over",
        "draw_graph",
    ):
        assert words in said


def test_notes_go_with_the_program_that_had_them(page: Page) -> None:
    explore = paste(page, "3_all.py")
    explore.write("a = 2.0\nL = a * 3")
    explore.shows("L", 6, 1)
    assert notes(explore) == []
    expect(page.locator(".printed")).to_have_count(0)


def test_leaf_that_the_output_does_not_need_is_named(page: Page) -> None:
    explore = Explore(page).open("a = 2.0\nb = 5.0\nL = a * 3")
    assert notes(explore) == ["L does not depend on b: its gradient is 0."]
