"""A gradient as a program: the lines of both passes that it needs, with it as the output.

The program is Python, and a program of the page, which differentiates it again. Its conditions are
those of partials, as relu's: `1 if y > 0 else 0`; the conditions of the program that was traced are
decided as they were.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from engine import parser_lock
from engine.formula_code import SIGNS
from engine.numbers import compact
from engine.ops import OPS
from engine.program import Limits, Program, ProgramError
from engine.trace.build import trace
from engine.trace.slopes import by_chain_rule
from engine.trace.traced import Trace

from .backward import Derivative, NotDifferentiable, derivative
from .cells import IF, STEPS, Cell, Cells

INFIX = {**SIGNS, "mod": ast.Mod()}
BUILTINS = frozenset({"abs", "max", "min"})
OF_MATH = frozenset({"exp", "log", "sqrt", "sin", "cos", "tan", "tanh", *STEPS})
"""Words of the language that Python has in `math`, and the functions of partials."""
TITLE = "# The derivative of {output} with respect to {leaf}: the backward pass, as a program."
SAYS = "# {prefix}x is the derivative of {output} with respect to x."
WORDS = "# {words}: functions of this page, which Python lacks."
CONSTANT = (
    "The derivative of {output} with respect to {leaf} is {number}, "
    "whatever the leaves of this graph are."
)
JUMPS = (
    "The derivative of {output} with respect to {leaf} is {number} here; it changes only in jumps."
)
GONE = "{output} does not depend on {leaf} any more, so its derivative is 0."
TOO_LARGE = (
    "The program of {name} has {size:,} bytes and {values:,} Values, which is more than is read; "
    "it cannot be differentiated again."
)
INSIDE = 6
"""Cells of an expression that is written inside another one."""
STOPS = "The program of {name} stops at these numbers: {reason}."
NOT_FINITE = "The derivative of {output} with respect to {leaf} is not a finite number here."


class DerivativeProgram(NamedTuple):
    """The program of a derivative, and its number; `values` counts the numbers of its graph.

    `name` is that of the output, `leaf` that of the leaf in this program, of which it is the leaf
    number `place`, counted from 1; 0 if it is not among them. Without a text the derivative does
    not depend on any Value, and `says` so.
    """

    text: str
    name: str
    leaf: str
    number: float
    values: int
    says: str = ""
    place: int = 0


def written(shown: Trace, leaf: str) -> DerivativeProgram:
    """The derivative of a trace's output with respect to a leaf. Raises NotDifferentiable."""
    found = derivative(shown, [leaf])
    cells, by = found.cells, found.cells[found.places[leaf]].name
    names = {"output": found.output, "leaf": by}
    root = found.gradients.get(leaf)
    number = 0.0 if root is None else cells[root].data
    if not math.isfinite(number + by_chain_rule(shown).get(leaf, 0.0)):
        raise NotDifferentiable(NOT_FINITE.format(**names))
    if root is None or cells.is_constant(root):
        says = CONSTANT if root is None or cells[root].is_number else JUMPS
        told = says.format(**names, number=compact(number))
        return DerivativeProgram("", f"{found.prefix}{by}", by, number, 0, told)
    root = _as_output(found, root, f"{found.prefix}{by}")
    needed = _needed(cells, root)
    _write_inside(cells, needed, found.unnamed)
    lines = [_line(cells, at) for at in needed if cells[at].name]
    head = _head(found, by, [cells[at] for at in needed])
    body = "\n".join(lines)
    leaves = [cells[at].name for at in needed if cells[at].name and not cells[at].args]
    place = leaves.index(by) + 1 if by in leaves else 0
    text = f"{head}\n{body}\n"
    return DerivativeProgram(text, cells[root].name, by, number, len(needed), place=place)


def successive(shown: Trace, leaf: str, limits: Limits) -> Iterator[DerivativeProgram]:
    """The derivatives of all orders by one leaf, each that of the program before it.

    Ends with one that is constant. Raises NotDifferentiable, also for a program beyond `limits`.
    """
    last = written(shown, leaf)
    yield last
    while last.text:
        _require_within(last, limits)
        there = _traced(last, limits)
        by = next((node.id for node in there.nodes if node.label == last.leaf), "")
        name = _next_name(last.name, last.leaf)
        says = GONE.format(output=last.name, leaf=last.leaf)
        last = written(there, by) if by else DerivativeProgram("", name, last.leaf, 0.0, 0, says)
        yield last


def _traced(found: DerivativeProgram, limits: Limits) -> Trace:
    """The trace of a derivative's program. Raises NotDifferentiable if it stops."""
    try:
        return trace(Program(found.text, limits))
    except ProgramError as error:
        raise NotDifferentiable(STOPS.format(name=found.name, reason=error.message)) from None


def _next_name(output: str, leaf: str) -> str:
    """The name of the next derivative: `d3_x` after `d2_x`."""
    count = output[1 : output.index("_")]
    return f"d{int(count or 1) + 1}_{leaf}"


def is_within(found: DerivativeProgram, limits: Limits) -> bool:
    """Whether a program is not too large to be read and drawn."""
    return len(found.text.encode()) <= limits.program_bytes and found.values <= limits.values


def _require_within(last: DerivativeProgram, limits: Limits) -> None:
    size = len(last.text.encode())
    if not is_within(last, limits):
        raise NotDifferentiable(
            TOO_LARGE.format(name=last.name, size=size, values=last.values, most=limits.values)
        )


def _as_output(found: Derivative, root: int, name: str) -> int:
    """The gradient under its own name, as an operation: a program's output is not a leaf."""
    cells = found.cells
    if root in found.places.values():
        return cells.apply("*", cells.number(1.0), root, name=name)
    return cells.named(root, name)


def _needed(cells: Sequence[Cell], root: int) -> list[int]:
    """The cells that `root` is computed from, and itself, in topological order, leaves first."""
    found, stack = {root}, [root]
    while stack:
        for arg in cells[stack.pop()].args:
            if arg not in found:
                found.add(arg)
                stack.append(arg)
    return sorted(found, key=lambda at: (bool(cells[at].args), at))


def _write_inside(cells: Cells, needed: Sequence[int], unnamed: Collection[int]) -> None:
    """Take the name from each computed Value of `unnamed` that one short expression uses."""
    uses = Counter(arg for at in needed for arg in cells[at].args)
    sizes: dict[int, int] = {}
    for at in needed:
        cell = cells[at]
        size = 1 + sum(sizes.get(arg, 1) for arg in cell.args)
        is_inside = at in unnamed and cell.op is not None and uses[at] == 1 and size <= INSIDE
        if is_inside:
            cells.named(at, "")
        sizes[at] = 1 if cells[at].name else size


def _head(found: Derivative, leaf: str, cells: Sequence[Cell]) -> str:
    ops = {cell.op for cell in cells if cell.op is not None}
    lines = [TITLE.format(output=found.output, leaf=leaf)]
    lines.append(SAYS.format(prefix=found.prefix, output=found.output))
    own = sorted(op for op in ops if op in OPS and _is_own(op))
    if own:
        lines.append(WORDS.format(words=", ".join(own)))
    if any(cell.text == "pi" for cell in cells) or any(_is_of_math(op) for op in ops):
        lines += ["import math", ""]
    return "\n".join(lines)


def _is_own(op: str) -> bool:
    """Whether an operation is a word of the language that Python does not have."""
    return OPS[op].is_word and not OPS[op].module and op not in {*BUILTINS, *OF_MATH}


def _is_of_math(op: str) -> bool:
    return op in OF_MATH or (op in OPS and OPS[op].module == "math")


def _line(cells: Sequence[Cell], at: int) -> str:
    return f"{cells[at].name} = {ast.unparse(ast.fix_missing_locations(_expression(cells, at)))}"


def _operand(cells: Sequence[Cell], at: int) -> ast.expr:
    """A cell inside an expression: its name, or what it is computed from."""
    return ast.Name(cells[at].name, ast.Load()) if cells[at].name else _expression(cells, at)


def _expression(cells: Sequence[Cell], at: int) -> ast.expr:
    cell = cells[at]
    if cell.op is None:
        return parser_lock.expression("math.pi" if cell.text == "pi" else cell.text)
    args = [_operand(cells, arg) for arg in cell.args]
    if cell.op == IF:
        return ast.IfExp(_condition(cell, args[2:]), args[0], args[1])
    if cell.op in INFIX:
        return ast.BinOp(args[0], INFIX[cell.op], args[1])
    if cell.op == "neg":
        return ast.UnaryOp(ast.USub(), args[0])
    called = f"math.{cell.op}" if _is_of_math(cell.op) else cell.op
    return ast.Call(parser_lock.expression(called), args, [])


def _condition(cell: Cell, args: Sequence[ast.expr]) -> ast.expr:
    """The condition of a partial over the expressions `args`."""
    text, params = cell.test
    given = dict(zip(params, args, strict=True))

    class Filled(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return given.get(node.id, node)

    filled = Filled().visit(parser_lock.expression(text))
    assert isinstance(filled, ast.expr)
    return filled
