"""Contributions as numbers on the edges, and the classes of lines as strong as they are.

<g class="edge in … made s5">     contributions came along it, with the strength 5 of 8
<g class="amount new" …>          its number; `new` if the current frame brought it
"""

from __future__ import annotations

from collections.abc import Iterator

from app.picture.cards import DUE_HEIGHT
from app.picture.contributions import Carried, Contributions, words
from app.picture.edge_labels import HEIGHT, SIZE, Spot, around, spots
from app.picture.scene import SPOKEN, DrawnFrame
from app.picture.text import escaped
from engine.numbers import in_room


def strength(carried: Carried) -> str:
    """The classes of an edge that contributions came along."""
    return f" made {carried.level}{' new' if carried.is_new else ''}"


def several(carried: Carried | None) -> str:
    """The title of an edge whose contributions went to several Values, which have no sum."""
    if carried is None or carried.amount is not None:
        return ""
    return f"<title>{escaped(words(carried, '', ''))}</title>"


def amounts(scene: DrawnFrame, found: Contributions) -> Iterator[str]:
    """The numbers, those on the page also where none has come yet."""
    edges = scene.placement.graph.edges
    below = DUE_HEIGHT if scene.trace.verdict is not None or scene.trace.broken is not None else 0
    for index, (edge, spot) in enumerate(zip(edges, spots(scene.placement, below), strict=True)):
        carried = found.at(edge, scene.step) if spot else None
        text = _text(carried, spot)
        if spot and (text or scene.page):
            yield _amount(scene, found, index, spot, text, carried)


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
        link = scene.placement.graph.edges[index].links[0]
        user = found.users.get(link.to, link.to)
        to, through = (scene.nodes[node].name[:SPOKEN] for node in (link.source, user))
        title = f"<title>{escaped(words(carried, to, through))}</title>"
    return (
        f'<g class="{look}" data-edge="{index}" data-room="{spot.room}" {place}>{title}{body}</g>'
    )
