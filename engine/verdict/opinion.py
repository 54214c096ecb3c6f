"""The verdict with a second opinion: central differences, which follow nothing.

They acquit a program that is accused although the gradients of its leaves are right, and judge one
whose gradients are kept in a way that is not recognised.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from engine.caches import cached
from engine.program import Program, ProgramError, RecordedRun

from .fixes import can_try, with_fixes
from .model import Fix, Mistake, Verdict
from .screening import Screen, screen_of
from .sentences import moved, program_number
from .slopes import slopes_of
from .text_edits import Rewrite, applied
from .unjudged import left_open, names_a_pass

TRIED = 6
"""Edits that are measured at more points."""
POINTS = 5


def with_opinion(program: Program, run: RecordedRun, verdict: Verdict | None) -> Verdict | None:
    """The verdict with its fixes; None where nothing was written and nothing can be measured."""
    if verdict is not None and verdict.mistakes:
        mistakes = with_fixes(program, verdict.mistakes)
        return replace(verdict, mistakes=mistakes) if mistakes else _measured(program)
    is_open = verdict is None or (verdict.is_own and not verdict.checked and not verdict.unknown)
    if not is_open or not names_a_pass(run) or not can_try(program):
        return verdict
    return _measured(program) or verdict


AGREE = (
    "The gradients of the leaves are what central differences are. Seegrad could not trace every "
    "step that computes them."
)


@cached("second opinions")
def _measured(program: Program) -> Verdict | None:
    """The verdict by central differences alone."""
    is_loop = any(isinstance(node, ast.For | ast.While) for node in program.source.tree.body)
    slopes = None if is_loop else slopes_of(program.source)
    if slopes is None:
        return None
    if slopes.are_right:
        return left_open(AGREE)
    wrong = slopes.wrong()
    assert wrong is not None
    name, found, slope = wrong
    screen = screen_of(slopes, program.source)
    edit = _edit(program, screen)
    ends, due = program_number(found), program_number(slope)
    if edit is None:
        return left_open(
            f"The gradient of {name} is {ends}, and a central difference gives {due}. Seegrad "
            "could not trace how the program computes it."
        )
    mistake = Mistake(
        "wrong_partial", (1, 1, 1, 1), None, found, slope, "", "", ends=found, true=slope,
        subject=name,
    )  # fmt: skip
    mistake = moved(mistake, edit, program.source.lines)
    fixed = mistake._replace(fix=Fix(edit.span, edit.text))
    return replace(left_open(""), mistakes=(fixed,))


def _edit(program: Program, screen: Screen) -> Rewrite | None:
    """The edit that makes all gradients right at more points; None if several functions have one.

    Two wrong signs may make the gradients of leaves right.
    """
    found: dict[int, Rewrite] = {}
    for edit in screen.right(screen.lines)[:TRIED]:
        try:
            fixed = program.with_text(applied(screen.text, edit.span, edit.text))
        except ProgramError:
            continue
        slopes = slopes_of(fixed.source, points=POINTS)
        if slopes is not None and slopes.are_right and len(slopes.names) == screen.most:
            found.setdefault(_function(program, edit.span[0]), edit)
    return next(iter(found.values())) if len(found) == 1 else None


def _function(program: Program, line: int) -> int:
    """The first line of the method around a line; its own without one."""
    starts = [
        node.lineno
        for node in program.source.each(ast.FunctionDef)
        if node.lineno <= line <= (node.end_lineno or 0)
    ]
    return min(starts, default=line)
