"""The direction of a picture for which the address names none: the one in which it is larger.

A formula of a few operations is a long row from left to right; on a screen that is wider than high
it may still be read more easily from top to bottom. From left to right is preferred among equals,
where the picture fits at its full size, and where it has to be moved about in both directions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from app.picture.grouping import Box
from app.picture.layout import MARGIN, Geometry, Placement

ROOM = 690.0, 610.0
"""Width and height for a picture on a screen of 1440 × 860 pixels."""
PRESENTED = 1_150.0, 450.0
"""The same in a presentation on a screen of 1280 × 720 pixels."""
EMBEDDED = 736.0, 330.0
"""The same in an iframe of 760 × 560 pixels."""
MOST = 100  # boxes up to which two layouts are compared
GAIN = 1.1  # by which a picture has to be larger from top to bottom
FEW = 9  # boxes up to which a picture mostly fits from left to right
READABLE = 0.5  # scale below which the numbers on the cards cannot be read
GAP = 72 * 0.3  # least distance of neighbours in a rank


def larger(
    place: Callable[[str], Placement], boxes: int, room: tuple[float, float] = ROOM
) -> Placement:
    """The layout by `place` in the direction that gives the larger picture in `room`."""
    if FEW < boxes <= MOST:
        down = place("TB")
        scale = most_across(down, room)
        if scale < 1 and fit(down.geometry, room) > max(GAIN * scale, READABLE):
            return down  # without the layout from left to right, which takes as long
    across = place("LR")
    scale = fit(across.geometry, room)
    if boxes > MOST or scale >= 1:
        return across
    down = place("TB")
    return down if fit(down.geometry, room) > max(GAIN * scale, READABLE) else across


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
