"""Python's parser from many threads at a time."""

from __future__ import annotations

import ast
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine import parser_lock
from engine.program import Program, ProgramError

ENGINE = Path(parser_lock.__file__).parent


def test_only_one_module_parses() -> None:
    """What is parsed beside it would not wait its turn."""
    for folder in (ENGINE, ENGINE.parent / "app"):
        for path in folder.rglob("*.py"):
            if path.name != "parser_lock.py":
                assert not re.search(r"\bast\.parse\(", path.read_text("utf-8")), path


def test_many_threads_read_what_one_does() -> None:
    """Deep and flat texts side by side: each is told of its own depth alone."""
    deep = "x = 1.0\ny = " + "(" * 60 + "x" + " + 1)" * 60
    flat = "x = 1.0\n" + "x = x * 2\n" * 300
    refused = "y = " + "-" * 3_000 + "1"

    def read(text: str) -> str:
        try:
            return ast.dump(Program(text).source.tree)
        except ProgramError as error:
            return str(error)

    right = {text: read(text) for text in (deep, flat, refused)}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, [deep, flat, refused] * 60))
    assert found == [right[text] for text in (deep, flat, refused)] * 60


def test_trees_are_those_of_python() -> None:
    assert ast.dump(parser_lock.module("a = 1")) == ast.dump(ast.parse("a = 1"))
    assert ast.dump(parser_lock.expression("a + 1")) == ast.dump(
        ast.parse("a + 1", mode="eval").body
    )
    with pytest.raises(SyntaxError):
        parser_lock.expression("a = 1")
