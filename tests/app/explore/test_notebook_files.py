"""Notebooks as files: their code cells become the program, each with its own output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.trace.build import trace
from tests.support import node
from tests.support.each import for_each
from tests.support.places import ROOT

SCRIPT = Path(__file__).with_name("notebook.mjs")


def code(source: Any, **more: Any) -> dict[str, Any]:
    """A code cell."""
    return {"cell_type": "code", "source": source, "outputs": [{"text": "old"}], **more}


CELLS = [
    {"cell_type": "markdown", "source": ["# Title\n", "text"]},
    code(["a = 2\n", "a + 1"]),
    code("%matplotlib inline\r\nprint('a', end='')\r\na * 10\n\n"),
    code([]),
    code("  \n"),
    code(["'last'.upper()"]),
]
FORMAT_3 = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["1 + 1\n"]}]}]}


def read(text: str) -> dict[str, str]:
    """What the script makes of the text of a file."""
    ran = node.run(SCRIPT, ROOT / "static/js/explore/notebook.js", text=json.dumps(text))
    found: dict[str, str] = json.loads(ran)
    return found


def test_code_cells_become_the_program_and_each_shows_its_last_value() -> None:
    found = read(json.dumps({"nbformat": 4, "cells": CELLS}))
    assert found["refusal"] == ""
    assert found["program"].count("# %%\n") == 3
    assert "Title" not in found["program"]
    assert "\r" not in found["program"]
    assert trace(found["program"]).printed == ("3", "a", "20", "'LAST'")


def test_a_notebook_of_format_3() -> None:
    assert read(json.dumps(FORMAT_3))["program"] == "# %%\n1 + 1\n"


@for_each(
    ("text", "reason"),
    [
        ("a = 2.0", "it is not JSON"),
        ("", "it is not JSON"),
        ("[1, 2]", "it has no cells"),
        ("null", "it has no cells"),
        ('{"cells": {"a": 1}}', "it has no cells"),
        ('{"cells": []}', "no code cells"),
        ('{"cells": [null, 3, {"cell_type": "markdown", "source": "a"}]}', "no code cells"),
    ],
)
def test_a_file_that_is_no_notebook_is_refused_with_the_reason(text: str, reason: str) -> None:
    found = read(text)
    assert found["program"] == ""
    assert reason in found["refusal"]
