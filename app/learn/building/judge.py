"""The judgement of the reader's engine at a stage.

First come the checks of the stage, whose slips are known by name. An engine that can run its own
pass is then tested on the hidden programs of *Test my class*. Whatever fails first is the smallest
program that fails, and is drawn.
"""

from __future__ import annotations

from typing import NamedTuple

from app.learn.building.pieces import definitions
from app.learn.building.stage import BuildingStage
from app.learn.checks import Outcome, checked
from engine.program import Program, ProgramError
from engine.trials.class_test import tested
from engine.verdict.fixes import verdict_on
from engine.verdict.kinds import KINDS
from engine.verdict.model import Mistake


class EngineJudgement(NamedTuple):
    """How an engine did at a stage: right on `right` of `programs` hidden programs.

    `says` is what is wrong, and empty if nothing is. `lines` are the smallest program that fails,
    and `program` is that with the engine. `mistake` names the line and the kind of mistake.
    """

    right: int
    programs: int
    says: str = ""
    lines: str = ""
    program: str = ""
    mistake: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the piece is done."""
        return not self.says


def judged(stage: BuildingStage, text: str) -> EngineJudgement:
    """Run an engine on the hidden programs of a stage."""
    if missing := _missing(stage, text):
        return EngineJudgement(0, len(stage.checks), missing)
    found = checked(text, stage.engine, stage.checks)
    if not found.is_right:
        return _with_mistake(stage, text, found)
    if not stage.is_whole:
        return EngineJudgement(found.right, found.programs)
    trial = tested(Program(f"{text}\n\n\na = Value(2.0)\nb = a * a\nb.backward()\n"))
    programs = found.programs + trial.programs
    if trial.failure is None:
        return EngineJudgement(found.right + trial.right, programs)
    failure = trial.failure
    lines = "\n".join(failure.lines)
    named = _named(failure.mistake, text) if failure.mistake else ""
    return EngineJudgement(
        found.right + trial.right, programs, f"`{failure.says}`", lines, failure.program, named
    )


def _missing(stage: BuildingStage, text: str) -> str:
    """What is said of a text that lacks what the stage asks for; "" if all is there."""
    if not text.strip():
        return "There is no program yet."
    known = definitions(text)
    if not known:
        return ""  # the checks name the line that Python cannot read
    needed = {name.partition(".")[0] for name in stage.names}
    absent = sorted(needed - known.keys())
    return f"There is no `{absent[0]}` at the left edge of your program." if absent else ""


def _with_mistake(stage: BuildingStage, text: str, found: Outcome) -> EngineJudgement:
    program = f"{text.rstrip()}\n\n\n{found.lines}\n"
    mistake = ""
    if stage.has_gradients and not found.line and not found.is_endless:
        try:
            mistakes = verdict_on(program)[1]
        except ProgramError:
            mistakes = ()
        mistake = _named(mistakes[0], text) if mistakes else ""
    return EngineJudgement(found.right, found.programs, found.fault, found.lines, program, mistake)


def _named(mistake: Mistake, text: str) -> str:
    """The line and the kind of a mistake; its cure stays untold."""
    line = mistake.span[0]
    where = f"Line {line}" if line <= text.count("\n") + 1 else "The program"
    return f"{where}: {KINDS[mistake.kind].title}."
