"""Selection of the boxes and edges of a picture, with closed groups in place of their contents.

A small trace is drawn in full: a card per Value, a circle per op. A large one is *grouped*: a
neuron, layer, loop or range of lines is one closed box until it is opened. In both, the formula of
an object is one operation with the object's card behind it until it is opened, and an array is one
box with its cells. The selection is a pure function of the trace's structure, independent of its
numbers.

    home        the group (`group_tree`) in which a Value is drawn
    stand-in    the outermost closed group around a home, drawn in its place
    copy        a constant or frequently used leaf is drawn once near each of its uses
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.picture.array_grid import array_grid
from app.picture.crowding import is_boxed
from app.picture.group_tree import RANGES, DrawnGroup, GroupTree, group_tree
from app.picture.samples import other_samples
from app.picture.shapes import SIZES, formula_size, op_size, outputs_size
from engine.trace.model import Node
from engine.trace.traced import Trace

LIMIT = 1000  # Values per picture
COPY_OVER = 4  # uses of a leaf above which it is copied
COMFORTABLE = 60  # boxes up to which a grouped picture opens groups by default
FEW = 4  # boxes below which even an innermost group is opened
OUTPUTS = 8  # results of a closed group that are shown in it


@dataclass(frozen=True, slots=True)
class Box:
    """A box to place: "value" or "op" of the Value `of`; "group", "formula", "array" of a group.

    `copy` counts from 1 if a leaf or constant is drawn `copies` times, else it is 0. A closed group
    has its Values, `inside`, and the last of them, `shown`, unless all are leaves; if several are
    used outside of it, these are its `outputs` and none is `shown`. A closed formula has its Values
    but the last, `shown`, whose card follows it. A closed array has the Values in it
    that are not among the cells that it shows.
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
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueUse:
    """One use of a Value, as argument `slot` of `to`."""

    source: str
    to: str
    slot: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from box `tail` to box `head`: "in" (arg to op or group) or "out" (op to its card).

    Uses between the same two boxes share a line if one of the boxes is a closed group; `merged`
    says so, except for formulas, whose args look like those of an op.
    """

    tail: str
    head: str
    kind: str
    links: tuple[ValueUse, ...]
    merged: bool = False


@dataclass(frozen=True, slots=True)
class VisibleGraph:
    """The visible graph. `clusters` are the open groups with a frame, outer before inner.

    `open` is the set of open groups, `refused` those that would exceed the limit, `sections` every
    group by id; `grouped` is true if groups can be opened and closed.
    """

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[DrawnGroup, ...]
    sections: dict[str, DrawnGroup]
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
    over: int = LIMIT,
) -> VisibleGraph:
    """The visible graph of `trace`.

    With `grouped` None, a trace of more than `over` cards is grouped, and one of more than `limit`
    Values always is. In a grouped picture `open_groups` are open, within `limit` boxes; None opens
    the groups that contain groups, of several samples the first. An ungrouped picture shows
    everything, with frames around groups if `frames`. In both, formulas and arrays are open only if
    they are in `open_groups`.
    """
    grouped = is_boxed(trace, grouped, over, limit)
    tree = group_tree(trace, grouped)
    wanted = frozenset(filter(tree.can_open, (open_groups or frozenset()) & tree.sections.keys()))
    opened = frozenset(
        key for key, s in tree.sections.items() if not s.is_folded or s.expands or key in wanted
    )
    samples = other_samples(trace, tree) if grouped and open_groups is None else frozenset()
    opened, refused = _opened(tree, open_groups, limit, samples) if grouped else (opened, ())
    return _Picture(trace, tree, opened, grouped or frames, copy_over).graph(grouped, refused)


def _opened(
    tree: GroupTree, wanted: frozenset[str] | None, limit: int, samples: frozenset[str]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The groups that are open, and those that `limit` did not allow; `samples` stay closed."""
    boxes = tree.size(None)
    opened: set[str] = set()
    refused: list[str] = []
    networks = tree.around_neurons() if wanted is None else set()
    level = tree.children.get(None, [])
    while level:
        if wanted is None:
            some = [g for g in level if g not in samples and _opens_itself(tree, g, boxes)]
            room = min(limit, COMFORTABLE) - boxes
            if tree.growth(some) > room:  # then networks, without what is made of their weights
                some = [group for group in some if group in networks]
            if tree.growth(some) > room:
                some = []  # siblings are opened together
        else:
            some = [group for group in level if group in wanted and tree.can_open(group)]
        some += [g for g in level if tree.sections[g].expands and g not in some]
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


def _opens_itself(tree: GroupTree, group: str, boxes: int) -> bool:
    """Whether a group among `boxes` boxes is open by default: one that contains groups."""
    if tree.sections[group].is_folded:
        return False
    inner = (tree.sections[child] for child in tree.children.get(group, ()))
    return boxes < FEW or not all(section.is_folded for section in inner)


class _Picture:
    """Collects the boxes and edges of one picture in tape order."""

    def __init__(
        self, trace: Trace, tree: GroupTree, opened: frozenset[str], framed: bool, copy_over: int
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
        self.results = self._find_results()
        self.boxes: dict[str, Box] = {}
        self.copied: dict[str, bool] = {}
        self.edges: dict[object, tuple[str, str, list[ValueUse]]] = {}

    def graph(self, grouped: bool, refused: Iterable[str]) -> VisibleGraph:
        for node in self.trace.nodes:
            is_unused = node.kind == "constant" and node.id not in self.users
            if is_unused and self.trace.opened:
                continue  # the exponent of an open a ** 2
            if node.kind != "constant" or is_unused:
                self._add(node)
        used = self._used_clusters()
        clusters = [section for section in self.tree.sections.values() if section.id in used]
        depths = {key: len(chain) for key, chain in self.tree.chains().items()}
        clusters.sort(key=lambda section: depths[section.id])
        edges = (
            Edge(
                tail, head, "out" if links[0].slot < 0 else "in", tuple(links),
                self._is_group(tail) or self._is_group(head),
            )
            for tail, head, links in self.edges.values()
        )  # fmt: skip
        return VisibleGraph(
            tuple(self.boxes.values()),
            tuple(edges),
            tuple(clusters),
            self.tree.sections,
            grouped,
            self.opened,
            tuple(refused),
        )

    def _find_stand_ins(self) -> dict[str | None, str | None]:
        """For each group, the outermost closed group around it; None if all are open."""
        stand_ins: dict[str | None, str | None] = {None: None}
        for key, chain in self.tree.chains().items():
            closed = (group for group in chain if group not in self.opened)
            stand_ins[key] = next(closed, None)
        return stand_ins

    def _find_users(self) -> dict[str, dict[str, int]]:
        """For each Value, the boxes that use it, numbered from 1."""
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

    def _find_results(self) -> dict[str, str]:
        """The closed formulas by their results, which have cards of their own."""
        closed = [group for group in self.inside if self.tree.sections[group].is_formula]
        return {self.inside[group][-1]: group for group in closed}

    def _is_group(self, box: str) -> bool:
        """Whether a box is a closed group that is neither a formula nor an array."""
        return box in self.tree.sections and not self.tree.sections[box].is_folded

    def _stand_in(self, node: Node) -> str | None:
        return self.stand_ins[self.tree.homes[node.id]]

    def _worker(self, node: Node) -> str:
        """The box that computes `node`: its op or a closed group."""
        return self._stand_in(node) or f"{node.id}.op"

    def _cluster(self, group: str | None) -> str | None:
        """The innermost frame around what is in `group`; formulas and arrays always have one."""
        while not (group is None or self.framed or self.tree.sections[group].is_folded):
            group = self.tree.sections[group].parent
        return group

    def _used_clusters(self) -> set[str]:
        used: set[str] = set()
        for box in self.boxes.values():
            level = box.cluster
            while level is not None and level not in used:
                used.add(level)
                level = self._cluster(self.tree.sections[level].parent)
        return used

    def _add(self, node: Node) -> None:
        """Add the boxes of `node` and their incoming edges."""
        group = self._stand_in(node)
        for slot, arg in enumerate(node.args):
            source = self._source(self.nodes[arg], node)
            if source is not None and source != group:
                self._connect(source, self._worker(node), ValueUse(arg, node.id, slot))
        if group is not None:
            self._add_group(group)
            if node.id in self.results:
                home = self._cluster(self.tree.sections[group].parent)
                self._add_value(node, "card", home)
                self._connect(group, node.id, ValueUse(node.id, node.id, -1))
        elif node.op is not None:
            home = self._cluster(self.tree.homes[node.id])
            width, height = op_size(node.op)
            shape = "circle" if width == height else "pill"
            op = Box(f"{node.id}.op", "op", node.id, shape, width, height, home)
            self.boxes[op.id] = op
            self._add_value(node, "card", home)
            self._connect(op.id, node.id, ValueUse(node.id, node.id, -1))
        elif not self._is_copied(node):
            home = self.tree.outside.get(node.id, self.tree.homes[node.id])
            self._add_value(node, self._shape(node), self._cluster(home))

    def _source(self, arg: Node, user: Node) -> str | None:
        """The box from which `arg` reaches `user`, a new one for a copy; None if not drawn."""
        worker = self._worker(user)
        if not self._is_copied(arg):
            return arg.id if arg.id in self.results else self._stand_in(arg) or arg.id
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
        if node.id not in self.copied:
            self.copied[node.id] = self._is_to_be_copied(node)
        return self.copied[node.id]

    def _is_to_be_copied(self, node: Node) -> bool:
        if node.kind == "constant":
            return node.id in self.users
        users = self.users.get(node.id, {})
        groups = sum(map(self._is_group, users))
        often = len(users) - groups > self.copy_over or groups > RANGES
        home = self.tree.homes[node.id]
        is_cell = home is not None and self.tree.sections[home].is_array
        return node.kind == "leaf" and often and not is_cell and self._stand_in(node) is None

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
        section, inside = self.tree.sections[group], tuple(self.inside[group])
        home = self._cluster(section.parent)
        if section.is_formula:
            size = formula_size(section.title)
            *inner, last = inside
            self.boxes[group] = Box(
                group, "formula", group, "formula", *size, home, inside=tuple(inner), shown=last
            )
            return
        if section.is_array:
            grid = array_grid(section.shape)
            shown_cells = {section.cells[cell.index] for cell in grid.cells}
            inner = [node for node in inside if node not in shown_cells]
            self.boxes[group] = Box(
                group, "array", group, "array", grid.width, grid.height, home, inside=tuple(inner)
            )
            return
        shape = "leaves" if section.kind == "leaves" else "group"
        outputs = self._outputs(group) if shape == "group" else ()
        if len(outputs) > 1:
            size = outputs_size(len(outputs))
            self.boxes[group] = Box(
                group, "group", group, "outputs", *size, home, inside=inside, outputs=outputs
            )
            return
        shown = (outputs or inside)[-1] if shape == "group" else ""
        self.boxes[group] = Box(
            group, "group", group, shape, *SIZES[shape], home, inside=inside, shown=shown
        )

    def _outputs(self, group: str) -> tuple[str, ...]:
        """The first results of a closed group: what it computes for others, and the output."""
        found = []
        for name in self.inside[group]:
            node = self.nodes[name]
            is_used = any(user != group for user in self.users.get(name, ()))
            if node.args and (is_used or name == self.trace.drawn):
                found.append(name)
        return tuple(found[:OUTPUTS])

    def _connect(self, tail: str, head: str, link: ValueUse) -> None:
        merged = tail in self.tree.sections or head in self.tree.sections
        key: object = (tail, head) if merged else link
        _, _, links = self.edges.setdefault(key, (tail, head, []))
        links.append(link)
