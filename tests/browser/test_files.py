"""Programs in files, and runs without a graph: opened, dropped, refused; nothing typed is lost."""

import json

from playwright.sync_api import expect

from tests.browser.explore_page import EXAMPLE, Explore
from tests.browser.witness import Witness

NOTEBOOK = json.dumps({
    "cells": [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["a = Value(2.0)\n", "a.data"]},
        {"cell_type": "code", "source": ["L = a * 3\n", "L.data"]},
    ]
})  # fmt: skip
DROP = """(target, [name, text]) => {
  const data = new DataTransfer()
  data.items.add(new File([text], name))
  for (const type of ['dragenter', 'dragover', 'drop']) {
    target.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}))
  }
}"""


def drop(explore: Explore, name: str, text: str, on: str = "#program") -> None:
    """Drop a file."""
    explore.page.locator(on).evaluate(DROP, [name, text])


def test_files_are_dropped_opened_or_refused(explore: Explore) -> None:
    page = explore.page
    for name, text, reason in REFUSED:
        drop(explore, name, text)
        expect(explore.problem).to_contain_text(reason)
        expect(explore.problem).to_contain_text("Your program is unchanged.")
        expect(explore.program).to_have_value(EXAMPLE)
    drop(explore, "lesson.ipynb", NOTEBOOK)
    explore.shows("L", 6.0, 1.0)
    expect(explore.program).to_have_value(
        "# %%\na = Value(2.0)\na.data\n\n# %%\nL = a * 3\nL.data\n"
    )
    expect(page.locator(".printed pre")).to_have_text("2.0\n6.0")
    explore.area.press("Control+z")
    expect(explore.program).to_have_value(EXAMPLE)
    drop(explore, "a.py", "x = 1", on="#stage")  # the page is not left
    expect(explore.program).to_have_value(EXAMPLE)
    page.locator("summary", has_text="Examples").press("Enter")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file…").press("Enter")
    file = {"name": "try.py", "mimeType": "text/x-python", "buffer": b"y = Value(4.0) * 2\n"}
    chooser.value.set_files(file)  # type: ignore[arg-type]
    explore.shows("y", 8.0, 1.0)


REFUSED = (
    ("a.png", "x", "a.png is neither a .py nor an .ipynb file."),
    ("a.ipynb", "x = 1", "a.ipynb is no notebook: it is not JSON."),
    ("a.py", "#" * 70_000, "The program in a.py has 70,000 bytes;"),
)
"""Files, and what is said of them."""


def test_runs_without_a_graph(explore: Explore, witness: Witness) -> None:
    """From a picture to none and back; and to a traceback that stands until all is right."""
    witness.allowed.append("status of 422")
    explore.insert("print('hello')")
    expect(explore.page.locator(".blank.idle")).to_be_visible()
    expect(explore.page.locator(".printed pre")).to_have_text("hello")
    expect(explore.page.locator("#player")).to_be_hidden()
    expect(explore.picture).to_have_count(0)
    explore.press("Escape")
    explore.press("ArrowLeft")  # nothing to step through
    explore.insert(EXAMPLE)
    explore.shows("L", -8.0, 1.0)
    expect(explore.scrubber).to_be_visible()
    traceback_stands_in_the_output_until_the_program_is_right(explore)


def traceback_stands_in_the_output_until_the_program_is_right(explore: Explore) -> None:
    """Below what was printed, beside the last picture."""
    wrong = "print('before')\na = Value(2.0)\na.nothing"
    explore.insert(wrong)
    traceback = explore.page.get_by_role("group", name="Traceback")
    expect(traceback).to_contain_text("line 3, in <module>")
    expect(explore.page.locator(".printed pre")).to_have_text("before")
    expect(explore.program).to_have_value(wrong)
    expect(explore.stale).to_be_visible()
    explore.insert("print('after')\na = Value(2.0); L = a*2")
    expect(explore.page.locator(".printed pre")).to_have_text("after")
    expect(traceback).to_have_count(0)
