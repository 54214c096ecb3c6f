"""What an exercise hides and how it asks, and its text in an address.

    gradients                 the gradients of all Values
    forward                   the data of all computed Values
    both                      first the data, then the gradients
    b.grad,a*b.data           numbers of choice; a Value is named by its label or by its id, v3

Options follow, separated by commas: `any` (answers in any order), `contributions` (each one to a
gradient with several is asked for before their sum), `tolerance=0.01` (relative).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

GRADIENTS, FORWARD, BOTH = "gradients", "forward", "both"
HIDES = {
    GRADIENTS: "the gradients of all Values",
    FORWARD: "the data of all computed Values",
    BOTH: "first the data of all computed Values, then the gradients",
}
"""What can be hidden by one word, with its meaning."""
ANY, CONTRIBUTIONS, TOLERANCE = "any", "contributions", "tolerance"
FORMER_CONTRIBUTIONS = "shares"
DEFAULT_TOLERANCE = 0.005
"""Relative. Every number rounded to three significant digits is within it."""
MOST_TOLERANCE = 0.2
LONGEST = 2_000
"""Characters of a task's text."""
KINDS = ("data", "grad")


@dataclass(frozen=True, slots=True)
class Task:
    """What is hidden, in which order it is asked, and how near an answer has to be."""

    hide: str = GRADIENTS
    """A word of HIDES; "" if numbers are chosen."""
    chosen: tuple[tuple[str, str], ...] = ()
    """The chosen numbers: a Value's label or id, and "data" or "grad"."""
    any_order: bool = False
    with_contributions: bool = False
    tolerance: float = DEFAULT_TOLERANCE

    def text(self) -> str:
        """The task as an address has it."""
        parts = [self.hide] if self.hide else [f"{name}.{kind}" for name, kind in self.chosen]
        parts += [ANY] * self.any_order + [CONTRIBUTIONS] * self.with_contributions
        if self.tolerance != DEFAULT_TOLERANCE:
            parts.append(f"{TOLERANCE}={self.tolerance:g}")
        return ",".join(parts)


def read_task(text: str) -> Task:
    """The task of a text; parts that are not known are ignored, and nothing means all gradients."""
    hide, chosen = "", dict[tuple[str, str], None]()
    any_order = with_contributions = False
    tolerance = DEFAULT_TOLERANCE
    for part in (part.strip() for part in text[:LONGEST].split(",")):
        name, dot, kind = part.rpartition(".")
        if part in HIDES:
            hide = part
        elif dot and kind in KINDS and name:
            chosen[name, kind] = None
        elif part.startswith(f"{TOLERANCE}="):
            tolerance = _tolerance(part.partition("=")[2])
        any_order = any_order or part == ANY
        with_contributions = with_contributions or part in (CONTRIBUTIONS, FORMER_CONTRIBUTIONS)
    if not hide and not chosen:
        hide = GRADIENTS
    return Task(hide, () if hide else tuple(chosen), any_order, with_contributions, tolerance)


def _tolerance(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return DEFAULT_TOLERANCE
    return min(found, MOST_TOLERANCE) if math.isfinite(found) and found > 0 else DEFAULT_TOLERANCE
