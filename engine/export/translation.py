"""Losses as code of other programs: micrograd, PyTorch.

Losses are functions on Values: they are recorded on placeholders and emitted operation by
operation.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine import parser_lock
from engine.formula_code import SIGNS, called
from engine.ops import Op
from engine.training.losses import Loss
from engine.value import Value, args_first

DEEPEST = 12
"""The greatest nesting depth of operations in one line of code."""


class LossCode(NamedTuple):
    """The loss of a sample as code: assignments of intermediate results, and the result."""

    first: list[tuple[str, str]]
    result: str
    operations: list[Op]


Call = Callable[[Op, list[ast.expr], list[bool]], ast.expr]


def micrograd_call(op: Op, args: list[ast.expr], plain: list[bool]) -> ast.expr:
    """A call of an operation in micrograd: a method of its first argument, a Value."""
    first = called("Value", args[:1]) if plain[0] else args[0]
    if op.name == "abs":
        return called("abs", [first])
    return ast.Call(ast.Attribute(first, op.name, ast.Load()), args[1:], [])


def written(loss: Loss, outputs: int, call: Call, plain_targets: bool) -> LossCode:
    """The loss of one sample with outputs `o[0]`, … and targets `t[0]`, …, as code.

    `call` writes a named operation from its arguments and flags for those that are plain numbers;
    with `plain_targets`, targets are.
    """
    o, t = [Value(0.5) for _ in range(outputs)], [Value(1.0) for _ in range(outputs)]
    order = args_first(loss.sample(o, t))
    uses = Counter(arg for value in order for arg in value.args)
    depth: dict[Value, int] = dict.fromkeys(order, 0)
    trees: dict[Value, ast.expr] = {
        value: parser_lock.expression(f"o[{i}]") for i, value in enumerate(o)
    }
    trees |= {value: parser_lock.expression(f"t[{i}]") for i, value in enumerate(t)}
    plain = set(t) if plain_targets else set()
    first: list[tuple[str, str]] = []
    for value in order:
        if value.op is None:
            if value not in trees:
                plain.add(value)
                trees[value] = parser_lock.expression(number(value.data))
            continue
        trees[value] = _applied(value, trees, plain, call)
        depth[value] = 1 + max(depth[arg] for arg in value.args)
        if uses[value] > 1 or depth[value] == DEEPEST:
            depth[value] = 0
            name = f"s{len(first) + 1}"
            first.append((name, ast.unparse(trees[value])))
            trees[value] = parser_lock.expression(name)
    operations = {value.op.name: value.op for value in order if value.op is not None}
    return LossCode(first, ast.unparse(trees[order[-1]]), list(operations.values()))


def _applied(
    value: Value, trees: Mapping[Value, ast.expr], plain: set[Value], call: Call
) -> ast.expr:
    assert value.op is not None
    args, numbers = [trees[arg] for arg in value.args], [arg in plain for arg in value.args]
    if value.op.is_word:
        return call(value.op, args, numbers)
    if all(numbers):
        plain.add(value)
    if value.op.name == "neg":
        return ast.UnaryOp(ast.USub(), args[0])
    return ast.BinOp(args[0], SIGNS[value.op.name], args[1])


def number(x: float) -> str:
    """A constant of a formula: 2 for 2.0; `repr` if not an integer."""
    return repr(int(x)) if x.is_integer() and abs(x) < 1e6 else repr(x)
