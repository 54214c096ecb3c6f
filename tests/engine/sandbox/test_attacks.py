"""Hostile programs end within their budget, and what runs them serves on."""

from __future__ import annotations

import contextlib
import re
from typing import NamedTuple

import pytest

from engine.program import Limits, Program, ProgramError
from tests.support.places import DATA

_HEAD = re.compile(r"^### (.+?) -> (.+)\n", re.MULTILINE)
EVERY = 12
"""Of the attacks, for speed."""
SECONDS = 0.25


class Attack(NamedTuple):
    """A program that may break what runs it."""

    title: str
    text: str


def attacks() -> list[Attack]:
    """The attacks of the catalogue: heads of the form `### title -> …`, each with a program."""
    found = []
    for path in sorted((DATA / "hostile").iterdir()):
        parts = _HEAD.split(path.read_text("utf-8"))[1:]
        found += [Attack(title, text) for title, text in zip(parts[::3], parts[2::3], strict=True)]
    return found


@pytest.mark.parametrize("attack", attacks()[::EVERY], ids=lambda attack: attack.title)
def test_an_attack_ends_and_the_next_program_runs(attack: Attack) -> None:
    with contextlib.suppress(ProgramError):
        Program(attack.text, Limits(seconds=SECONDS)).run()
    after = Program("a = 2.0\nprint(a * 3)").run()
    assert after.printed == ["6.0"]
