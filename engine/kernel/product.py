"""Matrix products on rows of samples, tile by tile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product

from engine.wasm.assembler import I32, V128, FunctionBuilder

from .layout import PAIR, Layout
from .tiling import Tiles, pieces, tile

Sums = list[list[int]]
"""Accumulators of a tile, as locals: per neuron, one per pair of samples, or one per weight."""


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product, outᵣ = biasᵣ + Σₖ weightᵣₖ·sourceₖ, on rows of samples.

    `weights` is the address of the first weight, with byte strides for r and k; `bias` is the
    offset from a row's first weight to its bias, if any. `finish` stores a tile's sums, given the
    local with the offset of its first row.
    """

    rows: int
    terms: int
    source: int
    weights: int
    row_step: int
    term_step: int
    bias: int | None
    finish: Callable[[Sums, int], None]


def multiply(body: FunctionBuilder, layout: Layout, passes: Product) -> None:
    """All rows of a product, tile by tile."""
    height, width = tile(passes.rows, layout.pairs, passes.terms)
    column = body.local(I32)
    for across, down in product(pieces(layout.pairs, width), pieces(passes.rows, height)):
        stop = PAIR * (across.start + across.count * across.width)
        with body.loop(column, PAIR * across.start, stop, PAIR * across.width):
            _multiply_rows(body, layout, passes, down, column, across.width)


def _multiply_rows(
    body: FunctionBuilder, layout: Layout, passes: Product, down: Tiles, column: int, width: int
) -> None:
    """The rows of `down` for `width` pairs, starting at the local `column`."""
    sums = [body.locals(V128, width) for _ in range(down.width)]
    row, out = body.locals(I32, 2)
    body.get(column)
    body.plus(down.start * layout.row)
    body.set(out)
    first, step = down.start * passes.row_step, down.width * passes.row_step
    with body.loop(row, first, first + down.count * step, step):
        if passes.bias is not None:
            for t, places in enumerate(sums):
                for place in places:
                    body.get(row)
                    body.load(passes.weights + passes.bias + t * passes.row_step)
                    body.set(place)
        _terms(body, layout, passes, sums, column, row)
        passes.finish(sums, out)
        body.get(out)
        body.plus(down.width * layout.row)
        body.set(out)


def _terms(
    body: FunctionBuilder, layout: Layout, passes: Product, sums: Sums, column: int, row: int
) -> None:
    """Accumulate all terms of a tile's sums, which begin with the bias or the first term."""
    source, at, stop = body.locals(I32, 3)
    places = (body.locals(V128, len(sums[0])), body.local(V128))
    body.get(column)
    body.set(source)
    body.get(row)
    body.set(at)
    rest = passes.terms
    if passes.bias is None:
        _term(body, layout, passes, sums, (source, at), places, first=True)
        rest -= 1
        if rest:
            body.get(at)
            body.plus(passes.term_step)
            body.set(at)
    if not rest:
        return
    body.get(row)
    body.plus(passes.term_step * passes.terms)
    body.set(stop)
    several = body.loop_to(at, None, stop, passes.term_step)
    with several if rest > 1 else nullcontext():
        _term(body, layout, passes, sums, (source, at), places)


def _term(
    body: FunctionBuilder,
    layout: Layout,
    passes: Product,
    sums: Sums,
    pointers: tuple[int, int],
    places: tuple[list[int], int],
    first: bool = False,
) -> None:
    """sumsₜᵤ += weightₜ·sourceᵤ, or = for the `first`; the pointer to the source moves on."""
    (source, at), (pairs, weight) = pointers, places
    for u, pair in enumerate(pairs):
        body.get(source)
        body.load(passes.source + PAIR * u)
        body.set(pair)
    for t, row in enumerate(sums):
        body.get(at)
        body.load(passes.weights + t * passes.row_step)
        body.set(weight)
        multiply_add(body, row, pairs, weight, first)
    body.get(source)
    body.plus(layout.row)
    body.set(source)


def multiply_add(
    body: FunctionBuilder, sums: list[int], pairs: list[int], factor: int, first: bool = False
) -> None:
    """sums[u] += factor · pairs[u], or = for the `first`"""
    for total, pair in zip(sums, pairs, strict=True):
        if not first:
            body.get(total)
        body.get(factor)
        body.get(pair)
        body.do("f64x2.mul") if first else body.do("f64x2.mul", "f64x2.add")
        body.set(total)
