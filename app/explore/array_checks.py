"""What stands below the rules of whole arrays: mistakes that were tried, and measured slopes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple

from app.explore.array_numbers import alike
from app.explore.array_words import array_name
from app.picture.array_picture import shape_text
from engine.array_ops.grid import indices
from engine.array_ops.ops import ARRAY_OPS
from engine.trace import array_check, array_sabotage
from engine.trace.array_sabotage import ARRAY_MISTAKES, BrokenArray
from engine.trace.array_trace import ArrayContribution, ArrayTrace, TracedArray


class BrokenRule(NamedTuple):
    """A mistake with whole arrays, and what it makes of a contribution."""

    title: str
    says: str


class LeafCheckRow(NamedTuple):
    """A leaf whose gradient is checked: along a direction, and one cell."""

    name: str
    predicted: str
    measured: str
    cell: str
    cell_predicted: str
    cell_measured: str


def element_name(node: TracedArray, at: int) -> str:
    shape = node.data.shape
    if not shape:
        return node.name
    index = ", ".join(map(str, list(indices(shape))[at]))
    return f"{array_name(node)}[{index}]"


def broken_rules(
    node: TracedArray, args: list[TracedArray], arg: TracedArray, c: ArrayContribution
) -> list[BrokenRule]:
    """The mistakes that can be made with a contribution, each with what it makes."""
    return [_broken(found, arg, c) for found in array_sabotage.broken(node, args, c)]


def _broken(found: BrokenArray, arg: TracedArray, c: ArrayContribution) -> BrokenRule:
    """What a mistake makes: a refusal, another shape, or another number."""
    title = ARRAY_MISTAKES[found.name]
    if found.made is None:
        return BrokenRule(title, f"The shapes do not fit: {found.refused}.")
    if found.made.shape != c.amount.shape:
        made, due = shape_text(found.made.shape), shape_text(c.amount.shape)
        return BrokenRule(title, f"The result has the shape {made}; {arg.name} has {due}.")
    pairs = list(zip(found.made.data, c.amount.data, strict=True))
    at = max(range(len(pairs)), key=lambda i: abs(pairs[i][0] - pairs[i][1]))
    wrong, due = map(alike(pairs[at]), pairs[at])
    refused = " PyTorch refuses this pass." if found.name == "in_place" else ""
    return BrokenRule(title, f"∂{element_name(arg, at)} becomes {wrong} instead of {due}.{refused}")


def check_rows(trace: ArrayTrace) -> Iterator[LeafCheckRow]:
    """The gradients of the leaves against measured slopes."""
    leaves = {node.name: node for node in trace.nodes if node.op is None}
    for it in array_check.checks(trace):
        numbers = (it.predicted, it.measured, it.cell_predicted, it.cell_measured)
        along, measured, cell, cell_measured = map(alike(numbers), numbers)
        name = element_name(leaves[it.name], it.cell)
        yield LeafCheckRow(it.name, along, measured, name, cell, cell_measured)


OPENED = 60
"""Elements that one cell is made of up to which it can be opened."""


def cell_formula(node: TracedArray, args: Sequence[TracedArray], at: int) -> str:
    """The formula of one cell of a result, of elements x[3] of its arguments; "" if it has none."""
    op = ARRAY_OPS.get(node.op or "")
    if op is None or not node.data.data:
        return ""
    try:
        return op.scalar(at, [arg.data.shape for arg in args], node.params)
    except (ValueError, IndexError, KeyError, TypeError):
        return ""


def elements_in(
    text: str, node: TracedArray, args: Sequence[TracedArray]
) -> dict[tuple[str, int], float]:
    """The elements that a formula is made of, by the argument's name and the place."""
    op = ARRAY_OPS[node.op or ""]
    known = {op.name_of(slot): arg.data.data for slot, arg in enumerate(args)}
    found = dict.fromkeys((name, int(place)) for name, place in ELEMENT.findall(text))
    return {(name, place): known[name][place] for name, place in found}


def cell_program(node: TracedArray, args: Sequence[TracedArray], at: int) -> str:
    """The program of one cell of a result: its formula, of named numbers; "" if it has none."""
    text = cell_formula(node, args, at)
    used = elements_in(text, node, args) if text else {}
    if not 0 < len(used) <= OPENED or not all(map(isfinite, used.values())):
        return ""
    lines = [f"{name}{place} = {number!r}" for (name, place), number in used.items()]
    formula = ELEMENT.sub(lambda match: match[1] + match[2], text)
    return "\n".join([*lines, f"cell = {formula}"])


ELEMENT = re.compile(r"\b(\w+)\[(\d+)\]")
