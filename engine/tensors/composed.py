"""Functions of torch that are short combinations of others; methods of tensors as well.

A result that is recorded bears the name that PyTorch gives its function.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from . import arrangement, products, reductions
from .dtypes import BOOL, FLOAT32, INT64
from .elementwise import clamp, divided_down, elementwise, mapped, where
from .session import Session
from .tensor_array import called

Function = Callable[..., Any]


def _at_least(rank: int) -> Function:
    def function(session: Session, x: Any) -> Any:
        while session.array(x).ndim < rank:
            x = arrangement.unsqueeze(session, x, 0)
        return x

    return function


def _sides(session: Session, x: Any, dim: int, start: int, length: int) -> Any:
    """The slices of `x` from `start` on along an axis."""
    axis = arrangement.axis_of(dim, session.array(x).ndim)
    return arrangement.get_item(session, x, (slice(None),) * axis + (slice(start, start + length),))


def diff(session: Session, x: Any, n: int = 1, dim: int = -1) -> Any:
    if not session.array(x).shape:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    for _ in range(n):
        length = max(session.array(x).shape[dim] - 1, 0)
        x = elementwise(
            session, "-", _sides(session, x, dim, 1, length), _sides(session, x, dim, 0, length)
        )
    return x


def select(session: Session, x: Any, dim: int, index: int) -> Any:
    axis = arrangement.axis_of(dim, session.array(x).ndim)
    return arrangement.get_item(session, x, (slice(None),) * axis + (index,))


def narrow(session: Session, x: Any, dim: int, start: int, length: int) -> Any:
    if start + length > session.array(x).shape[dim]:
        size = session.array(x).shape[dim]
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return _sides(session, x, dim, start, length)


def take(session: Session, x: Any, index: Any) -> Any:
    flat = arrangement.flatten(session, x)
    return called(arrangement.get_item(session, flat, session.array(index)), "TakeBackward0")


def masked_select(session: Session, x: Any, mask: Any) -> Any:
    return called(arrangement.get_item(session, x, session.array(mask)), "MaskedSelectBackward0")


def unflatten(session: Session, x: Any, dim: int, sizes: Any) -> Any:
    shape = list(session.array(x).shape)
    axis = arrangement.axis_of(dim, len(shape))
    return arrangement.reshape(session, x, (*shape[:axis], *sizes, *shape[axis + 1 :]))


def lerp(session: Session, x: Any, end: Any, weight: Any) -> Any:
    """x + weight·(end − x)"""
    step = elementwise(session, "*", elementwise(session, "-", end, x), weight)
    return called(elementwise(session, "+", x, step), "LerpBackward0")


def _scaled_sum(sign: str, name: str) -> Function:
    def function(session: Session, x: Any, a: Any, b: Any, *, value: float = 1) -> Any:
        """x + value·(a sign b)"""
        term = elementwise(session, sign, a, b)
        term = term if value == 1 else elementwise(session, "*", term, value)
        return called(elementwise(session, "+", x, term), f"{name}Backward0")

    return function


def addmm(session: Session, x: Any, a: Any, b: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    """beta·x + alpha·(a @ b)"""
    product = products.matmul(session, a, b)
    product = product if alpha == 1 else elementwise(session, "*", product, alpha)
    x = x if beta == 1 else elementwise(session, "*", x, beta)
    return called(elementwise(session, "+", product, x), "AddmmBackward0")


def matrix_power(session: Session, x: Any, n: int) -> Any:
    if n < 1:
        session.machine.refuse("matrix_power takes a power of 1 or more here.", "Multiply instead.")
    result = x
    for _ in range(n - 1):
        result = products.matmul(session, result, x)
    return result


def hypot(session: Session, x: Any, other: Any) -> Any:
    squares = [elementwise(session, "**", side, 2) for side in (x, other)]
    total = elementwise(session, "+", *squares)
    return called(elementwise(session, "sqrt", total), "HypotBackward0")


def logit(session: Session, x: Any, eps: float | None = None) -> Any:
    """log(x / (1 − x))"""
    if eps is not None:
        session.machine.refuse("logit takes no eps here.", "Clamp the tensor first.")
    odds = elementwise(session, "/", x, elementwise(session, "-", 1, x))
    return called(elementwise(session, "log", odds), "LogitBackward0")


def dist(session: Session, x: Any, other: Any, p: float = 2) -> Any:
    if p != 2:
        session.machine.refuse("dist is the Euclidean distance here.", "Leave p out.")
    gap = elementwise(session, "-", x, other)
    return called(reductions.length(session, gap, None, False), "DistBackward0")


def frac(session: Session, x: Any) -> Any:
    whole = mapped(session, math.trunc, None, session.array(x).detached())
    return called(elementwise(session, "-", x, whole), "FracBackward0")


def fmod(session: Session, x: Any, other: Any) -> Any:
    """The remainder with the sign of x."""
    arrays = [session.array(x), session.array(other)]
    if not session.is_live(*arrays):
        return mapped(session, _remainder, None, x, other)
    name = f"FmodBackward{int(not arrays[1].is_number)}"
    return elementwise(session, "fmod", x, other, made_by=name)


def _remainder(a: Any, b: Any) -> Any:
    if b == 0 and isinstance(b, int):
        raise RuntimeError("ZeroDivisionError")
    return math.fmod(a, b) if b != 0 and math.isfinite(a) else math.nan


def movedim(session: Session, x: Any, source: int, destination: int) -> Any:
    """The axis `source` at another place."""
    rank = session.array(x).ndim
    order = list(range(rank))
    if rank:
        axis = order.pop(arrangement.axis_of(source, rank))
        order.insert(arrangement.axis_of(destination, rank), axis)
    return arrangement.permute(session, x, order)


def _quotient(session: Session, x: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    if rounding_mode == "floor":
        return divided_down(session, x, other)
    found = elementwise(session, "/", x, other)
    if rounding_mode is None:
        return found
    if rounding_mode != "trunc":
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    kinds = [session.array(side).dtype for side in (x, other)]
    return mapped(session, math.trunc, INT64 if all(k is INT64 for k in kinds) else None, found)


def _is_close(
    session: Session, x: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8,
    equal_nan: bool = False,
) -> Any:  # fmt: skip
    def close(a: float, b: float) -> bool:
        both = equal_nan and a != a and b != b
        return a == b or both or abs(a - b) <= atol + rtol * abs(b)

    return mapped(session, close, BOOL, x, other)


def count_nonzero(session: Session, x: Any, dim: Any = None) -> Any:
    return reductions.sum_of(session, mapped(session, lambda a: a != 0, BOOL, x), dim)


def nan_to_num(session: Session, x: Any, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:  # noqa: E501  # fmt: skip
    largest = 3.4028234663852886e38 if session.array(x).dtype is FLOAT32 else 1.7976931348623157e308
    limits = {math.inf: largest if posinf is None else posinf,
              -math.inf: -largest if neginf is None else neginf}  # fmt: skip
    array = session.array(x)
    numbers = array.numbers()
    items = [a if math.isfinite(a) else nan if a != a else limits[a] for a in numbers]
    others = session.tensor(array.dtype.convert(items), array.shape, array.dtype)
    finite = session.tensor(list(map(math.isfinite, numbers)), array.shape, BOOL)
    return called(where(session, finite, x, others), "NanToNumBackward0")


def _without_nan(reduce: Function) -> Function:
    def function(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if session.array(x).dtype.category < 2:
            return reduce(session, x, dim, keepdim)
        missing = mapped(session, lambda a: a != a, BOOL, session.array(x).detached())
        kept = where(session, missing, 0.0, x)
        total = reductions.sum_of(session, kept, dim, keepdim)
        if reduce is reductions.sum_of:
            return called(total, "NansumBackward0")
        present = mapped(session, operator.not_, BOOL, missing)
        return elementwise(session, "/", total, reductions.sum_of(session, present, dim, keepdim))

    return function


def _with_mean(spread: Function) -> Function:
    def function(
        session: Session, x: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False
    ) -> Any:
        by = 1.0 if unbiased else 0.0
        return spread(session, x, dim, keepdim, by), reductions.mean(session, x, dim, keepdim)

    return function


def expand_as(session: Session, x: Any, other: Any) -> Any:
    return arrangement.expand(session, x, session.array(other).shape)


def repeat(session: Session, x: Any, *counts: Any) -> Any:
    """The tensor side by side; one count for each axis."""
    times = arrangement.sizes(counts)
    if len(times) < session.array(x).ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    for axis, count in enumerate(times):
        session.room((session.array(x).size, max(count, 0)))
        missing = len(times) - session.array(x).ndim
        for _ in range(missing):
            x = arrangement.unsqueeze(session, x, 0)
        x = arrangement.cat(session, [x] * count, axis)
    return called(x, "RepeatBackward0")


def tile(session: Session, x: Any, *counts: Any) -> Any:
    """As `repeat`, with a count of 1 for the leading axes that have none."""
    times = arrangement.sizes(counts)
    return repeat(session, x, *(1,) * (session.array(x).ndim - len(times)), *times)


def is_in(session: Session, x: Any, test_elements: Any) -> Any:
    known = set(session.array(test_elements).numbers())
    return mapped(session, lambda a: a in known, BOOL, x)


def _is_nonzero(session: Session, x: Any) -> bool:
    return bool(session.array(x))


COMPOSED: dict[str, Function] = {
    "atleast_1d": _at_least(1), "atleast_2d": _at_least(2), "diff": diff, "select": select,
    "narrow": narrow, "take": take, "masked_select": masked_select, "unflatten": unflatten,
    "broadcast_to": arrangement.expand,
    "ravel": lambda session, x: arrangement.reshape(session, x, -1), "tile": tile,
    "swapaxes": arrangement.transpose, "swapdims": arrangement.transpose, "lerp": lerp,
    "addcmul": _scaled_sum("*", "Addcmul"), "addcdiv": _scaled_sum("/", "Addcdiv"),
    "addmm": addmm, "matrix_power": matrix_power, "hypot": hypot, "logit": logit, "dist": dist,
    "div": _quotient, "divide": _quotient, "true_divide": _quotient, "frac": frac,
    "floor_divide": divided_down, "fmod": fmod, "movedim": movedim, "moveaxis": movedim,
    "clamp_min": lambda session, x, least: called(
        clamp(session, x, least, None), "ClampMinBackward0"
    ),
    "clamp_max": lambda session, x, most: called(
        clamp(session, x, None, most), "ClampMaxBackward0"
    ),
    "isclose": _is_close, "isin": is_in, "count_nonzero": count_nonzero, "nan_to_num": nan_to_num,
    "nansum": _without_nan(reductions.sum_of), "nanmean": _without_nan(reductions.mean),
    "std_mean": _with_mean(reductions.deviation), "var_mean": _with_mean(reductions.variance),
    "vdot": products.dot, "is_nonzero": _is_nonzero,
    "signbit": lambda session, x: mapped(session, lambda a: math.copysign(1, a) < 0, BOOL, x),
    "is_floating_point": lambda session, x: session.array(x).dtype.is_floating_point,
    "is_complex": lambda session, x: False,
}  # fmt: skip
"""Names of torch that are methods of tensors too."""
