"""README and docs/ are true: their Python runs, their limits are the settings, their links hold."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.reference import setting_rows
from app.settings import from_environment
from tests.support.each import for_each
from tests.support.places import ROOT

README = (ROOT / "README.md").read_text("utf-8")
DOCS = {
    path: path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
}


PLACE = r"(?<![\w/])(?:engine|app|docs|static|scripts|tests)/[\w/]+\.\w+"
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
from engine.training.textbook import textbook
x = Value(0.7)
x.softsign().backward()
print(x.grad, "msup" in partial(OPS["softsign"], 0))
spec = TrainSpec(samples=5, layers=(2, 2, 1), activation="softsign", steps=1)
print(*Run(spec).snapshot().gradient)
print(*next(textbook(spec)).gradient)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    first, compiled, textbook = ran.stdout.splitlines()
    grad, equation = first.split()
    assert [float(x) for x in compiled.split()] == pytest.approx(
        [float(x) for x in textbook.split()], rel=1e-12
    )
    assert float(grad) == pytest.approx(1 / 1.7**2, rel=1e-15)
    assert equation == "True"


def test_choices_of_a_run_are_one_entry_each() -> None:
    (entries,) = (block for block in PYTHON if block.startswith("Loss("))
    code = f"""
from engine.training.initialisation import INITS, Init
from engine.training.losses import LOSSES, Loss, total
from engine.training.optim import OPTIMIZERS, SCHEDULES, OptimizerRule, Schedule
fresh = [{", ".join(map(ast.unparse, ast.parse(entries).body))}]
"""
    code += """
for entry, table in zip(fresh, (LOSSES, OPTIMIZERS, SCHEDULES, INITS), strict=True):
    table[entry.name] = entry
from engine.kernel import Run
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
spec = TrainSpec(samples=5, layers=(2, 2, 1), activation="tanh", loss="quartic",
    optimizer="normalised", schedule="inverse", init="small", learning_rate=0.1, steps=3)
print(*Run(spec).history([]).losses)
print(*(state.loss for state in textbook(spec)))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    compiled, textbook = ([float(x) for x in line.split()] for line in ran.stdout.splitlines())
    assert compiled == pytest.approx(textbook[:3], rel=1e-12)


def test_one_entry_adds_a_setting(tmp_path: Path) -> None:
    (entry,) = (block for block in PYTHON if "= setting(" in block)
    for folder in ("engine", "app"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    settings = tmp_path / "engine/training/settings.py"
    text = settings.read_text("utf-8")
    assert entry in text
    settings.write_text(text.replace(entry, entry + entry.replace("dropout", "patience")), "utf-8")
    code = """
from app.api.train_schema import spec as schema
from app.reference import reference_context
from app.settings import from_environment
from app.train.form import form_of
from app.train.hiding import HIDEABLE
from engine.export.exports import export
from engine.training.fields import SpecError
from engine.training.spec import TrainLimits, TrainSpec
spec = TrainSpec.from_query([("patience", "0.5")])
print(spec == TrainSpec(patience=0.5), TrainSpec().to_json()["patience"], spec.to_query())
print([c.name for g in form_of([], spec).groups for c in g.controls if c.name == "patience"])
print("patience" in HIDEABLE, schema(TrainLimits())["properties"]["patience"]["exclusiveMaximum"])
print([row[:2] for row in reference_context(from_environment({}))["fields"] if "patience" in row])
print("patience=0.5," in export(spec, "seegrad"))
try:
    TrainSpec(patience=1.0)
except SpecError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == [
        "True 0.0 [('patience', '0.5')]",
        "['patience']",
        "True 1.0",
        "[('patience', '0.0')]",
        "True",
        "patience is 1.0; give a number from 0 to just below 1.",
    ]


def test_tables_of_extensions_are_where_the_docs_say() -> None:
    text = DOCS[ROOT / "docs/extending.md"]
    rows = re.findall(r"^\| an? .*?\| `([\w/.]+)`, `(\w+)`(?: \||[;,])", text, re.MULTILINE)
    assert len(rows) >= 15
    for path, name in rows:
        source = (ROOT / path).read_text("utf-8")
        assert re.search(rf"^(class )?{name}\b", source, re.MULTILINE), (path, name)
    references = (ROOT / "tests/support/references.py").read_text("utf-8")
    for name in re.findall(r"in `(\w+)` of (?:the references|`tests/support)", text):
        assert re.search(rf"^{name}\b", references, re.MULTILINE), name


def test_the_limits_are_those_of_the_settings() -> None:
    for name, default, help_ in setting_rows(from_environment({})):
        assert f"| `{name}` | {default} | {help_} |" in (ROOT / "docs/limits.md").read_text("utf-8")


@for_each("path", DOCS, ids=lambda path: path.name)
def test_every_file_it_names_exists(path: Path) -> None:
    for name in re.findall(PLACE, DOCS[path]):
        assert (ROOT / name).is_file(), name
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", DOCS[path]):
        assert (path.parent / link).exists(), link


def test_the_readme_is_short_and_leads_to_every_document() -> None:
    assert len(README.splitlines()) <= 150
    for path in (ROOT / "docs").glob("*.md"):
        assert f"](docs/{path.name})" in README, path.name
