"""The section in which leaves descend: settings and steps by links, and what is said of a path."""

from __future__ import annotations

import json
from typing import Any

from engine.training.optim import OPTIMIZERS
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, Html, client, get

PARABOLA = "x = 3.0\ny = x**2"
BOWL = "a = 2.0\nb = -1.0\nL = a**2 + 3*b**2"


def words(page: Html) -> str:
    return " ".join(e.text for e in page.all("p"))


def points(page: Html) -> Any:
    return json.loads(page.one("figure").attributes["data-points"])


def readout(page: Html) -> list[str]:
    return [e.text for e in page.within(page.one("p", class_="readout")).all("b")]


def steps(page: Html) -> list[tuple[str, dict[str, str]]]:
    """The links of the table of steps."""
    links = page.within(page.one("tbody")).all("a")
    return [(e.text, e.attributes) for e in links]


def test_path_of_a_parabola_by_hand() -> None:
    """y = x²: with the rate 0.25 each step halves x."""
    page = get("/lens/descend", PARABOLA, descend="v1@sgd@0.25@10@down")
    assert [one["leaves"]["x"][0] for one in points(page)[:4]] == ["3.0", "1.5", "0.75", "0.375"]
    worked = [e.text for e in page.all("code")]
    assert worked == ["x ← 3 − 0.25 · 6 = 1.5000", "x ← 1.5 − 0.25 · 3 = 0.7500"]
    assert "y goes from 9.0000 to" in words(page)
    assert page.all("path", class_="curve")
    assert page.all("path", class_="trail")


def test_each_step_is_a_link_that_moves_the_picture_there() -> None:
    page = get("/", PARABOLA, lens="descend", descend="v1@sgd@0.25@10@down")
    assert [name for name, _ in steps(page)] == [str(k) for k in range(11)]
    for k in (3, 0, 10):
        there = get(steps(page)[k][1]["href"])
        shown = points(page)[k]
        (field,) = [e for e in there.all("input", name="x") if e.has(type="number")]
        assert field.attributes["data-value"] == shown["leaves"]["x"][0]
        assert readout(there) == [shown["says"]["leaf0"], shown["says"]["output"]]
        chosen = [e.text for e in there.within(there.one("tbody")).all("a", aria_current="true")]
        assert chosen == [str(k)]
        assert points(there) == points(page)


def test_leaf_that_the_visitor_moves_is_the_start_of_another_path() -> None:
    page = get("/lens/descend", PARABOLA, descend="v1@sgd@0.25@10@down@2@3.0", x="8")
    assert readout(page) == ["8.0000", "64.0000"]
    assert points(page)[1]["leaves"]["x"][0] == "4.0"


def test_settings_are_links_that_start_again_from_the_same_place() -> None:
    page = get("/", PARABOLA, lens="descend", descend="v1@sgd@0.25@10@down@2@3.0", x="0.75")
    assert readout(page) == ["0.7500", "0.5625"]
    links = {
        e.text: e
        for e in page.all("a", class_="chip")
        if e.attributes.get("data-look") == "descend"
    }
    assert {*OPTIMIZERS, "0.25", "10", "30", "100", "down", "up"} <= {*links}
    for link in links.values():
        assert readout(get(link.attributes["href"])) == ["3.0000", "9.0000"]
        assert json.loads(link.attributes["data-leaves"]) == {"x": ["3.0", "3.0"]}


def test_two_leaves_on_contours_and_three_by_step() -> None:
    two = get("/lens/descend", BOWL, descend="v1,v2@sgd@0.1@20@down")
    assert len(two.all("path", class_="level")) == 9
    assert not two.all("path", class_="undefined")
    assert "The bluer the ground, the higher L." in words(two)
    three = get("/lens/descend", f"{BOWL} + c".replace("b =", "c = 1.0\nb ="), descend="v1,v2,v3")
    assert not three.all("path", class_="level")
    assert "step" in [e.text for e in three.all("text", class_="label")]
    marks = [one["places"]["mark"] for one in points(three)]
    assert marks == sorted(marks)  # steps go from left to right


def test_where_the_output_has_no_value_the_ground_is_blank() -> None:
    text = "a = Value(0.2)\nb = Value(1.0)\nL = a.log() + b**2"
    page = get("/lens/descend", text, descend="v1,v2@sgd@0.001@5@down")
    assert page.all("path", class_="undefined")


@for_each(
    ("program", "descend", "says"),
    [
        ("class V:\n    def __init__(self, d):\n        self.data, self.grad = d, 0.0\nV(2.0)\n",
         "", "No leaf can follow its gradient"),
        (PARABOLA, "v1@sgd@1.5@30@down", "It grew instead: the rate is too large"),
        (PARABOLA, "v1@sgd@1.5@30@down", "Steps from 7 on are outside the picture."),
        (PARABOLA, "v1@sgd@0.4@30@down", "the path has come to rest"),
        (PARABOLA, "v1@sgd@0.1@30@up", "p ← p − η·g, with g the gradient negated"),
        ("x = Value(3.0)\ny = x.log()", "v1@sgd@2@30@down", "The path ends at step 3. y is nan"),
        ("x = 3.0\nif x > 1:\n    y = x*x\nelse:\n    y = abs(x)", "v1@sgd@0.3@30@down",
         "From step 2 on the program takes another branch"),
        ("n = MLP(2, [16, 16, 1])\ny = n([0.1]*2)", "", "more would take more than"),
        ("x = Value(3.0)\ny = x*x\ny.backward()\ny.backward()", "",
         "x.grad is 12.0000 in the program, not the derivative 6.0000 that is used here."),
        ("x = Value(1e200)\ny = x*x", "", "There is no first step: y is inf"),
        ("x = 2.0\nx = x * 3", "", "x₂ goes from 6.0000 to"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_path(program: str, descend: str, says: str) -> None:
    page = client().get("/lens/descend", params={"program": program, "descend": descend})
    assert page.status_code == 200
    assert says in page.text


@for_each(
    "text",
    [
        "",
        "@",
        "v99@no@nan@x@y@z@w",
        "v1@sgd@-1@0@up@99@1,2,3",
        "<b>@<i>",
        "v1@adam@1e999@999@up@3@inf",
    ],
)
def test_every_text_of_the_parameter_is_read(text: str) -> None:
    answer = client().get("/lens/descend", params={"program": EXAMPLE, "descend": text})
    assert answer.status_code == 200
    assert "<i>" not in answer.text


def test_leaf_named_as_a_parameter_is_moved_too() -> None:
    page = get("/", "scene = 3.0\ny = scene**2", lens="descend", descend="v1@sgd@0.25@10@down")
    assert [*points(page)[0]["leaves"]] == ["leaf.scene"]
    assert readout(get(steps(page)[1][1]["href"])) == ["1.5000", "2.2500"]
