"""The context shared by all parts of a picture: frame, mode and names of Values.

The scene supplies each part's attributes: classes on the page, colours in a standalone picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.picture import inline_style
from app.picture.contributions import Contributions, contributions
from app.picture.frame_state import State, step_state
from app.picture.grains import FrameSpan
from app.picture.layout import Placement
from app.picture.quiz import Quiz
from app.picture.shapes import symbol
from app.picture.steps import clusters, folded
from engine.numbers import in_sentence
from engine.trace.model import Node
from engine.trace.traced import Trace

UNWRITTEN = "gradient never written by the program"
SPOKEN = 200  # limit of a label's characters in accessible names


@dataclass(frozen=True, slots=True)
class DrawnFrame:
    """A picture of `trace` at one frame; `page` is False for a standalone picture."""

    trace: Trace
    placement: Placement
    state: State
    nodes: dict[str, Node]
    names: dict[str, str]
    page: bool
    unwritten: frozenset[str]
    """The Values whose gradients the program never writes in the pass that is drawn."""
    step: FrameSpan
    contributions: Contributions | None = None
    """Those that edges show; None if they show none."""
    quiz: Quiz | None = None
    """The numbers that are fields to fill in; None outside of exercises."""

    @property
    def button(self) -> str:
        """The attributes of a box that can be opened; an exercise keeps its boxes as they are."""
        return "" if self.quiz else ' tabindex="0" role="button"'

    def card_role(self, node: str) -> str:
        """The attributes of a card: a picture to step to, or with a field a group around it."""
        if self.quiz is None:
            return ' tabindex="0" role="img"'
        return f' role="{"group" if self.quiz.has_input(node) else "img"}"'

    def part(self, role: str, look: str) -> str:
        """Attributes of the part `role` in a group with the classes `look`."""
        if self.page:
            return f' class="{role}"'
        return inline_style.attributes(f"{look} {self.state.direction}", role)

    def spoken_name(self, node: str) -> str:
        found, name = self.nodes[node], self.names[node]
        return name[:SPOKEN] or (symbol(found.op) if found.op else "unnamed")

    def description(self, node: str) -> str:
        """The accessible description of a Value: "a, leaf: data 2, gradient 6"."""
        now, found = self.state, self.nodes[node]
        kind = f", {found.kind}" if found.kind != "value" else ""
        name = self.spoken_name(node) if found.kind != "constant" else found.label[:SPOKEN]
        data = f"data {in_sentence(now.data[node])}" if node in now.data else "no data yet"
        if self.quiz and node not in now.data:
            data = "data to be found"
        words = f"{name}{kind}: {data}" if name else f"constant: {data}"
        if found.grad is None:
            return words
        if node in now.grads:
            due = f", which should be {in_sentence(now.due[node])}" if node in now.due else ""
            return f"{words}, gradient {in_sentence(now.grads[node])}{due}"
        if self.quiz and (node, "grad") in self.quiz.fields:
            return f"{words}, gradient to be found"
        return f"{words}, {UNWRITTEN if node in self.unwritten else 'no gradient yet'}"


def new_scene(
    trace: Trace,
    placement: Placement,
    at: int | FrameSpan | None,
    page: bool,
    amounts: bool = False,
    quiz: Quiz | None = None,
) -> DrawnFrame:
    """The scene of a frame or step; None is the last frame. `amounts`: edges show contributions.

    With a `quiz`, what it has as known and highlighted.
    """
    step = at if isinstance(at, FrameSpan) else _whole(trace, at)
    nodes = {node.id: node for node in trace.nodes}
    drawn = {box.of for box in placement.graph.boxes if box.kind == "value"}
    sections = placement.graph.sections
    for box in placement.graph.boxes:
        if box.kind == "array":
            drawn.update(filter(None, sections[box.of].cells))
        drawn.update(box.outputs)
    names = {key: _shown_name(nodes[key]) for key in drawn | {trace.drawn}}
    closed = folded(trace, clusters(placement.graph))
    now = quiz.state if quiz else step_state(trace, step, closed)
    shown = contributions(trace, closed) if amounts else None
    unwritten = frozenset[str]() if quiz else trace.unwritten()
    return DrawnFrame(trace, placement, now, nodes, names, page, unwritten, step, shown, quiz)


def _whole(trace: Trace, frame: int | None) -> FrameSpan:
    """A frame as a step, clamped to the range; None is the last frame."""
    last = len(trace.frames) - 1
    at = last if frame is None else max(0, min(frame, last))
    return FrameSpan(at, (at,))


def _shown_name(node: Node) -> str:
    """The name of a Value; empty for constants and unlabelled leaves."""
    return node.name if node.args or node.label else ""
