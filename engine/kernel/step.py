"""One step of training: its batch, penalties, learning rate, update.

`look` computes loss and gradient at the current parameters without changing them; `update` applies
the optimizer; `train` repeats both. Between calls the state is always consistent.
"""

from __future__ import annotations

from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.wasm.assembler import I32, V128, FunctionBuilder

from .formula import Emitter, ExpressionGraph, Mathematics, Node
from .layout import INDEX, LOGGED, NUMBER, PAIR, Layout
from .network import add_lanes
from .recording import penalty


class StepEmitter:
    """Emits the functions of a step; `Batch` emits those that work on samples."""

    def __init__(self, layout: Layout, mathematics: Mathematics) -> None:
        self.layout = layout
        self.shape = layout.shape
        self.mathematics = mathematics

    def penalty(self, slopes: bool) -> FunctionBuilder:
        """Add the penalties to the loss and, with `slopes`, their derivatives to the gradient."""
        body = FunctionBuilder()
        graph = ExpressionGraph()
        parameter, total, at = body.local(V128), body.local(V128), body.local(I32)
        p = graph.leaf("p")
        l1, l2 = graph.leaf("l1"), graph.leaf("l2")
        leaves = {p: parameter} | self._settings(body, graph, ("l1", "l2"))
        value, slope = penalty(
            graph, p, l1 if self.shape.l1 else None, l2 if self.shape.l2 else None
        )
        body.i32(0)
        body.load(self.layout.loss_sum)
        body.set(total)
        with body.loop(at, 0, self.layout.parameter_bytes, 2 * NUMBER):
            body.get(at)
            body.load(self.layout.parameter)
            body.set(parameter)
            emitter = Emitter(body, graph, leaves, self.mathematics)
            emitter.needs([value, slope] if slopes else [value])
            body.get(total)
            emitter.push(value)
            body.do("f64x2.add")
            body.set(total)
            if slopes:
                body.get(at)
                body.get(at)
                body.load(self.layout.gradient)
                emitter.push(slope)
                body.do("f64x2.add")
                body.store(self.layout.gradient)
        body.i32(0)
        body.get(total)
        body.store(self.layout.loss_sum)
        return body

    def _settings(
        self, body: FunctionBuilder, graph: ExpressionGraph, names: tuple[str, ...]
    ) -> dict[Node, int]:
        """Leaves for settings shared by all parameters."""
        leaves = {}
        for name in names:
            place = leaves[graph.leaf(name)] = body.local(V128)
            body.i32(0)
            body.splat(self.layout.setting[name])
            body.set(place)
        return leaves

    def carry(self) -> FunctionBuilder:
        """Add the gradients of earlier steps, for zero_grad=False."""
        body = FunctionBuilder()
        at = body.local(I32)
        with body.loop(at, 0, self.layout.parameter_bytes, 2 * NUMBER):
            body.get(at)
            body.get(at)
            body.load(self.layout.carried)
            body.get(at)
            body.load(self.layout.gradient)
            body.do("f64x2.add")
            body.store(self.layout.gradient)
        return body

    def look(self, over_blocks: int, shuffle: int | None, after: list[int]) -> FunctionBuilder:
        """Loss, hits and gradient of the next batch at the current parameters; learning rate."""
        body = FunctionBuilder()
        layout = self.layout
        if shuffle is not None:
            self._position(body)
            body.do("i32.eqz")
            with body.when():
                body.call(shuffle)
        body.i32(layout.records["train"])
        self._position(body)
        body.i32(INDEX)
        body.do("i32.mul")
        body.plus(layout.list)
        for kind in ("weights", "blocks"):
            for name in ("last", "batch"):
                address, blocks = layout.weights[name], layout.blocks_of(layout.counts[name])
                body.i32(address if kind == "weights" else blocks)
            self._is_last(body)
            body.do("select")
        body.i32(1)
        body.call(over_blocks)
        for function in after:
            body.call(function)
        self._rate(body)
        return body

    def _position(self, body: FunctionBuilder) -> None:
        body.i32(0)
        body.load_i32(self.layout.POSITION)

    def _is_last(self, body: FunctionBuilder) -> None:
        """Push 1 if the next batch is the last of its epoch, else 0."""
        self._position(body)
        body.i32(self.shape.samples - self.shape.batch)
        body.do("i32.lt_u", "i32.eqz")

    def _rate(self, body: FunctionBuilder) -> None:
        """Store the learning rate of the next update, from the schedule's formula.

        The schedule counts the steps since its begin; after its end the rate stays the same.
        """
        graph = ExpressionGraph()
        leaves = self._settings(body, graph, ("rate", "end", "steps", "since"))
        step = leaves[graph.leaf("step")] = body.local(V128)
        body.i32(0)
        body.load_i32(self.layout.STEP)
        body.do("f64.convert_i32_u", "f64x2.splat")
        body.get(leaves[graph.leaf("since")])
        body.do("f64x2.sub")
        body.get(leaves[graph.leaf("steps")])
        body.do("f64x2.min")
        body.set(step)
        names = {name: graph.leaf(name) for name in ("rate", "end", "step", "steps")}
        rate = graph.text(SCHEDULES[self.shape.schedule].rate, names)
        emitter = Emitter(body, graph, leaves, self.mathematics)
        emitter.needs([rate])
        body.i32(0)
        emitter.push(rate)
        body.store_lane(self.layout.rate, 0)

    def spread(self) -> FunctionBuilder:
        """Broadcast each parameter to both lanes of a pair, as the passes read it."""
        body = FunctionBuilder()
        at, pair = body.local(I32), body.local(V128)
        with body.loop(at, 0, self.layout.parameter_bytes, 2 * NUMBER):
            body.get(at)
            body.load(self.layout.parameter)
            body.set(pair)
            self._spread_pair(body, at, pair)
        return body

    def _spread_pair(self, body: FunctionBuilder, at: int, pair: int) -> None:
        """Store two parameters, in the local `pair`, each in both lanes of a pair."""
        double = body.local(I32)
        body.get(at)
        body.i32(1)
        body.do("i32.shl")
        body.set(double)
        for lane in (0, 1):
            body.get(double)
            body.get(pair)
            body.get(pair)
            body.lanes(lane, lane)
            body.store(self.layout.spread + PAIR * lane)

    def update(self) -> FunctionBuilder:
        """Update all parameters by the optimizer's formulas and advance to the next batch."""
        body = FunctionBuilder()
        optimizer = OPTIMIZERS[self.shape.optimizer]
        scalars = self._before(body)
        graph = ExpressionGraph()
        leaves = self._settings(body, graph, ("momentum", "weight_decay"))
        leaves |= {graph.leaf(name): place for name, place in scalars.items()}
        at, place, moved = body.local(I32), *body.locals(V128, 2)
        leaves[graph.leaf("rate")] = place
        body.i32(0)
        body.splat(self.layout.rate)
        body.set(place)
        rows = {"p": self.layout.parameter, "g": self.layout.gradient, **self.layout.state}
        leaves |= {graph.leaf(name): body.local(V128) for name in rows}
        names = {
            name: graph.leaf(name) for name in (*rows, *scalars, "rate", "momentum", "weight_decay")
        }
        after = graph.block(optimizer.update, names)
        with body.loop(at, 0, self.layout.parameter_bytes, 2 * NUMBER):
            for name, address in rows.items():
                body.get(at)
                body.load(address)
                body.set(leaves[graph.leaf(name)])
            emitter = Emitter(body, graph, leaves, self.mathematics)
            emitter.needs([after[name] for name in rows])
            for name, address in rows.items():
                if name == "g":
                    address = self.layout.carried
                    if not self.carries:
                        continue
                body.get(at)
                emitter.push(after[name])
                if name == "p":
                    body.tee(moved)
                body.store(address)
            self._spread_pair(body, at, moved)
        self._advance(body)
        return body

    @property
    def carries(self) -> bool:
        """Whether gradients accumulate across steps (zero_grad=False)."""
        return self.shape.accumulate and not self.shape.zero_grad

    def _before(self, body: FunctionBuilder) -> dict[str, int]:
        """Advance the optimizer's scalars by one step; returns name → local."""
        optimizer = OPTIMIZERS[self.shape.optimizer]
        graph = ExpressionGraph()
        leaves, places = {}, {}
        for number, (name, _) in enumerate(optimizer.scalars):
            place = leaves[graph.leaf(name)] = body.local(V128)
            body.i32(0)
            body.splat(self.layout.SCALARS + NUMBER * number)
            body.set(place)
        names = {name: graph.leaf(name) for name, _ in optimizer.scalars}
        after = graph.block(optimizer.before, names)
        emitter = Emitter(body, graph, leaves, self.mathematics)
        emitter.needs([after[name] for name in names])
        for number, name in enumerate(names):
            places[name] = body.local(V128)
            body.i32(0)
            emitter.push(after[name])
            body.tee(places[name])
            body.store_lane(self.layout.SCALARS + NUMBER * number, 0)
        return places

    def _advance(self, body: FunctionBuilder) -> None:
        """Increment the step and move to the next batch, wrapping at the end of the epoch."""
        position = body.local(I32)
        self._count(body, self.layout.STEP)
        if not self.shape.minibatch:
            return
        self._position(body)
        body.plus(self.shape.batch)
        body.set(position)
        body.get(position)
        body.i32(self.shape.samples)
        body.do("i32.lt_u", "i32.eqz")
        with body.when():
            body.i32(0)
            body.set(position)
            self._count(body, self.layout.EPOCH)
        body.i32(0)
        body.get(position)
        body.store_i32(self.layout.POSITION)

    def _count(self, body: FunctionBuilder, address: int) -> None:
        body.i32(0)
        body.i32(0)
        body.load_i32(address)
        body.plus(1)
        body.store_i32(address)

    def train(
        self, look: int, update: int, test: int | None, penalty: int | None
    ) -> FunctionBuilder:
        """[steps]: train `steps` >= 1 steps and log loss and hits of each.

        `test` is the function that computes the test loss, if there is a test set, and `penalty`
        the one that adds the penalty, if there is one.
        """
        body = FunctionBuilder([I32])
        at, log = body.local(I32), body.local(I32)
        with body.loop_to(at, 0, 0, 1):
            body.call(look)
            body.i32(0)
            body.load_i32(self.layout.STEP)
            body.i32(LOGGED - 1)
            body.do("i32.and")
            body.i32(NUMBER)
            body.do("i32.mul")
            body.set(log)
            self._log(body, log, self.layout.loss_sum, self.layout.losses)
            self._log(body, log, self.layout.hit_sum, self.layout.hits)
            if test is not None:
                body.call(test)
                self._log(body, log, self.layout.loss_sum, self.layout.test_losses)
            if penalty is not None:
                body.i32(0)
                body.pair(0.0)
                body.store(self.layout.loss_sum)
                body.call(penalty)
                self._log(body, log, self.layout.loss_sum, self.layout.penalties)
            body.call(update)
        return body

    def _log(self, body: FunctionBuilder, log: int, source: int, place: int) -> None:
        """Add the lanes of a sum and store it in a ring buffer at the offset in the local `log`."""
        pair = body.local(V128)
        body.i32(0)
        body.load(source)
        body.set(pair)
        body.get(log)
        add_lanes(body, pair, pair)
        body.store_lane(place, 0)

    def test(self, over_blocks: int) -> FunctionBuilder:
        """Accumulate the loss of the test set, without penalties, in the sums."""
        layout = self.layout
        body = FunctionBuilder()
        body.i32(layout.records["test"])
        body.i32(layout.identity)
        body.i32(layout.weights["test"])
        body.i32(layout.blocks_of(layout.counts["test"]))
        body.i32(0)
        body.call(over_blocks)
        return body
