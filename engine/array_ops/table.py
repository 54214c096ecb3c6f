"""An entry of the table of operations on whole arrays, and the table itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .flat import Flat
from .grid import Shape
from .rules import Rule

Params: TypeAlias = Mapping[str, Any]
Shapes: TypeAlias = Sequence[Shape]
Wanted: TypeAlias = Sequence[bool]
Flats: TypeAlias = Sequence[Flat]
Pulled: TypeAlias = list[Flat | None]
"""What each argument receives; None where no gradient passes, or none is wanted."""
Forward = Callable[[Flats, Params], Flat]
Backward = Callable[[Flat, Flats, Flat, Params, Wanted], Pulled]
Reads = Callable[[int, Shapes, Params], Sequence[Sequence[int]]]
Text = Callable[[int, Shapes, Params], str]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayOp:
    """One operation y = f(x₁, …, xₙ; params) on arrays of real numbers.

    `args` names the arguments; the last stands for any number of them if the entry is `variadic`,
    and the last `optional` of them may be missing. `forward(args, params)` computes y.
    `shape(shapes, params)` is its shape, and raises Misfit, with NumPy's sentence and PyTorch's,
    where the arguments' shapes do not fit. `reads(cell, shapes, params)` gives for each argument
    the flat places of the elements that the element `cell` of y is made of, and
    `scalar(cell, shapes, params)` the formula of that element, in which `a[3]` is the element at
    place 3 of the argument `a`; settings stand in it as numbers.

    `words` says in one sentence what happens forward; `rules[i]` what argument i receives.
    `numpy` and `torch` are the names in both libraries and `node` is that of PyTorch's backward
    function. `differentiable[i]` is False for arguments such as class indices, which receive no
    gradient. `samples` are arguments and params on which tests compare the vector-Jacobian product
    with central differences.
    """

    name: str
    args: tuple[str, ...]
    forward: Forward = field(repr=False)
    backward: Backward = field(repr=False)
    shape: Callable[[Shapes, Params], Shape] = field(repr=False)
    reads: Reads = field(repr=False)
    scalar: Text = field(repr=False)
    words: str
    rules: tuple[Rule, ...]
    numpy: tuple[str, ...] = ()
    torch: tuple[str, ...] = ()
    node: str = ""
    variadic: bool = False
    optional: int = 0
    constant: tuple[int, ...] = ()
    """The places of arguments that receive no gradient."""
    samples: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = ()
    picks: Callable[[Sequence[Flat], Params], list[int]] | None = field(default=None, repr=False)
    """For each element of the result its place in the first argument, if the numbers decide it."""

    def vjp(
        self, incoming: Flat, args: Flats, result: Flat, params: Params,
        wanted: Wanted | None = None,
    ) -> Pulled:  # fmt: skip
        """The contribution of y to the gradient of each argument: Σ ∂L/∂y · ∂y/∂x.

        It has the argument's own shape: over axes along which the argument was broadcast it is
        summed. None for arguments that receive none, or are not `wanted`.
        """
        asked = [(wanted is None or wanted[i]) and i not in self.constant for i in range(len(args))]
        if not any(asked):
            return [None] * len(args)
        found = self.backward(incoming, args, result, params, asked)
        return [x if ask else None for x, ask in zip(found, asked, strict=True)]

    def name_of(self, slot: int) -> str:
        """The name of an argument, which is numbered where there are any number of them."""
        if not self.variadic or slot < len(self.args) - 1:
            return self.args[slot]
        return f"{self.args[-1]}{slot - len(self.args) + 1}"

    def rule(self, slot: int) -> Rule:
        """The rule of an argument."""
        return self.rules[min(slot, len(self.rules) - 1)]


ARRAY_OPS: dict[str, ArrayOp] = {}
"""Every operation on arrays by name."""


def define(op: ArrayOp) -> ArrayOp:
    """Enter an operation. Raises ValueError for a name that is taken."""
    if op.name in ARRAY_OPS:
        raise ValueError(f"{op.name} is there already")
    ARRAY_OPS[op.name] = op
    return op


def named(library: str) -> dict[str, ArrayOp]:
    """The operations by their names in "numpy" or "torch"; the first of several has a name."""
    found: dict[str, ArrayOp] = {}
    for op in ARRAY_OPS.values():
        for name in getattr(op, library):
            found.setdefault(name, op)
    return found


def names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def rules(*sources: str) -> tuple[Rule, ...]:
    return tuple(map(Rule, sources))
