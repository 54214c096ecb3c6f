"""The sections beside the picture: closed at first, filled when the address names them."""

from __future__ import annotations

from app.explore.lenses import LENSES
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client, get


@for_each("name", LENSES)
def test_section_is_closed_at_first_and_has_no_contents(name: str) -> None:
    page = get("/", EXAMPLE)
    (section,) = page.all("details", data_lens=name)
    assert "open" not in section.attributes
    link = page.within(section).one("a")
    opened = get(link.attributes["href"])
    (section,) = opened.all("details", data_lens=name)
    assert "open" in section.attributes
    assert not opened.within(section).all("a", href=link.attributes["href"])


@for_each("name", LENSES)
def test_fragment_is_what_the_page_shows(name: str) -> None:
    (section,) = get("/", EXAMPLE, lens=name, a="3").all("details", data_lens=name)
    fragment = client().post(f"/lens/{name}", data={"program": EXAMPLE, "a": "3"})
    assert fragment.status_code == 200
    assert "<html" not in fragment.text
    words = " ".join("".join(get(f"/lens/{name}", EXAMPLE, a="3").elements[0].parts).split())
    assert words in " ".join(section.text.split())


@for_each("name", LENSES)
def test_program_that_is_refused_or_draws_nothing(name: str) -> None:
    refused = client().get(f"/lens/{name}", params={"program": "a = <b>"})
    assert refused.status_code == 422
    assert "<b>" not in refused.text
    alone = client().get(f"/lens/{name}", params={"program": "print(1)"}).text
    assert "defines no class" in alone if LENSES[name].of_text else alone == ""


def test_gradients_of_the_check_are_not_on_the_page_before_it_is_opened() -> None:
    """It would answer the question what the gradient is."""
    assert not get("/", EXAMPLE).all("td", class_="verdict")
    rows = get("/", EXAMPLE, lens="check").all("td", class_="verdict")
    assert len(rows) == 6  # all Values but the output


def test_unknown_sections_are_ignored() -> None:
    assert get("/", EXAMPLE, lens="x,,check,<b>").one("details", id="lens-check").has(open="")
