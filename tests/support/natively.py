"""Programs run outside of the sandbox, for tests whose subject is not the sandbox.

It takes half of the time. Programs are recorded in this process; those that are not recorded run in
a CPython of their own. What a program may do is not limited: none that never ends, or asks for all
memory, may run so.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest

from engine import recording
from engine.record import guest

if TYPE_CHECKING:
    from engine.sandbox.run import Export, SandboxOutcome

in_the_sandbox = recording.run_inside


def run_natively(request: str, seconds: float, export: Export = "handle") -> SandboxOutcome:
    """The outcome that a run in the sandbox has, but for its chunks.

    Python warns of `2 (x)` in programs that are tried, there and here; only here pytest would
    make it an error.
    """
    from engine.sandbox.run import SandboxOutcome

    if export == "execute":
        return SandboxOutcome("returned", "", "", (("stdout", _printed(request)),), 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return SandboxOutcome("returned", guest.handle(request), "", (), 0.0)


def _printed(program: str) -> str:
    command = [sys.executable, "-I", "-"]
    done = subprocess.run(
        command, input=program, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    return done.stdout


@pytest.fixture
def natively(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Records programs in this process."""
    monkeypatch.setattr(recording, "run_inside", run_natively)
    # a program that is judged runs again with other numbers
    monkeypatch.setattr(guest, "Source", lru_cache(maxsize=4)(guest.Source))
    monkeypatch.setattr(guest, "compiled", lru_cache(maxsize=4)(guest.compiled))
    gc.freeze()  # recording collects between runs: not all that the tests have imported
    yield
    gc.unfreeze()


@pytest.fixture
def sandboxed(natively: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records programs in the sandbox after all: errors have the words of the Python in it."""
    monkeypatch.setattr(recording, "run_inside", in_the_sandbox)
