"""Names in formulas, set alike by Python and the scripts."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.trace.symbols import brief, mathml, owner, tokens
from tests.support import node
from tests.support.each import for_each
from tests.support.places import ROOT

TABLE = ROOT / "tests/data/name-symbols.jsonl"
ROWS = [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]
SCRIPT = ROOT / "static/js/explore/symbols.js"
WRITER = Path(__file__).with_name("symbols.mjs")


def written(name: str) -> dict[str, Any]:
    return {"tokens": list(map(list, tokens(name))), "brief": brief(name), "owner": owner(name)}


def scripted(names: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(node.run(WRITER, SCRIPT, text=json.dumps(names)))
    return found


@for_each("row", ROWS, ids=lambda row: row["name"] or "empty")
def test_names_are_set_as_the_table_says(row: dict[str, Any]) -> None:
    found = written(row["name"])
    assert {key: found[key] for key in row if key != "name"} == {
        key: text for key, text in row.items() if key != "name"
    }


def test_scripts_set_names_alike() -> None:
    names = [row["name"] for row in ROWS]
    assert scripted(names) == [written(name) for name in names]


def test_random_names_are_set_alike() -> None:
    letters = "ab0129_.*/+- ()[]é…₁😀"
    drawn = Random(5)
    found = ["".join(drawn.choices(letters, k=drawn.randint(1, 12))) for _ in range(3000)]
    assert scripted(found) == [written(name) for name in found]


def test_subscript_is_an_element_of_its_own() -> None:
    assert mathml("x1") == "<msub><mi>x</mi><mn>1</mn></msub>"


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_any_name_is_escaped(name: str) -> None:
    inner = mathml(name)
    for tag in ("mi", "mn", "mo", "msub"):
        inner = inner.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert "<" not in inner
    assert ">" not in inner
