"""Programs run outside of the sandbox, for tests whose subject is not the sandbox.

It takes half of the time. Programs are recorded in this process; those that are not recorded run in
a CPython of their own, for their time. What a recorded program may do is not limited: none that
never ends, or asks for all memory, may run so.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import warnings
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

import pytest

from engine import recording
from engine.record import guest
from engine.record.run import compiled
from engine.record.source import Source

if TYPE_CHECKING:
    from engine.sandbox.run import Export, SandboxOutcome

in_the_sandbox = recording.run_inside
MEMORY = 1 << 31


def run_natively(request: str, seconds: float, export: Export = "handle") -> SandboxOutcome:
    """The outcome that a run in the sandbox has, but for its chunks."""
    from engine.sandbox.run import SandboxOutcome

    if export == "execute":
        return SandboxOutcome("returned", "", "", (("stdout", _printed(request, seconds)),), 0.0)
    return SandboxOutcome("returned", _recorded(request), "", (), 0.0)


def _recorded(request: str) -> str:
    """Python warns of `2 (x)` in programs that are tried, there and here; only here pytest would
    make it an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return guest.handle(request)


def _printed(program: str, seconds: float) -> str:
    """What a program prints until its time, or its memory, is used up."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-I", "-"]
    done = subprocess.run(
        command, input=program, capture_output=True, encoding="utf-8", check=False,
        preexec_fn=limited,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def natively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records programs in this process.

    One that is judged runs with other numbers, and runs again when a fix is tried: what that has in
    common is computed once in a test.
    """
    monkeypatch.setattr(recording, "run_inside", lru_cache(maxsize=4)(run_natively))
    monkeypatch.setattr(guest, "Source", lru_cache(maxsize=4)(Source))
    monkeypatch.setattr(guest, "compiled", lru_cache(maxsize=4)(compiled))


@pytest.fixture
def sandboxed(natively: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records programs in the sandbox after all: errors have the words of the Python in it."""
    monkeypatch.setattr(recording, "run_inside", in_the_sandbox)
