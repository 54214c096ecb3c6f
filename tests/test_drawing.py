"""The picture: what it says at each frame, and that no label can be anything but text."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from app.drawing import escaped, fitted, page_svg, spoken, standalone_svg, state
from app.grouping import visible
from app.layout import place
from app.paint import attributes
from engine.trace import Trace, trace

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
NETWORK = "n = MLP(3, [4, 4, 1])\nL = n([2.0, 3.0, -1.0])"

LABELS = [
    "</text><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "';alert(1)//",
    "<>",
    ">",
    '<<TABLE HREF="javascript:alert(1)"><TR><TD>x</TD></TR></TABLE>>',
    "&lt;script&gt;",
    "&#60;script&#62;",
    "&#x3c;b&#x3e;",
    "&amp;amp;",
    "&",
    "&&",
    "\\N",
    "\\G",
    "\\H",
    "\\L",
    "\\n",
    "\\r",
    "\\",
    '"',
    'a"b',
    '" URL="javascript:alert(1)',
    'x", URL="javascript:alert(1)',
    "a]; b [label=c",
    "{",
    "}",
    "a|b",
    "<port> a",
    "--><script>alert(1)</script>",
    "<!--",
    "<![CDATA[x]]>",
    "<?xml?>",
    "${7*7}",
    "%3Cscript%3E",
    "=1+1",
    '" onfocus="alert(1)',
    "{{ 7*7 }}",
    "\u202eabc",
    "\u200b",
    "e\u0301",
    "a\tb",
    "a\nb",
    " ",
    "a  b",
    "\ufffe",
    "\uffff",
    "\x00",
    "\x1b[31m",
    "\ud800",
    "\u2066x\u2069",
    "x" * 5000,
    "漢字" * 300,
    "🙂" * 300,
    "e" + "\u0301" * 500,
    "\ufdfd" * 20,
]


@cache
def traced(program: str) -> Trace:
    return trace(program)


def labelled(label: str) -> Trace:
    """The example with one label on every Value."""
    example = traced(EXAMPLE)
    return replace(example, nodes=tuple(replace(node, label=label) for node in example.nodes))


def page(program: Trace, frame: int | None = None, **options: bool) -> etree._Element:
    text = page_svg(program, place(visible(program, **options)), frame)  # type: ignore[arg-type]
    return etree.fromstring(text)


def alone(program: Trace, frame: int | None = None, **options: bool) -> etree._Element:
    graph = visible(program, **options)  # type: ignore[arg-type]
    return etree.fromstring(standalone_svg(program, place(graph), frame))


def groups(svg: etree._Element, name: str) -> list[etree._Element]:
    return [g for g in svg.iter(f"{SVG}g") if name in g.get("class", "").split()]


def by_node(svg: etree._Element) -> dict[str, etree._Element]:
    return {g.get("data-node", ""): g for g in groups(svg, "value")}


def texts(element: etree._Element) -> dict[str, str]:
    return {t.get("class", ""): t.text or "" for t in element.iter(f"{SVG}text")}


def marked(svg: etree._Element, name: str) -> set[str]:
    return {g.get("data-node") or g.get("data-of") or "" for g in groups(svg, name)}


# What is known at a frame


def test_the_first_frame_knows_leaves_only() -> None:
    now = state(traced(EXAMPLE), 0)
    assert now.data == {"v1": 2.0, "v2": -3.0, "v3": 10.0, "v4": -2.0}
    assert now.changed == set(now.data)
    assert now.active == ""
    assert not now.grads
    assert not now.sources


def test_a_forward_frame_adds_one_number() -> None:
    now = state(traced(EXAMPLE), 2)
    assert (now.direction, now.active) == ("forward", "v6")
    assert now.data["v6"] == 4.0
    assert "v7" not in now.data
    assert now.changed == {"v6"}
    assert now.sources == {"v5", "v3"}
    assert now.slots == {0, 1}


def test_the_seed_frame_gives_the_output_its_gradient() -> None:
    now = state(traced(EXAMPLE), 4)
    assert now.grads == {"v7": 1.0}
    assert now.changed == {"v7"}
    assert (now.direction, now.active) == ("backward", "")


def test_a_backward_frame_adds_its_contributions() -> None:
    now = state(traced(EXAMPLE), 6)
    assert now.grads == {"v7": 1.0, "v6": -2.0, "v4": 4.0, "v5": -2.0, "v3": -2.0}
    assert now.changed == {"v5", "v3"}
    assert now.sources == {"v6"}


def test_frames_out_of_range_are_clamped() -> None:
    program = traced(EXAMPLE)
    last = len(program.frames) - 1
    assert state(program) == state(program, last) == state(program, 10**9)
    assert state(program, -5) == state(program, 0)


def test_the_last_frame_knows_every_gradient() -> None:
    program = trace("a = Value(1.0)\nb = a * 0 + 2\nb.backward()")
    assert state(program).grads == {n.id: n.grad for n in program.nodes if n.grad is not None}


def test_nothing_flows_to_a_constant() -> None:
    program = trace("a = Value(3.0)\ny = a * 2")
    svg = page(program)
    lit = [g for g in groups(svg, "flow-backward") if "in" in g.get("class", "").split()]
    assert [g.get("data-slot") for g in lit] == ["0"]


# The page's picture


def test_the_picture_of_the_page_has_the_promised_parts() -> None:
    svg = page(traced(EXAMPLE))
    assert svg.get("id") == "picture"
    assert svg.get("role") == "group"
    assert svg.get("aria-label") == "Computation graph of L"
    assert svg.get("data-direction") == "LR"
    assert len(groups(svg, "value")) == 7
    assert {g.get("data-of") for g in groups(svg, "op")} == {"v5", "v6", "v7"}
    assert len(groups(svg, "in")) == 6
    assert {g.get("data-to") for g in groups(svg, "out")} == {"v5", "v6", "v7"}
    for edge in groups(svg, "edge"):
        assert [path.get("class") for path in edge] == ["line", "head", "tail"]
    for card in groups(svg, "value"):
        assert card.get("tabindex") == "0"
        assert card.get("role") == "img"


def test_a_card_shows_label_kind_and_numbers() -> None:
    cards = by_node(page(traced(EXAMPLE)))
    shown = texts(cards["v1"])
    assert shown["label"] == "a"
    assert shown["kind"] == "leaf"
    assert (shown["data"], shown["grad"]) == ("2.0000", "6.0000")
    assert cards["v1"].get("aria-label") == "a, leaf: data 2, gradient 6"
    assert cards["v7"].get("aria-label") == "L, output: data -8, gradient 1"
    assert texts(cards["v7"])["kind"] == "output"


def test_a_value_without_a_label_shows_its_source() -> None:
    cards = by_node(page(traced(EXAMPLE)))
    assert texts(cards["v5"])["label code"] == "a*b"
    assert cards["v5"].get("aria-label") == "a*b: data -6, gradient -2"
    inside_a_call = by_node(page(traced(NETWORK)))
    unnamed = [n.id for n in traced(NETWORK).nodes if n.op == "*"]
    assert texts(inside_a_call[unnamed[0]])["label code"] == "l0.n0.w0*2"


def test_what_is_not_known_yet_is_a_dot() -> None:
    cards = by_node(page(traced(EXAMPLE), 1))
    assert texts(cards["v6"])["data"] == "·"
    assert "pending" in cards["v6"].get("class", "").split()
    assert texts(cards["v5"])["data"] == "-6.0000"
    assert "no-grad" in cards["v5"].get("class", "").split()
    assert cards["v6"].get("aria-label") == "a*b + c: no data yet, no gradient yet"


def test_classes_of_a_forward_frame() -> None:
    svg = page(traced(EXAMPLE), 1)
    assert svg.get("data-pass") == "forward"
    assert marked(svg, "active") == {"v5"}
    assert marked(svg, "changed") == {"v5"}
    assert marked(svg, "source") == {"v1", "v2"}
    assert len(groups(svg, "flow-forward")) == 3
    assert not groups(svg, "flow-backward")


def test_classes_of_a_backward_frame() -> None:
    svg = page(traced(EXAMPLE), 7)
    assert svg.get("data-pass") == "backward"
    assert marked(svg, "active") == {"v5"}
    assert marked(svg, "changed") == {"v1", "v2"}
    assert marked(svg, "source") == {"v5"}
    assert {g.get("data-to") for g in groups(svg, "flow-backward")} == {"v5"}


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


def test_kinds_differ_in_shape_and_words_not_only_in_colour() -> None:
    leaf, output, value = (attributes(f"value {kind}", "card") for kind in ("leaf", "output", ""))
    widths = [re.findall(r'stroke-width="([^"]+)"', found)[0] for found in (leaf, output, value)]
    assert len(set(widths)) == 3
    assert "stroke-dasharray" in attributes("value copy", "card")
    assert "stroke-dasharray" in attributes("value source backward", "card")
    assert "stroke-dasharray" not in attributes("value copy changed backward", "card")


def test_a_closed_group_can_be_opened() -> None:
    svg = page(traced(NETWORK), grouped=True)
    boxes = groups(svg, "group")
    assert len(boxes) == 9
    first = boxes[0]
    assert first.get("role") == "button"
    assert first.get("tabindex") == "0"
    assert first.get("aria-label") == "Neuron l0.n0, 11 Values: open"
    inside = first.get("data-nodes", "").split()
    assert len(inside) == 11
    assert first.get("data-node-shown") == inside[-1]
    assert texts(first)["data"] != "·"
    for edge in groups(svg, "merged"):
        lists = [edge.get(f"data-{name}", "").split() for name in ("from", "to", "slot")]
        assert len({len(found) for found in lists}) == 1


def test_an_open_group_can_be_closed() -> None:
    svg = page(traced(NETWORK), grouped=True)
    clusters = groups(svg, "cluster")
    assert len(clusters) == 3
    for cluster in clusters:
        close = groups(cluster, "close")
        assert [g.get("data-close") for g in close] == [cluster.get("data-group")]
        assert close[0].get("role") == "button"
    assert not groups(page(traced(NETWORK), frames=True), "close")


def test_the_active_value_lights_its_closed_group() -> None:
    program = traced(NETWORK)
    svg = page(program, 1, grouped=True)
    lit = [g for g in groups(svg, "group") if "active" in g.get("class", "").split()]
    assert len(lit) == 1
    assert program.frames[1].node in lit[0].get("data-nodes", "").split()


def test_infinities_are_shown_as_such() -> None:
    program = trace("a = 1.0\nb = 0.0\ny = a / b")
    shown = texts(by_node(page(program))["v3"])
    assert shown["data"] == "inf"


# Alone


@pytest.mark.parametrize("frame", range(8))
def test_the_standalone_picture_needs_nothing_else(frame: int) -> None:
    text = standalone_svg(traced(EXAMPLE), place(visible(traced(EXAMPLE))), frame)
    svg = etree.fromstring(text)
    assert [child.tag for child in svg][:3] == [f"{SVG}title", f"{SVG}desc", f"{SVG}rect"]
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"
    for forbidden in ("class=", "style", "url(", "href", "data-", "marker", "context-", "var("):
        assert forbidden not in text
    assert len(text.split("xmlns")) == 2


def test_the_standalone_picture_says_what_it_shows() -> None:
    svg = alone(traced(EXAMPLE), 4)
    assert svg.findtext(f"{SVG}title") == "Computation graph of L"
    assert svg.findtext(f"{SVG}desc") == (
        "7 Values; backward pass, picture 5 of 8. L, output: data -8, gradient 1."
    )


def test_both_pictures_show_the_same_texts() -> None:
    program = traced(NETWORK)
    for grouped in (False, True):
        in_page = [t.text for t in page(program, 30, grouped=grouped).iter(f"{SVG}text")]
        by_itself = [t.text for t in alone(program, 30, grouped=grouped).iter(f"{SVG}text")]
        assert in_page == by_itself


def test_the_arrow_turns_round_when_gradient_flows() -> None:
    program = traced(EXAMPLE)
    assert standalone_svg(program, place(visible(program)), 2) != standalone_svg(
        program, place(visible(program)), 6
    )
    heads = [p.get("fill") for p in alone(program, 6).iter(f"{SVG}path")]
    assert heads.count("#c2570c") == 3


# Text


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_nothing_but_text(label: str) -> None:
    plain, hostile = labelled("p"), labelled(label)
    for draw in (page, alone):
        expected, found = draw(plain), draw(hostile)
        kept = [e for e in found.iter() if e.tag != f"{SVG}title" or e in found]
        assert [e.tag for e in kept] == [e.tag for e in expected.iter()]
        assert [set(e.attrib) for e in kept] == [set(e.attrib) for e in expected.iter()]


@pytest.mark.parametrize("label", LABELS)
def test_a_title_of_a_group_is_nothing_but_text(label: str) -> None:
    program = traced(NETWORK)
    hostile = replace(program, groups=tuple(replace(g, title=label) for g in program.groups))
    for draw in (page, alone):
        expected, found = draw(program, grouped=True), draw(hostile, grouped=True)
        kept = [e for e in found.iter() if e.tag != f"{SVG}title" or e in found]
        assert [e.tag for e in kept] == [e.tag for e in expected.iter()]


def test_ordinary_labels_come_back_unchanged() -> None:
    for label in ("a", "l0.n1.w2", "x[0]", "größe", "θ", 'a"b', "<>", "&amp;", "漢字"):
        cards = by_node(page(labelled(label)))
        assert texts(cards["v1"])["label"] == label
        assert (cards["v1"].get("aria-label") or "").startswith(f"{label}, leaf: ")


def test_a_long_label_is_cut_and_said_in_full() -> None:
    label = "the weight of the first input"
    card = by_node(page(labelled(label)))["v1"]
    assert texts(card)["label"].endswith("…")
    assert label.startswith(texts(card)["label"][:-1].strip())
    assert (card.get("aria-label") or "").startswith(label)
    assert card.findtext(f".//{SVG}title") == label


@given(st.text(), st.floats(20, 200))
def test_a_cut_text_is_no_longer_than_the_room(text: str, room: float) -> None:
    cut = fitted(text, room, 11.5)
    assert len(cut) <= 3 * (room / (11.5 * 0.602) + 1)
    assert cut == text or cut.endswith("…")


@given(st.text(st.characters(codec=None)))
def test_escaped_text_is_always_well_formed(text: str) -> None:
    element = etree.fromstring(f'<a b="{escaped(text)}">{escaped(text)}</a>')
    assert element.text == element.get("b") or not text
    assert not set(element.text or "") & set("\u202e\u2066\u200f\x00\x1b\ufffe")


def test_numbers_are_said_without_trailing_zeros() -> None:
    said = {2.0: "2", -0.5: "-0.5", 1e10: "1.0000e+10", float("inf"): "inf", 0.0: "0"}
    assert {x: spoken(x) for x in said} == said


# Speed


@pytest.mark.parametrize(("program", "milliseconds"), [(EXAMPLE, 5), (NETWORK, 40)])
def test_drawing_is_quick(program: str, milliseconds: float) -> None:
    subject = traced(program)
    placement = place(visible(subject))
    best = 1e9
    for _ in range(5):
        start = perf_counter()
        page_svg(subject, placement, 20)
        best = min(best, perf_counter() - start)
    assert best * 1000 < milliseconds
