"""The page of the JSON interface says all that its description says, and its examples are true."""

from __future__ import annotations

import json
import shlex
from functools import cache
from http import HTTPStatus
from typing import Any

import pytest

from app.api.docs import EXAMPLES, SERVER, keys, pretty, words
from tests.support.each import for_each
from tests.support.pages import Element, Html, client, get

OPERATIONS = list(EXAMPLES)


@cache
def described() -> dict[str, Any]:
    """The paths of the OpenAPI description."""
    paths: dict[str, Any] = client().get("/openapi.json").json()["paths"]
    return paths


def rows(page: Html, caption: str) -> list[list[Element]]:
    """The cells of each row of the table called so, its head among them."""
    table = page.within(page.one("div", aria_label=caption))
    return [
        [cell for cell in table.within(row).elements if cell.tag in ("th", "td")]
        for row in table.all("tr")[1:]
    ]


def test_every_address_is_there_and_has_an_example() -> None:
    all_of_it = {(method, path) for path, methods in described().items() for method in methods}
    assert all_of_it == set(OPERATIONS)
    headings = [" ".join(heading.text.split()) for heading in get("/docs").all("h2")]
    assert sorted(headings) == sorted(f"{method.upper()} {path}" for method, path in OPERATIONS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_field_is_there_with_its_default(method: str, path: str) -> None:
    operation = described()[path][method]
    if method == "get":
        fields = {it["name"]: it["schema"] for it in operation["parameters"]}
    else:
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        fields = body["properties"]
    found = rows(get("/docs"), f"{method.upper()} {path} parameters")
    assert [row[0].text for row in found] == list(fields)
    for (_, holds, default, says), schema in zip(found, fields.values(), strict=True):
        assert holds.text == words(schema)
        assert says.text
        if "default" in schema:
            assert json.loads(default.text) == schema["default"]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_there(method: str, path: str) -> None:
    answers = described()[path][method]["responses"]
    found = rows(get("/docs"), f"{method.upper()} {path} responses")
    assert [row[0].text for row in found] == [
        f"{status} {HTTPStatus(int(status)).phrase}" for status in sorted(answers)
    ]
    for row in found:
        answer = answers[row[0].text[:3]]
        assert row[1].text.startswith(answer["description"])
        assert row[2].text in answer["content"]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_example_is_answered_as_it_says(method: str, path: str) -> None:
    page = get("/docs")
    figures = page.all("figure", data_of=f"{method} {path}")
    assert len(figures) == len(EXAMPLES[method, path]) > 0
    for figure in figures:
        asked, answered = (pre.text for pre in page.within(figure).all("pre"))
        status, _, body = answered.partition("\n")
        answer = ask(method, asked)
        assert status == f"{answer.status_code} {HTTPStatus(answer.status_code).phrase}"
        assert json.loads(body) == answer.json()


def ask(method: str, curl: str) -> Any:
    """Send what a command line of curl sends."""
    command, *words = shlex.split(curl.replace("\\\n", ""))
    assert command == "curl"
    options: dict[str, list[str]] = {}
    (address,) = (word for word in words if word.startswith(SERVER))
    pairs = iter(word for word in words if word not in (address, "--get"))
    for name in pairs:
        options.setdefault(name, []).append(next(pairs))
    path = address.removeprefix(SERVER)
    if method == "get":
        query = dict(pair.split("=", 1) for pair in options["--data-urlencode"])
        return client().get(path, params=query)
    (header,) = options["--header"]
    name, _, kind = header.partition(": ")
    (data,) = options["--data"]
    return client().post(path, content=data.encode(), headers={name: kind})


def test_pages_lead_there() -> None:
    assert "/docs" in get("/reference").addresses()
    assert "/openapi.json" in get("/docs").addresses()


@for_each(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 2000}, "whole number, 1 to 2,000"),
        ({"type": "number", "minimum": 0, "exclusiveMaximum": 1}, "number, at least 0, below 1"),
        ({"enum": ["sgd", "adam"]}, '"sgd" or "adam"'),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        (
            {"type": "array", "minItems": 2, "items": {"type": "integer", "minimum": 1}},
            "list of whole numbers, at least 1 (at least 2)",
        ),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of numbers"),
        ({"type": "object", "additionalProperties": False}, "object"),
        ({"type": "boolean"}, "true or false"),
    ],
)
def test_schema_in_words(schema: dict[str, Any], said: str) -> None:
    assert words(schema) == said


def test_keys_inside_keys_are_named() -> None:
    inner = {"type": "object", "properties": {"id": {"type": "string"}}}
    schema = {"properties": {"nodes": {"type": "array", "items": inner}}}
    assert list(keys(schema)) == [("nodes", "list of objects"), ("nodes[].id", "string")]


def test_long_json_is_broken_into_lines_and_stays_the_same() -> None:
    value = {"short": [1, 2], "long": [{"text": "x" * 40, "n": i} for i in range(3)], "none": {}}
    lines = pretty(value).splitlines()
    assert json.loads("\n".join(lines)) == value
    assert '  "short": [1, 2],' in lines
    assert max(map(len, lines)) <= 80
