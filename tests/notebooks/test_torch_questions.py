"""`run.explain()` on training scripts: broken ones are named by kind and line, healthy ones not.

A broken script has `# <- kind` on the line that is to be named.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import seegrad
from engine.pytorch.record import ProgramRecord
from seegrad.notebook.recording import Answers, TorchRun
from tests.support.each import for_each
from tests.support.places import DATA

SCRIPTS = DATA / "torch_scripts"
MARK = "# <- "
BROKEN = sorted((SCRIPTS / "broken").glob("*.py"))
HEALTHY = sorted((SCRIPTS / "healthy").glob("*.py"))


def run_script(path: Path) -> tuple[TorchRun, Exception | None]:
    """A script's recording, and the error that it ended with."""
    names: dict[str, Any] = {"__name__": "script"}
    code = compile(path.read_text(), str(path), "exec")
    run, failed = seegrad.record(), None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run.__enter__()
        try:
            exec(code, names)  # noqa: S102  the project's own script
        except Exception as error:
            failed = error
        finally:
            run.end(names, failed)
    return run, failed


def wanted(path: Path) -> tuple[str, int]:
    """The kind of a script's fault, and its line."""
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if MARK in line:
            return line.partition(MARK)[2].strip(), number
    raise AssertionError(f"{path} names no fault")


@cache
def told() -> dict[str, tuple[TorchRun, Answers]]:
    """What each broken script is told."""
    runs = {path.stem: run_script(path)[0] for path in BROKEN}
    return {name: (run, run.explain()) for name, run in runs.items()}


@for_each("path", BROKEN)
def test_a_broken_script_is_named_by_kind_and_line(path: Path) -> None:
    kind, line = wanted(path)
    found = [(it.kind, it.place.line) for it in told()[path.stem][1] if it.place is not None]
    assert (kind, line) in found
    assert found[0] == (kind, line)


@for_each("path", HEALTHY)
def test_a_healthy_script_is_not_accused(path: Path) -> None:
    run, failed = run_script(path)
    assert failed is None
    assert run.explain() == []


def test_there_are_as_many_as_are_promised() -> None:
    assert len(BROKEN) >= 30
    assert len(HEALTHY) >= 20


def said(name: str) -> str:
    return str(told()[name][1][0])


def test_answers_have_line_numbers_and_cure() -> None:
    """The numbers are those of the scripts, counted by hand."""
    assert "Line 8: features = torch.log(x)" in said("log_of_zero")
    assert "1 of 18 numbers that are inf" in said("log_of_zero")
    assert "clamp(min=1e-12)" in said("log_of_zero")
    assert "1,024 differences of all pairs are taken, not 32" in said("broadcast_loss")
    assert "(32, 1) and (32,)" in said("broadcast_loss")
    assert "from version 0 to 1" in said("in_place_after_save")
    assert "sigmoid of line 8 saved it" in said("in_place_after_save")
    assert "h = h.add(…)" in said("in_place_after_save")
    assert "h was computed before the pass of line 13" in said("hidden_kept_between_steps")
    assert "retain_grad()" in said("grad_of_a_result")
    assert "below 0 everywhere" in said("dead_relu")
    assert "cross_entropy takes the softmax itself" in said("double_softmax")
    assert "net.second.weight, net.second.bias get no gradient" in said("unused_layer")


def test_cuts_are_listed_when_they_are_asked_for() -> None:
    run, _ = run_script(SCRIPTS / "healthy/gan.py")
    assert [(it.kind, it.place and it.place.line) for it in run.explain("cuts")] == [
        ("detached", 13)
    ]


def test_a_loaded_recording_is_told_the_same() -> None:
    """But for Functions, which are run to be judged."""
    for name, (run, answers) in told().items():
        again = seegrad.load(run.json())
        assert isinstance(again.record, ProgramRecord)
        if name != "wrong_function":
            assert list(map(str, again.explain())) == list(map(str, answers))
