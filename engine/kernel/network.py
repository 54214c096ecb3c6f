"""The passes of a multilayer perceptron over one block of samples.

    forward    zⱼ = bⱼ + Σᵢ wⱼᵢ·aᵢ                aⱼ′ = f(zⱼ)
    backward   ∂L/∂wⱼᵢ = Σ over samples of δⱼ·aᵢ   δᵢ = f′·Σⱼ wⱼᵢ·δⱼ

Each is a loop nest over tiles; `tiling` chooses their size. The summation order is fixed: neurons
in order, samples in order, even and odd ones separately. Results therefore do not depend on the
tiles or on the block size.

The inner loops are not unrolled further. Cranelift keeps loads in program order and sinks
arithmetic to its uses, so that in longer straight-line code the loads come first and their results
spill to the stack (measured: 15 to 20 percent slower).
"""

from __future__ import annotations

from itertools import product

from engine.ops import OPS
from engine.wasm.assembler import I32, V128, FunctionBuilder

from .formula import Emitter, ExpressionGraph, Mathematics
from .layout import NUMBER, PAIR, Layout, partial_uses
from .product import Product, Sums, multiply, multiply_add
from .stages import staged
from .tiling import Tiles, pieces, tile

BIASES = 8  # bias sums held in registers at once


class Network:
    """Emits the passes as functions; `mathematics` holds the functions they may call."""

    def __init__(self, layout: Layout, mathematics: Mathematics) -> None:
        self.layout = layout
        self.shape = layout.shape
        self.mathematics = mathematics

    def forward(self, layer: int) -> FunctionBuilder:
        """A function that computes a layer's activations from those of the previous layer."""
        body = FunctionBuilder()
        inputs, outputs = self.shape.sizes[layer : layer + 2]
        passes = Product(
            rows=outputs,
            terms=inputs,
            source=self.layout.active[layer],
            weights=self.layout.spread + PAIR * self.layout.first[layer],
            row_step=PAIR * (inputs + 1),
            term_step=PAIR,
            bias=PAIR * inputs,
            finish=lambda sums, out: self._activate_tile(body, layer, sums, out),
        )
        multiply(body, self.layout, passes)
        if self._is_costly(layer):
            self._activate_layer(body, layer)
        return body

    def deltas(self, layer: int) -> FunctionBuilder:
        """A function that computes δ of the layer below `layer` from δ of `layer`.

        With accumulate=False only the first neuron's contribution remains.
        """
        body = FunctionBuilder()
        inputs, outputs = self.shape.sizes[layer : layer + 2]
        passes = Product(
            rows=inputs,
            terms=outputs if self.shape.accumulate else 1,
            source=self.layout.delta[layer + 1],
            weights=self.layout.spread + PAIR * self.layout.first[layer],
            row_step=PAIR,
            term_step=PAIR * (inputs + 1),
            bias=None,
            finish=lambda sums, out: self._slope_tile(body, layer - 1, sums, out),
        )
        multiply(body, self.layout, passes)
        return body

    def _activate_tile(self, body: FunctionBuilder, layer: int, sums: Sums, out: int) -> None:
        """Store a tile of a layer, with a cheap activation fused in."""
        name, costly = self.shape.op(layer), self._is_costly(layer)
        for t, places in enumerate(sums):
            for u, place in enumerate(places):
                offset = t * self.layout.row + PAIR * u
                if name is None or costly or self.layout.keeps_argument(layer):
                    body.get(out)
                    body.get(place)
                    body.store(self.layout.before[layer] + offset)
                if name is not None and not costly:
                    body.get(out)
                    self._apply(body, name, place)
                    body.store(self.layout.active[layer + 1] + offset)

    def _is_costly(self, layer: int) -> bool:
        """Whether the activation calls mathematical functions, and so runs in a separate pass."""
        name = self.shape.op(layer)
        if name is None:
            return False
        graph = ExpressionGraph()
        graph.text(OPS[name].formula, {OPS[name].params[0]: graph.leaf("x")})
        return graph.calls()

    def _activate_layer(self, body: FunctionBuilder, layer: int) -> None:
        name = self.shape.op(layer)
        assert name is not None
        at, place = body.local(I32), body.local(V128)
        size = self.layout.row * self.shape.sizes[layer + 1]
        if staged(name):
            self._run_stages(body, layer, name)
            return
        with body.loop(at, 0, size, PAIR):
            body.get(at)
            body.load(self.layout.before[layer])
            body.set(place)
            body.get(at)
            self._apply(body, name, place)
            body.store(self.layout.active[layer + 1])

    def _run_stages(self, body: FunctionBuilder, layer: int, name: str) -> None:
        """An activation in several loops, with the rows of `between` for what passes on."""
        at = body.local(I32)
        rows = {"x": self.layout.before[layer], "y": self.layout.active[layer + 1]}
        rows |= self.layout.between
        for stage in staged(name):
            graph = ExpressionGraph()
            names = {word: graph.leaf(word) for word in stage.takes}
            leaves = {leaf: body.local(V128) for leaf in names.values()}
            after = graph.block(stage.text, names)
            with body.loop(at, 0, self.layout.row * self.shape.sizes[layer + 1], PAIR):
                for word, leaf in names.items():
                    body.get(at)
                    body.load(rows[word])
                    body.set(leaves[leaf])
                emitter = Emitter(body, graph, leaves)
                emitter.needs([after[word] for word in stage.leaves])
                for word in stage.leaves:
                    body.get(at)
                    emitter.push(after[word])
                    body.store(rows[word])

    def _apply(self, body: FunctionBuilder, name: str, place: int) -> None:
        """Push the operation's value at the pair in the local `place`."""
        graph = ExpressionGraph()
        x = graph.leaf("x")
        y = graph.text(OPS[name].formula, {OPS[name].params[0]: x})
        emitter = Emitter(body, graph, {x: place}, self.mathematics)
        emitter.needs([y])
        emitter.push(y)

    def _slope_tile(self, body: FunctionBuilder, layer: int, sums: Sums, out: int) -> None:
        for t, places in enumerate(sums):
            for u, place in enumerate(places):
                offset = t * self.layout.row + PAIR * u
                body.get(out)
                self.slope(body, layer, place, out, offset)
                body.store(self.layout.delta[layer + 1] + offset)

    def slope(
        self, body: FunctionBuilder, layer: int, gradient: int, row: int, offset: int
    ) -> None:
        """Push gradient × mask × partial of a layer's activation at the pair `offset` + `row`.

        `gradient` is the local with the gradient of the layer's output, `row` the local with an
        offset. The mask is omitted without dropout.
        """
        name = self.shape.op(layer)
        active = self.layout.active[layer + 1]
        if self.shape.drops(layer):
            active = self.layout.hidden(self.layout.whole, layer)
            body.get(gradient)
            body.get(row)
            body.load(self.layout.hidden(self.layout.mask, layer) + offset)
            body.do("f64x2.mul")
            body.set(gradient)
        if name is None:
            body.get(gradient)
            return
        op = OPS[name]
        graph = ExpressionGraph()
        leaves = {graph.leaf("g"): gradient}
        rows = {"y": active, op.params[0]: self.layout.before[layer]}
        used = [word for word in rows if word in partial_uses(name)]
        for word, address in ((word, rows[word]) for word in used):
            place = leaves[graph.leaf(word)] = body.local(V128)
            body.get(row)
            body.load(address + offset)
            body.set(place)
        names = {word: graph.leaf(word) for word in used}
        result = graph.mul(graph.leaf("g"), graph.text(op.partials[0], names))
        emitter = Emitter(body, graph, leaves, self.mathematics)
        emitter.needs([result])
        emitter.push(result)

    def weights(self, layer: int) -> FunctionBuilder:
        """A function that adds a block's contributions to the sums of a layer's parameters.

        If the batch is a single block, the sums are stored directly as the gradient.
        """
        body = FunctionBuilder()
        inputs, outputs = self.shape.sizes[layer : layer + 2]
        height, width = tile(outputs, inputs, self.layout.pairs)
        for down, across in product(pieces(outputs, height), pieces(inputs, width)):
            self._weight_tiles(body, layer, down, across)
        for down in pieces(outputs, BIASES):
            self._weight_tiles(body, layer, down, Tiles(inputs, 1, 0))
        return body

    def _weight_tiles(self, body: FunctionBuilder, layer: int, down: Tiles, across: Tiles) -> None:
        """The weights from the inputs of `across` to the neurons of `down`, tile by tile.

        A tile of width 0 denotes the biases, which follow the weights in memory.
        """
        row, stride = self.layout.row, PAIR * (self.shape.sizes[layer] + 1)
        delta, source, place, line = body.locals(I32, 4)
        body.i32(down.start * stride + PAIR * across.start)
        body.set(line)
        stop = row * (down.start + down.count * down.width)
        with body.loop(delta, row * down.start, stop, row * down.width):
            body.get(line)
            body.set(place)
            end = row * (across.start + across.count * max(across.width, 1))
            step = row * max(across.width, 1)
            with body.loop(source, row * across.start, end, step):
                size = (down.width, across.width)
                self._weight_tile(body, layer, size, (delta, source, place))
                body.get(place)
                body.plus(PAIR * across.width)
                body.set(place)
            body.get(line)
            body.plus(down.width * stride)
            body.set(line)

    def _weight_tile(
        self, body: FunctionBuilder, layer: int, size: tuple[int, int], at: tuple[int, int, int]
    ) -> None:
        """Σ δ·a over the block's pairs for neurons × inputs; Σ δ for 0 inputs."""
        height, width = size
        sums = [body.locals(V128, max(width, 1)) for _ in range(height)]
        deltas, pair = body.locals(V128, height), body.local(V128)
        column, d, a = body.locals(I32, 3)
        self._begin_sums(body, layer, sums, at[2])
        row = self.layout.row if self.shape.accumulate else PAIR  # the first sample is in the first
        with body.loop(column, 0, row, PAIR):
            for start, pointer in zip(at, (d, a), strict=False):
                body.get(start)
                body.get(column)
                body.do("i32.add")
                body.set(pointer)
            for j, delta in enumerate(deltas):
                body.get(d)
                body.load(self.layout.delta[layer + 1] + j * self.layout.row)
                body.set(delta)
                if not width:
                    body.get(sums[j][0])
                    body.get(delta)
                    body.do("f64x2.add")
                    body.set(sums[j][0])
            for i in range(width):
                body.get(a)
                body.load(self.layout.active[layer] + i * self.layout.row)
                body.set(pair)
                multiply_add(body, [row[i] for row in sums], deltas, pair)
        self._end_sums(body, layer, sums, at[2])

    def _begin_sums(self, body: FunctionBuilder, layer: int, sums: Sums, place: int) -> None:
        base = self.layout.sums + PAIR * self.layout.first[layer]
        stride = PAIR * (self.shape.sizes[layer] + 1)
        for j, row in enumerate(sums):
            for i, total in enumerate(row):
                if self.layout.blocks == 1:
                    body.pair(0.0)
                else:
                    body.get(place)
                    body.load(base + j * stride + PAIR * i)
                body.set(total)

    def _end_sums(self, body: FunctionBuilder, layer: int, sums: Sums, place: int) -> None:
        first, stride = self.layout.first[layer], self.shape.sizes[layer] + 1
        for j, row in enumerate(sums):
            if self.layout.blocks == 1:
                base = self.layout.gradient + NUMBER * (first + j * stride)
                self._gradients(body, row, place, base)
                continue
            for i, total in enumerate(row):
                body.get(place)
                body.get(total)
                body.store(self.layout.sums + PAIR * (first + j * stride + i))

    def add_lanes(self, body: FunctionBuilder, first: int, second: int) -> None:
        """Push (even + odd lane of `first`, even + odd of `second`), each a pair in a local.

        With accumulate=False the odd lane, another sample's, is left out.
        """
        if self.shape.accumulate:
            add_lanes(body, first, second)
            return
        body.get(first)
        body.get(second)
        body.lanes(0, 2)

    def _gradients(self, body: FunctionBuilder, row: list[int], place: int, base: int) -> None:
        """Add the lanes of each sum and store the results contiguously."""
        half = body.local(I32)
        body.get(place)
        body.i32(1)
        body.do("i32.shr_u")
        body.set(half)
        for i in range(0, len(row), 2):
            first, second = row[i], row[min(i + 1, len(row) - 1)]
            body.get(half)
            self.add_lanes(body, first, second)
            if i + 1 < len(row):
                body.store(base + NUMBER * i)
            else:
                body.store_lane(base + NUMBER * i, 0)


def add_lanes(body: FunctionBuilder, first: int, second: int) -> None:
    """Push (even + odd of `first`, even + odd of `second`), each a pair in a local."""
    for lane in (0, 1):
        body.get(first)
        body.get(second)
        body.lanes(lane, lane + 2)
    body.do("f64x2.add")
