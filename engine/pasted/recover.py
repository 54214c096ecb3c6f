"""The offer to keep the code of a text that is refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.record.source import Limits, ProgramError, Source

from .cells import trimmed
from .lines import Lines, joined, numbered
from .preview import PreviewRow, moved, preview
from .table import RECOVERIES, Effect, LineChange, Recovery

FIRST = ("fences", "text")
"""The recoveries of which is told before all others."""
MOST_LINES = 2_000
"""Lines of a text that is looked through."""


@dataclass(frozen=True, slots=True)
class RecoveredCode:
    """Python out of a text, and a sentence for each thing that was done to it."""

    text: str
    says: tuple[str, ...]
    names: tuple[str, ...]
    """The names of the recoveries, in the order in which they were applied."""
    rows: tuple[PreviewRow, ...]
    """The first lines that change."""


def recovered(text: str, limits: Limits | None = None) -> RecoveredCode | None:
    """The code in a text that is refused; None if it is Python, or holds none that can be read."""
    limits = limits or Limits()
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n")
    if text.count("\n") > MOST_LINES or is_read(text, limits):
        return None
    lines = numbered(text)
    try:
        for chosen in _choices(lines):
            found = _applied(lines, chosen, limits)
            if found is not None:
                return found
    except RecursionError:
        pass
    return None


def is_read(text: str, limits: Limits) -> bool:
    """Whether a text is read as a program."""
    try:
        Source(text, limits)
    except ProgramError:
        return False
    return True


def _choices(lines: Lines) -> Iterator[Sequence[Recovery]]:
    """All recoveries, then all but one of those that may take for a mark what is code."""
    yield RECOVERIES
    for left_out in RECOVERIES:
        if left_out.is_guess and left_out.function(lines) != list(lines):
            yield [recovery for recovery in RECOVERIES if recovery is not left_out]


def _applied(lines: Lines, chosen: Sequence[Recovery], limits: Limits) -> RecoveredCode | None:
    """The result of the recoveries one after the other; None if it is no Python."""
    stages: list[tuple[Recovery, Lines, Lines]] = []
    now = list(lines)
    is_found = False
    for recovery in chosen:
        if is_found and recovery.is_gentle:
            continue
        after = recovery.function(now)
        if after == now:
            continue
        stages.append((recovery, now, after))
        now = after
        is_found = is_read(joined(now), limits)
        if is_found and all(stage[0].is_gentle for stage in stages):
            break
    now = trimmed(now)
    text = f"{joined(now)}\n"
    if not is_found or not _is_program(text, limits):
        return None
    kept = {line.number for line in now} - {0}
    effects = [(recovery, _effect(before, after, kept)) for recovery, before, after in stages]
    seen = [(recovery, effect) for recovery, effect in effects if effect.changes or effect.left_out]
    seen = seen or effects
    seen.sort(key=lambda stage: stage[0].name not in FIRST)
    return RecoveredCode(
        text,
        tuple(recovery.says(effect) for recovery, effect in seen),
        tuple(recovery.name for recovery, _ in seen),
        tuple(preview(joined(lines), now)),
    )


def _effect(before: Lines, after: Lines, kept: set[int]) -> Effect:
    """What a recovery did to the lines that are kept, and how many it left out."""
    texts = {line.number: line.text for line in after}
    placed = moved(after) - moved(before)
    changes = [
        LineChange(line.text, texts[line.number])
        for line in before
        if line.number in kept
        and (line.number in placed or texts.get(line.number, line.text) != line.text)
    ]
    gone = [line for line in before if line.number and line.number not in texts]
    return Effect(changes, sum(not line.is_blank for line in gone), after)


def _is_program(text: str, limits: Limits) -> bool:
    """Whether a text computes anything: more than words that happen to be names."""
    tree = Source(text, limits).tree
    return any(
        not isinstance(node, ast.Expr) or any(isinstance(part, ast.Call) for part in ast.walk(node))
        for node in tree.body
    )
