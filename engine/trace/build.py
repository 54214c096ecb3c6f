"""Builds the trace of a run: replays both passes and records the numbers of every frame."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from engine.language.program import Limits, Note, Program, Run
from engine.language.tape import Number, Scope, Tensor, recomputed
from engine.numbers import full, short
from engine.ops import OPS
from engine.value import Contribution as Given
from engine.value import Value, backpropagate

from . import naming
from .accumulation import remarks
from .changes import changes
from .model import Alarm, Contribution, Frame, Group, Leftover, Node
from .traced import Trace


def trace(
    program: str | Program, leaves: Mapping[str, float] | None = None, limits: Limits | None = None
) -> Trace:
    """The trace of `program`, with `leaves` overridden.

    Raises ProgramError for an invalid program and UnknownLeaf for an unknown leaf.
    """
    program = program if isinstance(program, Program) else Program(program, limits)
    return _Builder(program.run(leaves)).build()


class _Builder:
    """Converts the Values of a run to plain data, resetting their gradients to replay the pass."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.values = run.backward.order
        self.ids = {value: f"v{i}" for i, value in enumerate(self.values, 1)}
        self.fixed = _fixed(self.values)
        self.keys = {
            run.leaves[count]: key for count, key in run.keys.items() if count < len(run.leaves)
        }
        self.groups: dict[Scope, Group] = {}
        self.group_ids: dict[Scope | None, str | None] = {None: None}

    def build(self) -> Trace:
        self.run.backward.rewind()
        frames = (*self._forward(), *self._backward())
        self._collect_groups()
        nodes = self._nodes()
        by_id = {node.id: node for node in nodes}
        stale = self._stale()
        rule = "pytorch" if type(self.run.output) is Tensor else "micrograd"
        return Trace(
            program=self.run.source.text,
            output=self.ids[self.run.output],
            nodes=nodes,
            frames=frames,
            groups=tuple(self.groups.values()),
            printed=tuple(self.run.printed),
            warnings=tuple(_warnings(nodes, frames)),
            notes=(*self.run.notes, *self._independent(), *self._overwritten(nodes, stale)),
            changes=tuple([changes(frame, by_id) for frame in frames]),
            rule=rule,
            remarks={
                at: remarks(frame.leftovers, rule, by_id)
                for at, frame in enumerate(frames)
                if frame.leftovers
            },
            stale=frozenset(stale),
        )

    def _forward(self) -> Iterator[Frame]:
        given = [value for value in self.values if value.op is None]
        first = given[0]
        yield Frame("forward", self.ids[first], first.data, given=tuple(self.ids[v] for v in given))
        for value in self.values:
            if value.op is not None:
                yield Frame("forward", self.ids[value], value.data)

    def _backward(self) -> Iterator[Frame]:
        output, before = self.run.output, self.run.backward.before
        waiting = self._leftovers()
        found = tuple(_taken(waiting, [self.ids[output]]))
        seed = Frame("backward", self.ids[output], output.data, (), (), 1.0, before, found)
        yield seed
        for value, contributions in backpropagate(self.values, seed.after):
            kept = tuple(self._contribution(c) for c in contributions if c.to not in self.fixed)
            found = tuple(_taken(waiting, [c.to for c in kept])) if waiting else ()
            yield Frame("backward", self.ids[value], value.data, (), kept, leftovers=found)

    def _leftovers(self) -> dict[str, Leftover]:
        """The Values whose gradients from earlier passes the rules treat differently, by id.

        Both rules accumulate into leaves and set an interior output to 1.
        """
        output, held = self.run.output, self.run.backward.held
        return {
            self.ids[value]: Leftover(self.ids[value], grad, value is output)
            for value, grad in zip(self.values, held, strict=True)
            if grad != 0 and type(value) is not Number
            if (value.op is None) == (value is output)
        }

    def _contribution(self, given: Given) -> Contribution:
        return Contribution(self.ids[given.to], *given[1:])

    def _nodes(self) -> tuple[Node, ...]:
        nodes = [self._node(value) for value in self.values]
        names = naming.names(nodes, self.run.source.lines, self._neurons(nodes))
        return tuple([Node(*node[:-1], names[node.id]) for node in nodes])  # faster than _replace

    def _neurons(self, nodes: list[Node]) -> dict[str, str]:
        """The name of each neuron for the last Value of its call, by id."""
        neurons = {
            g.id: g.title.partition(" ")[2] for g in self.groups.values() if g.kind == "neuron"
        }
        last = {node.group: node.id for node in nodes if node.group in neurons and node.op}
        return {last[group]: name for group, name in neurons.items() if name and group in last}

    def _node(self, value: Value) -> Node:
        scope = value.origin.scope
        return Node(
            id=self.ids[value],
            label=value.label,
            op=value.op.name if value.op else None,
            args=tuple(self.ids[arg] for arg in value.args),
            data=value.data,
            grad=None if value in self.fixed else value.grad,
            span=self.run.source.span(value.origin.node),
            kind=self._kind(value),
            key=self.keys.get(value),
            group=self._group_id(scope),
        )

    def _kind(self, value: Value) -> str:
        if value is self.run.output:
            return "output"
        if value.op is not None:
            return "value"
        return "constant" if is_constant(value) else "leaf"

    def _collect_groups(self) -> None:
        """Number the scopes by their first Value; a scope that contains all Values is omitted."""
        computed = Counter(value.origin.scope for value in self.values if value.op is not None)
        inside = {scope: computed[scope] for scope in _with_those_around(computed)}
        for scope in reversed(inside):
            if scope.parent:
                inside[scope.parent] += inside[scope]
        for scope, count in inside.items():
            if count < computed.total():
                parent = self.groups.get(scope.parent) if scope.parent else None
                name = f"g{len(self.groups) + 1}"
                self.groups[scope] = Group(
                    name, parent.id if parent else None, scope.kind, scope.title
                )
                self.group_ids[scope] = name

    def _group_id(self, scope: Scope | None) -> str | None:
        """The innermost group that contains `scope`; memoised for the scopes in between."""
        path = []
        while scope not in self.group_ids and scope is not None:
            path.append(scope)
            scope = scope.parent
        found = self.group_ids[scope]
        self.group_ids.update(dict.fromkeys(path, found))
        return found

    def _independent(self) -> Iterator[Note]:
        """Notes on named leaves that the output does not depend on."""
        wrapped = [leaf for leaf in self.run.leaves if type(leaf) is not Number] or self.run.leaves
        unused = {leaf.label: leaf for leaf in wrapped if leaf.label and leaf not in self.ids}
        used = {value.label for value in self.values}
        for label in [label for label in unused if label not in used][:5]:
            name = self.run.output.label or "The output"
            span = self.run.source.span(unused[label].origin.node)
            yield Note(f"{name} does not depend on {label}: its gradient is 0.", span)

    def _stale(self) -> list[str]:
        """The ids of Values whose data no longer follows from their op and args, in order."""
        return [
            self.ids[value]
            for value in self.values
            if value.op is not None and not _same(value.data, recomputed(value))
        ]

    def _overwritten(self, nodes: tuple[Node, ...], stale: list[str]) -> Iterator[Note]:
        """A note on the first of the `stale` Values."""
        if not stale:
            return
        for value, node in zip(self.values, nodes, strict=True):
            if node.id != stale[0]:
                continue
            if not _same(value.data, value.origin.data):
                message = f"The data of {node.name} was set by hand after it was computed."
            else:
                changed = [x for x in value.args if not _same(x.data, x.origin.data)]
                ids = {self.ids[arg] for arg in changed or value.args}
                names = " or ".join(node.name for node in nodes if node.id in ids)
                message = f"The data of {names} was changed after {node.name} was computed from it."
            yield Note(message, node.span)
            return


def _taken(waiting: dict[str, Leftover], ids: Iterable[str]) -> Iterator[Leftover]:
    """Remove and yield the leftovers of these Values."""
    for name in ids:
        if found := waiting.pop(name, None):
            yield found


def is_constant(value: Value) -> bool:
    """Whether `value` is a number inside an expression, which has no gradient."""
    return value.op is None and value.origin.leaf is None


def _fixed(values: list[Value]) -> set[Value]:
    """The numbers inside expressions and what is computed from these alone, such as 1 + 1.

    They have no gradient. A result that the program names has one, and so has the output, the last
    of `values`.
    """
    fixed: set[Value] = set()
    for value in values[:-1]:
        if value.op is None:
            is_fixed = is_constant(value)
        else:
            is_fixed = not value.label and fixed.issuperset(value.args)
        if is_fixed:
            fixed.add(value)
    return fixed


def _same(a: float, b: float) -> bool:
    """Whether two numbers are equal or both nan."""
    return a == b or (a != a and b != b)


def _with_those_around(scopes: Iterable[Scope | None]) -> dict[Scope, None]:
    """`scopes` and their ancestors, each after its parent."""
    found: dict[Scope, None] = {}
    for inner in scopes:
        scope, path = inner, []
        while scope is not None and scope not in found:
            path.append(scope)
            scope = scope.parent
        found.update(dict.fromkeys(reversed(path)))
    return found


def _warnings(nodes: tuple[Node, ...], frames: Iterable[Frame]) -> Iterator[Alarm]:
    """The first non-finite Value with finite args, and the first such contribution."""
    by_id = {node.id: node for node in nodes}
    for node in nodes:
        args = [by_id[arg].data for arg in node.args]
        if not math.isfinite(node.data) and all(map(math.isfinite, args)):
            yield Alarm(node.id, _data_warning(node, args))
            break
    for frame in frames:
        for c in frame.contributions:
            if not math.isfinite(c.amount) and math.isfinite(c.upstream):
                yield Alarm(frame.node, _grad_warning(by_id[frame.node], by_id[c.to], c))
                return


def _data_warning(node: Node, args: list[float]) -> str:
    name = node.label or "A Value"
    if node.op is None:
        return f"{name} is {full(node.data)} from the start."
    op = OPS[node.op]
    what = naming.written(node.op, [full(x) for x in args])
    message = f"{name} is {full(node.data)}: {what} gives {full(node.data)}"
    if not op.in_domain(*args) and op.domain:
        return f"{message}. {naming.written(op.name, op.params)} needs {op.domain_says}."
    return (
        f"{message}, beyond the largest 64-bit float." if math.isinf(node.data) else f"{message}."
    )


def _grad_warning(node: Node, to: Node, c: Contribution) -> str:
    name = node.label or f"the result of {node.op}"
    return (
        f"The gradient of {to.label or 'a Value'} is not finite: {name} contributes "
        f"{short(c.upstream)} × {short(c.partial)} = {full(c.amount)}."
    )
