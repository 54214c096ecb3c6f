"""The output of a graph and its gradients, as a function of some of its leaves.

The graph is that of the trace: conditions of the program stay decided as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.ops import OPS
from engine.trace.replay import Replay
from engine.trace.traced import Trace


class Gradients:
    """Reverse accumulation over a trace with leaves moved."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.replay = trace, Replay(trace.nodes)
        self.output = self.replay.index[trace.drawn]
        self.args = [[self.replay.index[arg] for arg in node.args] for node in trace.nodes]

    def at(self, moved: Mapping[str, float]) -> list[float]:
        """The derivative of the output by each Value, in the order of the trace."""
        return self._at(tuple(moved.items()))

    def of(self, leaf: str, moved: Mapping[str, float]) -> float:
        """The derivative of the output by one Value."""
        return self.at(moved)[self.replay.index[leaf]]

    @lru_cache(maxsize=8)  # noqa: B019  one object a request
    def _at(self, moved: Sequence[tuple[str, float]]) -> list[float]:
        return self._backward(self._forward(dict(moved)))

    def _forward(self, moved: Mapping[str, float]) -> list[float]:
        data = self.replay.data.copy()
        for leaf, x in moved.items():
            data[self.replay.index[leaf]] = x
        for i, node in enumerate(self.trace.nodes):
            if node.op is not None:
                compute, pick = self.replay.steps[i]
                data[i] = compute(*pick(data))
        return data

    def _backward(self, data: Sequence[float]) -> list[float]:
        found = [0.0] * len(data)
        found[self.output] = 1.0
        for i in range(self.output, -1, -1):
            op, upstream = self.trace.nodes[i].op, found[i]
            if op is None or upstream == 0.0:
                continue
            numbers = [data[arg] for arg in self.args[i]]
            for arg, derive in zip(self.args[i], OPS[op].derive, strict=True):
                found[arg] += upstream * derive(data[i], *numbers)
        return found
