"""Explore: the page, its fragments, its frames, and that they say the same in every form."""

from __future__ import annotations

import json
import re

import pytest

from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.explore_pages import FRAMES, frame_of, node, program_of
from tests.support.pages import EXAMPLE, Html, client, get

# The page and its fragments


def test_page_without_a_query_shows_the_first_example_before_its_first_step() -> None:
    page = get("/explore")
    assert program_of(page) == EXAMPLE
    assert frame_of(page) == 0
    assert frame_of(get("/", EXAMPLE)) == FRAMES - 1


@for_each(
    "more",
    [{}, {"frame": "0"}, {"frame": "5"}, {"a": "4.5"}, {"direction": "TB"}, {"grouped": "1"}],
    ids=str,
)
@for_each("program", [EXAMPLE, "n = MLP(2, [2, 1])\nL = n([1.0, 2.0])\nprint(L)"])
def test_fragments_are_blocks_of_the_page(program: str, more: dict[str, str]) -> None:
    query = {"program": program, **more}
    page = client().get("/", params=query).text
    graph = client().get("/graph", params=query).text
    numbers = client().get("/numbers", params=query).text
    words = client().get("/transcript", params=query).text
    assert "<html" not in graph
    assert graph in page
    assert numbers in graph
    assert words in graph
    for path, text in (("/graph", graph), ("/numbers", numbers), ("/transcript", words)):
        assert client().post(path, data=query).text == text


@pytest.mark.parametrize("path", ["/", "/graph", "/numbers"])
def test_page_carries_the_trace(path: str) -> None:
    found = get(path, EXAMPLE, a="2.5").trace
    expected = trace(EXAMPLE, {"a": 2.5}).to_json()
    assert found["nodes"] == expected["nodes"]
    assert found["output"] == expected["output"]
    assert found["frames"] == expected["frames"]


def test_trace_in_the_page_is_text_and_nothing_else() -> None:
    program = "a = Value(2.0, label='</pre><script>alert(1)</script>&amp;')\nL = a*3"
    page = get("/", program)
    assert page.trace["program"] == program
    assert page.trace["nodes"][0]["label"] == "</pre><script>alert(1)</script>&amp;"
    assert all(script.attributes.get("src") for script in page.all("script"))


def test_each_frame_stands_in_the_transcript() -> None:
    page = get("/", EXAMPLE, frame="5")
    lines = page.within(page.one(id="transcript-list")).all("button")
    assert len(lines) == FRAMES
    assert [line.attributes["value"] for line in lines] == [str(i) for i in range(FRAMES)]
    assert [i for i, line in enumerate(lines) if line.has(aria_current="step")] == [5]
    assert all(line.has(name="frame", form="program-form") for line in lines)


@for_each(("asked", "shown"), [("0", 0), ("7", 7), ("8", 7), ("999999999", 7)])
def test_frame_is_clamped(asked: str, shown: int) -> None:
    page = get("/", EXAMPLE, frame=asked)
    assert frame_of(page) == shown
    assert page.one(id="frame-title").text == f"Frame {shown + 1} of {FRAMES}"
    assert page.one(id="scrubber").has(value=str(shown), max=str(FRAMES - 1))


@for_each("asked", ["-1", "x", "", "1.5", "9" * 30])
def test_frame_that_makes_no_sense_is_the_last(asked: str) -> None:
    assert frame_of(get("/", EXAMPLE, frame=asked)) == FRAMES - 1


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_direction(direction: str) -> None:
    page = get("/", EXAMPLE, direction=direction)
    assert page.one("svg", id="picture").has(data_direction=direction)
    (chosen,) = (e for e in page.all("input", name="direction") if "checked" in e.attributes)
    assert chosen.has(value=direction)
    place = page.one("g", data_node="v7").attributes["transform"]
    across, down = map(float, re.findall(r"[\d.]+", place))
    assert (across > down) == (direction == "LR"), "the output is where the flow ends"


def test_groups_open_and_close() -> None:
    program = "n = MLP(2, [3, 1])\nL = n([1.0, 2.0])"
    closed = get("/", program, grouped="1", open="")
    assert closed.one("input", name="open").has(value="")
    names = [e.attributes["data-group"] for e in closed.all("g", class_="group")]
    assert names
    opened = get("/", program, grouped="1", open=names[0])
    assert opened.one("input", name="open").has(value=names[0])
    assert names[0] in [e.attributes["data-group"] for e in opened.all("g", class_="cluster")]
    assert names[0] not in [e.attributes["data-group"] for e in opened.all("g", class_="group")]
    whole = get("/", program)
    assert whole.all("g", class_="group") == []


def test_unknown_groups_do_not_matter() -> None:
    program = "n = MLP(2, [3, 1])\nL = n([1.0, 2.0])"
    page = get("/", program, grouped="1", open="zz,<b>,g999999")
    assert page.all("g", class_="group")


# Frames without JavaScript


@pytest.mark.parametrize("more", [{}, {"a": "4.5", "direction": "TB"}], ids=str)
def test_links_lead_through_all_frames(more: dict[str, str]) -> None:
    def links(page: Html) -> dict[str, str]:
        (nav,) = page.all("nav", aria_label="Step")
        return {e.text: e.attributes["href"] for e in page.within(nav).all("a")}

    page, seen = get("/", EXAMPLE, frame="0", **more), []
    while True:
        seen.append(frame_of(page))
        if "Forward" not in links(page):
            break
        page = get(links(page)["Forward"])
        assert program_of(page) == EXAMPLE
        assert node(page.trace, "a")["data"] == float(more.get("a", "2.0"))
        assert page.one("svg", id="picture").has(data_direction=more.get("direction", "TB"))
    assert seen == list(range(FRAMES))
    assert frame_of(get(links(page)["First"])) == 0
    while "Back" in links(page):
        page = get(links(page)["Back"])
    assert frame_of(page) == 0
    assert "First" not in links(page)
    assert frame_of(get(links(page)["Last"])) == FRAMES - 1


def test_picture_shows_only_what_the_frame_knows() -> None:
    page = get("/", EXAMPLE, frame="1")
    waiting = [e for e in page.all("g", class_="value") if e.has(class_="pending")]
    known = [n["id"] for n in page.trace["nodes"] if n["op"] is None]
    first = page.trace["frames"][1]["node"]
    assert {e.attributes["data-node"] for e in waiting} == {
        n["id"] for n in page.trace["nodes"] if n["id"] not in (*known, first)
    }


def test_printed_lines_and_warnings_are_shown() -> None:
    page = get("/", "x = 0.0\ny = log(x)\nprint('<b>', 1)")
    warnings = [e.text for e in page.all("p", class_="warning")]
    assert any("log(0.0)" in text for text in warnings)
    assert "<b> 1" in page.one("div", class_="printed").text
    assert json.dumps(page.trace, allow_nan=False)
