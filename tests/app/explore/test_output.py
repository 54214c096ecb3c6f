"""What a run leaves beside a graph, or without one: lines, tracebacks, charts, advice."""

from __future__ import annotations

import json

import pytest

from tests.support.each import for_each
from tests.support.pages import client, get, read

pytestmark = pytest.mark.usefixtures("sandboxed")

FAILING = "print('<first>')\ndef f(x):\n    return x.missing\na = Value(2.0)\nf(a)\n"
IDLE = {
    "prints": "print('<b>', 1)",
    "definitions": "def f(x):\n    return x",
    "a class": "class A:\n    pass",
    "texts": "'abc'.upper()",
}
PATHS = ["/", "/graph", "/numbers", "/transcript"]


# Nothing to draw


@for_each("name", IDLE)
def test_a_program_that_computes_nothing_is_answered_quietly(name: str) -> None:
    for path in PATHS:
        assert client().get(path, params={"program": IDLE[name]}).status_code == 200
    page = get("/", IDLE[name])
    assert page.one("div", class_="idle").text.strip()
    for absent in ("picture", "trace", "frame-title", "check", "leaves", "transcript"):
        assert not page.all(id=absent)
    assert not page.all(class_="report")


@for_each("name", IDLE)
def test_its_trace_is_empty(name: str) -> None:
    answer = client().post("/api/trace", json={"program": IDLE[name]})
    assert answer.status_code == 200
    found = answer.json()
    empty = {key: found[key] for key in ("output", "nodes", "frames", "scenes", "scene")}
    assert empty == {"output": None, "nodes": [], "frames": [], "scenes": [], "scene": None}


def test_its_picture_is_a_sentence() -> None:
    answer = client().get("/graph.svg", params={"program": IDLE["prints"]})
    assert answer.status_code == 200
    assert "nothing that could be drawn" in answer.text
    assert "<b>" not in answer.text


def test_what_it_printed_is_shown() -> None:
    page = get("/", IDLE["prints"])
    assert page.within(page.one(id="output")).one("pre").text == "<b> 1"


def test_definitions_are_told_what_to_do_next() -> None:
    page = get("/", IDLE["definitions"])
    assert "L = f(Value(2.0))" in page.one("div", class_="idle").text


# Errors


@pytest.mark.parametrize("path", ["/", "/graph", "/numbers"])
def test_a_failure_shows_its_lines_and_its_traceback(path: str) -> None:
    answer = client().get(path, params={"program": FAILING})
    assert answer.status_code == 422
    page = read(answer.text)
    assert page.within(page.one(class_="printed")).one("pre").text == "<first>"
    traceback = page.within(page.one(class_="traceback")).one("pre")
    assert traceback.has(role="group", aria_label="Traceback", tabindex="0")
    lines = traceback.text.split("\n")
    assert lines[0] == "Traceback (most recent call last):"
    assert "line 5, in <module>" in lines[1]
    assert "line 3, in f" in lines[3]
    assert lines[-1] == "AttributeError: 'Value' object has no attribute 'missing'"
    if path == "/":
        assert page.one("textarea").text == FAILING


def test_a_problem_holds_lines_and_traceback() -> None:
    found = client().post("/api/trace", json={"program": FAILING}).json()
    assert found["printed"] == ["<first>"]
    assert found["traceback"][-1] == found["detail"]
    assert found["line"] == 3
    syntax = client().post("/api/trace", json={"program": "L = ("}).json()
    assert (syntax["printed"], syntax["traceback"]) == ([], [])


# Charts


PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4], label='<loss>')\nplt.title('a & b')\n"


def test_charts_are_drawn_beside_what_is_printed() -> None:
    for program in (PLOT, f"{PLOT}L = Value(2.0) * 3\n"):
        page = get("/", program)
        output = page.within(page.one(id="output"))
        assert "a & b" in output.one("svg", role="img").attributes["aria-label"]
        assert output.one("figcaption").text == "a & b"
        assert output.one("li").text == "<loss>"


def test_charts_stand_in_the_json_of_the_interface_and_not_in_the_page() -> None:
    (chart,) = client().post("/api/trace", json={"program": PLOT}).json()["charts"]
    assert chart["title"] == "a & b"
    (series,) = chart["series"]
    assert (series["x"], series["y"], series["kind"]) == ([0, 1, 2], [1, 2, 4], "line")
    assert get("/", f"{PLOT}L = Value(2.0) * 3\n").trace["charts"] == []


def test_numbers_that_json_has_not_are_texts_in_a_chart() -> None:
    program = PLOT.replace("4]", "math.inf, math.nan]").replace("import", "import math\nimport", 1)
    answer = client().post("/api/trace", json={"program": program})
    (chart,) = json.loads(answer.text, parse_constant=pytest.fail)["charts"]
    assert chart["series"][0]["y"] == [1, 2, "inf", "nan"]


def test_a_run_that_takes_too_long_says_so_beside_what_it_printed() -> None:
    program = "x = Value(2.0)\nL = x * 3\nL.backward()\nprint('one step')\nwhile True: pass"
    page = read(client(SEEGRAD_SECONDS="0.3").get("/", params={"program": program}).text)
    (stop,) = page.all("p", class_="warning")
    assert stop.has(class_="notice")
    assert "it takes more than 0.3 seconds" in stop.text
    assert "Shown is its last recorded scene" in stop.text
    assert page.within(page.one(id="output")).one("pre").text == "one step"
    assert page.all("svg", id="picture")
