"""The points at which a program is judged: its own numbers, and others.

A wrong partial may be right at the program's own: 2*x for 3*x**2 at 2/3, a relu on its flat side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import NamedTuple

from engine.program import Program
from engine.record.model import RunNumber

from .evidence import Evidence, evidence_of

POINTS = 4
"""Points in all."""
MOVES: tuple[Callable[[float, int], float], ...] = (
    lambda x, i: (x * 1.31 + 0.17 + 0.013 * (i % 7)) * (-1 if i % 2 else 1),
    lambda x, i: x * 0.71 + 0.05 * (1 if x > 0 else -1) + 0.011 * (i % 3),
    lambda x, i: (x * 0.83 + 0.11 + 0.017 * (i % 5)) * (1 if i % 2 else -1),
    lambda x, i: abs(x) * 0.9 + 0.23 + 0.007 * (i % 4),
)
"""Other numbers for the leaves, which `i` counts; the first and the third change half the signs."""
DRAWN = 6
"""Points that are drawn for a fix."""
MOST = 200
"""At most this many leaves are moved."""


class Elsewhere(NamedTuple):
    """What the other points of a run depend on beside its program: see `others`."""

    scene: int | None
    movable: tuple[str, ...]
    fixed: frozenset[tuple[str, float]]


def others(program: Program, first: Evidence, leaves: Mapping[str, float] | None) -> Elsewhere:
    """The other points for a run that `first` shows, with `leaves` changed.

    They move the program's own numbers, not those of `leaves`: dragging a leaf leaves them as they
    are. Leaves that cannot be moved keep their numbers.
    """
    movable = _movable(first, program.defaults())
    scene = first.run.scene.id if first.run.scene else None
    fixed = frozenset(pair for pair in (leaves or {}).items() if pair[0] not in movable)
    return Elsewhere(scene, tuple(movable), fixed)


def elsewhere(program: Program, points: Elsewhere) -> list[Evidence]:
    """The evidence at other points, where the program runs."""
    own = program.defaults()
    moves = ({key: move(own[key], i) for i, key in enumerate(points.movable)} for move in MOVES)
    return _evidence(program, points, moves, POINTS - 1)


def drawn(program: Program, points: Elsewhere, text: str) -> list[Evidence]:
    """The evidence at numbers that are drawn for a text, the same ones each time.

    Half of the draws keep the signs: a logarithm takes no other numbers.
    """
    own, draws = program.defaults(), Random(text)
    moves = (
        {key: _drawn(own[key], draws, keeps_sign=turn % 2 == 1) for key in points.movable}
        for turn in range(2 * DRAWN)
    )
    return _evidence(program, points, moves, DRAWN)


def _evidence(
    program: Program, points: Elsewhere, moves: Iterator[Mapping[str, float]], most: int
) -> list[Evidence]:
    """The evidence at the first moves with which the program ends, in the finite numbers."""
    found: list[Evidence] = []
    while points.movable and (some := list(islice(moves, most - len(found)))):
        runs = program.runs([{**dict(points.fixed), **moved} for moved in some], points.scene)
        others = filter(None, map(evidence_of, runs))
        found += [other for other in others if all(map(math.isfinite, _numbers(other)))]
    return found


def _drawn(x: float, draws: Random, *, keeps_sign: bool) -> float:
    size = abs(x) * draws.uniform(0.4, 1.6) + draws.uniform(0.05, 0.6)
    sign = -1 if x < 0 else 1
    return size * (sign if keeps_sign else draws.choice((-1, 1)))


def _numbers(evidence: Evidence) -> Iterator[float]:
    """All numbers of a pass: beyond the range of floats nothing can be judged."""
    for value in evidence.order:
        yield value.data
    for step in evidence.steps:
        yield step.after


def _movable(evidence: Evidence, known: Mapping[str, float]) -> list[str]:
    """The keys of the leaves that are numbers of drawn objects.

    Other numbers that a program names, such as a slope in a method, may stand in both passes.
    """
    found = []
    for key, value in evidence.run.keys:
        if value in evidence.objects and key in known and not _is_wrapped(evidence, value):
            found.append(key)
    return found[:MOST]


def _is_wrapped(evidence: Evidence, value: RunNumber) -> bool:
    """Whether a number was made an object within an operation on another: the 2 of `a * 2`."""
    o = evidence.objects[value]
    calls = evidence.witness.writes.get(evidence.births.get(id(o), -1), ())
    return any(
        x is not o and x.number is not None for call in calls for x in call.variables.values()
    )
