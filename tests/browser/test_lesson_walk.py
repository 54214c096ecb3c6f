"""Every step of every lesson, walked: the live picture shows what its sentences name.

`make test` looks at two widths; `SEEGRAD_ALL_WIDTHS=1 pytest tests/browser/test_lesson_walk.py` at
all five.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, expect

from app.learn.course import lessons
from tests.browser.conftest import OpenPage
from tests.browser.lesson_page import LessonPage

FAULTS = Path(__file__).with_name("lesson_faults.js").read_text()
WIDE = {1024: (623, 716), 1280: (818, 748), 1366: (873, 716), 1440: (921, 848)}
"""The size of the picture's frame by the width of the window."""
PHONE = (390, 387)
SIZES = list(WIDE.values()) if os.environ.get("SEEGRAD_ALL_WIDTHS") else [WIDE[1280]]


def test_the_picture_beside_the_text_shows_what_each_step_names(open_page: OpenPage) -> None:
    page = open_page(width=1440, height=900)
    assert walked(LessonPage(page), SIZES) == []


def test_the_picture_above_the_text_shows_what_each_step_names(open_page: OpenPage) -> None:
    page = open_page(width=390, height=844, touch=True)
    assert walked(LessonPage(page), [PHONE]) == []


def walked(lesson: LessonPage, sizes: list[tuple[int, int]]) -> list[str]:
    """What is wrong in any step of any lesson, each visited once."""
    found = []
    for slug, of in lessons().items():
        lesson.open(slug)
        for number in range(1, len(of.steps) + 1):
            asked = lesson.page.evaluate(GO, number)
            faults = faults_of(lesson, asked, sizes)
            found += [f"{slug}, step {number}: {fault}" for fault in faults]
    return found


def faults_of(lesson: LessonPage, asked: dict[str, object], sizes: list[tuple[int, int]]) -> Any:
    """What is wrong in the current step; its page may still be on the way."""
    shown = lesson.page.locator("#live iframe.current.shown")
    expect(shown).to_have_count(1)
    try:
        return lesson.frame.evaluate(FAULTS, [asked, sizes])
    except Error:  # another page was loaded in its place
        expect(shown).to_have_count(1)
        return lesson.frame.evaluate(FAULTS, [asked, sizes])


GO = """n => {
  document.querySelectorAll(".step-dots a")[n - 1].click();
  const { address, part, code, place, ranges } = document.getElementById(`step-${n}`).dataset;
  return { address, part, code, place, ranges: JSON.parse(ranges) };
}"""
"""Go to a step; what it asks of the picture."""
