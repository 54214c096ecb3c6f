"""A rule broken on purpose: the bar, the section, the cards in the last frame, without scripts."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from app.explore.page_json import page_json
from app.picture.frame_state import state
from engine.numbers import full, with_minus
from engine.trace.build import trace
from engine.trace.mistakes import MISTAKES, MistakeSwitch, break_rule, with_mistake
from engine.trace.traced import Trace
from tests.support import node
from tests.support.each import for_each
from tests.support.own_class import CLASS, OVERWRITES
from tests.support.pages import Element, Html, client, get
from tests.support.places import ROOT
from tests.support.sabotaged import OWN_CLASS

DIAMOND = "a = Value(2.0)\nb = a * 3\nL = b + b * b\nL.backward()"  # dL/db = 13, dL/da = 39
LAST = 7


def broken(text: str, switch: str) -> Trace:
    found = trace(text)
    return with_mistake(found, break_rule(found, MistakeSwitch.read(switch)))


def bars(page: Html) -> list[Element]:
    """The bar above the page, if there is one."""
    return page.within(page.one("section", id="verdict")).all("div", class_="broken")


def words(page: Html) -> str:
    return page.elements[0].text


def test_the_bar_says_what_is_broken_and_leads_back() -> None:
    page = get("/", DIAMOND, mistake="depth_first")
    (bar,) = bars(page)
    assert "Broken on purpose: depth-first instead of topological order." in bar.text
    assert "a.grad is 3, not 39." in bar.text
    back = page.within(bar).one("a").attributes["href"]
    assert "mistake" not in parse_qs(urlsplit(back).query)
    assert not bars(get(back))


@pytest.mark.parametrize(("frame", "shown"), [(LAST, "3.0000"), (LAST - 1, "·")])
def test_the_wrong_number_stands_on_the_card_in_the_last_frame(frame: int, shown: str) -> None:
    page = get("/", DIAMOND, mistake="depth_first", frame=str(frame))
    (card,) = page.all("g", data_node="v1")
    assert page.within(card).one("text", class_="grad").text == shown
    assert ("wrong first-wrong" in card.attributes["class"]) == (frame == LAST)
    due = page.within(card).one("text", class_="due").text
    assert due == ("due 39.0000" if frame == LAST else "")


def test_the_picture_alone_shows_both_numbers() -> None:
    text = client().get("/graph.svg", params={"program": DIAMOND, "mistake": "depth_first"}).text
    assert ">3.0000<" in text
    assert ">due 39.0000<" in text
    assert ">!<" in text


def test_the_table_has_both_numbers_and_the_first_wrong_value() -> None:
    section = get("/lens/mistakes", DIAMOND, mistake="every_path")
    (row,) = section.all("tr", class_="bad")
    assert row.attributes["data-node"] == "v1"
    assert [cell.text for cell in section.within(row).all("td")] == ["39.0000", "! 42.0000", "+3"]
    assert "first wrong" in row.text
    assert "3 other gradients are right all the same." in words(section)


@for_each("name", [name for name in MISTAKES if name != "partial"])
def test_every_switch_is_a_link_that_turns_on_and_off(name: str) -> None:
    link = get("/lens/mistakes", DIAMOND).one("a", data_mistake=name)
    on = get(link.attributes["href"] + "&lens=mistakes").one("a", data_mistake=name)
    assert on.attributes["aria-current"] == "true"
    assert f"mistake={name}" not in on.attributes["href"]


def test_every_partial_of_the_graph_can_be_broken_without_scripts() -> None:
    section = get("/lens/mistakes", DIAMOND)
    links = [a.attributes["href"] for a in section.all("a") if "data-mistake" not in a.attributes]
    assert len(links) == 4  # two each of + and *
    for href in links:
        assert "Broken on purpose: a wrong partial of your choice." in words(get(href))


def test_a_mistake_without_effect_says_so_and_offers_an_example() -> None:
    section = get("/lens/mistakes", "a = 2.0\nb = 3.0\nL = a * b", mistake="assign")
    assert "It makes no difference here. No Value is used twice" in words(section)
    (link,) = [a for a in section.all("a") if "An example" in a.text]
    assert get(link.attributes["href"]).one("tr", class_="bad").text


@pytest.mark.parametrize(
    ("switch", "says"),
    [
        ("partial:*:0:b.real", "“b.real” is not part of the language of partials."),
        ("partial:*:0:<b>", "“<b>” is not an expression."),
        ("upside-down", "There is no mistake “upside-down”"),
    ],
)
def test_a_switch_that_cannot_be_read_changes_nothing_and_is_explained(
    switch: str, says: str
) -> None:
    page = get("/", DIAMOND, mistake=switch, lens="mistakes")
    (bar,) = bars(page)
    assert "No rule is broken." in bar.text
    assert says in bar.text
    assert not page.all("tr", class_="bad")
    assert "wrong" not in page.one("g", data_node="v1").attributes["class"]


def test_a_number_is_still_the_leaf_of_that_name() -> None:
    page = get("/", "mistake = 2.0\nL = mistake * 3", mistake="5")
    assert not bars(page)
    assert "15.0000" in page.one("g", data_node="v3").text


def test_dragging_a_leaf_renews_the_wrong_numbers_and_the_bar() -> None:
    fields = {"program": DIAMOND, "mistake": "depth_first", "a": "3"}
    text = client().post("/numbers", data=fields).text
    assert "a.grad is 3, not 57." in text  # b = 9, dL/db = 1 + 18, dL/da = 57
    assert '"broken":{"grads":{"v1":3.0},"first":"v1"}' in text


def test_the_scripts_show_the_same_numbers_in_every_frame() -> None:
    cases = [broken(DIAMOND, name) for name in MISTAKES if name != "partial"]
    cases.append(broken("a = Value(0.0)\nL = a * a", "partial:*:0:1 / a"))
    reused = "\na = Value(3.0)\nb = a * 2.0\ny = b + a\ny.backward()\n"
    cases += [trace(OVERWRITES + reused), trace(CLASS + reused)]
    text = "\n".join(map(page_json, cases))
    script = ROOT / "tests/app/explore/frames.mjs"
    lines = node.run(script, ROOT / "static/js/explore/trace.js", text=text).splitlines()
    for found, line in zip(cases, lines, strict=True):
        for at, cards in enumerate(json.loads(line)):
            now = state(found, at)
            shown = {name: x for name, (_, x, *_) in cards.items() if x is not None}
            assert {name: float(x) for name, x in shown.items()} == pytest.approx(
                now.grads, nan_ok=True
            )
            due = {name: with_minus(full(x)) for name, x in now.due.items()}
            assert {name: texts[-1] for name, (*texts,) in cards.items() if texts[-1]} == due


def test_a_closed_box_shows_that_a_value_inside_is_wrong() -> None:
    network = "random.seed(1)\nx = Value(0.5)\nn = MLP(1, [3, 1])\ny = n([x]) + x\ny.backward()"
    page = get("/", network, mistake="no_zero", grouped="1", open="")
    boxes = page.all("g", class_="group")
    assert boxes
    assert all("holds-wrong" in box.attributes["class"] for box in boxes)
    page = get("/", network, mistake="no_zero", grouped="1", open="", frame="1")
    assert not page.all("g", class_="holds-wrong")


def test_cells_of_an_array_show_wrong_numbers_as_wrong() -> None:
    text = "import numpy as np\nx = np.array([Value(1.0), Value(2.0)])\nL = (x * x).sum()\n"
    text += "L.backward()"
    page = get("/", text, mistake="assign")
    first = page.one("g", data_node="v1")
    assert {"cell", "wrong"} <= set(first.attributes["class"].split())
    assert "gradient 1, which should be 2" in first.attributes["aria-label"]


def test_a_pasted_class_can_be_broken_too() -> None:
    page = get("/", OWN_CLASS, mistake="no_zero")
    assert "Broken on purpose" in bars(page)[0].text
    assert "wrong" in page.one("g", data_node="v1").attributes["class"]
    mistaken = OWN_CLASS.replace("1 - t**2", "1 + t**2")
    assert "No rule is broken." in bars(get("/", mistaken, mistake="no_zero"))[0].text
