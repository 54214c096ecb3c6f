"""Contributions that a gradient leaves out: those of some uses of its array."""

from __future__ import annotations

from itertools import combinations
from operator import add

from .judge import HandPass
from .model import HandGradient
from .truth import are_close

USES = 6
"""Uses of an array up to which all choices of them are compared."""


def left_out_use(passed: HandPass, row: HandGradient) -> str:
    """The text of the operation through which a contribution is missing; "" if none explains it."""
    uses = passed.matched.truth.uses.get(row.target, ())
    if not 2 <= len(uses) <= USES:
        return ""
    for count in range(len(uses) - 1, 0, -1):
        for chosen in combinations(uses, count):
            total = list(chosen[0].amount.data)
            for use in chosen[1:]:
                total = list(map(add, total, use.amount.data))
            if are_close(row.written.data, total, 1e-5):
                omitted = next(use for use in uses if use not in chosen)
                node = passed.nodes[omitted.user].node
                source = passed.run.source
                return f"{source.text_of(node)} in line {source.span(node)[0]}"
    return ""
