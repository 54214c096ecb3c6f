"""The offer to keep the code of a text that is refused: on the page, without scripts, in JSON."""

from __future__ import annotations

import pytest

from tests.support.explore_pages import program_of
from tests.support.pages import client, read

TEXT = (
    "This is an article – it goes on & on, <b>so</b>.\n\n"
    "for i in range(2):\nprint(i < 1)\n\nAnd here it ends, as every article does."
)
PROGRAM = "for i in range(2):\n    print(i < 1)\n"


@pytest.mark.parametrize("path", ["/explore", "/graph"])
def test_the_offer_says_what_it_changes_and_shows_it(path: str) -> None:
    answer = client().get(path, params={"program": TEXT})
    assert answer.status_code == 422
    page = read(answer.text)
    button = page.all("button", class_="keep-code")[0]
    assert button.attributes["data-keep-code"] == PROGRAM
    assert button.text == "Keep the code"
    said = [line.text for line in page.within(page.all("ul", class_="effects")[0]).all("li")]
    assert said == [
        "Keeps 1 piece of code, 2 lines; leaves out 2 lines of text",
        "Restores the indentation of 1 line; check it",
    ]
    preview = page.all("pre", class_="preview")[0]
    (left_out, _) = page.within(preview).all("del")
    assert left_out.text == "1–2This is an article – it goes on & on, <b>so</b>."
    assert [row.text for row in page.within(preview).all("ins")] == ["4    print(i < 1)"]
    assert all(bold.text != "so" for bold in page.all("b"))


def test_without_scripts_a_button_of_the_form_keeps_the_code() -> None:
    page = read(client().get("/explore", params={"program": TEXT}).text)
    button = page.all("button", class_="keep-code")[0]
    assert button.has(form="program-form", formaction="/keep-code", formmethod="post")
    answer = client().post("/keep-code", data={"program": TEXT, "a": "2.5", "frame": "7"})
    assert answer.status_code == 200
    assert program_of(read(answer.text)) == PROGRAM
    assert str(answer.url).endswith("a=2.5")


def test_a_program_is_not_changed_by_the_button() -> None:
    for program in ("a = 2.0; L = a*3", "a = 2\nL = a *"):
        answer = client().post("/keep-code", data={"program": program}, follow_redirects=False)
        assert answer.status_code == 303
        found = read(client().get(answer.headers["location"]).text)
        assert program_of(found) == program
        assert not found.all("button", class_="keep-code")


@pytest.mark.parametrize("program", ["a = 2\nL = a *", "L = nope", "a = 2.0; L = a*3"])
def test_there_is_no_offer_without_code_to_keep(program: str) -> None:
    assert "keep-code" not in client().get("/graph", params={"program": program}).text


def test_json_has_the_code_and_the_changes() -> None:
    answer = client().post("/api/trace", json={"program": TEXT})
    assert answer.status_code == 422
    assert answer.json()["recovered"] == {
        "program": PROGRAM,
        "changes": [
            "Keeps 1 piece of code, 2 lines; leaves out 2 lines of text",
            "Restores the indentation of 1 line; check it",
        ],
    }
    assert "recovered" not in client().post("/api/trace", json={"program": "L = nope"}).json()
