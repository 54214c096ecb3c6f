"""The page *From Python*: its lines are Python's, and run where they can."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from starlette.testclient import TestClient

import seegrad
from app.from_python import LINES
from app.main import create_app

MAGIC = "%"


@pytest.fixture(scope="module")
def text() -> str:
    with TestClient(create_app()) as client:
        return client.get("/from-python").text


def test_every_line_is_on_the_page_with_a_button(text: str) -> None:
    assert text.count("data-copy") == len(LINES)
    assert 'href="/from-python" aria-current="page"' in text
    for it in LINES:
        assert it.title in text


def test_lines_are_python() -> None:
    for it in LINES:
        if it.is_shell:
            continue
        plain = "\n".join(line for line in it.code.split("\n") if not line.startswith(MAGIC))
        names = {
            node.attr
            for node in ast.walk(ast.parse(plain))
            if isinstance(node, ast.Attribute) and _is_ours(node)
        }
        assert names <= set(seegrad.__all__), it.id


def _is_ours(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="seegrad")):
            return True
    return False


def test_the_lines_of_the_value_run() -> None:
    (value,) = [it for it in LINES if it.id == "value"]
    names: dict[str, Any] = {}
    exec(value.code, names)  # noqa: S102  the project's own lines
    assert names["a"].grad == 6.0
