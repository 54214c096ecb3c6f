"""The table of mistakes: its words, and the document that lists it."""

from __future__ import annotations

import re

import pytest

from engine.verdict.kinds import KINDS
from tests.support.places import ROOT

NAMES = {
    "line", "name", "grad", "ends", "true", "written", "due", "lost", "other",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_has_its_words(kind: object) -> None:
    texts = [getattr(kind, name) for name in ("title", "sentence", "why", "cure")]
    assert all(texts)
    assert set(re.findall(r"\{(\w+)\}", " ".join(texts))) <= NAMES
    assert texts[1].startswith("Line {line} ")


def test_the_document_lists_the_kinds() -> None:
    text = (ROOT / "docs/debugger.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(KINDS)
