"""The graph of whole arrays: a card for each, of one size on all frames, shapes on the edges.

Cards stand in rows, each below what it was computed from. Scripts show a frame by classes alone:

    <svg class="array-picture"><path class="flow" data-from="a1" data-to="a4"/>
    <g class="array-node" data-array="a4">  header, <g class="map of-data">, <g class="map of-grad">
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

from app.picture.array_map import ArrayMapSize, array_map, map_size
from app.picture.text import CHARACTER, escaped, fitted
from engine.numbers import counted, short
from engine.trace.array_trace import ArrayTrace, TracedArray

PAD, HEAD, LINE = 8.0, 36.0, 14.0
LEAST = 118.0
BETWEEN, DOWN = 26.0, 44.0
"""Between cards beside each other, and between rows."""
MOST = 168.0
"""Width and height of a map without numbers."""
NO_LINKS: Mapping[str, str] = {}
BINS = 14
CHART = 20.0
"""Height of a histogram."""
MARGIN, APART = 10.0, 12.0
SIGNS = {"permute": "transpose", "amax": "max", "amin": "min", "*": "×", "neg": "−x"}


@dataclass(frozen=True, slots=True)
class ArrayCard:
    """The card of an array and its place."""

    node: TracedArray
    size: ArrayMapSize
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def shape_text(shape: Sequence[int]) -> str:
    """4×3; the length alone of one axis, "1" of a number."""
    return "×".join(map(str, shape)) or "1"


def array_cards(trace: ArrayTrace) -> dict[str, ArrayCard]:
    """The cards with their places: they depend on the shapes and names of the arrays alone."""
    drawn = {node.id: node for node in trace.nodes if not node.is_constant}
    rows = _rows(drawn)
    cards = {id_: _card(node) for id_, node in drawn.items()}
    width = max((_width(row, cards) for row in rows), default=0.0)
    placed: dict[str, ArrayCard] = {}
    down = MARGIN
    for row in rows:
        order = sorted(row, key=lambda id_: _wanted(drawn[id_], placed, row.index(id_)))
        across = MARGIN + (width - _width(row, cards)) / 2
        for id_ in order:
            it = cards[id_]
            placed[id_] = ArrayCard(it.node, it.size, it.width, it.height, across, down)
            across += it.width + BETWEEN
        down += max(cards[id_].height for id_ in row) + DOWN
    return placed


def _width(row: Sequence[str], cards: Mapping[str, ArrayCard]) -> float:
    return sum(cards[id_].width for id_ in row) + BETWEEN * (len(row) - 1)


def _wanted(node: TracedArray, placed: Mapping[str, ArrayCard], at: int) -> tuple[float, int]:
    """Where a card would stand: below what it was computed from."""
    above = [placed[arg].middle for arg in node.drawn_args if arg in placed]
    return (sum(above) / len(above) if above else float("inf"), at)


def _rows(drawn: Mapping[str, TracedArray]) -> list[list[str]]:
    """Each array below its arguments, leaves right above what uses them first."""
    depth: dict[str, int] = {}
    for id_, node in drawn.items():
        above = [
            depth[arg] for arg in node.drawn_args if arg in depth and drawn[arg].op is not None
        ]
        leaves = any(arg in drawn and drawn[arg].op is None for arg in node.drawn_args)
        if node.op is not None:
            depth[id_] = max([*(d + 1 for d in above), int(leaves)])
        else:
            depth[id_] = 0
    for id_, node in drawn.items():
        if node.op is None:
            users = [depth[other.id] for other in drawn.values() if id_ in other.drawn_args]
            depth[id_] = max(min(users, default=1) - 1, 0)
    last = max(depth.values(), default=-1)
    return [[id_ for id_ in drawn if depth[id_] == level] for level in range(last + 1)
            if any(d == level for d in depth.values())]  # fmt: skip


def _card(node: TracedArray) -> ArrayCard:
    size = map_size(node.data.shape, MOST)
    beside = is_beside(node, size)
    maps = 1 if beside else 1 + (node.grad is not None)
    head = (min(len(node.name), 20) + len(shape_text(node.data.shape)) + 3) * 12 * CHARACTER
    inner = 2 * (size.width + 4) + APART if beside else size.width + 4
    width = max(LEAST, inner + 2 * PAD, head + 2 * PAD)
    figures = 0.0 if size.has_numbers else CHART + LINE + 4
    height = HEAD + maps * (size.height + LINE + figures + 6) + 2
    return ArrayCard(node, size, width, height)


@dataclass(frozen=True, slots=True)
class ArrayState:
    """A frame of the picture: the arrays whose data and gradients are known, the active ones."""

    pass_: str
    active: str
    data: frozenset[str]
    grads: frozenset[str]
    now: frozenset[str]

    def look(self, id_: str) -> str:
        """The classes of an array's card in this frame."""
        looks = (("has-data", self.data), ("has-grad", self.grads), ("now", self.now))
        return "".join(f" {look}" for look, ids in looks if id_ in ids)


def is_beside(node: TracedArray, size: ArrayMapSize) -> bool:
    """Whether data and gradient stand beside each other, not one below the other."""
    return node.grad is not None and 2 * size.width + APART <= MOST


def array_picture(
    trace: ArrayTrace, label: str, state: ArrayState, at: int = 0,
    links: Mapping[str, str] = NO_LINKS,
) -> str:  # fmt: skip
    """The picture as SVG, at the frame `at`; `links` open the closed boxes, by their results."""
    cards = array_cards(trace)
    width = max((it.x + it.width for it in cards.values()), default=0.0) + MARGIN
    height = max((it.y + it.height for it in cards.values()), default=0.0) + MARGIN
    flows = "".join(_flow(cards[arg], it) for it in cards.values() for arg in
                    dict.fromkeys(it.node.drawn_args) if arg in cards)  # fmt: skip
    body = "".join(_drawn(it, state.look(id_), links.get(id_, "")) for id_, it in cards.items())
    return (
        f'<svg class="picture array-picture {state.pass_}" data-frame="{at}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="group" aria-label="{escaped(label)}">'
        f"{flows}{body}</svg>"
    )


def _flow(above: ArrayCard, below: ArrayCard) -> str:
    """The edge from an argument to a result, with the argument's shape on it."""
    x, y = above.middle, above.y + above.height
    args = list(dict.fromkeys(below.node.drawn_args))
    share = (args.index(above.node.id) + 1) / (len(args) + 1)
    to_x, to_y = below.x + below.width * share, below.y
    bend = max((to_y - y) / 2, 14.0)
    bends = f"{x:.1f} {y + bend:.1f} {to_x:.1f} {to_y - bend:.1f}"
    path = f"M{x:.1f} {y:.1f}C{bends} {to_x:.1f} {to_y:.1f}"
    ids = f'data-from="{above.node.id}" data-to="{below.node.id}"'
    shape = shape_text(above.node.data.shape)
    at_y = to_y - DOWN / 2 + 4
    at_x = _across(x, to_x, (y, y + bend, to_y - bend, to_y), at_y - 4)
    room = len(shape) * 11 * CHARACTER + 6
    return (
        f'<g class="flow" {ids}><path d="{path}"/>'
        f'<rect x="{at_x - room / 2:.1f}" y="{at_y - 10:.1f}" width="{room:.1f}" height="13"/>'
        f'<text x="{at_x:.1f}" y="{at_y:.1f}">{shape}</text></g>'
    )


def _across(x: float, to_x: float, ys: tuple[float, float, float, float], y: float) -> float:
    """Where an edge from x to to_x, vertical at both ends, is at the height y."""
    low, high = 0.0, 1.0
    for _ in range(12):
        t = (low + high) / 2
        s = 1 - t
        reached = s**3 * ys[0] + 3 * s * s * t * ys[1] + 3 * s * t * t * ys[2] + t**3 * ys[3]
        low, high = (t, high) if reached < y else (low, t)
    return x + (to_x - x) * low * low * (3 - 2 * low)


def _drawn(card: ArrayCard, look: str, link: str) -> str:
    node = card.node
    shape = shape_text(node.data.shape)
    op = SIGNS.get(node.op or "", node.op or "")
    name = fitted(node.name, card.width - 2 * PAD - (len(shape) + 2) * 11 * CHARACTER, 12)
    title = f"{node.name}, {shape}, {node.dtype}"
    right = card.width - PAD
    kind = "leaf" if node.op is None else "boxed" if node.members else "computed"
    by = f'<text class="by" x="{PAD:g}" y="30">{escaped(op or "leaf")}</text>'
    if node.members:
        room = card.width - 2 * PAD - (len(node.dtype) + 1) * 10 * CHARACTER
        words = fitted(f"⊞ {counted(node.members, 'operation')}", room, 11)
        opens = f"Open {op}"
        by = (
            f'<a href="{escaped(link)}" aria-label="{escaped(opens)}"><title>{escaped(opens)}'
            f'</title><text class="by" x="{PAD:g}" y="30">{words}</text></a>'
        )
    dtype = f'<text class="dtype" x="{right:.1f}" y="30">{escaped(node.dtype)}</text>'
    head = (
        f'<rect class="card" width="{card.width:.1f}" height="{card.height:.1f}" rx="7"/>'
        f'<text class="name" x="{PAD:g}" y="16">{escaped(name)}</text>'
        f'<text class="shape" x="{right:.1f}" y="16">{shape}</text>{by}{dtype}'
    )
    step = card.size.height + LINE + 6 + (0.0 if card.size.has_numbers else CHART + LINE + 4)
    maps = _map(card, "data", HEAD)
    if is_beside(node, card.size):
        maps += _map(card, "grad", HEAD, card.size.width + 4 + APART)
    elif node.grad is not None:
        maps += _map(card, "grad", HEAD + step)
    return (
        f'<g class="array-node {kind}{look}" data-array="{node.id}" tabindex="0" role="group" '
        f'aria-label="{escaped(title)}" transform="translate({card.x:.1f} {card.y:.1f})">'
        f"{head}{maps}</g>"
    )


def _map(card: ArrayCard, role: str, down: float, right: float = 0.0) -> str:
    """Data or gradient: the map, and without numbers its histogram and figures."""
    node = card.node
    array = node.data if role == "data" else node.grad
    assert array is not None
    word = "data" if role == "data" else "gradient"
    found = array_map(
        array.data, array.shape, role, label=f"{word} of {node.name}", most=MOST,
        prefix=f"{node.id} ",
    )  # fmt: skip
    inner = found.replace("<svg ", f'<svg x="{PAD - 2:g}" y="{LINE:g}" ', 1)
    later = array_map(None, array.shape, role, label="", most=MOST)
    empty = later.replace("<svg ", f'<svg x="{PAD - 2:g}" y="{LINE:g}" aria-hidden="true" ', 1)
    more = ""
    if not card.size.has_numbers:
        room = card.width - 2 * PAD
        if is_beside(node, card.size):
            room = (room - APART) / 2
        more = _figures(array.data, card.size.height + LINE + 6, room)
    return (
        f'<g class="map of-{role}" transform="translate({right:.1f} {down:.1f})">'
        f'<text class="role" x="{PAD:g}" y="9">{word}</text>'
        f'<g class="reached">{inner}{more}</g><g class="not-yet">{empty}</g></g>'
    )


def _figures(data: Sequence[float], down: float, room: float) -> str:
    """A histogram from the least to the largest number, and mean and size of the numbers."""
    known = [x for x in data if isfinite(x)]
    if not known:
        return ""
    low, high = min(known), max(known)
    counts = [0] * BINS
    for x in known:
        counts[min(int((x - low) / (high - low) * BINS), BINS - 1) if high > low else 0] += 1
    bar, top = room / BINS, max(counts)
    bars = "".join(
        f'<rect x="{PAD + i * bar:.1f}" y="{down + CHART * (1 - n / top):.1f}" '
        f'width="{bar - 1:.1f}" height="{CHART * n / top:.1f}"/>'
        for i, n in enumerate(counts)
        if n
    )
    mean = sum(known) / len(known)
    norm = sqrt(sum(x * x for x in known))
    odd = len(data) - len(known)
    said = f"{low + 0.0:.2g} … {high + 0.0:.2g}".replace("-", "−") + (f", {odd} odd" if odd else "")
    title = f"mean {short(mean)}, norm {short(norm)}"
    return (
        f'<g class="histogram"><title>{title}</title>{bars}'
        f'<text x="{PAD:g}" y="{down + CHART + 11:.1f}">{said}</text></g>'
    )
