"""A trace in words: every frame as one or more sentences with full numbers.

The transcript says everything that the picture says, for those who cannot see it, and for search
and quotation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .numbers import full
from .ops import OPS
from .trace import Contribution, Frame, Node, Trace


@dataclass(frozen=True, slots=True)
class Line:
    """What one frame says."""

    text: str
    pass_: str
    frame: int


def transcript(trace: Trace) -> list[Line]:
    """Every frame of `trace` in order, in words."""
    told = _Teller(trace)
    return [Line(told.tell(frame), frame.pass_, i) for i, frame in enumerate(trace.frames)]


class _Teller:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.name = trace.names()
        self.nodes = {node.id: node for node in trace.nodes}

    def tell(self, frame: Frame) -> str:
        node = self.nodes[frame.node]
        if frame.given:
            return f"Given: {', '.join(self._given(frame))}."
        if frame.seed is not None:
            return self._seed(node)
        if frame.pass_ == "forward":
            return f"{self._forward(node)}."
        parts = [self._contribution(node, c) for c in frame.contributions]
        return (
            f"Back through {node.op} in {self._call(node)}: {'; '.join(parts) or 'only constants'}."
        )

    def _given(self, frame: Frame) -> Iterator[str]:
        for name in frame.given:
            node = self.nodes[name]
            yield (
                f"{node.label} = {full(node.data)}"
                if node.label
                else f"the constant {full(node.data)}"
            )

    def _seed(self, node: Node) -> str:
        name = self.name[node.id]
        return f"Backward starts at the output: the gradient of {name} by itself is 1.0."

    def _forward(self, node: Node) -> str:
        numbers = _written(node, [full(self.nodes[arg].data) for arg in node.args])
        call = self._call(node)
        label = f"{node.label} = " if node.label else ""
        return f"{label}{call} = {numbers} = {full(node.data)}"

    def _call(self, node: Node) -> str:
        return _written(node, [self.name[arg] for arg in node.args])

    def _contribution(self, node: Node, c: Contribution) -> str:
        product = f"{full(c.upstream)} × {full(c.partial)} = {full(c.amount)}"
        text = f"{self.name[c.to]} receives {product}"
        if c.before != 0 or c.before != c.before:
            return f"{text}, in sum {full(c.before)} + {full(c.amount)} = {full(c.after)}"
        return text


def _written(node: Node, args: list[str]) -> str:
    assert node.op is not None
    op = OPS[node.op]
    if op.is_word:
        return f"{op.name}({', '.join(args)})"
    if len(args) == 1:
        return f"−({args[0]})"
    return f" {op.symbol} ".join(args)
