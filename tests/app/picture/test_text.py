"""Text of a visitor: no label can be anything but text, and none leaves its box."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from app.picture.text import CHARACTER, escaped, fitted
from tests.support.each import for_each
from tests.support.pictures import NETWORK, SVG, alone, by_node, labelled, page, texts, traced

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


@for_each("label", LABELS)
def test_a_label_is_nothing_but_text(label: str) -> None:
    plain, hostile = labelled("p"), labelled(label)
    for draw in (page, alone):
        expected, found = draw(plain), draw(hostile)
        kept = [e for e in found.iter() if e.tag != f"{SVG}title" or e in found]
        assert [e.tag for e in kept] == [e.tag for e in expected.iter()]
        assert [set(e.attrib) for e in kept] == [set(e.attrib) for e in expected.iter()]


@for_each("label", LABELS)
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


@given(st.text(), st.floats(20, 200))
def test_a_cut_text_is_no_longer_than_the_room(text: str, room: float) -> None:
    cut = fitted(text, room, 11.5)
    assert len(cut) <= 3 * (room / (11.5 * CHARACTER) + 1)
    assert cut == text or cut.endswith("…")


@given(st.text(st.characters(codec=None)))
def test_escaped_text_is_always_well_formed(text: str) -> None:
    element = etree.fromstring(f'<a b="{escaped(text)}">{escaped(text)}</a>')
    assert element.text == element.get("b") or not text
    assert not set(element.text or "") & set("\u202e\u2066\u200f\x00\x1b\ufffe")
