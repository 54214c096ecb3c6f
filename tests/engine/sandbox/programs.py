"""Runs programs in the sandbox of this process."""

import json
from typing import Any

from engine.sandbox.run import Budget, OnOutput, SandboxOutcome, SandboxRun
from engine.sandbox.sandbox import Sandbox, sandbox


def start(
    program: str, own: Sandbox | None = None, on_output: OnOutput | None = None, **limits: Any
) -> SandboxRun:
    """A program on its way, with CPython alone."""
    return (own or sandbox()).start(
        program, export="execute", on_output=on_output, limits=Budget(**limits)
    )


def run(
    program: str, own: Sandbox | None = None, on_output: OnOutput | None = None, **limits: Any
) -> SandboxOutcome:
    """The outcome of a program."""
    return start(program, own, on_output, **limits).outcome()


def reply(outcome: SandboxOutcome) -> str | None:
    """The exception that ended a program, if one did."""
    assert outcome.ending == "returned", outcome
    assert outcome.reply is not None
    error: str | None = json.loads(outcome.reply)["error"]
    return error


def printed(program: str) -> str:
    """What a program prints that ends without an exception."""
    outcome = run(program)
    assert reply(outcome) is None, outcome
    return outcome.text()


def error(program: str, **limits: Any) -> str:
    """The exception that ends a program."""
    found = reply(run(program, **limits))
    assert found is not None
    return found
