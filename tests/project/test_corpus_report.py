"""The report on the corpus of learners' programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import corpus as command
from tests.support import corpus
from tests.support.corpus import Entry, Outcome

OUTCOMES = {
    "right": Outcome("1\n2\n"),
    "other": Outcome("1\n3\n"),
    "short": Outcome("1\n"),
    "stopped": Outcome(refusal="try is not part of this language.\nMore."),
}
RECORDED = dict.fromkeys(OUTCOMES, "1\n2\n")


def outcomes(folder: Path) -> dict[Entry, Outcome]:
    """A program of the kind `test` for each of the outcomes."""
    for name in OUTCOMES:
        (folder / f"{name}.py").write_text("# kind: test\nprint(1)\nprint(2)\n", "utf-8")
    return {Entry(folder / f"{name}.py"): got for name, got in OUTCOMES.items()}


def test_report_counts_programs_and_names_the_first_difference(tmp_path: Path) -> None:
    text = command.report(outcomes(tmp_path), RECORDED)
    assert "4 programs: 3 run here (75.0%), 1 print what CPython prints (25.0%)." in text
    assert "1  try is not part of this language.  (test 1)" in text
    assert "other: line 2: CPython '2', here '3'" in text
    assert "short: line 2: CPython '2', here nothing" in text


def test_lists_are_only_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = outcomes(tmp_path)
    monkeypatch.setattr(corpus, "EXPECTED", tmp_path / "expected.json")
    corpus.EXPECTED.write_text(command.as_json(RECORDED), "utf-8")
    for name, listed in (("NOT_YET", "right stopped"), ("WRONG", "short")):
        monkeypatch.setattr(corpus, name, tmp_path / name)
        (tmp_path / name).write_text(listed, "utf-8")
    command.take_off(programs)
    assert corpus.listed(corpus.NOT_YET) == ["stopped"]
    assert corpus.listed(corpus.WRONG) == ["short"]


def test_a_program_that_fails_under_cpython_is_named(tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text("# kind: test\n1 / 0\n", "utf-8")
    with pytest.raises(RuntimeError, match=r"broken\.py: ZeroDivisionError"):
        corpus.run_by_cpython([Entry(program)])
