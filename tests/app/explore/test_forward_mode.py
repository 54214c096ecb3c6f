"""Forward mode beside the picture: rows that add up, the gradient of the leaf, the work of both."""

from __future__ import annotations

import json
import math

import pytest

from engine.numbers import in_equation
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, Html, client, get

NEURON = "a = 2.0\nb = -3.0\nc = 6.5\no = tanh(a*b + c)\no.backward()"
BY_HAND = """
class V:
    def __init__(self, data, args=()):
        self.data, self.args, self.grad = data, args, 0.0
    def __mul__(self, other):
        return V(self.data * other.data, (self, other))
a = V(3.0)
L = a * a
L.grad = 1.0
a.grad = L.grad * a.data
"""


def rows(page: Html) -> dict[str, tuple[str, str]]:
    """The terms and the tangent of each Value, by name."""
    found = {}
    for row in page.all("tr"):
        if "data-frame" in row.attributes:
            name, terms, tangent = (e.text for e in page.within(row).elements if e.tag in "th td")
            found[name] = (terms, tangent)
    return found


def work(page: Html) -> dict[str, list[str]]:
    """The numbers of the table of both modes."""
    table = page.one("table", class_="work")
    return {
        e.text.split()[0]: [x.text for x in page.within(e).all("td")]
        for e in page.within(table).all("tr")[1:]
    }


def results(page: Html) -> list[str]:
    return [" ".join(e.text.split()) for e in page.all("p", class_="result")]


def test_rows_are_the_sweep_with_its_arithmetic() -> None:
    """o = tanh(ab + c): ȧ = 1, (ab)˙ = b, and tanh′ = 1 − tanh²(0.5) = 0.786448."""
    assert rows(get("/lens/forward", NEURON)) == {
        "a": ("the input", "1.0000"),
        "b": ("not the input", "0.0000"),
        "c": ("not the input", "0.0000"),
        "a*b": ("(−3) × 1 + 2 × 0", "−3.0000"),
        "a*b + c": ("1 × (−3) + 1 × 0", "−3.0000"),
        "o": ("0.786448 × (−3)", "−2.3593"),
    }


def test_terms_have_the_digits_with_which_they_give_the_tangent() -> None:
    text = "x = 0.0013427\ny = x * x\nz = y * y"
    for terms, tangent in rows(get("/lens/forward", text)).values():
        if "×" not in terms:
            continue
        summed = sum(
            math.prod(map(float, term.split(" × "))) for term in _plain(terms).split(" + ")
        )
        assert in_equation(summed) == tangent


def _plain(terms: str) -> str:
    return terms.replace("−", "-").replace("(", "").replace(")", "")


@pytest.mark.parametrize(("leaf", "name"), [("v1", "a"), ("v2", "b"), ("v3", "c")])
def test_tangent_of_the_output_is_the_gradient_of_the_chosen_leaf(leaf: str, name: str) -> None:
    page = get("/lens/forward", NEURON, tangent=leaf)
    grad = {"a": "−2.3593", "b": "1.5729", "c": "0.7864"}[name]
    assert rows(page)["o"][1] == grad
    assert results(page)[0] == f"✓ The tangent of o is {grad}, and so is {name}.grad."


@pytest.mark.parametrize(
    ("program", "grad", "by", "why"),
    [
        ("a = Value(3.0)\nL = a * a\nL.backward()\nL.backward()", "12.0000", "6.000", "not zeroed"),
        (BY_HAND, "3.0000", "3.000", "not that of one right pass"),
    ],
)
def test_gradient_that_is_another_number_is_said_to_differ(
    program: str, grad: str, by: str, why: str
) -> None:
    """The derivative of a² at 3 is 6."""
    said = results(get("/lens/forward", program))[0]
    assert said.startswith(
        f"! The tangent of L is 6.0000, and a.grad is {grad}. They differ by {by}:"
    )
    assert why in said


def test_gradient_of_a_broken_rule_is_the_one_on_the_cards() -> None:
    """With = in place of +=, a receives 3 once."""
    page = get("/lens/forward", "a = Value(3.0)\nL = a * a\nL.backward()", mistake="assign")
    assert results(page)[0].endswith("6.0000, and with the broken rule a.grad is 3.0000.")


def test_numbers_inside_of_a_formula_of_the_program_carry_the_tangent() -> None:
    """They belong to no object and have no gradient: y = (2x)² has the slope 8x."""
    text = (
        BY_HAND.partition("a = V")[0] + "x = V(3.0)\ny = V((x.data * 2) ** 2, (x,))\ny.grad = 1.0"
    )
    page = get("/lens/forward", text + "\nx.grad = 24.0 * y.grad")
    assert results(page)[0] == "✓ The tangent of y is 24.0000, and so is x.grad."


def test_work_of_the_program_and_of_what_is_asked_for() -> None:
    """A sweep does 3 products (b, a, tanh′) and, forward, 2 sums; there are 3 leaves."""
    own = get("/lens/forward", NEURON)
    assert work(own) == {"Forward": ["3", "2", "3", "15"], "Reverse": ["3", "0", "1", "3"]}
    assert "reverse mode wins: 3 operations instead of 15" in results(own)[1]
    other = get("/lens/forward", NEURON, tangent="v2@1@100")
    assert work(other) == {"Forward": ["3", "2", "1", "5"], "Reverse": ["3", "0", "100", "300"]}
    assert "forward mode wins: 5 operations instead of 300" in results(other)[1]
    assert [e.attributes["value"] for e in other.all("input")] == ["1", "100"]
    assert rows(other)["o"][1] == "1.5729"


@for_each("text", ["v9", "@", "v1@0@1", "v1@x@1", "v1@1e3@1", "v1@-1@1", "<b>@1"])
def test_what_cannot_be_read_is_as_if_not_asked(text: str) -> None:
    assert work(get("/lens/forward", NEURON, tangent=text))["Forward"][2] == "3"


def test_rows_follow_the_frame_without_scripts() -> None:
    """Frame 3 adds c: o comes later."""
    page = get("/", NEURON, lens="forward", at="3")
    section = page.within(page.one("details", id="lens-forward"))
    looks = [e.attributes["class"] for e in section.all("tr") if "data-frame" in e.attributes]
    assert looks == ["", "still", "still", "", "now", "later"]
    link = next(e for e in section.all("a") if e.text == "o")
    assert "at=4" in link.attributes["href"]


def test_picture_is_given_the_tangents_with_their_frames() -> None:
    page = get("/lens/forward", EXAMPLE, a="1")
    (root,) = (e for e in page.elements if "data-marks" in e.attributes)
    marks = json.loads(root.attributes["data-marks"])
    assert marks["v1"] == ["1.0000", 0, True]
    assert marks["v2"] == ["0.0000", 0, False]
    assert marks["v7"] == ["6.0000", 3, True]  # bf


def test_links_and_scripts_lead_somewhere() -> None:
    page = get("/", NEURON, lens="forward")
    section = page.within(page.one("details", id="lens-forward"))
    links = [e for e in section.all("a") if e.attributes.get("data-look") == "tangent"]
    assert [e.text for e in links[:3]] == ["a", "b", "c"]
    assert len(links) == 8
    paths = [e.attributes["href"] for e in (*links, *section.all("link"))]
    paths += [e.attributes["data-part"] for e in section.elements if "data-part" in e.attributes]
    assert {client().get(path).status_code for path in paths} == {200}


def test_large_graph_lists_what_moves_and_its_last_row() -> None:
    text = "x = Value(0.5)\ny = Value(2.0)\nfor i in range(200):\n    x = x + y"
    page = get("/lens/forward", text, grouped="1")
    assert len(rows(page)) == 120
    assert list(rows(page).values())[-1][1] == "1.0000"
    assert "81 rows before the last one are left out." in [e.text for e in page.all("p")]


def test_expansion_is_swept_through() -> None:
    page = get("/lens/forward", NEURON, expand="v6")
    assert rows(page)["o"][1] == "−2.3593"
    assert len(rows(page)) > 8


@pytest.mark.parametrize("program", ["L = Value(2.0)", "x = 2.0\ny = int(x) * 1.5"])
def test_without_a_leaf_that_is_followed_no_sweep_starts(program: str) -> None:
    page = get("/lens/forward", program)
    assert not rows(page)
    assert len(page.all("p")) <= 1
