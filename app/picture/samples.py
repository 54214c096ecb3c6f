"""Groups that put another sample through what a sibling shows: a network's calls, a loop's turns.

They start closed: one open network says more than four beside each other.
"""

from __future__ import annotations

from collections.abc import Hashable

from app.picture.box_titles import NETWORK
from app.picture.group_tree import DrawnGroup, GroupTree
from engine.trace.traced import Trace

TURN = "iteration"
REPEATED = frozenset({TURN, "function", NETWORK})
"""The kinds of groups that may run the same lines as a sibling."""


def other_samples(trace: Trace, tree: GroupTree) -> frozenset[str]:
    """All but the first of siblings that run the same lines, each with inputs of its own.

    Layers and steps in time do not: groups inside of one use what another has computed. What only
    adds up over the siblings, such as a loss, keeps none of them from being a sample.
    """
    rows: dict[Hashable, list[str]] = {}
    row_of: dict[str, Hashable] = {}
    for key, section in tree.sections.items():
        if section.kind in REPEATED:
            row_of[key] = section.parent, section.kind, _lines(section)
            rows.setdefault(row_of[key], []).append(key)
    chains = tree.chains()
    homes = {node.id: chains[tree.homes[node.id]] for node in trace.nodes if node.op is not None}
    for node in trace.nodes:
        inner = homes.get(node.id, ())[:-1]
        for arg in node.args:
            for mine, other in zip(inner, homes.get(arg, ()), strict=False):
                if mine != other:
                    row = row_of.get(mine)
                    if row is not None and row == row_of.get(other):
                        rows.pop(row, None)
                    break
    return frozenset(key for row in rows.values() for key in row[1:])


def _lines(section: DrawnGroup) -> str:
    """What siblings that run the same lines have in common: the loop of a turn, a call's name."""
    if section.kind == TURN:
        return section.title.partition(", ")[2]
    return "" if section.kind == NETWORK else section.title
