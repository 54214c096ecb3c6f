"""The check of a step's gradient, as plain data and as a sentence."""

from __future__ import annotations

import math
from typing import Any

from app.train.live_run import LiveRun
from app.train.tables import MOST_ROWS
from engine.cancellation import IsCancelled
from engine.numbers import NONE, brief, counted, to_json
from engine.runs.step_check import Compared, LossTooLarge, StepCheck, check_step
from engine.training.fields import SpecError
from engine.training.segments import segment_at

AGREES = 6.0
"""Digits from which a gradient is called right: float arithmetic may lose the others."""
MISTAKES = {
    "accumulate": "this run keeps the last contribution in place of the sum of all",
    "zero_grad": "this run adds to the gradients of the steps before",
}
"""Settings that make a wrong gradient on purpose where they are off."""


def read(run: LiveRun, step: int, is_cancelled: IsCancelled) -> dict[str, Any]:
    """The check of a step. Raises SpecError for a loss that takes too long."""
    found = _checked(run, step, is_cancelled)
    return {
        "step": found.step,
        "parameters": found.parameters,
        "digits": to_json(found.digits),
        "along": found.is_direction,
        "rows": [
            {
                "name": row.name,
                "gradient": to_json(row.gradient),
                "difference": to_json(row.difference),
                "digits": to_json(row.digits),
                "at_kink": row.at_kink,
            }
            for row in found.rows
        ],
        "agrees": found.digits >= AGREES,
        "says": says(found, run),
    }


def _checked(run: LiveRun, step: int, is_cancelled: IsCancelled) -> StepCheck:
    run.seek(step)
    try:
        return check_step(run.kernel, is_cancelled)
    except LossTooLarge as error:
        raise SpecError("step", str(step), str(error)) from None


def panel(run: LiveRun, step: int, is_cancelled: IsCancelled) -> dict[str, Any]:
    """The template context of check.html: the check, or why there is none."""
    try:
        found = _checked(run, step, is_cancelled)
    except SpecError as error:
        return {"says": error.message, "rows": (), "unlisted": 0, "agrees": None}
    rows = sorted(found.rows, key=lambda row: (not math.isnan(row.digits), row.digits))
    return {
        "says": says(found, run),
        "rows": [
            (row.name, brief(row.gradient), brief(row.difference), _digits(row))
            for row in rows[:MOST_ROWS]
        ],
        "unlisted": max(0, len(rows) - MOST_ROWS),
        "agrees": None if math.isnan(found.digits) else found.digits >= AGREES,
    }


def _digits(row: Compared) -> str:
    """The digits that agree, rounded down; at a kink there is no one slope."""
    if row.at_kink:
        return "kink"
    return NONE if math.isnan(row.digits) else str(math.floor(row.digits))


def says(found: StepCheck, run: LiveRun) -> str:
    """What a check shows, in one or two sentences."""
    if math.isnan(found.digits):
        return "The loss or its gradient is not finite here: nothing can be compared."
    of = counted(found.parameters, "parameter")
    how = f"along a random direction through all {of}" if found.is_direction else f"for {of}"
    digits = counted(math.floor(found.digits), "digit")
    text = f"The gradient of step {found.step:,} and central differences in fifty digits agree in "
    text += f"{digits}, {how}."
    kinks = sum(row.at_kink for row in found.rows)
    if kinks:
        text += f" {counted(kinks, 'parameter')} at a kink: between the slopes on both sides."
    if found.digits < AGREES:
        now = segment_at(run.spec, found.step).settings
        why = [words for name, words in MISTAKES.items() if not getattr(now, name)]
        text += f" It is wrong: {why[0]}." if why else " It is wrong."
    return text
