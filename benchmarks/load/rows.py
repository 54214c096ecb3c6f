"""Rows of the table of goals: goal, figure, and whether it is met."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from benchmarks.report import NO_GOAL, AtLeast, Goal

Row: TypeAlias = tuple[str, str, str, str]

HEAD = ("what", "figure", "goal", "")
NOT_TOLD = "not available on this system"


def row(
    what: str, figure: float | None, goal: Goal | AtLeast | None, digits: int = 0, says: str = ""
) -> Row:
    """A row of the table of goals; a figure of None is not available on this system."""
    if figure is None:
        return (what, NOT_TOLD, *NO_GOAL)
    words = NO_GOAL if goal is None else goal.words(figure)
    return (what, f"{figure:,.{digits}f}{says}", *words)


def count(what: str, wrong: Counter[str]) -> Row:
    """A row for a count of errors, whose goal is 0, with their kinds."""
    kinds = ", ".join(f"{times} × {kind}" for kind, times in wrong.most_common())
    return row(what, wrong.total(), Goal(0), says=f" ({kinds})" if kinds else "")
