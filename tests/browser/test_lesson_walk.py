"""Every step of every lesson: the live picture shows what its sentences name, at five widths."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from app.learn.course import PARTS, lessons
from tests.browser.conftest import OpenPage
from tests.browser.lesson_page import LessonPage

FAULTS = Path(__file__).with_name("lesson_faults.js").read_text()
WIDE = {1440: (921, 848), 1366: (873, 716), 1280: (818, 748), 1024: (623, 716)}
"""The size of the picture's frame by the width of the window; the first is that of a page that is
opened, and so not laid out anew."""
PHONE = (390, 387)
HALVES = [list(chain(*(part.slugs for part in half))) for half in (PARTS[:4], PARTS[4:])]


@pytest.mark.parametrize("slugs", HALVES, ids=["up to networks", "from arrays on"])
def test_the_picture_shows_what_each_step_names(open_page: OpenPage, slugs: list[str]) -> None:
    lesson = LessonPage(open_page(width=1440, height=900))
    assert [fault for slug in slugs for fault in walked(lesson, slug)] == []


def walked(lesson: LessonPage, slug: str) -> list[str]:
    """What is wrong in the steps of a lesson, beside its text and above it."""
    found = []
    lesson.open(slug)
    for number in range(1, len(lessons()[slug].steps) + 1):
        asked = lesson.page.evaluate(GO, [number, *WIDE[1440]])
        is_turned = asked["part"] == "graph"  # a graph is drawn from top to bottom on a phone
        faults = faults_of(lesson, asked, [*WIDE.values(), *([] if is_turned else [PHONE])])
        if is_turned:
            faults += faults_of(lesson, lesson.page.evaluate(GO, [number, *PHONE]), [PHONE])
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


GO = """([n, width, height]) => {
  const size = { width: `${width}px`, height: `${height}px` };
  Object.assign(document.getElementById("live").style, size);
  document.querySelectorAll(".step-dots a")[n - 1].click();
  const { address, part, code, place, ranges } = document.getElementById(`step-${n}`).dataset;
  return { address, part, code, place, ranges: JSON.parse(ranges) };
}"""
"""Go to a step in a room of a size, on which the direction of its graph depends."""
