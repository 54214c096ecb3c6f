"""What random tests ask NumPy and PyTorch, and us: drawn from a seed, in JSON's types."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

from engine.real import as_single

Draw = Random
"""Draws the same numbers from the same seed in every Python."""
NAN, INF = math.nan, math.inf


def digest(numbers: Iterable[float]) -> str:
    """A digest of the bits of numbers, of which there are too many to record."""
    packed = b"".join(struct.pack("<d", number) for number in numbers)
    return hashlib.sha256(packed).hexdigest()[:24]


class DrawnSum(NamedTuple):
    """An array to be summed along an axis; `turn` says how it lies in memory."""

    shape: tuple[int, ...]
    numbers: list[float]
    turn: str
    axis: int | None


def drawn_sum(seed: int) -> DrawnSum:
    draw = Random(seed)
    shapes = [(3,), (9,), (127,), (130,), (1000,), (5, 40), (40, 5), (3, 9, 20)]
    shape = draw.choice(shapes)
    numbers = [draw.gauss(0, 1) for _ in range(math.prod(shape))]
    turn = draw.choice(["", "T", "step", "back"])
    return DrawnSum(shape, numbers, turn, draw.choice([None, *range(len(shape))]))


class DrawnArray(NamedTuple):
    """An array to be printed with options; `few` are repeated until it is full."""

    shape: tuple[int, ...]
    kind: str
    few: list[Any]
    options: dict[str, Any]

    @property
    def items(self) -> list[Any]:
        size = math.prod(self.shape)
        return (self.few * size)[:size]


def drawn_array(seed: int) -> DrawnArray:
    draw = Random(seed)
    shapes = [(1,), (2,), (5,), (17,), (60,), (2, 3), (3, 2, 2), (0,), (0, 3), (30, 40), ()]
    shape = draw.choice([*shapes, (1001,)])
    kind = draw.choice(["float64", "float32", "int64", "bool"])
    few = [_element(draw, kind) for _ in range(draw.randint(1, 8))]
    choices: dict[str, list[Any]] = {
        "precision": [*range(11)], "suppress": [False, True], "sign": [" ", "+", "-"],
        "linewidth": [20, 75, 120], "threshold": [5, 1000],
        "floatmode": ["fixed", "unique", "maxprec", "maxprec_equal"],
    }  # fmt: skip
    options = {name: draw.choice(of) for name, of in choices.items() if draw.random() < 0.5}
    return DrawnArray(shape, kind, few, options)


def _element(draw: Draw, kind: str) -> Any:
    if kind == "int64":
        return draw.choice([draw.randint(-9, 9), draw.randint(-(10**9), 10**9)])
    if kind == "bool":
        return draw.random() < 0.5
    special = [0.0, -0.0, 1e8, 99999999.0, 1e-4, 0.5, NAN, INF, -INF]
    number = draw.choice(
        [
            round(draw.uniform(-10, 10), 3),
            float(draw.randint(-999, 999)),
            draw.choice(special),
            draw.gauss(0, 1) * 10.0 ** draw.randint(-30, 30),
        ]
    )
    return as_single(number) if kind == "float32" else number


Key = list[Any]
"""A part of an index: ["at", n], ["slice", a, b, c], ["list", …], ["mask", …] or ["new"]."""


def drawn_index(seed: int) -> tuple[tuple[int, ...], list[Key]]:
    """The shape of an array of whole numbers, and an index of it."""
    draw = Random(seed)
    shape = tuple(draw.randint(1, 4) for _ in range(draw.randint(1, 3)))
    keys = [_key(draw, n) for n in shape[: draw.randint(1, len(shape))]]
    if len(shape) < 3 and draw.random() < 0.5:
        keys.insert(draw.randint(0, len(keys)), ["new"])
    return shape, keys


def _key(draw: Draw, n: int) -> Key:
    bounds = [None, *range(-n - 1, n + 2)]
    match draw.randrange(4):
        case 0:
            return ["at", draw.randint(-n, n - 1)]
        case 1:
            step = draw.choice([None, 1, 2, -1, -2])
            return ["slice", draw.choice(bounds), draw.choice(bounds), step]
        case 2:
            return ["list", *(draw.randint(-n, n - 1) for _ in range(2))]
    return ["mask", *(draw.random() < 0.5 for _ in range(n))]


class Operand(NamedTuple):
    """An array of one axis, or the number that it holds."""

    kind: str
    items: list[Any]
    is_scalar: bool


def drawn_operands(seed: int) -> tuple[Operand, Operand]:
    draw = Random(seed)
    return _operand(draw), _operand(draw)


def _operand(draw: Draw) -> Operand:
    kind = draw.choice(["bool", "float32", "float64", "int64"])
    size = draw.choice([0, 1, 3])
    items = [_number(draw, kind) for _ in range(max(size, 1))]
    return Operand(kind, items, size == 0)


def _number(draw: Draw, kind: str) -> Any:
    if kind == "int64":
        return draw.choice([draw.randint(-9, 9), draw.randint(-(2**63), 2**63 - 1)])
    if kind == "bool":
        return draw.random() < 0.5
    odd = draw.choice([0.0, -0.0, NAN, INF, -INF, 1e300, 5e-324, 1.0])
    number = draw.choice([draw.uniform(-5, 5), float(draw.randint(-5, 5)), odd])
    return as_single(number) if kind == "float32" else number


def drawn_matrix(rows: int, columns: int) -> list[list[float]]:
    """Normal numbers of 32 bits."""
    draw = Random(rows * 100 + columns)
    return [[as_single(draw.gauss(0, 1)) for _ in range(columns)] for _ in range(rows)]


def drawn_tensor(seed: int) -> tuple[tuple[int, ...], list[float]]:
    """The shape and the numbers of a tensor to be printed."""
    draw = Random(seed)
    shape = tuple(draw.choice([1, 2, 3, 7, 12]) for _ in range(draw.randrange(4)))
    if seed % 30 == 0:
        shape = draw.choice([(1500,), (40, 30), (11, 12, 13)])
    scale, spread = 10.0 ** draw.randint(-6, 9), draw.choice([0, 0, 2])
    forms: list[Callable[[float], float]] = [float, lambda x: float(round(x)), lambda x: 0.0]
    form = draw.choice(forms)
    numbers = [
        form(draw.gauss(0, 1) * scale * 10 ** (spread * draw.gauss(0, 1)))
        for _ in range(math.prod(shape))
    ]
    if draw.random() < 0.1:
        numbers = [draw.choice([x, NAN, INF, -INF]) for x in numbers]
    return shape, [as_single(number) for number in numbers]
