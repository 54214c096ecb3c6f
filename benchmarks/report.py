"""Figures, goals and Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Goal:
    """An upper bound, in the figure's unit."""

    most: float
    unit: str = ""

    def words(self, figure: float) -> tuple[str, str]:
        """The goal, and whether `figure` meets it."""
        return f"≤ {self.most:g}{self.unit}", "met" if figure <= self.most else "MISSED"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A lower bound, in the figure's unit."""

    least: float
    unit: str = ""

    def words(self, figure: float) -> tuple[str, str]:
        """The goal, and whether `figure` meets it."""
        return f"≥ {self.least:g}{self.unit}", "met" if figure >= self.least else "MISSED"


NO_GOAL = ("–", "")


def spread(samples: Sequence[float], digits: int = 2) -> str:
    """The median with the range in brackets."""
    numbers = (median(samples), min(samples), max(samples))
    middle, least, most = (f"{x:,.{digits}f}" for x in numbers)
    return f"{middle} [{least}–{most}]"


def percentile(samples: Sequence[float], percent: float) -> float:
    """The percentile without interpolation: the sample at rank ⌊n·percent/100⌋, from 0."""
    ranked = sorted(samples)
    return ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))]


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with a heading."""
    lines = [f"### {title}\n", _line(head), _line(["---"] * len(head))]
    return "\n".join([*lines, *map(_line, rows)]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
