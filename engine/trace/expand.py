"""Operations opened in place: a trace in which some Values are computed by more elementary ones.

The op of the Value `v7`, such as tanh, is replaced by the last operation of its expansion; the
others come before it as `v7x1`, `v7x2`, …, in a group of the kind `formula`. The ids, numbers and
gradients of the program's own Values stay what they are. Contributions that leave the expansion
are those of the chain rule through it, equal to the op's own up to rounding.

An expansion that overflows, cancels or meets a kink would give other numbers than the program. It
stays closed, and the reason is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from engine.ops import OPS
from engine.verdict.model import Verdict

from . import naming
from .changes import changes
from .expansion import INNER, Expansion, NotOpenedError
from .model import Frame, Group, KeptClosed, Node, Opened
from .traced import Trace

MOST = 20
"""Operations that can be open at once."""


def can_open(node: Node) -> bool:
    """Whether the op of `node` has an expansion."""
    return node.op is not None and bool(OPS[node.op].expansion)


def expanded(trace: Trace, wanted: Collection[str]) -> Trace:
    """`trace` with the ops of the Values `wanted` opened, outer ones first, as far as they can be.

    Ids that it does not have, or whose op has no expansion, are left out; so are those beyond MOST.
    """
    kept_closed: list[KeptClosed] = []
    depths: dict[int, list[str]] = {}
    for name in sorted(wanted)[:MOST]:
        depths.setdefault(name.count(INNER), []).append(name)
    for _, names in sorted(depths.items()):
        by_id = {node.id: node for node in trace.nodes}
        made: dict[str, Expansion] = {}
        for name in names:
            if name not in by_id or not can_open(by_id[name]):
                continue
            try:
                made[name] = Expansion(trace, by_id[name], by_id)
            except NotOpenedError as error:
                kept_closed.append(KeptClosed(name, str(error)))
        if made:
            trace = _rebuilt(trace, made)
    return replace(trace, kept_closed=tuple(kept_closed)) if kept_closed else trace


def _opened(of: Expansion) -> Opened:
    node = of.node
    return Opened(node.id, of.op.name, of.text, of.group, of.through, node.data, of.borders)


def _rebuilt(trace: Trace, made: Mapping[str, Expansion]) -> Trace:
    nodes = tuple(_nodes(trace, made))
    by_id = {node.id: node for node in nodes}
    frames, places = _frames(trace, made)
    groups = [
        Group(each.group, each.node.group, "formula", _title(each), expands=each.node.id)
        for each in made.values()
    ]
    return replace(
        trace,
        nodes=nodes,
        frames=tuple(frames),
        groups=(*trace.groups, *groups),
        changes=tuple([changes(frame, by_id) for frame in frames]),
        remarks={places[at]: remarks for at, remarks in trace.remarks.items()},
        single=trace.single | _single(trace, made),
        verdict=_moved(trace.verdict, places),
        opened=(*trace.opened, *map(_opened, made.values())),
    )


def _title(of: Expansion) -> str:
    """The op and its expansion: `tanh(x) = (exp(2 * x) - 1) / (exp(2 * x) + 1)`."""
    return f"{naming.written(of.op.name, of.op.params)} = {of.text}"


def _nodes(trace: Trace, made: Mapping[str, Expansion]) -> Iterator[Node]:
    for node in trace.nodes:
        each = made.get(node.id)
        if each is None:
            yield node
        else:
            yield from each.constants.values()
            yield from each.inner
            yield each.result


def _frames(trace: Trace, made: Mapping[str, Expansion]) -> tuple[list[Frame], list[int]]:
    """The frames with those of the steps, and the new place of each old one."""
    found: list[Frame] = []
    places: list[int] = []
    constants = [node.id for each in made.values() for node in each.constants.values()]
    for frame in trace.frames:
        each = made.get(frame.node)
        is_own = each is not None and not frame.given and frame.seed is None
        if each is not None and is_own and frame.pass_ == "forward":
            found += [Frame("forward", node.id, node.data) for node in each.inner]
        places.append(len(found))
        if frame.given:
            frame = frame._replace(given=(*frame.given, *constants))
        if each is not None and is_own and frame.contributions:
            first, *others = each.frames
            found += [frame._replace(contributions=first.contributions), *others]
        else:
            found.append(frame)
    return found, places


def _single(trace: Trace, made: Mapping[str, Expansion]) -> frozenset[str]:
    inside = [
        (each, node) for each in made.values() for node in (*each.constants.values(), *each.inner)
    ]
    return frozenset([node.id for each, node in inside if each.node.id in trace.single])


def _moved(verdict: Verdict | None, places: list[int]) -> Verdict | None:
    if verdict is None:
        return None
    mistakes = tuple(
        [
            mistake._replace(frame=None if mistake.frame is None else places[mistake.frame])
            for mistake in verdict.mistakes
        ]
    )
    return replace(verdict, mistakes=mistakes)
