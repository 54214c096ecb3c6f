"""The causes of wrong gradients, from the findings at several points.

A wrong amount may be explained in several ways at one point: minus the due one where the partial is
1 and the right one -1. The kind of a place is the one that explains all its writes, at all points.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from .amounts import LAST_PART
from .fault import Fault
from .faults import Explanation, Findings, Observed
from .kinds import KINDS

FIRST = ("changed_in_place", "altered", "object_in_gradient")
"""Kinds from which everything else may follow, the first ones first."""

BESIDE = frozenset({"wrong_result", "seed_missing", "wrong_seed"})
"""What may be named beside one of these."""


class Cause(NamedTuple):
    """A fault, and the index of the point at which it was found first."""

    fault: Fault
    point: int


def causes(found: Sequence[Findings]) -> list[Cause]:
    """The causes in the order in which the program made them, each place once."""
    listed: list[Cause] = []
    places: dict[tuple[str, int], None] = {}
    by_place, by_statement = _by_place(found), _by_statement(found)
    for point, findings in enumerate(found):
        mine = [*findings.faults, *_voted(findings, by_place, by_statement)]
        for fault in sorted(mine, key=lambda fault: fault.at):
            key = fault.kind, _line(fault.node)
            if key not in places:
                places[key] = None
                listed.append(Cause(fault, point))
    return _without_consequences(listed)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


Role = tuple[int, str, int]


def _role(observed: Observed) -> Role:
    return (_line(observed.place), *observed.role)


def _by_place(found: Sequence[Findings]) -> dict[Role, list[Observed]]:
    together: dict[Role, list[Observed]] = {}
    for findings in found:
        for observed in findings.observed:
            together.setdefault(_role(observed), []).append(observed)
    return together


def _by_statement(found: Sequence[Findings]) -> dict[int, list[Observed]]:
    together: dict[int, list[Observed]] = {}
    for findings in found:
        for observed in findings.observed:
            together.setdefault(_line(observed.statement), []).append(observed)
    return together


def _voted(
    findings: Findings,
    by_place: dict[Role, list[Observed]],
    by_statement: dict[int, list[Observed]],
) -> list[Fault]:
    """The faults of wrong amounts, each of the kind that explains all writes of its place."""
    voted = []
    for observed in findings.observed:
        if not observed.is_wrong:
            continue
        kind, note = _kind(by_place[_role(observed)])
        general = _upstream(by_statement[_line(observed.statement)])
        if general is not None:
            kind, note = "upstream_missing", general
        is_whole = kind == "upstream_missing" and (general is not None or not observed.is_made)
        place = observed.statement if is_whole else observed.place
        voted.append(replace(observed.fault, kind=kind, node=place, note=note))
    return voted


def _upstream(together: Sequence[Observed]) -> str | None:
    """The foreign upstream that explains all that a statement writes; empty if it has none."""
    if len({observed.role for observed in together}) < 2:
        return None
    of_all = frozenset.intersection(*[observed.kinds for observed in together])
    if len({o.place for o in together if o.is_wrong and o.is_of_rule}) == 1:
        return None  # one function alone leaves out the gradient that it was given
    notes = sorted(note for kind, note in of_all if kind == "upstream_missing")
    return notes[0] if notes else None


def _kind(together: Sequence[Observed]) -> Explanation:
    """The first kind that explains all writes, with its note; of a wrong variable all wrong ones.

    A write to the right variable may be of an amount that no other variable explains.
    """
    of_all = frozenset.intersection(*[observed.kinds for observed in together])
    of_wrong = frozenset.intersection(*[it.kinds for it in together if it.is_wrong])
    variable = {it for it in of_wrong if it[0] == "wrong_variable"}
    order = list(KINDS)
    of_all -= {("upstream_missing", LAST_PART)}  # which a line for all operations has to show
    return min({*of_all, *variable}, key=lambda it: (order.index(it[0]), it[1]))


def _without_consequences(listed: list[Cause]) -> list[Cause]:
    """Without wrong partials of results that are themselves wrong."""
    alone = {_line(c.fault.node) for c in listed if c.fault.kind == "upstream_missing"}
    is_lost = any(cause.fault.kind == "assigned" for cause in listed)
    listed = [
        c
        for c in listed
        if c.fault.kind != "order" or not (is_lost or _line(c.fault.node) in alone)
    ]
    for first in FIRST:
        if any(cause.fault.kind == first for cause in listed):
            return [cause for cause in listed if cause.fault.kind in BESIDE | {first}]
    wrong = {cause.fault.value for cause in listed if cause.fault.kind == "wrong_result"}
    if not wrong:
        return listed
    return [
        cause
        for cause in listed
        if cause.fault.kind == "wrong_result"
        or cause.fault.edge is None
        or cause.fault.edge.user not in wrong
    ]
