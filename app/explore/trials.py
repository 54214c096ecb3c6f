"""Test my class: how the program's own class did on hidden programs, and the smallest it fails."""

from __future__ import annotations

from dataclasses import dataclass

from app.program_address import View
from engine.numbers import counted
from engine.program import Program
from engine.trials.class_test import ClassTest, tested
from engine.verdict.kinds import KINDS


@dataclass(frozen=True, slots=True)
class TrialsView:
    """`look` is right, wrong, or open for a class that was not tested, as `sentence` says.

    Of one that is wrong, `lines` are the smallest program that shows it, `says` what is wrong there
    and `cause` in which line of the class; `href` opens its picture. `aside` are uses with plain
    numbers that the class does not take.
    """

    look: str
    sentence: str
    lines: tuple[str, ...] = ()
    says: str = ""
    cause: str = ""
    href: str = ""
    aside: str = ""


def trials_view(program: Program, view: View) -> TrialsView:
    """The section of a program."""
    found = tested(program)
    if found.reason:
        return TrialsView("open", found.reason)
    count = counted(found.programs, "program")
    if found.failure is None:
        return TrialsView("right", f"{found.name} is right on {count}.", aside=_aside(found))
    failure, mistake = found.failure, found.failure.mistake
    return TrialsView(
        "wrong",
        f"{found.name} is right on {found.right:,} of {count}. The smallest that it fails:",
        failure.lines,
        failure.says,
        f"Line {mistake.span[0]}: {KINDS[mistake.kind].title}. {mistake.cure}" if mistake else "",
        f"/explore?{View(program=failure.program).query()}",
        _aside(found),
    )


def _aside(found: ClassTest) -> str:
    """What the class does not take."""
    if not found.unsupported:
        return ""
    return f"Not tested, as {found.name} does not take it: {', '.join(found.unsupported)}."
