"""Whole articles in the editor: their code is kept with one click, which can be undone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.explore_page import Explore

ARTICLE = (
    "What is autograd? A Value – as we call it – remembers how it was made.\n"
    "a = Value(2.0)\nfor k in range(2):\na = a*3\n"
    "That is all there is to it, so far.\nL = a + 1\nprint(L.data)"
)
PROGRAM = (
    "# %%\na = Value(2.0)\nfor k in range(2):\n    a = a*3\n\n# %%\nL = a + 1\nprint(L.data)\n"
)


def test_code_of_an_article_is_kept_and_the_article_comes_back(explore: Explore) -> None:
    explore.settle()
    explore.paste(ARTICLE)
    offer = explore.problem.locator(".recovery")
    expect(offer.locator("li")).to_have_text([
        "Keeps 2 pieces of code, 5 lines; leaves out 2 lines of text",
        "Restores the indentation of 1 line; check it",
    ])  # fmt: skip
    expect(explore.program).to_have_value(ARTICLE)  # nothing is done by itself
    button = offer.get_by_role("button", name="Keep the code")
    preview = offer.get_by_label("The first lines that change")
    expect(preview.locator("ins")).to_have_text(["4    a = a*3"])
    box = explore.problem.bounding_box()
    field = explore.page.locator("#editor").bounding_box()
    assert box is not None
    assert field is not None
    assert box["y"] - field["y"] > 30  # a line of the text stays in sight
    button.click()
    explore.shows("L", 19.0, 1.0)
    expect(explore.program).to_have_value(PROGRAM)
    expect(explore.problem).to_be_empty()
    explore.area.press("Control+z")
    expect(explore.program).to_have_value(ARTICLE)
    expect(button).to_be_visible()
