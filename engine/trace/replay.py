"""The graph of a trace as a function of any of its Values."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

from engine.formulas import Function
from engine.ops import OPS
from engine.real import same

from .model import Node


class Replay:
    """The graph of a trace as a function of one Value, with all that it does not reach fixed."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.index = {node.id: i for i, node in enumerate(nodes)}
        self.data = [node.data for node in nodes]
        self.steps: list[tuple[Function, Callable[[list[float]], Iterable[float]]]] = []
        """For each Value, its op's function and a getter of its args from a list like `data`."""
        self.users: list[list[int]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            args = [self.index[arg] for arg in node.args]
            compute = OPS[node.op].compute if node.op else float
            self.steps.append((compute, _picker(args)))
            for arg in set(args):
                self.users[arg].append(i)
        self.is_current = all(
            same(compute(*pick(self.data)), x)
            for (compute, pick), x, node in zip(self.steps, self.data, nodes, strict=True)
            if node.op
        )
        """Whether every number follows from its args; it does not if a leaf was changed later."""
        self.unknown = {i for i, node in enumerate(nodes) if node.args and not node.op}
        """The Values of which it is not known how they were computed."""

    def dependents(self, value: int) -> list[int]:
        """The Values that depend on `value`, in topological order."""
        found: set[int] = set()
        stack = [value]
        while stack:
            for user in self.users[stack.pop()]:
                if user not in found:
                    found.add(user)
                    stack.append(user)
        return sorted(found)

    def output(self, value: int, x: float, dependents: Iterable[int], output: int) -> float:
        """The output with the Value set to `x`."""
        return self.output_at({value: x}, dependents, output)

    def output_at(
        self, moved: Mapping[int, float], dependents: Iterable[int], output: int
    ) -> float:
        """The output with several Values set; `dependents` are those of all of them."""
        data = self.data.copy()
        for value, x in moved.items():
            data[value] = x
        for i in dependents:
            compute, pick = self.steps[i]
            data[i] = compute(*pick(data))
        return data[output]

    def exact(self) -> list[float]:
        """The numbers of all Values, computed from those without an op and not rounded between."""
        data = self.data.copy()
        for i, node in enumerate(self.nodes):
            if node.op:
                compute, pick = self.steps[i]
                data[i] = compute(*pick(data))
        return data

    def kink(self, dependents: Iterable[int]) -> str:
        """The op of the first of the Values that is at a kink of its op; "" if none is."""
        for i in dependents:
            op = self.nodes[i].op
            args = [self.data[self.index[arg]] for arg in self.nodes[i].args]
            if op and OPS[op].at_kink(*args):
                return op
        return ""

    def rounding(self, dependents: Iterable[int], slopes: Mapping[str, float]) -> float:
        """The rounding error of the output to first order, from that of each of the Values.

        A Value v is rounded by at most ε|v|, of which ∂f/∂v reaches the output (Higham, Accuracy
        and Stability of Numerical Algorithms, section 1.6). `slopes` are the ∂f/∂v by id.
        """
        terms = [slopes.get(self.nodes[i].id, 0.0) * self.data[i] for i in dependents]
        return math.fsum(sys.float_info.epsilon * abs(x) for x in terms if math.isfinite(x))


def _picker(places: list[int]) -> Callable[[list[float]], Iterable[float]]:
    """A function that selects the items at `places` from a list, as fast as possible."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))
