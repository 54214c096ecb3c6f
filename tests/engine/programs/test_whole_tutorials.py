"""Whole tutorials run with their own classes, and print what their authors saw."""

from __future__ import annotations

import json
import re
from typing import Any

from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.places import DATA
from tests.support.programs import finished

SEEDS = DATA / "seeds"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SEEDS / "expected.json").read_text("utf-8"))


@for_each("name", ["2_all_assembled.py", "3_all.py", "4_all.py"])
def test_whole_tutorial_prints_what_its_author_saw(name: str) -> None:
    lines = iter(finished((SEEDS / name).read_text("utf-8")).printed)
    document = EXPECTED[name]
    patterns = document.get("printed_like") or [None] * len(document["printed"])
    for exact, like in zip(document["printed"], patterns, strict=True):
        if exact is not None:
            assert any(line == exact for line in lines), exact
        elif like is not None:
            assert any(re.fullmatch(like, line) for line in lines), like


def test_training_in_a_tutorial_trains_and_its_last_loss_is_drawn() -> None:
    found = trace((SEEDS / "2_all_assembled.py").read_text("utf-8"))
    losses = [float(m[1]) for m in map(re.compile(r"data=(.*)\)").search, found.printed) if m]
    assert len(losses) == 20
    assert losses[-1] < losses[0] / 2
    (loss,) = (node for node in found.nodes if node.label == "loss")
    assert loss.data == losses[-1]
