"""Changes in mid-run as code: what a program sets anew at the step of a change.

The settings that change are variables of the program. Beside them stand `since` and `length`, the
begin and the length of the schedule of the learning rate, and `first` and `epochs`, the step at
which the batches began and the number of epochs before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from engine.formula_code import translate
from engine.python_text import literal
from engine.training.optim import SCHEDULES
from engine.training.segments import Segment, segments
from engine.training.settings import RunSettings

Switch = Callable[[Segment, Segment], Iterable[str]]
"""The lines that a change of the optimizer needs, from the segments before and after it."""


def values(spec: RunSettings, name: str) -> list[Any]:
    """The distinct values of a setting during the run, in their order."""
    return list(dict.fromkeys(getattr(segment.settings, name) for segment in segments(spec)))


def ever(spec: RunSettings, name: str) -> bool:
    """Whether a setting is ever other than 0."""
    return any(values(spec, name))


def number(settings: RunSettings, name: str) -> Any:
    """The value of a setting in the program: its final rate is absolute, its seed the order's."""
    own = {"schedule_end": settings.end_rate, "seed": settings.seeds.order}
    return own.get(name, getattr(settings, name))


def begun(spec: RunSettings) -> list[str]:
    """The variables beside the settings, before the first step."""
    first = segments(spec)[0]
    return [*_schedule(spec, first), *_batches(spec, first)]


def rate(spec: RunSettings) -> str:
    """The learning rate at `step`, as an expression."""
    names = {"rate": "learning_rate", "end": "schedule_end"}
    if spec.at:
        names |= {"step": "passed", "steps": "length"}
    return translate(SCHEDULES[spec.schedule].rate, names)


def passed(spec: RunSettings) -> list[str]:
    """The line that counts the steps of the schedule, if it does not count those of the run."""
    return ["passed = min(step - since, length)"] if _counts_anew(spec) else []


def _counts_anew(spec: RunSettings) -> bool:
    return bool(spec.at) and SCHEDULES[spec.schedule].rate != "rate"


def changes(spec: RunSettings, used: Sequence[str], switch: Switch) -> list[str]:
    """The lines that make the changes at the begin of a step; `used` are the settings in use."""
    lines: list[str] = []
    for before, after in pairwise(segments(spec)):
        body = [
            f"{name} = {literal(number(after.settings, name))}"
            for name in used
            if number(after.settings, name) != number(before.settings, name)
        ]
        if (before.since, before.horizon) != (after.since, after.horizon):
            body += _schedule(spec, after)
        if after.draws_anew:
            body += _batches(spec, after)
        body += switch(before, after)
        if body:
            lines.append(f"if step == {after.start!r}:  # a change in mid-run")
            lines += [f"    {line}" for line in body]
    return lines


def _schedule(spec: RunSettings, segment: Segment) -> list[str]:
    if not _counts_anew(spec):
        return []
    return [f"since, length = {segment.since!r}, {segment.horizon - segment.since!r}"]


def _batches(spec: RunSettings, segment: Segment) -> list[str]:
    if len(values(spec, "batch")) == 1:
        return []
    found = (segment.settings.batch, segment.drawn_since, segment.epochs)
    return [f"size, first, epochs = {', '.join(map(literal, found))}"]
