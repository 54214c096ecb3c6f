"""Calls of built-in networks by a program."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from engine.nn import Module
from engine.record.follow import FOLLOWED
from engine.value import Value


def call_network(
    m: Any, network: Module, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Any:
    """`model(x)`: plain inputs become Values first, so that all neurons share them."""
    if len(args) != 1 or keywords:
        raise TypeError(
            f"{type(network).__name__}.__call__() takes 2 positional arguments but "
            f"{len(args) + 1 + len(keywords)} were given"
        )
    given = [args[0]] if isinstance(args[0], Value) else list(args[0])
    label = _name_of_input(m.node)
    inputs = [_input(m, x, f"{label}[{i}]" if label else "") for i, x in enumerate(given)]
    size = network.inputs()
    if size and len(inputs) != size:
        m.note(
            f"The network has {size} inputs and got {len(inputs)}; as with micrograd's zip, "
            "what is left over is not used."
        )
    try:
        return m.tape.adopt(network(inputs), m.node)
    except ValueError as error:
        return m.refuse(f"{str(error)[:1].upper()}{str(error)[1:]}.", "Check the sizes.")


def _input(m: Any, x: Any, label: str) -> Value:
    if isinstance(x, Value) or type(x) in FOLLOWED:
        lifted: Value = m.tape.lift(x)
        return lifted
    if not isinstance(x, int | float):
        raise TypeError(f"unsupported operand type(s) for *: 'Value' and '{type(x).__name__}'")
    given: Value = m.tape.given(x, label)
    return given


def _name_of_input(node: ast.AST) -> str:
    match node:
        case ast.Call(args=[ast.Name(id=name)]):
            return name
    return ""
