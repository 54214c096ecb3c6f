"""Rectangles of a picture, in pixels, y downwards."""

from __future__ import annotations

from dataclasses import dataclass

from app.picture.edge_paths import Point


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, by its upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2
