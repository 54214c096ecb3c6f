"""Contributions as numbers on the edges, and the classes of lines as strong as they are.

<g class="edge in … made s5">     contributions came along it, with the strength 5 of 8
<g class="amount new" …>          its number; `new` if the current frame brought it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from app.picture.cards import DUE_HEIGHT
from app.picture.contributions import Carried, Contributions, contributions, words
from app.picture.edge_labels import HEIGHT, SIZE, Spot, around, spots
from app.picture.grouping import Edge
from app.picture.layout import Placement
from app.picture.scene import SPOKEN, DrawnFrame
from app.picture.steps import clusters, folded
from app.picture.text import escaped, script_json
from engine.numbers import in_room
from engine.trace.traced import Trace


def strength(carried: Carried) -> str:
    """The classes of an edge that contributions came along."""
    return f" made {carried.level}{' new' if carried.is_new else ''}"


def several(carried: Carried | None) -> str:
    """The title of an edge whose contributions went to several Values, which have no sum."""
    if carried is None or carried.amount is not None:
        return ""
    return f"<title>{escaped(words(carried, '', ''))}</title>"


class EdgeAmounts(NamedTuple):
    """What edges show, for the page's scripts, and samples of lines for a caption."""

    json: Markup
    samples: Sequence[tuple[str, str]] = ()


def edge_amounts(trace: Trace, placement: Placement) -> EdgeAmounts:
    """The contributions along the edges of a picture.

    By the place of an edge in order its arrivals: frame, slot, class of the line, number where
    there is room for one, and title.
    """
    found = contributions(trace, folded(trace, clusters(placement.graph)))

    def arrivals(edge: Edge, spot: Spot | None) -> list[Any]:
        return [
            (at, slot, now.level, _text(now, spot), _title(found, edge, now, has_spot=bool(spot)))
            for at, slot, now in found.arrivals(edge)
        ]

    pairs = zip(placement.graph.edges, _spots(trace, placement), strict=True)
    edges = {index: arrivals(*pair) for index, pair in enumerate(pairs)}
    come = script_json({index: come for index, come in edges.items() if come})
    return EdgeAmounts(come, found.samples())


def amounts(scene: DrawnFrame, found: Contributions) -> Iterator[str]:
    """The numbers, those on the page also where none has come yet."""
    edges = scene.placement.graph.edges
    all_spots = _spots(scene.trace, scene.placement)
    for index, (edge, spot) in enumerate(zip(edges, all_spots, strict=True)):
        carried = found.at(edge, scene.step) if spot else None
        text = _text(carried, spot)
        if spot and (text or scene.page):
            yield _amount(scene, found, index, spot, text, carried)


def _spots(trace: Trace, placement: Placement) -> list[Spot | None]:
    below = DUE_HEIGHT if trace.verdict is not None or trace.broken is not None else 0
    return spots(placement, below)


def _title(found: Contributions, edge: Edge, carried: Carried, *, has_spot: bool) -> str:
    """The title of an edge's number, or of the edge itself if several Values have no sum."""
    if not has_spot:
        return words(carried, "", "") if carried.amount is None else ""
    link = edge.links[0]
    user = found.users.get(link.to, link.to)
    to, through = (found.nodes[node].name[:SPOKEN] for node in (link.source, user))
    return words(carried, to, through)


def _text(carried: Carried | None, spot: Spot | None) -> str:
    if carried is None or spot is None or carried.amount is None:
        return ""
    return in_room(carried.amount, spot.room)


def _amount(
    scene: DrawnFrame,
    found: Contributions,
    index: int,
    spot: Spot,
    text: str,
    carried: Carried | None,
) -> str:
    look = "amount" + (" new" if carried and carried.is_new else "") + ("" if text else " none")
    rect = around(0, 0, max(len(text), 1))
    body = (
        f'<rect{scene.part("tag", look)} x="{rect.x:g}" y="{-HEIGHT / 2:g}"'
        f' width="{rect.width:g}" height="{HEIGHT:g}" rx="4"/>'
        f'<text{scene.part("sum", look)} y="{SIZE * 0.36:g}">{text}</text>'
    )
    place = f'transform="translate({spot.x:.1f} {spot.y:.1f})"'
    if not scene.page:
        return f"<g {place}>{body}</g>"
    title = ""
    if carried:
        edge = scene.placement.graph.edges[index]
        title = f"<title>{escaped(_title(found, edge, carried, has_spot=True))}</title>"
    return f'<g class="{look}" data-edge="{index}" {place}>{title}{body}</g>'
