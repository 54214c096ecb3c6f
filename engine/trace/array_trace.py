"""A run's operations on whole arrays as nodes and frames: one operation is one frame each way.

With L the loss, the forward frame of y = f(x₁, …, xₖ) computes y, and its backward frame sends
∂L/∂y · ∂y/∂xᵢ to each argument. Where xᵢ was broadcast, what it receives is summed over the axes
along which it was repeated, which the contribution names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import named_gradients as names
from engine.array_ops.flat import Flat, broadcast_axes
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.pointwise import Pointwise
from engine.by_hand.truth import ArrayTruth, ancestors, flat, truth
from engine.parser_lock import Span
from engine.program import RecordedRun
from engine.record.array_model import ArrayNode, ArrayRecord
from engine.record.model import Scope

DRAWN = 2_000
"""Arrays that a trace follows; more than a picture has room for are drawn as boxes."""


class TracedArray(NamedTuple):
    """An array of the graph; `grad` is None where no gradient reaches it or none is known.

    `name` is the program's for it, else its text. `op` is None for a leaf.
    """

    id: str
    name: str
    is_named: bool
    op: str | None
    args: tuple[str, ...]
    params: Mapping[str, Any]
    data: Flat
    dtype: str
    grad: Flat | None
    span: Span
    is_constant: bool
    scope: Scope | None = None
    above: tuple[str, ...] | None = None
    """The cards that its edges come from, where these are not its arguments."""
    members: int = 0
    """Of a closed box, how many operations are in it."""

    @property
    def drawn_args(self) -> tuple[str, ...]:
        return self.args if self.above is None else self.above


class ArrayContribution(NamedTuple):
    """What argument `slot` receives; `summed` are the axes of the result that were summed over."""

    to: str
    slot: int
    amount: Flat
    summed: tuple[int, ...]
    is_last: bool
    """Whether the gradient of the argument is complete with it."""


class ArrayFrame(NamedTuple):
    """One step: of a forward pass a result, of a backward pass what its arguments receive.

    The first frame is that of the leaves, `node` is empty there; the first backward frame is the
    seed, the gradient 1 of the loss.
    """

    pass_: str
    node: str
    contributions: tuple[ArrayContribution, ...] = ()


@dataclass(frozen=True, slots=True)
class ArrayTrace:
    """The arrays that a loss was computed from, in order, and the frames of both passes."""

    nodes: tuple[TracedArray, ...]
    frames: tuple[ArrayFrame, ...]
    output: str
    left_out: int = 0
    """Arrays that are too many to be drawn."""
    is_whole: bool = True
    """Whether the run computed no more than is kept."""


def array_trace(run: RecordedRun) -> ArrayTrace | None:
    """The graph of the arrays of a run; None if it computed with none."""
    record: ArrayRecord | None = run.array_record
    if record is None:
        return None
    loss = _passed(run, record) if run.scene is not None else _output(record)
    if loss is None:
        return None if record.is_whole else ArrayTrace((), (), "", is_whole=False)
    order = ancestors(record.nodes, loss)
    if len(order) > DRAWN:
        return ArrayTrace((), (), f"a{loss}", len(order))
    is_number = len(record.nodes[loss].data) == 1
    found = truth(record.nodes, loss) if is_number else None
    nodes = tuple([_traced(run, record, at, found) for at in order])
    return ArrayTrace(nodes, tuple(_frames(record, order, found)), f"a{loss}", 0, record.is_whole)


def _passed(run: RecordedRun, record: ArrayRecord) -> int | None:
    """The loss of the pass that is the scene; None if the scene is that of other numbers."""
    wanted = run.scene.id if run.scene is not None else 0
    found = (it.of for it in record.passes if it.scene == wanted)
    return next(found, None) if run.stage is None else None


def _output(record: ArrayRecord) -> int | None:
    """The number that is called a loss, else the last array."""
    nodes = record.nodes
    named = [it for it in record.names if len(nodes[it.of].data) == 1 and nodes[it.of].args]
    called = [it for it in named if names.loss_rank(it.name)]
    if called:
        best = max(names.loss_rank(it.name) for it in called)
        return min(it.of for it in called if names.loss_rank(it.name) == best)
    computed = [at for at, node in enumerate(nodes) if node.args]
    return max(computed, key=lambda at: (len(ancestors(nodes, at)), at), default=None)


def _traced(
    run: RecordedRun, record: ArrayRecord, at: int, found: ArrayTruth | None
) -> TracedArray:
    node = record.nodes[at]
    name = next((it.shown for it in record.names if it.of == at), "")
    text = run.source.text_of(_expression(record.nodes, at), 48)
    constant = f"{node.data[0]:g}" if node.is_constant and len(node.data) == 1 else text
    return TracedArray(
        f"a{at}",
        name or constant,
        bool(name),
        node.op,
        tuple([f"a{arg}" for arg in node.args]),
        node.params,
        flat(node),
        node.dtype,
        found.gradients[at] if found and _has_gradient(record.nodes, at, found) else None,
        run.source.span(node.node),
        node.is_constant,
        node.scope,
    )


def _expression(nodes: Sequence[ArrayNode], at: int) -> ast.AST:
    """The expression of an array: of one first seen as an operand, such as a loop's variable, that
    operand.
    """
    node = nodes[at]
    if node.op is not None or node.is_constant:
        return node.node
    user = next((it for it in nodes[at + 1 :] if at in it.args), None)
    match user.node if user is not None and user.node is node.node else None:
        case ast.BinOp(left=left, right=right) if user is not None:
            return left if user.args[0] == at else right
        case ast.Call(args=[ast.expr() as first, *_]):
            return first
    return node.node


def _has_gradient(nodes: Sequence[ArrayNode], at: int, found: ArrayTruth) -> bool:
    """Whether the gradient of an array is known, and the program's own pass computes it."""
    is_recorded = not nodes[found.loss].is_fixed
    return at in found.gradients and not (is_recorded and nodes[at].is_fixed)


def _frames(
    record: ArrayRecord, order: Sequence[int], found: ArrayTruth | None
) -> Iterator[ArrayFrame]:
    nodes = record.nodes
    yield ArrayFrame("forward", "")
    for at in order:
        if nodes[at].op is not None:
            yield ArrayFrame("forward", f"a{at}")
    if found is None:
        return
    yield ArrayFrame("backward", f"a{found.loss}")
    sent = {(use.user, use.slot): use.amount for uses in found.uses.values() for use in uses}
    left = {at: len(uses) for at, uses in found.uses.items()}
    for at in reversed(order):
        contributions = tuple(_contributions(nodes, at, found, sent, left))
        if contributions:
            yield ArrayFrame("backward", f"a{at}", contributions)


def _contributions(
    nodes: Sequence[ArrayNode],
    at: int,
    found: ArrayTruth,
    sent: dict[tuple[int, int], Flat],
    left: dict[int, int],
) -> Iterator[ArrayContribution]:
    node = nodes[at]
    for slot, arg in enumerate(node.args):
        amount = sent.get((at, slot))
        if amount is None:
            continue
        left[arg] -= 1
        if not nodes[arg].is_constant and _has_gradient(nodes, arg, found):
            summed = summed_axes(node.op or "", nodes[arg].shape, node.shape)
            yield ArrayContribution(f"a{arg}", slot, amount, summed, left[arg] == 0)


def summed_axes(op: str, shape: tuple[int, ...], wide: tuple[int, ...]) -> tuple[int, ...]:
    """The axes of an elementwise result along which an argument was repeated."""
    entry = ARRAY_OPS.get(op)
    of = getattr(entry.forward, "__self__", None) if entry is not None else None
    if len(shape) > len(wide) or not (isinstance(of, Pointwise) or op == "where"):
        return ()
    return broadcast_axes(shape, wide)
