"""Names in formulas."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.trace.symbols import brief, mathml, owner, tokens
from tests.support.each import for_each
from tests.support.places import ROOT

TABLE = ROOT / "tests/data/name-symbols.jsonl"
ROWS = [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]


def written(name: str) -> dict[str, Any]:
    return {"tokens": list(map(list, tokens(name))), "brief": brief(name), "owner": owner(name)}


@for_each("row", ROWS, ids=lambda row: row["name"] or "empty")
def test_names_are_set_as_the_table_says(row: dict[str, Any]) -> None:
    found = written(row["name"])
    assert {key: found[key] for key in row if key != "name"} == {
        key: text for key, text in row.items() if key != "name"
    }


def test_subscript_is_an_element_of_its_own() -> None:
    assert mathml("x1") == "<msub><mi>x</mi><mn>1</mn></msub>"


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_any_name_is_escaped(name: str) -> None:
    inner = mathml(name)
    for tag in ("mi", "mn", "mo", "msub"):
        inner = inner.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert "<" not in inner
    assert ">" not in inner
