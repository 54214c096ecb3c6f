"""Loss and gradient of a batch, block by block."""

from __future__ import annotations

from collections.abc import Sequence

from engine.training.decision import threshold_of
from engine.training.features import FEATURES, PLAIN
from engine.training.losses import LOSSES
from engine.wasm.assembler import I32, V128, FunctionBuilder

from .formula import Emitter, ExpressionGraph, Mathematics, Node
from .layout import INDEX, NUMBER, PAIR, Layout
from .network import Network
from .recording import Recorded, record


class BatchEmitter:
    """Emits the functions of a batch; `network` emits the passes."""

    def __init__(self, layout: Layout, network: Network, mathematics: Mathematics) -> None:
        self.layout = layout
        self.shape = layout.shape
        self.network = network
        self.mathematics = mathematics

    def gather(self, masked: bool) -> FunctionBuilder:
        """[records, list], or [records, list, weights] if `masked`: transpose a block into rows.

        Slots of weight 0 are filled with zeros if `masked`: other contents could be infinite, and
        an infinity times a gradient of 0 is nan. Rows of inputs hold the features of a sample.
        """
        body = FunctionBuilder([I32] * (3 if masked else 2))
        records, chosen, weights = 0, 1, 2
        column, even, odd = body.locals(I32, 3)
        real = body.local(V128)
        layout, shape = self.layout, self.shape
        inputs = [layout.inputs + i * layout.row for i in range(shape.sizes[0])]
        targets = [layout.targets + i * layout.row for i in range(shape.sizes[-1])]
        held = body.locals(V128, len(PLAIN)) if shape.features else []
        rows: list[int | None] = [*([None] * len(held) if held else inputs), *targets]
        with body.loop(column, 0, self.layout.row, PAIR):
            for lane, place in enumerate((even, odd)):
                body.get(chosen)
                body.load_i32(INDEX * lane)
                body.i32(self.layout.record)
                body.do("i32.mul")
                body.get(records)
                body.do("i32.add")
                body.set(place)
            if masked:
                body.get(weights)
                body.load(0)
                body.pair(0.0)
                body.do("f64x2.ne")
                body.set(real)
            for number, row in enumerate(rows):
                if row is not None:
                    body.get(column)
                body.get(odd)
                body.get(even)
                body.splat(NUMBER * number)
                body.load_lane(NUMBER * number, 1)
                if masked:
                    body.get(real)
                    body.do("v128.and")
                if row is None:
                    body.set(held[number])
                else:
                    body.store(row)
            if held:
                self._features(body, held, column, inputs)
            for place, step in ((chosen, 2 * INDEX), (weights, 2 * PAIR))[: 1 + masked]:
                body.get(place)
                body.plus(step)
                body.set(place)
        return body

    def _features(
        self, body: FunctionBuilder, held: Sequence[int], column: int, rows: Sequence[int]
    ) -> None:
        """Store the features of the inputs in the locals `held` to `rows`, at `column`."""
        graph = ExpressionGraph()
        names = {name: graph.leaf(name) for name in PLAIN}
        found = [graph.text(FEATURES[name].formula, names) for name in self.shape.features]
        emitter = Emitter(
            body, graph, dict(zip(names.values(), held, strict=True)), self.mathematics
        )
        emitter.needs(found)
        for node, row in zip(found, rows, strict=True):
            body.get(column)
            emitter.push(node)
            body.store(row)

    def loss(self) -> FunctionBuilder:
        """[weights]: add a block's loss and hits to the sums; store δ of the output layer."""
        body = FunctionBuilder([I32])
        found = record(LOSSES[self.shape.loss], self.shape.sizes[-1], self.shape.accumulate)
        loss_sum, hit_sum, weight, seed = body.locals(V128, 4)
        column = body.local(I32)
        for total, place in ((loss_sum, self.layout.loss_sum), (hit_sum, self.layout.hit_sum)):
            body.i32(0)
            body.load(place)
            body.set(total)
        with body.loop(column, 0, self.layout.row, PAIR):
            for place, offset in ((weight, 0), (seed, PAIR)):
                body.get(0)
                body.load(offset)
                body.set(place)
            self._pair(body, found, (loss_sum, hit_sum, weight, seed), column)
            body.get(0)
            body.plus(2 * PAIR)
            body.set(0)
        for total, place in ((loss_sum, self.layout.loss_sum), (hit_sum, self.layout.hit_sum)):
            body.i32(0)
            body.get(total)
            body.store(place)
        return body

    def _pair(
        self, body: FunctionBuilder, found: Recorded, places: tuple[int, int, int, int], column: int
    ) -> None:
        """Loss, hits and δ of one pair of samples."""
        loss_sum, hit_sum, weight, seed = places
        graph, last = found.graph, len(self.shape.sizes) - 1
        leaves = {found.seed: seed}
        for nodes, address in (
            (found.outputs, self.layout.active[last]),
            (found.targets, self.layout.targets),
        ):
            for row, node in enumerate(nodes):
                leaves[node] = body.local(V128)
                body.get(column)
                body.load(address + row * self.layout.row)
                body.set(leaves[node])
        weight_leaf = graph.leaf("weight")
        leaves[weight_leaf] = weight
        real = graph.mask("ne", weight_leaf, graph.number(0.0))
        share = graph.apply("v128.and", graph.mul(found.loss, weight_leaf), real)
        threshold = threshold_of(self.shape.loss, self.shape.activations[-1])
        hit = graph.apply("v128.and", _hit(found, threshold), real)
        emitter = Emitter(body, graph, leaves, self.mathematics)
        emitter.needs([share, hit, *found.gradient])
        for total, node in ((loss_sum, share), (hit_sum, hit)):
            body.get(total)
            emitter.push(node)
            body.do("f64x2.add")
            body.set(total)
        gradient = body.local(V128)
        for row, node in enumerate(found.gradient):
            emitter.push(node)
            body.set(gradient)
            body.get(column)
            self.network.slope(body, last - 1, gradient, column, row * self.layout.row)
            body.store(self.layout.delta[last] + row * self.layout.row)

    def over_blocks(
        self,
        gather: int,
        forward: list[int],
        loss: int,
        backward: list[int],
        masks: int | None = None,
    ) -> FunctionBuilder:
        """[records, list, weights, blocks, backward?]: forward, and backward, over all blocks.

        `masks` is the function that draws a block's dropout masks, if `forward` uses them.
        """
        body = FunctionBuilder([I32] * 5)
        records, chosen, weights, blocks, back = range(5)
        at = body.local(I32)
        for place in (self.layout.loss_sum, self.layout.hit_sum):
            body.i32(0)
            body.pair(0.0)
            body.store(place)
        with body.loop_to(at, 0, blocks, 1):
            body.get(records)
            body.get(chosen)
            body.get(weights)
            body.call(gather)
            if masks is not None:
                body.get(chosen)
                body.call(masks)
            for function in forward:
                body.call(function)
            body.get(weights)
            body.call(loss)
            body.get(back)
            with body.when():
                for function in backward:
                    body.call(function)
            if not self.shape.accumulate:  # only the first sample's contribution remains
                body.i32(0)
                body.set(back)
            for place, step in ((chosen, 2 * INDEX), (weights, 2 * PAIR)):
                body.get(place)
                body.plus(step * self.layout.pairs)
                body.set(place)
        return body

    def reduce(self) -> FunctionBuilder:
        """Reduce the blocks' sums to the gradient and reset them."""
        body = FunctionBuilder()
        at, double, first, second = *body.locals(I32, 2), *body.locals(V128, 2)
        sums = self.layout.sums
        with body.loop(at, 0, self.layout.parameter_bytes, 2 * NUMBER):
            body.get(at)
            body.i32(1)
            body.do("i32.shl")
            body.set(double)
            for place, offset in ((first, sums), (second, sums + PAIR)):
                body.get(double)
                body.load(offset)
                body.set(place)
                body.get(double)
                body.pair(0.0)
                body.store(offset)
            body.get(at)
            self.network.add_lanes(body, first, second)
            body.store(self.layout.gradient)
        return body


def _hit(found: Recorded, threshold: float) -> Node:
    """1 where the prediction matches the target, else 0.

    For one output: the output exceeds the threshold and the target is positive, or neither. For
    several: their first maxima have the same index.
    """
    graph = found.graph
    one, zero = graph.number(1.0), graph.number(0.0)
    if len(found.outputs) == 1:
        answers = [
            graph.select(graph.mask("gt", node, bound), one, zero)
            for node, bound in (
                (found.outputs[0], graph.number(threshold)),
                (found.targets[0], zero),
            )
        ]
    else:
        answers = [_first_largest(graph, nodes) for nodes in (found.outputs, found.targets)]
    return graph.select(graph.mask("eq", *answers), one, zero)


def _first_largest(graph: ExpressionGraph, nodes: tuple[Node, ...]) -> Node:
    best, place = nodes[0], graph.number(0.0)
    for number, node in enumerate(nodes[1:], 1):
        larger = graph.mask("gt", node, best)
        best = graph.select(larger, node, best)
        place = graph.select(larger, graph.number(float(number)), place)
    return place
