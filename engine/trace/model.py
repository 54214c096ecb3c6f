"""The parts of a trace as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.by_hand.model import HandVerdict
from engine.program import Note, Span
from engine.reverse import Contribution
from engine.verdict.model import Mistake, Running, Verdict

from .array_trace import ArrayTrace


class Node(NamedTuple):
    """One Value of the graph; `grad` is None for constants and what is computed from them alone.

    `label` is the program's name for it, possibly empty; `name` is always suitable for sentences.
    `span` is what computed it; of a method of the program's own class, `caller` is the expression
    outside of the class that called for it.
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
    caller: Span | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A call, a loop, a turn of a loop, a formula or an array, drawn as one box while it is closed.

    An array has a `shape` and in row-major order its `cells`: the ids of their Values, None for
    what the output does not depend on. `op` is the operation that computed them, empty for leaves.
    `expands` is the id of the Value whose op is open, if the group is its expansion.
    """

    id: str
    parent: str | None
    kind: str
    title: str
    shape: tuple[int, ...] = ()
    cells: tuple[str | None, ...] = ()
    op: str = ""
    expands: str = ""


class WrittenGradient(NamedTuple):
    """A gradient that the program itself set, at a place of its text; `adds` for `+=`.

    `due` is the gradient that the write should have left, None where that is unknown; `right` says
    whether it did. `running` is the function that wrote. As a contribution, `amount` came from the
    operation that computed the node `user`, and `arithmetic` is how, in the words of the line.
    """

    before: float
    after: float
    span: Span
    adds: bool = False
    due: float | None = None
    right: bool | None = None
    running: Running | None = None
    user: str | None = None
    amount: float | None = None
    arithmetic: str = ""


class Listed(NamedTuple):
    """A scene of the run: a moment that can be drawn. Ids count from 1."""

    id: int
    kind: str
    span: Span
    title: str
    data: float | None
    """The output's number in it; None if the output is not a number."""


class Frame(NamedTuple):
    """One step of the trace. The first frame has `given`, the first backward frame has `seed`.

    `before` is the output's gradient before the seed is added, nonzero only for a leaf tensor.
    `leftovers` are the Values for which the rules of micrograd and PyTorch differ in this frame.
    `written` is the gradient of `node` that the program wrote, in place of a contribution.
    """

    pass_: str
    node: str
    data: float
    given: tuple[str, ...] = ()
    contributions: tuple[Contribution[str], ...] = ()
    seed: float | None = None
    before: float = 0.0
    leftovers: tuple[Leftover, ...] = ()
    written: WrittenGradient | None = None

    @property
    def after(self) -> float:
        """The output's gradient after the seed is added."""
        return self.before + (self.seed or 0.0)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A non-finite number: the first node responsible, and the reason."""

    node: str | None
    message: str


class FrameChanges(NamedTuple):
    """The changes of one frame. `numbers` are data in forward frames, gradients in backward ones.

    In a frame of an op, `sources` are the Values that the numbers come from and `slots` the op's
    args that they flow through; otherwise `slots` is None.
    """

    numbers: Mapping[str, float]
    sources: tuple[str, ...] = ()
    slots: tuple[int, ...] | None = None


class Leftover(NamedTuple):
    """A Value that entered the pass with the gradient `held`, which the rules treat differently.

    Belongs to the frame of the Value's first contribution.
    """

    node: str
    held: float
    is_output: bool


class Border(NamedTuple):
    """What the Value `to` receives through an expansion, and by the op as the program has it."""

    to: str
    through: float
    by: float


class Opened(NamedTuple):
    """An op that is open: the Value, the op and its expansion, the group of the Values inside.

    `through` is the result of the expansion, `by` that of the op, which the Value keeps.
    """

    node: str
    op: str
    text: str
    group: str
    through: float
    by: float
    borders: tuple[Border, ...]


class KeptClosed(NamedTuple):
    """An op that was to be opened and stays closed, and why."""

    node: str
    message: str


class BrokenGradients(NamedTuple):
    """The wrong gradients after a pass with a broken rule, by id; `first` in the order of the pass.

    Without a difference there are none.
    """

    grads: Mapping[str, float]
    first: str | None


@dataclass(frozen=True, slots=True)
class TraceData:
    """A program's graph with both passes, frame by frame; `rule` is one of `rules.RULES`.

    A program that computes nothing to draw has no output, no nodes and no frames.
    """

    program: str
    output: str | None
    nodes: tuple[Node, ...]
    frames: tuple[Frame, ...]
    groups: tuple[Group, ...]
    printed: tuple[str, ...]
    warnings: tuple[Alarm, ...]
    notes: tuple[Note, ...]
    changes: tuple[FrameChanges, ...]
    """What each of the frames changes."""
    rule: str
    remarks: Mapping[int, tuple[str, ...]]
    """By frame: what is said of the Values on which the rules for gradients differ in it."""
    stale: frozenset[str]
    """The ids of Values whose data no longer follows from their op and the data of their args."""
    scenes: tuple[Listed, ...] = ()
    scene: int | None = None
    """The id of the scene drawn; None for a program without one."""
    charts: tuple[Any, ...] = ()
    """What the program plotted."""
    true_grads: Mapping[str, float | None] = field(default_factory=dict)
    """The derivative of the output by each node, by id; None where it is unknown."""
    verdict: Verdict | None = None
    """What is said of the gradients that the program itself wrote."""
    single: frozenset[str] = frozenset()
    """The ids of 32-bit tensors, whose numbers and gradients are rounded."""
    opened: tuple[Opened, ...] = ()
    """The operations that are open, by `engine.trace.expand`."""
    kept_closed: tuple[KeptClosed, ...] = ()
    stopped: Note | None = None
    """Why the run was stopped before its end; the first of the notes, too. None for most."""
    arrays: ArrayTrace | None = None
    """The graph of whole arrays, if the program computed with them."""
    by_hand: HandVerdict | None = None
    """What is said of gradients of whole arrays that the program itself computed."""
    broken: BrokenGradients | None = None
    """The gradients after the pass with a rule broken on purpose; None if none is."""

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The causes of wrong gradients, the first one first."""
        return self.verdict.mistakes if self.verdict else ()
