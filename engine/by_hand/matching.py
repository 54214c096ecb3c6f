"""Which arrays of a run are meant to be gradients, and of what: by name, shape and computation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine import named_gradients as names
from engine.array_ops.flat import Flat
from engine.record.array_model import ArrayName, ArrayNode, ArrayRecord
from engine.record.model import Scope

from .truth import ArrayTruth, ancestors, are_close, flat, truth

LABELS = frozenset({"y", "t", "target", "targets", "labels", "label", "y_true", "ytrue", "yb"})
"""Names of arrays that a loss compares with."""


class Match(NamedTuple):
    """An array, its name as a gradient, and the array that it is the gradient of."""

    name: ArrayName
    target: int
    of: str
    earlier: Sequence[ArrayName] = ()
    """The arrays that had the name before in the same turn."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The loss of a run with the true gradients, its name, and the arrays meant to be gradients."""

    truth: ArrayTruth
    loss: ArrayName
    matches: Sequence[Match]


def matched(record: ArrayRecord) -> Matched | None:
    """The first loss of a run that gradients were computed by hand for; None if there is none."""
    return next(filter(None, (matched_for(record, loss) for loss in _losses(record))), None)


def matched_for(record: ArrayRecord, loss: ArrayName) -> Matched | None:
    """The gradients of a loss; None if none were computed by hand."""
    found = truth(record.nodes, loss.of)
    matches = list(_matches(record, found, names.plain(loss.name)))
    return Matched(found, loss, matches) if matches else None


def _losses(record: ArrayRecord) -> Iterator[ArrayName]:
    """The numbers that may be losses, the likeliest first, of a loop those of its first turn."""
    nodes, called = record.nodes, {names.plain(it.name) for it in record.names}
    over = {a for name in called for a, of in names.quotients(name) if {a, of} <= called}
    found = [
        it
        for it in record.names
        if len(nodes[it.of].data) == 1 and nodes[it.of].op is not None
        if names.loss_rank(it.name) or it.name in over
    ]
    named = {it.of for it in found}
    inner = {at for one in named for at in ancestors(nodes, one) if at != one}
    outer = [it for it in found if it.of not in inner or it.of not in named]
    outer = outer or found
    yield from sorted(outer, key=lambda it: (-names.loss_rank(it.name), it.of))[:TRIED]


TRIED = 4
"""Losses that are tried."""


def turns(node: ArrayNode) -> tuple[Scope, ...]:
    """The turns of loops around a node, the outermost first."""
    found, scope = [], node.scope
    while scope is not None:
        if scope.kind == "iteration":
            found.append(scope)
        scope = scope.parent
    return tuple(reversed(found))


def _common(nodes: Sequence[ArrayNode], order: Sequence[int]) -> tuple[Scope, ...]:
    """The turns of a loss in whose loops no operation behind it ran in another turn."""
    common = turns(nodes[order[-1]])
    for at in order:
        if nodes[at].op is not None:
            for depth, (mine, other) in enumerate(zip(common, turns(nodes[at]), strict=False)):
                if mine is not other:
                    common = common[:depth] if mine.parent is other.parent else common
                    break
    return common


def _matches(record: ArrayRecord, found: ArrayTruth, loss: str) -> Iterator[Match]:
    nodes, forward = record.nodes, set(found.order)
    common = _common(nodes, found.order)
    known = _forward_names(record, found)
    for event, is_one_of_many, earlier in _last_events(record, forward, common):
        for of in names.targets(event.name, loss):
            targets = _held_alike(record, event, known.get(of) or known.get(of.lower()) or [])
            if targets:
                chosen = _chosen(nodes, found, event, of, targets)
                is_sure = not is_one_of_many or _collects(found, targets)
                yield from (
                    it._replace(earlier=earlier)
                    for it in chosen
                    if is_sure or is_right(found, it.target, flat(nodes[event.of]))
                )
                break


def _held_alike(record: ArrayRecord, event: ArrayName, targets: list[int]) -> list[int]:
    """Of arrays of one name those that the same object holds, if it holds one."""
    if not event.owner or len(targets) < 2:
        return targets
    held = {it.of for it in record.names if it.owner == event.owner}
    return [at for at in targets if at in held] or targets


def _forward_names(record: ArrayRecord, found: ArrayTruth) -> dict[str, list[int]]:
    """The arrays behind the loss by their names, also in small letters."""
    forward = set(found.order)
    known: dict[str, list[int]] = {}
    for it in record.names:
        if it.of in forward and it.of != found.loss and not record.nodes[it.of].is_constant:
            base = names.plain(it.name)
            for key in dict.fromkeys((base, base.lower())):
                if it.of not in known.setdefault(key, []):
                    known[key].append(it.of)
    return known


def _last_events(
    record: ArrayRecord, forward: set[int], common: tuple[Scope, ...]
) -> list[tuple[ArrayName, bool, Sequence[ArrayName]]]:
    """For each name the last array that it was given in the turn of the loss, and those before.

    And whether it is one of many, each of another turn or call of a line: then the name does not
    say which array it is the gradient of. A name that several arrays had there, of which none was
    made by changing another, is none, unless the line replaces arrays that nothing has used.
    """
    nodes = record.nodes
    found: dict[tuple[str, int], list[ArrayName]] = {}
    for it in record.names:
        node = nodes[it.of]
        around = turns(node)[: len(common)]
        if around != (common if node.op is not None else common[: len(around)]):
            continue
        found.setdefault((it.name, it.owner), []).append(it)
    last, used = [], {arg for node in nodes for arg in node.args}
    for events in found.values():
        *earlier, it = events
        node = nodes[it.of]
        if node.op is None or it.of in forward or node.is_constant:
            continue
        chain = set(ancestors(nodes, it.of))
        computed = [e for e in earlier if nodes[e.of].op is not None and e.of not in forward]
        is_filled = node.op in ("write", "scatter_add")
        is_lost = all(e.of not in used and e.node is it.node for e in computed)
        is_linked = all(e.of in chain for e in computed)
        if (is_linked or is_lost) and (chain & forward or is_filled):
            is_one = not is_linked or _is_one_of_many(nodes, it, computed)
            last.append((it, is_one, computed))
    return sorted(last, key=lambda found: found[0].at)


def _collects(found: ArrayTruth, targets: Sequence[int]) -> bool:
    """Whether there is one array of a name, and its gradient is the sum of several uses."""
    return len(targets) == 1 and len(found.uses.get(targets[0], ())) > 1


SUMS = frozenset({"+", "-", "write", "scatter_add", "cast"})
"""Operations by which contributions are collected."""


def _is_one_of_many(
    nodes: Sequence[ArrayNode], it: ArrayName, earlier: Sequence[ArrayName]
) -> bool:
    """Whether the same line gave the name to other arrays, which this one does not collect."""
    before = {e.of for e in earlier if e.node is it.node} - {it.of}
    todo, seen = [it.of], set[int]()
    while todo:
        at = todo.pop()
        if at in before:
            return False
        if at not in seen and nodes[at].op in SUMS:
            todo += nodes[at].args
        seen.add(at)
    return bool(before)


def _chosen(
    nodes: Sequence[ArrayNode],
    found: ArrayTruth,
    event: ArrayName,
    of: str,
    targets: Sequence[int],
) -> Iterator[Match]:
    """The array of that name that a gradient is of: of several the one that it is right for."""
    node = nodes[event.of]
    alike = [at for at in targets if same_shape(nodes[at].shape, node.shape)]
    right = [at for at in alike if is_right(found, at, flat(node))]
    if right:
        yield Match(event, right[0], of)
    elif len(targets) == 1:
        target = targets[0]
        if nodes[target].op is None and of.lower() in LABELS:
            return
        if target in found.unknown or target in found.gradients or alike:
            yield Match(event, target, of)
    elif len(alike) == 1:
        yield Match(event, alike[0], of)


def same_shape(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether shapes are equal but for axes of length 1."""
    return [n for n in a if n != 1] == [n for n in b if n != 1]


def is_right(found: ArrayTruth, target: int, written: Flat) -> bool:
    due = found.gradients.get(target)
    return due is not None and are_close(written.data, due.data, NEAR, found.noise(target))


NEAR = 1e-5
"""What right gradients may differ by, relatively to the largest: 32-bit floats are rounded."""
