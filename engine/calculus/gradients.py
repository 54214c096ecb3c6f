"""The output of a graph and its gradients, as a function of some of its leaves.

The graph is that of the trace: conditions of the program stay decided as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.ops import OPS
from engine.reverse import UNKNOWN, sweep
from engine.trace.replay import Replay
from engine.trace.traced import Trace


class LeafGradients:
    """Reverse accumulation over a trace with leaves moved; keeps the gradients of `leaves`."""

    def __init__(self, trace: Trace, leaves: Sequence[str]) -> None:
        self.trace, self.replay = trace, Replay(trace.nodes)
        self.places = [self.replay.index[leaf] for leaf in leaves]
        self.known: dict[tuple[tuple[str, float], ...], tuple[float, ...]] = {}
        self.output = self.replay.index[trace.drawn]
        self.args = [[self.replay.index[arg] for arg in node.args] for node in trace.nodes]

    def at(self, moved: Mapping[str, float]) -> tuple[float, ...]:
        """The derivative of the output by each of the leaves."""
        key = tuple(moved.items())
        if key not in self.known:
            found = self._backward(self._forward(moved))
            self.known[key] = tuple(found.get(place, 0.0) for place in self.places)
        return self.known[key]

    def _forward(self, moved: Mapping[str, float]) -> list[float]:
        data = self.replay.data.copy()
        for leaf, x in moved.items():
            data[self.replay.index[leaf]] = x
        for i, node in enumerate(self.trace.nodes):
            if node.op is not None:
                compute, pick = self.replay.steps[i]
                data[i] = compute(*pick(data))
        return data

    def _backward(self, data: Sequence[float]) -> dict[int, float]:
        def partials(i: int) -> Iterable[tuple[int, float]]:
            op, args = self.trace.nodes[i].op, self.args[i]
            if op is None:
                return ()
            return zip(
                args, OPS[op].partials_at(data[i], *[data[arg] for arg in args]), strict=True
            )

        return sweep(range(self.output + 1), partials, {self.output: 1.0}, UNKNOWN)
