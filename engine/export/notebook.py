"""A program as a notebook (nbformat 4.5): its docstring as text, a cell for each of its parts.

Comments ahead of the docstring are paragraphs of the text.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

from engine import parser_lock

_BETWEEN = re.compile(r"\n{2,}(?=\S)")


def notebook(program: str) -> str:
    """The notebook of a program; its cells, run in order, do what the program does."""
    found = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "cells": [{"id": f"part-{i}", **cell} for i, cell in enumerate(_cells(program), 1)],
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _cells(program: str) -> Iterator[dict[str, Any]]:
    first = parser_lock.module(program).body[0]
    words = ast.get_docstring(parser_lock.module(program))
    if words:
        lines = program.splitlines()
        ahead = [line.removeprefix("# ") for line in lines[: first.lineno - 1]]
        text = "\n\n".join([words, *ahead])
        yield {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}
        program = "\n".join(lines[first.end_lineno or 0 :])
    for part in _BETWEEN.split(program.strip()):
        yield {
            "cell_type": "code",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": _lines(part),
        }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
