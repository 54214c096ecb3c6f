"""Runs hostile programs one after the other in a process of their own, and reports on each.

    python -m tests.support.attacks FILE OPERATIONS

The last line is the growth of the process's memory in MB; those before are a title, a tab and the
outcome: "runs", "refused", "exhausted" or the name of the exception.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.language.classes import Thing
from engine.language.modules.dataclass_methods import MISSING, Field
from engine.nn import MLP, Layer, Module, Neuron
from engine.program import Limits, Program, ProgramError, Run
from engine.trace.build import trace
from engine.trace.traced import Trace
from engine.value import Value

DATA = Path(__file__).parents[1] / "data" / "hostile"
_HEAD = re.compile(r"^### (.+?) -> (.+)\n", re.MULTILINE)
_NAME = re.compile(r"([A-Za-z_]\w*)(: |$)")


class Attack(NamedTuple):
    """A program and the outcome that it must have."""

    title: str
    expected: str
    text: str


def read(name: str) -> list[Attack]:
    """The attacks of one file: heads of the form `### title -> outcome`, each with a program."""
    parts = _HEAD.split((DATA / name).read_text())[1:]
    return [Attack(*three) for three in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]


def outcome(text: str, limits: Limits) -> str:
    """How a program ends. Whatever is no answer to a program is raised."""
    try:
        program = Program(text, limits)
        if program.writes_gradients:
            return _judged(text, limits)
        run = program.run()
    except ProgramError as error:
        return _ended(error)
    assert all(type(line) is str for line in run.printed)
    return _run_to(run)


def _run_to(found: Run | Trace) -> str:
    """How far a run went that left a picture, or nothing to draw."""
    return "runs" if found.stopped is None else "exhausted"


def _ended(error: ProgramError) -> str:
    if error.message.startswith("The program was stopped here"):
        return "exhausted"
    found = _NAME.match(error.message) if error.traceback else None
    return found[1] if found else "refused"


def _judged(text: str, limits: Limits) -> str:
    """The outcome of a program that writes gradients: judging it runs none of its code again."""
    try:
        run = Program(text, limits).run()
        alone = (_run_to(run), run.printed)
    except ProgramError as error:
        alone = (_ended(error), list(error.printed))
    try:
        found = trace(text, limits=limits)
        seen = (_run_to(found), list(found.printed))
        json.dumps(found.to_json(), allow_nan=False)
    except ProgramError as error:
        seen = (_ended(error), list(error.printed))
    assert seen == alone
    return alone[0]


SHARED = (Thing, Value, Module, Neuron, Layer, MLP, Counter, Random, Field, type(MISSING))
"""Classes that all runs of a process share."""


def shared() -> list[object]:
    """What a run could leave behind for the next one: the members of shared classes."""
    found: list[object] = [repr(MISSING)]
    for kind in SHARED:
        for name, member in vars(kind).items():
            found.append((kind, name, member, dict(getattr(member, "__dict__", {}))))
    return found


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(name: str, operations: int) -> None:
    limits = Limits(seconds=60)
    outcome("import numpy, torch\nx = Value(1.0) * 2", limits)
    before, unchanged = _memory(), shared()
    for attack in read(name):
        sys.stdout.write(f"{attack.title}\t{outcome(attack.text, limits)}\n")
        sys.stdout.flush()
    assert shared() == unchanged, "a run has changed what others see"
    sys.stdout.write(f"{_memory() - before:.0f}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
