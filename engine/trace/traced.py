"""The trace of a program: its data, the names of its Values, its JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import naming, trace_json
from .model import Node, TraceData


@dataclass(frozen=True, slots=True)
class Trace(TraceData):
    """A program's graph with both passes, frame by frame."""

    @property
    def drawn(self) -> str:
        """The id of the output of a trace that has a graph."""
        assert self.output is not None
        return self.output

    def names(self) -> dict[str, str]:
        """What each Value is called, by its id."""
        return {node.id: node.name for node in self.nodes}

    def unwritten(self) -> frozenset[str]:
        """The Values whose gradients the program never writes in its own pass, by id."""
        if all(frame.written is None for frame in self.frames):
            return frozenset()
        passed = zip(self.frames, self.changes, strict=True)
        reached = {key for frame, now in passed if frame.pass_ == "backward" for key in now.numbers}
        return frozenset(node.id for node in self.nodes if node.grad is not None) - reached

    def source(self, node: Node) -> str:
        """The text of the program that made `node`; its name if that is text of a method."""
        text = naming.source(node.span, self.program.split("\n"))
        return node.name if naming.is_of_method(text) else text

    def to_json(self) -> Any:
        """The trace as JSON values; nan, inf and -inf are those strings."""
        return json.loads(trace_json.write(self))
