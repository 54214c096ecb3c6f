"""Programs that cannot be run, and that nothing typed is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.each import for_each
from tests.support.explore_pages import node, program_of
from tests.support.pages import EXAMPLE, client, get, read

pytestmark = pytest.mark.usefixtures("sandboxed")

WRONG = {
    "syntax": ("a = 2\nL = a *", 2, 8),
    "unknown name": ("a = 2\nL = a * bb + 1", 2, 9),
    "after wide letters": ("é = '漢字🙂'; L = nope", 1, 16),
    "forbidden": ("L = 1\nopen('L')", 2, 1),
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


# Wrong programs


@for_each("path", ["/", "/graph", "/numbers"])
@for_each("case", WRONG)
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
        text = message.text.strip()
        assert text.endswith((".", "?")) or re.search(r"\w+Error: .", text)  # Python's own words
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
    for name, value in (("grouped", "1"), ("direction", "TB")):
        (chosen,) = (e for e in page.all("input", name=name) if "checked" in e.attributes)
        assert chosen.has(value=value)
    assert page.one("textarea").has(aria_invalid="true")


def test_transcript_of_a_wrong_program() -> None:
    answer = client().post("/transcript", data={"program": "L = <b>"})
    assert answer.status_code == 422
    (line,) = read(answer.text).all("li")
    assert line.text
    assert read(answer.text).all("b") == []


@for_each("text", ["\\ud800", "\\udfff", "\\ud83d"])
@for_each("program", ["a = Value(2.0, label='{}'); L = a*2", "print('{}'); L = 2*3"])
@for_each("path", ["/", "/graph", "/numbers", "/transcript", "/graph.svg"])
def test_half_a_character_written_as_an_escape(path: str, program: str, text: str) -> None:
    answer = client().get(path, params={"program": program.format(text)})
    assert answer.status_code in (200, 422)


@pytest.mark.parametrize("query", ["program=%ff%fe", "program=L%3D2%2A3&%ff=1", "%00=1&frame=%00"])
def test_bytes_that_are_no_text(query: str) -> None:
    assert client().get(f"/?{query}").status_code in (200, 422)


# Nothing that was typed is lost


@for_each("method", ["GET", "POST"])
@for_each("text", AWKWARD)
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
