"""Windows that slide over the last axes: convolutions in one and two dimensions, pooling.

A window's places are a list, −1 in the border, computed once for each shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from operator import mul
from typing import Any

from engine.caches import cached

from .flat import Flat, Misfit, Numbers
from .grid import Shape, chunks, row_major
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules


def _each(x: Any, rank: int) -> tuple[int, ...]:
    return (x,) * rank if isinstance(x, int) else tuple(x)


@cached("windows of arrays")
def windows(
    size: Shape, kernel: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> tuple[Shape, tuple[tuple[int, ...], ...]]:
    """How many windows there are along each axis, and the places that each covers."""
    counts = tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(size, kernel, stride, padding, dilation, strict=True)
    )
    if min(counts) < 1:
        raise Misfit(
            f"a window of {kernel} does not fit into {size}",
            f"Calculated padded input size per channel: {_by(size, padding)}. Kernel size: "
            f"{_by(kernel)}. Kernel size can't be greater than actual input size",
        )
    found: list[list[int]] = [[0]]
    for n, k, s, p, d, count, step in zip(
        size, kernel, stride, padding, dilation, counts, row_major(size), strict=True
    ):
        lines = [
            [at * step if 0 <= (at := i * s - p + j * d) < n else -1 for j in range(k)]
            for i in range(count)
        ]
        found = [
            [-1 if -1 in (a, b) else a + b for a in places for b in line]
            for places in found
            for line in lines
        ]
    return counts, tuple(map(tuple, found))


def _by(size: Shape, padding: Shape = ()) -> str:
    wide = [n + 2 * p for n, p in zip(size, padding or (0,) * len(size), strict=True)]
    return f"({' x '.join(map(str, wide))})"


def _patch(plane: Numbers, places: Sequence[int], outside: float) -> Numbers:
    return [plane[i] if i >= 0 else outside for i in places]


@dataclass(frozen=True, slots=True, eq=False)
class Convolution:
    """y[n, o] = Σ over channels and window of w[o, c]·x[n, c], plus b[o].

    `params`: "stride", "padding", "dilation", each a number or one for each axis, and "groups".
    """

    rank: int

    def _plan(self, shapes: Shapes, params: Params) -> tuple[Shape, tuple[tuple[int, ...], ...]]:
        x, w = shapes[:2]
        groups = params.get("groups", 1)
        if len(x) != self.rank + 2 or x[1] != w[1] * groups:
            raise Misfit(
                f"an input of shape {tuple(x)} does not fit weights of shape {tuple(w)}",
                f"Given groups={groups}, weight of size {list(w)}, expected input{list(x)} to have "
                f"{w[1] * groups} channels, but got {x[1] if len(x) > 1 else 0} channels instead",
            )
        settings = [_each(params.get(name, default), self.rank) for name, default in (
            ("stride", 1), ("padding", 0), ("dilation", 1))]  # fmt: skip
        return windows(tuple(x[2:]), tuple(w[2:]), *settings)

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        return (shapes[0][0], shapes[1][0], *self._plan(shapes, params)[0])

    def _groups(self, shapes: Shapes, params: Params) -> list[tuple[range, range]]:
        """The output channels of each group, and its input channels."""
        groups = params.get("groups", 1)
        outs, ins = shapes[1][0] // groups, shapes[1][1]
        return [
            (range(k * outs, (k + 1) * outs), range(k * ins, (k + 1) * ins)) for k in range(groups)
        ]

    def _patches(self, x: Flat, sample: int, channels: range, places: Any) -> list[Numbers]:
        size = prod(x.shape[2:])
        planes = [
            x.data[(sample * x.shape[1] + c) * size : (sample * x.shape[1] + c + 1) * size]
            for c in channels
        ]
        return [[v for plane in planes for v in _patch(plane, at, 0.0)] for at in places]

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        x, w, *b = args
        shapes = [one.shape for one in args]
        shape, (_, places) = self.shape(shapes, params), self._plan(shapes, params)
        lines = chunks(w.data, prod(w.shape[1:]), w.shape[0])
        out: Numbers = []
        for sample in range(x.shape[0]):
            for outs, ins in self._groups(shapes, params):
                patches = self._patches(x, sample, ins, places)
                for o in outs:
                    bias = b[0].data[o] if b else 0.0
                    out += [sum(map(mul, patch, lines[o])) + bias for patch in patches]
        return Flat(shape, out)

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        x, w, *b = args
        shapes = [one.shape for one in args]
        places = self._plan(shapes, params)[1]
        count, size, k = len(places), prod(x.shape[2:]), prod(w.shape[1:])
        lines = chunks(w.data, k, w.shape[0])
        gx, gw = [0.0] * len(x.data), [[0.0] * k for _ in lines]
        rows = chunks(g.data, count, x.shape[0] * w.shape[0])
        for sample in range(x.shape[0]):
            for outs, ins in self._groups(shapes, params):
                mine = [rows[sample * w.shape[0] + o] for o in outs]
                if wanted[1]:
                    columns = list(zip(*self._patches(x, sample, ins, places), strict=True))
                    for o, row in zip(outs, mine, strict=True):
                        found = [sum(map(mul, row, column)) for column in columns]
                        gw[o] = [p + q for p, q in zip(gw[o], found, strict=True)]
                if wanted[0]:
                    kernels = list(zip(*(lines[o] for o in outs), strict=True))
                    for at, amounts in zip(places, zip(*mine, strict=True), strict=True):
                        sent = iter([sum(map(mul, amounts, kernel)) for kernel in kernels])
                        for c in ins:
                            start = (sample * x.shape[1] + c) * size
                            for i in at:
                                amount = next(sent)
                                if i >= 0:
                                    gx[start + i] += amount
        out: Pulled = [
            Flat(x.shape, gx), Flat(w.shape, [v for line in gw for v in line])
        ]  # fmt: skip
        if b:
            n = w.shape[0]
            out.append(Flat(b[0].shape, [sum(sum(row) for row in rows[o::n]) for o in range(n)]))
        return out

    def _terms(self, cell: int, shapes: Shapes, params: Params) -> list[tuple[int, int]]:
        """The places in x and in w of each product in a cell."""
        x, w = shapes[:2]
        places = self._plan(shapes, params)[1]
        count, size, k = len(places), prod(x[2:]), prod(w[2:])
        sample, o, at = cell // (count * w[0]), cell // count % w[0], cell % count
        ins = next(ins for outs, ins in self._groups(shapes, params) if o in outs)
        return [
            ((sample * x[1] + c) * size + i, (o * w[1] + j) * k + t)
            for j, c in enumerate(ins)
            for t, i in enumerate(places[at])
            if i >= 0
        ]

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        terms = self._terms(cell, shapes, params)
        count = prod(self._plan(shapes, params)[0])
        bias = [[cell // count % shapes[1][0]] for _ in shapes[2:]]
        return [[i for i, _ in terms], [j for _, j in terms], *bias]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        *_, bias = self.reads(cell, shapes, params)
        terms = [f"x[{i}] * w[{j}]" for i, j in self._terms(cell, shapes, params)]
        return " + ".join(terms + ([f"b[{bias[0]}]"] if len(shapes) > 2 else [])) or "0"


@dataclass(frozen=True, slots=True, eq=False)
class Pooling:
    """One number for each window of each plane: the largest, the first of equals, or the mean.

    `params`: "kernel", "stride" (the kernel by default), "padding", "dilation". A mean counts the
    border, unless "count_border" is False.
    """

    rank: int
    largest: bool

    def _plan(self, shape: Shape, params: Params) -> tuple[Shape, tuple[tuple[int, ...], ...]]:
        kernel = _each(params["kernel"], self.rank)
        stride = _each(params.get("stride") or kernel, self.rank)
        rest = [_each(params.get(name, default), self.rank)
                for name, default in (("padding", 0), ("dilation", 1))]  # fmt: skip
        return windows(tuple(shape[len(shape) - self.rank :]), kernel, stride, *rest)

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        (shape,) = shapes
        return (*shape[: len(shape) - self.rank], *self._plan(shape, params)[0])

    def _planes(self, x: Flat) -> list[Numbers]:
        size = prod(x.shape[len(x.shape) - self.rank :])
        return chunks(x.data, size, len(x.data) // size)

    def _divisor(self, places: Sequence[int], params: Params) -> int:
        if params.get("count_border", True):
            return len(places)
        return sum(i >= 0 for i in places)

    def picks(self, args: Sequence[Flat], params: Params) -> list[int]:
        """The place of the largest of each window, the first of equals."""
        (x,) = args
        size, data = prod(x.shape[len(x.shape) - self.rank :]), x.data
        return [
            max((start + i for i in at if i >= 0), key=data.__getitem__)
            for start in range(0, len(data), size)
            for at in self._plan(x.shape, params)[1]
        ]

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        (x,) = args
        shape = self.shape([x.shape], params)
        if self.largest:
            return Flat(shape, [x.data[i] for i in self.picks(args, params)])
        places = self._plan(x.shape, params)[1]
        return Flat(shape, [
            sum(_patch(plane, at, 0.0)) / self._divisor(at, params)
            for plane in self._planes(x) for at in places
        ])  # fmt: skip

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        (x,) = args
        if self.largest:
            out = [0.0] * len(x.data)
            for place, amount in zip(self.picks(args, params), g.data, strict=True):
                out[place] += amount
            return [Flat(x.shape, out)]
        places = self._plan(x.shape, params)[1]
        amounts, out = iter(g.data), []
        for plane in self._planes(x):
            sent = [0.0] * len(plane)
            for at in places:
                amount = next(amounts)
                share = amount / self._divisor(at, params)
                for i in at:
                    if i >= 0:
                        sent[i] += share
            out += sent
        return [Flat(x.shape, out)]

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        (shape,) = shapes
        places = self._plan(shape, params)[1]
        start = cell // len(places) * prod(shape[len(shape) - self.rank :])
        return [[start + i for i in places[cell % len(places)] if i >= 0]]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        (found,) = self.reads(cell, shapes, params)
        items = [f"x[{i}]" for i in found]
        if not self.largest:
            places = self._plan(shapes[0], params)[1]
            divisor = self._divisor(places[cell % len(places)], params)
            return f"({' + '.join(items)}) / {divisor}"
        text = items[0]
        for item in items[1:]:
            text = f"max({text}, {item})"
        return text


def _enter(
    name: str, args: str, it: Any, words: str, given: tuple[str, ...], node: str, optional: int,
    samples: tuple[Any, ...],
) -> None:  # fmt: skip
    define(
        ArrayOp(
            name, names(args), it.forward, it.backward, it.shape, it.reads, it.scalar, words,
            rules(*given), (), (name,), node, optional=optional, samples=samples,
            picks=it.picks if isinstance(it, Pooling) and it.largest else None,
        )
    )  # fmt: skip


_CONVOLVED = ("conv(g, w)", "conv(x, g)", "sum(g)")
# fmt: off
_enter("conv1d", "x w b", Convolution(1), "a window of weights slid along the last axis",
       _CONVOLVED, "ConvolutionBackward0", 1,
       ((((2, 2, 5), (3, 2, 2), (3,)), {}),
        (((1, 2, 4), (2, 1, 3)), {"stride": 2, "padding": 1, "groups": 2})))
_enter("conv2d", "x w b", Convolution(2), "a window of weights slid over the last two axes",
       _CONVOLVED, "ConvolutionBackward0", 1,
       ((((1, 2, 3, 3), (2, 2, 2, 2), (2,)), {}),
        (((1, 1, 4, 4), (2, 1, 2, 2)), {"stride": (1, 2), "padding": 1, "dilation": 2})))
# fmt: on
_SHARED: Callable[[int], tuple[Any, ...]] = lambda rank: (  # noqa: E731
    (((1, 2, *(4,) * rank),), {"kernel": 2}),
    (((1, 1, *(4,) * rank),), {"kernel": 3, "stride": 1, "padding": 1}),
)
for _rank in (1, 2):
    _enter(f"max_pool{_rank}d", "x", Pooling(_rank, True), "the largest number of each window",
           ("scatter(g)",), f"MaxPool{_rank}DWithIndicesBackward0", 0, _SHARED(_rank))  # fmt: skip
    _enter(f"avg_pool{_rank}d", "x", Pooling(_rank, False), "the mean of each window",
           ("spread(g) / n",), f"AvgPool{_rank}DBackward0", 0, _SHARED(_rank))  # fmt: skip
