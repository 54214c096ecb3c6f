"""The steps of each grain are those of a list by hand, in the page and in the scripts alike."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.explore.box_card import slots as box_slots
from app.explore.steps_json import steps_json
from app.picture.frame_state import step_state
from app.picture.grains import GRAINS, FrameSpan, place_of, step_at, steps_by
from app.picture.grouping import visible
from app.picture.steps import boxes, clusters, folded
from engine.trace import trace_json
from engine.trace.build import trace
from tests.support import node
from tests.support.each import for_each
from tests.support.own_class import CLASS
from tests.support.pages import get
from tests.support.places import DATA, ROOT

CASES: dict[str, dict[str, Any]] = {
    case["name"]: case
    for case in map(json.loads, (DATA / "grains.jsonl").read_text("utf-8").splitlines())
}
OWN = f"{CLASS}n = Value(0.5)\nm = Value(0.25)\no = (n + m).tanh()\nL = o * n\nL.backward()\n"
TURNS = "a loop of two lines"
LOOPED = "three turns of a loop, each a closed box"
NETWORK = "a network of three neurons"
LISTED = [*CASES]
CASES |= {"own": {"program": OWN}, "boxes": {**CASES[NETWORK], "grouped": True}}
SCRIPT = Path(__file__).with_name("grains.mjs")
EXPLORE = ROOT / "static/js/explore"
LOOP = CASES[TURNS]["program"]
EACH = pytest.mark.parametrize("grain", GRAINS)


def written(step: FrameSpan) -> list[int] | str:
    return [*step.frames] if step.slot is None else f"{step.frame}:{step.slot}"


def in_the_page(name: str, grain: str) -> list[dict[str, Any]]:
    case = CASES[name]
    found = trace(case["program"])
    graph = visible(found, grouped=case.get("grouped"))
    closed = folded(found, clusters(graph))
    among = steps_by(found, closed, GRAINS[grain], boxes(graph))
    steps = []
    for step in among:
        now = step_state(found, step, closed)
        steps.append(
            {
                "step": written(step),
                "words": step.words,
                "box": box_slots(found, step, step.box, closed) if step.box else {},
                "place": place_of(among, step_at(among, step.frame, step.slot)),
                "changed": sorted(now.changed),
                "grads": {one.id: now.grads.get(one.id) for one in found.nodes},
            }
        )
    return steps


@cache
def in_the_scripts() -> dict[str, dict[str, list[dict[str, Any]]]]:
    lines = []
    for case in CASES.values():
        found = trace(case["program"])
        steps = steps_json(found, visible(found, grouped=case.get("grouped")))
        lines.append(json.dumps({"trace": trace_json.write(found), "steps": json.loads(steps)}))
    scripts = (EXPLORE / f"{name}.js" for name in ("trace", "grains", "explanation"))
    ran = node.run(SCRIPT, *scripts, text="\n".join(lines))
    return dict(zip(CASES, map(json.loads, ran.splitlines()), strict=True))


@EACH
@pytest.mark.parametrize("name", LISTED)
def test_steps_are_those_of_the_list(name: str, grain: str) -> None:
    found = in_the_page(name, grain)
    assert [one["step"] for one in found] == CASES[name][grain]


@EACH
@pytest.mark.parametrize("name", CASES)
def test_scripts_step_alike(name: str, grain: str) -> None:
    assert list(in_the_scripts()[name]) == list(GRAINS)
    assert in_the_scripts()[name][grain] == in_the_page(name, grain)


@pytest.mark.parametrize("name", CASES)
@EACH
def test_each_step_has_a_place_of_its_own(name: str, grain: str) -> None:
    found = in_the_page(name, grain)
    assert [one["place"] for one in found] == [*range(len(found))]


def test_steps_of_several_frames_say_what_they_are_of() -> None:
    words = {
        grain: {one["words"] for one in in_the_page(name, grain)} - {""}
        for grain, name in (
            ("line", TURNS),
            ("call", NETWORK),
            ("pass", TURNS),
            ("op", TURNS),
        )
    }
    assert words == {
        "line": {"2 operations of line 4"},
        "call": {f"5 operations of Neuron {name}" for name in ("l0.n0", "l0.n1", "l1.n0")},
        "pass": {"6 operations of the forward pass", "6 operations of the backward pass"},
        "op": set(),
    }


def test_writes_of_a_program_are_counted_as_such() -> None:
    assert "6 gradient writes of the backward pass" in {
        one["words"] for one in in_the_page("own", "pass")
    }


def test_closed_neurons_are_stepped_through_like_calls() -> None:
    boxed = [one["step"] for one in in_the_page("boxes", "op")]
    assert boxed == [one["step"] for one in in_the_page(NETWORK, "call")]


def test_a_closed_box_says_what_goes_in_and_what_comes_out() -> None:
    """s = 3 s + 1 from x = 2 gives 7; ds/ds = 3, and L = s x gives its last s the gradient x."""
    found = {str(one["step"]): one for one in in_the_page(LOOPED, "op")}
    first, last = found["[1, 2]"]["box"], found["[10, 11]"]["box"]
    assert first["box.words"] == last["box.words"] == "2 operations"
    assert (first["box.args"], first["box.own"]) == ("x = 2.0000", "")
    assert first["box.results"].endswith("= 7.0000")
    assert last["box.results"].endswith(": 2.0000")
    assert last["box.args"].endswith(": 6.0000")


def test_a_square_receives_its_two_contributions_one_by_one() -> None:
    """w·w with upstream u: w receives w·u = 0.5·u twice, and the gradient of w is 2·w·u = u."""
    found = {str(one["step"]): one for one in in_the_page(TURNS, "contribution")}
    upstream = found["[11]"]["grads"]["v4"]
    before = found["12:1"]["grads"]["v1"]
    assert found["12:0"]["grads"]["v2"] == upstream
    assert found["12:0"]["grads"]["v3"] is None
    assert found["13:0"]["grads"]["v1"] == pytest.approx(before + 0.5 * upstream)
    assert found["13:1"]["grads"]["v1"] == pytest.approx(before + upstream)
    assert found["12:0"]["changed"] == ["v2"]


@for_each(
    ("by", "frame", "title", "back", "forward"),
    [
        ("line", 2, "Step 2 of 10", ("line", 0), ("line", 3)),
        ("line", 1, "Step 2 of 10", ("line", 0), ("line", 2)),
        ("line", 0, "Step 1 of 10", None, ("line", 2)),
        ("pass", 6, "Step 2 of 3", ("pass", 0), ("pass", 13)),
        ("contribution:0", 9, "Step 10 of 18", ("contribution", 8), ("contribution:1", 9)),
        ("contribution", 9, "Step 11 of 18", ("contribution:0", 9), ("contribution:0", 10)),
        ("nonsense", 9, "Frame 10 of 14", (None, 8), (None, 10)),
        ("", 9, "Frame 10 of 14", (None, 8), (None, 10)),
    ],
)
def test_links_without_scripts_lead_from_step_to_step(
    by: str, frame: int, title: str, back: Any, forward: Any
) -> None:
    page = get("/", LOOP, frame=str(frame), by=by)
    assert page.one(id="frame-title").text == title
    found = {link.text: link.attributes["href"] for link in page.all("a", class_="button")}
    for name, to in (("Back", back), ("Forward", forward)):
        link = found.get(name, "").replace("%3A", ":")
        at, grain = re.search(r"&at=(\d+)", link), re.search(r"by=([\w:]+)", link)
        assert (at and (grain and grain[1], int(at[1]) - 1)) == to


def test_the_page_says_what_a_step_consists_of() -> None:
    page = get("/", LOOP, frame="5", by="line")
    assert page.one(id="explanation").text.startswith("2 operations of line 4; the last:")
    lit = {card.attributes["data-node"] for card in page.all(class_="changed")}
    assert lit == {"v6", "v7"}
    assert {
        op.attributes["data-of"]
        for op in page.all(class_="active")
        if "op" in op.attributes["class"].split()
    } == {"v6", "v7"}


def test_an_old_link_to_a_frame_shows_it_whole() -> None:
    whole, part = (get("/", LOOP, frame="12", by=by) for by in ("contribution", "contribution:0"))
    assert {card.attributes["data-node"] for card in whole.all(class_="changed")} == {"v2", "v3"}
    assert {card.attributes["data-node"] for card in part.all(class_="changed")} == {"v2"}
    assert part.one(id="picture").attributes["data-slot"] == "0"
    assert part.one(id="picture").attributes["data-frame"] == "12"


def test_a_leaf_called_by_keeps_its_links() -> None:
    page = get("/", "by = Value(2.0)\nL = by * 3", by="5")
    (output,) = (one for one in page.trace["nodes"] if one["op"])
    assert output["data"] == 15.0


def test_the_card_of_a_value_belongs_to_the_step() -> None:
    """Before its contribution in slot 1 the gradient of w·w, v3, is not known."""
    for by, shown in (("contribution:0", "·"), ("contribution:1", "0.7427"), ("", "0.7427")):
        page = get("/", LOOP, frame="12", by=by, value="v3")
        (grad,) = (one for one in page.all("b") if one.attributes.get("data-now") == "grad")
        assert grad.text == shown
    page = get("/", LOOP, frame="10", by="line", value="v1")
    assert len([row for row in page.all("tr") if row.attributes.get("aria-current")]) == 2
    page = get("/", LOOP, frame="13", by="pass", value="v1")
    assert len([row for row in page.all("tr") if row.attributes.get("aria-current")]) == 4
