"""Dropout masks drawn inside the kernel, two at a time, as `engine.training.dropout.masks`."""

from __future__ import annotations

from engine.training.shuffling import GAMMA, MASK, MIX_1, MIX_2
from engine.wasm.assembler import I32, I64, V128, FunctionBuilder

from .layout import INDEX, NUMBER, PAIR, Layout
from .order import mix, push_seed


def draw_masks(layout: Layout) -> FunctionBuilder:
    """[list]: draw the masks of a block's samples at the current step, a row per hidden neuron."""
    body = FunctionBuilder([I32])
    column, place, stop = body.locals(I32, 3)
    first = body.local(I64)
    start, state, number, factor, threshold = body.locals(V128, 5)
    push_seed(layout, body, layout.STEP, 2)
    body.set(first)
    mix(body, first)
    body.get(first)
    body.do("i64x2.splat")
    body.set(start)
    body.i32(0)
    body.splat(layout.kept)
    body.set(factor)
    body.i32(0)
    body.load_i64(layout.kept + NUMBER)
    body.do("i64x2.splat")
    body.set(threshold)
    neurons = sum(layout.shape.sizes[1:-1])
    with body.loop(column, 0, layout.row, PAIR):
        body.get(0)
        body.load_indices(0)
        body.bits(neurons * GAMMA & MASK)
        body.do("i64x2.mul")
        body.get(start)
        body.do("i64x2.add")
        body.set(state)
        body.get(column)
        body.tee(place)
        body.plus(layout.row * neurons)
        body.set(stop)
        with body.loop_to(place, None, stop, layout.row):
            _next_numbers(body, state, number)
            body.get(place)
            body.get(number)
            body.shift("i64x2.shr_u", 11)
            body.get(threshold)
            body.do("i64x2.ge_s")
            body.get(factor)
            body.do("v128.and")
            body.store(layout.mask)
        body.get(0)
        body.plus(2 * INDEX)
        body.set(0)
    return body


def _next_numbers(body: FunctionBuilder, state: int, out: int) -> None:
    """SplitMix64 in both lanes, from the local `state` to `out`."""
    body.get(state)
    body.bits(GAMMA)
    body.do("i64x2.add")
    body.tee(state)
    body.set(out)
    for distance, multiplier in ((30, MIX_1), (27, MIX_2), (31, None)):
        body.get(out)
        body.get(out)
        body.shift("i64x2.shr_u", distance)
        body.do("v128.xor")
        if multiplier is not None:
            body.bits(multiplier)
            body.do("i64x2.mul")
        body.set(out)


def drop(layout: Layout, layer: int) -> FunctionBuilder:
    """Multiply a hidden layer's activations by their masks; keeps a copy of the originals."""
    body = FunctionBuilder()
    at, place = body.local(I32), body.local(V128)
    active = layout.active[layer + 1]
    with body.loop(at, 0, layout.row * layout.shape.sizes[layer + 1], PAIR):
        body.get(at)
        body.get(at)
        body.load(active)
        body.tee(place)
        body.store(layout.hidden(layout.whole, layer))
        body.get(at)
        body.get(place)
        body.get(at)
        body.load(layout.hidden(layout.mask, layer))
        body.do("f64x2.mul")
        body.store(active)
    return body
