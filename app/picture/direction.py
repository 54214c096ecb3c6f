"""The direction of a picture for which the address names none: the one in which it is larger.

A formula of a few operations is a long row from left to right; on a screen that is wider than high
it may still be read more easily from top to bottom. From left to right is preferred among equals,
where the picture fits at its full size, and where it has to be moved about in both directions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from app.picture.grouping import Box
from app.picture.layout import MARGIN, Geometry, Placement

ROOM = 690.0, 610.0
"""Width and height for a picture on a screen of 1440 × 860 pixels."""
EMBEDDED = 736.0, 330.0
"""The same in an iframe of 760 × 560 pixels."""
SCREEN = 1280, 720
"""A screen on which a picture is presented, where it is not known."""
WORDS = 0.26
"""The share of a screen that the words have beside a presented picture. As in `present.css`."""
LEAST = 900
"""The width of a screen from which they stand beside it."""
MOST = 100  # boxes up to which two layouts are compared
GAIN = 1.1  # by which a picture has to be larger from top to bottom
FEW = 9  # boxes up to which a picture mostly fits from left to right
WHOLE = 0.5  # least scale at which a picture is turned so that it fits as a whole
GAP = 72 * 0.3  # least distance of neighbours in a rank


Room = tuple[float, float]


def presented(screen: tuple[int, int] | None) -> tuple[Room, Room]:
    """The rooms for a presented picture: above its words, and from top to bottom beside them."""
    width, height = screen or SCREEN
    above = 0.95 * width, 0.71 * height - 48
    has_side = width >= LEAST and width > height
    return above, ((1 - WORDS) * width, height - 13.0) if has_side else above


def larger(
    place: Callable[[str], Placement], boxes: int, room: Room = ROOM, below: Room | None = None
) -> Placement:
    """The layout by `place` in the direction that gives the larger picture in `room`.

    From top to bottom it has the room `below`, if that is another one.
    """
    full = 1.0 if below is None else math.inf  # a presentation has no full size
    below = below or room
    if FEW < boxes <= MOST:
        down = place("TB")
        scale = most_across(down, room)
        if scale < full and fit(down.geometry, below) > max(GAIN * scale, WHOLE):
            return down  # without the layout from left to right, which takes as long
    across = place("LR")
    scale = fit(across.geometry, room)
    if boxes > MOST or scale >= full:
        return across
    down = place("TB")
    return down if fit(down.geometry, below) > max(GAIN * scale, WHOLE) else across


def most_across(down: Placement, room: tuple[float, float] = ROOM) -> float:
    """An upper bound of the scale from left to right.

    There the same boxes share a rank, and the ranks are at least as far apart.
    """
    ranks = defaultdict[int, list[Box]](list)
    for box, rect in zip(down.graph.boxes, down.geometry.boxes, strict=True):
        ranks[round(rect.centre[1])].append(box)
    width = down.geometry.height
    for rank in ranks.values():
        width += max(box.width for box in rank) - max(box.height for box in rank)
    height = max(sum(box.height + GAP for box in rank) - GAP for rank in ranks.values())
    return min(room[0] / width, room[1] / (height + 2 * MARGIN))


def fit(geometry: Geometry, room: tuple[float, float] = ROOM) -> float:
    """The scale at which a picture fits into `room`."""
    return min(room[0] / geometry.width, room[1] / geometry.height)
