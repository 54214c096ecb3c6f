"""Notebooks that a real kernel runs: what each cell gets, and what steps in exported HTML."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter
from playwright.sync_api import expect, sync_playwright

from scripts.find_chromium import find
from tests.support.places import ROOT

EXAMPLE = ROOT / "examples/notebook.ipynb"
SECONDS = 120


def executed(notebook: Any, allow_errors: bool = False) -> Any:
    """The notebook with its outputs."""
    os.environ["PYTHONPATH"] = str(ROOT)
    NotebookClient(notebook, timeout=SECONDS, allow_errors=allow_errors).execute()
    return notebook


def of(*cells: str) -> Any:
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(text) for text in cells]
    return made


@pytest.fixture(scope="module")
def example() -> Any:
    """The notebook of the examples, run."""
    return executed(nbformat.read(EXAMPLE, as_version=4))


def bundles(notebook: Any) -> list[dict[str, str]]:
    """The outputs that are graphs."""
    return [
        output.data
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "image/svg+xml" in output.get("data", {})
    ]


def words(notebook: Any) -> str:
    """What cells printed, and their errors."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "\n".join(
        str(output.get("text", "")) + "\n".join(output.get("traceback", ())) for output in outputs
    )


def numbers(bundle: dict[str, str]) -> dict[str, list[str]]:
    """The rows of the table, by name."""
    rows = [line.split() for line in bundle["text/plain"].splitlines()]
    return {row[0]: row[1:] for row in rows if len(row) == 3}


def test_each_graph_is_a_page_a_picture_and_a_table(example: Any) -> None:
    found = bundles(example)
    assert len(found) == 4
    for bundle in found:
        assert set(bundle) == {"text/html", "image/svg+xml", "text/plain"}
        assert "\n" not in bundle["text/html"]
        assert "Warning" not in words(example)
    first, own, training, recorded = map(numbers, found)
    assert (first["a"], first["b"]) == (["2.0", "6.0"], ["-3.0", "-4.0"])
    assert own["x"] == ["2.0", "2.0"]  # the mistake: by hand it is 2x + y = 9
    assert "assigns where it should add: x.grad ends at 2.0" in found[1]["text/plain"]
    assert training["w"] == ["1.0", "-18.0"]  # by hand: 2 (3w - 6) 3, before the update
    assert recorded["a"] == ["2.0", "6.0"]


def results(notebook: Any) -> str:
    """What the cells show as text."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "\n".join(output.get("data", {}).get("text/plain", "") for output in outputs)


def test_micrograd_by_hand() -> None:
    notebook = executed(nbformat.read(ROOT / "examples/micrograd_by_hand.ipynb", as_version=4))
    right, wrong = bundles(notebook)
    assert "1.0 -1.5 0.0 0.5\n" in words(notebook)  # the lecture's
    assert float(numbers(right)["w1"][1]) == pytest.approx(1.0)  # 2 (1 − tanh²)
    assert "assigns" in wrong["text/plain"]
    assert numbers(wrong)["a"] == ["3.0", "3.0"]  # by hand it is 6


def test_batch_norm_backward() -> None:
    notebook = executed(nbformat.read(ROOT / "examples/batch_norm.ipynb", as_version=4))
    (page,) = bundles(notebook)
    assert len(page["text/html"]) < 120_000
    assert words(notebook).count("True\n") == 2  # sums of 0, and makemore's formula
    assert "0 wrong." in results(notebook)
    assert "right        AccumulateGrad of gain" in results(notebook)


def test_a_transformer_block() -> None:
    notebook = executed(nbformat.read(ROOT / "examples/transformer_block.ipynb", as_version=4))
    (page,) = bundles(notebook)
    assert "block.attn: Attention" in page["image/svg+xml"]
    assert "True\n" in words(notebook)
    assert "Nodes, 0 wrong\n" in words(notebook)
    assert "Nothing is wrong with what was recorded." in results(notebook)
    assert "the softmax is taken twice" in results(notebook)


def test_the_line_of_a_mistake_is_that_of_its_cell(example: Any) -> None:
    (text,) = [cell.source for cell in example.cells if cell.source.startswith("class Scalar")]
    found = re.search(r"Line (\d+) assigns", bundles(example)[1]["text/plain"])
    assert found is not None
    assert text.split("\n")[int(found[1]) - 1].strip() == "self.grad = out.grad"


def test_the_magic_prints_what_the_cell_prints(example: Any) -> None:
    assert "0 9.0\n1 0.09\n2 0.0009\n" in words(example)


def test_a_cell_that_fails_shows_its_pass_and_fails() -> None:
    cell = "%%seegrad\na = seegrad.Value(3.0)\nb = a * a\nb.backward()\n1 / 0"
    notebook = of("import seegrad\n%load_ext seegrad", cell, "print(a.grad)")
    executed(notebook, allow_errors=True)
    (bundle,) = bundles(notebook)
    assert numbers(bundle)["a"] == ["3.0", "6.0"]
    assert "ZeroDivisionError" in words(notebook)
    assert "seegrad/notebook" not in words(notebook)
    assert "6.0" in words(notebook)  # the names of the cell are the user's
    with pytest.raises(CellExecutionError):
        executed(of("import seegrad\n%load_ext seegrad", cell))


def test_what_cannot_be_shown_is_a_sentence() -> None:
    notebook = of(
        "import seegrad\n%load_ext seegrad",
        "seegrad.show(3.5)",
        "%%seegrad\nimport asyncio\nawait asyncio.sleep(0)",
        "%%seegrad\nprint('hello')",
        "%%seegrad --loud\n1",
    )
    executed(notebook, allow_errors=True)
    said = [
        "\n".join(output.traceback)
        for cell in notebook.cells
        for output in cell.outputs
        if output.output_type == "error"
    ]
    assert len(said) == 4
    assert all(text.startswith("CannotShow: ") and "\n" not in text for text in said)
    for text, part in zip(
        said, ("plain float", "await", "No pass was seen", "--loud"), strict=True
    ):
        assert part in text


def test_exported_html_steps_without_a_network(example: Any, tmp_path: Path) -> None:
    text, _ = HTMLExporter().from_notebook_node(example)
    file = tmp_path / "notebook.html"
    file.write_text(text, encoding="utf-8")
    assert len(re.findall(r"srcdoc=", text)) == len(bundles(example))
    assert text.count('sandbox="allow-scripts"') == len(bundles(example))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(light=True))
        context = browser.new_context(offline=True)
        page = context.new_page()
        page.goto(file.as_uri(), wait_until="commit")
        inner = page.frame_locator("iframe").first
        expect(inner.locator("#where")).to_have_text("frame 8 of 8")
        inner.get_by_role("button", name="First frame").click()
        inner.get_by_role("button", name="Forward").click()
        expect(inner.locator("#where")).to_have_text("frame 2 of 8")
        expect(inner.locator("#explanation")).to_contain_text("−6.0000")
        browser.close()
