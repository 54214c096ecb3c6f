"""The rules for the browser's modules hold, and each can be broken."""

from itertools import pairwise
from pathlib import Path

import pytest

from scripts.check_scripts import LINES, MAIN_LINES, VARIABLES, main, problems
from tests.support.places import ROOT

TREE = {
    "common/numbers.js": "export const short = String;\n",
    "explore/trace.js": 'import { short } from "../common/numbers.js";\n',
    "explore/main.js": 'import "./trace.js";\n',
    "train/run/run.js": "export class Run {}\n",
    "train/draw/chart.js": 'import {\n  Run,\n} from "../run/run.js";\n',
    "train/panels/form.js": 'export * from "../draw/chart.js";\n',
    "train/main.js": 'import { Run } from "./run/run.js";\nimport "./panels/form.js";\n',
}


def broken(folder: Path, changed: dict[str, str]) -> list[str]:
    for name, text in {**TREE, **changed}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return problems(folder)


def test_project_keeps_the_rules() -> None:
    assert problems(ROOT / "static/js") == []
    assert main() == 0


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"explore/trace.js": '/** @typedef {import("./main.js").State} State */\n'},
        {"explore/trace.js": '/*\nimport { x } from "../train/run/run.js";\n*/\n'},
        {"explore/trace.js": 'const words = "a note from";\nconst main = "./main.js";\n'},
        {"train/run/run.js": "x\n" * LINES, "train/main.js": "x\n" * MAIN_LINES},
        {"train/run/run.js": "let x = 0;\n" * VARIABLES + "  let inner;\n"},
    ],
    ids=["plain", "type", "comment", "text", "long", "variables"],
)
def test_allowed_imports(tmp_path: Path, changed: dict[str, str]) -> None:
    assert broken(tmp_path, changed) == []


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("explore/trace.js", 'import "./other/main.js";', "only a page imports its main.js"),
        ("common/numbers.js", 'import { a } from "../explore/a.js";', "may not import explore"),
        ("common/numbers.js", 'import { a } from "../train/run/run.js";', "may not import train"),
        ("explore/trace.js", "import '../train/run/run.js';", "may not import train/run"),
        ("explore/trace.js", 'x = await import("../train/run/run.js");', "may not import train"),
        ("train/run/run.js", 'import "../../explore/trace.js";', "may not import explore"),
        ("train/run/run.js", 'import "../draw/axes.js";', "may not import train/draw"),
        ("train/draw/chart.js", 'export * from "../panels/tip.js";', "may not import train/panels"),
        ("train/panels/form.js", 'import "../page.js";', "may not import train"),
        ("lessons/first.js", "", "no row for lessons"),
        ("explore/trace.js", "x\n" * (LINES + 1), f"{LINES + 1} lines; at most {LINES}"),
        ("explore/main.js", "x\n" * (MAIN_LINES + 1), f"{MAIN_LINES + 1} lines; at most"),
        ("explore/trace.js", "let a, b, c;\nlet d;\n", "4 variables at the top"),
        ("explore/trace.js", "/** @type {number} */ let a;\n" * 4, "4 variables at the top"),
    ],
)
def test_each_rule_can_be_broken(tmp_path: Path, name: str, text: str, words: str) -> None:
    (problem,) = broken(tmp_path, {name: text})
    assert problem.startswith(name)
    assert words in problem


def test_circle_is_named_in_the_order_of_its_imports(tmp_path: Path) -> None:
    changed = {
        "explore/a.js": 'import "./b.js";',
        "explore/b.js": 'import "./c.js";',
        "explore/c.js": 'import "./a.js";',
    }
    (problem,) = broken(tmp_path, changed)
    steps = problem.removeprefix("import cycle: ").split(" -> ")
    assert steps[0] == steps[-1]
    assert {*pairwise(steps)} == {
        ("explore/a.js", "explore/b.js"),
        ("explore/b.js", "explore/c.js"),
        ("explore/c.js", "explore/a.js"),
    }
