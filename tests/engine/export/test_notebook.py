"""Exported programs as notebooks: nbformat's structure, and cells that do what the program does."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.export.exports import EXPORTS, export
from engine.export.notebook import notebook
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.export_runs import RUNS, close, losses
from tests.support.exported_programs import printed

SOME = ("dropout, batches", "changes between optimizers", "gelu inside", "three classes")


def cells(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text)["cells"]
    return found


@for_each("kind", EXPORTS)
@for_each("name", SOME)
def test_a_notebook_has_the_structure_of_nbformat(kind: str, name: str) -> None:
    program = export(RUNS[name], kind)
    found = json.loads(notebook(program))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    assert found["metadata"]["kernelspec"]["name"] == "python3"
    first, *code = found["cells"]
    assert set(first) == {"id", "cell_type", "metadata", "source"}
    assert first["cell_type"] == "markdown"
    assert "".join(first["source"]) == ast.get_docstring(ast.parse(program))
    for cell in code:
        assert set(cell) == {"id", "cell_type", "metadata", "execution_count", "outputs", "source"}
        assert cell["cell_type"] == "code"
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        ast.parse("".join(cell["source"]))
    names = [cell["id"] for cell in found["cells"]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names)
    assert 2 < len(code) < 40


@pytest.mark.parametrize("name", SOME)
def test_the_cells_for_micrograd_run_in_order_print_the_losses(name: str, place: Path) -> None:
    _, *code = cells(notebook(export(RUNS[name], "micrograd")))
    run = f"space = {{}}\nfor code in {[''.join(cell['source']) for cell in code]!r}:\n"
    assert close(printed(run + "    exec(code, space)\n", place), losses(RUNS[name]))


@for_each("kind", ["pytorch", "micrograd"])
@for_each("name", SOME)
def test_a_kernel_runs_a_notebook_from_its_first_to_its_last_cell(
    name: str, kind: str, oracle: Oracle
) -> None:
    lines = oracle("notebooks.printed", notebook(export(RUNS[name], kind)))
    assert close([float(line) for line in lines], losses(RUNS[name]))


def test_a_comment_ahead_of_the_program_is_told() -> None:
    program = export(RUNS["gelu inside"], "micrograd")
    (text, *code), plain = (
        cells(notebook(f"# Left out: this.\n{program}")),
        cells(notebook(program)),
    )
    assert "".join(text["source"]) == "".join(plain[0]["source"]) + "\n\nLeft out: this."
    assert code == plain[1:]
