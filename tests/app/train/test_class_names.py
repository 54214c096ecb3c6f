"""Names of classes: words in the last column of rows, kept in specs, links, pages and programs."""

from __future__ import annotations

import ast
from urllib.parse import parse_qsl, urlencode

import pytest

from app.train.form import texts
from engine.export.exports import EXPORTS, export
from engine.training.spec import SpecError, TrainSpec
from tests.support.each import for_each
from tests.support.learning import found
from tests.support.pages import client, read
from tests.support.specs import refused

TABLE = "height;weight;animal\n1,5;3;cat\n-1,0;2;dog\n0,5;4;cat\n-0,3;3;red, cow\n"
NAMES = ("cat", "dog", "red, cow")
SPEC = TrainSpec.from_query({"data": "rows", "rows": TABLE, "steps": "3"})


def test_words_are_the_names_of_classes_and_stay_in_links_and_json() -> None:
    assert SPEC.class_names == NAMES
    assert [row[-1] for row in SPEC.rows] == [0, 1, 0, 2]
    assert SPEC.layers[-1] == 3
    back = TrainSpec.from_query(parse_qsl(urlencode(SPEC.to_query()), keep_blank_values=True))
    assert back == SPEC == TrainSpec.from_json(SPEC.to_json())
    assert "class_names" not in TrainSpec().to_json()


def test_the_form_has_the_words() -> None:
    text = texts(SPEC)["rows"]
    assert [line.split("\t")[-1] for line in text.splitlines()] == ["cat", "dog", "cat", "red, cow"]
    again = TrainSpec.from_query({**dict(SPEC.to_query()), "rows": text})
    assert again == SPEC


def test_the_page_names_classes_in_its_legend_and_table() -> None:
    page = read(client().get("/train", params=dict(SPEC.to_query())).text)
    assert [item.text for item in page.within(page.one("ul", id="class-key")).all("li")] == [*NAMES]
    rows = page.within(page.one("tbody", id="predictions-body")).all("tr")
    cells = [[cell.text for cell in page.within(row).all("td")] for row in rows]
    assert [target for _, target, *_ in cells] == ["cat", "dog", "cat", "red, cow"]
    for _, target, output, right in cells:
        assert output.split(": ")[1] in NAMES
        assert (output.split(": ")[1] == target) == (right == "✓")
    assert found("/setup", SPEC)["class_names"] == [*NAMES]


@pytest.mark.parametrize("name", EXPORTS)
def test_programs_name_classes(name: str) -> None:
    text = export(SPEC, name)
    ast.parse(text)
    assert all(word in text for word in NAMES)
    opened = client().get("/train/open", params={**dict(SPEC.to_query()), "as": "program"}).text
    assert "# class 0: cat, class 1: dog, class 2: red, cow" in opened


@for_each(
    "names",
    [["cat"], ["cat", "cat"], ["cat", ""], ["a\nb", "dog"], ["cat", 3], "cat,dog", ["x" * 61, "y"]],
)
def test_names_that_do_not_name_each_class_are_refused(names: object) -> None:
    rows = [[0, 1, -1], [1, 0, 1]]
    assert refused({"data": "rows", "rows": rows, "class_names": names}).field == "class_names"


def test_words_are_never_numbers_to_predict() -> None:
    with pytest.raises(SpecError, match=r"3 classes: end with 3\."):
        TrainSpec.from_query({"data": "rows", "rows": TABLE, "layers": "2-4-1", "loss": "mse"})
