"""Shuffling of the samples inside the kernel."""

from __future__ import annotations

from engine.training.shuffling import GAMMA, MIX_1, MIX_2
from engine.wasm.assembler import I32, I64, FunctionBuilder

from .layout import INDEX, Layout


def shuffle(layout: Layout) -> FunctionBuilder:
    """A function that writes the epoch's permutation of the samples.

    Fisher–Yates shuffle of the identity with SplitMix64, as in
    `engine.training.shuffling.permutation`.
    """
    body = FunctionBuilder()
    at, other, kept = body.locals(I32, 3)
    state, mixed = body.locals(I64, 2)
    size = INDEX * layout.shape.samples
    with body.loop(at, 0, layout.shape.samples, 1):
        body.get(at)
        body.i32(INDEX)
        body.do("i32.mul")
        body.get(at)
        body.store_i32(layout.list)
    push_seed(layout, body, layout.EPOCH, 1)
    body.set(state)
    with body.loop(at, size - INDEX, 0, -INDEX):
        _split_mix(body, state, mixed)
        body.get(mixed)
        body.get(at)
        body.i32(INDEX)
        body.do("i32.div_u")
        body.plus(1)
        body.do("i64.extend_i32_u", "i64.rem_u", "i32.wrap_i64")
        body.i32(INDEX)
        body.do("i32.mul")
        body.set(other)
        body.get(at)
        body.load_i32(layout.list)
        body.set(kept)
        body.get(at)
        body.get(other)
        body.load_i32(layout.list)
        body.store_i32(layout.list)
        body.get(other)
        body.get(kept)
        body.store_i32(layout.list)
    return body


def push_seed(layout: Layout, body: FunctionBuilder, counter: int, stream: int) -> None:
    """Push a generator's initial state, seed·GAMMA + counter·MIX_1 + stream.

    `counter` is the address of the step or of the epoch.
    """
    body.i32(0)
    body.load_i64(layout.seed)
    body.i64(GAMMA)
    body.do("i64.mul")
    body.i32(0)
    body.load_i32(counter)
    body.do("i64.extend_i32_u")
    body.i64(MIX_1)
    body.do("i64.mul", "i64.add")
    body.i64(stream)
    body.do("i64.add")


def _split_mix(body: FunctionBuilder, state: int, out: int) -> None:
    """Advance SplitMix64 (Steele, Lea, Flood 2014) in the local `state`; its output to `out`."""
    body.get(state)
    body.i64(GAMMA)
    body.do("i64.add")
    body.tee(state)
    body.set(out)
    mix(body, out)


def mix(body: FunctionBuilder, out: int) -> None:
    """Apply the output function, `engine.training.shuffling.mixed`, to the local `out`."""
    for distance, factor in ((30, MIX_1), (27, MIX_2), (31, None)):
        body.get(out)
        body.get(out)
        body.i64(distance)
        body.do("i64.shr_u", "i64.xor")
        if factor is not None:
            body.i64(factor)
            body.do("i64.mul")
        body.set(out)
