"""The pages for an iframe and for print: their contents, refusals and limits."""

from __future__ import annotations

import re

import pytest

from app.explore.frame_list import FrameListError, chosen
from app.program_address import View
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client, read


@for_each(
    ("text", "frames"),
    [
        ("all", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("this", [6]),
        ("ends", [4, 8]),
        ("1,4-8", [1, 4, 5, 6, 7, 8]),
        (" 3 , 1 ", [1, 3]),
        ("5-3,4", [3, 4, 5]),
        ("8", [8]),
    ],
)
def test_frames_by_their_numbers(text: str, frames: list[int]) -> None:
    assert chosen(text, count=8, this=6, last_forward=4) == frames


def test_a_graph_without_a_backward_pass_has_one_end() -> None:
    assert chosen("ends", count=1, this=1, last_forward=1) == [1]


@for_each(
    ("text", "message"),
    [
        ("9", "There is no frame 9: the frames are 1 to 8."),
        ("0", "There is no frame 0: the frames are 1 to 8."),
        ("3-12", "There is no frame 12: the frames are 1 to 8."),
        ("1,,2", "“” is no frame"),
        ("-3", "“-3” is no frame"),
        ("1-2-3", "“1-2-3” is no frame"),
        ("<b>", "“<b>” is no frame"),
        ("٣", "“٣” is no frame"),
        ("1," * 1_100, "more than 2,000 letters"),
    ],
)
def test_list_that_names_no_frame(text: str, message: str) -> None:
    with pytest.raises(FrameListError, match=re.escape(message)):
        chosen(text, count=8, this=6, last_forward=4)


def test_print_draws_each_frame_with_its_numbers() -> None:
    answer = client().get("/print", params={"program": EXAMPLE, "frames": "5,8", "a": "3"})
    assert answer.status_code == 200
    page = read(answer.text)
    sheets = page.all("section", class_="sheet")
    assert [sheet.attributes["aria-label"] for sheet in sheets] == ["Frame 5 of 8", "Frame 8 of 8"]
    first, last = (sheet.text for sheet in sheets)
    assert "frame 8 of 8" in last
    # ∂L/∂b = a·f and a = 3: −6, which only the last frame knows
    assert "−6.0000" in last
    assert "−6.0000" not in first


def test_print_keeps_leaves_and_frame_in_its_form() -> None:
    answer = client().get("/print", params={"program": EXAMPLE, "frame": "2", "a": "3"})
    fields = {
        element.attributes["name"]: element.attributes["value"]
        for element in read(answer.text).all("input", type="hidden")
    }
    assert fields == {"program": EXAMPLE, "a": "3.0", "at": "3"}


def test_leaf_called_as_the_list_of_frames() -> None:
    program = "frames = 2.0\nL = frames * 3"
    query = View(program=program, leaves={"frames": 5.0}).query()
    answer = client().get(f"/print?{query}&frames=2")
    assert answer.status_code == 200
    assert "15.0000" in answer.text


def test_print_is_limited_in_pages() -> None:
    few = client(SEEGRAD_PRINT_PAGES="3")
    answer = few.get("/print", params={"program": EXAMPLE})
    assert answer.status_code == 422
    assert "8 frames were asked for; at most 3 are printed at once" in answer.text
    assert "sheet-picture" not in answer.text
    assert few.get("/print", params={"program": EXAMPLE, "frames": "1-3"}).status_code == 200


def test_print_is_limited_in_bytes() -> None:
    small = client(SEEGRAD_PAGE_BYTES="10000")
    answer = small.get("/print", params={"program": EXAMPLE, "frames": "all"})
    assert answer.status_code == 422
    assert "The pictures take more than 10,000 bytes" in answer.text


@for_each("path", ["/embed", "/print"])
@for_each(
    ("fields", "reason"),
    [
        ({"program": "L = nope"}, "nope"),
        ({"program": "print('hello')"}, "computed nothing"),
        ({"program": EXAMPLE, "z": "3"}, "z"),
        ({"program": EXAMPLE, "a": "three"}, "The leaf a needs a number."),
    ],
)
def test_reason_for_no_picture(path: str, fields: dict[str, str], reason: str) -> None:
    answer = client().get(path, params=fields)
    assert answer.status_code == 422
    assert reason in answer.text
    assert "<svg xmlns" not in answer.text


def test_embedded_page_at_its_frame() -> None:
    page = read(client().get("/embed", params={"program": EXAMPLE, "frame": "5", "a": "3"}).text)
    (picture,) = (svg for svg in page.all("svg") if svg.attributes.get("id") == "picture")
    assert picture.attributes["data-frame"] == "5"
    links = [link.attributes["href"] for link in page.all("a")]
    assert len(links) == 4
    assert all(link.startswith("/embed?program=") and "a=3.0" in link for link in links)


@pytest.mark.parametrize("path", ["/embed", "/print"])
def test_broken_rule_is_named(path: str) -> None:
    # b is used twice: assigning instead of adding loses one of its contributions
    fields = {"program": "b = 3.0\nL = b * b", "mistake": "assign"}
    assert "Broken on purpose" in client().get(path, params=fields).text


def test_without_a_program_the_first_example_is_shown() -> None:
    for path in ("/embed", "/print"):
        answer = client().get(path)
        assert answer.status_code == 200
        assert "a%2Ab" in answer.text or "a*b" in answer.text


def test_presentation_needs_a_picture() -> None:
    for program, turned_on in ((EXAMPLE, True), ("print('hello')", False), ("L = nope", False)):
        answer = client().get("/", params={"program": program, "present": "on"})
        assert ('class="explore presenting"' in answer.text) is turned_on
