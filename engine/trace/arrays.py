"""Arrays: Values that the program holds as the elements of one, and the operations behind them.

The products and sums of `h = x @ w` have no name and lead to elements of h alone. A picture can
draw them, and the elements, as one box. An operation whose result has no axis, such as `h.sum()`,
is a formula of that result.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.array_ops.grid import indices
from engine.record.model import Arrangement, RunNumber, Scope
from engine.record.source import Source

from . import naming
from .formulas import TITLE, Formula

_PARTS = frozenset({"neuron", "layer", "mlp"})
"""Kinds of calls whose results stay in them."""
_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
    ast.USub: "neg", ast.Mod: "%", ast.FloorDiv: "//",
}  # fmt: skip


class Gathered(NamedTuple):
    """An array of the picture: `cells` in row-major order, None where nothing is drawn.

    `inner` are the operations that lead to its cells alone. `id` depends on the place in the text
    and on how often it was reached, not on numbers.
    """

    id: str
    title: str
    op: str
    shape: tuple[int, ...]
    cells: tuple[RunNumber | None, ...]
    inner: tuple[RunNumber, ...]
    scope: Scope | None


def arrays(
    values: Sequence[RunNumber],
    noted: Sequence[Arrangement],
    updates: Mapping[float, float],
    formulas: Sequence[Formula],
    source: Source,
) -> tuple[list[Gathered], list[Formula]]:
    """The arrays among `values`, given in topological order, and the formulas of results of arrays.

    `updates` has the serial numbers of leaves that replaced others in their object, `formulas` are
    those of the program's own objects.
    """
    if not noted:
        return [], []
    by_serial = {_serial(value, updates): value for value in values}
    kept = _Kept(noted, by_serial)
    inner = _inner(values, kept)
    taken = {value for formula in formulas for value in formula.members}
    turns: Counter[tuple[int, int]] = Counter()
    found: list[Gathered] = []
    results: list[Formula] = []
    for at, array in sorted(kept.found.items()):
        line, column, *_ = source.span(array.node)
        turns[line, column] += 1
        turn = f"-{turns[line, column]}" if turns[line, column] > 1 else ""
        place, parts = f"{line}-{column}{turn}", tuple(inner.get(at, ()))
        if not array.shape:
            (result,) = kept.values[at]
            if parts and result is not None and taken.isdisjoint((*parts, result)):
                name = _op(array) or "formula"
                results.append(Formula(f"r{place}", name, result, parts, (), array.scope, True))
            continue
        cells = kept.values[at]
        is_computed = any(cell and cell.args and _is_made_by(cell, array) for cell in cells)
        title = array.name or naming.source(source.span(array.node), source.lines)
        op = _op(array) if is_computed else ""
        found.append(Gathered(f"a{place}", title, op, array.shape, cells, parts, array.scope))
    return found, results


NAME = 24
"""Characters of an operation up to which elements of its result are called after it."""


def result_names(
    found: Sequence[Gathered], results: Sequence[Formula], source: Source
) -> dict[RunNumber, str]:
    """Names of computed elements and results after the operation: (x @ w)[0][1], h.mean().

    Only of operations that are short and stand in the text once.
    """
    texts = {
        formula.result: naming.source(source.span(formula.result.node), source.lines)
        for formula in results
        if formula.result.scope is formula.scope
    }
    seen = Counter([array.title for array in found] + list(texts.values()))
    names = {value: text for value, text in texts.items() if seen[text] == 1}
    for array in found:
        if len(array.title) > NAME or seen[array.title] > 1:
            continue
        title = f"({array.title})" if _EXPRESSION.search(array.title) else array.title
        for index, cell in zip(indices(array.shape), array.cells, strict=True):
            if cell is not None and cell.args:
                names[cell] = title + "".join(f"[{i}]" for i in index)
    return names


_EXPRESSION = re.compile(r"^[-~]|\s[-+*/@%]+\s")


def _serial(value: RunNumber, updates: Mapping[float, float]) -> float:
    return updates.get(value.serial, value.serial)


def _op(array: Arrangement) -> str:
    """The sign or the function that made an array."""
    name = ""
    match array.node:
        case ast.BinOp(op=sign) | ast.AugAssign(op=sign) | ast.UnaryOp(op=sign):
            name = _SIGNS.get(type(sign), "")
        case ast.Call(func=ast.Attribute(attr=function)) | ast.Call(func=ast.Name(id=function)):
            name = function
    return name if len(name) <= TITLE else f"{name[: TITLE - 1]}…"


class _Kept:
    """The arrays to draw, by their number in the order noted, and what each Value is a cell of.

    A Value is a cell of the first array that held it: views, slices and joins of arrays that are
    drawn already make no box. Of two notes on the same cells the first that has a name gives it.
    """

    def __init__(self, noted: Sequence[Arrangement], by_serial: Mapping[float, RunNumber]) -> None:
        self.found: dict[int, Arrangement] = {}
        self.values: dict[int, tuple[RunNumber | None, ...]] = {}
        self.home: dict[RunNumber, int] = {}
        for at, array in enumerate(noted):
            cells = tuple([None if s is None else by_serial.get(s) for s in array.cells])
            there = [cell for cell in cells if cell is not None]
            homes = {self.home.get(cell) for cell in there}
            if homes == {None} and all(_is_free(cell, array) for cell in there):
                self.found[at], self.values[at] = array, cells
                self.home.update(dict.fromkeys(there, at))
            elif len(homes) == 1 and array.name:
                self._name(homes.pop(), array)

    def _name(self, at: int | None, array: Arrangement) -> None:
        if at is not None and not self.found[at].name and self.found[at].cells == array.cells:
            self.found[at] = self.found[at]._replace(name=array.name, shape=array.shape)

    def drop(self, at: int) -> None:
        """Draw an array's cells as operations of the array that they lead to."""
        for cell in self.values.pop(at):
            if cell is not None:
                self.home.pop(cell, None)
        del self.found[at]


def _is_free(value: RunNumber, array: Arrangement) -> bool:
    """Whether a Value is not the result of a network's part, which it would leave."""
    if not value.args:
        return True
    scope = value.scope
    while scope is not None and scope is not array.scope:
        if scope.kind in _PARTS:
            return False
        scope = scope.parent
    return True


def _inner(values: Sequence[RunNumber], kept: _Kept) -> dict[int, list[RunNumber]]:
    """The operations inside each array, in topological order."""
    uses: dict[RunNumber, int | None] = {}
    """The array that all uses of a Value belong to; None if there are several."""
    found: dict[int, list[RunNumber]] = {}
    for value in reversed(values):
        home, user = kept.home.get(value), uses.get(value)
        if home is not None and user is not None and _dissolves(home, user, kept, uses):
            kept.drop(home)
            home = None
        if home is None and user is not None and _is_step(value, kept.found[user]):
            home = user
            found.setdefault(user, []).append(value)
        for arg in value.args:
            if uses.setdefault(arg, home) != home:
                uses[arg] = None
    return {at: parts[::-1] for at, parts in found.items()}


def _dissolves(at: int, user: int, kept: _Kept, uses: Mapping[RunNumber, int | None]) -> bool:
    """Whether an array without a name is a step of the operation that made another one."""
    array, other = kept.found[at], kept.found[user]
    if array.name or at == user or not _is_one_operation(array, other):
        return False
    return all(cell is None or uses.get(cell, user) == user for cell in kept.values[at])


def _is_one_operation(one: Arrangement, other: Arrangement) -> bool:
    return one[:2] == other[:2]


def _is_step(value: RunNumber, array: Arrangement) -> bool:
    """Whether a Value was computed on the way to an array, and has no name there.

    Names inside of a call do not count.
    """
    is_named = bool(value.label) and value.scope is array.scope
    return bool(value.args) and not is_named and _is_made_by(value, array)


def _is_made_by(value: RunNumber, array: Arrangement) -> bool:
    """Whether the operation that made an array made a Value: at its place, or in a call from it."""
    if value.scope is array.scope:
        return value.node is array.node
    return any(
        scope.call is array.node and scope.parent is array.scope for scope in _around(value.scope)
    )


def _around(scope: Scope | None) -> Iterator[Scope]:
    while scope is not None:
        yield scope
        scope = scope.parent
