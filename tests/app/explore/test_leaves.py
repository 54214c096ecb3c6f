"""The controls of the leaves, and the numbers they change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.explore.explorer import Explorer
from app.explore.leaves import slider_reach
from app.program_address import View
from app.serving.rendering import Renderer
from app.settings import from_environment
from tests.support.each import for_each
from tests.support.explore_pages import node
from tests.support.pages import EXAMPLE, Element, Html, get


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


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_leaf_that_is_no_number_counts_as_unchanged(number: str) -> None:
    page = get("/", f"x = Value(float('{number}'))\ny = x*2")
    assert not page.all("small", class_="trained")


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


@for_each("name", ["program", "frame", "direction", "grouped", "open"])
def test_leaf_called_like_a_parameter(name: str) -> None:
    program = f"{name} = 2.0\nL = {name} * 3"
    page = get("/", program, lens="check", **{f"leaf.{name}": "5"})
    assert node(page.trace, "L")["data"] == 15.0
    assert node(page.trace, name)["key"] == f"leaf.{name}"
    assert controls(page)[f"leaf.{name}"].has(value="5.0")
    assert len(page.all("tr", data_key=f"leaf.{name}")) == 1


def test_two_leaves_of_one_name() -> None:
    program = "a = Value(2.0, label='a'); b = Value(3.0, label='a'); L = a*b*b"
    page = get("/", program, **{"a@1": "5", "a": "7"})
    assert list(controls(page)) == ["a@1", "a"]
    assert [n["data"] for n in page.trace["nodes"][:2]] == [5.0, 7.0]


def test_gradient_check_lists_each_leaf() -> None:
    page = get("/", EXAMPLE, lens="check")
    rows = [e for e in page.all("tr") if "data-key" in e.attributes]
    assert [row.attributes["data-key"] for row in rows] == ["a", "b", "c", "f"]
    grads = [page.within(row).one("td", class_="grad").text for row in rows]
    assert grads == ["6.0000", "−4.0000", "−2.0000", "4.0000"]
    others = [e.attributes["data-node"] for e in page.all("tr") if "data-node" in e.attributes]
    assert others == ["v1", "v2", "v3", "v4", "v5", "v6"]  # and a*b, a*b + c
    assert all(page.within(row).one("td", class_="verdict").has(class_="ok") for row in rows)


@given(st.floats(), st.floats(allow_nan=False, allow_infinity=False))
def test_slider_has_a_range(default: float, value: float) -> None:
    assert 0 < slider_reach(default, value) < float("inf")


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_slider_reaches_its_leaf_and_the_default(default: float, value: float) -> None:
    reach = slider_reach(default, value) * (1 + 1e-9)
    assert reach >= abs(value)
    assert reach >= abs(default)


def test_trained_leaf_shows_both_values() -> None:
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


def test_weights_stand_before_targets() -> None:
    page = get("/", "ys = [Value(1.0), Value(-1.0)]\nn = MLP(2, [1, 1])\nL = (n(ys) - ys[0])**2")
    found = list(controls(page))
    assert found == ["l0.n0.w0", "l0.n0.w1", "l0.n0.b", "l1.n0.w0", "l1.n0.b", "ys[0]", "ys[1]"]
