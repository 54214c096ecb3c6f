"""The numbers of a run while it is recorded: where they come from, and what they depend on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from engine.real import as_float
from engine.tensors.scalar import Tensor
from engine.value import Value

from .follow import FOLLOWED
from .model import Backward

_new = object.__new__


class LiveNumber(Value):
    """A plain number of the program as a drawing shows it; `whole` says that it is an int.

    `owner` is the object of the program that holds it as its number, if one does.
    """

    __slots__ = ("owner", "whole")
    owner: Any
    whole: bool


class Origin(NamedTuple):
    """The place of a Value in its program, which the Values of one operation may share.

    `leaf` counts leaves, None for the others. `scope` is the run's chain of calls and loops
    until the Value is drawn.
    """

    node: ast.AST
    scope: Any
    leaf: int | None


def record(order: list[Value], node: ast.AST, others: Sequence[int]) -> Backward:
    """The pass that differentiates the last of `order`, from the numbers that are there now.

    `others` are the places in `order` of all but Values of the class itself. Gives every Value the
    gradient that the pass starts from.
    """
    held = [value.grad for value in order]
    fresh = [i for i in others if type(order[i]) is LiveNumber]
    if type(order[-1]) is Tensor:
        fresh += [i for i, value in enumerate(order) if value.op is not None]
    grads = held.copy() if fresh else held
    for i in fresh:
        order[i].grad = grads[i] = 0.0
    return Backward(node, order, [value.data for value in order], held, grads)


def operands(node: ast.AST) -> Sequence[ast.AST]:
    """The places of the args of the operation at `node`."""
    match node:
        case ast.BinOp(left=left, right=right):
            return left, right
        case ast.AugAssign(target=target, value=value):
            return target, value
        case ast.UnaryOp(operand=operand):
            return (operand,)
        case ast.Call(func=ast.Name(id="sum")):
            return ()  # the additions inside have operands that the call does not name
        case ast.Call(func=ast.Name(id="max" | "min"), args=args) if len(args) != 2:
            return ()  # as have the choices between two
        case ast.Call(func=ast.Attribute(value=owner), args=args) if not args:
            return (owner,)
        case ast.Call(args=args):
            return args
    return ()


def size_of(output: Any, most: int) -> int:
    """The numbers and Values that `output` depends on, itself included, counted up to `most`."""
    seen = {id(output)}
    stack = [output]
    while stack and len(seen) <= most:
        x = stack.pop()
        for arg in x.args:
            if not isinstance(arg, Value) and type(arg) not in FOLLOWED:
                continue
            if id(arg) not in seen:
                seen.add(id(arg))
                stack.append(arg)
    return len(seen)


serial_of: Callable[[Any], float] = attrgetter("serial")
"""What orders Values and followed numbers as computed."""


def in_order(output: Value) -> list[Value]:
    """Everything `output` depends on, in the order computed."""
    seen, order = {output}, [output]
    see, put = seen.add, order.append
    for value in order:  # which grows meanwhile
        if value.op is not None:
            for arg in value.args:
                if arg not in seen:
                    see(arg)
                    put(arg)
    order.reverse()  # nearly sorted where an operation's last arg is the younger one
    order.sort(key=serial_of)
    return order


def all_below(output: Value) -> list[Value]:
    """As `in_order`, where Values without an op may have args too: how they follow is unknown."""
    found, stack = {output}, [output]
    while stack:
        fresh = [arg for arg in stack.pop().args if arg not in found]
        found.update(fresh)
        stack += fresh
    return sorted(found, key=serial_of)


def number_of(x: float) -> LiveNumber:
    """A LiveNumber for a plain number of Python."""
    out = _new(LiveNumber)
    out.data = x if type(x) is float else as_float(x)
    out.grad, out.args, out.op, out.label = 0.0, (), None, ""
    out.whole, out.owner = isinstance(x, int), None
    return out
