"""The judgement of a backward pass on arrays: each line that was asked for, by its name."""

from __future__ import annotations

import ast

from app.learn.by_hand.exercises import ByHandExercise
from app.learn.tasks import LineVerdict
from engine import parser_lock
from engine.by_hand.model import FOLLOWS, OPEN, RIGHT, SCALED, SHAPE
from engine.by_hand.verdict import judge_arrays
from engine.program import Limits, Program, ProgramError

CHANGED = "The forward pass is not as it was. Keep its lines, and write below them."


MISSING = "missing"


def judged(exercise: ByHandExercise, text: str, limits: Limits) -> list[LineVerdict] | str:
    """The verdict on each line that is asked for; or why the text cannot be judged at all."""
    if not _keeps(exercise, text):
        return CHANGED
    try:
        program = Program(text, limits)
        found = judge_arrays(program, program.run())
    except ProgramError as error:
        return f"Line {error.line}: {error.sentences}"
    rows = {row.name: row for row in found.gradients} if found else {}
    why = {it.name: f"{it.title}. {it.why}" for it in found.mistakes} if found else {}
    verdicts = []
    for line in exercise.lines:
        row = rows.get(line.name)
        if row is None or row.state == OPEN:
            says = "not written yet"
            verdicts.append(LineVerdict(line.name, MISSING, says))
        elif row.state in (RIGHT, SCALED):
            verdicts.append(LineVerdict(line.name, RIGHT, "", is_right=True))
        else:
            says = why.get(line.name, "")
            if row.state == FOLLOWS and row.because:
                says = f"It is wrong because {row.because} is."
            elif row.state == SHAPE:
                says = says or f"Its shape is not that of {row.of}."
            verdicts.append(LineVerdict(line.name, row.state, says or "The numbers differ."))
    return verdicts


def _keeps(exercise: ByHandExercise, text: str) -> bool:
    """Whether the statements of the forward pass stand first in a text, as they were."""
    try:
        due, own = (parser_lock.module(it) for it in (exercise.program(), text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # the program says what is wrong with it
    first = len(due.body) - len(exercise.lines)
    pairs = zip(due.body[:first], own.body, strict=False)
    return len(own.body) >= first and all(ast.dump(a) == ast.dump(b) for a, b in pairs)
