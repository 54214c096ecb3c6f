"""The cell of an array that the visitor has chosen: its numbers, and where it can be opened.

An address names it by `value`, as the array and the place in row-major order (a4.3), or as the
program writes it (W1[0, 2]).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from typing import NamedTuple

from app.explore.array_checks import cell_program, element_name
from app.explore.array_numbers import alike
from app.program_address import View
from engine.trace.array_batch import Batch
from engine.trace.array_paths import array_paths
from engine.trace.array_trace import ArrayTrace, TracedArray

LENS = "value"
_BY_ID = re.compile(r"(a\d{1,9})\.(\d{1,9})", re.ASCII)
_BY_NAME = re.compile(r"(.+?)\s*(?:\[([\d,\s]*)\])?", re.ASCII)


class ArrayCell(NamedTuple):
    """The cell `at`, in row-major order, of the array `node`."""

    node: str
    at: int


class CellPart(NamedTuple):
    """What the gradient of a cell received from the use of its array in one operation."""

    user: str
    amount: str
    after: str
    """The gradient with it."""
    href: str


class ArrayPathRow(NamedTuple):
    """A path of arrays to the loss, and what it adds to the gradient."""

    words: str
    amount: str


class SampleWalk(NamedTuple):
    """The sample of a cell, and the cells at its place in the ones before and after it."""

    sample: int
    length: int
    back: tuple[str, str] | None
    forward: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class CellCard:
    """A chosen cell: data, gradient, and the contributions that the gradient is the sum of."""

    name: str
    """As scripts and addresses have it: a4.3."""
    title: str
    data: str
    grad: str
    parts: Sequence[CellPart]
    href: str
    """The address of its scalar graph; "" where it has none."""
    paths: Sequence[ArrayPathRow] = ()
    path_count: int = 0
    walk: SampleWalk | None = None


def chosen_cell(trace: ArrayTrace, text: str) -> ArrayCell | None:
    """The cell that a text names; None if the trace has none such."""
    nodes = {node.id: node for node in trace.nodes}
    if found := _BY_ID.fullmatch(text.strip()):
        node = nodes.get(found[1])
        at = int(found[2])
        return ArrayCell(found[1], at) if node and at < len(node.data.data) else None
    found = _BY_NAME.fullmatch(text.strip()[:200])
    named = [node for node in trace.nodes if found and found[1] in (node.name, f"({node.name})")]
    if not named or found is None:
        return None
    at_or_none = _place(named[-1].data.shape, found[2] or "")
    return None if at_or_none is None else ArrayCell(named[-1].id, at_or_none)


def _place(shape: Sequence[int], text: str) -> int | None:
    """The place of an index in row-major order; None if it does not fit the shape."""
    try:
        index = [int(part) for part in text.split(",")] if text.strip() else []
    except ValueError:
        return None
    if len(index) != len(shape) or any(not 0 <= i < n for i, n in zip(index, shape, strict=True)):
        return None
    return sum(i * prod(shape[k + 1 :]) for k, i in enumerate(index))


def cell_href(node: TracedArray, args: Sequence[TracedArray], at: int) -> str:
    """The address of the scalar graph of a result's cell; "" if it cannot be opened."""
    text = cell_program(node, args, at)
    return "/?" + View(program=text).query() if text else ""


def cell_card(
    trace: ArrayTrace,
    nodes: Mapping[str, TracedArray],
    cell: ArrayCell,
    view: View,
    batch: Batch | None,
) -> CellCard:
    """What is said of the chosen cell: its numbers, the ledger of its gradient, its paths."""
    node = nodes[cell.node]
    received = [
        (nodes[frame.node].name, c.amount.data[cell.at], k)
        for k, frame in enumerate(trace.frames)
        for c in frame.contributions
        if c.to == node.id
    ]
    found = array_paths(trace, node.id, cell.at)
    after = list(accumulate(amount for _, amount, _ in received))
    grads = [path.amount for path in found.followed] + [amount for _, amount, _ in received] + after
    written = alike(grads if node.grad is None else [*grads, node.grad.data[cell.at]])
    data = node.data.data[cell.at]
    return CellCard(
        f"{cell.node}.{cell.at}",
        element_name(node, cell.at),
        alike([data])(data),
        "" if node.grad is None else written(node.grad.data[cell.at]),
        [
            CellPart(user, written(amount), written(total), f"/?{view.at(k).query()}")
            for (user, amount, k), total in zip(received, after, strict=True)
        ],
        cell_href(node, [nodes[arg] for arg in node.args], cell.at),
        [
            ArrayPathRow(" → ".join(nodes[id_].name for id_ in path.nodes), written(path.amount))
            for path in found.followed
        ],
        found.total,
        _walk(batch, node, cell, view),
    )


def _walk(batch: Batch | None, node: TracedArray, cell: ArrayCell, view: View) -> SampleWalk | None:
    """The way along the batch from a cell; None where its array has no batch axis."""
    sample = batch.sample(node, cell.at) if batch is not None else None
    if batch is None or sample is None:
        return None

    def there(step: int) -> tuple[str, str] | None:
        if not 0 <= sample + step < batch.length:
            return None
        name = f"{cell.node}.{cell.at + step * batch.stride(node)}"
        lenses = {**view.lenses, LENS: name}
        return name, f"/?{replace(view, lenses=lenses).query()}"

    return SampleWalk(sample + 1, batch.length, there(-1), there(1))
