"""Backward passes with one rule broken on purpose: the gradients that a common mistake gives.

The graph, its numbers and the gradients before the pass are those of a trace; only the rule is
another one. Let g(u) be the gradient of a computed Value u at the moment when it passes on, and
∂u/∂xᵢ the partial for its argument in slot i. The right rule: the output's gradient is set to 1;
then each computed Value, users before arguments, adds g(u) · ∂u/∂xᵢ to the gradient of each xᵢ.

    assign        it is assigned, not added: of several contributions the last one stays, in the
                  order of the trace's frames, which is the reverse of that in the program
    depth_first   each computed Value once, in depth-first preorder: it passes on when it is first
                  reached, arguments by slot, though contributions to it may still be missing
    every_path    the naive recursion `pass on; for each distinct argument: recurse`: a Value passes
                  on all the gradient that it has by then, once for every path from the output
    no_zero       the program runs twice with the same numbers: leaves keep their gradients, the
                  Values computed anew start at 0
    twice         two passes over one graph: all gradients are kept but the output's, which is set
                  to 1; in PyTorch, only those of leaves are
    no_upstream   ∂u/∂xᵢ is added without the factor g(u)
    partial       the partial of one operation and slot is an expression of the visitor's

Gradients of 32-bit tensors are rounded as in `engine.value`. Where the program's own class computes
the gradients, the graph is that of its objects: the partial of one by another is that of the chain
rule through the numbers between them, and all gradients start at 0. That is done only where its
gradients are right; otherwise the verdict on its own mistakes comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import NamedTuple, TypeAlias

from engine.ops import OPS
from engine.real import as_single, same
from engine.reverse import ASSIGNED, NUMBERS, UNSCALED, Algebra, contributions, sweep

from . import slopes
from .model import Node
from .own_partial import ExpressionError, read_partial
from .traced import Trace

MOST_VISITS = 20_000
"""Visits of the recursion over every path, whose number may grow exponentially."""
ROUNDING, SINGLE_ROUNDING = 1e-12, 1e-5
"""Differences, relative to the sizes of the contributions, that the order of additions explains."""

BY_HAND = (
    "The gradients of this program are computed by its own code, and they are not those of one "
    "pass from zero by the rule. So no rule can be broken here; see the verdict on them first."
)
UNFOLLOWED = "Seegrad could not trace a number of this program, so its graph is not known in full."
NO_PASS = "The program has run no backward pass, so there is no rule to break yet."
TOO_MANY = f"The recursion would make more than {MOST_VISITS:,} visits in this graph."


class SwitchError(ValueError):
    """A switch that cannot be read, or not be thrown; the message is for the visitor."""


class RuleContribution(NamedTuple):
    """A contribution under some rule: from the op of `source`, in slot `slot`, in pass `turn`."""

    source: str
    slot: int
    partial: float
    upstream: float
    amount: float
    before: float
    after: float
    turn: int


@dataclass(frozen=True, slots=True)
class OwnPartial:
    """A visitor's partial for slot `slot` of the operation `op`."""

    op: str
    slot: int
    text: str
    function: Callable[..., float]

    @classmethod
    def read(cls, op: str, slot: str, text: str) -> OwnPartial:
        """Raises SwitchError."""
        if op not in OPS:
            raise SwitchError(f"There is no operation “{op[:20]}”.")
        slots = [str(at) for at in range(len(OPS[op].params))]
        if slot not in slots:
            raise SwitchError(f"{op} has no partial “{slot[:20]}”.")
        try:
            return cls(op, slots.index(slot), text.strip(), read_partial(text, OPS[op]))
        except ExpressionError as error:
            raise SwitchError(str(error)) from None


class BackwardPass:
    """The state of backward passes over the graph of `trace`, whose rule the methods decide.

    `grads` are the present gradients; `received` the contributions of each Value, in order.
    """

    def __init__(self, trace: Trace, own: OwnPartial | None = None) -> None:
        self.trace, self.own = trace, own
        self.nodes: Mapping[str, Node] = {node.id: node for node in trace.nodes}
        self.is_by_hand = slopes.is_by_hand(trace)
        self.computed = [node.id for node in trace.nodes if self._passes_on(node)]
        self.held = next((frame.before for frame in trace.frames if frame.seed is not None), 0.0)
        self.grads = _from_zero(trace) if self.is_by_hand else _before(trace, self.held)
        self.received: dict[str, list[RuleContribution]] = {}
        self.turn = 1
        self._uses: dict[str, list[tuple[str, float]]] = {}

    def start(self) -> None:
        """Seed the output: set its gradient to 1; in PyTorch a leaf's is added to."""
        output, is_first = self.trace.drawn, self.turn == 1
        before = self.held if is_first else self.grads.get(output, 0.0)
        adds = self.trace.rule == "pytorch" and not self.nodes[output].args
        self.grads[output] = before + 1.0 if is_first or adds else 1.0

    def again(self, *, keeps_interior: bool) -> None:
        """Start another pass; gradients of computed Values are kept only if `keeps_interior`."""
        self.turn += 1
        if not keeps_interior:
            self.grads |= {name: 0.0 for name in self.computed if name in self.grads}
        self.start()

    def sweep(self, order: Sequence[str], algebra: Algebra[float, float, float] = NUMBERS) -> None:
        """Pass the gradients on from the last of the Values `order` to the first."""
        sent = contributions(order, self.uses, self.grads, self.grads, algebra, self._rounded)
        for user, c in sent:
            self.received.setdefault(c.to, []).append(RuleContribution(user, *c[1:], self.turn))

    def uses(self, name: str) -> list[tuple[str, float]]:
        """The args of a Value by slot, each with its partial; none of a leaf."""
        if name not in self._uses:
            node = self.nodes[name]
            if node.op is None:
                self._uses[name] = []
            elif self.is_by_hand:
                self._uses[name] = self._between_objects(node)
            else:
                self._uses[name] = list(zip(node.args, self._partials(node), strict=True))
        return self._uses[name]

    def _passes_on(self, node: Node) -> bool:
        return node.op is not None and (node.grad is not None or not self.is_by_hand)

    def _partials(self, node: Node) -> list[float]:
        op = OPS[node.op or ""]
        numbers = [self._rounded(node.id, self.nodes[arg].data) for arg in node.args]
        found = op.partials_at(node.data, *numbers)
        if self.own is not None and self.own.op == op.name:
            found[self.own.slot] = self.own.function(node.data, *numbers)
        return found

    def _between_objects(self, node: Node) -> list[tuple[str, float]]:
        """The uses of objects by an object, through the numbers that belong to no object.

        An op on objects alone has them by slot; a formula has one for each object.
        """
        if all(self.nodes[arg].grad is not None for arg in node.args):
            return list(zip(node.args, self._partials(node), strict=True))

        def partials(name: str) -> Iterable[tuple[str, float]]:
            inner = self.nodes[name]
            return zip(inner.args, self._partials(inner), strict=True)

        found = sweep(self._inside(node), partials, {node.id: 1.0}, NUMBERS)
        del found[node.id]
        return [(arg, x) for arg, x in found.items() if self.nodes[arg].grad is not None]

    def _inside(self, node: Node) -> list[str]:
        """An object's number and those without an object that it comes from, args first."""
        seen, todo = {node.id}, [node]
        while todo:
            for arg in (self.nodes[name] for name in todo.pop().args):
                if arg.grad is None and arg.op is not None and arg.id not in seen:
                    seen.add(arg.id)
                    todo.append(arg)
        return [found.id for found in self.trace.nodes if found.id in seen]

    def _rounded(self, name: str, x: float) -> float:
        return as_single(x) if name in self.trace.single else x


def _before(trace: Trace, held: float) -> dict[str, float]:
    """The gradients before the pass, by id, of the Values that have one; `held` is the output's."""
    found = {node.id: node.grad for node in trace.nodes if node.grad is not None}
    first: dict[str, float] = {}
    for frame in trace.frames:
        for given in frame.contributions:
            first.setdefault(given.to, given.before)
    return found | first | {trace.drawn: held}


def _from_zero(trace: Trace) -> dict[str, float]:
    return {node.id: 0.0 for node in trace.nodes if node.grad is not None}


# Rules


def right(run: BackwardPass) -> None:
    """The right rule; `trace` shows its gradients."""
    run.start()
    run.sweep(run.computed)


def assign(run: BackwardPass) -> None:
    run.start()
    run.sweep(run.computed, ASSIGNED)


def depth_first(run: BackwardPass) -> None:
    run.start()
    todo, seen = [run.trace.drawn], dict[str, None]()
    while todo:
        name = todo.pop()
        if name in seen or not run.uses(name):
            continue
        seen[name] = None
        todo += reversed([arg for arg, _ in run.uses(name)])
    run.sweep([*reversed(seen)])


def every_path(run: BackwardPass) -> None:
    """Raises SwitchError if there are too many paths."""
    run.start()
    todo, visits = [run.trace.drawn], list[str]()
    while todo:
        name = todo.pop()
        if not run.uses(name):
            continue
        visits.append(name)
        if len(visits) > MOST_VISITS:
            raise SwitchError(TOO_MANY)
        todo += reversed(dict.fromkeys(arg for arg, _ in run.uses(name)))
    run.sweep(visits[::-1])


def no_zero(run: BackwardPass) -> None:
    right(run)
    run.again(keeps_interior=False)
    run.sweep(run.computed)


def twice(run: BackwardPass) -> None:
    right(run)
    run.again(keeps_interior=run.trace.rule != "pytorch")
    run.sweep(run.computed)


def no_upstream(run: BackwardPass) -> None:
    run.start()
    run.sweep(run.computed, UNSCALED)


Rule: TypeAlias = Callable[[BackwardPass], None]


# Right and wrong


@dataclass(frozen=True, slots=True)
class Broken:
    """The gradients under a broken rule beside the right ones.

    `wrong` and `right` are by id, of all Values that have a gradient. `differing` are those whose
    gradients differ by more than rounding, in the order in which the right pass completes them.
    `own` is the visitor's partial, if it is part of the rule.
    """

    own: OwnPartial | None
    trace: Trace
    wrong: Mapping[str, float]
    right: Mapping[str, float]
    differing: tuple[str, ...]
    given_wrong: Mapping[str, list[RuleContribution]]
    given_right: Mapping[str, list[RuleContribution]]

    @property
    def first(self) -> str | None:
        """The first wrong Value in the order of the pass."""
        return self.differing[0] if self.differing else None


def compared(trace: Trace, rule: Rule, own: OwnPartial | None = None) -> Broken:
    """The gradients of `rule` on the graph of `trace`. Raises SwitchError if it has no pass."""
    if all(frame.pass_ != "backward" for frame in trace.frames):
        raise SwitchError(NO_PASS)
    good, bad = BackwardPass(trace), BackwardPass(trace, own)
    if good.is_by_hand and any(node.args and node.op is None for node in trace.nodes):
        raise SwitchError(UNFOLLOWED)
    right(good)
    if good.is_by_hand and not _is_of_one_pass(trace, good):
        raise SwitchError(BY_HAND)
    rule(bad)
    order = _completed(good)
    tolerance = SINGLE_ROUNDING if trace.single else ROUNDING
    differing = tuple([name for name in order if not _is_same(name, good, bad, tolerance)])
    return Broken(own, trace, bad.grads, good.grads, differing, bad.received, good.received)


def _is_of_one_pass(trace: Trace, good: BackwardPass) -> bool:
    """Whether the gradients that the program itself computed are those of the rule."""
    own = {node.id: node.grad for node in trace.nodes if node.grad is not None}
    return trace.drawn in own and all(
        same(x, good.grads[name]) or isclose(x, good.grads[name], rel_tol=1e-9, abs_tol=1e-12)
        for name, x in own.items()
    )


def _completed(run: BackwardPass) -> list[str]:
    """The Values with a gradient in the order in which their last contributions arrive."""
    place = {name: at for at, name in enumerate(reversed(run.computed))}
    last = {name: given[-1] for name, given in run.received.items()}
    reached = sorted(last, key=lambda name: (place[last[name].source], last[name].slot))
    return list(dict.fromkeys((run.trace.drawn, *reached, *run.grads)))


def _is_same(name: str, good: BackwardPass, bad: BackwardPass, tolerance: float) -> bool:
    one, other = good.grads[name], bad.grads[name]
    if same(one, other):
        return True
    size = sum(abs(given.amount) for given in good.received.get(name, ()))
    return isclose(one, other, rel_tol=tolerance, abs_tol=tolerance * size)
