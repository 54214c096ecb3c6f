"""What a program plots, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.numbers import to_json


@dataclass(slots=True)
class Series:
    """One line, cloud, row of bars, or image: of an image `ys` are the rows, `width` long each."""

    kind: str
    xs: list[float | str]
    ys: list[float]
    label: str = ""
    width: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "label": self.label,
            "x": [x if isinstance(x, str) else to_json(x) for x in self.xs],
            "y": list(map(to_json, self.ys)),
            "width": self.width,
        }


@dataclass(slots=True)
class Chart:
    """One pair of axes; `kind` is that of its first series."""

    kind: str = "line"
    title: str = ""
    xlabel: str = ""
    ylabel: str = ""
    series: list[Series] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The chart as JSON values; numbers that JSON has not are texts."""
        return {
            "kind": self.kind,
            "title": self.title,
            "xlabel": self.xlabel,
            "ylabel": self.ylabel,
            "series": [one.to_json() for one in self.series],
        }
