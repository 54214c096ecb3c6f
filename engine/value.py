"""A scalar that records how it was computed, and the backward pass that differentiates it.

A `Value` holds a number, the operation that made it and the Values that went in. From these links
reverse-mode differentiation follows (Linnainmaa 1970; the interface is that of micrograd, Andrej
Karpathy 2020): walk the graph from the output back, and give every argument

    contribution = gradient of the result × partial derivative of the operation.

`backward()` follows micrograd in whatever order it is called: it sets the gradient of the output to
1 and adds to every other one, interior Values included. Nothing is set to zero, so forgetting to
do so shows: for a = 2, b = 3a, c = b², a second call makes a.grad 108 and not 72. Nothing here
recurses on the graph: a chain of a million operations works like one of ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .ops import OPS, Op

CHILDREN = "A Value with children is made by an operation: compute with Values, as in a * b"


class Value:
    """One scalar of a computation graph.

    `data` is its number and `grad` the sum of the contributions that it has received. `op` is the
    operation that computed it and `args` the Values that went in, in order, repeats kept; a leaf
    has neither. `label` is its name in drawings. `origin` is set by the interpreter of programs:
    where the Value was made.

    Every operation of the table is a method (`x.tanh()`) or an operator (`a * b`); plain numbers
    may stand on either side. As in micrograd, there is no unary plus.

    The arguments are those of the lecture's class, so that `Value(2.0, (), "", "a")` makes a leaf.
    Raises ValueError for children or an operation: these come from computing with Values.
    """

    __slots__ = ("args", "data", "grad", "label", "op", "origin")

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

    @property
    def _prev(self) -> set[Value]:
        """The args as micrograd keeps them: a set, so that repeats are lost."""
        return set(self.args)

    @property
    def _op(self) -> str:
        """The operation's name as micrograd keeps it; empty for a leaf."""
        return self.op.name if self.op else ""

    def _backward(self) -> None:
        """Add the contributions of this one operation to the gradients of its args."""
        if self.op:
            self.op.pull(self)

    def backward(self) -> None:
        """Set the gradient of this Value to 1 and propagate it to everything it depends on.

        The gradients of all other Values grow by what they receive, as in micrograd.
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
    """A number written inside an expression, the 2 of `2 * x`: a leaf that nobody named."""

    __slots__ = ()


class Contribution(NamedTuple):
    """What one use of a Value gives to its gradient: amount = upstream × partial."""

    to: Value
    slot: int
    partial: float
    upstream: float
    amount: float
    before: float
    after: float


def number(x: Value | float) -> float:
    """The number of a Value, or the number itself."""
    return x.data if isinstance(x, Value) else x


def apply(op: Op, *args: Value, kind: type[Value] = Value) -> Value:
    """The Value that `op` computes from `args`."""
    out = _new(kind)
    out.data = op.compute(*[arg.data for arg in args])
    out.grad = 0.0
    out.args = args
    out.op = op
    out.label = ""
    out.origin = None
    return out


def topological_order(output: Value) -> list[Value]:
    """Everything `output` depends on, itself last, each Value after its args."""
    computed = _computed(output)
    leaves = dict.fromkeys(arg for value in computed for arg in value.args if arg.op is None)
    return [*leaves, *computed] if computed else [output]


def _computed(output: Value) -> list[Value]:
    """The Values with an op that `output` depends on, itself included, each after its args."""
    if output.op is None:
        return []
    order: list[Value] = []
    seen: set[Value] = set()
    path: list[Value] = []  # entered and not yet placed, each an arg of the one before
    todo, depths = [output], [0]  # what to enter next, and how long `path` is there
    while todo:
        start, depth = todo.pop(), depths.pop()
        if start in seen:
            continue
        while len(path) > depth:
            order.append(path.pop())
        value: Value | None = start
        while value is not None:  # down along the last arg; the others wait
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


def differentiate(order: Sequence[Value], seed: float = 1.0) -> None:
    """The backward pass: propagate from the last of `order`, whose gradient is set to `seed`.

    `order` must hold every Value with an op that the last one depends on, each after its args.
    """
    order[-1].grad = seed
    for value in reversed(order):
        if value.op is not None:
            value.op.pull(value)


def backpropagate(
    order: Sequence[Value], seed: float = 1.0
) -> Iterator[tuple[Value, list[Contribution]]]:
    """The backward pass in slow motion: each Value of `order`, from the last, with what it gives.

    Changes the gradients just as `differentiate` does, to the last bit.
    """
    order[-1].grad = seed
    for value in reversed(order):
        if value.op is not None:
            yield value, list(_contributions(value, value.op))


def _contributions(value: Value, op: Op) -> Iterator[Contribution]:
    numbers = [arg.data for arg in value.args]
    for slot, (arg, derive) in enumerate(zip(value.args, op.derive, strict=True)):
        partial = derive(value.data, *numbers)
        before = arg.grad
        amount = value.grad * partial
        arg.grad = before + amount
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
"""The names under which Python looks up the signs: `a + b` asks for `__add__`."""


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
    """What `output` depends on, itself last, in the order of a walk that enters args in turn."""
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
