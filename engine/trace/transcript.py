"""The transcript of a trace: every frame as sentences with full numbers.

A text equivalent of the picture, for screen readers, search and quotation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.numbers import full
from engine.reverse import Contribution

from . import naming
from .model import Frame, Node, WrittenGradient
from .traced import Trace

STALE = "which does not follow from the present numbers of its inputs"


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """The transcript of one frame."""

    text: str
    pass_: str
    frame: int


def transcript(trace: Trace) -> list[TranscriptLine]:
    """The transcript of every frame of `trace`, in order."""
    narrator = _Narrator(trace)
    return [
        TranscriptLine(
            " ".join((narrator.narrate(frame), *trace.remarks.get(i, ()))), frame.pass_, i
        )
        for i, frame in enumerate(trace.frames)
    ]


class _Narrator:
    def __init__(self, trace: Trace) -> None:
        self.nodes = {node.id: node for node in trace.nodes}
        self.stale = trace.stale
        self.lines = trace.program.split("\n")

    def narrate(self, frame: Frame) -> str:
        node = self.nodes[frame.node]
        if frame.given:
            return f"Given: {', '.join(self._given(frame))}."
        if frame.seed is not None:
            return f"{self._seed(frame, frame.seed)}."
        if frame.written is not None:
            return f"{self._written_by_hand(node, frame.written)}."
        if frame.pass_ == "forward":
            return f"Forward: {self._forward(node)}."
        parts = [self._contribution(c) for c in frame.contributions]
        return f"Backward through {self._call(node)}: {'; '.join(parts) or 'constants only'}."

    def _seed(self, frame: Frame, seed: float) -> str:
        name = self.nodes[frame.node].name
        text = (
            "Backward starts at the output: the derivative of "
            f"{name} with respect to itself is {full(seed)}"
        )
        if frame.before == 0:
            return text
        return f"{text}, in total {full(frame.before)} + {full(seed)} = {full(frame.after)}"

    def _written_by_hand(self, node: Node, written: WrittenGradient) -> str:
        """The gradient that a line of the program sets, and the line."""
        at, verb = written.span[0], "adds to" if written.adds else "sets"
        change = f"{full(written.before)} → {full(written.after)}"
        text = naming.statement(written.span, self.lines)
        return f"Line {at} {verb} the gradient of {node.name}: {change}, by {text}"

    def _given(self, frame: Frame) -> Iterator[str]:
        for name in frame.given:
            node = self.nodes[name]
            label = f"{node.label} = " if node.label else "the constant "
            yield f"{label}{full(node.data)}"

    def _forward(self, node: Node) -> str:
        if node.op is None:
            names = ", ".join(self.nodes[arg].name for arg in node.args)
            return f"{node.name} is {full(node.data)}, which the program computed from {names}"
        numbers = [full(self.nodes[arg].data) for arg in node.args]
        label = f"{node.label} = " if node.label else ""
        if node.id in self.stale:
            return f"{label}{self._call(node)} is {full(node.data)}, {STALE}"
        return f"{label}{self._call(node)} = {self._written(node, numbers)} = {full(node.data)}"

    def _call(self, node: Node) -> str:
        return self._written(node, [self.nodes[arg].name for arg in node.args])

    @staticmethod
    def _written(node: Node, args: list[str]) -> str:
        assert node.op is not None
        return naming.written(node.op, args, spaced=True)

    def _contribution(self, c: Contribution[str]) -> str:
        product = f"{full(c.upstream)} × {full(c.partial)} = {full(c.amount)}"
        text = f"{self.nodes[c.to].name} receives {product}"
        if c.before != 0 or c.before != c.before:
            return f"{text}, in total {full(c.before)} + {full(c.amount)} = {full(c.after)}"
        return text
