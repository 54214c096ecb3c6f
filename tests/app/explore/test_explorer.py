"""Explore: the page, its fragments, and that they say the same in every form."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from starlette.testclient import TestClient

from app.explore.explorer import Explorer
from app.explore.leaves import slider_reach
from app.main import create_app
from app.picture import layout
from app.program_address import View
from app.serving.rendering import Renderer
from app.settings import from_environment
from engine.trace.build import trace
from tests.support.pages import EXAMPLE, Element, Html, client, get, read

FRAMES = 8
"""Of EXAMPLE: the given numbers, three operations, the seed, and three operations back."""

WRONG = {
    "syntax": ("a = 2\nL = a *", 2, 8),
    "unknown name": ("a = 2\nL = a * bb + 1", 2, 9),
    "after wide letters": ("é = '漢字🙂'; L = nope", 1, 16),
    "forbidden": ("L = 1\nopen(L)", 2, 1),
    "empty": ("", 1, 1),
    "blank": ("  \n\n ", 1, 1),
}

AWKWARD = [
    "a = 1.0; L = a*2 # </textarea><script>alert(1)</script>",
    "\na = 1.0; L = a*2",
    "\n\n\na = 1.0; L = a*2\n\n",
    "a = 1.0; L = a*2   ",
    "a = 1.0; L = a*2\t\n   ",
    "ä = 1.0; 漢字 = ä*2  # 🙂 é \u202e \u200b",
    "a = 1.0; L = a*2 # &amp; &lt; &#60; &quot; ' \" < > {{ a }} {% x %} %3C",
    "a = 1.0; L = a*2 # <!-- ]]> --> <![CDATA[ \\ \\n",
    "a b </TEXTAREA ><img src=x onerror=alert(1)>",
    "L = 'unfinished",
    "+ & = ? # %",
]


def program_of(page: Html) -> str:
    """What stands in the editor."""
    return page.one("textarea", name="program").text


def frame_of(page: Html) -> int:
    """The frame that the picture shows."""
    return int(page.one("svg", id="picture").attributes["data-frame"])


def node(found: dict[str, Any], label: str) -> dict[str, Any]:
    """The node with this label."""
    (wanted,) = (node for node in found["nodes"] if node["label"] == label)
    assert isinstance(wanted, dict)
    return wanted


# The page and its fragments


def test_page_without_a_query_shows_the_first_example() -> None:
    page = get("/")
    assert program_of(page) == EXAMPLE
    assert frame_of(page) == FRAMES - 1


@pytest.mark.parametrize(
    "more",
    [{}, {"frame": "0"}, {"frame": "5"}, {"a": "4.5"}, {"direction": "TB"}, {"grouped": "1"}],
    ids=str,
)
@pytest.mark.parametrize("program", [EXAMPLE, "n = MLP(2, [2, 1])\nL = n([1.0, 2.0])\nprint(L)"])
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


@pytest.mark.parametrize(("asked", "shown"), [("0", 0), ("7", 7), ("8", 7), ("999999999", 7)])
def test_frame_is_clamped(asked: str, shown: int) -> None:
    page = get("/", EXAMPLE, frame=asked)
    assert frame_of(page) == shown
    assert page.one(id="frame-title").text == f"Frame {shown + 1} of {FRAMES}"
    assert page.one(id="scrubber").has(value=str(shown), max=str(FRAMES - 1))


@pytest.mark.parametrize("asked", ["-1", "x", "", "1.5", "9" * 30])
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


# Wrong programs


@pytest.mark.parametrize("path", ["/", "/graph", "/numbers"])
@pytest.mark.parametrize("case", WRONG)
def test_wrong_program_is_answered_with_its_place(path: str, case: str) -> None:
    program, line, column = WRONG[case]
    answer = client().get(path, params={"program": program})
    assert answer.status_code == 422
    page = read(answer.text)
    reports = page.all(class_="report")
    assert reports
    for report in reports:
        assert report.has(data_line=str(line), data_column=str(column))
        end = int(report.attributes["data-end-line"]), int(report.attributes["data-end-column"])
        assert end > (line, column)
        assert f"line {line}, column {column}" in report.text
        (message,) = page.within(report).all("p", class_="message")
        assert message.text.strip().endswith((".", "?"))
    assert page.all("svg", id="picture") == []
    assert page.all("pre", id="trace") == []


def test_mark_covers_what_is_wrong() -> None:
    page = read(client().get("/graph", params={"program": "a = 2\nL = a * nope + 1"}).text)
    (report,) = page.all(class_="report")
    assert page.within(report).one("mark").text == "nope"
    rows = page.within(report).all(class_="row")
    assert [row.text for row in rows] == ["1a = 2", "2L = a * nope + 1"]


def test_marked_source_is_escaped() -> None:
    program = "a = 2\nL = nope # <script>alert(1)</script>"
    page = read(client().get("/", params={"program": program}).text)
    assert all(script.attributes.get("src") for script in page.all("script"))
    for report in page.all(class_="report"):
        assert "<script>alert(1)</script>" in report.text


def test_wrong_program_keeps_what_was_chosen() -> None:
    answer = client().get("/", params={"program": "L = nope", "direction": "TB", "grouped": "1"})
    page = read(answer.text)
    assert "checked" in page.one("input", name="grouped").attributes
    (chosen,) = (e for e in page.all("input", name="direction") if "checked" in e.attributes)
    assert chosen.has(value="TB")
    assert page.one("textarea").has(aria_invalid="true")


def test_transcript_of_a_wrong_program() -> None:
    answer = client().post("/transcript", data={"program": "L = <b>"})
    assert answer.status_code == 422
    (line,) = read(answer.text).all("li")
    assert line.text
    assert read(answer.text).all("b") == []


@pytest.mark.parametrize("text", ["\\ud800", "\\udfff", "\\ud83d"])
@pytest.mark.parametrize("program", ["a = Value(2.0, label='{}'); L = a*2", "print('{}'); L = 2*3"])
@pytest.mark.parametrize("path", ["/", "/graph", "/numbers", "/transcript", "/graph.svg"])
def test_half_a_character_written_as_an_escape(path: str, program: str, text: str) -> None:
    answer = client().get(path, params={"program": program.format(text)})
    assert answer.status_code in (200, 422)


@pytest.mark.parametrize("query", ["program=%ff%fe", "program=L%3D2%2A3&%ff=1", "%00=1&frame=%00"])
def test_bytes_that_are_no_text(query: str) -> None:
    assert client().get(f"/?{query}").status_code in (200, 422)


# Nothing that was typed is lost


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_program_comes_back(text: str, method: str) -> None:
    if method == "GET":
        page = read(client().get("/", params={"program": text}).text)
        assert program_of(page) == text
        assert all(script.attributes.get("src") for script in page.all("script"))
        return
    answer = client().post("/graph", data={"program": text})
    if answer.status_code == 200:
        found = read(answer.text).trace["program"]
        assert found == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=60))
@example("\n")
@example("</textarea>")
@example("\x00")
def test_any_text_comes_back(text: str) -> None:
    answer = client().get("/", params={"program": text})
    assert answer.status_code in (200, 422)
    assert program_of(read(answer.text)) == text


def test_leaf_that_could_not_be_read_is_named() -> None:
    page = get("/", EXAMPLE, a="two")
    assert "a needs a number" in " ".join(e.text for e in page.all("p", class_="notice"))
    assert node(page.trace, "a")["data"] == 2.0


def test_leaf_that_is_not_there_is_named() -> None:
    page = get("/", EXAMPLE, zz="2")
    (notice,) = page.all("p", class_="notice")
    assert "'zz'" in notice.text
    assert node(page.trace, "L")["data"] == -8.0


# Leaves


def controls(page: Html) -> dict[str, Element]:
    """The number field of each leaf by its parameter."""
    return {e.attributes["name"]: e for e in page.all("input", type="number")}


def test_each_leaf_has_its_controls() -> None:
    page = get("/", EXAMPLE, a="2.5")
    found = controls(page)
    assert list(found) == ["a", "b", "c", "f"]
    assert found["a"].has(value="2.5", placeholder="2.0", form="program-form")
    assert found["b"].has(value="", placeholder="-3.0")
    for key, field in found.items():
        label = page.one("label", for_=field.attributes["id"])
        assert label.text == key
    sliders = [e for e in page.all("input", type="range") if "step" in e.attributes]
    for slider in sliders[:4]:
        low, high = float(slider.attributes["min"]), float(slider.attributes["max"])
        assert low <= float(slider.attributes["value"]) <= high


def test_changed_leaf_changes_the_numbers() -> None:
    found = get("/numbers", EXAMPLE, a="5").trace
    assert node(found, "a")["data"] == 5.0
    assert node(found, "L")["data"] == (5.0 * -3.0 + 10.0) * -2.0
    assert node(found, "b")["grad"] == 5.0 * -2.0


@pytest.mark.parametrize(
    "program",
    [EXAMPLE, "n = MLP(3, [4, 4, 1])\nx = 2.0\nL = n([x, 3.0, -1.0])", "x = 0.5\nL = x*x + x"],
)
def test_other_numbers_keep_the_structure(program: str) -> None:
    def structure(found: dict[str, Any]) -> object:
        nodes = [(n["id"], n["op"], n["args"], n["kind"], n["key"]) for n in found["nodes"]]
        frames = [
            (f["pass"], f["node"], [(c["to"], c["slot"]) for c in f.get("contributions", ())])
            for f in found["frames"]
        ]
        return nodes, frames, found["groups"], found["output"]

    before = get("/graph", program).trace
    key = next(n["key"] for n in before["nodes"] if n["key"] in ("a", "x"))
    for x in ("-7.25", "0", "1e-300", "1e300"):
        after = get("/numbers", program, **{key: x}).trace
        assert structure(after) == structure(before)
        assert node(after, key)["data"] == float(x)


@pytest.mark.parametrize("name", ["program", "frame", "direction", "grouped", "open"])
def test_leaf_called_like_a_parameter(name: str) -> None:
    program = f"{name} = 2.0\nL = {name} * 3"
    page = get("/", program, **{f"leaf.{name}": "5"})
    assert node(page.trace, "L")["data"] == 15.0
    assert node(page.trace, name)["key"] == f"leaf.{name}"
    assert controls(page)[f"leaf.{name}"].has(value="5.0")
    assert len(page.all("tr", data_key=f"leaf.{name}")) == 1


def test_two_leaves_of_one_name() -> None:
    program = "a = Value(2.0, label='a'); b = Value(3.0, label='a'); L = a*b*b"
    page = get("/", program, **{"a@1": "5", "a": "7"})
    assert list(controls(page)) == ["a@1", "a"]
    assert [n["data"] for n in page.trace["nodes"][:2]] == [5.0, 7.0]


def test_nudge_check_lists_each_leaf() -> None:
    page = get("/", EXAMPLE)
    rows = [e for e in page.all("tr") if "data-key" in e.attributes]
    assert [row.attributes["data-key"] for row in rows] == ["a", "b", "c", "f"]
    grads = [page.within(row).one("td", class_="grad").text for row in rows]
    assert grads == ["6.0000", "-4.0000", "-2.0000", "4.0000"]
    assert all(page.within(row).one("td", class_="verdict").has(class_="ok") for row in rows)


@given(st.floats(), st.floats(allow_nan=False, allow_infinity=False))
def test_slider_has_a_range(default: float, value: float) -> None:
    assert 0 < slider_reach(default, value) < float("inf")


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_slider_reaches_its_leaf_and_the_default(default: float, value: float) -> None:
    reach = slider_reach(default, value) * (1 + 1e-9)
    assert reach >= abs(value)
    assert reach >= abs(default)


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
        assert page.one("svg", id="picture").has(data_direction=more.get("direction", "LR"))
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


# The picture alone


@pytest.mark.parametrize("more", [{}, {"frame": "0"}, {"direction": "TB"}, {"a": "0"}], ids=str)
def test_picture_alone(more: dict[str, str]) -> None:
    answer = client().get("/graph.svg", params={"program": EXAMPLE, **more})
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == "image/svg+xml"
    root = etree.fromstring(answer.content)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_picture_without_a_program_is_that_of_the_first_page() -> None:
    bare = client().get("/graph.svg").text
    assert bare == client().get("/graph.svg", params={"program": EXAMPLE}).text


def test_picture_link_of_the_page_is_the_picture_shown() -> None:
    page = get("/", EXAMPLE, frame="3", a="4")
    href = page.one("a", id="svg-link").attributes["href"]
    assert (
        client().get(href).text
        == client().get("/graph.svg", params={"program": EXAMPLE, "frame": "3", "a": "4"}).text
    )


def test_picture_of_a_wrong_program_is_a_line_of_text() -> None:
    answer = client().get("/graph.svg", params={"program": "a = 2\nL = a * nope"})
    assert answer.status_code == 422
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith("2:9: ")
    assert answer.text.count("\n") == 1


def test_printed_lines_and_warnings_are_shown() -> None:
    page = get("/", "x = 0.0\ny = log(x)\nprint('<b>', 1)")
    warnings = [e.text for e in page.all("p", class_="warning")]
    assert any("log(0.0)" in text for text in warnings)
    assert "<b> 1" in page.one("section", class_="printed").text
    assert json.dumps(page.trace, allow_nan=False)


def answer_with(program: str, **more: str) -> Any:
    """The answer of `GET /`, errors of the server included."""
    with TestClient(create_app(), raise_server_exceptions=False) as fresh:
        return fresh.get("/", params={"program": program, **more})


def test_a_busy_layout_asks_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise layout.LayoutBusy("other graphs are being laid out")

    monkeypatch.setattr(layout, "place", busy)
    monkeypatch.setenv("GRADLENS_WAIT_SECONDS", "0.1")
    answer = answer_with("L = 2.0 * 3")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert "Try again" in answer.text


def test_a_trace_that_is_too_long_for_a_page_is_refused_with_its_place() -> None:
    program = "a = 1.0\nl = [Value(1.0, label='" + "<" * 64 + "') for i in range(4900)]\nL = sum(l)"
    for path in ("/", "/graph", "/numbers"):
        answer = client().get(path, params={"program": program})
        assert answer.status_code == 422
        assert len(answer.content) < 50_000
        assert "ine 2" in answer.text
        assert "bytes of the page; the limit is 5,242,880" in answer.text
        assert "Give shorter labels" in answer.text


def test_a_transcript_that_is_too_long_is_left_out_and_says_so() -> None:
    few = client(GRADLENS_TRANSCRIPT_BYTES="1000")
    program = "x = 1.0\n" + "x = x * 2\n" * 20
    page = read(few.get("/", params={"program": program}).text)
    line = page.one("li", class_="left-out")
    assert "exceed the limit of 1,000" in line.text
    assert page.trace["frames"]
    assert page.all("svg")
    alone = read(few.get("/transcript", params={"program": program}).text)
    assert alone.one("li", class_="left-out").text == line.text
    whole = read(few.get("/", params={"program": "L = 2.0*3"}).text)
    assert not whole.all("li", class_="left-out")


def test_groups_that_stay_closed_are_counted() -> None:
    few = client(GRADLENS_MAX_DRAWN="30")
    everything = ",".join(f"g{i}" for i in range(100))
    network = "n = MLP(3, [4, 4, 1])\nL = n([2.0, 3.0, -1.0])"
    query = {"program": network, "open": everything, "grouped": "1"}
    caption = read(few.get("/", params=query).text).one("span", class_="counts").text
    assert re.search(r"at most 30 can be drawn: \d+ groups? cannot be opened", caption)


def test_a_failure_is_a_page_with_all_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("for this test")

    monkeypatch.setattr(layout, "place", broken)
    answer = answer_with("L = 2.0 * 3")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "RuntimeError" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_thousand_unknown_leaves_are_told_in_a_few_words() -> None:
    unknown = {f"leaf{i}": "1" for i in range(1000)}
    answer = answer_with("a = 2.0; L = a*3", **unknown)
    assert answer.text.count("There is no leaf called") == 5
    assert "995 more" in answer.text


def test_a_leaf_that_training_moved_says_so() -> None:
    program = """w = Value(1.0)
for k in range(2):
    L = w*w
    w.grad = 0
    L.backward()
    w.data -= 0.1*w.grad
"""
    explorer = Explorer(from_environment({}), Renderer())
    (row,) = explorer.read(View(program)).leaves
    assert (row.full, row.moved) == ("1.0", "0.8000")  # 1 - 0.1*2*1 when the last pass begins
