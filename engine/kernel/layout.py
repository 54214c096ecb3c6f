"""What one kind of run looks like, and where everything lies in the kernel's memory.

A pair is two samples side by side, 16 bytes. A row holds one neuron's numbers for a block of
samples: `pairs` pairs. A batch is worked through block by block, so that a block's rows stay in
the fastest cache. Slots that a batch does not fill have weight 0.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import ClassVar

from engine import syntax
from engine.nn import LINEAR
from engine.ops import OPS
from engine.training.optim import OPTIMIZERS

PAIR = 16
NUMBER = 8
INDEX = 4
CACHE = 48_000  # bytes of rows that a block may take
MOST_PAIRS = 64
LOGGED = 4_096  # steps whose losses are kept until the host reads them: a power of two
POINTS = 10_240  # points that can be mapped in one call
MAP_BYTES = 655_360  # of activations or shades that one call can hand back


@dataclass(frozen=True, slots=True)
class Shape:
    """Everything that a run's code depends on; the rest are numbers in its memory."""

    sizes: tuple[int, ...]
    activations: tuple[str, ...]  # one for each layer, the output's last
    loss: str
    optimizer: str
    schedule: str
    samples: int
    tests: int
    batch: int
    minibatch: bool  # even of all samples: it is shuffled all the same
    shuffle: bool
    zero_grad: bool
    accumulate: bool
    l1: bool
    l2: bool
    dropout: bool
    classifies: bool

    @property
    def shuffled(self) -> bool:
        """Whether each epoch has an order of its own."""
        return self.minibatch and self.shuffle and self.samples > 1

    @property
    def penalty(self) -> bool:
        """Whether the parameters themselves add to the loss."""
        return self.l1 or self.l2

    def op(self, layer: int) -> str | None:
        """The operation that is the activation of a layer, counted from 0; None if linear."""
        name = self.activations[layer]
        return None if name == LINEAR else name


class Layout:
    """Byte addresses of a run's memory.

    The part up to `saved` is the state of training; copying it is a checkpoint.
    """

    STEP, POSITION, EPOCH = 0, 4, 8  # i32: updates made, next batch's first slot, passes made
    SCALARS = 16  # of the optimizer
    SETTINGS: ClassVar = {
        "rate": "learning_rate",
        "end": "schedule_end",
        **{name: name for name in ("steps", "momentum", "weight_decay", "l1", "l2")},
    }
    """The numbers of a run that its code reads, by the names of the tables' texts."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        sizes = shape.sizes
        self.pairs, self.blocks = _blocks(shape)
        self.row = PAIR * self.pairs
        self.record = NUMBER * (sizes[0] + sizes[-1])  # a sample's inputs and targets
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
        """The address of a new piece, on a cache line."""
        at = -(-self._end // 64) * 64
        self._end = at + size
        return at

    def _place_state(self) -> None:
        shape = self.shape
        numbers = NUMBER * (self.parameters + self.parameters % 2)
        self.parameter = self._take(numbers)
        self.state = {name: self._take(numbers) for name in OPTIMIZERS[shape.optimizer].state}
        self.carried = self._take(numbers)  # gradients that were not set to zero
        self.list = self._take(INDEX * self._slots(shape.samples))

    def _place_numbers(self) -> None:
        shape = self.shape
        base = self._take(NUMBER * (len(self.SETTINGS) + 1))
        self.setting = {name: base + NUMBER * i for i, name in enumerate(self.SETTINGS)}
        self.seed = base + NUMBER * len(self.SETTINGS)
        self.rate = self._take(NUMBER)  # of the next update
        self.shade = self._take(NUMBER)  # what activations are multiplied by for a byte
        self.spread = self._take(PAIR * (self.parameters + 1))  # each parameter in both lanes
        self.gradient = self._take(NUMBER * (self.parameters + 2))
        self.sums = self._take(PAIR * (self.parameters + 3))  # of contributions, lane by lane
        self.loss_sum = self.sums + PAIR * (self.parameters + self.parameters % 2)
        self.hit_sum = self.loss_sum + PAIR
        self.losses = self._take(NUMBER * LOGGED)
        self.hits = self._take(NUMBER * LOGGED)
        self.test_losses = self._take(NUMBER * LOGGED if shape.tests else 0)
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
        # Row 0 of `active[1]` is followed by all the others: the maps of all neurons in one copy.
        start = self._take(self.row * sum(sizes[1:]))
        self.active = [self.inputs]
        for size in sizes[1:]:
            self.active.append(start)
            start += self.row * size
        self.before = [  # activations' arguments, where a partial needs them
            self._take(self.row * size) if self.keeps_argument(layer) else self.active[layer + 1]
            for layer, size in enumerate(sizes[1:])
        ]
        self.delta = [0] + [self._take(self.row * size) for size in sizes[1:]]

    def _place_masks(self) -> None:
        """Rows of all hidden neurons, in the order of those of `active`."""
        rows = self.row * sum(self.shape.sizes[1:-1])
        self.mask = self._take(rows)
        self.whole = self._take(rows)  # activations before they are multiplied by their masks
        self.kept = self._take(2 * NUMBER)  # the factor of a kept activation, the threshold

    def hidden(self, rows: int, layer: int) -> int:
        """The address of a hidden layer's part of `mask` or `whole`."""
        return rows + self.active[layer + 1] - self.active[1]

    def keeps_argument(self, layer: int) -> bool:
        """Whether the partial of a layer's activation uses its argument, not only its result."""
        name = self.shape.op(layer)
        return name is not None and OPS[name].params[0] in partial_uses(name)

    @cached_property
    def counts(self) -> dict[str, int]:
        """The sets of slots that have weights of their own, with how many are filled."""
        shape = self.shape
        last = shape.samples % shape.batch or shape.batch
        return {"batch": shape.batch, "last": last, "train": shape.samples, "test": shape.tests}

    def blocks_of(self, count: int) -> int:
        """Blocks that hold `count` samples."""
        return -(-count // (2 * self.pairs))

    def _slots(self, count: int) -> int:
        """Slots that may be read for `count` samples, from any start."""
        return count + 2 * self.pairs * (self.blocks + 1)


@cache
def partial_uses(name: str) -> frozenset[str]:
    """What an activation's partial is computed from: its argument, its result y, or both."""
    tree = syntax.expression(OPS[name].partials[0])
    words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(words & {*OPS[name].params, "y"})


def _blocks(shape: Shape) -> tuple[int, int]:
    """Pairs of a block and blocks of a batch: few empty slots, and rows that fit the cache."""
    needed = -(-shape.batch // 2)
    rows = shape.sizes[0] + shape.sizes[-1] + 2 * sum(shape.sizes[1:])
    most = max(4, min(MOST_PAIRS, CACHE // (PAIR * rows)))
    blocks = -(-needed // most)
    choices = [(-(-needed // count), count) for count in range(blocks, 2 * blocks + 1)]
    return min(choices, key=lambda choice: (choice[0] * choice[1], choice[1]))
