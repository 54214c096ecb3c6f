"""The shape of a run and the layout of the kernel's memory.

A pair is an f64x2 that holds two samples, 16 bytes. A row holds one neuron's numbers for a block of
samples: `pairs` pairs. A batch is processed in blocks whose rows fit the L1 cache. Unused slots of
the last block have weight 0.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from engine import parser_lock
from engine.caches import cached
from engine.nn import LINEAR
from engine.ops import OPS
from engine.training.optim import OPTIMIZERS

from .stages import names_between

PAIR = 16
NUMBER = 8
INDEX = 4
CACHE = 64_000  # limit of a block's rows in bytes
MOST_PAIRS = 64
LOGGED = 4_096  # capacity of the ring buffers of losses, in steps; a power of two
POINTS = 10_240  # limit of points per call
MAP_BYTES = 655_360  # limit of activations or shades per call, in bytes


@dataclass(frozen=True, slots=True)
class Shape:
    """The settings that a run's code depends on; all others are numbers in its memory."""

    sizes: tuple[int, ...]
    activations: tuple[str, ...]  # one per layer
    loss: str
    optimizer: str
    schedule: str
    samples: int
    tests: int
    batch: int
    minibatch: bool  # also true for a batch size equal to the set's: it is shuffled too
    shuffle: bool
    zero_grad: bool
    accumulate: bool
    l1: bool
    l2: bool
    dropout: bool
    classifies: bool
    features: tuple[str, ...] = ()  # of a sample's two inputs, one per input of the network

    @property
    def inputs(self) -> int:
        """The number of inputs of a sample."""
        return 2 if self.features else self.sizes[0]

    @property
    def shuffled(self) -> bool:
        """Whether the samples are shuffled in each epoch."""
        return self.minibatch and self.shuffle and self.samples > 1

    @property
    def penalty(self) -> bool:
        """Whether the loss includes an L1 or L2 penalty."""
        return self.l1 or self.l2

    def drops(self, layer: int) -> bool:
        """Whether dropout masks the outputs of a layer, counted from 0."""
        return self.dropout and layer < len(self.sizes) - 2

    def op(self, layer: int) -> str | None:
        """The activation's operation of a layer, counted from 0; None if linear."""
        name = self.activations[layer]
        return None if name == LINEAR else name


class Layout:
    """Byte addresses in a run's memory.

    The bytes up to `saved` are the state of training; a checkpoint is a copy of them.
    """

    STEP, POSITION, EPOCH = 0, 4, 8  # i32: updates made, next batch's first slot, passes made
    SCALARS = 16  # of the optimizer
    SETTINGS: ClassVar = {
        "rate": "learning_rate",
        "end": "end_rate",
        **{name: name for name in ("momentum", "weight_decay", "l1", "l2")},
    }
    """The settings that a run's code reads from memory, named as in the tables."""
    SCHEDULE = ("since", "steps")
    """Numbers of the schedule that it reads too: the step at which it began, and its length."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        sizes = shape.sizes
        self.pairs, self.blocks = _blocks(shape)
        self.row = PAIR * self.pairs
        self.record = NUMBER * (shape.inputs + sizes[-1])  # a sample's inputs and targets
        self.first = [0]  # the first parameter of each layer
        for inputs, outputs in pairwise(sizes):
            self.first.append(self.first[-1] + (inputs + 1) * outputs)
        self.parameters = self.first[-1]
        self._end = self.SCALARS + NUMBER * len(OPTIMIZERS[shape.optimizer].scalars)
        self._place_state()
        self.saved = self._end
        self._place_numbers()
        self._place_rows()
        if shape.dropout:
            self._place_masks()
        self.size = self._end

    def _take(self, size: int) -> int:
        """Allocate `size` bytes, aligned to a cache line."""
        at = -(-self._end // 64) * 64
        self._end = at + size
        return at

    def _place_state(self) -> None:
        shape = self.shape
        self.parameter_bytes = NUMBER * (self.parameters + self.parameters % 2)
        self.parameter = self._take(self.parameter_bytes)
        names = OPTIMIZERS[shape.optimizer].state
        self.state = {name: self._take(self.parameter_bytes) for name in names}
        self.carried = self._take(self.parameter_bytes)  # gradients of earlier steps
        self.list = self._take(INDEX * self._slots(shape.samples))

    def _place_numbers(self) -> None:
        shape = self.shape
        names = (*self.SETTINGS, *self.SCHEDULE)
        base = self._take(NUMBER * (len(names) + 1))
        self.setting = {name: base + NUMBER * i for i, name in enumerate(names)}
        self.seed = base + NUMBER * len(names)
        self.rate = self._take(NUMBER)  # learning rate of the next update
        self.shade = self._take(NUMBER)  # scale from activations to bytes
        self.spread = self._take(PAIR * (self.parameters + 1))  # each parameter in both lanes
        self.gradient = self._take(NUMBER * (self.parameters + 2))
        self.sums = self._take(PAIR * (self.parameters + 3))  # of contributions, per lane
        self.loss_sum = self.sums + PAIR * (self.parameters + self.parameters % 2)
        self.hit_sum = self.loss_sum + PAIR
        self.losses = self._take(NUMBER * LOGGED)
        self.hits = self._take(NUMBER * LOGGED)
        self.test_losses = self._take(NUMBER * LOGGED if shape.tests else 0)
        self.penalties = self._take(NUMBER * LOGGED if shape.penalty else 0)
        self.count = self._slots(max(shape.samples, shape.tests, POINTS))
        self.identity = self._take(INDEX * self.count)
        self.weights = {
            name: self._take(2 * PAIR * self.pairs * self.blocks_of(count))
            for name, count in self.counts.items()
        }
        self.records = {
            name: self._take(self.record * max(count, 1))
            for name, count in (
                ("train", shape.samples),
                ("test", shape.tests),
                ("points", POINTS),
            )
        }
        self.map_bytes = max(MAP_BYTES, self.row * sum(shape.sizes[1:]))
        self.map = self._take(self.map_bytes)

    def _place_rows(self) -> None:
        shape = self.shape
        sizes = shape.sizes
        self.inputs = self._take(self.row * sizes[0])
        self.targets = self._take(self.row * sizes[-1])
        # The rows from `active[1]` on are contiguous: one copy yields the maps of all neurons.
        start = self._take(self.row * sum(sizes[1:]))
        self.active = [self.inputs]
        for size in sizes[1:]:
            self.active.append(start)
            start += self.row * size
        self.before = [  # pre-activations, where a partial uses them
            self._take(self.row * size) if self.keeps_argument(layer) else self.active[layer + 1]
            for layer, size in enumerate(sizes[1:])
        ]
        ops = (shape.op(layer) for layer in range(len(sizes) - 1))
        self.between = {  # from one stage of an activation to the next
            name: self._take(self.row * max(sizes[1:]))
            for name in names_between(op for op in ops if op is not None)
        }
        self.delta = [0] + [self._take(self.row * size) for size in sizes[1:]]

    def _place_masks(self) -> None:
        """Rows for all hidden neurons, in the order of `active`."""
        rows = self.row * sum(self.shape.sizes[1:-1])
        self.mask = self._take(rows)
        self.whole = self._take(rows)  # activations before masking
        self.kept = self._take(2 * NUMBER)  # scale of kept activations, threshold

    def hidden(self, rows: int, layer: int) -> int:
        """The address of a hidden layer's part of `mask` or `whole`."""
        return rows + self.active[layer + 1] - self.active[1]

    def keeps_argument(self, layer: int) -> bool:
        """Whether the partial of a layer's activation uses the pre-activation."""
        name = self.shape.op(layer)
        return name is not None and OPS[name].params[0] in partial_uses(name)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Sets of slots with their own weights: the number of samples in each."""
        shape = self.shape
        last = shape.samples % shape.batch or shape.batch
        return {"batch": shape.batch, "last": last, "train": shape.samples, "test": shape.tests}

    def blocks_of(self, count: int) -> int:
        """The number of blocks for `count` samples."""
        return -(-count // (2 * self.pairs))

    def _slots(self, count: int) -> int:
        """An upper bound of the slots read for `count` samples, from any start."""
        return count + 2 * self.pairs * (self.blocks + 1)


@cached("names in partials")
def partial_uses(name: str) -> frozenset[str]:
    """The names that an activation's partial uses: its argument, its result y, or both."""
    tree = parser_lock.expression(OPS[name].partials[0])
    words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(words & {*OPS[name].params, "y"})


def _blocks(shape: Shape) -> tuple[int, int]:
    """Pairs per block and blocks per batch, with few unused slots and rows that fit the cache."""
    needed = -(-shape.batch // 2)
    rows = shape.sizes[0] + shape.sizes[-1] + 2 * sum(shape.sizes[1:])
    most = max(4, min(MOST_PAIRS, CACHE // (PAIR * rows)))
    blocks = -(-needed // most)
    choices = [(-(-needed // count), count) for count in range(blocks, 2 * blocks + 1)]
    return min(choices, key=lambda choice: (choice[0] * choice[1], choice[1]))
