"""Central differences of a program, by plain runs: what its gradients are, whatever computes them.

Nothing is followed here. The literals of the leaves are moved, and the output's number is read; so
are the gradients, by the expression that gives a number for each leaf.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.parser_lock import Span
from engine.record.attribute_names import DATA
from engine.record.source import Source

from .plain_runs import Answer, PlainProgram, answers
from .text_edits import Rewrite, applied

SECONDS = 1.0
STEP = 1e-5
LEAVES = 12
"""Leaves that are moved, the first ones."""
OUTPUTS = 4
"""Variables of which one is the output."""
NEAR = 1e-4
"""Relative difference of a right gradient from a central difference."""


@dataclass(frozen=True, slots=True)
class SlopePoint:
    """The numbers of the leaves, the slopes there, and what each reader gives for each leaf."""

    changes: tuple[Rewrite, ...]
    slopes: Mapping[str, float]
    read: Mapping[str, Sequence[float]]
    output: str
    number: str
    """The expression that gives the number of {0}."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """The slopes of a program at two points; `reader` gives the gradient of {0}."""

    points: tuple[SlopePoint, ...]
    reader: str
    variables: Sequence[str]
    """The variables of the module."""

    @property
    def output(self) -> str:
        return self.points[0].output

    @property
    def number(self) -> str:
        return self.points[0].number

    @property
    def names(self) -> list[str]:
        return list(self.points[0].slopes)

    @property
    def are_right(self) -> bool:
        """Whether all gradients of leaves are their slopes."""
        return all(_matches(point, self.reader) == len(point.slopes) for point in self.points)

    def agree(self, true: Mapping[str, float | None]) -> bool:
        """Whether these are the slopes at the program's own numbers, as far as they are known."""
        pairs = [(true.get(name), slope) for name, slope in self.points[0].slopes.items()]
        return all(x is None or near(x, slope) for x, slope in pairs)

    def wrong(self) -> tuple[str, float, float] | None:
        """The first leaf with a wrong gradient, that gradient, and its slope."""
        for point in self.points:
            pairs = zip(point.slopes.items(), point.read[self.reader], strict=True)
            for (name, slope), found in pairs:
                if not near(found, slope):
                    return name, found, slope
        return None


def near(found: float, slope: float) -> bool:
    return math.isclose(found, slope, rel_tol=NEAR, abs_tol=NEAR * 1e-2)


def slopes_of(
    source: Source, ends: Mapping[str, float] | None = None, points: int = 2, output: str = ""
) -> Slopes | None:
    """The slopes of a program; None where leaves, output or gradients are not found.

    `ends` are the gradients with which objects end, as far as they are known, and `output` is the
    variable of the output, if that is.
    """
    reading = _Reading(source, output)
    if not reading.leaves or not reading.outputs:
        return None
    moved = [reading.changes(turn) for turn in range(points)]
    asked = [run for changes in moved for run in reading.runs(changes)]
    found = answers(asked, SECONDS, lenient=True)
    count = len(asked) // points
    if len(found) < len(asked):
        return None
    measured = [
        reading.measured(changes, found[at * count : (at + 1) * count])
        for at, changes in enumerate(moved)
    ]
    kept = tuple(point for point in measured if point is not None)
    reader = _reader(kept[0], ends or {}, reading.named) if kept and measured[0] is not None else ""
    return Slopes(kept, reader, reading.stored) if reader else None


def _moved(x: float, at: int, turn: int) -> float:
    """The number of a leaf at one of the points, of which the first is the program's own."""
    near = round(x * (1 - 0.17 * turn) + (0.11 + 0.017 * (at % 5)) * (1 if x > 0 else -1), 6)
    return near if turn else x


def _matches(point: SlopePoint, reader: str) -> int:
    return sum(map(near, point.read[reader], point.slopes.values()))


def _reader(point: SlopePoint, ends: Mapping[str, float], named: Collection[str]) -> str:
    """The reader that gives what objects end with, else one that agrees with most slopes.

    One that agrees with none is one by its name.
    """
    usable = []
    for reader, found in point.read.items():
        pairs = zip(point.slopes, found, strict=True)
        is_it = all(near(x, ends[name]) for name, x in pairs if name in ends)
        if all(map(math.isfinite, found)) and any(found) and is_it:
            usable.append(reader)
    best = max(usable, key=lambda it: _matches(point, it), default="")
    if best and (_matches(point, best) or ends):
        return best
    return next((it for it in usable if it in named), "")


class _Reading:
    """What is moved and read in a program."""

    def __init__(self, source: Source, output: str) -> None:
        self.output = output
        self.source, self.text = source, "\n".join(source.lines)

    @cached_property
    def leaves(self) -> dict[str, tuple[Span, float]]:
        """The variables of the module that are made of one literal, with its place and number."""
        found = {}
        for node in self.source.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                    literals = [*_literals(call)]
                    if len(literals) >= 1 and not any(
                        isinstance(part, ast.Name) and part.id in found for part in ast.walk(call)
                    ):
                        found[name] = self.source.span(literals[0][0]), literals[0][1]
        return dict([*found.items()][:LEAVES])

    @cached_property
    def stored(self) -> list[str]:
        """The variables of the module, the last ones first."""
        stored = [
            part.id
            for node in self.source.tree.body
            if not isinstance(node, ast.FunctionDef | ast.ClassDef)
            for part in ast.walk(node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        ]
        return list(dict.fromkeys(reversed(stored)))

    @cached_property
    def outputs(self) -> list[str]:
        """The variables that may be the output, the last ones first."""
        if self.output:
            return [self.output] if self.output.isidentifier() else []
        return [name for name in self.stored if name not in self.leaves][:OUTPUTS]

    @cached_property
    def numbers(self) -> list[str]:
        """Expressions that may give the number of {0}."""
        read = dict.fromkeys(node.attr for node in self.source.each(ast.Attribute))
        known = [name for name in read if name in DATA]
        rest = [name for name in read if name not in DATA]
        plain = [f"{{0}}.{name}" for name in (*known, *rest)]
        return [*plain, *self._called(), "{0}", *self._kept()]

    @cached_property
    def readers(self) -> list[str]:
        """Expressions that may give the gradient of {0}."""
        read = dict.fromkeys(node.attr for node in self.source.each(ast.Attribute))
        known = [name for name in read if name in self.source.gradients]
        rest = [name for name in read if name not in self.source.gradients]
        plain = [f"{{0}}.{name}" for name in (*known, *rest)]
        fields = [
            node.target.id
            for node in self.source.each(ast.AnnAssign)
            if isinstance(node.target, ast.Name)
        ]
        inside = [f"{{0}}.{name}{item}" for item in ("[0]", "[{0}]") for name in (*read, *fields)]
        return [*plain, *self._written(), *self._kept(), *self._called(), *inside]

    @property
    def named(self) -> frozenset[str]:
        """The readers whose names say that they give gradients."""
        names = self.source.gradients
        kept = [f"{name}[{{0}}]" for name in names] + [f"{name}[id({{0}})]" for name in names]
        return frozenset([f"{{0}}.{name}" for name in names] + kept)

    def _written(self) -> Iterator[str]:
        """What the module itself calls, or looks up, for one leaf: `tape.gradient(L, a)`."""
        for node in self.source.tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            for part in ast.walk(node):
                if isinstance(part, ast.Call | ast.Subscript):
                    names = [x for x in ast.walk(part) if isinstance(x, ast.Name)]
                    of = [x for x in names if x.id in self.leaves]
                    if len(of) == 1:
                        text = ast.unparse(part).replace("{", "{{").replace("}", "}}")
                        yield re.sub(rf"(?<![\w.]){of[0].id}(?!\w)", "{0}", text)

    def _called(self) -> Iterator[str]:
        """Methods without arguments that only give a number, or are named like a gradient."""
        for node in self.source.each(ast.FunctionDef):
            needed = len(node.args.args) - len(node.args.defaults)
            is_getter = len(node.body) == 1 and isinstance(node.body[0], ast.Return)
            is_named = node.name in self.source.gradients
            if needed == 1 and not node.name.startswith("__") and (is_getter or is_named):
                yield f"{{0}}.{node.name}()"

    def _kept(self) -> Iterator[str]:
        """Items of the collections of the module, by the object, its identity, or its number."""
        keys = {
            node.slice.attr
            for node in self.source.each(ast.Subscript)
            if isinstance(node.slice, ast.Attribute)
        }
        stored = (name for name in self.stored if name not in self.leaves)
        for name in stored:
            yield f"{name}[{{0}}]"
            yield f"{name}[id({{0}})]"
            yield from (f"{name}[{{0}}.{key}]" for key in sorted(keys))

    def changes(self, turn: int) -> tuple[Rewrite, ...]:
        """The literals of all leaves, each moved."""
        return tuple(
            Rewrite(span, f"({_moved(x, at, turn)!r})")
            for at, (span, x) in enumerate(self.leaves.values())
        )

    def runs(self, changes: tuple[Rewrite, ...]) -> Iterator[PlainProgram]:
        """One that reads everything, and two for each leaf."""
        outputs = [it.format(name) for it in self.numbers for name in self.outputs]
        numbers = [it.format(name) for it in self.numbers for name in self.leaves]
        grads = [it.format(name) for it in self.readers for name in self.leaves]
        yield PlainProgram(with_changes(self.text, changes), [*outputs, *numbers, *grads])
        for at, change in enumerate(changes):
            for step in (STEP, -STEP):
                moved = change._replace(text=f"({change.text} + {step})")
                text = with_changes(self.text, (*changes[:at], moved, *changes[at + 1 :]))
                yield PlainProgram(text, outputs)

    def measured(self, changes: tuple[Rewrite, ...], found: Sequence[Answer]) -> SlopePoint | None:
        """What the runs of one point give."""
        whole, *moved = found
        if isinstance(whole, str) or any(isinstance(it, str) for it in moved):
            return None
        n, first = len(self.leaves), len(self.numbers) * len(self.outputs)
        ys, xs, grads = (
            whole[:first],
            whole[first : first + len(self.numbers) * n],
            whole[first + len(self.numbers) * n :],
        )
        here = [float(change.text[1:-1]) for change in changes]
        slopes, output, number = self._slopes(ys, xs, here, moved)
        if not slopes:
            return None
        read = {it: grads[i * n : (i + 1) * n] for i, it in enumerate(self.readers)}
        return SlopePoint(
            changes, dict(zip(self.leaves, slopes, strict=True)), read, output, number
        )

    def _slopes(
        self,
        ys: Sequence[float],
        xs: Sequence[float],
        here: Sequence[float],
        moved: Sequence[Sequence[float] | str],
    ) -> tuple[list[float], str, str]:
        """The slopes of the last output that has any, by the expression that gives the leaves."""
        count, n = len(self.outputs), len(self.leaves)
        for at in range(len(self.numbers)):
            if not all(map(math.isclose, xs[at * n : (at + 1) * n], here)):
                continue
            for i in range(at * count, (at + 1) * count):
                pairs = zip(moved[::2], moved[1::2], strict=True)
                slopes = [(float(up[i]) - float(down[i])) / (2 * STEP) for up, down in pairs]
                if math.isfinite(ys[i]) and all(map(math.isfinite, slopes)) and any(slopes):
                    return slopes, self.outputs[i - at * count], self.numbers[at]
        return [], "", ""


def with_changes(text: str, changes: Sequence[Rewrite]) -> str:
    """A text with all changes, the last place first."""
    for change in sorted(changes, key=lambda it: it.span, reverse=True):
        text = applied(text, change.span, change.text)
    return text


def _literals(call: ast.Call) -> Iterator[tuple[ast.expr, float]]:
    """The numbers among the arguments of a call, and of calls in these."""
    for arg in call.args:
        match arg:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as x)):
                yield arg, -float(x)
            case ast.Constant(value=int() | float() as x) if type(x) is not bool:
                yield arg, float(x)
            case ast.Call():
                yield from _literals(arg)
