"""The exports of Explore: files below /export."""

from __future__ import annotations

import json
import re

import pytest
from lxml import etree

from app.explore.exports import EXPORTS
from engine.graph_export.exports import GRAPH_EXPORTS
from tests.support.each import for_each
from tests.support.graph_exports import printed
from tests.support.pages import EXAMPLE, client, get, read

EACH = pytest.mark.parametrize("kind", EXPORTS)
VIEW = {"program": EXAMPLE, "frame": "3", "a": "5"}
HOSTILE = 'a = Value(2.0, label="</script><img src=x onerror=alert(1)>\\n\\"\\"\\"")\nL = a * a'


@EACH
def test_a_file_with_a_name_that_only_its_user_keeps(kind: str) -> None:
    answer = client().get(f"/export/{kind}", params=VIEW)
    entry = EXPORTS[kind]
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == entry.media_type
    assert answer.headers["content-disposition"] == f'attachment; filename="{entry.file_name}"'
    assert re.fullmatch(r"[a-z_]+\.[a-z]+", entry.file_name)
    assert answer.headers["cache-control"] == "no-cache"
    assert "sandbox" in answer.headers["content-security-policy"]


@EACH
def test_a_form_gives_the_same_file(kind: str) -> None:
    one = client().get(f"/export/{kind}", params=VIEW)
    assert client().post(f"/export/{kind}", data=VIEW).content == one.content


@EACH
def test_a_refused_program_is_a_line_with_its_place(kind: str) -> None:
    answer = client().get(f"/export/{kind}", params={"program": "a = 2\nL = a * nope"})
    assert answer.status_code == 422
    assert answer.text.startswith("2:")
    assert "nope" in answer.text
    assert answer.text.count("\n") == 1


@EACH
@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({}, "Give a program"),
        ({"program": EXAMPLE, "zz": "3"}, "no leaf called 'zz'"),
        ({"program": EXAMPLE, "a": "much"}, "give a number"),
    ],
    ids=["no program", "unknown leaf", "no number"],
)
def test_a_request_that_cannot_be_answered(kind: str, query: dict[str, str], says: str) -> None:
    answer = client().get(f"/export/{kind}", params=query)
    assert answer.status_code == 422
    assert says in answer.text


@for_each("kind", [*GRAPH_EXPORTS, "html"])
def test_a_program_without_a_graph(kind: str) -> None:
    answer = client().get(f"/export/{kind}", params={"program": "print(1)"})
    assert answer.status_code == 422
    assert "The program " in answer.text


@pytest.mark.parametrize("path", ["/export/python", "/export/html", "/graph.svg"])
def test_a_graph_that_is_too_large_is_not_said_to_be_none(path: str) -> None:
    program = "x = Value(1.0)\nfor i in range(5001):\n    x = x + Value(1.0)"  # 10,003 Values
    assert "more than 10,000 Values" in client().get(path, params={"program": program}).text


def test_unknown_kind() -> None:
    assert client().get("/export/fortran", params=VIEW).status_code == 404


def test_changed_leaves_are_in_the_file() -> None:
    answer = client().get("/export/python", params=VIEW)
    (seen,) = printed([answer.text])
    assert seen == [("L", 10.0), ("a", 6.0), ("b", -10.0), ("c", -2.0), ("f", -5.0)]


def test_the_chosen_scene_is_exported() -> None:
    program = "a = 2.0\nb = a * 3\nb.backward()\nc = a * 5\nc.backward()"
    text = "from micrograd.engine import Value\n" + program.replace("2.0", "Value(2.0)")
    first = client().get("/export/json", params={"program": text, "scene": "1"}).json()
    last = client().get("/export/json", params={"program": text}).json()
    assert (first["scene"], last["scene"]) == (1, 2)
    (seen,) = printed([client().get("/export/python", params={"program": text, "scene": "1"}).text])
    assert seen[0] == ("b", 6.0)


def test_json_is_that_of_the_interface() -> None:
    query = {"program": EXAMPLE, "a": "5"}
    one = client().get("/export/json", params=query).json()
    assert one == client().get("/api/trace", params=query).json()


def test_svg_is_the_picture() -> None:
    assert (
        client().get("/export/svg", params=VIEW).text
        == client().get("/graph.svg", params=VIEW).text
    )


@EACH
def test_text_of_the_program_cannot_leave_its_place(kind: str) -> None:
    answer = client().get(f"/export/{kind}", params={"program": HOSTILE})
    assert answer.status_code == 200
    if kind == "html":
        page = read(answer.text)
        assert len(page.all("script")) == 1
        assert not page.all("img")
        assert json.loads(page.one("pre", id="trace").text)["output"]
    if kind == "svg":
        assert not etree.fromstring(answer.content).findall(".//{*}img")
    if kind == "latex":
        assert "</script>" not in answer.text
    if kind == "python":
        (seen,) = printed([answer.text])
        assert [number for _, number in seen] == [4.0, 4.0]


def test_the_offline_page_needs_no_other_file() -> None:
    text = client().get("/export/html", params=VIEW).text
    page = read(text)
    assert not [x for x in page.all() if {"href", "src"} & {*x.attributes}]
    assert not [x for tag in ("link", "iframe", "img", "object") for x in page.all(tag)]
    (policy,) = [x.attributes["content"] for x in page.all("meta") if "http-equiv" in x.attributes]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"\bimport\b[^\n]*\bfrom\b|^export ", text, re.MULTILINE)
    assert "@import" not in text
    assert "url(" not in text
    assert ".pill" in text
    assert len(text) < 200_000


def test_the_page_offers_every_export() -> None:
    page = get("/", EXAMPLE, frame="3", a="4")
    links = [link for link in page.all("a") if "data-export" in link.attributes]
    found = {link.attributes["data-export"]: link for link in links}
    assert [*found] == [*EXPORTS]
    for kind, link in found.items():
        href = link.attributes["href"]
        if kind != "svg":
            assert href.startswith(f"/export/{kind}?")
        assert "&at=4" in href
        assert "a=4" in href
        assert client().get(href).status_code == 200
        assert link.attributes["download"] == EXPORTS[kind].file_name
        assert EXPORTS[kind].label in link.text
