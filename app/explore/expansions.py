"""The section “Open operations”: which ops of the graph can be opened, and the numbers of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.program_address import View
from engine.numbers import with_minus
from engine.ops import OPS
from engine.trace.expand import can_open, expanded
from engine.trace.expansion import text_of
from engine.trace.group_borders import CALLS, group_borders
from engine.trace.model import Node, Opened
from engine.trace.traced import Trace

LISTED = 60
"""Operations that the section lists."""
BOXES, BORDERS = 6, 8
"""Open boxes that it lists, and inputs of each."""
PARAMETER = "expand"


class ComparedNumbers(NamedTuple):
    """A number through the expansion and by the op; `differ` says by how much they differ."""

    of: str
    through: str
    by: str
    differ: str


@dataclass(frozen=True, slots=True)
class OpRow:
    """An op that can be opened; `href` opens it, or closes it if it is open."""

    node: str
    name: str
    sign: str
    text: str
    is_open: bool
    href: str
    numbers: Sequence[ComparedNumbers] = ()


@dataclass(frozen=True, slots=True)
class BoxRow:
    """An open box, such as a neuron, with the gradients at its border; `more` are not listed."""

    title: str
    numbers: Sequence[ComparedNumbers]
    more: int


@dataclass(frozen=True, slots=True)
class ExpansionsView:
    """The section: the ops, how many more there are, why some stay closed, and open boxes."""

    rows: Sequence[OpRow] = ()
    more: int = 0
    closed: Sequence[str] = ()
    boxes: Sequence[BoxRow] = ()


def expansions_view(trace: Trace, view: View) -> ExpansionsView:
    """The section for a trace and the opened ops of its address."""
    wanted = view.listed(PARAMETER)
    shown = expanded(trace, wanted)
    names, by_id = shown.names(), {node.id: node for node in shown.nodes}
    opened = {found.node: found for found in shown.opened}
    rows = [_open_row(found, names, wanted, view) for found in opened.values()]
    rows += [
        _closed_row(node, by_id, wanted, view)
        for node in shown.nodes
        if node.id not in opened and can_open(node)
    ]
    closed = tuple(found.message for found in shown.kept_closed)
    left_out = max(len(rows) - LISTED, 0)
    return ExpansionsView(tuple(rows[:LISTED]), left_out, closed, tuple(_boxes(trace, view)))


def _boxes(trace: Trace, view: View) -> Iterator[BoxRow]:
    """The boxes that the address opens."""
    names, opened = trace.names(), view.open or frozenset()
    wanted = [
        group
        for group in trace.groups
        if group.id in opened and group.kind in CALLS and not group.expands
    ]
    found = group_borders(trace, [group.id for group in wanted[:BOXES]])
    for group in wanted:
        borders = found.get(group.id, ())
        numbers = [_numbers(f"gradient to {names[b.to]}", b.through, b.by) for b in borders]
        if numbers:
            yield BoxRow(group.title, numbers[:BORDERS], max(len(numbers) - BORDERS, 0))


def op_row(shown: Trace, node: Node, view: View) -> OpRow | None:
    """The row of one Value of a trace with operations opened; None if it has none to open."""
    wanted = view.listed(PARAMETER)
    for found in shown.opened:
        if found.node == node.id:
            return _open_row(found, shown.names(), wanted, view)
    by_id = {other.id: other for other in shown.nodes}
    return _closed_row(node, by_id, wanted, view) if can_open(node) else None


def href_of(view: View, wanted: Sequence[str], node: str) -> str:
    """The address with the op of `node` opened, or closed if it is open."""
    ids = [name for name in wanted if name != node]
    ids += [node] if node not in wanted else []
    return f"/?{view.at(None).with_lens(PARAMETER, ','.join(ids)).query()}"


def _closed_row(node: Node, by_id: Mapping[str, Node], wanted: Sequence[str], view: View) -> OpRow:
    op, text = OPS[node.op or ""], text_of(node, by_id)
    return OpRow(node.id, node.name, op.symbol, text, False, href_of(view, wanted, node.id))


def _open_row(found: Opened, names: dict[str, str], wanted: Sequence[str], view: View) -> OpRow:
    numbers = [_numbers("result", found.through, found.by)]
    numbers += [_numbers(f"gradient to {names[b.to]}", b.through, b.by) for b in found.borders]
    op, href = OPS[found.op], href_of(view, wanted, found.node)
    return OpRow(found.node, names[found.node], op.symbol, found.text, True, href, numbers)


def _numbers(of: str, through: float, by: float) -> ComparedNumbers:
    gap = abs(through - by)
    is_same = through == by or (through != through and by != by)
    differ = "they are equal" if is_same else f"they differ by {gap:.1e}"
    return ComparedNumbers(of, with_minus(f"{through:.12g}"), with_minus(f"{by:.12g}"), differ)
