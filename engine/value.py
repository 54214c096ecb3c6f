"""Scalars that record their computation graph, and reverse-mode automatic differentiation.

A `Value` holds a number, the operation that computed it and that operation's arguments. The
backward pass (Linnainmaa 1970; interface of micrograd, Andrej Karpathy 2020) visits the graph in
reverse topological order and adds to the gradient of each argument

    contribution = gradient of the result × partial derivative of the operation.

As in micrograd, `backward()` sets the gradient of the output to 1 and accumulates into all others,
interior Values included, without resetting them: for a = 2, b = 3a, c = b², a second call makes
a.grad 108 and not 72. No function recurses on the graph, so its depth is unlimited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .ops import OPS, Op
from .reverse import Contribution

V = TypeVar("V", bound="Value")
CHILDREN = "Values with children are created by operations, such as a * b"


class Value:
    """One scalar of a computation graph.

    `data` is its number and `grad` the accumulated gradient. `op` is the operation that computed it
    and `args` the operation's arguments in order, repeats included; leaves have neither. `label` is
    its name in pictures. The language sets three more: `origin` locates its creation in a program,
    `serial` orders the numbers of a run as computed, `made_with` is the `data` that it began with.

    Every operation of the table is a method (`x.tanh()`) or an operator (`a * b`), which accepts
    plain numbers on either side. As in micrograd, there is no unary plus.

    The arguments are those of micrograd's class, so `Value(2.0, (), "", "a")` is a leaf. Raises
    ValueError for children or an operation, which only operations may set.
    """

    __slots__ = ("args", "data", "grad", "label", "made_with", "op", "origin", "serial")
    made_with: float
    serial: float
    rounds: ClassVar[bool] = False
    """Whether `rounded` may change a number."""

    def __init__(
        self, data: float, _children: Iterable[Value] = (), _op: str = "", label: str = ""
    ) -> None:
        if _op or tuple(_children):
            raise ValueError(CHILDREN)
        self.data = float(data)
        self.grad = 0.0
        self.args: tuple[Value, ...] = ()
        self.op: Op | None = None
        self.label = label
        self.origin: Any = None

    def __repr__(self) -> str:
        return f"Value(data={self.data})"

    def rounded(self, x: float) -> float:
        """`x` in the precision of this Value."""
        return x

    def recomputed(self) -> float:
        """The number that the op gives for the present numbers of the args."""
        assert self.op is not None
        return self.op.compute(*[arg.data for arg in self.args])

    @property
    def _prev(self) -> set[Value]:
        """The args as a set, without repeats, as in micrograd."""
        return set(self.args)

    @property
    def _op(self) -> str:
        """The operation's name, as in micrograd; empty for a leaf."""
        return self.op.name if self.op else ""

    def _backward(self) -> None:
        """Accumulate the contributions of this operation in the gradients of its args."""
        if self.op:
            self.op.pull(self)

    def backward(self) -> None:
        """Set the gradient of this Value to 1 and backpropagate it.

        Contributions are added to the present gradients of all other Values, as in micrograd.
        """
        differentiate(_computed(self) or [self])

    def __lt__(self, other: Value | float) -> bool:
        return self.data < number(other)

    def __le__(self, other: Value | float) -> bool:
        return self.data <= number(other)

    def __gt__(self, other: Value | float) -> bool:
        return self.data > number(other)

    def __ge__(self, other: Value | float) -> bool:
        return self.data >= number(other)

    if TYPE_CHECKING:  # installed from the table below

        def __getattr__(self, name: str) -> Callable[..., Value]: ...
        def __add__(self, other: Value | float) -> Value: ...
        def __radd__(self, other: Value | float) -> Value: ...
        def __sub__(self, other: Value | float) -> Value: ...
        def __rsub__(self, other: Value | float) -> Value: ...
        def __mul__(self, other: Value | float) -> Value: ...
        def __rmul__(self, other: Value | float) -> Value: ...
        def __truediv__(self, other: Value | float) -> Value: ...
        def __rtruediv__(self, other: Value | float) -> Value: ...
        def __pow__(self, other: Value | float) -> Value: ...
        def __rpow__(self, other: Value | float) -> Value: ...
        def __neg__(self) -> Value: ...
        def __abs__(self) -> Value: ...


class Constant(Value):
    """A number inside an expression, the 2 of `2 * x`: an unnamed leaf."""

    __slots__ = ()


def number(x: Value | float) -> float:
    """The number of a Value, or the number itself."""
    return x.data if isinstance(x, Value) else x


def apply(op: Op, *args: Value) -> Value:
    """The Value that `op` computes from `args`."""
    return computed(op, args)


def computed(op: Op, args: tuple[Value, ...], kind: type[Value] = Value) -> Value:
    """The Value of this kind that `op` computes from `args`."""
    out = _new(kind)
    if len(args) == 2:
        a, b = args
        out.data = op.compute(a.data, b.data)
    else:
        out.data = op.compute(*[arg.data for arg in args])
    out.grad = 0.0
    out.args = args
    out.op = op
    out.label = ""
    out.origin = None
    return out


def topological_order(output: Value) -> list[Value]:
    """The Values that `output` depends on, itself included, in topological order."""
    computed = _computed(output)
    leaves = dict.fromkeys(arg for value in computed for arg in value.args if arg.op is None)
    return [*leaves, *computed] if computed else [output]


def _computed(output: Value) -> list[Value]:
    """The Values with an op among them, in topological order, by iterative depth-first search."""
    if output.op is None:
        return []
    order: list[Value] = []
    seen: set[Value] = set()
    path: list[Value] = []  # entered but not yet emitted, each an arg of its predecessor
    todo, depths = [output], [0]  # Values to enter, and the length of `path` at each
    while todo:
        start, depth = todo.pop(), depths.pop()
        if start in seen:
            continue
        while len(path) > depth:
            order.append(path.pop())
        value: Value | None = start
        while value is not None:  # descend along the last arg and postpone the others
            seen.add(value)
            path.append(value)
            below = None
            for arg in value.args:
                if arg.op is not None and arg not in seen:
                    if below is not None:
                        todo.append(below)
                        depths.append(len(path))
                    below = arg
            value = below
    order += reversed(path)
    return order


def partials(value: Value) -> Iterable[tuple[Value, float]]:
    """Each arg of an operation with the partial with respect to it; none of a leaf."""
    if value.op is None:
        return ()
    numbers = [arg.data for arg in value.args]
    return zip(value.args, value.op.partials_at(value.data, *numbers), strict=True)


def differentiate(order: Sequence[Value], seed: float = 1.0) -> None:
    """Backpropagate from the last Value of `order`, whose gradient is set to `seed`.

    `order` must contain all Values with an op that it depends on, in topological order. This is
    `reverse.sweep` of numbers, with gradients kept in the Values and the code of each operation
    compiled from its partials, as every training step and every pass of a program takes it.
    """
    order[-1].grad = seed
    for value in reversed(order):
        op = value.op
        if op is not None:
            op.pull(value)


def backpropagate(
    order: Sequence[V], seed: float = 1.0
) -> Iterator[tuple[V, list[Contribution[V]]]]:
    """The backward pass step by step: each computed Value with its contributions.

    The resulting gradients are bit-identical to those of `differentiate`, and as there, programs
    read and write them between two steps: so they stay in the Values, not in a dict as those of
    `reverse.sweep`.
    """
    order[-1].grad = seed
    for value in reversed(order):
        if value.op is not None:
            yield value, list(_contributions(value, value.op))


def contributions(value: Value) -> list[Contribution[Value]]:
    """Accumulate the contributions of one operation in the gradients of its args."""
    return list(_contributions(value, value.op)) if value.op else []


def _contributions(value: Value, op: Op) -> Iterator[Contribution[Any]]:
    if value.rounds:
        yield from _rounded_contributions(value, op)
        return
    numbers = [arg.data for arg in value.args]
    for slot, (arg, derive) in enumerate(zip(value.args, op.derive, strict=True)):
        partial = derive(value.data, *numbers)
        before = arg.grad
        amount = value.grad * partial
        arg.grad = before + amount
        yield Contribution(arg, slot, partial, value.grad, amount, before, arg.grad)


def _rounded_contributions(value: Value, op: Op) -> Iterator[Contribution[Any]]:
    """As `_contributions`, with each result rounded to the precision of the Value it belongs to."""
    numbers = [value.rounded(arg.data) for arg in value.args]
    for slot, (arg, derive) in enumerate(zip(value.args, op.derive, strict=True)):
        partial = derive(value.data, *numbers)
        before = arg.grad
        amount = value.rounded(value.grad * partial)
        arg.grad = arg.rounded(before + amount)
        yield Contribution(arg, slot, partial, value.grad, amount, before, arg.grad)


_new = object.__new__


def _unary(op: Op) -> Callable[[Value], Value]:
    compute = op.compute

    def method(self: Value) -> Value:
        out = _new(Value)
        out.data = compute(self.data)
        out.grad = 0.0
        out.args = (self,)
        out.op = op
        out.label = ""
        out.origin = None
        return out

    return method


def _binary(op: Op) -> Callable[[Value, Value | float], Value]:
    compute = op.compute

    def method(self: Value, other: Value | float) -> Value:
        if not isinstance(other, Value):
            if not isinstance(other, int | float):
                return NotImplemented
            other = Constant(other)
        out = _new(Value)
        out.data = compute(self.data, other.data)
        out.grad = 0.0
        out.args = (self, other)
        out.op = op
        out.label = ""
        out.origin = None
        return out

    return method


def _reflected(op: Op) -> Callable[[Value, float], Value]:
    def method(self: Value, other: float) -> Value:
        if not isinstance(other, int | float):
            return NotImplemented
        return apply(op, Constant(other), self)

    return method


OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow"}
"""The special methods of the operators: `a + b` calls `__add__`."""


def _install(op: Op) -> None:
    special = OPERATORS.get(op.name)
    if special:
        setattr(Value, f"__{special}__", _binary(op))
        setattr(Value, f"__r{special}__", _reflected(op))
        return
    method = _unary(op) if len(op.params) == 1 else _binary(op)
    setattr(Value, op.name if op.is_word else f"__{op.name}__", method)
    if op.name == "abs":
        Value.__abs__ = method  # type: ignore[method-assign,assignment]


for _op in OPS.values():
    _install(_op)


def args_first(output: Value) -> list[Value]:
    """The Values that `output` depends on, itself included, in depth-first postorder."""
    order: list[Value] = []
    seen = {output}
    path = [(output, iter(output.args))]
    while path:
        value, rest = path[-1]
        arg = next((arg for arg in rest if arg not in seen), None)
        if arg is None:
            order.append(value)
            path.pop()
        else:
            seen.add(arg)
            path.append((arg, iter(arg.args)))
    return order
