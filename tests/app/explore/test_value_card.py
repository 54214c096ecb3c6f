"""The card of a Value: its numbers, ledger and paths on the page, with and without scripts."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from app.explore.value_card import CardContext, ValueCard, value_card
from app.picture.steps import folded, steps
from app.program_address import View
from engine.numbers import compact
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.own_class import CLASS, OVERWRITES
from tests.support.pages import client, get
from tests.support.traces import EACH
from tests.support.traces import trace as traced

FAN = "a = 2.0\nb = -3.0\nc = a*b\nd = a + c\nL = c*d + a"
"""∂L/∂a = 1 (from L) − 6 (from d) + 30 (from c = ab, whose gradient is −4 − 6, times b = −3)."""
TWICE = "a = Value(3.0)\ny = a * a\ny.backward()\ny.backward()"
MANY = "x = Value(1.5)\ny = x\nfor i in range({}):\n    y = (y + y) * 0.5\ny.backward()"
END = 9


def card(program: str, name: str, at: int | None = None) -> ValueCard:
    found = trace(program)
    (id_,) = [node.id for node in found.nodes if node.name == name]
    closed = folded(found, ())
    view = View(program=program, lenses={"value": id_})
    last = len(found.frames) - 1 if at is None else at
    made = value_card(found, last, CardContext(view, steps(found, closed), closed))
    assert made is not None
    return made


def plain(markup: str) -> str:
    return re.sub(r"<[^>]+>", "", markup)


def summed(found: ValueCard) -> str:
    terms = "".join(f" {term.sign} {term.text}" if term.sign else term.text for term in found.terms)
    return f"{plain(found.of)} = {terms} = {found.total}"


def test_the_gradient_is_the_sum_of_what_it_received() -> None:
    assert summed(card(FAN, "a")) == "∂L∂a = 1 − 6 + 30 = 25"
    assert summed(card(FAN, "c")) == "∂L∂c = −4 − 6 = −10"


def test_the_ledger_says_from_which_op_in_which_frame() -> None:
    rows = [(r.sign, r.text, r.link.number, r.amount, r.total) for r in card(FAN, "a").rows]
    assert rows == [
        ("+", "L = c*d + a", 7, "+1", "1"),
        ("+", "d = a + c", 9, "−6", "−5"),
        ("×", "c = a*b", 10, "+30", "25"),
    ]
    assert card(FAN, "a").rows[2].exact == "−10.0 × −3.0 = 30.0"


def test_rows_of_later_frames_are_pale_and_the_numbers_those_of_the_frame() -> None:
    found = card(FAN, "a", 8)  # d has just contributed
    assert [row.when for row in found.rows] == ["", "now", "later"]
    assert (found.data, found.grad) == ("2.0000", "−5.0000")
    assert found.total == "25"
    before = card(FAN, "a", 0)
    assert (before.data, before.grad) == ("2.0000", "·")


def test_the_formula_has_names_and_then_numbers() -> None:
    assert plain(card(FAN, "c").formula) == "c=a·b=2.0000·(−3.0000)=−6.0000"
    assert card(FAN, "a").formula == ""


def test_paths_are_products_that_sum_to_the_gradient() -> None:
    found = card(FAN, "a").paths
    assert found is not None
    assert found.heading == "4 paths to L, each a product"
    assert [(row.names, " × ".join(row.factors), row.product) for row in found.rows] == [
        ("a → L", "1", "1"),
        ("a → d → c*d → L", "1 × −6 × 1", "−6"),
        ("a → c → c*d → L", "−3 × −4 × 1", "12"),
        ("a → c → d → c*d → L", "−3 × 1 × −6 × 1", "18"),
    ]
    assert found.total == "25"
    assert found.sentences == (
        "They sum to 25, the gradient of one pass from zero.",
        "The entry through c is 2 paths at once: 12 and 18, together 30.",
    )


def test_shown_factors_of_a_path_multiply_to_the_shown_product() -> None:
    found = card("x = 0.123456789\nt = tanh(x)\nu = sin(t)\nL = u*exp(x)*t", "x").paths
    assert found is not None
    assert len(found.rows) >= 3
    for row in found.rows:
        shown = [Decimal(factor.replace("−", "-")) for factor in row.factors]
        assert compact(float(math.prod(shown))) == row.product


def test_a_gradient_held_before_the_pass_is_a_term_and_no_derivative() -> None:
    found = card(TWICE, "a")
    assert summed(found) == "a.grad = 6 + 3 + 3 = 12"
    assert "It held 6 before this pass." in found.notes
    assert found.paths is not None
    assert found.paths.total == "6"


def test_equal_inputs_are_told_apart() -> None:
    assert [row.text for row in card(TWICE, "a").rows] == [
        "y = a * a, input 1",
        "y = a * a, input 2",
    ]


def test_too_many_paths_are_counted() -> None:
    found = card(MANY.format(30), "x").paths
    assert found is not None
    assert found.heading == f"{2**30:,} paths to y₃₀"
    assert found.rows == ()
    assert "Their sum is 1." in found.sentences


def test_a_count_beyond_words_has_all_its_digits() -> None:
    found = card(MANY.format(200), "x").paths
    assert found is not None
    assert found.heading.startswith("about 1.61 × 10⁶⁰ paths")
    assert found.digits == str(2**200)


def test_a_constant_says_that_it_has_no_gradient() -> None:
    found = card("a = Value(3.0)\ny = a * 2", "2")
    assert (found.grad, found.rows, found.paths) == (None, [], None)
    assert "no gradient" in found.notes[0]


def test_writes_of_an_own_class_are_listed_with_what_was_due() -> None:
    """y = a + (a + a): by assignment 1 remains of 3."""
    found = card(f"{OVERWRITES}\na = Value(3.0)\nb = a + a\ny = a + b\ny.backward()", "a")
    assert [row.change for row in found.rows] == ["0 → 1", "1 → 1", "1 → 1"]
    assert [row.due for row in found.rows] == ["", "2", "2"]  # each is to add 1 to the 1 at hand
    assert (found.true, found.is_wrong) == ("3", True)
    assert found.terms == ()
    right = card(f"{CLASS}\na = Value(3.0)\nb = a + a\ny = a + b\ny.backward()", "a")
    assert (right.total, right.true, right.is_wrong) == ("3", "3", False)


def test_paths_of_an_own_class_go_over_its_methods() -> None:
    text = f"{CLASS}\na = Value(0.5)\nb = a * 2.0\nc = b.tanh()\ny = c * a + a\ny.backward()"
    found = card(text, "a").paths
    assert found is not None
    assert [row.names for row in found.rows] == ["a → y", "a → c*a → y", "a → b → c → c*a → y"]
    assert found.sentences[0].endswith("the true gradient.")
    assert plain(card(text, "c").formula) == "c=tanh(b)=0.7616"


def test_a_broken_rule_leaves_the_paths_right() -> None:
    """By assignment the last contribution remains: of c the −6 of d, so of a −6 × −3 = 18."""
    text = client().get("/value", params={"program": FAN, "value": "v1", "mistake": "assign"}).text
    words = " ".join(plain(text).split())
    assert "With the broken rule it ends as 18." in words
    assert "= 1 − 6 + 30 = 25" in words
    assert "They sum to 25, the gradient of one pass from zero." in words
    assert "−3 × 1 × −6 × 1" in words


# On the page


def test_the_card_is_on_the_page_of_its_address() -> None:
    page = get("/", FAN, value="v1", frame="8")
    (section,) = page.all("section", id="value-card")
    assert "hidden" not in section.attributes
    assert "1 − 6 + 30" in " ".join(section.text.split())
    assert section.attributes["data-value"] == "v1"
    (closed,) = get("/", FAN).all("section", id="value-card")
    assert "hidden" in closed.attributes
    assert closed.text == ""


def test_the_fragment_is_what_the_page_has() -> None:
    query = {"program": FAN, "value": "v3", "frame": "8"}
    fragment = client().get("/value", params=query).text
    assert fragment
    assert fragment in client().get("/", params=query).text
    assert client().post("/value", data=query).text == fragment


@for_each("value", ["", "v99", "<b>", "L"])
def test_an_unknown_value_has_no_card(value: str) -> None:
    answer = client().get("/value", params={"program": FAN, "value": value})
    assert answer.status_code == 200
    assert "names no Value of this graph" in answer.text
    page = get("/", FAN, value=value)
    assert "hidden" in page.one("section", id="value-card").attributes


def test_names_and_text_of_the_program_are_escaped() -> None:
    program = "a = Value(2.0, label='<b>a</b>')\nL = a * a"
    text = client().get("/value", params={"program": program, "value": "v1"}).text
    assert "<b>a</b>" not in text
    assert "&lt;b&gt;a&lt;/b&gt;" in text


def test_each_link_of_the_card_leads_to_its_frame_or_value() -> None:
    page = get("/value", FAN, value="v1")
    links = {link.text: link.attributes["href"] for link in page.all("a")}
    assert "at=9" in links["frame 9"]
    assert "value=v1" in links["frame 9"]
    assert "value=v4" in links["d = a + c"]
    (close,) = [link for link in page.all("a") if link.has(class_="close-card")]
    assert "value=" not in close.attributes["href"]


def test_edges_are_in_the_address_and_in_the_picture_alone() -> None:
    page = client().get("/", params={"program": FAN, "edges": "contributions"}).text
    assert 'class="picture contributions"' in page
    assert "contribution 1, 6, 30" in page
    alone = client().get("/graph.svg", params={"program": FAN, "edges": "contributions"}).text
    assert ">30</text>" in alone
    assert ">30</text>" not in client().get("/graph.svg", params={"program": FAN}).text


@EACH
def test_every_value_of_every_program_has_a_card(text: str) -> None:
    found = traced(text)
    closed = folded(found, ())
    among = steps(found, closed)
    for node in found.nodes[:: 1 + len(found.nodes) // 40]:
        place = CardContext(View(program=text, lenses={"value": node.id}), among, closed)
        made = value_card(found, len(found.frames) - 1, place)
        assert made is not None
        assert (made.grad is None) == (node.grad is None)
