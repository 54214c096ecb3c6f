"""The tape of a program: its Values in the order computed, each with the place that made it.

Built-in Values and tensors are recorded as they are computed. Plain numbers are followed as
`plain.TapedFloat` and `plain.TapedInt`; a `LiveNumber` is made for one when a Value is computed
from it or when it is drawn.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from engine.arrays.array import Array
from engine.arrays.dtypes import OBJECT
from engine.arrays.scalars import Float64
from engine.nn import Module
from engine.ops import Op
from engine.stand_ins.micrograd_numbers import as_in_micrograd
from engine.tensors.scalar import Tensor, result_of
from engine.tensors.tensor_array import TensorArray
from engine.value import Value, backpropagate, computed, differentiate

from .follow import FOLLOWED, NUMBERS, Taped, TapedFloat, is_a, taped
from .live_numbers import (
    LiveNumber,
    Origin,
    in_order,
    number_of,
    operands,
    record,
)
from .model import Backward, Place
from .neurons import PLAIN, output_of
from .scope_chains import ScopeChains
from .spent import SpentGradients

NAMED = 1000
"""Items of a list up to which they are named after it."""

LEAVES = 20_000
"""Leaves that are listed, so that the reader can change them."""
NESTED = 100
"""Calls of networks in one another, which take the stack of C."""


class Tape:
    """Makes Values and followed numbers, and notes where each came from.

    `overrides` gives leaves another number, by the count that each had in the program's own run,
    which `counts` has by their places.
    """

    def __init__(self, machine: Any, overrides: Mapping[int, float]) -> None:
        self.machine = machine
        self.overrides = overrides
        self.counts: Mapping[Place, int] = {}
        self.made = 0
        self.leaves: list[Value | Taped] = []
        self.places: list[Place] = []
        """The place of each leaf."""
        self.turns: dict[ast.AST, int] = {}
        self.initial: list[float] = []
        """The number that each leaf starts with; training changes `data` later."""
        self.last: Value | None = None
        """The last Value computed that the program wrapped, or that came from one."""
        self.last_number: Taped | None = None
        """The last plain number computed."""
        self.ending: Taped | None = None
        """The plain number that was computed for the last statement."""
        self.has_passed = False
        """Whether the program has run a backward pass."""
        self.nested = 0
        """Calls of built-in networks, layers and neurons that are under way, one in the other."""
        self.networks: list[tuple[Module, ast.AST]] = []
        """The networks that the program made, each with the place of its construction."""
        self.parameters: set[int] = set()
        """The parameters of these networks, by identity."""
        self.scopes = ScopeChains(machine.places)
        self.spent = SpentGradients()
        self._operands: dict[ast.AST, Sequence[ast.AST]] = {}

    def leaf(self, value: Any, node: ast.AST) -> Any:
        """Take a Value or followed number in as a leaf that the reader may change."""
        count = len(self.leaves)
        if count == LEAVES:
            return self._unlisted(value, node)
        turn = self.turns.get(node, 0) + 1
        self.turns[node] = turn
        place = Place(node, turn)
        changed = self.overrides.get(self.counts.get(place, -1)) if self.overrides else None
        if changed is not None:
            value = self._changed(value, changed)
        self.leaves.append(value)
        self.places.append(place)
        self.initial.append(value.data if is_a(value, Value) else value)
        return self._unlisted(value, node, count)

    def _unlisted(self, value: Any, node: ast.AST, count: int = LEAVES) -> Any:
        """`value` as a leaf that nobody can change: there are too many to list."""
        if is_a(value, Value):
            self.stamp(value, node, count)
        else:
            value.op, value.args, value.node, value.leaf = None, (), node, count
            value.scope, value.serial = self.machine.scope, self.made
            self.made += 1
        return value

    def _changed(self, value: Any, x: float) -> Any:
        if is_a(value, Value):
            value.data = value.rounded(x)
            return value
        changed = taped(Float64(x) if isinstance(value, Float64) else x)
        changed.label = value.label
        return changed

    def named(self, value: Any, name: str, node: ast.AST, depth: int = 0) -> Any:
        """`value` under a name: a plain number becomes a leaf, and what has no label gets one.

        `w = [1.0, 2.0]` names its items w[0] and w[1].
        """
        kind = type(value)
        if kind in FOLLOWED or is_a(value, Value):
            if not value.label:
                value.label = name
        elif kind is float or kind is int:
            number = taped(value)
            number.label = name
            return self.leaf(number, node)
        elif kind is TensorArray and value.size <= NAMED:
            value.name = value.name or name
            value.label(name)
        elif kind is Array and value.dtype is OBJECT and value.size <= NAMED:
            self.machine.arrangements.named(value.items(), value.shape, name)
        elif kind is list and depth < 4 and len(value) <= NAMED:
            self._name_items(value, name, node, depth)
        return value

    def _name_items(self, items: list[Any], name: str, node: ast.AST, depth: int) -> None:
        elements = node.elts if isinstance(node, ast.List | ast.Tuple) else []
        nodes = elements if len(elements) == len(items) else [node] * len(items)
        for i, (item, where) in enumerate(zip(items, nodes, strict=True)):
            if type(item) in NUMBERS or is_a(item, Value | list | TensorArray):
                items[i] = self.named(item, f"{name}[{i}]", where, depth + 1)

    def lift(self, x: Any, node: ast.AST | None = None, slot: int = 0) -> Value:
        """The Value that is drawn for a number."""
        if isinstance(x, Value):
            return x
        if type(x) in FOLLOWED:
            return x.value or self._drawn(x)
        before = self.made - 0.75 + slot / 4
        return self._constant(x, node or self.machine.node, before, self.machine.scope)

    def given(self, x: float, label: str) -> Value:
        """A number that a network is given, in the order of its inputs."""
        m = self.machine
        out = self._constant(x, m.node, self.made, m.scope)
        out.label = label
        self.made += 1
        return out

    def _constant(self, x: float, node: ast.AST, number: float, scope: Any) -> LiveNumber:
        """A LiveNumber that nobody named, such as the 2 of `2 * a`."""
        out = number_of(x)
        if self.machine.follows_micrograd and isinstance(x, int):
            out.data, out.grad = int(x), 0
        out.label = node.id if isinstance(node, ast.Name) else ""
        out.origin = _tuple(Origin, (node, scope, None))
        out.serial, out.made_with = number, out.data
        return out

    def _drawn(self, output: Taped) -> Value:
        """The LiveNumber of `output` and of all followed numbers that it was computed from."""
        stack = [output]
        while stack:
            x = stack[-1]
            below = [arg for arg in x.args if type(arg) in FOLLOWED and arg.value is None]
            if below and x.value is None:
                stack += reversed(below)
                continue
            stack.pop()
            if x.value is None:
                x.value = self._number(x)
        assert output.value is not None
        return output.value

    def _number(self, x: Taped) -> LiveNumber:
        out = number_of(x)
        out.op, out.label, out.owner = x.op, x.label, x.owner
        out.args = tuple(
            [
                arg.value
                if type(arg) in FOLLOWED
                else self._constant(
                    arg, self._operand(x.node, slot), x.serial - 0.75 + slot / 4, x.scope
                )
                for slot, arg in enumerate(x.args)
            ]
        )
        out.origin, out.serial = Origin(x.node, x.scope, x.leaf), x.serial
        out.made_with = out.data
        return out

    # Operations

    def stamp(self, value: Value, node: ast.AST, leaf: int | None = None) -> None:
        if self.machine.follows_micrograd and value.grad == 0:
            value.grad = 0
        value.origin = Origin(node, self.machine.scope, leaf)
        value.serial, value.made_with = self.made, value.data
        self.made += 1

    def apply(self, op: Op, args: Sequence[Any], node: ast.AST) -> Any:
        """The Value or followed number that `op` computes: a Tensor if an arg is one."""
        m = self.machine
        for arg in args:
            if isinstance(arg, Value):
                break
        else:
            return self.follow(op, op.compute(*args), tuple(args), node)
        values = self._lifted(args, node)
        if PLAIN.issuperset(map(type, values)):
            return self.compute(op, values, node)
        out = self.last = result_of(op, values)
        if not m.recording and isinstance(out, Tensor):
            out.recorded = False
        if m.follows_micrograd:
            out.grad, out.data = 0, as_in_micrograd(op, values, out.data)
        self.stamp(out, node)
        return out

    def compute(self, op: Op, args: tuple[Value, ...], node: ast.AST) -> Value:
        """The Value that `op` computes from built-in Values."""
        m = self.machine
        out = self.last = computed(op, args)
        if m.follows_micrograd:
            out.grad, out.data = 0, as_in_micrograd(op, args, out.data)
        out.origin = _tuple(Origin, (node, m.scope, None))
        out.serial, out.made_with = self.made, out.data
        self.made += 1
        return out

    def _lifted(self, args: Sequence[Any], node: ast.AST) -> tuple[Value, ...]:
        m = self.machine
        lifted = [
            arg
            if isinstance(arg, Value)
            else arg.value or self._drawn(arg)
            if type(arg) in FOLLOWED
            else self._constant(
                arg, self._operand(node, slot), self.made - 0.75 + slot / 4, m.scope
            )
            for slot, arg in enumerate(args)
        ]
        return tuple(lifted)

    def _operand(self, node: ast.AST, slot: int) -> ast.AST:
        """The place of one arg of the operation at `node`; the operation's own if it has none."""
        nodes = self._operands.get(node)
        if nodes is None:
            nodes = self._operands[node] = operands(node)
        return nodes[slot] if slot < len(nodes) else node

    def follow(self, op: Op, result: float, args: tuple[Any, ...], node: ast.AST) -> Taped:
        """`result` as a number that `op` computed from `args`."""
        out = taped(result)
        out.op, out.args, out.node = op, args, node
        out.scope, out.serial = self.machine.scope, self.made
        self.made += 1
        self.last_number = out
        return out

    def with_number(self, x: float, number: float) -> float:
        """What was just computed, with the number that Python gives it."""
        if type(x) is not TapedFloat:
            return number
        out = self.last_number = TapedFloat(number)
        out.op, out.args, out.node = x.op, x.args, x.node
        out.scope, out.serial, out.owner = x.scope, x.serial, x.owner
        return out

    def adopt(self, result: Any, node: ast.AST) -> Any:
        """Stamp the Values that engine code made on the way to `result`."""
        for value in result if isinstance(result, list) else [result]:
            if is_a(value, Value) and value.origin is None:
                self._adopt_with_args(value, node)
        return result

    def _adopt_with_args(self, output: Value, node: ast.AST) -> None:
        stack = [output]
        while stack:
            value = stack[-1]
            fresh = [arg for arg in value.args if arg.origin is None]
            if fresh:
                stack += reversed(fresh)
                continue
            stack.pop()
            if value.origin is None:
                self.stamp(value, node)
                if value.op is not None:
                    self.last = value

    def watch(self, module: Module, node: ast.AST) -> None:
        """Take in a new network: its parameters are leaves, its calls are scopes."""
        self.networks.append((module, node))
        for parameter in module.parameters():
            self.leaf(parameter, node)
            self.parameters.add(id(parameter))
        for part in module.modules():
            part.hook = self._call

    def _call(self, module: Module, x: Any) -> Any:
        m = self.machine
        around, node = m.scope, m.node
        if self.nested >= NESTED:
            raise RecursionError("maximum recursion depth exceeded")
        m.scope = (type(module).__name__.lower(), module, around)
        self.nested += 1
        try:
            out = output_of(self, module, x)
            if out is None:
                out = module.forward(x)
                self.adopt(out, node)
        finally:
            self.nested -= 1
            m.scope = around
        return out

    def differentiate(self, output: Any, node: ast.AST) -> Backward:
        """`output.backward()`."""
        order = in_order(self.lift(output, node))
        self.has_passed = True
        others = [i for i, value in enumerate(order) if type(value) is not Value]
        backward = record(order, node, others)
        log = self.machine.own.log[self.machine.scenes.seen :]
        backward.spent.update(self.spent.at(order, backward.grads, log))
        seed = 1 if self.machine.follows_micrograd else backward.before + 1.0
        if any(type(x) is Tensor and x.single for x in (order[i] for i in others)):
            deque(backpropagate(order, seed), maxlen=0)
        else:
            differentiate(order, seed)
        return backward

    def output(self) -> Value | Taped | None:
        """The last Value computed, else the last number, else the last leaf.

        A program that plots draws no number but those that it names, or ends with: the others are
        points of its charts. So it is with numbers computed while an object was made, such as the
        sizes of layers.
        """
        if self.last is not None:
            return self.last
        last = self.last_number
        if self.machine.charts or (last is not None and _is_making(last.scope)):
            return self._last_kept()
        if self.last_number is not None:
            return self.last_number
        return self.leaves[-1] if self.leaves else None

    def _last_kept(self) -> Taped | None:
        """The last number computed that the module's variables hold, or that ends the program."""
        held = [x for x in self.machine.globals.values() if type(x) in FOLLOWED and x.op]
        kept = [x for x in (*held, self.ending) if x is not None]
        return max(kept, key=attrgetter("serial"), default=None)


def _is_making(scope: Any) -> bool:
    """Whether the calls in a chain of scopes include that of an `__init__`."""
    while scope is not None:
        kind, what, scope = scope[:3]
        if kind == "function" and what.name == "__init__":
            return True
    return False


_tuple = tuple.__new__
"""Makes an Origin without its own constructor, which takes longer than the rest of `Tape.apply`."""
