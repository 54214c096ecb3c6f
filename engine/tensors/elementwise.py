"""Functions of single elements, broadcast over tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from engine.array_ops.grid import expanded_items
from engine.ops import OPS, Op

from .dtypes import BOOL, FLOAT32, DType, wrapped
from .graph import TensorNode
from .saved import NoDerivative, save_for
from .scalar import IN_STEPS, float_power, grad_fn_name
from .tensor_array import TensorArray, tensors
from .whole import common_shape, record, result_type

TRUE_FLOATS = frozenset({
    "/", "exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid", "silu", "gelu", "softplus",
    *(name for name, op in OPS.items() if op.module == "math"),
})  # fmt: skip
"""Functions of integers whose results are floats."""


KERNELS: Mapping[str, tuple[str, int]] = {
    **{name: (f"{kernel}_cpu", 2) for name, kernel in (
        ("frac", "frac"), ("selu", "elu"), ("elu", "elu"), ("hardsigmoid", "hardsigmoid"),
        ("hardshrink", "hardshrink"), ("logsigmoid", "log_sigmoid"), ("silu", "silu"),
        ("softplus", "softplus"), ("leaky_relu", "leaky_relu"),
    )},
    "abs": ("abs_cpu", 1), "round": ("round_cpu", 1), "histc": ("linspace_cpu", 2),
    "ceil": ("ceil_vml_cpu", 1), "trunc": ("trunc_vml_cpu", 1), "median": ("median_cpu", 1),
}  # fmt: skip
"""Functions that PyTorch lacks for some types: what it calls them, and the least category."""


def with_kernels(table: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """`table`, whose functions refuse the types that PyTorch does not have them for."""
    return {name: _checked(name, f) if name in KERNELS else f for name, f in table.items()}


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    kernel, least = KERNELS[name]

    def checked(*args: Any, **options: Any) -> Any:
        given = args[0] if args else options.get("input")
        if isinstance(given, TensorArray) and given.dtype.category < least:
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{given.dtype.title}'")
        return function(*args, **options)

    checked.__name__ = checked.__qualname__ = name
    return checked


def elementwise(name: str, *operands: Any, made_by: str = "") -> Any:
    """The op `name` of elements that are broadcast against each other."""
    arrays = tensors(*operands)
    op, dtype = OPS[name], result_type(arrays)
    if name == "**" and dtype.category < 2 and arrays[1].is_number and arrays[1].numbers()[0] < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if name in TRUE_FLOATS and dtype.category < 2:
        dtype = FLOAT32
    shape = common_shape(arrays)
    live = [x.is_live for x in arrays]
    columns = [expanded_items(x.grid, shape) for x in arrays]
    out = arrays[0].new(computed(op, columns, dtype), shape, dtype)
    title = (made_by or _grad_fn(op, arrays, live)) if any(live) else ""
    record(op.name, out, arrays, {}, title, saves=op.saves)
    if out.requires_grad:
        save_for(op, out, arrays, live)
    return out


def _grad_fn(op: Op, arrays: Sequence[TensorArray], live: Sequence[bool]) -> str:
    """Whether a power's exponent is a tensor decides the name, not whether it is recorded."""
    name = grad_fn_name(op, live[0] or not arrays[0].is_number, live[-1])
    if op.name == "**" and name != "PowBackward2":
        return "PowBackward0" if arrays[1].is_number else "PowBackward1"
    return name


def computed(op: Op, columns: Sequence[Sequence[Any]], dtype: DType) -> list[Any]:
    """`op` of rows of plain numbers, as elements of `dtype`."""
    if dtype.category == 2:
        inputs = [dtype.convert(column) for column in columns]
        if op.name == "**":
            single = dtype.bits == 32
            pairs = zip(*inputs, strict=True)
            return dtype.convert(float_power(a, b, single=single) for a, b in pairs)
        in_steps = IN_STEPS.get(op.name) if dtype.bits == 32 else None
        return dtype.convert(map(in_steps or op.compute, *inputs))
    if op.name == "**":
        return [_integer_power(a, b) for a, b in zip(*columns, strict=True)]
    if dtype is BOOL and op.name in ("-", "neg"):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead."
        )
    return dtype.convert(map(op.compute, *columns))


def _integer_power(a: int, b: int) -> int:
    if b < 0:
        return int(float(a) ** b) if abs(a) == 1 else 0
    return wrapped(pow(int(a), int(b), 1 << 64))


# Functions without a gradient


def cut_off(x: Any) -> Any:
    """x without its decimals."""
    return math.trunc(x) if math.isfinite(x) else x


def mapped(f: Callable[..., Any], dtype: DType | None, *operands: Any) -> Any:
    """`f` of elements as plain numbers: comparisons, rounding, remainders."""
    arrays = tensors(*operands)
    shape, common = common_shape(arrays), result_type(arrays)
    columns = [common.convert(expanded_items(x.grid, shape)) for x in arrays]
    dtype = dtype or common
    return arrays[0].new(dtype.convert(map(f, *columns)), shape, dtype)


def stepwise(f: Callable[[Any], Any], name: str, x: TensorArray) -> Any:
    """A function of single elements whose gradient is 0."""
    op = "sign" if name == "sgn" else name
    return record(op, mapped(f, x.dtype, x), [x], {}, f"{name.capitalize()}Backward0", saves=False)


def divided_down(a: Any, b: Any) -> Any:
    """a // b, which PyTorch does not differentiate."""
    found, arrays = mapped(floor_quotient, None, a, b), tensors(a, b)
    if found.size and any(x.is_live for x in arrays):
        found.node = TensorNode(found.shape, found.dtype, [x.node for x in arrays])
        found.node.saved = [NoDerivative("derivative for aten::floor_divide is not implemented")]
        found.made_by = "NotImplemented"
    return found


def floor_quotient(a: Any, b: Any) -> Any:
    """a // b; infinite or nan by zero for floats. Raises RuntimeError for integers by zero."""
    if b == 0:
        if isinstance(b, int):
            raise RuntimeError("ZeroDivisionError")
        return OPS["/"].compute(a, b)
    return a // b


def remainder(a: Any, b: Any) -> Any:
    if b == 0:
        if isinstance(b, int):
            raise RuntimeError("ZeroDivisionError")
        return math.nan
    if isinstance(b, int) or not math.isfinite(a):
        return a % b if math.isfinite(a) else math.nan
    rest = math.fmod(a, b)
    return rest + b if rest and (rest < 0) != (b < 0) else rest


def modulo(a: Any, b: Any) -> Any:
    """a % b, with the sign of b."""
    left, right = tensors(a, b)
    if not left.is_live and not right.is_live:
        return mapped(remainder, None, a, b)
    if left.is_number:
        hint = f"Write torch.remainder(torch.tensor({float(a)!r}), x)."
        left.session.machine.refuse("PyTorch does not differentiate a number % a tensor.", hint)
    return elementwise("mod", a, b, made_by=f"RemainderBackward{int(not right.is_number)}")


def where(condition: Any, *choices: Any) -> Any:
    """The elements of the first choice where `condition` holds, else of the second."""
    arrays = tensors(condition, *choices)
    if arrays[0].dtype is not BOOL:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{arrays[0].dtype.title}"
        )
    shape, dtype = common_shape(arrays), result_type(arrays[1:])
    rows = zip(*(expanded_items(x.grid, shape) for x in arrays), strict=True)
    out = arrays[0].new(dtype.convert(a if truth else b for truth, a, b in rows), shape, dtype)
    return record("where", out, arrays, {}, "WhereBackward0", saves=True)


def clamp(x: Any, low: Any, high: Any, *, open: bool = False) -> Any:  # noqa: A002
    """Elements within [low, high] pass with their gradient; others become constant limits.

    With `open` the limits themselves pass no gradient, either.
    """
    if low is None and high is None:
        raise ValueError("torch.clamp: At least one of 'min' or 'max' must not be None")
    given = {"low": low, "high": high}
    limits = {k: x.session.array(limit) for k, limit in given.items() if limit is not None}
    if any(limit.size != 1 for limit in limits.values()):
        for op, limit in (("max", low), ("min", high)):
            x = x if limit is None else elementwise(op, x, limit)
        return x
    dtype = result_type([x, *limits.values()])
    params = {"low": -math.inf, "high": math.inf}
    params |= {name: limit.numbers()[0] for name, limit in limits.items()}
    low, high = params["low"], params["high"]

    def limited(number: Any) -> Any:
        number = low if number < low else number
        return high if number > high else number

    out = x.new(dtype.convert(map(limited, x.numbers())), x.shape, dtype)
    return record("hardtanh" if open else "clip", out, [x], params, "ClampBackward1")


def cast(x: TensorArray, dtype: DType) -> Any:
    """`x` in another element type; the tensor itself if it has it."""
    if x.dtype == dtype:
        return x
    out = x.new(_cut(x.numbers(), dtype), x.shape, dtype)
    return record("copy", out, [x], {}, "ToCopyBackward0", saves=False)


def _cut(numbers: list[Any], dtype: DType) -> list[Any]:
    """Numbers as `dtype`; nan and infinities as integers are the lowest one, as on x86."""
    if dtype.category == 1:
        numbers = [x if math.isfinite(x) else -(1 << 63) for x in numbers]
    return dtype.convert(numbers)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lt, "le": le, "gt": gt, "ge": ge, "eq": eq, "ne": ne,
}  # fmt: skip
