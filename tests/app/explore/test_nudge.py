"""The nudge beside the picture: choices by links, a readout that adds up, a dial of numbers."""

from __future__ import annotations

import json

from tests.support.each import for_each
from tests.support.pages import EXAMPLE, Html, client, get


def readout(page: Html) -> dict[str, str]:
    return {e.attributes["data-says"]: e.text for e in page.all("dd")}


def test_first_leaf_is_moved_at_first() -> None:
    """L = (ab + c) f with a = 2, b = −3, c = 10, f = −2: ∂L/∂a = bf = 6, and L is linear in a."""
    page = get("/lens/nudge", EXAMPLE)
    assert readout(page) == {"h": "0.25", "predicted": "1.5000", "true": "1.5000", "off": "0.0000"}


def test_address_chooses_leaf_reach_and_place() -> None:
    page = get("/lens/nudge", "x = 3.0\ny = x*x", nudge="v1@0.1@80")
    shown = readout(page)
    assert shown["h"] == "0.1"
    assert (shown["predicted"], shown["true"], shown["off"]) == ("0.6000", "0.6100", "0.0100")


def test_two_leaves_move_along_the_gradient() -> None:
    page = get("/lens/nudge", "x = 3.0\nz = 4.0\ny = (x*x + z*z)/2", nudge="v1,v2@1@80")
    shown = readout(page)  # the gradient is (3, 4), of size 5: 5 + h²/2
    assert (shown["predicted"], shown["true"], shown["off"]) == ("5.0000", "5.5000", "0.5000")
    assert page.all("path", class_="plane")
    assert page.all("path", class_="arrow")


def test_dial_holds_what_each_place_shows() -> None:
    page = get("/lens/nudge", "x = 3.0\ny = x*x")
    points = json.loads(page.one("figure").attributes["data-points"])
    for k in (0, 17, 80):
        again = get("/lens/nudge", "x = 3.0\ny = x*x", nudge=points[k]["to"])
        assert readout(again) == points[k]["says"]


def test_links_lead_to_the_choices() -> None:
    page = get("/", EXAMPLE, lens="nudge")
    links = [e for e in page.all("a") if e.attributes.get("data-look") == "nudge"]
    assert [e.text for e in links] == [
        *"abcf", "none", *"bcf", "±10", "±1", "±0.1", "±0.01",
    ]  # fmt: skip
    for link in links:
        assert client().get(link.attributes["href"]).status_code == 200


@for_each(
    ("program", "says"),
    [
        ("class V:\n    def __init__(self, d):\n        self.data, self.grad = d, 0.0\nV(2.0)\n",
         "no backward pass"),
        ("L = Value(2.0)", ""),
        ("x = Value(math.inf)\ny = x*2", "none of them is a finite number"),
        ("x = Value(1e308)\ny = x*1e-300", "x is beyond the largest number that is plotted"),
        ("x = 1e200\ny = x*x", "nowhere in this range is y a finite number"),
        ("n = MLP(8, [16, 16, 1])\ny = n([0.1]*8)", "more than 60,000 operations"),
    ],
)  # fmt: skip
def test_programs_without_an_experiment_say_why(program: str, says: str) -> None:
    page = client().get("/lens/nudge", params={"program": program})
    assert page.status_code == 200
    assert says in page.text


@for_each("text", ["", "@", "v99@7@999", "<b>@<i>", "v1,v1,v2,v2", "v1@1@-3", ",,@@@"])
def test_every_text_of_the_parameter_is_read(text: str) -> None:
    answer = client().get("/lens/nudge", params={"program": EXAMPLE, "nudge": text})
    assert answer.status_code == 200
    assert "<b>" not in answer.text.replace("<b data", "")


def test_an_output_that_is_no_number_has_no_mark() -> None:
    page = get("/lens/nudge", "x = 0.0\ny = log(x)")
    assert page.all("circle")
    for mark in page.all("circle"):
        assert "nan" not in (mark.attributes["cx"], mark.attributes["cy"])
