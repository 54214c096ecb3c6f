"""Recorded answers: a missing one is named, a changed one fails, a stale one is found."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.oracles import plugin, records
from tests.oracles.records import Differs, NotRecorded, Oracle, key_of, same
from tests.support.each import for_each


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A library that halves, as the oracle `halves.half`, with a record of its own."""
    found = SimpleNamespace(LIBRARY="halves 1.0", half=lambda x: x / 2)
    monkeypatch.setitem(sys.modules, "tests.oracles.halves", found)
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    monkeypatch.setattr(records, "ELSEWHERE", {})
    return found


def recorded(*questions: float) -> None:
    oracle = Oracle("record")
    for x in questions:
        oracle("halves.half", x)
    oracle.write(forget=True)


def test_what_was_recorded_is_read_without_the_library(library: SimpleNamespace) -> None:
    recorded(3.0, math.inf)
    library.half = None
    oracle = Oracle("read")
    assert [oracle("halves.half", x) for x in (3.0, math.inf)] == [1.5, math.inf]


def test_a_question_without_an_answer_says_how_to_record_it(library: SimpleNamespace) -> None:
    recorded(3.0)
    for mode in ("read", "check"):
        with pytest.raises(NotRecorded, match=r"halves.half .*\[4.0\]; make oracles ARGS=--record"):
            Oracle(mode)("halves.half", 4.0)


def test_another_answer_of_the_library_is_a_failure(library: SimpleNamespace) -> None:
    recorded(3.0)
    library.half = lambda x: x / 2 + 1e-15  # within the rounding of processors
    assert Oracle("check")("halves.half", 3.0) == 1.5
    library.half = lambda x: x / 2 + 1e-9
    with pytest.raises(Differs, match=r"now answers 1.500000001 to \[3.0\]; the record says 1.5"):
        Oracle("check")("halves.half", 3.0)


def test_an_answer_that_nobody_asks_for_is_found_and_forgotten(library: SimpleNamespace) -> None:
    recorded(3.0, 4.0)
    oracle = Oracle("check")
    oracle("halves.half", 3.0)
    assert oracle.unasked() == ["halves.half: [4.0]"]
    recorded(3.0)
    assert Oracle("check").unasked() == ["halves.half: [3.0]"]


def all_tests(**options: Any) -> Any:
    """A session that ran all tests, which pass, or another one."""
    config = SimpleNamespace(
        option=SimpleNamespace(record=False, oracles=False, **options),
        stash=pytest.Stash(),
        args_source=pytest.Config.ArgsSource.TESTPATHS,
    )
    return SimpleNamespace(config=config, testsfailed=0, exitstatus=0)


def asked_by_processes(session: Any, *questions: float) -> None:
    """Let a process of its own ask each question, and end."""
    for x in questions:
        process = all_tests()
        process.config.workeroutput = {}
        process.config.stash[plugin._ORACLE] = oracle = Oracle()
        oracle("halves.half", x)
        plugin.pytest_sessionfinish(process)
        node = SimpleNamespace(config=session.config, workeroutput=process.config.workeroutput)
        plugin.pytest_testnodedown(node)


@pytest.mark.usefixtures("library")
def test_all_tests_together_ask_for_every_answer(capsys: pytest.CaptureFixture[str]) -> None:
    recorded(3.0, 4.0, 5.0)
    for questions, status in (((3.0, 4.0, 5.0), 0), ((3.0, 5.0), 1), ((), 1)):
        session = all_tests()
        asked_by_processes(session, *questions)
        plugin.pytest_sessionfinish(session)
        assert session.exitstatus == status
    assert "halves.half: [4.0]" in capsys.readouterr().out


@pytest.mark.usefixtures("library")
@for_each(
    "other", [{"keyword": "half"}, {"ignore": ["tests/browser"]}, {"collectonly": True}, None]
)
def test_some_tests_or_failed_ones_need_not_ask(other: dict[str, Any] | None) -> None:
    recorded(3.0)
    session = all_tests(**(other or {}))
    session.testsfailed = int(other is None)
    plugin.pytest_sessionfinish(session)
    assert session.exitstatus == 0


@for_each(
    ("one", "other", "is_same"),
    [
        (1.0, 1.0 + 1e-13, True),
        (1.0, 1.0 + 1e-11, False),
        (math.nan, math.nan, True),
        (math.inf, -math.inf, False),
        (0.0, 1e-20, False),
        ("tensor(0.3333333333333333)", "tensor(0.3333333333333334)", True),
        ("tensor(0.3333)", "tensor(0.3334)", False),
        ("v1 1.0", "v2 1.0", False),
        ([1.0, "a"], [1.0], False),
        ({"a": 1.0}, {"a": 2.0}, False),
        (1, True, False),
        ([1e-20], [3e-20], False),
    ],
)
def test_answers_agree_up_to_rounding(one: Any, other: Any, is_same: bool) -> None:
    assert same(one, other, 1e-12) is is_same
    assert same(other, one, 1e-12) is is_same


def test_what_is_left_of_numbers_that_cancel_is_no_difference() -> None:
    assert same([1e-17], [-3e-17], 1e-12, noise=1e-15)
    assert not same([1e-14], [-3e-14], 1e-12, noise=1e-15)


def test_a_long_program_is_known_by_its_text_but_for_last_digits() -> None:
    text = "x = 1\n" * 30
    assert key_of((text + "y = 0.3333333333333333",)) == key_of((text + "y = 0.3333333333333334",))
    assert key_of((text + "y = 0.3333",)) != key_of((text + "y = 0.3334",))
    assert key_of(("x = 1",)) == "x = 1"
