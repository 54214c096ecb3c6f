"""The tape of a program: its Values in the order computed, each with the place that made it.

Every number that takes part in arithmetic becomes a Value: one that the program wraps itself, or a
`Number`, which prints and counts like Python's own number but is drawn like any other Value.
"""

from __future__ import annotations

import ast
import math
import struct
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, cast

from engine.nn import Module
from engine.ops import Op
from engine.value import Value, apply, backpropagate, differentiate, topological_order

from .source import Limits


class Refused(Exception):
    """What a program asks for at `node` is not to be had; `hint` says what to write instead."""

    def __init__(self, node: ast.AST, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


class Number(Value):
    """A plain number of the program: a leaf such as `a = 2`, or arithmetic on such numbers.

    `whole` says that Python would print it as an int.
    """

    __slots__ = ("whole",)
    whole: bool


class Tensor(Value):
    """A tensor of one number, which follows PyTorch where a graph is differentiated repeatedly.

    Leaves add up over passes, the output of a pass too if it is a leaf; interior tensors start each
    pass at 0. `freed` says that a pass has dropped the numbers that the op's partials need. With
    `single`, data and gradient are 32-bit floats, to which every result is rounded. `tacit` leaves
    were made without a word on `requires_grad`, so that PyTorch would record no gradient.
    """

    __slots__ = ("freed", "single", "tacit")
    rounds = True
    freed: bool
    single: bool
    tacit: bool

    def __init__(self, data: float, *, single: bool = False) -> None:
        super().__init__(data)
        self.freed, self.single, self.tacit = False, single, False
        self.data = self.rounded(self.data)

    def rounded(self, x: float) -> float:
        return as_single(x) if self.single else x


_SINGLE = struct.Struct("f")


def as_single(x: float) -> float:
    """The 32-bit float nearest to `x`, ties to even; an infinity beyond the largest one."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)
    return rounded


@dataclass(eq=False, slots=True)
class Scope:
    """Where a Value was made: a call, a loop, one turn of a loop. Drawings fold Values by it."""

    kind: str
    title: str
    parent: Scope | None


class Origin(NamedTuple):
    """`number` counts Values in the order computed; `leaf` counts leaves, None for the others.

    `data` is the number that the Value was made with; the program may set another one later.
    """

    number: int
    node: ast.AST
    scope: Scope | None
    leaf: int | None
    data: float


class Place(NamedTuple):
    """Which leaf of a program: the `turn`-th that was made `at` a place of its text.

    Unlike a count of all leaves it stays the same where another branch is taken before it.
    """

    at: tuple[int, int, int, int]
    turn: int


@dataclass(frozen=True, slots=True)
class Backward:
    """A call of `backward()`, recorded so that it can be replayed frame by frame.

    `held` are the gradients before the call, `grads` those that the pass starts from, by the rule
    of the output's kind.
    """

    order: list[Value]
    data: list[float]
    held: list[float]
    grads: list[float]

    @property
    def before(self) -> float:
        """The gradient of the output that the seed is added to: 0 except for a leaf tensor."""
        output = self.order[-1]
        return self.grads[-1] if type(output) is Tensor and output.op is None else 0.0

    def rewind(self) -> None:
        """Give every Value the numbers that the pass starts from."""
        for value, data, grad in zip(self.order, self.data, self.grads, strict=True):
            value.data, value.grad = data, grad


def record(order: list[Value]) -> Backward:
    """The pass that differentiates the last of `order`, from the numbers that are there now."""
    held = [value.grad for value in order]
    is_tensor = type(order[-1]) is Tensor
    grads = [
        0.0 if type(value) is Number or (is_tensor and value.op is not None) else grad
        for value, grad in zip(order, held, strict=True)
    ]
    return Backward(order, [value.data for value in order], held, grads)


FREED = (
    "Trying to backward through the graph a second time: the tensors saved for it were freed after "
    "the first."
)
RETAIN = "Give the pass before this one retain_graph=True, as in y.backward(retain_graph=True)."
APPLY_COST = 2  # operations: what making a Value costs beside reading its expression
_WHOLE = frozenset({"+", "-", "*", "neg", "abs", "max", "min"})


class Tape:
    """Makes Values, notes where each came from, and counts the work against the budget.

    `overrides` gives leaves another number: by the count that they had in the program's own run,
    which `counts` tells of each place.
    """

    def __init__(self, limits: Limits, overrides: dict[int, float]) -> None:
        self.limits = limits
        self.overrides = overrides
        self.counts: dict[Place, int] = {}
        self.left = limits.operations
        self.made = 0
        self.leaves: list[Value] = []
        self.places: dict[Place, int] = {}
        """The count of each leaf in this run, by its place."""
        self.turns: Counter[tuple[int, int, int, int]] = Counter()
        self.initial: list[float] = []
        """The number that each leaf starts with; training changes `data` later."""
        self.last: Value | None = None
        """The last Value computed that the program wrapped, or that came from one."""
        self.last_number: Number | None = None
        self.backward: Backward | None = None
        self.scope: Scope | None = None
        self.node: ast.AST = ast.Module([], [])
        self.networks: list[tuple[Module, ast.AST]] = []

    def spend(self, node: ast.AST, amount: int = 1) -> None:
        """Count work. Raises Refused when the budget is used up."""
        self.left -= amount
        if self.left < 0:
            self.exhausted(node)

    def exhausted(self, node: ast.AST) -> NoReturn:
        raise Refused(
            node,
            f"The program was stopped here: it needs more than {self.limits.operations:,} "
            "operations.",
            "Do fewer turns of the loop, or take a smaller network.",
        )

    def stamp(self, value: Value, node: ast.AST, leaf: int | None = None) -> None:
        value.origin = Origin(self.made, node, self.scope, leaf, value.data)
        self.made += 1

    def leaf(self, value: Value, node: ast.AST) -> Value:
        """Take `value` in as a leaf that the reader may change."""
        count = len(self.leaves)
        self.leaves.append(value)
        place = self._place(node)
        self.places[place] = count
        changed = self.overrides.get(self.counts.get(place, -1))
        if changed is not None:
            value.data = value.rounded(changed)
            if isinstance(value, Number):
                value.whole = False
        self.initial.append(value.data)
        self.stamp(value, node, count)
        return value

    def _place(self, node: ast.AST) -> Place:
        """Where one more leaf is made; not the node itself, for `map` makes its nodes anew."""
        at = (
            getattr(node, "lineno", 0),
            getattr(node, "col_offset", 0),
            getattr(node, "end_lineno", 0),
            getattr(node, "end_col_offset", 0),
        )
        self.turns[at] += 1
        return Place(at, self.turns[at])

    def number(self, x: float, node: ast.AST, label: str = "") -> Number:
        """A Number for a plain number of Python."""
        try:
            value = Number(x, label=label)
        except OverflowError:
            raise Refused(
                node,
                "This number is too large; 64-bit floats end at about 1.8e308.",
                "Write it smaller.",
            ) from None
        value.whole = type(x) is int
        return value

    def constant(self, x: float, node: ast.AST, label: str = "") -> Number:
        """A Number that nobody named, such as the 2 of `2 * a`."""
        value = self.number(x, node, label)
        self.stamp(value, node)
        return value

    def apply(self, op: Op, args: Sequence[Value], node: ast.AST) -> Value:
        """The Value that `op` computes: a Number if all its args are, a Tensor if one is."""
        self.left -= APPLY_COST
        if self.left < 0:
            self.exhausted(node)
        for arg in args:
            if type(arg) is not Number:
                out = self.last = _result_of(op, args)
                break
        else:
            out = self.last_number = _number_of(op, cast("Sequence[Number]", args))
        out.origin = _origin(Origin, (self.made, node, self.scope, None, out.data))
        self.made += 1
        return out

    def adopt(self, result: Any, node: ast.AST) -> None:
        """Stamp the Values that engine code made on the way to `result`."""
        for value in result if isinstance(result, list) else [result]:
            if isinstance(value, Value) and value.origin is None:
                self._adopt_with_args(value, node)

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
                self.spend(node)
                self.stamp(value, node)
                if value.op is not None:
                    self.last = value

    def watch(self, module: Module, node: ast.AST) -> None:
        """Take in a new network: its parameters are leaves, its calls are scopes."""
        self.networks.append((module, node))
        for parameter in module.parameters():
            self.leaf(parameter, node)
        for part in module.modules():
            part.hook = self._call

    def _call(self, module: Module, x: Any) -> Any:
        around = self.scope
        name = f" {module.name}" if module.name else ""
        kind = type(module).__name__
        self.scope = Scope(kind.lower(), kind + name, around)
        self.spend(self.node, len(x) if isinstance(x, list) else 1)
        out = module.forward(x)
        self.adopt(out, self.node)
        self.scope = around
        return out

    def differentiate(self, output: Value, node: ast.AST, *, retain_graph: bool = False) -> None:
        """`output.backward()`; the last such call of a program is the one that is drawn.

        Raises Refused for a graph that an earlier pass of PyTorch's kind has freed.
        """
        order = in_order(output)
        self.spend(node, len(order))
        if type(output) is Tensor:
            self._use_saved(order, node, retain_graph)
        self.backward = record(order)
        self.backward.rewind()
        seed = self.backward.before + 1.0
        if any(type(value) is Tensor and value.single for value in order):
            deque(backpropagate(order, seed), maxlen=0)
        else:
            differentiate(order, seed)

    def _use_saved(self, order: list[Value], node: ast.AST, retain_graph: bool) -> None:
        """Check that no tensor's saved numbers are freed, and free them unless they are kept."""
        saving = [value for value in order if type(value) is Tensor and value.op is not None]
        if any(value.freed for value in saving):
            raise Refused(node, FREED, RETAIN)
        for value in saving:
            value.freed = not retain_graph and value.op is not None and value.op.saves

    def output(self) -> Value | None:
        """What the program is about: what `backward()` was called on, else the last computed."""
        if self.backward is not None:
            return self.backward.order[-1]
        return self.last or self.last_number or (self.leaves[-1] if self.leaves else None)


def in_order(output: Value) -> list[Value]:
    """Everything `output` depends on, in the order computed."""
    return sorted(topological_order(output), key=_number)


def _number(value: Value) -> int:
    number: int = value.origin.number
    return number


def _result_of(op: Op, args: Sequence[Value]) -> Value:
    """A Tensor computed from a Tensor, else a Value."""
    for arg in args:
        if type(arg) is Tensor:
            out = apply(op, *args, kind=Tensor)
            assert isinstance(out, Tensor)
            out.freed = False
            out.single = all(arg.single for arg in args if type(arg) is Tensor)
            if out.single:
                out.data = recomputed(out)
            return out
    return apply(op, *args)


def recomputed(value: Value) -> float:
    """The number that a Value's op gives for the present numbers of its args."""
    assert value.op is not None
    if not value.rounds:
        return value.op.compute(*[arg.data for arg in value.args])
    return value.rounded(value.op.compute(*[value.rounded(arg.data) for arg in value.args]))


def _number_of(op: Op, args: Sequence[Number]) -> Number:
    """A Number computed from Numbers."""
    out = apply(op, *args, kind=Number)
    assert isinstance(out, Number)
    out.whole = False
    for arg in args:
        if not arg.whole:
            return out
    out.whole = op.name in _WHOLE or (op.name == "**" and args[1].data >= 0)
    return out


_origin = tuple.__new__
"""Origin without its own constructor, which takes longer than the rest of `Tape.apply`."""
