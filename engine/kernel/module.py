"""The complete WebAssembly module for runs of one shape."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from engine.caches import cached
from engine.wasm.assembler import WasmModule

from . import mapping, order
from .batch import BatchEmitter
from .dropout import draw_masks, drop
from .formula import Mathematics
from .layout import Layout, Shape
from .network import Network
from .step import StepEmitter


@dataclass(frozen=True, slots=True)
class KernelProgram:
    """WebAssembly for runs of one shape.

    Exports `memory`, `train(steps)`, `look()`, `update()`, `over_blocks(records, list, weights,
    blocks, back)`, `penalty()`, and `activations` and `shades` of `(records, blocks, rows, size,
    to, stride)`.
    """

    layout: Layout
    code: bytes


@cached("kernels")
def program(shape: Shape) -> KernelProgram:
    """The program for runs of `shape`, a deterministic function of it."""
    layout = Layout(shape)
    module = WasmModule()
    mathematics = Mathematics(module)
    network = Network(layout, mathematics)
    batch = BatchEmitter(layout, network, mathematics)
    step = StepEmitter(layout, mathematics)
    depth = len(shape.sizes) - 1
    gather = module.add(batch.gather(masked=True))
    gather_points = module.add(batch.gather(masked=False))
    forward = [module.add(network.forward(layer)) for layer in range(depth)]
    backward = []
    for layer in reversed(range(depth)):
        backward.append(module.add(network.weights(layer)))
        if layer:
            backward.append(module.add(network.deltas(layer)))
    loss = module.add(batch.loss())
    over_blocks = module.add(batch.over_blocks(gather, forward, loss, backward), "over_blocks")
    shuffle = module.add(order.shuffle(layout)) if shape.shuffled else None
    penalty = module.add(step.penalty(slopes=False), "penalty") if shape.penalty else 0
    after = [module.add(batch.reduce())] if layout.blocks > 1 else []
    if shape.penalty:  # without accumulation, later contributions overwrite its derivatives
        after.append(module.add(step.penalty(slopes=True)) if shape.accumulate else penalty)
    after += [module.add(step.carry())] if step.carries else []
    seen = over_blocks
    if shape.dropout:
        masks = module.add(draw_masks(layout))
        drops = [module.add(drop(layout, layer)) for layer in range(depth - 1)]
        dropped = [f for pair in zip_longest(forward, drops) for f in pair if f is not None]
        seen = module.add(batch.over_blocks(gather, dropped, loss, backward, masks))
    look = module.add(step.look(seen, shuffle, after), "look")
    module.add(step.spread(), "spread")
    update = module.add(step.update(), "update")
    test = module.add(step.test(over_blocks)) if shape.tests else None
    alone = penalty if shape.penalty else None
    module.add(step.train(look, update, test, alone), "train")
    module.add(mapping.activations(layout, gather_points, forward, shades=False), "activations")
    module.add(mapping.activations(layout, gather_points, forward, shades=True), "shades")
    return KernelProgram(layout, module.encode(layout.size))
