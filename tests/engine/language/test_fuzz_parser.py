"""The search for programs that break the engine runs, and for a while finds none (`make fuzz`)."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.program import ProgramError
from engine.trace.build import trace
from engine.trace.traced import Trace
from fuzz.parser import LONGEST, SECONDS, judge, seeds, text_of
from tests.support.own_memory import with_own_memory
from tests.support.places import ROOT

INPUTS = 700  # some 500 of them are the seeds; `make fuzz` takes its time
PATIENCE = 170  # seconds


def test_a_search_finds_nothing() -> None:
    pytest.importorskip("atheris", reason="atheris has no wheel for this Python on this machine")
    found = subprocess.run(
        with_own_memory([sys.executable, "-m", "fuzz.parser", "--runs", str(INPUTS)]),
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    said = found.stdout + found.stderr
    assert found.returncode == 0, said[-3000:]
    assert f"Done {INPUTS} runs" in said, said[-3000:]
    reached = re.findall(r"cov: (\d+)", said)
    assert int(reached[-1]) > 1_000, "the engine is not instrumented"


def test_the_search_begins_with_hostile_programs_and_with_tutorials() -> None:
    known = [text for text in seeds() if len(text) <= LONGEST]
    assert len(known) > 150
    assert any("__import__" in text for text in known)
    assert any("MLP(" in text for text in known)


@pytest.mark.parametrize("data", [b"a = 2.0\nL = a * 3", b"a = (", b"\xff\xfe", b"\xed\xa0\x80"])
def test_what_is_drawn_or_refused_is_right(data: bytes) -> None:
    judge()(text_of(data))


def recursion(*_: object, **__: object) -> Trace:
    """Fails as an engine would that recurses on the graph."""
    raise RecursionError


def misplaced(*_: object, **__: object) -> Trace:
    """Refuses a place that is not in the text."""
    raise ProgramError("There is something wrong.", (1, 1, 9, 9))


def wordless(*_: object, **__: object) -> Trace:
    """Refuses without saying why."""
    raise ProgramError("")


def late(*_: object, **__: object) -> Trace:
    """Takes its time."""
    end = time.process_time() + SECONDS
    while time.process_time() < end:
        pass
    return trace("a = 2.0\nL = a * 3")


def unsendable(*_: object, **__: object) -> Trace:
    """Gives an id that is not one and cannot stand in JSON as it is."""
    found = trace("a = 2.0\nL = a * 3")
    return replace(found, nodes=(found.nodes[0]._replace(id='"'), *found.nodes[1:]))


@pytest.mark.parametrize("broken", [recursion, misplaced, wordless, late, unsendable])
def test_what_should_not_be_is_found(
    broken: Callable[..., Trace], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.trace.build.trace", broken)
    with pytest.raises((AssertionError, RecursionError, ValueError)):
        judge()("a = 1")


def test_a_file_is_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "found.py"
    file.write_bytes(b"a = 2.0\nL = a * 3")
    subprocess.run([sys.executable, "-m", "fuzz.parser", str(file)], cwd=ROOT, check=True)
