"""The direction of a picture for which the address names none: the one in which it is larger.

A formula of a few operations is a long row from left to right; on a screen that is wider than high
it may still be read more easily from top to bottom. From left to right is preferred among equals,
and where the picture fits at its full size.
"""

from __future__ import annotations

from collections.abc import Callable

from app.picture.layout import Geometry, Placement

ROOM = 690.0, 610.0
"""Width and height for a picture on a screen of 1440 × 860 pixels."""
MOST = 100  # boxes up to which two layouts are compared
GAIN = 1.1  # by which a picture has to be larger from top to bottom


def larger(place: Callable[[str], Placement], boxes: int) -> Placement:
    """The layout by `place` in the direction that gives the larger picture."""
    across = place("LR")
    scale = fit(across.geometry)
    if boxes > MOST or scale >= 1:
        return across
    down = place("TB")
    return down if fit(down.geometry) > GAIN * scale else across


def fit(geometry: Geometry) -> float:
    """The scale at which a picture fits into ROOM."""
    return min(ROOM[0] / geometry.width, ROOM[1] / geometry.height)
