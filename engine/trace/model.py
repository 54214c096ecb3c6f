"""The trace as plain data, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.language.program import Note, Span

from . import naming, trace_json
from .changes import Changes
from .rules import Leftover


class Node(NamedTuple):
    """One Value of the graph; `grad` is None for constants and what is computed from them alone.

    `label` is the program's name for it, possibly empty; `name` is always suitable for sentences.
    """

    id: str
    label: str
    op: str | None
    args: tuple[str, ...]
    data: float
    grad: float | None
    span: Span
    kind: str
    key: str | None
    group: str | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A call, a loop or a loop iteration, whose Values can be drawn as one box."""

    id: str
    parent: str | None
    kind: str
    title: str


class Contribution(NamedTuple):
    """The active Value's contribution to one of its args: amount = upstream × partial."""

    to: str
    slot: int
    partial: float
    upstream: float
    amount: float
    before: float
    after: float


class Frame(NamedTuple):
    """One step of the trace. The first frame has `given`, the first backward frame has `seed`.

    `before` is the output's gradient before the seed is added, nonzero only for a leaf tensor.
    `leftovers` are the Values for which the rules of micrograd and PyTorch differ in this frame.
    """

    pass_: str
    node: str
    data: float
    given: tuple[str, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    seed: float | None = None
    before: float = 0.0
    leftovers: tuple[Leftover, ...] = ()

    @property
    def after(self) -> float:
        """The output's gradient after the seed is added."""
        return self.before + (self.seed or 0.0)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A non-finite number: the first node responsible, and the reason."""

    node: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A program's graph with both passes, frame by frame; `rule` is one of `rules.RULES`."""

    program: str
    output: str
    nodes: tuple[Node, ...]
    frames: tuple[Frame, ...]
    groups: tuple[Group, ...]
    printed: tuple[str, ...]
    warnings: tuple[Alarm, ...]
    notes: tuple[Note, ...]
    changes: tuple[Changes, ...]
    """What each of the frames changes."""
    rule: str
    remarks: Mapping[int, tuple[str, ...]]
    """By frame: what is said of the Values on which the rules for gradients differ in it."""

    def names(self) -> dict[str, str]:
        """What each Value is called, by its id."""
        return {node.id: node.name for node in self.nodes}

    def source(self, node: Node) -> str:
        """The text of the program that made `node`."""
        return naming.source(node.span, self.program.split("\n"))

    def to_json(self) -> Any:
        """The trace as JSON values; nan, inf and -inf are those strings."""
        return json.loads(trace_json.write(self))
