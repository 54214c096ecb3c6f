"""Figures and the tables they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Goal:
    """At most `most`, in the unit of the figure that it is set for."""

    most: float
    unit: str = ""

    def words(self, figure: float) -> tuple[str, str]:
        """The goal, and whether `figure` meets it."""
        return f"≤ {self.most:g}{self.unit}", "met" if figure <= self.most else "MISSED"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least `least`, in the unit of the figure that it is set for."""

    least: float
    unit: str = ""

    def words(self, figure: float) -> tuple[str, str]:
        """The goal, and whether `figure` meets it."""
        return f"≥ {self.least:g}{self.unit}", "met" if figure >= self.least else "MISSED"


NO_GOAL = ("–", "")


def spread(samples: Sequence[float], digits: int = 2) -> str:
    """The median, and the range in brackets."""
    numbers = (median(samples), min(samples), max(samples))
    middle, least, most = (f"{x:,.{digits}f}" for x in numbers)
    return f"{middle} [{least}–{most}]"


def percentile(samples: Sequence[float], percent: float) -> float:
    """The smallest sample that at least `percent` of all are not above."""
    ranked = sorted(samples)
    return ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))]


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table below a heading."""
    lines = [f"### {title}\n", _line(head), _line(["---"] * len(head))]
    return "\n".join([*lines, *map(_line, rows)]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
