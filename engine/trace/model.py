"""The trace as plain data, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.language.program import Note, Span
from engine.numbers import to_json

from . import naming
from .rules import Leftover, remarks


class Node(NamedTuple):
    """One Value of the graph; `grad` is None for constants, which receive no gradient.

    `label` is what the program calls it, if anything; `name` is what it can be called in words.
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
    """A call, a loop or one turn of a loop, whose Values can be drawn as one box."""

    id: str
    parent: str | None
    kind: str
    title: str


class Contribution(NamedTuple):
    """What the active Value gives to one of its args: amount = upstream × partial."""

    to: str
    slot: int
    partial: float
    upstream: float
    amount: float
    before: float
    after: float


class Frame(NamedTuple):
    """One picture of the trace. `given` is in the first frame, `seed` in the first backward one.

    `before` is the gradient of the output that the seed is added to: a leaf tensor may have one.
    `leftovers` are the Values on which the rules of micrograd and PyTorch differ in this frame.
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
        """The output's gradient with the seed, in the frame that gives it."""
        return self.before + (self.seed or 0.0)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A number that is not finite: the first node responsible, and why."""

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
    rule: str = "micrograd"

    def names(self) -> dict[str, str]:
        """What each Value is called, by its id."""
        return {node.id: node.name for node in self.nodes}

    def remarks(self, frame: Frame) -> tuple[str, ...]:
        """What is said of the Values in `frame` on which the rules for gradients differ."""
        return remarks(frame.leftovers, self.rule, self.names()) if frame.leftovers else ()

    def source(self, node: Node) -> str:
        """The text of the program that made `node`."""
        return naming.source(node.span, self.program.split("\n"))

    def to_json(self) -> dict[str, Any]:
        """The trace as JSON values; nan, inf and -inf are those strings."""
        return {
            "program": self.program,
            "output": self.output,
            "nodes": [_node_json(node) for node in self.nodes],
            "frames": [_frame_json(frame, self.remarks(frame)) for frame in self.frames],
            "groups": [
                {"id": g.id, "parent": g.parent, "kind": g.kind, "title": g.title}
                for g in self.groups
            ],
            "printed": list(self.printed),
            "warnings": [{"node": w.node, "message": w.message} for w in self.warnings],
            "notes": [{"message": n.message, "span": list(n.span)} for n in self.notes],
        }


def _node_json(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "label": node.label,
        "op": node.op,
        "args": list(node.args),
        "data": to_json(node.data),
        "grad": None if node.grad is None else to_json(node.grad),
        "span": list(node.span),
        "kind": node.kind,
        "key": node.key,
        "group": node.group,
        "name": node.name,
    }


def _frame_json(frame: Frame, remarks: tuple[str, ...]) -> dict[str, Any]:
    out: dict[str, Any] = {"pass": frame.pass_, "node": frame.node, "data": to_json(frame.data)}
    if frame.given:
        out["given"] = list(frame.given)
    if frame.seed is not None:
        out["seed"] = frame.seed
    if frame.before != 0:
        out["before"] = to_json(frame.before)
    if remarks:
        out["remarks"] = list(remarks)
    if frame.pass_ == "backward":
        out["contributions"] = [
            {
                "to": c.to,
                "slot": c.slot,
                "partial": to_json(c.partial),
                "upstream": to_json(c.upstream),
                "amount": to_json(c.amount),
                "before": to_json(c.before),
                "after": to_json(c.after),
            }
            for c in frame.contributions
        ]
    return out
