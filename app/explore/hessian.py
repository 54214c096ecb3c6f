"""The section on higher derivatives: gradients as programs, and the Hessian with its check."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from app.explore.kept_gradients import other_gradient
from app.explore.nudge import SectionLink
from app.program_address import View
from engine.calculus.backward import NotDifferentiable
from engine.calculus.curvature import eigenvalues, kind
from engine.calculus.hessian import MOST, Hessian, HessianEntry, cost
from engine.calculus.writing import DerivativeProgram, is_within, successive
from engine.numbers import brief, compact, counted, in_equation
from engine.program import Limits
from engine.trace import nudge
from engine.trace.model import Node
from engine.trace.slopes import by_chain_rule
from engine.trace.traced import Trace

NOTHING = "No path leads from a leaf with a gradient to the output."
TOO_MUCH = "No Hessian: it would take more than {most:,} operations."
TOO_LONG = "The program is too long for a link; copy its text instead."
TOO_LARGE = "The program is larger than what is read, and cannot be drawn."
ONLY_SOME = "Only {count}: more would take more than {most:,} operations."
ORDERS = 6
"""Derivatives that are taken one after the other."""
CHIPS = 4
LONGEST_LINK = 60_000
LISTED = 60
"""Lines of a program that are shown."""
SINGLE = "The program has 32-bit numbers; here all are 64-bit floats."
KINDS = {
    "minimum": "A minimum over these leaves: the gradient is 0 and all eigenvalues are positive",
    "maximum": "A maximum over these leaves: the gradient is 0 and all eigenvalues are negative",
    "saddle": "A saddle: the gradient is 0, and there are eigenvalues of both signs",
    "convex": "It curves upwards in every direction of these leaves",
    "concave": "It curves downwards in every direction of these leaves",
    "both ways": "It curves upwards in some directions and downwards in others, as at a saddle",
    "partly flat": "It curves in some directions of these leaves, and in others not at all",
    "flat": "It does not curve: to second order the output is a plane over these leaves",
}
"""What the kind of a point means, by `engine.calculus.curvature.kind`."""


class Order(NamedTuple):
    """A derivative of some order: its name and number, the count of Values, what else is said."""

    name: str
    number: str
    values: str
    says: str
    lines: Sequence[str]
    more: int
    href: str


class HessianCell(NamedTuple):
    """An entry of the matrix, with the verdict of its check."""

    number: str
    full: str
    verdict: str
    ok: bool


class HessianRow(NamedTuple):
    """A row of the matrix."""

    name: str
    cells: Sequence[HessianCell]


class EntryCheck(NamedTuple):
    """The check of an entry."""

    names: str
    exact: str
    slope: str
    error: str
    verdict: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """The Hessian for some leaves; without rows, `missing` is the reason."""

    missing: str = ""
    names: Sequence[str] = ()
    rows: Sequence[HessianRow] = ()
    checks: Sequence[EntryCheck] = ()
    says: str = ""
    curvature: str = ""
    only: str = ""


@dataclass(frozen=True, slots=True)
class Second:
    """The section; without choices, `missing` is the reason."""

    missing: str = ""
    output: str = ""
    by: Sequence[SectionLink] = ()
    orders: Sequence[SectionLink] = ()
    over: Sequence[SectionLink] = ()
    derivatives: Sequence[Order] = ()
    problem: str = ""
    matrix: Matrix = Matrix()
    notes: Sequence[str] = ()


class HessianQuery(NamedTuple):
    """What an address asks for: the leaf, the order, the leaves of the matrix."""

    leaf: str
    order: int
    over: tuple[str, ...]


def second_view(shown: Trace, view: View, limits: Limits, most: int) -> Second:
    """The section that an address asks for, on the graph of a trace."""
    leaves = {node.id: node for node in nudge.movable(shown)}
    if not leaves:
        return Second(missing=NOTHING)
    fits = max(1, min(MOST, most // max(1, cost(shown, 1))))
    asked = _asked(view, leaves, fits)
    found, problem = _derivatives(shown, asked, limits, view)
    matrix = _matrix(shown, [leaves[key] for key in asked.over], most)
    if fits < min(MOST, len(leaves)):
        only = ONLY_SOME.format(count=counted(fits, "leaf"), most=most)
        matrix = replace(matrix, only=only.replace("leafs", "leaves"))
    derivative = by_chain_rule(shown).get(asked.leaf, 0.0)
    notes = [other_gradient(leaves[asked.leaf], derivative), SINGLE if shown.single else ""]
    return Second(
        output=shown.names()[shown.drawn],
        derivatives=found,
        problem=problem,
        matrix=matrix,
        notes=[note for note in notes if note],
        **_choices(leaves, asked, view, fits)._asdict(),
    )


def _asked(view: View, leaves: Mapping[str, Node], fits: int) -> HessianQuery:
    leaf, _, rest = view.lenses.get("second", "").partition("@")
    order, _, over = rest.partition("@")
    first = leaf if leaf in leaves else next(iter(leaves))
    number = int(order) if order.isascii() and order.isdigit() and len(order) < 3 else 1
    chosen = tuple(dict.fromkeys(key for key in over.split(",") if key in leaves))[:fits]
    return HessianQuery(first, min(max(number, 1), ORDERS), chosen or tuple(leaves)[:fits])


class _Choices(NamedTuple):
    by: Sequence[SectionLink]
    orders: Sequence[SectionLink]
    over: Sequence[SectionLink]


def _choices(leaves: Mapping[str, Node], asked: HessianQuery, view: View, fits: int) -> _Choices:
    def choice(
        label: str, leaf: str, order: int, over: Sequence[str], *, is_on: bool
    ) -> SectionLink:
        to = f"{leaf}@{order}@{','.join(over)}"
        return SectionLink(label, to, f"/?{view.with_lens('second', to).query()}", is_on)

    listed = [*dict.fromkeys([asked.leaf, *asked.over, *leaves])][: view.links // 2]
    nodes = [node for node in leaves.values() if node.id in set(listed)]
    last = max(CHIPS, asked.order)
    over = [
        choice(node.name, asked.leaf, asked.order, _toggled(asked.over, node.id, fits),
               is_on=node.id in asked.over)
        for node in nodes
    ]  # fmt: skip
    return _Choices(
        by=[choice(n.name, n.id, asked.order, asked.over, is_on=n.id == asked.leaf) for n in nodes],
        orders=[
            choice(str(k), asked.leaf, k, asked.over, is_on=k == asked.order)
            for k in range(1, last + 1)
        ],
        over=over if len(nodes) > 1 else (),
    )


def _toggled(over: Sequence[str], key: str, fits: int) -> list[str]:
    """The leaves with or without one; beyond what fits it takes the place of the last."""
    if key in over:
        return [other for other in over if other != key] or [*over]
    return [*over[: fits - 1], key]


# Programs


def _derivatives(
    shown: Trace, asked: HessianQuery, limits: Limits, view: View
) -> tuple[list[Order], str]:
    """The derivatives up to the order asked for, and why there are no more."""
    found: list[DerivativeProgram] = []
    try:
        found.extend(islice(successive(shown, asked.leaf, limits), asked.order))
    except NotDifferentiable as error:
        return [_order(one, limits, view) for one in found], str(error)
    return [_order(one, limits, view) for one in found], ""


def _order(found: DerivativeProgram, limits: Limits, view: View) -> Order:
    lines = found.text.splitlines()
    lenses = {"lens": view.lenses.get("lens", "second")}
    if found.place:
        lenses["second"] = f"v{found.place}@1@"
    opened = View(program=found.text, lenses=lenses)
    href = f"/?{opened.query()}" if found.text else ""
    too_large = TOO_LARGE if not is_within(found, limits) else ""
    too_large = too_large or (TOO_LONG if len(href) > LONGEST_LINK else "")
    return Order(
        found.name,
        in_equation(found.number),
        counted(found.values, "Value") if found.text else "",
        found.says or too_large,
        lines[:LISTED],
        max(0, len(lines) - LISTED),
        "" if too_large else href,
    )


# The matrix


def _matrix(shown: Trace, leaves: Sequence[Node], most: int) -> Matrix:
    if cost(shown, len(leaves)) > most:
        return Matrix(missing=TOO_MUCH.format(most=most))
    found = Hessian(shown, leaves)
    try:
        entries = found.check()
    except NotDifferentiable as error:
        return Matrix(missing=str(error))
    names = [leaf.name for leaf in leaves]
    size = len(leaves)
    rows = [
        HessianRow(name, [_cell(entry) for entry in entries[size * i : size * (i + 1)]])
        for i, name in enumerate(names)
    ]
    upper = [entries[size * i + j] for i in range(size) for j in range(i, size)]
    titles = {leaf.id: leaf.name for leaf in leaves}
    return Matrix(
        names=names,
        rows=rows,
        checks=[_measured(entry, titles) for entry in upper],
        says=_says(found, entries),
        curvature=_curvature(shown, found),
    )


def _cell(entry: HessianEntry) -> HessianCell:
    return HessianCell(in_equation(entry.exact), repr(entry.exact), entry.verdict, entry.ok)


def _measured(entry: HessianEntry, names: Mapping[str, str]) -> EntryCheck:
    return EntryCheck(
        f"{names[entry.row]}, {names[entry.column]}",
        in_equation(entry.exact),
        in_equation(entry.slope) if math.isfinite(entry.slope) else "–",
        brief(entry.error) if math.isfinite(entry.error) else "–",
        entry.verdict,
        entry.ok,
    )


def _says(found: Hessian, entries: Sequence[HessianEntry]) -> str:
    """The check in words: how many entries agree, the largest error, and the symmetry."""
    agree = [entry for entry in entries if entry.verdict == "agrees"]
    count = len(entries)
    worst: float = max((entry.error for entry in agree), default=0.0)
    size = f" (relative error at most {brief(worst)})" if worst else ""
    which = {0: "No entry agrees", count: "Every entry agrees" if count > 1 else "It agrees"}
    words = which.get(len(agree), f"{len(agree)} of {count} entries agree")
    words += f" with the measured slope of the gradient{size if agree else ''}."
    gap = found.asymmetry
    if count > 1 and math.isfinite(gap):
        mirrored = "equal" if gap == 0 else f"equal to within {brief(gap)} of the largest"
        words += f" Mirrored entries, from different sweeps, are {mirrored}."
    return words


def _curvature(shown: Trace, found: Hessian) -> str:
    """One sentence on the curvature at this point; "" if it is unknown."""
    rows = found.rows
    own = by_chain_rule(shown)
    gradient = [own.get(leaf.id, 0.0) for leaf in found.leaves]
    values = eigenvalues(rows)
    says = KINDS.get(kind(values, gradient), "")
    if not says:
        return ""
    if len(values) == 1:
        return f"{says}: the second derivative is {compact(values[0], 4)}."
    low, high = compact(values[0], 4), compact(values[-1], 4)
    return f"{says}; the eigenvalues go from {low} to {high}."
