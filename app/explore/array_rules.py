"""What an argument of an array operation receives: in symbols, in shapes, one cell in numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, isfinite, prod
from typing import NamedTuple

from app.explore.array_checks import BrokenRule, broken_rules, element_name
from app.picture.array_map import array_number, scale_of
from app.picture.array_picture import shape_text
from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.table import ArrayOp
from engine.numbers import counted
from engine.trace.array_trace import ArrayContribution, TracedArray

TERMS = 12
"""Terms of a cell that are written out."""
WORK = 60_000
"""Elements that are computed to take one cell of a gradient apart."""
READ = 512
"""Elements of a result up to which it is asked which of them were made of a cell."""


class ArrayTerm(NamedTuple):
    """One term of a cell: gradient of a cell of the result times how it depends on this one."""

    gradient: str
    factor: str
    amount: str
    width: float
    is_negative: bool


class ArrayTerms(NamedTuple):
    """The terms of a cell that are written out, how many it has, and what the others add up to."""

    shown: Sequence[ArrayTerm] = ()
    words: str = ""
    others: str = ""
    rest: str = ""


class ArrayRule(NamedTuple):
    """What one argument receives: in symbols, in shapes, and one cell of it in numbers."""

    to: str
    symbols: str
    shapes: str
    broadcast: str
    cell: str
    terms: ArrayTerms
    total: str
    broken: Sequence[BrokenRule] = ()


def array_rule(
    nodes: Mapping[str, TracedArray], node: TracedArray, c: ArrayContribution, chosen: int | None
) -> ArrayRule:
    """The rule of a contribution, with the `chosen` cell in numbers, else the largest."""
    op = ARRAY_OPS.get(node.op or "")
    arg = nodes[c.to]
    args = [nodes[a] for a in node.args]
    symbols = shapes = ""
    if op is not None:
        total = "Σ " if c.summed else ""
        text = _in_names(op.rule(c.slot).text, op, node, args)
        symbols = f"∂L/∂{_factor(arg)} = {total}{text}"
        shapes = _rule_shapes(node, args, c)
    broadcast = ""
    if c.summed:
        wide = node.data.shape
        count = prod(wide[k] for k in c.summed)
        broadcast = (
            f"{arg.name} was broadcast: its {shape_text(arg.data.shape)} was used {count} times. "
            f"So its gradient is the sum along {axes_words(c.summed, wide)}."
        )
    broken = broken_rules(node, args, arg, c)
    if not c.amount.data:
        return ArrayRule(arg.name, symbols, shapes, broadcast, "", ArrayTerms(), "", broken)
    at = largest(c.amount.data) if chosen is None else chosen
    terms = _terms(op, node, args, c, at)
    cell, amount = f"∂{element_name(arg, at)}", array_number(c.amount.data[at])
    return ArrayRule(arg.name, symbols, shapes, broadcast, cell, terms, amount, broken)


def _rule_shapes(node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution) -> str:
    y, mine = node.data.shape, args[c.slot].data.shape
    if node.op == "@" and all(len(arg.data.shape) == 2 for arg in args):
        other = args[1 - c.slot].data.shape
        turned = other[::-1]
        sides = (y, turned) if c.slot == 0 else (turned, y)
        return f"{shape_text(mine)} = {' · '.join(map(shape_text, sides))}"
    if c.summed:
        return f"{shape_text(mine)} = Σ over {axes_words(c.summed, y)} of {shape_text(y)}"
    return f"{shape_text(mine)} from {shape_text(y)}"


def _terms(
    op: ArrayOp | None,
    node: TracedArray,
    args: Sequence[TracedArray],
    c: ArrayContribution,
    at: int,
) -> ArrayTerms:
    """The terms of one cell of a contribution, one for each cell of the result made of it.

    The largest are written out; where finding these takes too long, the first.
    """
    if op is None or node.grad is None or len(node.data.data) > READ:
        return ArrayTerms()
    shapes = [arg.data.shape for arg in args]
    reads = range(len(node.data.data))
    cells = [i for i in reads if at in op.reads(i, shapes, node.params)[c.slot]]
    work = max([len(node.data.data), *(len(arg.data.data) for arg in args)])
    most = WORK // work if node.op != "@" else len(cells)
    if most < min(len(cells), TERMS):
        return ArrayTerms()
    asked = cells if len(cells) <= most else cells[:TERMS]
    grad = node.grad.data
    found = [(grad[i], factor) for i, factor in _factors(op, node, args, c.slot, at, asked)]
    order = "largest " if len(cells) > TERMS and asked is cells else ""
    if order:
        ranked = sorted(found, key=lambda t: -abs(t[0] * t[1]) if isfinite(t[0] * t[1]) else 0)
        found = ranked[:TERMS]
    shown = tuple(_shown(found))
    left = len(cells) - len(found)
    if not shown or left == 0:
        return ArrayTerms(shown, counted(len(shown), "term") if len(shown) > 1 else "")
    rest = c.amount.data[at] - fsum(g * f for g, f in found)
    words = f"the {len(shown)} {order}of {len(cells):,} terms"
    others = f"the other {left:,}" if left > 1 else "the other one"
    return ArrayTerms(shown, words, others, array_number(rest))


def _factors(
    op: ArrayOp,
    node: TracedArray,
    args: Sequence[TracedArray],
    slot: int,
    at: int,
    cells: Sequence[int],
) -> Iterator[tuple[int, float]]:
    """∂yᵢ/∂xⱼ of the cells i of a result y, for the cell j = `at` of an argument."""
    given = [arg.data for arg in args]
    if node.op == "@":  # it is linear: the product with the unit array at j
        given[slot] = _unit(given[slot].shape, len(given[slot].data), at)
        product = op.forward(given, node.params).data
        yield from ((i, product[i]) for i in cells)
        return
    wanted = [k == slot for k in range(len(args))]
    for i in cells:
        one = _unit(node.data.shape, len(node.data.data), i)
        part = op.vjp(one, given, node.data, node.params, wanted)[slot]
        if part is not None:
            yield i, part.data[at]


def _unit(shape: tuple[int, ...], size: int, at: int) -> Flat:
    data = [0.0] * size
    data[at] = 1.0
    return Flat(shape, data)


def _shown(found: Sequence[tuple[float, float]]) -> Iterator[ArrayTerm]:
    end = scale_of([g * f for g, f in found]) or 1.0
    for g, f in found:
        amount = g * f
        width = round(100 * min(abs(amount) / end, 1.0)) if isfinite(amount) else 0
        numbers = array_number(g, paren=True), array_number(f, paren=True), array_number(amount)
        yield ArrayTerm(*numbers, width, amount < 0)


def largest(data: Sequence[float]) -> int:
    return max(range(len(data)), key=lambda i: abs(data[i]) if isfinite(data[i]) else -1, default=0)


def axes_words(axes: Sequence[int], shape: Sequence[int]) -> str:
    return " and ".join([f"axis {k} of length {shape[k]}" for k in axes])


def _in_names(text: str, op: ArrayOp, node: TracedArray, args: Sequence[TracedArray]) -> str:
    """A rule with the names of the program: of its arguments and of the result."""
    names = {op.name_of(slot): _factor(arg) for slot, arg in enumerate(args)} | {"y": _factor(node)}
    parts = re.split(r"(∂L/∂y|\b[A-Za-z][A-Za-z0-9_]*)", text)
    put = [f"∂L/∂{_factor(node)}" if part == "∂L/∂y" else names.get(part, part) for part in parts]
    return "".join(put)


def _factor(node: TracedArray) -> str:
    return node.name if node.is_named or node.is_constant else f"({node.name})"
