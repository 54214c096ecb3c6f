"""The part of a Value's card on its paths to the output: each a product, or how many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10, prod
from typing import NamedTuple

from app.picture.steps import Folded
from engine.numbers import compact
from engine.trace import slopes
from engine.trace.ledger import CONTRIBUTION, Ledger
from engine.trace.model import Node
from engine.trace.paths import GraphPath, PathCounts, PathSum, path_sum
from engine.trace.traced import Trace

NAME = 16
"""Characters of a name in a path."""
SHOWN_USES = 7
"""Uses of a path whose names and factors are shown; of a longer one the first and the last."""
USUAL, MOST = 6, 16
"""Significant digits of a factor, and those that tell it from any other."""
EXACT = 10**24
"""Counts below it are written out in their sentence; larger ones next to it."""
MOST_DIGITS = 4_000
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

UNKNOWN = "Seegrad could not trace how a number on a path was computed, so a factor is unknown."
NOT_COMPARED = (
    "A product is not finite or too small to keep its digits, so that sum and pass may differ."
)
KINK = "A factor marked * is a subgradient at a kink, which is a convention."
SWEEP = "One reverse sweep adds them all up: a contribution for each edge, no path twice."


class PathRow(NamedTuple):
    """A path: names of its Values, its factors and product; `uses` are its edges as v3.0 v5.1.

    The slot of a use by a closed formula is -1. `title` has the names uncut.
    """

    names: str
    title: str
    factors: Sequence[str]
    product: str
    uses: str


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths of a card: rows while they are few, and sentences; `digits` is a long count."""

    heading: str
    total: str = ""
    rows: Sequence[PathRow] = ()
    sentences: Sequence[str] = ()
    digits: str = ""
    derivative: float | None = None
    """The gradient by one pass from zero, None where it is unknown."""


def paths(trace: Trace, node: Node, ledger: Ledger | None, closed: Mapping[str, Folded]) -> Paths:
    """The paths from `node` to the output of `trace`, over its closed formulas."""
    around = {key: fold for key, fold in closed.items() if node.id not in fold.inner}
    sums = path_sum(trace, node, PathCounts(trace, around))
    names = trace.names()
    output = names[trace.drawn]
    if sums.count == 0:
        return Paths(f"No path to {output}", derivative=sums.derivative)
    if sums.listed is None:
        return _counted(sums, output)
    noun = "1 path" if sums.count == 1 else f"{sums.count} paths"
    rows = tuple([_row(path, node.name, names) for path in sums.listed])
    total = "" if sums.total is None else compact(sums.total)
    return Paths(
        heading=f"{noun} to {output}" + (", each a product" if sums.count > 1 else ""),
        total=total,
        rows=rows if sums.listed[0].uses else (),
        sentences=tuple(_sentences(trace, sums, ledger, names)),
        derivative=sums.derivative,
    )


def _counted(sums: PathSum, output: str) -> Paths:
    """Only the number of paths, exactly."""
    said = [SWEEP]
    if sums.derivative is not None:
        said.append(f"Their sum is {compact(sums.derivative)}.")
    if sums.count < EXACT:
        heading = f"{sums.count:,} paths to {output}"
        return Paths(heading, sentences=said, derivative=sums.derivative)
    power = int(log10(sums.count))
    first = sums.count // 10 ** max(power - 3, 0) / 1000
    heading = f"about {first:.3g} × 10{str(power).translate(_SUPERSCRIPT)} paths to {output}"
    digits = str(sums.count) if power < MOST_DIGITS else ""
    return Paths(heading, sentences=said, digits=digits, derivative=sums.derivative)


def _row(path: GraphPath, start: str, names: Mapping[str, str]) -> PathRow:
    called = [start, *[names[use.to] for use in path.uses]]
    title = " → ".join(called)
    called = [name if len(name) <= NAME else f"{name[: NAME - 1]}…" for name in called]
    digits = _digits([use.factor for use in path.uses], path.product)
    factors = [_factor(use.factor, use.at_kink, digits) for use in path.uses]
    if len(path.uses) > SHOWN_USES:
        called = [*called[:4], "…", *called[-2:]]
        factors = [*factors[:3], "…", *factors[-2:]]
    product = "unknown" if path.product is None else compact(path.product)
    uses = " ".join([f"{use.to}.{use.slot}" for use in path.uses])
    return PathRow(" → ".join(called), title, factors, product, uses)


def _factor(factor: float | None, at_kink: bool, digits: int) -> str:
    text = "?" if factor is None else compact(factor, digits)
    return f"{text}*" if at_kink else text


def _digits(factors: Sequence[float | None], product: float | None) -> int:
    """The least significant digits with which the shown factors give the shown product.

    USUAL if there is no number, if a longer path leaves out factors, or if no digits do.
    """
    known = [factor for factor in factors if factor is not None]
    if product is None or len(known) < len(factors) or len(factors) > SHOWN_USES:
        return USUAL
    goal = compact(product)
    for digits in range(USUAL, MOST):
        shown = [float(compact(factor, digits).replace("−", "-")) for factor in known]
        if compact(prod(shown)) == goal:
            return digits
    return USUAL


def _sentences(
    trace: Trace, sums: PathSum, ledger: Ledger | None, names: Mapping[str, str]
) -> list[str]:
    said = []
    assert sums.listed is not None
    if sums.total is None:
        said.append(UNKNOWN)
    elif sums.agrees is None:
        said.append(NOT_COMPARED if sums.derivative is not None else UNKNOWN)
    elif sums.count > 1:
        said.append(_agreement(trace, sums))
    if any(use.at_kink for path in sums.listed for use in path.uses):
        said.append(KINK)
    if sums.agrees and ledger is not None and not slopes.is_by_hand(trace):
        said += _shared(sums.listed, ledger, names)
    return said


def _agreement(trace: Trace, sums: PathSum) -> str:
    total, derivative = compact(sums.total or 0.0), compact(sums.derivative or 0.0)
    of = "the true gradient" if slopes.is_by_hand(trace) else "the gradient of one pass from zero"
    if sums.agrees:
        return f"They sum to {total}, {of}."
    return f"They sum to {total}; {of} is {derivative}."


def _shared(listed: Sequence[GraphPath], ledger: Ledger, names: Mapping[str, str]) -> list[str]:
    """Of the last entry of the ledger that several paths share: their products."""
    for entry in reversed(ledger.entries):
        first = (entry.user, entry.slot)
        own = [path.product or 0.0 for path in listed if path.uses and path.uses[0][1:3] == first]
        if entry.kind != CONTRIBUTION or entry.amount is None or not 1 < len(own) <= 4:
            continue
        if abs(sum(own) - entry.amount) > 1e-9 * sum(map(abs, own)):
            continue  # gradients held before the pass flowed along as well
        products = [compact(product) for product in own]
        listed_words = f"{', '.join(products[:-1])} and {products[-1]}"
        through, together = names[entry.user], compact(entry.amount)
        said = f"The entry through {through} is {len(own)} paths at once: {listed_words}"
        return [f"{said}, together {together}."]
    return []
