"""Results of operators and of methods with a known name, beside the numbers that they should be."""

from __future__ import annotations

import ast
import math
from collections.abc import Container, Iterator

from engine.named_ops import SPECIAL, op_named
from engine.numbers import full
from engine.record.model import Made, RunNumber

from .evidence import Evidence
from .fault import Fault
from .ledger import close
from .places import FaultLocator

REFLECTED = {sign: f"__r{SPECIAL[sign]}__" for sign in ("-", "/", "**")}
"""Operators whose operands may not be exchanged, and the method for a plain number before them."""


def expected(made: Made) -> float | None:
    """The number that a result should be; None where that cannot be said."""
    op = op_named(made.name)
    if op is None or len(made.numbers) != len(op.params):
        return None
    found = op.compute(*made.numbers)
    return found if math.isfinite(found) else None


def wrong_results(evidence: Evidence, places: FaultLocator) -> Iterator[Fault]:
    """The results that are not what their sign or name says, in the order computed."""
    seen: set[int] = set()
    right = _right_places(evidence, places)
    for at, made in enumerate(evidence.witness.made):
        due = expected(made)
        value = evidence.value_of(made.result)
        if due is None or value is None or close(made.number, due):
            continue
        if id(made.result) in seen:
            continue  # an operator inside was wrong already
        seen.add(id(made.result))
        place = _place(evidence, places, made, right)
        yield Fault(place, at=at - 1e9, value=value, written=made.number, due=due, note=words(made))


def words(made: Made) -> str:
    """The operation with its numbers: 2.0 - 3.0, tanh(0.5)."""
    numbers = [full(x) for x in made.numbers]
    if made.name == "neg":
        return f"-({numbers[0]})"
    if made.name.isidentifier():
        return f"{made.name}({', '.join(numbers)})"
    shown = [f"({x})" if x.startswith("-") else x for x in numbers]
    return f"{shown[0]} {made.name} {shown[1]}"


def _right_places(evidence: Evidence, places: FaultLocator) -> set[ast.AST]:
    """The lines that computed right numbers."""
    found = set()
    for made in evidence.witness.made:
        due, value = expected(made), evidence.value_of(made.result)
        if due is not None and value is not None and close(made.number, due):
            found.add(_birth(places, value))
    return found


def _birth(places: FaultLocator, value: RunNumber) -> ast.AST:
    return places.statement(value.node) if value.op else places.of_birth(value)


def _is_turned(made: Made) -> bool:
    """Whether a result is that of the operands in the other order."""
    due = expected(made._replace(numbers=made.numbers[::-1]))
    return len(made.numbers) == 2 and due is not None and close(made.number, due)


def _place(
    evidence: Evidence, places: FaultLocator, made: Made, right: Container[ast.AST]
) -> ast.AST:
    """The line that computes the number, or the one that chose a method for it."""
    method = made.method
    reflected = REFLECTED.get(made.name)
    if reflected and isinstance(method, ast.FunctionDef) and method.name != reflected:
        alias = _alias(places.tree, reflected, method.name)
        if alias is not None and evidence.value_of(made.operands[0]) is None:
            return alias
    value = evidence.value_of(made.result)
    assert value is not None
    birth = _birth(places, value)
    if not isinstance(method, ast.FunctionDef) or _is_within(method, birth):
        return birth
    is_turned = method.name == reflected and _is_turned(made)
    if not (places.is_in_operator(birth) or birth in right or is_turned):
        return birth
    returns = [node for node in ast.walk(method) if isinstance(node, ast.Return)]
    return returns[-1] if returns else birth


def _is_within(outer: ast.AST, inner: ast.AST) -> bool:
    return any(node is inner for node in ast.walk(outer))


def _alias(tree: ast.Module, name: str, method: str) -> ast.AST | None:
    """The line `__rsub__ = __sub__` of a class."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=source)) if (
                target == name and source == method
            ):
                return node
    return None
