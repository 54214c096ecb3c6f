"""The picture alone, at an address of its own."""

from __future__ import annotations

from lxml import etree

from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client, get


@for_each("more", [{}, {"frame": "0"}, {"direction": "TB"}, {"a": "0"}], ids=str)
def test_picture_alone(more: dict[str, str]) -> None:
    answer = client().get("/graph.svg", params={"program": EXAMPLE, **more})
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == "image/svg+xml"
    root = etree.fromstring(answer.content)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_picture_without_a_program_is_that_of_the_first_page() -> None:
    bare = client().get("/graph.svg").text
    assert bare == client().get("/graph.svg", params={"program": EXAMPLE}).text


def test_picture_link_of_the_page_is_the_picture_shown() -> None:
    page = get("/", EXAMPLE, frame="3", a="4")
    href = page.one("a", id="svg-link").attributes["href"]
    assert (
        client().get(href).text
        == client().get("/graph.svg", params={"program": EXAMPLE, "frame": "3", "a": "4"}).text
    )


def test_picture_of_a_wrong_program_is_a_line_of_text() -> None:
    answer = client().get("/graph.svg", params={"program": "a = 2\nL = a * nope"})
    assert answer.status_code == 422
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith("2:9: ")
    assert answer.text.count("\n") == 1
