"""Forward frames are objects coming to be: a closed formula is one step, an open one several."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.explore.explanation import card, slots
from app.picture.frame_state import folded_state, state
from app.picture.steps import folded, steps
from engine.trace.build import trace
from tests.support import node
from tests.support.each import for_each
from tests.support.own_class import CLASS
from tests.support.pages import get
from tests.support.places import ROOT

SCRIPT = Path(__file__).with_name("folds.mjs")
EXPLORE = ROOT / "static/js/explore"
TANH = f"{CLASS}n = Value(0.5)\nm = Value(0.25)\no = (n + m).tanh()\nL = o * n\nL.backward()\n"
FOUND = trace(TANH)
(FORMULA,) = [group.id for group in FOUND.groups if group.kind == "formula"]
"""2*x, exp, - 1, 2*x, exp, + 1 and the quotient, between n + m and L."""


def names(opened: set[str]) -> list[str]:
    by_id = FOUND.names()
    forward = [at for at in steps(FOUND, folded(FOUND, opened)) if at < 10]
    return ["given" if FOUND.frames[at].given else by_id[FOUND.frames[at].node] for at in forward]


def test_steps_go_from_object_to_object() -> None:
    assert names(set()) == ["given", "n + m", "o", "L"]


def test_an_open_formula_has_its_operations_as_steps() -> None:
    assert len(names({FORMULA})) == 4 + 6
    assert steps(FOUND, folded(FOUND, {FORMULA})) == [*range(len(FOUND.frames))]


def test_the_backward_steps_are_those_of_the_program() -> None:
    closed = steps(FOUND, folded(FOUND, set()))
    backward = [at for at, frame in enumerate(FOUND.frames) if frame.pass_ == "backward"]
    assert [at for at in closed if at >= backward[0]] == backward


def test_a_program_without_formulas_steps_through_every_frame() -> None:
    plain = trace("a = Value(2.0)\nL = a * a + a\nL.backward()")
    assert steps(plain, folded(plain, set())) == [*range(len(plain.frames))]


def test_the_step_of_a_formula_is_lit_from_its_args() -> None:
    closed = folded(FOUND, set())
    (fold,) = closed.values()
    at = next(at for at, frame in enumerate(FOUND.frames) if frame.node == fold.result)
    now = folded_state(state(FOUND, at), closed)
    assert [FOUND.names()[key] for key in now.sources] == ["n + m"]
    assert "tanh" in card(FOUND, at, closed)
    assert "Divide" in card(FOUND, at)


@for_each(("frame", "back", "forward"), [(0, None, 1), (1, 0, 8), (4, 1, 8), (8, 1, 9), (9, 8, 10)])
def test_links_without_scripts_lead_from_step_to_step(
    frame: int, back: int | None, forward: int
) -> None:
    page = get("/", TANH, frame=str(frame))
    found = {link.text: link.attributes["href"] for link in page.all("a", class_="button")}
    wanted = {"Back": back, "Forward": forward}
    for name, to in wanted.items():
        at = re.search(r"&at=(\d+)", found.get(name, ""))
        assert (at and int(at[1]) - 1) == to


def test_the_page_counts_steps_and_keeps_the_frame_in_its_picture() -> None:
    page = get("/", TANH, frame="8")
    assert page.one(id="frame-title").text == f"Frame 3 of {len(FOUND.frames) - 6}"
    assert page.one(id="picture").attributes["data-frame"] == "8"


@pytest.mark.parametrize("opened", ["", FORMULA])
def test_scripts_fold_alike(opened: str) -> None:
    page = get("/", TANH, open=opened)
    text = "\n".join(page.one("pre", id=name).text for name in ("trace", "picture-steps"))
    ran = node.run(SCRIPT, EXPLORE / "trace.js", EXPLORE / "explanation.js", text=text)
    said = [json.loads(line) for line in ran.splitlines()]
    closed = folded(FOUND, {opened})
    wanted: list[object] = [steps(FOUND, closed)]
    for at in steps(FOUND, closed):
        frame = FOUND.frames[at]
        if frame.pass_ == "forward" and frame.node in closed:
            found = slots(FOUND, at, closed)
            wanted += [[found[f"fold.{name}"] for name in ("title", "args", "count")]]
            wanted += [[*closed[frame.node].args]]
    assert said == wanted
