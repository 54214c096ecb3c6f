"""Which boxes of a trace are drawn, and what stands for the rest.

A small trace is drawn whole: a card for each Value, a circle for each op. A large one is drawn
*grouped*: a neuron, a layer, a loop or a range of lines is one closed box until it is opened.
Everything here is a pure function of the trace's structure; no number of the trace matters.

    groups      a tree: the trace's own, ranges of lines where a level has too many members, and
                leaves of one origin that many share, such as the parameters of a network
    home        the group a Value is drawn in; a leaf moves to where all its uses are
    stand-in    the outermost closed group around a home: the box drawn in its stead
    copy        a constant or an often used leaf is drawn once near each of its uses
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.ops import OPS
from engine.trace import Node, Trace

LIMIT = 1000  # Values drawn at once
COPY_OVER = 4  # uses of a leaf that one card can carry without a tangle of edges
COMFORTABLE = 60  # boxes that a grouped picture opens by itself
FEW = 4  # boxes below which even an innermost group is opened
CROWDED = 100  # members of a level above which they are gathered by lines
RANGE = 25  # members of one range of lines
RANGES = 40  # ranges side by side, above which they are gathered again
ALIKE = 8  # leaves made by one expression that several groups share: one box from here on

SIZES: dict[str, tuple[float, float]] = {
    "card": (120, 59),
    "copy": (108, 48),
    "constant": (84, 26),
    "named-constant": (84, 40),
    "group": (174, 80),
    "leaves": (174, 44),
}
"""Width and height of each shape of box in pixels; ops depend on their symbol (`op_size`)."""


@dataclass(frozen=True, slots=True)
class Box:
    """One thing to place: `kind` "value" or "op" of the Value `of`, or "group" `of` a group.

    `copy` counts from 1 where a leaf or constant is drawn `copies` times, else it is 0. A closed
    group knows its Values, `inside`, and the last of them, `shown`, unless they are mere leaves.
    """

    id: str
    kind: str
    of: str
    shape: str
    width: float
    height: float
    cluster: str | None = None
    copy: int = 0
    copies: int = 0
    inside: tuple[str, ...] = ()
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """One use of a Value: it is argument `slot` of `to`."""

    source: str
    to: str
    slot: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from box `tail` to box `head`: "in" (arg to op or group) or "out" (op to its card).

    Uses between the same two boxes share a line if one of the boxes is a closed group.
    """

    tail: str
    head: str
    kind: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A group of the trace, or a range of lines: `id`, `parent`, `kind`, `title` (user text)."""

    id: str
    parent: str | None
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Graph:
    """What is drawn. `clusters` are the open groups that get a frame, outer before inner.

    `open` is the set of open groups, `refused` those that would have exceeded the limit,
    `sections` every group by id, and `grouped` says whether groups can be opened and closed.
    """

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[Section, ...]
    sections: dict[str, Section]
    grouped: bool
    open: frozenset[str]
    refused: tuple[str, ...]


def visible(
    trace: Trace,
    open_groups: frozenset[str] | None = None,
    limit: int = LIMIT,
    copy_over: int = COPY_OVER,
    grouped: bool | None = None,
    frames: bool = False,
) -> Graph:
    """What is drawn of `trace`.

    `grouped` None groups a trace of more than `limit` Values. In a grouped picture `open_groups`
    are open as far as `limit` boxes allow; None opens a good part: the groups that hold groups.
    An ungrouped picture shows everything, with frames around its groups if `frames`.
    """
    if grouped is None:
        grouped = len(trace.nodes) > limit
    tree = _tree(trace, grouped)
    opened: frozenset[str] = frozenset(tree.sections)
    refused: tuple[str, ...] = ()
    if grouped:
        opened, refused = _opened(tree, open_groups, limit)
    return _Picture(trace, tree, opened, grouped or frames, copy_over).graph(grouped, refused)


def symbol(op: str) -> str:
    """What stands in the circle of an op."""
    return OPS[op].symbol if op in OPS else op


def op_size(op: str) -> tuple[float, float]:
    """A circle of radius 15, or a wider pill for a word of four letters or more."""
    length = len(symbol(op))
    return (30.0, 30.0) if length < 4 else (18.0 + 7.0 * length, 30.0)


# The tree of groups


@dataclass(slots=True)
class _Tree:
    """`homes` of Values, `children` and number of `members` of each level (None is the top).

    An input that several groups inside its home share is drawn `outside` the frame, where it was
    made, as long as its home is open.
    """

    sections: dict[str, Section]
    homes: dict[str, str | None]
    outside: dict[str, str | None] = field(default_factory=dict)
    children: dict[str | None, list[str]] = field(default_factory=dict)
    members: dict[str | None, int] = field(default_factory=dict)

    def size(self, level: str | None) -> int:
        return len(self.children.get(level, ())) + self.members.get(level, 0)

    def count(self, trace: Trace) -> None:
        """Fill `children` and `members`, and forget groups that hold nothing."""
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


def _tree(trace: Trace, gather: bool) -> _Tree:
    sections = {
        group.id: Section(group.id, group.parent, group.kind, group.title) for group in trace.groups
    }
    tree = _Tree(sections, {node.id: node.group for node in trace.nodes})
    _settle_leaves(trace, tree)
    tree.count(trace)
    if gather and _gather_leaves(trace, tree):
        tree.count(trace)
    if gather and any(tree.size(level) > CROWDED for level in (None, *tree.sections)):
        _gather_lines(trace, tree)
        _settle_leaves(trace, tree)
        tree.count(trace)
    return tree


def _settle_leaves(trace: Trace, tree: _Tree) -> None:
    """Move each leaf into the group that holds all its uses, if it is not deeper already."""
    tree.outside = {}
    chains = _chains(tree.sections)
    common: dict[str, tuple[str, ...]] = {}
    users: dict[str, set[str | None]] = {}
    for node in trace.nodes:
        chain = chains[tree.homes[node.id]]
        for arg in node.args:
            common[arg] = _shared(common[arg], chain) if arg in common else chain
            users.setdefault(arg, set()).add(tree.homes[node.id])
    for node in trace.nodes:
        home = tree.homes[node.id]
        if home is not None and tree.sections[home].kind == "leaves":
            continue
        if node.op is None and node.id in common:
            uses = common[node.id]
            own = chains[home]
            if uses and own[: len(uses)] != uses:
                tree.homes[node.id] = uses[-1]
                if uses[-1] not in users[node.id]:
                    tree.outside[node.id] = (None, *_shared(own, uses))[-1]


def _chains(sections: dict[str, Section]) -> dict[str | None, tuple[str, ...]]:
    """For each group the groups around it, outermost first, and itself."""
    chains: dict[str | None, tuple[str, ...]] = {None: ()}
    for key in sections:
        path = []
        level: str | None = key
        while level not in chains:
            assert level is not None
            path.append(level)
            level = sections[level].parent
        for inner in reversed(path):
            chains[inner] = (*chains[level], inner)
            level = inner
    return chains


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return one[:length]


def _gather_leaves(trace: Trace, tree: _Tree) -> bool:
    """Make groups of many leaves of one origin, such as the parameters of a network.

    Leaves used inside one group have moved there; these are shared by several, so that each
    would have edges all over the picture.
    """
    alike: dict[tuple[str | None, object], list[Node]] = {}
    for node in trace.nodes:
        if node.kind == "leaf":
            alike.setdefault((tree.homes[node.id], node.span), []).append(node)
    found = False
    for (level, _), leaves in alike.items():
        if len(leaves) >= ALIKE:
            found, line, column = True, leaves[0].span[0], leaves[0].span[1]
            name = f"leaves-{line}-{column}" if level is None else f"{level}-leaves-{line}-{column}"
            title = trace.source(leaves[0])
            tree.sections[name] = Section(name, level, "leaves", title)
            tree.homes |= {leaf.id: name for leaf in leaves}
    return found


# Ranges of lines


@dataclass(slots=True)
class _Item:
    """A member of a level: a Value (`node`) or a group (`section`), and its first lines."""

    first_line: int
    last_line: int
    node: str | None = None
    section: str | None = None


def _gather_lines(trace: Trace, tree: _Tree) -> None:
    """Give every crowded level ranges of lines as groups between it and its members."""
    for level, members in _items(trace, tree).items():
        if len(members) <= CROWDED:
            continue
        ranges = [_new_range(tree, level, part) for part in _parts(members)]
        while len(ranges) > RANGES:
            ranges = [_new_range(tree, level, part) for part in _slices(ranges, RANGES // 2)]


def _items(trace: Trace, tree: _Tree) -> dict[str | None, list[_Item]]:
    """The members of each level in tape order."""
    items: dict[str | None, list[_Item]] = {}
    seen: set[str] = set()
    line = 1
    for node in trace.nodes:
        if node.span is not None:
            line = node.span[0]
        if node.kind == "constant":
            continue
        level = tree.homes[node.id]
        items.setdefault(level, []).append(_Item(line, line, node=node.id))
        while level is not None and level not in seen:
            seen.add(level)
            group, level = level, tree.sections[level].parent
            beside = items.setdefault(level, [])
            at = beside[-1].last_line if beside else line  # where it is called, not its body
            beside.append(_Item(at, at, section=group))
    return items


def _parts(members: list[_Item]) -> Iterator[list[_Item]]:
    """Runs of about RANGE members that end with a line; a longer line is cut in parts."""
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


def _new_range(tree: _Tree, level: str | None, part: list[_Item]) -> _Item:
    """Add one range to the tree, between `level` and the members in `part`."""
    first = min(item.first_line for item in part)
    last = max(item.last_line for item in part)
    stem = f"lines-{first}-{last}" if level is None else f"{level}-lines-{first}-{last}"
    name, number = stem, 1
    while name in tree.sections:
        number += 1
        name = f"{stem}-{number}"
    tree.sections[name] = Section(name, level, "lines", _range_title(tree, part, first, last))
    for item in part:
        if item.node is not None:
            tree.homes[item.node] = name
        elif item.section is not None:
            old = tree.sections[item.section]
            tree.sections[old.id] = Section(old.id, name, old.kind, old.title)
    return _Item(first, last, section=name)


def _range_title(tree: _Tree, part: list[_Item], first: int, last: int) -> str:
    ends = [tree.sections[item.section] for item in (part[0], part[-1]) if item.section]
    if len(ends) == 2 and ends[0].kind == ends[1].kind != "lines":
        one, other = (end.title.partition(",")[0] for end in ends)
        return f"{one} … {other}"
    return f"lines {first}–{last}" if first != last else f"line {first}"


# Open and closed


def _opened(
    tree: _Tree, wanted: frozenset[str] | None, limit: int
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The groups that are open, and those that `limit` did not allow."""
    boxes = tree.size(None)
    opened: set[str] = set()
    refused: list[str] = []
    level = tree.children.get(None, [])
    while level:
        if wanted is None:
            some = level if boxes < FEW else [group for group in level if tree.children.get(group)]
            more = sum(tree.size(group) - 1 for group in some)
            if boxes + more > min(limit, COMFORTABLE):
                break  # siblings open together or not at all
        else:
            some = [group for group in level if group in wanted]
        for group in some:
            if boxes + tree.size(group) - 1 > limit:
                refused.append(group)
                continue
            boxes += tree.size(group) - 1
            opened.add(group)
        level = [
            child for group in some if group in opened for child in tree.children.get(group, ())
        ]
    return frozenset(opened), tuple(refused)


class _Picture:
    """Collects the boxes and edges of one picture in tape order."""

    def __init__(
        self, trace: Trace, tree: _Tree, opened: frozenset[str], framed: bool, copy_over: int
    ) -> None:
        self.trace = trace
        self.tree = tree
        self.opened = opened
        self.framed = framed
        self.copy_over = copy_over
        self.nodes = {node.id: node for node in trace.nodes}
        self.stand_ins = self._find_stand_ins()
        self.users = self._find_users()
        self.inside = self._find_inside()
        self.boxes: dict[str, Box] = {}
        self.edges: dict[object, tuple[str, str, list[Link]]] = {}

    def graph(self, grouped: bool, refused: Iterable[str]) -> Graph:
        for node in self.trace.nodes:
            if node.kind != "constant" or node.id not in self.users:
                self._add(node)
        clusters = [s for s in self.tree.sections.values() if s.id in self._used_clusters()]
        depths = {key: len(chain) for key, chain in _chains(self.tree.sections).items()}
        clusters.sort(key=lambda section: depths[section.id])
        edges = (
            Edge(tail, head, "out" if links[0].slot < 0 else "in", tuple(links))
            for tail, head, links in self.edges.values()
        )
        return Graph(
            tuple(self.boxes.values()),
            tuple(edges),
            tuple(clusters),
            self.tree.sections,
            grouped,
            self.opened,
            tuple(refused),
        )

    def _find_stand_ins(self) -> dict[str | None, str | None]:
        """For each group the outermost closed group around it, None if all are open."""
        stand_ins: dict[str | None, str | None] = {None: None}
        for key, chain in _chains(self.tree.sections).items():
            closed = (group for group in chain if group not in self.opened)
            stand_ins[key] = next(closed, None)
        return stand_ins

    def _find_users(self) -> dict[str, dict[str, int]]:
        """For each Value the boxes that use it, numbered from 1."""
        users: dict[str, dict[str, int]] = {}
        for node in self.trace.nodes:
            user = self._worker(node)
            for arg in node.args:
                boxes = users.setdefault(arg, {})
                if self.nodes[arg].kind == "constant" and user in self.tree.sections:
                    continue
                boxes.setdefault(user, len(boxes) + 1)
        return users

    def _find_inside(self) -> dict[str, list[str]]:
        inside: dict[str, list[str]] = {}
        for node in self.trace.nodes:
            group = self._stand_in(node)
            if group is not None and node.kind != "constant":
                inside.setdefault(group, []).append(node.id)
        return inside

    def _stand_in(self, node: Node) -> str | None:
        return self.stand_ins[self.tree.homes[node.id]]

    def _worker(self, node: Node) -> str:
        """The box in which `node` is computed: its op or a closed group."""
        return self._stand_in(node) or f"{node.id}.op"

    def _cluster(self, group: str | None) -> str | None:
        return group if self.framed else None

    def _used_clusters(self) -> set[str]:
        used: set[str] = set()
        for box in self.boxes.values():
            level = box.cluster
            while level is not None and level not in used:
                used.add(level)
                level = self.tree.sections[level].parent
        return used

    def _add(self, node: Node) -> None:
        """Add the boxes of `node` and the edges that lead to them."""
        group = self._stand_in(node)
        for slot, arg in enumerate(node.args):
            source = self._source(self.nodes[arg], node)
            if source is not None and source != group:
                self._connect(source, self._worker(node), Link(arg, node.id, slot))
        if group is not None:
            self._add_group(group)
        elif node.op is not None:
            home = self._cluster(self.tree.homes[node.id])
            width, height = op_size(node.op)
            shape = "circle" if width == height else "pill"
            op = Box(f"{node.id}.op", "op", node.id, shape, width, height, home)
            self.boxes[op.id] = op
            self._add_value(node, "card", home)
            self._connect(op.id, node.id, Link(node.id, node.id, -1))
        elif not self._is_copied(node):
            home = self.tree.outside.get(node.id, self.tree.homes[node.id])
            self._add_value(node, self._shape(node), self._cluster(home))

    def _source(self, arg: Node, user: Node) -> str | None:
        """The box from which `arg` reaches `user`; copies are made here. None if not drawn."""
        worker = self._worker(user)
        if not self._is_copied(arg):
            return self._stand_in(arg) or arg.id
        number = self.users[arg.id].get(worker)
        if number is None:
            return None
        copies = len(self.users[arg.id])
        name = f"{arg.id}.{number}"
        if name not in self.boxes:
            group = self._stand_in(user)
            home = self.tree.homes[user.id] if group is None else self.tree.sections[group].parent
            copy = number if copies > 1 else 0
            self._add_value(arg, self._shape(arg), self._cluster(home), name, copy, copies)
        return name

    def _is_copied(self, node: Node) -> bool:
        if node.kind == "constant":
            return node.id in self.users
        users = self.users.get(node.id, {})
        groups = sum(user in self.tree.sections for user in users)
        often = len(users) - groups > self.copy_over or groups > RANGES
        return node.kind == "leaf" and often and self._stand_in(node) is None

    def _shape(self, node: Node) -> str:
        if node.kind == "constant":
            return "named-constant" if node.label else "constant"
        return "copy" if self._is_copied(node) else "card"

    def _add_value(
        self,
        node: Node,
        shape: str,
        cluster: str | None,
        name: str = "",
        copy: int = 0,
        copies: int = 0,
    ) -> None:
        width, height = SIZES[shape]
        name = name or node.id
        self.boxes[name] = Box(
            name, "value", node.id, shape, width, height, cluster, copy, copies if copy else 0
        )

    def _add_group(self, group: str) -> None:
        if group in self.boxes:
            return
        inside = tuple(self.inside[group])
        shape = "leaves" if self.tree.sections[group].kind == "leaves" else "group"
        shown = inside[-1] if shape == "group" else ""
        width, height = SIZES[shape]
        home = self._cluster(self.tree.sections[group].parent)
        self.boxes[group] = Box(
            group, "group", group, shape, width, height, home, inside=inside, shown=shown
        )

    def _connect(self, tail: str, head: str, link: Link) -> None:
        merged = tail in self.tree.sections or head in self.tree.sections
        key: object = (tail, head) if merged else link
        _, _, links = self.edges.setdefault(key, (tail, head, []))
        links.append(link)
