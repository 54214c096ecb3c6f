"""The parts of a network among the names of a graph: of `net.layers[0].neurons[1].w[2]` a neuron.

A graph of many objects is drawn as boxes. What a part holds, and what is computed from it before
another part's numbers come in, is its box; the parts around it are boxes around that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.trace.model import Group, Node
from engine.trace.traced import Trace

_HELD = re.compile(r"(.+)\.\w+(?:\[[^\]]*\])*")
"""The way to an object that is held in an attribute, alone or in lists, of another one."""
_PLACE = re.compile(r"\[(\d+)\]$")
_LEVELS = ("neuron", "layer", "mlp")
"""The kinds of boxes, from within."""


def in_parts(trace: Trace, kinds: Mapping[str, str]) -> Trace:
    """The trace with a group for each part; `kinds` are the classes of objects by their names."""
    owners: dict[str, str] = {}
    leaves = {node.id for node in trace.nodes if not node.args}
    for node in trace.nodes:
        if owner := _owner(node, leaves, owners, kinds):
            owners[node.id] = owner
    ids = {path: f"part{i}" for i, path in enumerate(_with_parents(owners.values(), kinds), 1)}
    if len(set(owners.values())) < 2:
        return trace
    groups = [
        Group(name, ids.get(_holder(path, kinds)), _level(path, ids), _title(path, kinds))
        for path, name in ids.items()
    ]
    known = {group.id for group in trace.groups}
    inside = {node.group: owners.get(node.id, "") for node in trace.nodes if node.group in known}
    own = [
        replace(group, parent=ids.get(inside.get(group.id, ""))) if group.parent is None else group
        for group in trace.groups
    ]
    nodes = [
        node if node.group or node.id not in owners else node._replace(group=ids[owners[node.id]])
        for node in trace.nodes
    ]
    return replace(trace, groups=(*groups, *own), nodes=tuple(nodes))


def _owner(
    node: Node, leaves: set[str], owners: Mapping[str, str], kinds: Mapping[str, str]
) -> str:
    """The part that a Value belongs to: which holds it or its parameter, else that of its args."""
    if not node.args:
        return _holder(node.label, kinds)
    if node.label and not _HELD.fullmatch(node.label):
        return ""  # a variable of its own
    held = [owners[arg] for arg in node.args if arg in owners and arg in leaves]
    of = held or [owners[arg] for arg in node.args if arg in owners]
    return of[0] if len(set(of)) == 1 else ""


def _holder(path: str, kinds: Mapping[str, str]) -> str:
    found = _HELD.fullmatch(path)
    while found is not None:
        if found[1] in kinds:
            return found[1]
        found = _HELD.fullmatch(found[1])
    return ""


def _with_parents(paths: Iterable[str], kinds: Mapping[str, str]) -> list[str]:
    """Each path after those around it, once."""
    found: dict[str, None] = {}
    for path in paths:
        chain = [path]
        while outer := _holder(chain[-1], kinds):
            chain.append(outer)
        found |= dict.fromkeys(reversed(chain))
    return list(found)


def _title(path: str, kinds: Mapping[str, str]) -> str:
    """The class of a part, with its place in a list or its name."""
    place = _PLACE.search(path)
    return f"{kinds[path]} {place[1] if place else path.rpartition('.')[2]}"


def _level(path: str, ids: Mapping[str, str]) -> str:
    """The kind of a box by how deep boxes lie in it."""
    inner = [other.count(".") - path.count(".") for other in ids if other.startswith(f"{path}.")]
    return _LEVELS[min(max(inner, default=0), len(_LEVELS) - 1)]
