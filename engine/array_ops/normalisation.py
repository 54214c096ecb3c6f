"""Normalisation by layer, batch, group and root mean square: mean 0, variance 1; and dropout.

y = (x − μ)/σ · w + b, where σ = √(var + ε); μ and var are those of the numbers that belong
together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from operator import add, mul
from typing import Any

from .flat import Flat, Numbers, expanded, from_rows, order_along, rows_along, summed_to
from .grid import Shape
from .pointwise import place_in
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules


@dataclass(frozen=True, slots=True, eq=False)
class Normalisation:
    """`axes(shape, params)` are those whose numbers belong together; weights have `wide` shape.

    `centred` is False where no mean is subtracted.
    """

    layout: Callable[[Shape, Params], tuple[Shape, list[int]]]
    wide: Callable[[Shape, Shape], Shape]
    centred: bool = True

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        return shapes[0]

    def _rows(self, x: Flat, params: Params) -> tuple[list[Numbers], Shape, list[int]]:
        shape, axes = self.layout(x.shape, params)
        return rows_along(Flat(shape, x.data), axes), shape, axes

    def _normal(self, row: Numbers, params: Params) -> tuple[Numbers, float]:
        mean = sum(row) / len(row) if self.centred else 0.0
        centred = [x - mean for x in row]
        scale = math.sqrt(sum(map(mul, centred, centred)) / len(row) + params.get("eps", 1e-5))
        return [x / scale for x in centred], scale

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        x, *rest = args
        rows, shape, axes = self._rows(x, params)
        data = from_rows((self._normal(row, params)[0] for row in rows), shape, axes).data
        for one, combine in zip(rest, (mul, add), strict=False):
            data = list(map(combine, data, self._spread(one, x.shape)))
        return Flat(x.shape, data)

    def _spread(self, one: Flat, shape: Shape) -> Numbers:
        return expanded(Flat(self.wide(one.shape, shape), one.data), shape)

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        x, *rest = args
        rows, shape, axes = self._rows(x, params)
        pairs = [self._normal(row, params) for row in rows]
        inner = g.data
        if rest:
            inner = list(map(mul, g.data, self._spread(rest[0], x.shape)))
        pulled = (
            self._pulled(normal, scale, row)
            for (normal, scale), row in zip(
                pairs, rows_along(Flat(shape, inner), axes), strict=True
            )
        )
        out: Pulled = [Flat(x.shape, from_rows(pulled, shape, axes).data)]
        normal = from_rows((row for row, _ in pairs), shape, axes).data
        for one, data in zip(rest, (list(map(mul, g.data, normal)), g.data), strict=False):
            found = summed_to(data, x.shape, self.wide(one.shape, x.shape))
            out.append(Flat(one.shape, found.data))
        return out

    def _pulled(self, normal: Numbers, scale: float, g: Numbers) -> Numbers:
        n = len(g)
        mean = sum(g) / n if self.centred else 0.0
        along = sum(map(mul, g, normal)) / n
        return [(a - mean - z * along) / scale for a, z in zip(g, normal, strict=True)]

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        row, _ = self._row_of(cell, shapes[0], params)
        rest = [[place_in(cell, shapes[0], self.wide(s, shapes[0]))] for s in shapes[1:]]
        return [row, *rest]

    def _row_of(self, cell: int, shape: Shape, params: Params) -> tuple[list[int], int]:
        own, axes = self.layout(shape, params)
        order, length = order_along(own, axes)
        at = order.index(cell)
        return list(order[at - at % length : at - at % length + length]), at % length

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        row, *rest = self.reads(cell, shapes, params)
        items, n = [f"x[{i}]" for i in row], len(row)
        mean = f"({' + '.join(items)}) / {n}" if self.centred else "0"
        squares = " + ".join(f"({x} - {mean}) ** 2" for x in items)
        text = f"(x[{cell}] - {mean}) / sqrt(({squares}) / {n} + {params.get('eps', 1e-5)!r})"
        for (place,), name in zip(rest, "wb", strict=False):
            text = f"{text} * w[{place}]" if name == "w" else f"{text} + b[{place}]"
        return text


def _last_axes(shape: Shape, params: Params) -> tuple[Shape, list[int]]:
    count = params.get("count", 1)
    return shape, list(range(len(shape) - count, len(shape)))


def _all_but_channels(shape: Shape, params: Params) -> tuple[Shape, list[int]]:
    return shape, [k for k in range(len(shape)) if k != 1]


def _groups(shape: Shape, params: Params) -> tuple[Shape, list[int]]:
    """The channels in groups, each group of each sample together."""
    n, groups = shape[0], params["groups"]
    return (n, groups, prod(shape[1:]) // groups), [2]


def _by_channel(own: Shape, shape: Shape) -> Shape:
    return (*own, *(1,) * (len(shape) - 2))


def _as_it_is(own: Shape, shape: Shape) -> Shape:
    return own


_RULE = "(g * w - mean(g * w) - z * mean(g * w * z)) / sqrt(v + eps)"


def _enter(
    name: str, it: Normalisation, words: str, numpy: str, node: str, samples: tuple[Any, ...]
) -> None:
    given = (_RULE if it.centred else "(g * w - z * mean(g * w * z)) / sqrt(v + eps)",
             "sum(g * z)", "sum(g)")  # fmt: skip
    define(
        ArrayOp(
            name, ("x", "w", "b"), it.forward, it.backward, it.shape, it.reads, it.scalar, words,
            rules(*given), (), names(numpy), node, optional=2, samples=samples,
        )
    )  # fmt: skip


# fmt: off
_enter("layer_norm", Normalisation(_last_axes, _as_it_is),
       "each row to mean 0 and variance 1, then scaled and shifted", "layer_norm",
       "NativeLayerNormBackward0",
       ((((2, 4), (4,), (4,)), {}), (((2, 2, 3),), {"count": 2}), (((2, 3), (3,)), {})))
_enter("batch_norm", Normalisation(_all_but_channels, _by_channel),
       "each channel to mean 0 and variance 1 over the batch, then scaled and shifted",
       "batch_norm", "NativeBatchNormBackward0",
       ((((4, 2), (2,), (2,)), {}), (((2, 2, 3), (2,), (2,)), {}), (((4, 2),), {})))
_enter("group_norm", Normalisation(_groups, _by_channel),
       "each group of channels to mean 0 and variance 1, then scaled and shifted", "group_norm",
       "NativeGroupNormBackward0", ((((2, 4, 2), (4,), (4,)), {"groups": 2}),))
_enter("rms_norm", Normalisation(_last_axes, _as_it_is, centred=False),
       "each row over the root of its mean square, then scaled", "rms_norm",
       "FusedRmsNormBackward0",
       ((((2, 4), (4,)), {}),))


# Dropout


# fmt: on
def _dropped(args: Sequence[Flat], params: Params) -> Flat:
    """`params["mask"]` are 0 where an element is dropped, else 1/(1 − p)."""
    (x,) = args
    return Flat(x.shape, list(map(mul, x.data, params["mask"])))


define(
    ArrayOp(
        "dropout", ("x",), _dropped,
        lambda g, args, y, params, wanted: [
            Flat(g.shape, list(map(mul, g.data, params["mask"])))
        ],
        lambda shapes, params: shapes[0], lambda cell, shapes, params: [[cell]],
        lambda cell, shapes, params: f"x[{cell}] * {params['mask'][cell]!r}",
        "some elements dropped by chance, the others scaled up", rules("g * m"),
        (), names("dropout"), "MulBackward0",
        samples=((((2, 2),), {"mask": (2.0, 0.0, 0.0, 2.0)}),),
    )
)  # fmt: skip
