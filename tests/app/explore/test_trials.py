"""Test my class, as the page shows it."""

from __future__ import annotations

from html import unescape

from tests.support.own_class import CLASS
from tests.support.pages import EXAMPLE, client, get

USE = "\na = Value(2.0)\nb = Value(3.0)\nL = a + b\nL.backward()\n"


def section(program: str) -> str:
    answer = client().post("/lens/trials", data={"program": program})
    assert answer.status_code == 200
    return answer.text


def test_a_right_class_and_what_it_does_not_take() -> None:
    text = section(CLASS + USE)
    assert "Value is right on 500 programs." in text
    assert "Not tested, as Value does not take it: a number + an object" in text


def test_a_wrong_class_has_a_program_that_opens_as_a_picture() -> None:
    wrong = CLASS.replace("self.grad += out.grad", "self.grad = out.grad", 1)
    assert wrong != CLASS
    text = section(wrong + USE)
    assert "assigns instead of adding" in text
    line = wrong.splitlines().index("            self.grad = out.grad") + 1
    assert f"Line {line}: " in text
    page = get("/lens/trials", wrong + USE)
    shown = get(page.one("a").attributes["href"])
    said = shown.all("div", class_="verdict")[0].text
    assert f"Line {line} assigns where it should add" in said


def test_the_verdict_on_an_own_class_leads_to_its_test() -> None:
    (link, *_) = get("/explore", CLASS + USE).all("a", data_opens="trials")
    assert (
        "is right on 500 programs"
        in get(link.attributes["href"]).one("details", id="lens-trials").text
    )
    assert not get("/explore", EXAMPLE).all("a", data_opens="trials")


def test_a_class_pasted_alone_can_be_tested() -> None:
    page = get("/explore", CLASS)
    assert not page.all(id="picture")
    (link,) = page.all("a", data_opens="trials")
    opened = get(link.attributes["href"]).one("details", id="lens-trials")
    assert "Value is right on 500 programs." in opened.text
    assert "Value is right on 500 programs." in section(CLASS)
    assert not get("/explore", "x = [1]").all("a", data_opens="trials")


def test_a_program_without_a_class_is_told_so() -> None:
    assert "The program defines no class." in section(EXAMPLE)


def test_names_are_shown_as_they_are_written() -> None:
    text = section((CLASS + USE).replace("Value", "Välue"))
    assert "Välue is right on" in unescape(text)
