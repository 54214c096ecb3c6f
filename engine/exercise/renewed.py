"""Other numbers for the leaves of an exercise, which stay easy by hand where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.program import ProgramError
from engine.trace.traced import Trace

from .exercise import Exercise, ExerciseError, exercise
from .random_choices import Choices
from .task import Task

TRIES = 12
MOST_LEAVES = 40
"""Leaves that change; those beyond keep their numbers."""
WHOLE = (-4, -3, -2, -1, 1, 2, 3, 4, 5)
DECIMAL = (-1.5, -0.5, 0.5, 1.5, 0.2, -0.4, 0.8, -1.0, 1.0, 2.0)
_LARGEST = 100.0


def renewed(
    run: Callable[[Mapping[str, float]], Trace],
    leaves: Mapping[str, float],
    task: Task,
    seed: str,
    tries: int = TRIES,
) -> dict[str, float]:
    """Other numbers for `leaves`, the same for the same seed.

    `run` traces the program with changed leaves. Of `tries` draws that give an exercise the easiest
    is taken; without one the leaves keep their numbers.
    """
    keys = [*leaves][:MOST_LEAVES]
    found: dict[float, dict[str, float]] = {}
    for attempt in range(tries):
        choices = Choices(f"numbers 1:{seed}:{attempt}")
        numbers = {key: _number(leaves[key], choices) for key in keys}
        if numbers == {key: leaves[key] for key in keys}:
            continue
        try:
            effort = _effort(exercise(run(numbers), task), numbers.values())
        except (ProgramError, ExerciseError):
            continue
        found.setdefault(effort, numbers)
        if effort == 0:
            break
    return found[min(found)] if found else dict(leaves)


def _number(now: float, choices: Choices) -> float:
    return float(choices.one(WHOLE if now.is_integer() else DECIMAL))


def _effort(found: Exercise, leaves: Iterable[float]) -> float:
    """How far from easy the answers are: digits, zeros, large numbers, equal leaves."""
    answers = [question.answer for question in found.questions]
    numbers = [abs(x) for x in leaves]
    repeated = len(numbers) - len(set(numbers))
    zeros = sum(x == 0 for x in answers)
    large = sum(abs(x) > _LARGEST for x in answers)
    long = sum(abs(x - round(x, 2)) > 1e-9 for x in answers)
    return 3.0 * zeros + 2.0 * large + long + (0.5 * repeated if len(numbers) < len(WHOLE) else 0)
