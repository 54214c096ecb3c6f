"""Every operation has a page, with its formula, its numbers, and a program that runs."""

from __future__ import annotations

import json
import math
from urllib.parse import parse_qs, urlsplit

from app.operations.peers import PEERS
from app.operations.special_points import points
from engine.ops import OPS
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.pages import Html, client, get, read


def page_of(name: str, **query: str) -> Html:
    answer = client().get(f"/reference/{OPS[name].slug}", params=query)
    assert answer.status_code == 200
    return read(answer.text)


def test_slugs_are_safe_in_addresses_and_tell_operations_apart() -> None:
    slugs = [op.slug for op in OPS.values()]
    assert len(set(slugs)) == len(OPS)
    assert all(slug.isidentifier() and slug.isascii() for slug in slugs)


@for_each("name", OPS)
def test_operation_has_a_page(name: str) -> None:
    op, page = OPS[name], page_of(name)
    facts = page.within(page.one("section", aria_label="Facts"))
    assert len(facts.all("math")) == 1 + len(op.params) + bool(op.expansion)
    texts = [e.text.strip() for e in facts.all("dd")]
    assert (op.domain_says or "all numbers") in texts
    names = [e.text for e in facts.all("code")]
    assert [it for it in PEERS[name] if it] == names
    if op.kink_says:
        assert any(text.casefold() == f"{op.kink_says}.".casefold() for text in texts)
    assert not [e for e in page.elements if "data-slot" in e.attributes]


@for_each("name", OPS)
def test_table_has_every_special_point(name: str) -> None:
    page = page_of(name)
    region = page.within(page.one("div", aria_label="Special points"))
    rows = [e for e in region.all("tr") if region.within(e).all("td")]
    assert len(rows) == len(points(OPS[name]))
    for row in rows:
        cells = [e.text for e in region.within(row).all("td")]
        assert len(cells) == 2 * (1 + len(OPS[name].params)) + 1
        assert ("differs" in cells) == row.has(class_="differs")


def test_difference_from_pytorch_is_marked_and_explained() -> None:
    page = page_of("relu")
    (row,) = [e for e in page.all("tr") if e.has(class_="differs")]
    cells = [e.text for e in page.within(row).all("td")]
    assert cells == ["nan", "nan", "0", "1", "differs"]
    assert "no comparison with nan holds" in page.one("p", class_="op-difference").text
    assert not page_of("tanh").all("p", class_="op-difference")


def test_zeros_have_their_sign() -> None:
    page = page_of("neg")
    region = page.within(page.one("div", aria_label="Special points"))
    cells = {
        region.within(e).one("th").text: region.within(e).all("td")[0].text
        for e in region.all("tr")
        if region.within(e).all("td")
    }
    assert cells["0"] == "−0"
    assert cells["−0"] == "0"


@for_each("name", OPS)
def test_example_runs_and_gives_the_number_of_the_page(name: str) -> None:
    page = page_of(name)
    link = page.one("a", id="example-link").attributes["href"]
    (program,) = parse_qs(urlsplit(link).query)["program"]
    assert program == page.one("pre", id="example").text
    found = trace(program)
    (node,) = (node for node in found.nodes if node.op == name)
    data = json.loads(page.one("pre", id="places").text)
    place = int(page.one("input", id="place").attributes["value"])
    assert node.data == data["ys"][place]


@for_each("name", ["tanh", "**", "log", "mod"])
def test_places_hold_the_numbers_of_the_table(name: str) -> None:
    op, page = OPS[name], page_of(name)
    data = json.loads(page.one("pre", id="places").text)
    assert len(data["xs"]) == len(data["ys"]) == len(data["slopes"])
    for x, y, slope in zip(data["xs"][::40], data["ys"][::40], data["slopes"][::40], strict=True):
        point = (x,) if len(op.params) == 1 else (x, 2.0)
        value = op.compute(*point)
        assert repr(float(y)) == repr(float(value))
        assert repr(float(slope)) == repr(float(op.derive[0](value, *point)))


def test_point_is_in_the_address() -> None:
    page = page_of("tanh", x="0.5")
    assert page.one("dd", id="at-x").text == "0.5"
    assert page.one("dd", id="at-y").text == f"{math.tanh(0.5):.4f}"
    assert page.one("dd", id="at-slope").text == f"{1 - math.tanh(0.5) ** 2:.4f}"


def test_second_input_is_plotted_with_the_first_one_held() -> None:
    page = page_of("**", over="b", held="3", x="2")
    assert page.one("dd", id="at-y").text == "9.0000"
    assert page.one("dd", id="at-slope").text == f"{9 * math.log(3):.4f}"
    (link,) = [e for e in page.all("a") if e.has(aria_current="true")]
    assert link.attributes["href"] == "/reference/power?over=b&held=3"


@for_each(
    "query",
    [
        {"x": "nan"}, {"x": "1e999"}, {"x": "<b>"}, {"x": "9" * 5000}, {"x": "-1e300"},
        {"over": "zz"}, {"held": "inf"}, {"held": "0.123"}, {"more": "1"},
    ],
)  # fmt: skip
def test_strange_queries_show_the_page(query: dict[str, str]) -> None:
    for name in ("tanh", "**"):
        assert len(page_of(name, **query).all("svg")) >= 1


def test_unknown_operation_is_not_found() -> None:
    for slug in ("nope", "+", "Tanh", "tanh/x", "%2A%2A"):
        assert client().get(f"/reference/{slug}").status_code == 404


def test_pages_follow_each_other_and_are_linked_from_the_reference() -> None:
    names = list(OPS)
    for i, name in enumerate(names):
        addresses = page_of(name).addresses()
        for near in names[max(i - 1, 0) : i] + names[i + 1 : i + 2]:
            assert f"/reference/{OPS[near].slug}" in addresses
    assert {f"/reference/{op.slug}" for op in OPS.values()} <= set(get("/reference").addresses())


def test_kink_is_named_where_the_point_is_on_it() -> None:
    assert "hidden" not in page_of("relu", x="0").one("p", id="at-kink").attributes
    assert "hidden" in page_of("relu", x="1").one("p", id="at-kink").attributes


def test_expansion_is_shown_where_there_is_one() -> None:
    (facts,) = page_of("tanh").all("section", aria_label="Facts")
    assert "opens into" in facts.text
    (facts,) = page_of("exp").all("section", aria_label="Facts")
    assert "opens into" not in facts.text
