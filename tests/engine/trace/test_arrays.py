"""Arrays of Values are groups with a shape and cells; the operations behind a cell are in them."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from engine.trace.model import Group
from engine.trace.traced import Trace
from tests.support.own_class import CLASS

NUMPY = """\
import numpy as np
x = np.array([Value(1.0), Value(2.0)])
w = np.array([[Value(0.5), Value(-1.0)], [Value(2.0), Value(0.25)]])
h = x @ w
L = np.sum(h * h)
L.backward()
"""
OWN = CLASS + NUMPY
PROGRAMS = {"numpy": NUMPY, "own": OWN}


def arrays(found: Trace) -> dict[str, Group]:
    return {group.title: group for group in found.groups if group.kind == "array"}


def numbers(found: Trace, group: Group) -> list[tuple[float, float | None]]:
    by_id = {node.id: node for node in found.nodes}
    return [(by_id[cell].data, by_id[cell].grad) for cell in group.cells if cell is not None]


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_an_array_is_a_group_of_its_shape_with_the_data_and_gradients_of_its_cells(
    text: str,
) -> None:
    """h = x w, L = Σ h²: dL/dh = 2 h, dL/dx = 2 h wᵀ, dL/dw = xᵀ 2 h."""
    found = trace(text)
    groups = arrays(found)
    assert list(groups) == ["x", "w", "h", "h * h"]
    assert [group.shape for group in groups.values()] == [(2,), (2, 2), (2,), (2,)]
    assert [group.op for group in groups.values()] == ["", "", "@", "*"]
    assert numbers(found, groups["x"]) == [(1.0, 5.5), (2.0, 17.75)]
    assert numbers(found, groups["w"]) == [(0.5, 9.0), (-1.0, -1.0), (2.0, 18.0), (0.25, -2.0)]
    assert numbers(found, groups["h"]) == [(4.5, 9.0), (-0.5, -1.0)]
    assert numbers(found, groups["h * h"]) == [(20.25, 1.0), (0.25, 1.0)]


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_products_and_sums_of_a_product_belong_to_its_result(text: str) -> None:
    found = trace(text)
    h = arrays(found)["h"]
    inside = [node for node in found.nodes if node.group == h.id and node.args]
    assert [node.op for node in inside] == ["*", "*", "+"] * 2
    assert [node.id for node in inside if node.op == "+"] == list(h.cells)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_elements_are_called_by_their_index(text: str) -> None:
    found = trace(text)
    names = {node.id: node.name for node in found.nodes}
    cells = arrays(found)["w"].cells
    assert [names[cell] for cell in cells if cell] == ["w[0][0]", "w[0][1]", "w[1][0]", "w[1][1]"]


def test_a_result_without_axes_is_a_formula() -> None:
    found = trace(
        "import numpy as np\nv = np.array([Value(1.0), Value(2.0), Value(3.0)])\n"
        "m = v.mean()\nm * 2"
    )
    (formula,) = [group for group in found.groups if group.kind == "formula"]
    inside = [node for node in found.nodes if node.group == formula.id and node.args]
    assert (formula.title, [node.op for node in inside]) == ("mean", ["+", "+", "/"])
    assert inside[-1].label == "m"


def test_a_sum_of_the_programs_own_objects_is_a_formula() -> None:
    found = trace(
        f"{CLASS}import numpy as np\nv = np.array([Value(1.0), Value(2.0), Value(4.0)])\n"
        "s = np.sum(v)\nL = s * s\nL.backward()"
    )
    (formula,) = [group for group in found.groups if group.kind == "formula"]
    inside = [node for node in found.nodes if node.group == formula.id and node.args]
    assert (formula.title, [node.data for node in inside]) == ("sum", [3.0, 7.0])
    assert numbers(found, arrays(found)["v"]) == [(1.0, 14.0), (2.0, 14.0), (4.0, 14.0)]
    assert {group.kind for group in found.groups} == {"array", "formula"}


def test_an_unnamed_result_is_called_by_its_source() -> None:
    found = trace(
        "import numpy as np\nv = np.array([Value(1.0)] * 3)\nL = (v * 2).mean() + 1\nL.backward()"
    )
    assert "(v * 2).mean()" in [node.name for node in found.nodes]


def test_views_slices_and_joins_make_no_box_of_their_own() -> None:
    found = trace(
        "import numpy as np\nw = np.array([[Value(1.0)], [Value(2.0)]])\nrow = w[0]\nturned = w.T\n"
        "both = np.concatenate([row, w[1]])\nL = both.sum() + turned.sum()\nL.backward()"
    )
    assert list(arrays(found)) == ["w"]


def test_cells_that_the_output_does_not_depend_on_are_null() -> None:
    found = trace(
        "import numpy as np\nv = np.array([Value(1.0), Value(2.0)])\nL = v[1] * 3\nL.backward()"
    )
    (group,) = arrays(found).values()
    (one,) = [node for node in found.nodes if node.data == 2.0]
    assert group.cells == (None, one.id)
    written = found.to_json()["groups"]
    assert written[0] == {
        "id": group.id, "parent": None, "kind": "array", "title": "v", "shape": [2],
        "cells": [None, one.id], "op": "",
    }  # fmt: skip


def test_a_formula_of_an_element_is_inside_of_its_array() -> None:
    found = trace(
        f"{CLASS}import numpy as np\nx = np.array([Value(0.5), Value(-0.5)])\nh = np.tanh(x)\n"
        "L = h[0] + h[1]\nL.backward()"
    )
    h = arrays(found)["h"]
    formulas = [group for group in found.groups if group.kind == "formula"]
    assert [(group.title, group.parent) for group in formulas] == [("tanh", h.id)] * 2


def test_a_turn_of_a_loop_contains_the_arrays_that_it_makes() -> None:
    found = trace(
        "import numpy as np\nv = np.array([Value(1.0), Value(2.0)])\n"
        "for k in range(2):\n    v = v * 2\nL = v.sum()\nL.backward()"
    )
    kinds = {group.id: group.kind for group in found.groups}
    parents = [kinds.get(group.parent or "") for group in found.groups if group.kind == "array"]
    assert parents == [None, "iteration", "iteration"]


def test_updated_objects_stay_in_their_array() -> None:
    """f = a² at 3 and one step of descent at rate 0.25 later, at 3 - 0.25 · 6 = 1.5."""
    found = trace(
        f"{CLASS}import numpy as np\nw = np.array([Value(3.0), Value(3.0)])\nfor k in range(2):\n"
        "    L = w[0]*w[0] + w[1]*w[1]\n    L.backward()\n    for p in w:\n"
        "        p.data -= 0.25 * p.grad\n        p.grad = 0.0\n"
    )
    (group,) = arrays(found).values()
    assert numbers(found, group) == [(1.5, 3.0), (1.5, 3.0)]


def test_programs_without_arrays_have_no_such_groups() -> None:
    assert trace("n = MLP(2, [3, 1])\ny = n([1.0, 2.0])").groups
    assert not arrays(trace("n = MLP(2, [3, 1])\ny = n([1.0, 2.0])"))
