"""What a write adds, as a followed number, and the numbers from which that was computed."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from engine.record.model import RunNumber
from engine.value import number

from .ledger import LedgerWrite

TERMS = 100
"""Numbers of a formula that are searched."""


def term_of(entry: LedgerWrite) -> Any:
    """What a write adds, as the number that was added."""
    source = entry.step.source
    if isinstance(source, RunNumber) and source.op is not None and source.op.name in ("+", "-"):
        first, second = source.args
        if number(first) == entry.step.before:
            return second
        if number(second) == entry.step.before:
            return first
    return source


def parts_of_term(term: Any, gradients: AbstractSet[int]) -> Iterator[Any]:
    """The followed numbers that a term was computed from, nearest first, not beyond gradients."""
    todo, seen = [term], 0
    while todo and seen < 32:
        x = todo.pop(0)
        seen += 1
        if x is not term and id(x) in gradients:
            continue
        if isinstance(x, RunNumber) and x.op is not None and x.owner is None:
            if x is not term:
                yield x
            todo += x.args


def history(source: Any) -> Iterator[RunNumber]:
    """A followed number and those that it was computed from, not beyond those of objects."""
    todo = [source]
    for _ in range(TERMS):
        if not todo:
            return
        x = todo.pop()
        if isinstance(x, RunNumber):
            yield x
            todo += () if x.owner is not None else x.args
