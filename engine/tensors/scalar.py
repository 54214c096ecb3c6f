"""Tensors of one number: Values that follow PyTorch's rules for precision and repeated passes."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence

from engine.ops import Op
from engine.real import as_single
from engine.value import Value, apply, computed

from .printing import tensor_text

LEAF = "leaf"
"""`made_by` of a leaf that is a tensor of its own, not an element of one."""

PARAMETER = "parameter"
"""`made_by` of a leaf that nn.Parameter made."""

LEAF_LIKE = frozenset({"", LEAF, PARAMETER})


class Tensor(Value):
    """A tensor of one number, which follows PyTorch where a graph is differentiated repeatedly.

    Leaves add up over passes, the output of a pass too if it is a leaf; interior tensors start each
    pass at 0. `freed` says that a pass has dropped the numbers that the op's partials need. With
    `single`, data and gradient are 32-bit floats, to which every result is rounded. `tacit` leaves
    were made without a word on `requires_grad`, so that PyTorch would record no gradient.

    `recorded` is PyTorch's requires_grad; `reached` says that a pass has given the leaf a gradient,
    `retains` that an interior tensor keeps its own; `made_by` names PyTorch's grad_fn where the op
    does not: an element taken from an array, a loss made of several ops.
    """

    __slots__ = ("freed", "made_by", "reached", "recorded", "retains", "single", "tacit")
    rounds = True
    freed: bool
    single: bool
    tacit: bool
    recorded: bool
    reached: bool
    retains: bool
    made_by: str

    def __init__(self, data: float, *, single: bool = False, recorded: bool = True) -> None:
        super().__init__(data)
        self.single = single
        self._start(recorded=recorded)
        self.data = self.rounded(self.data)

    def _start(self, *, recorded: bool) -> None:
        self.freed = self.tacit = self.reached = self.retains = False
        self.recorded = recorded
        self.made_by = ""

    def rounded(self, x: float) -> float:
        return as_single(x) if self.single else x

    def recomputed(self) -> float:
        assert self.op is not None
        numbers = [self.rounded(arg.data) for arg in self.args]
        if self.op.name in IN_STEPS:
            return IN_STEPS[self.op.name](*numbers)
        return self.rounded(self.op.compute(*numbers))

    def __repr__(self) -> str:
        suffixes = [] if self.single else ["dtype=torch.float64"]
        grad_fn = grad_fn_of(self)
        if grad_fn:
            suffixes.append(f"grad_fn=<{grad_fn}>")
        elif self.recorded:
            suffixes.append("requires_grad=True")
        text = tensor_text([self.data], (), True, suffixes)
        return f"Parameter containing:\n{text}" if self.made_by == PARAMETER else text

    def __float__(self) -> float:
        return float(self.data)

    def __int__(self) -> int:
        return int(self.data)

    def __bool__(self) -> bool:
        return bool(self.data)

    def __format__(self, spec: str) -> str:
        return format(self.data, spec)


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
    out._start(recorded=any(arg.recorded for arg in tensors))
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


def grad_fn_of(x: Tensor) -> str:
    """The name of a scalar Tensor's grad_fn; empty for leaves and where nothing is recorded."""
    if not x.recorded or (x.op is None and x.made_by in LEAF_LIKE):
        return ""
    if x.made_by or x.op is None:
        return x.made_by
    tensors = [isinstance(arg, Tensor) for arg in x.args]
    return grad_fn_name(x.op, tensors[0], len(tensors) > 1 and tensors[1])
