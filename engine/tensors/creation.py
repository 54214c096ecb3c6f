"""New tensors: from nested lists, of equal numbers, of ranges, of random numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.array_ops.grid import Ragged, Shape, from_nested
from engine.real import as_single
from engine.value import Value

from .arrangement import sizes
from .dtypes import FLOAT32, INT64, DType, inferred
from .gradients import require
from .in_place import draw_leaf
from .session import AXES, Session
from .tensor_array import TensorArray, plain


def tensor(
    session: Session,
    data: Any,
    dtype: DType | None = None,
    requires_grad: bool | None = None,
    parts: Callable[[Any], Any] | None = None,
) -> Any:
    """torch.tensor(data): a copy of numbers in nested lists, tuples or tensors.

    `parts` gives the items of other sequences, such as arrays, or None.
    """
    grid = _nested(session, data, parts)
    if len(grid.shape) > AXES:
        session.machine.refuse(f"This tensor has more than {AXES} axes.", "Take fewer axes.")
    items, known = _numbers(grid.items())
    dtype = dtype or known or inferred(items)
    if dtype.category == 1 and any(not -(1 << 63) <= x < 1 << 63 for x in items):
        raise RuntimeError("Overflow when unpacking long long")
    session.room(grid.shape)
    return made(session, dtype.convert(items), grid.shape, dtype, requires_grad)


def _nested(session: Session, data: Any, parts: Callable[[Any], Any] | None) -> Any:
    def items_of(x: Any) -> Any:
        if isinstance(x, list | tuple | range):
            return x
        if isinstance(x, TensorArray):
            return _rows(x) if x.shape else None
        return parts(x) if parts else None

    try:
        return from_nested(data, items_of, AXES)
    except Ragged as error:
        raise ValueError(_ragged(data, len(error.shape))) from None


def _rows(x: TensorArray) -> list[Any]:
    """The slices of a tensor as tensors of plain numbers."""
    size = x.size // x.shape[0] if x.shape[0] else 0
    numbers = x.numbers()
    return [x.new(numbers[i * size : (i + 1) * size], x.shape[1:]) for i in range(x.shape[0])]


def _ragged(data: Any, dim: int) -> str:
    level = [data]
    for _ in range(dim):
        level = [x for items in level if isinstance(items, list | tuple) for x in items]
    lengths = [len(x) if isinstance(x, list | tuple) else 0 for x in level]
    wrong = next((n for n in lengths if n != lengths[0]), 0)
    return f"expected sequence of length {lengths[0]} at dim {dim} (got {wrong})"


def _numbers(cells: list[Any]) -> tuple[list[Any], DType | None]:
    """Plain numbers of elements, and their type if all come from tensors."""
    numbers: list[Any] = []
    dtypes: set[DType] = set()
    for x in cells:
        if isinstance(x, TensorArray):
            numbers += x.numbers()
            dtypes.add(x.dtype)
        elif isinstance(x, Value):
            numbers.append(x.data)
        elif isinstance(x, bool | int | float):
            numbers.append(x)
        elif isinstance(x, str):
            raise ValueError("too many dimensions 'str'")
        else:
            raise RuntimeError(f"Could not infer dtype of {type(x).__name__}")
    return numbers, dtypes.pop() if len(dtypes) == 1 else None


def made(
    session: Session,
    items: list[Any],
    shape: Shape,
    dtype: DType,
    requires_grad: bool | None = None,
) -> Any:
    """A new tensor of numbers; a float without axes is a scalar Tensor of the picture."""
    new = plain(session, items, shape, dtype)
    if not shape and dtype.category == 2:
        draw_leaf(new, recorded=bool(requires_grad))
    return require(new) if requires_grad else new


def full(session: Session, shape: Shape, value: Any, dtype: DType | None) -> TensorArray:
    size = session.room(shape)
    dtype = dtype or inferred([value])
    item = dtype.convert([value])[0]
    return plain(session, [item] * size, shape, dtype)


def eye(
    session: Session, n: int, m: int | None = None, *, dtype: DType | None = None
) -> TensorArray:
    m = n if m is None else m
    session.room((n, m))
    dtype = dtype or FLOAT32
    items = dtype.convert(i == j for i in range(n) for j in range(m))
    return plain(session, items, (n, m), dtype)


def arange(session: Session, start: Any, end: Any, step: Any, dtype: DType | None) -> TensorArray:
    """start, start + step, … below `end`."""
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    ratio = (end - start) / step
    if not math.isfinite(ratio):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    count = session.room((math.ceil(ratio),))
    dtype = dtype or (INT64 if all(isinstance(x, int) for x in (start, end, step)) else FLOAT32)
    items = dtype.convert(start + i * step for i in range(count))
    return plain(session, items, (count,), dtype)


def linspace(
    session: Session, start: float, end: float, steps: int, dtype: DType = FLOAT32
) -> TensorArray:
    """`steps` numbers at equal distances; the second half is counted from the end."""
    count = session.room((steps,))
    (first, last), convert = dtype.convert([start, end]), dtype.convert
    if count == 1:
        return plain(session, [first], (1,), dtype)
    step: float = (last - first) / (count - 1) if count else 0.0
    if dtype is FLOAT32 and count:
        step = as_single(as_single(last - first) / (count - 1))
    items = convert(
        first + step * i if i < count // 2 else last - step * (count - 1 - i) for i in range(count)
    )
    return plain(session, items, (count,), dtype)


def drawn(
    session: Session, shape: Shape, kind: str, a: float, b: float, dtype: DType | None = None
) -> TensorArray:
    """Random numbers: "uniform" on [a, b), or "normal" with mean a and standard deviation b."""
    count = session.room(shape)
    dtype = dtype or FLOAT32
    numbers = getattr(session.generator, kind)(count, a, b, single=dtype.bits == 32)
    return plain(session, numbers, shape, dtype)


def randint(
    session: Session, low: int, high: int, shape: Shape, dtype: DType = INT64
) -> TensorArray:
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    count = session.room(shape)
    numbers = dtype.convert(session.generator.integers(count, low, high))
    return plain(session, numbers, shape, dtype)


def randperm(session: Session, n: int, *, dtype: DType | None = None) -> TensorArray:
    count, dtype = session.room((n,)), dtype or INT64
    numbers = dtype.convert(session.generator.permutation(count))
    return plain(session, numbers, (n,), dtype)


def multinomial(x: TensorArray, samples: int, replacement: bool = False) -> TensorArray:
    """Indices drawn with probabilities proportional to the weights of one row."""
    session = x.session
    if x.ndim == 2:
        rows = [multinomial(row, samples, replacement) for row in _rows(x)]
        return x.new([n for row in rows for n in row.numbers()], (len(rows), samples), INT64)
    if x.ndim != 1:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    numbers = x.numbers()
    if not replacement or samples == 1:
        return _ranked(x, numbers, samples)
    count = session.room((samples,))
    sums, total = [], 0.0
    for weight in numbers:
        total += weight
        sums.append(total)
    draws = [session.generator.double() * total for _ in range(count)]
    items = [next((i for i, s in enumerate(sums) if s >= u), len(sums) - 1) for u in draws]
    return x.new(items, (count,), INT64)


def _ranked(x: TensorArray, weights: list[Any], samples: int) -> TensorArray:
    """The places with the largest quotients of a weight and an exponentially distributed number."""
    if samples > sum(w > 0 for w in weights):
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
            if samples > len(weights)
            else "invalid multinomial distribution (with replacement=False, not enough "
            "non-negative category to sample)"
        )
    single = x.dtype.bits == 32
    draws = [-math.log1p(-x.session.generator.double()) for _ in weights]
    draws = list(map(as_single, draws)) if single else draws
    shares = [w / q if q else math.inf for w, q in zip(weights, draws, strict=True)]
    shares = list(map(as_single, shares)) if single else shares
    order = sorted(range(len(weights)), key=lambda i: -shares[i])[:samples]
    return x.new(order, (samples,), INT64)


def bernoulli(x: TensorArray) -> TensorArray:
    """1 with the probability that stands at the place, else 0."""
    if any(not 0 <= p <= 1 for p in x.numbers()):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    draw = x.session.generator.single if x.dtype.bits == 32 else x.session.generator.double
    return x.new([float(draw() < p) for p in x.numbers()])


def one_hot(x: TensorArray, num_classes: int = -1) -> TensorArray:
    """Rows of zeros with a 1 at the index."""
    if x.dtype is not INT64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    labels = x.numbers()
    if not labels and num_classes == -1:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if min(labels, default=0) < 0:
        raise RuntimeError("Class values must be non-negative.")
    width = max(labels, default=0) + 1 if num_classes == -1 else num_classes
    if max(labels, default=0) >= width:
        raise RuntimeError("Class values must be smaller than num_classes.")
    x.session.room((*x.shape, width))
    items = [int(k == label) for label in labels for k in range(width)]
    return x.new(items, (*x.shape, width))


def _alike(make: Callable[..., TensorArray]) -> Callable[..., Any]:
    """A method of `x` that makes a tensor of its type, unless another is given."""

    def method(
        x: TensorArray, *args: Any, dtype: DType | None = None, requires_grad: bool = False
    ) -> Any:
        new = make(x.session, *args, dtype=dtype or x.dtype)
        return require(new) if requires_grad else new

    return method


def _filled(number: float) -> Callable[..., Any]:
    return _alike(lambda session, *size, dtype: full(session, sizes(size), number, dtype))


ALIKE: dict[str, Callable[..., Any]] = {
    "new_zeros": _filled(0.0), "new_ones": _filled(1.0), "new_empty": _filled(0.0),
    "new_full": _alike(
        lambda session, size, fill_value, dtype: full(session, sizes((size,)), fill_value, dtype)
    ),
    "new_tensor": _alike(tensor),
}  # fmt: skip
"""Methods of tensors that make new ones."""
