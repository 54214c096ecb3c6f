"""A graph of numbers that can be differentiated again: Values and the partials between them.

A backward pass consists of sums of products of partials, and the partials are formulas of the table
of operations. Written out as cells, one for each operation, they are a graph like any other.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.caches import cached
from engine.formulas import (
    FUNCTIONS,
    FormulaAlgebra,
    Function,
    Lazy,
    compile_text,
    evaluate,
)
from engine.ops import OPS
from engine.python_text import literal
from engine.reverse import UNKNOWN, sweep

IF = "if"
"""A cell with two branches, of which `test` chooses; its other args are those of the test."""
STEPS = ("floor", "trunc")
"""Functions of partials that are constant between jumps: their derivative is 0."""
WHOLE = 1e6


class Cell(NamedTuple):
    """One number: the result of `op` on the cells `args`, or given, then without `op`.

    `name` is its identifier, empty if it is written within the expression that uses it. `text` is
    that of a given number. `test` is the condition of IF, with the parameters that it is over.
    """

    op: str | None
    args: tuple[int, ...]
    data: float
    name: str = ""
    text: str = ""
    test: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def inputs(self) -> int:
        """The count of args that its data is computed from, without those of a condition."""
        return 2 if self.op == IF else len(self.args)

    @property
    def is_number(self) -> bool:
        """Whether it is a number inside expressions, which nothing moves."""
        return self.op is None and not self.name

    def is_same(self, number: float) -> bool:
        """Whether it is a number inside expressions, and this one."""
        return self.is_number and self.data == number


class Cells(list[Cell], FormulaAlgebra[int]):
    """Cells in topological order; each refers to earlier ones by their places."""

    def number(self, x: float, text: str = "", /) -> int:
        """A number inside expressions; a small whole one is written without a point."""
        is_whole = x == int(x) and 0 < abs(x) < WHOLE if math.isfinite(x) else False
        return self._added(Cell(None, (), x, text=text or literal(int(x) if is_whole else x)))

    def is_constant(self, at: int) -> bool:
        """Whether a cell is a number inside expressions, perhaps one of several by a condition."""
        cell = self[at]
        if cell.op is None or cell.name:
            return cell.is_number
        return cell.op in STEPS or all(self.is_constant(arg) for arg in cell.args[: cell.inputs])

    def apply(self, op: str, *args: int, name: str = "") -> int:
        """The result of an operation, or of one of STEPS."""
        compute = FUNCTIONS[op] if op in STEPS else OPS[op].compute
        return self._added(Cell(op, args, compute(*[self[arg].data for arg in args]), name))

    def times(self, partial: int, gradient: int) -> int | None:
        """The product of a partial with a gradient; None if it is 0 by its form."""
        one, other = self[partial], self[gradient]
        if one.is_same(0.0) or other.is_same(0.0):
            return None
        if one.is_same(1.0):
            return gradient
        if other.is_same(1.0):
            return partial
        if one.is_number and other.is_number:
            return self.number(one.data * other.data)
        if one.is_same(-1.0):
            return self.apply("neg", gradient)
        return self.apply("*", partial, gradient)

    def plus(self, one: int, other: int) -> int:
        """The sum of two cells."""
        if self[one].is_number and self[other].is_number:
            return self.number(self[one].data + self[other].data)
        return self.apply("+", one, other)

    def formula(self, text: str, given: dict[str, int]) -> int:
        """The cells of a formula of the table; `given` are the cells of its parameters."""
        return evaluate(text, given, self)

    def named(self, at: int, name: str) -> int:
        """The cell with a name."""
        self[at] = self[at]._replace(name=name)
        return at

    def _added(self, cell: Cell) -> int:
        self.append(cell)
        return len(self) - 1

    def operation(self, name: str, /, *args: int) -> int:
        if name == "neg":
            return self._negated(*args)
        return self.apply("mod" if name == "%" else name, *args)

    def _negated(self, at: int) -> int:
        cell = self[at]
        return self.number(-cell.data) if cell.is_number else self.apply("neg", at)

    def choose(
        self, test: ast.expr, names: Mapping[str, int], a: Lazy[int], b: Lazy[int], /
    ) -> int:
        """A cell for `A if C else B`, whose data is that of the branch that applies."""
        branches = [a(), b()]
        found = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
        params = tuple(name for name in names if name in found)
        over = [names[name] for name in params]
        text = ast.unparse(test)
        holds = condition(text, params)(*[self[at].data for at in over])
        data = self[branches[0 if holds else 1]].data
        return self._added(Cell(IF, (*branches, *over), data, test=(text, params)))


@cached("conditions of cells")
def condition(test: str, params: tuple[str, ...]) -> Function:
    """The condition of a cell IF as a function."""
    return compile_text(test, params)


def partial(cells: Sequence[Cell], cell: Cell, slot: int) -> float:
    """The derivative of a cell by one of its args, with all others fixed."""
    numbers = [cells[arg].data for arg in cell.args]
    if cell.op == IF:
        holds = condition(*cell.test)(*numbers[2:])
        return float(slot == (0 if holds else 1))
    if cell.op is None or cell.op in STEPS:
        return 0.0
    return OPS[cell.op].derive[slot](cell.data, *numbers)


def tangents(
    cells: Sequence[Cell], at: int, of: Callable[[float], float] = float
) -> dict[int, float]:
    """The derivative of each cell by the cell `at`, by one forward sweep; 0 if it has none.

    With `of=abs` the sum of the sizes of all paths, which bounds what cancels in the derivative.
    """
    found = {at: 1.0}
    for place in range(at + 1, len(cells)):
        cell = cells[place]
        terms = [
            of(partial(cells, cell, slot)) * found[arg]
            for slot, arg in enumerate(cell.args)
            if found.get(arg, 0.0) != 0.0
        ]
        if terms:
            found[place] = sum(terms)
    return found


def adjoints(cells: Sequence[Cell], root: int) -> dict[int, float]:
    """The derivative of the cell `root` by each cell, by one reverse sweep; 0 if it has none."""

    def partials(at: int) -> list[tuple[int, float]]:
        cell = cells[at]
        return [(arg, partial(cells, cell, slot)) for slot, arg in enumerate(cell.args)]

    return sweep(range(root + 1), partials, {root: 1.0}, UNKNOWN)
