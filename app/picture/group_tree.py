"""The tree of groups that contain a trace's Values, with crowded levels subdivided.

The trace's own groups (neurons, layers, loops, functions) are supplemented by ranges of lines where
a level has too many members, and by groups of leaves of common origin that several groups share,
such as the parameters of a network. A leaf belongs to the innermost group that contains all its
uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from app.picture import box_titles
from engine.trace.model import Node
from engine.trace.traced import Trace

CROWDED = 100  # members of a level above which they are grouped by lines
RANGE = 25  # members per range of lines
RANGES = 40  # sibling ranges above which they are grouped again
ALIKE = 8  # shared leaves of one expression from which on they form a group
FORMULA = "formula"
"""The kind of the groups that are drawn as one operation while they are closed."""
ARRAY = "array"
"""The kind of the groups that are drawn as a grid of their cells while they are closed."""


_LINE = re.compile(r", line \d+$")
_UPDATE = re.compile(r"\s[-+*/]?=\s")
"""In the text of a statement such as `p.data -= 0.1 * p.grad`."""


@dataclass(frozen=True, slots=True)
class DrawnGroup:
    """A group of any origin; `title` is a visitor's text. For `shape` and others see `Group`.

    One that `expands` a Value is always open: closed, it is that Value's op.
    """

    id: str
    parent: str | None
    kind: str
    title: str
    shape: tuple[int, ...] = ()
    cells: tuple[str | None, ...] = ()
    op: str = ""
    expands: str = ""

    @property
    def is_formula(self) -> bool:
        return self.kind == FORMULA

    @property
    def is_array(self) -> bool:
        return self.kind == ARRAY

    @property
    def is_folded(self) -> bool:
        """Whether the group is closed in every picture, small ones too, until it is opened."""
        return self.is_formula or self.is_array


@dataclass(slots=True)
class GroupTree:
    """`homes` of Values, and `children` and number of `members` of each level (None is the root).

    An input shared by several groups inside its home is drawn `outside` the frame, where it was
    created, while its home is open.
    """

    sections: dict[str, DrawnGroup]
    homes: dict[str, str | None]
    outside: dict[str, str | None] = field(default_factory=dict)
    children: dict[str | None, list[str]] = field(default_factory=dict)
    members: dict[str | None, int] = field(default_factory=dict)

    def size(self, level: str | None) -> int:
        return len(self.children.get(level, ())) + self.members.get(level, 0)

    def growth(self, groups: Iterable[str]) -> int:
        """The number of boxes by which a picture grows if the groups are opened."""
        return sum(self.size(group) - 1 for group in groups)

    def can_open(self, group: str) -> bool:
        """Whether there is more to see in a group: not in a formula that could not be traced."""
        return not self.sections[group].is_formula or self.size(group) > 1

    def around_neurons(self) -> set[str]:
        """The groups that contain neurons: networks, layers, and calls of them."""
        found: set[str] = set()
        for section in self.sections.values():
            if section.kind == box_titles.NEURON:
                level = section.parent
                while level is not None and level not in found:
                    found.add(level)
                    level = self.sections[level].parent
        return found

    def chains(self) -> dict[str | None, tuple[str, ...]]:
        """For each group, its ancestors from the root and itself."""
        chains: dict[str | None, tuple[str, ...]] = {None: ()}
        for key in self.sections:
            path = []
            level: str | None = key
            while level not in chains:
                assert level is not None
                path.append(level)
                level = self.sections[level].parent
            for inner in reversed(path):
                chains[inner] = (*chains[level], inner)
                level = inner
        return chains

    def count(self, trace: Trace) -> None:
        """Fill `children` and `members`, and drop empty groups."""
        alive: set[str] = set()
        self.members = {}
        for node in trace.nodes:
            if node.kind == "constant":
                continue
            level = self.homes[node.id]
            self.members[level] = self.members.get(level, 0) + 1
            while level is not None and level not in alive:
                alive.add(level)
                level = self.sections[level].parent
        for node in trace.nodes:
            home = self.homes[node.id]
            while home is not None and home not in alive:
                home = self.sections[home].parent
            self.homes[node.id] = home
        self.sections = {key: item for key, item in self.sections.items() if key in alive}
        self.children = {}
        for key, section in self.sections.items():
            self.children.setdefault(section.parent, []).append(key)


def group_tree(trace: Trace, gather: bool) -> GroupTree:
    """The tree of groups of `trace`; `gather` subdivides crowded levels."""
    sections = {
        g.id: DrawnGroup(g.id, g.parent, g.kind, g.title, g.shape, g.cells, g.op, g.expands)
        for g in trace.groups
    }
    tree = GroupTree(sections, {node.id: node.group for node in trace.nodes})
    if gather:
        _retitle(trace, tree)
    _settle_leaves(trace, tree)
    tree.count(trace)
    if gather and _gather_leaves(trace, tree):
        tree.count(trace)
    if gather and any(tree.size(level) > CROWDED for level in (None, *tree.sections)):
        _gather_lines(trace, tree)
        _settle_leaves(trace, tree)
        tree.count(trace)
    return tree


def _retitle(trace: Trace, tree: GroupTree) -> None:
    """Title the groups by what they are."""
    networks = {key for key, s in tree.sections.items() if s.kind == box_titles.NETWORK}
    inside: dict[str, list[Node]] = {key: [] for key in networks}
    chains = tree.chains() if networks else {}
    for node in trace.nodes if networks else ():
        for key in networks.intersection(chains[node.group]):
            inside[key].append(node)
    for key, section in tree.sections.items():
        words = box_titles.title(trace, section.kind, section.title, inside.get(key, ()))
        if words != section.title:
            tree.sections[key] = replace(section, title=words)


def _settle_leaves(trace: Trace, tree: GroupTree) -> None:
    """Move each leaf into the innermost group that contains all its uses, unless it is deeper.

    The args of a formula or an array stay outside of it, as those of an operation do; constants do
    not. The cells of an array stay in it. A parameter belongs to its neuron, although a penalty may
    use it as well.
    """
    tree.outside = {}
    chains = tree.chains()
    common: dict[str, tuple[str, ...]] = {}
    in_neurons: dict[str, tuple[str, ...]] = {}
    users: dict[str, set[str | None]] = {}
    for node in trace.nodes:
        chain = chains[tree.homes[node.id]]
        is_in_neuron = any(tree.sections[group].kind == box_titles.NEURON for group in chain)
        for arg in node.args:
            common[arg] = _shared(common[arg], chain) if arg in common else chain
            if is_in_neuron:
                in_neurons[arg] = _shared(in_neurons.get(arg, chain), chain)
            users.setdefault(arg, set()).add(tree.homes[node.id])
    for node in trace.nodes:
        home = tree.homes[node.id]
        if home is not None and tree.sections[home].kind in ("leaves", ARRAY):
            continue
        if not node.args and node.id in common:
            uses = in_neurons.get(node.id, common[node.id])
            if node.kind != "constant":
                uses = _before_folded(tree, uses)
            own = chains[home]
            if uses and own[: len(uses)] != uses:
                tree.homes[node.id] = uses[-1]
                if uses[-1] not in users[node.id]:
                    tree.outside[node.id] = (None, *_shared(own, uses))[-1]


def _before_folded(tree: GroupTree, chain: tuple[str, ...]) -> tuple[str, ...]:
    for depth, group in enumerate(chain):
        if tree.sections[group].is_folded:
            return chain[:depth]
    return chain


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return one[:length]


def _gather_leaves(trace: Trace, tree: GroupTree) -> bool:
    """Group leaves of common origin, such as the parameters of a network.

    Leaves used by one group have moved into it; the rest are shared by several groups, and each
    would have edges across the picture.
    """
    alike: dict[tuple[str | None, object], list[Node]] = {}
    for node in trace.nodes:
        home = tree.homes[node.id]
        if node.kind == "leaf" and not (home and tree.sections[home].is_array):
            alike.setdefault((tree.homes[node.id], node.span), []).append(node)
    found = False
    for (level, _), leaves in alike.items():
        if len(leaves) >= ALIKE:
            found, line, column = True, leaves[0].span[0], leaves[0].span[1]
            name = f"leaves-{line}-{column}" if level is None else f"{level}-leaves-{line}-{column}"
            title = _title_of_leaves(trace, leaves)
            tree.sections[name] = DrawnGroup(name, level, "leaves", title)
            tree.homes |= {leaf.id: name for leaf in leaves}
    return found


def _title_of_leaves(trace: Trace, leaves: list[Node]) -> str:
    """The text that made them; the first and last name if that is an update of a training step."""
    text = trace.source(leaves[0])
    return f"{leaves[0].name} … {leaves[-1].name}" if _UPDATE.search(text) else text


# Ranges of lines


@dataclass(slots=True)
class _Item:
    """A member of a level: a Value (`node`) or a group (`section`), and its first lines."""

    first_line: int
    last_line: int
    node: str | None = None
    section: str | None = None


def _gather_lines(trace: Trace, tree: GroupTree) -> None:
    """Insert ranges of lines as groups between every crowded level and its members."""
    for level, members in _items(trace, tree).items():
        if len(members) <= CROWDED:
            continue
        ranges = [_new_range(trace, tree, level, part) for part in _parts(members)]
        while len(ranges) > RANGES:
            ranges = [_new_range(trace, tree, level, part) for part in _slices(ranges, RANGES // 2)]


def _items(trace: Trace, tree: GroupTree) -> dict[str | None, list[_Item]]:
    """The members of each level in tape order."""
    items: dict[str | None, list[_Item]] = {}
    seen: set[str] = set()
    line = 1
    for node in trace.nodes:
        if (place := node.caller or node.span) is not None:
            line = place[0]  # the learner's, also where a method of a class computed it
        if node.kind == "constant":
            continue
        level = tree.homes[node.id]
        items.setdefault(level, []).append(_Item(line, line, node=node.id))
        while level is not None and level not in seen:
            seen.add(level)
            group, level = level, tree.sections[level].parent
            beside = items.setdefault(level, [])
            at = beside[-1].last_line if beside else line  # the line of the call, not of the body
            beside.append(_Item(at, at, section=group))
    return items


def _parts(members: list[_Item]) -> Iterator[list[_Item]]:
    """Runs of about RANGE members that end at line boundaries; crowded lines are split."""
    part: list[_Item] = []
    for item in members:
        new_line = bool(part) and item.first_line != part[-1].first_line
        if len(part) >= 2 * RANGE or (len(part) >= RANGE and new_line):
            yield part
            part = []
        part.append(item)
    if part:
        yield part


def _slices(ranges: list[_Item], length: int) -> Iterator[list[_Item]]:
    for start in range(0, len(ranges), length):
        yield ranges[start : start + length]


def _new_range(trace: Trace, tree: GroupTree, level: str | None, part: list[_Item]) -> _Item:
    """Add one range to the tree, between `level` and the members in `part`."""
    first = min(item.first_line for item in part)
    last = max(item.last_line for item in part)
    stem = f"lines-{first}-{last}" if level is None else f"{level}-lines-{first}-{last}"
    name, number = stem, 1
    while name in tree.sections:
        number += 1
        name = f"{stem}-{number}"
    tree.sections[name] = DrawnGroup(
        name, level, "lines", _range_title(trace, tree, part, first, last)
    )
    for item in part:
        if item.node is not None:
            tree.homes[item.node] = name
        elif item.section is not None:
            old = tree.sections[item.section]
            tree.sections[old.id] = replace(old, parent=name)
    return _Item(first, last, section=name)


def _range_title(trace: Trace, tree: GroupTree, part: list[_Item], first: int, last: int) -> str:
    ends = [tree.sections[item.section] for item in (part[0], part[-1]) if item.section]
    if len(ends) == 2 and ends[0].kind == ends[1].kind != "lines":
        one, other = (_LINE.sub("", end.title) for end in ends)
        return f"{one} … {other}"
    text = box_titles.line_text(trace, first)
    return f"lines {first}–{last}" if first != last else f"line {first}: {text}"
