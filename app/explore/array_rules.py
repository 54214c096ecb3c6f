"""What an argument of an array operation receives: in symbols, in shapes, one cell in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import fsum, isfinite, prod
from typing import NamedTuple

from markupsafe import Markup

from app.explore.array_checks import BrokenRule, broken_rules, element_name
from app.explore.array_numbers import alike, held
from app.explore.array_words import backward_words
from app.picture.array_map import scale_of
from app.picture.array_picture import shape_text
from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.pointwise import Pointwise
from engine.array_ops.rules import formula_mathml, gradient
from engine.array_ops.table import ArrayOp
from engine.numbers import counted
from engine.trace import symbols
from engine.trace.array_batch import Batch
from engine.trace.array_trace import ArrayContribution, TracedArray
from engine.trace.cases import specialised

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
    is_of_sample: bool
    """Whether it is a term of the sample that was chosen."""


class ArrayTerms(NamedTuple):
    """The terms of a cell that are written out, how many it has, and what the others add up to."""

    shown: Sequence[ArrayTerm] = ()
    words: str = ""
    others: str = ""
    rest: str = ""


class ArrayRule(NamedTuple):
    """What one argument receives: in symbols, in shapes, and one cell of it in numbers."""

    to: str
    says: str
    symbols: Markup
    shapes: str
    broadcast: str
    cell: str
    terms: ArrayTerms
    total: str
    broken: Sequence[BrokenRule] = ()


NOTHING = ArrayTerms()


class ShownCell(NamedTuple):
    """What the frames show in numbers: the cell that was chosen, and its sample."""

    node: str = ""
    at: int = 0
    sample: int | None = None
    batch: Batch | None = None

    def cell_of(self, node: TracedArray, data: Sequence[float]) -> int:
        """The cell of an array that is shown: that chosen, else the largest, of its sample."""
        if node.id == self.node:
            return self.at
        if self.sample is None or self.batch is None or node.id not in self.batch.nodes:
            return largest(data)
        wide = self.batch.stride(node)
        start = self.sample * wide
        return start + largest(data[start : start + wide])

    def has(self, node: TracedArray, cell: int) -> bool:
        """Whether a cell is one of the chosen sample."""
        batch = self.batch
        return batch is not None and self.sample is not None and (
            batch.sample(node, cell) == self.sample
        )  # fmt: skip


def array_rule(
    nodes: Mapping[str, TracedArray], node: TracedArray, c: ArrayContribution, shown: ShownCell
) -> ArrayRule:
    """The rule of a contribution, with one cell in numbers."""
    op = ARRAY_OPS.get(node.op or "")
    arg = nodes[c.to]
    args = [nodes[a] for a in node.args]
    equation, shapes = Markup(), ""
    if op is not None:
        equation = _equation(op, node, args, c)
        shapes = _rule_shapes(node, args, c, shown.batch)
    broadcast = ""
    if c.summed:
        wide = node.data.shape
        count = prod(wide[k] for k in c.summed)
        broadcast = (
            f"{arg.name} was broadcast: each of its cells was used {count} times. So its "
            f"gradient is the sum along {axes_words(c.summed, node, shown.batch)}."
        )
    broken = broken_rules(node, args, arg, c)
    says = backward_words(node, args, c.slot)
    if not c.amount.data:
        return ArrayRule(arg.name, says, equation, shapes, broadcast, "", NOTHING, "", broken)
    at = shown.cell_of(arg, c.amount.data)
    terms, amount = _terms(op, node, args, c, at, shown)
    cell = f"∂{element_name(arg, at)}"
    return ArrayRule(arg.name, says, equation, shapes, broadcast, cell, terms, amount, broken)


def _equation(
    op: ArrayOp, node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> Markup:
    """∂L/∂x = what it receives, as MathML."""
    source = _folded(op.rule(c.slot).source, op, node, args)
    right = formula_mathml(source, _names(op, node, args))
    total = "<mo>Σ</mo>" if c.summed and right else ""
    return _math(f"{gradient(array_math(args[c.slot]))}<mo>=</mo>{total}{right}")


def forward_equation(op: ArrayOp, node: TracedArray, args: Sequence[TracedArray]) -> Markup:
    """y = f(x), as MathML; empty for an operation without a formula."""
    found = getattr(op.forward, "__self__", None)
    source = found.formula if isinstance(found, Pointwise) else "a @ b" if node.op == "@" else ""
    if not source:
        return Markup()
    right = formula_mathml(_folded(source, op, node, args), _names(op, node, args))
    return _math(f"{array_math(node)}<mo>=</mo>{right}")


def _math(inner: str) -> Markup:
    return Markup(  # noqa: S704  names in it are escaped
        f'<math class="equation" display="block"><mrow>{inner}</mrow></math>'
    )


def _folded(source: str, op: ArrayOp, node: TracedArray, args: Sequence[TracedArray]) -> str:
    """A rule with the constants of the program, its settings and counts worked out."""
    if not source:
        return ""
    if node.params.get("reduction", "mean") != "mean":
        source = source.replace(" / n", "")
    known = {name: x for name, x in node.params.items() if isinstance(x, int | float)}
    known |= {
        op.name_of(slot): arg.data.data[0]
        for slot, arg in enumerate(args)
        if arg.is_constant and len(arg.data.data) == 1
    }
    if node.op == "mean":
        known["n"] = len(args[0].data.data) // max(len(node.data.data), 1)
    for name, number in known.items():
        source = specialised(source, name, float(number))
    return source


def _names(op: ArrayOp, node: TracedArray, args: Sequence[TracedArray]) -> dict[str, str]:
    found = {op.name_of(slot): array_math(arg) for slot, arg in enumerate(args)}
    return found | {"y": array_math(node)}


LETTERS = 26
"""Of an expression that stands for an array."""


def array_math(node: TracedArray) -> str:
    """An array in a formula: its name, else its expression in parentheses."""
    if node.is_named or node.is_constant:
        return f"<mrow>{symbols.mathml(node.name)}</mrow>"
    half = LETTERS // 2
    is_long = len(node.name) > LETTERS
    text = f"{node.name[:half]}…{node.name[1 - half :]}" if is_long else node.name
    return f'<mrow><mo>(</mo><mtext class="code">{escape(text)}</mtext><mo>)</mo></mrow>'


def _rule_shapes(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution, batch: Batch | None
) -> str:
    y, mine = node.data.shape, args[c.slot].data.shape
    if node.op == "@" and all(len(arg.data.shape) == 2 for arg in args):
        other = args[1 - c.slot].data.shape
        turned = other[::-1]
        sides = (y, turned) if c.slot == 0 else (turned, y)
        return f"{shape_text(mine)} = {' · '.join(map(shape_text, sides))}"
    if c.summed:
        return f"{shape_text(mine)} = Σ of {shape_text(y)} over {axes_words(c.summed, node, batch)}"
    return f"{shape_text(mine)} from {shape_text(y)}"


def _terms(
    op: ArrayOp | None,
    node: TracedArray,
    args: Sequence[TracedArray],
    c: ArrayContribution,
    at: int,
    shown: ShownCell,
) -> tuple[ArrayTerms, str]:
    """The terms of one cell of a contribution, one for each cell of the result made of it; and
    their sum.

    The largest are written out; where finding these takes too long, the first.
    """
    amount = c.amount.data[at]
    alone = NOTHING, alike([amount])(amount)
    if op is None or node.grad is None or len(node.data.data) > READ:
        return alone
    shapes = [arg.data.shape for arg in args]
    reads = range(len(node.data.data))
    cells = [i for i in reads if at in op.reads(i, shapes, node.params)[c.slot]]
    work = max([len(node.data.data), *(len(arg.data.data) for arg in args)])
    most = WORK // work if node.op != "@" else len(cells)
    if most < min(len(cells), TERMS):
        return alone
    asked = cells if len(cells) <= most else cells[:TERMS]
    grad = node.grad.data
    found = [
        (grad[i], factor, shown.has(node, i))
        for i, factor in _factors(op, node, args, c.slot, at, asked)
    ]
    order = "largest " if len(cells) > TERMS and asked is cells else ""
    if order:
        ranked = sorted(found, key=lambda t: -abs(t[0] * t[1]) if isfinite(t[0] * t[1]) else 0)
        found = ranked[:TERMS]
    left = len(cells) - len(found)
    if not found:
        return alone
    rest = amount - fsum(g * f for g, f, _ in found) if left else 0.0
    gradients = alike([amount, rest, *(g for g, _, _ in found), *(g * f for g, f, _ in found)])
    factors = alike([f for _, f, _ in found])
    end = scale_of([g * f for g, f, _ in found]) or 1.0
    rows = [
        ArrayTerm(
            held(gradients(g)),
            held(factors(f)),
            gradients(g * f),
            round(100 * min(abs(g * f) / end, 1.0)) if isfinite(g * f) else 0,
            g * f < 0,
            mine,
        )
        for g, f, mine in found
    ]
    if left == 0:
        words = counted(len(rows), "term") if len(rows) > 1 else ""
        return ArrayTerms(rows, words), gradients(amount)
    words = f"the {len(rows)} {order}of {len(cells):,} terms"
    others = f"the other {left:,}" if left > 1 else "the other one"
    return ArrayTerms(rows, words, others, gradients(rest)), gradients(amount)


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


def largest(data: Sequence[float]) -> int:
    return max(range(len(data)), key=lambda i: abs(data[i]) if isfinite(data[i]) else -1, default=0)


def axes_words(axes: Sequence[int], node: TracedArray, batch: Batch | None) -> str:
    """Axes with their lengths; the batch by its name."""
    shape = node.data.shape
    named = {0: "the batch, "} if batch is not None and node.id in batch.nodes else {}
    return " and ".join([f"{named.get(k, '')}axis {k} of length {shape[k]}" for k in axes])
