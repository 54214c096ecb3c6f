"""One operation opened into the steps of its expansion: the Values inside, and their frames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from engine.expansions import CONSTANT, INPUT, AppliedOp, Ref, expansion_of, steps
from engine.numbers import full, spoken
from engine.ops import OPS
from engine.real import as_single, same
from engine.reverse import Contribution, contributions

from . import naming, slopes
from .model import Border, Frame, Node
from .traced import Trace

CLOSE, CLOSE_SINGLE = 1e-6, 1e-4
"""Relative differences up to which the numbers of an expansion count as those of the op."""
TINY, TINY_SINGLE = 1e-12, 1e-6
"""The same for gradients, relative to that of the Value: near saturation both forms cancel."""
INNER = "x"
"""Between the id of a Value and the number of a step inside it."""


class NotOpenedError(Exception):
    """An expansion that would give other numbers than the program; the message is for visitors."""


def text_of(node: Node, by_id: Mapping[str, Node]) -> str:
    """The expansion of the op of `node`, which depends on whether its last input is a constant."""
    if node.op is None:
        return ""
    last = by_id[node.args[-1]]
    is_constant = last.grad is None and not last.args
    return expansion_of(OPS[node.op], last.data if is_constant else None)


class Expansion:
    """The op of `node` as the steps of its expansion. Raises NotOpenedError.

    `inner` are the Values of all steps but the last, whose result is `node` itself, after their
    `constants`; `frames` the backward frames in place of the op's own.
    """

    def __init__(self, trace: Trace, node: Node, by_id: Mapping[str, Node]) -> None:
        self.trace, self.node = trace, node
        self.op = OPS[node.op or ""]
        self.args = [by_id[arg] for arg in node.args]
        self.text = text_of(node, by_id)
        self.steps = steps(self.text, self.op.params)
        self.group = f"expand-{node.id}"
        self._refuse_foreign()
        self.constants = self._constants()
        self.inner = self._inner()
        self.through = self._result()
        self.borders: tuple[Border, ...] = ()
        self.frames: list[Frame] = []
        if self.own is not None:
            self.frames = self._backward(self.own.contributions)

    @property
    def own(self) -> Frame | None:
        """The frame in which the op of the program passes its gradient on."""
        frames = (f for f in self.trace.frames if f.node == self.node.id and f.contributions)
        return next(frames, None)

    @property
    def result(self) -> Node:
        """The Value with the last step in place of its op."""
        last = self.steps[-1]
        return self.node._replace(op=last.op, args=self._ids(last), group=self.group)

    def _refuse_foreign(self) -> None:
        """Refuse an op whose numbers or gradients the program set in a way of its own."""
        if self.node.id in self.trace.stale:
            raise NotOpenedError(
                f"{self.node.name} stays closed: its data was set after it was computed."
            )
        if slopes.is_by_hand(self.trace) and self.own is not None:
            raise NotOpenedError(
                f"{self.node.name} stays closed: the program itself calls its _backward()."
            )

    # Forward

    def _constants(self) -> dict[float, Node]:
        """The constants of the steps as Values, by their numbers."""
        refs = (ref for step in self.steps for ref in step.args if ref.kind == CONSTANT)
        numbers = dict.fromkeys(self._rounded(ref.of) for ref in refs)
        return {
            x: self._node(f"c{count}", None, (), x, "constant", spoken(x))
            for count, x in enumerate(numbers, 1)
        }

    def _inner(self) -> list[Node]:
        found: list[Node] = []
        for count, step in enumerate(self.steps[:-1], 1):
            x, name = self._computed(step, found), naming.cut(self._name(step))
            self._refuse_overflow(name, x)
            found.append(self._node(str(count), step.op, self._ids(step), x, "value", name))
        return found

    def _result(self) -> float:
        """The number of the last step, which is close to that of the op."""
        x = self._computed(self.steps[-1], self.inner)
        if not self._is_close(x, self.node.data):
            self._refuse_number(self._name(self.steps[-1]), x)
        return x

    def _node(
        self, number: str, op: str | None, args: tuple[str, ...], x: float, kind: str, name: str
    ) -> Node:
        identity, span = f"{self.node.id}{INNER}{number}", self.node.span
        return Node(identity, "", op, args, x, None, span, kind, None, self.group, None, name)

    def _computed(self, step: AppliedOp, inner: Sequence[Node]) -> float:
        numbers = [
            ref.of
            if ref.kind == CONSTANT
            else (self.args if ref.kind == INPUT else inner)[int(ref.of)].data
            for ref in step.args
        ]
        return self._rounded(OPS[step.op].compute(*map(self._rounded, numbers)))

    def _refuse_overflow(self, name: str, x: float) -> None:
        if not math.isfinite(x) and math.isfinite(self.node.data):
            self._refuse_number(name, x)

    def _refuse_number(self, what: str, x: float) -> None:
        raise NotOpenedError(
            f"{self._called} stays closed: {naming.cut(what)} is {full(x)} here, while "
            f"{self.op.name} itself gives {full(self.node.data)}. Libraries compute it by another "
            "formula, which is accurate at these numbers too."
        )

    @property
    def _called(self) -> str:
        return naming.written(self.op.name, [arg.name for arg in self.args], spaced=True)

    def _ids(self, step: AppliedOp) -> tuple[str, ...]:
        return tuple([self._id(ref) for ref in step.args])

    def _id(self, ref: Ref) -> str:
        if ref.kind == INPUT:
            return self.args[int(ref.of)].id
        if ref.kind == CONSTANT:
            return self.constants[self._rounded(ref.of)].id
        return f"{self.node.id}{INNER}{int(ref.of) + 1}"

    def _name(self, step: AppliedOp) -> str:
        return naming.written(step.op, [self._name_of(ref) for ref in step.args])

    def _name_of(self, ref: Ref) -> str:
        if ref.kind == INPUT:
            return self.args[int(ref.of)].name
        return spoken(ref.of) if ref.kind == CONSTANT else self._name(self.steps[int(ref.of)])

    def _rounded(self, x: float) -> float:
        return as_single(x) if self.node.id in self.trace.single else x

    def _is_close(self, one: float, other: float, upstream: float = 0.0) -> bool:
        """Whether two numbers differ by rounding alone; gradients have the Value's `upstream`."""
        is_single = self.node.id in self.trace.single
        close, tiny = (CLOSE_SINGLE, TINY_SINGLE) if is_single else (CLOSE, TINY)
        return same(one, other) or math.isclose(
            one, other, rel_tol=close, abs_tol=tiny * abs(upstream)
        )

    # Backward

    def _backward(self, own: Sequence[Contribution[str]]) -> list[Frame]:
        """The frames of all steps, the last step first; sets `borders` and the inner gradients."""
        grads: dict[str, float] = {self.node.id: own[0].upstream}
        for c in own:
            grads.setdefault(c.to, c.before)
        outside = {c.to for c in own}
        inside = self._varying(outside)
        grads |= dict.fromkeys(inside, 0.0)
        nodes = slopes.Graph((*self.args, *self.constants.values(), *self.inner, self.result))
        order = [node.id for node in self.inner if node.id in inside] + [self.node.id]
        found: dict[str, list[Contribution[str]]] = {name: [] for name in reversed(order)}
        for user, c in contributions(
            order, nodes.partials, grads, outside | inside, rounded=lambda _, x: self._rounded(x)
        ):
            found[user].append(c)
        frames = [
            Frame("backward", name, nodes.nodes[name].data, contributions=tuple(parts))
            for name, parts in found.items()
        ]
        self.inner = [
            node._replace(grad=grads[node.id]) if node.id in inside else node for node in self.inner
        ]
        self.borders = self._borders(own, frames)
        return _ending(frames, {c.to: c.after for c in own})

    def _varying(self, inputs: set[str]) -> set[str]:
        """The inner Values that depend on an input with a gradient."""
        found: set[str] = set()
        for node in self.inner:
            if not (inputs | found).isdisjoint(node.args):
                found.add(node.id)
        return found

    def _borders(
        self, own: Sequence[Contribution[str]], frames: Sequence[Frame]
    ) -> tuple[Border, ...]:
        given = [c for frame in frames for c in frame.contributions]
        found = []
        for to in dict.fromkeys(c.to for c in own):
            through = [c.amount for c in given if c.to == to]
            by = [c.amount for c in own if c.to == to]
            border = Border(to, sum(through), sum(by))
            if not self._is_close(border.through, border.by, own[0].upstream):
                self._refuse_gradient(border)
            found.append(border)
        return tuple(found)

    def _refuse_gradient(self, border: Border) -> None:
        numbers = [arg.data for arg in self.args]
        reason = "The expansion cannot be computed accurately here."
        if self.op.at_kink(*numbers):
            reason = "At a kink, the two forms have different subgradients."
        name = next(arg.name for arg in self.args if arg.id == border.to)
        raise NotOpenedError(
            f"{self._called} stays closed: through the expansion {name} would receive "
            f"{full(border.through)}, by the op it receives {full(border.by)}. {reason}"
        )


def _ending(frames: list[Frame], after: Mapping[str, float]) -> list[Frame]:
    """The frames with the last contribution to each border ending at the program's gradient."""
    left = dict(after)
    found = []
    for frame in reversed(frames):
        parts = [
            c._replace(after=left.pop(c.to)) if c.to in left else c
            for c in reversed(frame.contributions)
        ]
        found.append(frame._replace(contributions=tuple(reversed(parts))))
    return found[::-1]
