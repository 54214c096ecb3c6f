"""README and docs/ are true: their Python runs, their limits are the settings, their links hold."""

import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.reference import setting_rows
from app.settings import from_environment
from tests.support.places import ROOT

README = (ROOT / "README.md").read_text("utf-8")
DOCS = {
    path: path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
}


PYTHON = [
    code for text in DOCS.values() for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
]


@pytest.mark.parametrize("code", [block for block in PYTHON if "print" in block])
def test_the_python_prints_what_its_comments_say(code: str) -> None:
    said = re.findall(r"print\(.*\)  # (.*)", code)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said
    assert ran.stdout.splitlines() == said


def test_one_entry_adds_an_operation(tmp_path: Path) -> None:
    entry = next(block for block in PYTHON if "define" in block)
    engine = tmp_path / "engine"
    shutil.copytree(ROOT / "engine", engine, ignore=shutil.ignore_patterns("__pycache__"))
    ops = engine / "ops.py"
    table, end, rest = ops.read_text("utf-8").partition("\nACTIVATIONS")
    ops.write_text(f"{table}\n{entry}{end}{rest}", "utf-8")
    code = """
from engine import Value
from engine.trace.equations import partial
from engine.ops import OPS
from engine.kernel import Run
from engine.training.spec import TrainSpec
from engine.trace import trace
from engine.training.textbook import textbook
x = Value(0.7)
x.sinh().backward()
print(x.grad, trace("x = 0.7; y = sinh(x)").nodes[0].grad, "msup" in partial(OPS["sinh"], 0))
spec = TrainSpec(samples=5, layers=(2, 2, 1), activation="sinh", steps=1)
print(*Run(spec).snapshot().gradient)
print(*next(textbook(spec)).gradient)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    first, compiled, textbook = ran.stdout.splitlines()
    grad, traced, equation = first.split()
    assert [float(x) for x in compiled.split()] == pytest.approx(
        [float(x) for x in textbook.split()], rel=1e-12
    )
    assert float(grad) == float(traced) == pytest.approx(math.cosh(0.7), rel=1e-15)
    assert equation == "True"


def test_the_limits_are_those_of_the_settings() -> None:
    for name, default, help_ in setting_rows(from_environment({})):
        assert f"| `{name}` | {default} | {help_} |" in (ROOT / "docs/limits.md").read_text("utf-8")


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_file_it_names_exists(path: Path) -> None:
    for name in re.findall(r"\b(?:engine|app|docs|static|scripts)/[\w/]+\.\w+", DOCS[path]):
        assert (ROOT / name).is_file(), name
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", DOCS[path]):
        assert (path.parent / link).exists(), link


def test_the_readme_is_short_and_leads_to_every_document() -> None:
    assert len(README.splitlines()) <= 150
    for path in (ROOT / "docs").glob("*.md"):
        assert f"](docs/{path.name})" in README, path.name
