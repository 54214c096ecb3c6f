"""Programs that compute gradients of arrays by hand, as courses do, and mistakes in them."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.by_hand.judge import HandPass, hand_pass
from engine.by_hand.verdict import judge_arrays
from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.verdict.text_edits import applied
from tests.support.each import for_each

FOLDER = Path("tests/data/by_hand")
RIGHT = sorted(FOLDER.glob("*.py"))
MISTAKES: list[dict[str, Any]] = tomllib.loads((FOLDER / "mistakes.toml").read_text())["mistake"]


def _pass(text: str) -> tuple[Program, HandPass]:
    program = Program(text, recording=RepeatableRecording)
    found = hand_pass(program, program.run())
    assert found is not None
    return program, found


@cache
def _right(path: Path) -> dict[str, list[float]]:
    _, found = _pass(path.read_text())
    return {it.shown: it.written.data for it in found.gradients}


def test_there_are_enough() -> None:
    assert len(RIGHT) >= 20
    assert len(MISTAKES) >= 60


@for_each("path", RIGHT)
def test_right_programs_are_not_accused(path: Path) -> None:
    program = Program(path.read_text(), recording=RepeatableRecording)
    verdict = judge_arrays(program, program.run())
    assert verdict is not None
    assert verdict.mistakes == ()
    states = {it.shown: it.state for it in verdict.gradients}
    assert set(states.values()) <= {"right", "scaled", "open"}, states
    assert verdict.right >= 2


@for_each("row", MISTAKES)
def test_mistakes_are_named_with_their_lines(row: dict[str, Any]) -> None:
    """A fix gives the gradients of the right program, which no sweep of ours has computed."""
    path = FOLDER / f"{row['program']}.py"
    text = path.read_text()
    assert text.count(row["old"]) == 1
    program = Program(text.replace(row["old"], row["new"]), recording=RepeatableRecording)
    verdict = judge_arrays(program, program.run())
    assert verdict is not None
    first = verdict.mistakes[0]
    assert (first.kind, first.name, first.span[0]) == (row["kind"], row["name"], row["line"])
    assert (first.fix is not None) == row["fix"]
    if first.fix is None:
        return
    fixed = applied(program.source.text, *first.fix)
    _, again = _pass(fixed)
    due = _right(path)[first.name]
    (now,) = [it for it in again.gradients if it.shown == first.name]
    assert any(
        now.written.data == pytest.approx([k * x for x in due], rel=1e-4, abs=1e-6)
        for k in (1.0, now.factor)  # which later lines take back
    )
