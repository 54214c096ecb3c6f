"""Every example draws, is right, and is a link away from the first page."""

from __future__ import annotations

import pytest
from lxml import etree

from app.explore.examples import EXAMPLES, Example
from engine.trace import gradcheck
from engine.trace.build import trace
from tests.support.pages import client, get

ALL = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.slug)
SVG = "{http://www.w3.org/2000/svg}"


def test_slugs_and_titles_are_different() -> None:
    assert len({example.slug for example in EXAMPLES}) == len(EXAMPLES)
    assert len({example.title for example in EXAMPLES}) == len(EXAMPLES)
    assert len({example.program for example in EXAMPLES}) == len(EXAMPLES)


@ALL
def test_example_draws_without_a_warning(example: Example) -> None:
    page = get("/", example.program)
    assert page.all("svg", id="picture")
    found = trace(example.program)
    assert found.warnings == ()
    notes = [note.message for note in found.notes]
    if example.slug == "training":  # its last step comes after the pass that is drawn
        assert len(notes) == 1
        assert notes[0].endswith("were changed after it.")
    else:
        assert notes == []
    assert len(page.all("p", class_="notice")) == len(notes)


@ALL
def test_gradients_agree_with_the_nudge(example: Example) -> None:
    found = trace(example.program)
    checks = gradcheck.check(found)
    assert checks
    for check in checks:
        assert check.ok, check.verdict
        if example.slug != "relu-kink":  # which is there to show one
            assert check.verdict == "agrees"


def test_example_of_a_kink_has_one() -> None:
    (example,) = (one for one in EXAMPLES if one.slug == "relu-kink")
    assert any(
        check.verdict.startswith("kink") for check in gradcheck.check(trace(example.program))
    )


@ALL
def test_example_is_a_link_of_the_first_page(example: Example) -> None:
    page = get("/explore")
    nav = page.one("nav", aria_label="Examples")
    (link,) = (e for e in page.within(nav).all("a") if e.text == example.title)
    there = get(link.attributes["href"])
    assert there.one("textarea", name="program").text == example.program


@ALL
@pytest.mark.parametrize("frame", ["0", "3", "999999"])
def test_picture_stands_alone(example: Example, frame: str) -> None:
    answer = client().get("/graph.svg", params={"program": example.program, "frame": frame})
    assert answer.status_code == 200
    root = etree.fromstring(answer.content)
    assert root.find(f"{SVG}title") is not None
    assert root.find(f"{SVG}desc") is not None
    for element in root.iter(etree.Element):
        tag = str(element.tag)
        assert tag.startswith(SVG)
        assert tag.removeprefix(SVG) not in (
            "script",
            "style",
            "image",
            "use",
            "foreignObject",
            "a",
        )
        for name, value in element.attrib.items():
            assert "href" not in str(name)
            assert not str(name).startswith("on")
            assert str(name) not in ("class", "style")
            assert "url(" not in str(value)
