"""Expansions of the table as lists of steps: each an operation of the table on earlier results.

`(exp(2 * x) - 1) / (exp(2 * x) + 1)` has five steps: equal parts are computed once. Parts without
an input are one constant.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from engine.caches import cached

from . import parser_lock
from .formulas import SIGNS, compile_text, names_in
from .ops import OPS, Op


class Ref(NamedTuple):
    """An argument of a step: the input, the constant or the result of the step `of`."""

    kind: str
    of: float


INPUT, CONSTANT, STEP = "input", "constant", "step"


class AppliedOp(NamedTuple):
    """The operation `op` of the table, by name, on `args`."""

    op: str
    args: tuple[Ref, ...]


def expansion_of(op: Op, constant: float | None = None) -> str:
    """The text of the expansion of `op`, empty without one; `constant` is a constant last input."""
    return op.expansions_at.get(constant, op.expansion) if constant is not None else op.expansion


@cached("steps of expansions")
def steps(text: str, params: tuple[str, ...]) -> tuple[AppliedOp, ...]:
    """The steps of an expansion, of which the last gives the result."""
    reader = _Reader(params)
    result = reader.read(parser_lock.expression(text))
    assert result == Ref(STEP, len(reader.steps) - 1)
    return tuple(reader.steps)


class _Reader:
    def __init__(self, params: tuple[str, ...]) -> None:
        self.params = params
        self.steps: list[AppliedOp] = []

    def read(self, node: ast.expr) -> Ref:
        text = ast.unparse(node)
        if names_in(text).isdisjoint(self.params):
            return Ref(CONSTANT, compile_text(text, ())())
        match node:
            case ast.Name(id=name):
                return Ref(INPUT, self.params.index(name))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._step("neg", [inner])
            case ast.BinOp(left=left, op=sign, right=right):
                return self._step(SIGNS[type(sign)], [left, right])
            case ast.Call(func=ast.Name(id=name), args=args) if name in OPS:
                return self._step(name, args)
        raise ValueError(f"no operation of the table: {text}")

    def _step(self, op: str, args: list[ast.expr]) -> Ref:
        step = AppliedOp(op, tuple([self.read(arg) for arg in args]))
        if step not in self.steps:
            self.steps.append(step)
        return Ref(STEP, self.steps.index(step))
