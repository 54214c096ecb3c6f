"""The hostile programs of the tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from benchmarks.serving import ROOT

PROGRAMS = ROOT / "tests/data/hostile-programs.jsonl"


@dataclass(frozen=True, slots=True)
class Hostile:
    """One program and the name of its case."""

    id: str
    program: str


@lru_cache(1)
def catalogue() -> tuple[Hostile, ...]:
    """All hostile programs. Raises OSError without the tests' data."""
    return tuple(_read(line) for line in PROGRAMS.read_text("utf-8").splitlines())


def _read(line: str) -> Hostile:
    case = json.loads(line)
    text = case["program"]  # or a list of (text, repetitions)
    whole = text if isinstance(text, str) else "".join(part * times for part, times in text)
    return Hostile(case["id"], whole)
