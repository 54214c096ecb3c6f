"""What backward must remember, beside the picture: the rules, and the trade of checkpointing."""

from __future__ import annotations

import json

import pytest

from tests.support.each import for_each
from tests.support.pages import Html, client, get

NEURON = "a = 2.0\nb = -3.0\nc = 6.5\no = tanh(a*b + c)"
CHAIN = "x = Value(0.1)\nfor i in range(16):\n    x = tanh(x)"


def says(page: Html) -> str:
    return " ".join(page.one("p", class_="result").text.split())


def rules(page: Html) -> dict[str, list[str]]:
    """The cells of each rule, by its op."""
    (scroll,) = page.all("div", class_="scroll")
    found = page.within(scroll).all("tr")[1:]
    return {
        page.within(e).one("th").text.split()[0]: [x.text for x in page.within(e).all("td")]
        for e in found
    }


def readout(page: Html) -> dict[str, str]:
    return {e.attributes["data-says"]: e.text for e in page.all("dd")}


def plans(page: Html) -> list[list[str]]:
    """The table of all lengths: length, kept between, most at once, done again."""
    table = page.within(page.one("details", class_="numbers"))
    return [
        [page.within(e).one("a").text, *(x.text for x in page.within(e).all("td"))]
        for e in table.all("tr")[1:]
    ]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (NEURON, "3 of 6 forward numbers: a, b, o (2 leaves, 1 computed)."),
        ("a = 2.0\nb = 3.0\nL = exp(a)*b + a",
         "2 of 5 forward numbers: b, exp(a) (1 leaf, 1 computed)."),
        ("a = 2.0\nb = 3.0\nL = a + b", "0 of 3 forward numbers."),
    ],
)  # fmt: skip
def test_count_and_names_of_the_kept_numbers(program: str, words: str) -> None:
    assert says(get("/lens/memory", program)) == f"Backward must remember {words}"


def test_rules_are_those_of_the_table_with_what_they_read() -> None:
    page = get("/lens/memory", NEURON)
    assert rules(page) == {
        "×": ["b, a", "both inputs", "a, b"],
        "+": ["1, 1", "nothing", "–"],
        "tanh": ["1 - y ** 2", "its output", "o"],
    }
    assert [e.text for e in page.all("mark")] == ["b", "a", "y"]


def test_constant_exponent_is_put_into_its_rule() -> None:
    found = rules(get("/lens/memory", "a = 2.0\nL = a**3 + 5*a"))
    assert found["**"] == ["3 * a ** 2", "input a", "a"]
    assert found["×"] == ["a", "a constant alone", "–"]
    assert rules(get("/lens/memory", "a = 2.0\nL = a**1"))["**"] == ["1", "nothing", "–"]


def test_two_ends_and_the_root_of_a_chain() -> None:
    """16 numbers; 4 boundaries and 3 inside a segment of 4; a single segment does all again."""
    found = {row[0]: row[1:] for row in plans(get("/lens/memory", CHAIN))}
    assert found["1"] == ["16", "16", "0"]
    assert found["4"] == ["4", "7", "12"]
    assert found["16"] == ["1", "16", "15"]


def test_address_moves_the_slider_and_each_place_is_what_its_address_shows() -> None:
    page = get("/lens/memory", CHAIN, keep="every:4")
    assert readout(page) == {"h": "every 4th op", "kept": "4", "peak": "7", "again": "12"}
    slider = page.one("input")
    assert (slider.attributes["value"], slider.attributes["aria-valuetext"]) == (
        "3",
        "every 4th op",
    )
    points = json.loads(page.one("figure").attributes["data-points"])
    for point in points[::5]:
        assert readout(get("/lens/memory", CHAIN, keep=point["to"])) == point["says"]
    assert points[3]["kept"].split() == ["v1", "v5", "v9", "v13", "v17"]
    assert len(points[3]["again"].split()) == 12


@for_each("text", ["every:", "every:x", "every:0", "v1", "<b>", "every:99999999999"])
def test_what_cannot_be_read_is_the_plain_pass(text: str) -> None:
    assert readout(get("/lens/memory", CHAIN, keep=text))["again"] == "0"


def test_address_beyond_the_graph_is_a_single_segment() -> None:
    assert readout(get("/lens/memory", CHAIN, keep="every:400"))["h"] == "every 16th op"


def test_links_of_the_table_choose_a_length_without_scripts() -> None:
    page = get("/", CHAIN, lens="memory")
    links = [e for e in page.all("a") if e.attributes.get("data-look") == "keep"]
    assert len(links) == 16
    chosen = get(links[7].attributes["href"])
    assert readout(chosen)["h"] == "every 8th op"


def test_large_graph_has_few_places() -> None:
    text = "x = Value(0.1)\nfor i in range(900):\n    x = tanh(x)"
    page = client().get("/lens/memory", params={"program": text}).text
    assert len(page) < 250_000
    found = plans(get("/lens/memory", text))
    assert len(found) <= 10
    assert ["30", "30", "59", "870"] in found  # n/k boundaries, n/k + k − 1, n − n/k


def test_graph_without_an_op_needs_nothing() -> None:
    assert "needs no number" in get("/lens/memory", "L = Value(2.0)").one("p").text
