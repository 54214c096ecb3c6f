"""Every kind of statement and expression: a program prints the same as under Python."""

from __future__ import annotations

import ast
import builtins
import re

import pytest

from engine.language.compiler import EXPRESSIONS, STATEMENTS
from tests.support.places import DATA
from tests.support.programs import finished, printed

PROGRAMS = (DATA / "same-as-python.txt").read_text("utf-8")
NOT_HERE = {
    "breakpoint", "bytearray", "compile", "eval", "exec", "exit", "help", "input", "locals",
    "memoryview", "open", "quit", "__import__",
}  # fmt: skip
"""Functions that are refused."""


def sections(text: str) -> dict[str, str]:
    """Programs by their names, which stand between == and ==."""
    _, *parts = re.split(r"^== (.*) ==\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


SAME_AS_PYTHON = sections(PROGRAMS)


def by_python(text: str) -> list[str]:
    """What Python itself prints; the programs are those above."""
    lines: list[str] = []

    def collect(*args: object, sep: str = " ", end: str = "\n") -> None:
        lines.append(sep.join(map(str, args)) + end)

    exec(text, {"print": collect, "__name__": "__main__"})  # noqa: S102  # our own programs
    return "".join(lines).split("\n")[:-1]


@pytest.mark.parametrize("text", SAME_AS_PYTHON.values(), ids=SAME_AS_PYTHON)
def test_a_program_prints_what_python_prints(text: str) -> None:
    assert printed(text) == by_python(text)


def test_every_kind_of_syntax_that_runs_is_tested_here() -> None:
    tested = {type(node) for text in SAME_AS_PYTHON.values() for node in ast.walk(ast.parse(text))}
    assert {*STATEMENTS, *EXPRESSIONS} <= tested


def test_every_built_in_function_is_tested_here() -> None:
    text = " ".join(SAME_AS_PYTHON.values())
    held = finished("x = 1").builtins
    functions = [name for name, x in held.items() if not isinstance(x, type)]
    told = {name for name in functions if callable(getattr(builtins, name, None))}
    assert {name for name in told if f"{name}(" not in text} <= NOT_HERE
