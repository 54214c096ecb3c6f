"""Cards: what they show and say of a Value or a closed group."""

from __future__ import annotations

from engine.trace.build import trace
from tests.support.pictures import (
    EXAMPLE,
    NETWORK,
    SVG,
    by_node,
    groups,
    labelled,
    page,
    texts,
    traced,
)


def test_a_card_shows_label_kind_and_numbers() -> None:
    cards = by_node(page(traced(EXAMPLE)))
    shown = texts(cards["v1"])
    assert shown["label"] == "a"
    assert shown["kind"] == "leaf"
    assert (shown["data"], shown["grad"]) == ("2.0000", "6.0000")
    assert cards["v1"].get("aria-label") == "a, leaf: data 2, gradient 6"
    assert cards["v7"].get("aria-label") == "L, output: data −8, gradient 1"
    assert texts(cards["v7"])["kind"] == "output"


def test_a_value_without_a_label_shows_its_source() -> None:
    cards = by_node(page(traced(EXAMPLE)))
    assert texts(cards["v5"])["label code"] == "a*b"
    assert cards["v5"].get("aria-label") == "a*b: data −6, gradient −2"
    inside_a_call = by_node(page(traced(NETWORK)))
    unnamed = [n.id for n in traced(NETWORK).nodes if n.op == "*"]
    assert texts(inside_a_call[unnamed[0]])["label code"] == "l0.n0.w0*2"


def test_parameters_of_a_network_have_short_names_where_there_is_no_room() -> None:
    found = traced(NETWORK)
    cards = by_node(page(found))
    sums = [node for node in found.nodes if node.op == "+" and node.name.startswith("l0.n0.b + ")]
    shown = [texts(cards[node.id])["label code"] for node in sums]
    assert shown
    assert all(text.startswith("b + w0*") for text in shown)
    assert cards[sums[0].id].findtext(f".//{SVG}title") == sums[0].name


def test_a_long_label_is_cut_and_described_in_full() -> None:
    label = "the weight of the first input"
    card = by_node(page(labelled(label)))["v1"]
    assert texts(card)["label"].endswith("…")
    assert label.startswith(texts(card)["label"][:-1].strip())
    assert (card.get("aria-label") or "").startswith(label)
    assert card.findtext(f".//{SVG}title") == label


def test_unknown_number_is_a_dot() -> None:
    cards = by_node(page(traced(EXAMPLE), 1))
    assert texts(cards["v6"])["data"] == "·"
    assert "pending" in cards["v6"].get("class", "").split()
    assert texts(cards["v5"])["data"] == "−6.0000"
    assert "no-grad" in cards["v5"].get("class", "").split()
    assert cards["v6"].get("aria-label") == "a*b + c: no data yet, no gradient yet"


def test_infinities_are_shown_as_such() -> None:
    program = trace("a = Value(1.0)\nb = Value(0.0)\ny = a / b")
    shown = texts(by_node(page(program))["v3"])
    assert shown["data"] == "inf"


def test_copies_are_linked() -> None:
    program = trace("x = Value(2.0, label='x')\ny = x*x + x + x.sin() + x.cos() + x.exp()")
    copies = groups(page(program), "copy")
    assert {g.get("data-node") for g in copies} == {"v1"}
    assert sorted(g.get("data-copy", "") for g in copies) == ["1", "2", "3", "4", "5"]
    assert {texts(g)["kind"] for g in copies} == {f"{i}/5" for i in range(1, 6)}


def test_a_constant_is_small_and_has_no_gradient() -> None:
    cards = groups(page(trace("a = Value(3.0)\ny = a * 2")), "constant")
    assert len(cards) == 1
    assert texts(cards[0]) == {"data": "2.0000"}
    assert cards[0].get("aria-label") == "constant: data 2"


def test_a_closed_group_can_be_opened() -> None:
    svg = page(traced(NETWORK), grouped=True)
    boxes = groups(svg, "group")
    assert len(boxes) == 9
    first = boxes[0]
    assert first.get("role") == "button"
    assert first.get("tabindex") == "0"
    said = [part.text or "" for part in first.iter() if part.tag.endswith("text")]
    assert said[0] == "Neuron l0.n0"  # its name is what stands on it
    assert said[-2:] == ["11 Values", ": open"]
    inside = first.get("data-nodes", "").split()
    assert len(inside) == 11
    assert first.get("data-node-shown") == inside[-1]
    assert texts(first)["data"] != "·"
    for edge in groups(svg, "merged"):
        lists = [edge.get(f"data-{name}", "").split() for name in ("from", "to", "slot")]
        assert len({len(found) for found in lists}) == 1


def test_the_active_value_lights_its_closed_group() -> None:
    program = traced(NETWORK)
    svg = page(program, 1, grouped=True)
    lit = [g for g in groups(svg, "group") if "active" in g.get("class", "").split()]
    assert len(lit) == 1
    assert program.frames[1].node in lit[0].get("data-nodes", "").split()


def test_a_number_computed_from_constants_shows_its_data_alone() -> None:
    cards = by_node(page(traced("a = Value(-2.0)\ny = a**(1+1)")))
    (card,) = (c for c in cards.values() if (c.get("aria-label") or "").startswith("1+1"))
    assert card.get("aria-label") == "1+1: data 2"
    assert "grad" not in texts(card)
