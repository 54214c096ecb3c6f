"""Operations that are written with others of the table, as a list of steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.reverse import sweep

from .algebra import ARRAYS, Vjp
from .flat import Flat
from .grid import Shape
from .pointwise import written
from .table import ARRAY_OPS, ArrayOp, Flats, Params, Pulled, Shapes, Wanted

_ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


class Step(NamedTuple):
    """An operation of arguments and earlier results, which are numbered after the arguments."""

    op: str
    of: tuple[int, ...]
    params: Params


Plan = Callable[[Shapes, Params], Sequence[Step]]


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """y = the result of the last step of `plan(shapes, params)`.

    `constants(shapes, params)` are arrays that steps need beside the arguments; they are numbered
    between the arguments and the steps.
    """

    args: tuple[str, ...]
    plan: Plan
    constants: Callable[[Shapes, Params], Sequence[Flat]] = lambda shapes, params: ()

    def shapes(self, shapes: Shapes, params: Params) -> list[Shape]:
        """The shapes of arguments, constants and all results."""
        found = [*shapes, *(x.shape for x in self.constants(shapes, params))]
        for step in self.plan(shapes, params):
            given = [found[i] for i in step.of]
            found.append(ARRAY_OPS[step.op].shape(given, step.params))
        return found

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        return self.shapes(shapes, params)[-1]

    def results(self, args: Sequence[Flat], params: Params) -> list[Flat]:
        """Arguments, constants and the results of all steps."""
        shapes = [x.shape for x in args]
        found = [*args, *self.constants(shapes, params)]
        for step in self.plan(shapes, params):
            found.append(ARRAY_OPS[step.op].forward([found[i] for i in step.of], step.params))
        return found

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        return self.results(args, params)[-1]

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        found = self.results(args, params)
        steps = self.plan([x.shape for x in args], params)
        first = len(found) - len(steps)

        def partials(node: int) -> list[tuple[int, Vjp]]:
            if node < first:
                return []
            step = steps[node - first]
            given = [found[i] for i in step.of]
            call = ARRAY_OPS[step.op], given, found[node], step.params
            return [(i, Vjp(*call, slot)) for slot, i in enumerate(step.of)]

        seed: dict[int, Flat | None] = {len(found) - 1: g}
        gradients = sweep(range(len(found)), partials, seed, ARRAYS)
        return [gradients.get(i) or Flat(x.shape, [0.0] * len(x.data)) for i, x in enumerate(args)]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        """The last step's formula, in which earlier results stand as their own formulas."""
        known, steps = self.shapes(shapes, params), self.plan(shapes, params)
        constants = self.constants(shapes, params)
        first = len(known) - len(steps)

        def text(node: int, place: int) -> str:
            if node < len(shapes):
                return f"{self.args[node]}[{place}]"
            if node < first:
                return written(constants[node - len(shapes)].data[place])
            step = steps[node - first]
            op = ARRAY_OPS[step.op]
            names = {op.name_of(slot): i for slot, i in enumerate(step.of)}
            found = op.scalar(place, [known[i] for i in step.of], step.params)
            return _ELEMENT.sub(lambda m: f"({text(names[m[1]], int(m[2]))})", found)

        return text(len(known) - 1, cell)

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        known, steps = self.shapes(shapes, params), self.plan(shapes, params)
        first = len(known) - len(steps)
        needed: dict[int, set[int]] = {len(known) - 1: {cell}}
        for node in reversed(range(first, len(known))):
            step = steps[node - first]
            op: ArrayOp = ARRAY_OPS[step.op]
            for place in needed.get(node, ()):
                given = [known[i] for i in step.of]
                for i, places in zip(step.of, op.reads(place, given, step.params), strict=True):
                    needed.setdefault(i, set()).update(places)
        return [sorted(needed.get(i, ())) for i in range(len(shapes))]
