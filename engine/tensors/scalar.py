"""The Value that is drawn of a tensor of one number: PyTorch's precision and repeated passes."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence

from engine.ops import OPS, Op
from engine.real import as_single, divide
from engine.value import Value, apply, computed


class Tensor(Value):
    """A tensor of one number. Leaves add up over passes; interior ones start each pass at 0.

    With `single`, data and gradient are 32-bit floats, to which every result is rounded. `recorded`
    is PyTorch's requires_grad.
    """

    __slots__ = ("recorded", "single")
    rounds = True
    single: bool
    recorded: bool

    def __init__(self, data: float, *, single: bool = False, recorded: bool = True) -> None:
        super().__init__(data)
        self.single, self.recorded = single, recorded
        self.data = self.rounded(self.data)

    def rounded(self, x: float) -> float:
        return as_single(x) if self.single else x

    def recomputed(self) -> float:
        assert self.op is not None
        numbers = [self.rounded(arg.data) for arg in self.args]
        if self.op.name in IN_STEPS:
            return IN_STEPS[self.op.name](*numbers)
        return self.rounded(self.op.compute(*numbers))


Tensor.__module__ = "torch"


def _sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), each step rounded to 32 bits."""
    try:
        power = as_single(math.exp(-x))
    except OverflowError:
        power = math.inf
    return as_single(1 / as_single(1 + power))


IN_STEPS: dict[str, Callable[..., float]] = {"sigmoid": _sigmoid}
"""Functions that PyTorch computes from others in 32 bits, and whose last digits tell."""


def float_power(a: float, b: float, *, single: bool) -> float:
    """a ** b, by products for the exponents 3 and −2, as PyTorch computes these."""
    if b not in (3.0, -2.0):
        return OPS["**"].compute(a, b)
    square = as_single(a * a) if single else a * a
    return square * a if b == 3.0 else divide(1.0, square)


def all_single(numbers: Iterable[float]) -> list[float]:
    """The 32-bit floats nearest to `numbers`."""
    return array("f", numbers).tolist()


def result_of(op: Op, args: Sequence[Value]) -> Value:
    """A Tensor computed from a Tensor, else a Value; 32 bits if all Tensors among `args` have."""
    tensors = [arg for arg in args if isinstance(arg, Tensor)]
    if not tensors:
        return apply(op, *args)
    out = computed(op, tuple(args), Tensor)
    assert isinstance(out, Tensor)
    out.recorded = any(arg.recorded for arg in tensors)
    out.single = all(arg.single for arg in tensors)
    if out.single:
        out.data = out.recomputed()
    return out


_NAMES = {
    "+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "**": "Pow", "max": "Maximum",
    "min": "Minimum", "leaky_relu": "LeakyRelu", "log1p": "Log1P", "radians": "Deg2Rad",
    "degrees": "Rad2Deg",
}  # fmt: skip


def grad_fn_name(op: Op, first_recorded: bool = True, second_recorded: bool = False) -> str:
    """PyTorch's name of the function that differentiates `op`, by which inputs are tensors."""
    if op.name == "-" and not first_recorded:
        return "RsubBackward1"
    if op.name == "/" and not first_recorded:
        return "MulBackward0"
    if op.name == "**" and second_recorded:
        return "PowBackward1" if first_recorded else "PowBackward2"
    return f"{_NAMES.get(op.name, op.name.capitalize())}Backward0"
