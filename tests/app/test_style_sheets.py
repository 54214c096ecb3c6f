"""A change of a page styles what it concerns, and not all of the page anew."""

from __future__ import annotations

import re

from tests.support.places import ROOT

RULE = re.compile(r"([^{}@;]+)\{[^{}]*\}")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
ANY = re.compile(r"\*|:(?!is\(|where\(|root)")
"""The beginning of a compound selector that names no class, id or kind of element."""


def outside_brackets(text: str, separators: str) -> list[str]:
    """The parts of a selector between separators that lie in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter in separators and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def selectors(css: str) -> list[str]:
    """All selectors of a style sheet."""
    rules = RULE.findall(COMMENT.sub("", css))
    return [one for rule in rules for one in outside_brackets(rule, ",")]


def concerns_all(selector: str) -> bool:
    """Whether Chromium styles whatever lies below an element again once its :has() may change.

    It looks for elements that may be meant by the last part, in all selectors with :has() together.
    """
    *before, last = outside_brackets(selector, " >+~")
    return ":has(" in "".join(before) and ANY.match(last) is not None


def test_selectors_of_what_a_page_has_name_the_elements_that_they_mean() -> None:
    sheets = sorted((ROOT / "static/css").glob("*.css"))
    found = {sheet.name: selectors(sheet.read_text("utf-8")) for sheet in sheets}
    assert sum(map(len, found.values())) > 1_000
    assert {
        f"{name}: {one}" for name, all_ in found.items() for one in all_ if concerns_all(one)
    } == set()


def test_such_a_selector_would_be_found() -> None:
    css = "@media (x) { /* .a:has(b) * */ .a:has(.b) > :not(.c), .a:has(.b) .c:is(d, e) { f: g } }"
    assert [one for one in selectors(css) if concerns_all(one)] == [".a:has(.b) > :not(.c)"]
