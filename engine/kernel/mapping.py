"""Activations at many points: forward passes alone, as numbers or as bytes for pictures."""

from __future__ import annotations

from engine.wasm.assembler import I32, V128, FunctionBuilder

from .layout import INDEX, PAIR, Layout


def activations(layout: Layout, gather: int, forward: list[int], shades: bool) -> FunctionBuilder:
    """[records, blocks, rows' address, their size in bytes, to, stride]: forward passes only.

    Copies the selected neurons' rows of each block to `to`: contiguous per neuron, neurons `stride`
    bytes apart; as f64, or as one byte each with `shades`.
    """
    body = FunctionBuilder([I32] * 6)
    records, blocks, rows, size, to, stride = range(6)
    at, row, place, chosen = body.locals(I32, 4)
    body.i32(layout.identity)
    body.set(chosen)
    with body.loop_to(at, 0, blocks, 1):
        body.get(records)
        body.get(chosen)
        body.call(gather)
        for function in forward:
            body.call(function)
        body.get(to)
        body.set(place)
        with body.loop_to(row, 0, size, layout.row):
            (_shade if shades else _copy)(layout, body, rows, row, place)
            body.get(place)
            body.get(stride)
            body.do("i32.add")
            body.set(place)
        taken = 2 * layout.pairs if shades else layout.row
        for local, step in ((chosen, 2 * INDEX * layout.pairs), (to, taken)):
            body.get(local)
            body.plus(step)
            body.set(local)
    return body


def _copy(layout: Layout, body: FunctionBuilder, rows: int, row: int, place: int) -> None:
    """Copy the row at `rows` + `row` to `place`."""
    body.get(place)
    body.get(rows)
    body.get(row)
    body.do("i32.add")
    body.i32(layout.row)
    body.copy()


def _shade(layout: Layout, body: FunctionBuilder, rows: int, row: int, place: int) -> None:
    """Write the row at `rows` + `row` as bytes to `place`: 128 is 0, 1 and 255 are ∓limit."""
    at, out = body.locals(I32, 2)
    scale = body.local(V128)
    body.i32(0)
    body.splat(layout.shade)
    body.set(scale)
    body.get(place)
    body.set(out)
    with body.loop(at, 0, layout.row, PAIR):
        body.get(out)
        body.get(rows)
        body.get(row)
        body.do("i32.add")
        body.get(at)
        body.do("i32.add")
        body.load(0)
        body.get(scale)
        body.do("f64x2.mul")
        body.pair(128.5)  # so that truncation rounds
        body.do("f64x2.add")
        body.pair(255.0)
        body.do("f64x2.pmin")
        body.pair(1.0)
        body.do("f64x2.pmax")
        body.store_bytes(0)
        body.get(out)
        body.plus(2)
        body.set(out)
