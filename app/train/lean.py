"""The lean form of a stream's events: what changed, as fine as it is seen, and nothing unseen.

`form=lean` asks for it, and `see` names what the page shows: `plot` (boundary or curve), `maps`
(those in the neurons), `numbers` (parameters and norms as they are, where somebody reads them) and
`activations` (their histograms).
Steps, losses and accuracies are exact in every form. An event has, instead of `grid`, `maps` and
`curve`,

- `grid_change` and `maps_change`: for each byte the change of its level since the event before,
  modulo 64, as one letter of LETTERS. Levels begin at 0. Level 0 is nan, 1 … 63 are the bytes
  1 … 255 of `app.train.state` linearly, so that 32 is an output of 0. Absent if nothing changed.
- `curve_levels`: each output along the curve in thousandths of the height of the plot, from its
  lower edge; null for nan.
- `late`: milliseconds by which the event before was ready after its time. A reader that waits for
  longer than that waits for the line.

`parameters` and `norms` are rounded, as links need them, unless `numbers` are seen. Only a reader
that has every event since the first can decode one; a new stream begins anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from app.train.address import Pairs, choice, text_of
from app.train.live_run import LiveRun
from app.train.state import activation_counts, grid_shades, history, map_shades, measures
from engine.training.fields import refusal

Plain = dict[str, Any]

FULL, LEAN = "full", "lean"
SIGHTS = ("plot", "maps", "numbers", "activations")
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
LEVELS = 64
DIGITS = 3  # of a parameter that only gives a link its width
HEIGHT = 1000  # levels of a curve over the height of the plot
BEYOND = 2 * HEIGHT  # levels outside of the plot that a curve may reach, above and below

_LEVEL_OF = bytes([0, *(1 + round((byte - 1) * (LEVELS - 2) / 254) for byte in range(1, 256))])
_LETTER_OF = LETTERS * (256 // LEVELS)


def form_of(pairs: Pairs) -> frozenset[str] | None:
    """What the reader of a lean stream sees; None for the full form. Raises SpecError."""
    if choice(pairs, "form", (FULL, LEAN), FULL) == FULL:
        return None
    text = text_of(pairs, "see")
    names = [name.strip() for name in text.split(",")] if text else []
    for name in names:
        if name not in SIGHTS:
            raise refusal("see", name, f"; give any of {', '.join(SIGHTS)}, separated by commas.")
    return frozenset(names)


class Lean:
    """The events of one run for one reader, each with what changed since the one before."""

    def __init__(self, sights: frozenset[str]) -> None:
        self._sights = sights
        self._levels: dict[str, bytes] = {}

    def seen(self, run: LiveRun, start: int, stop: int, late: float) -> Plain:
        """The data of an event: the state after `stop` updates, and the metrics since `start`.

        `late` is the delay of the event before, in seconds.
        """
        past = history(run, start, stop)
        found = {**measures(run, run.kernel.snapshot()), **past}
        if "numbers" not in self._sights:
            found["parameters"] = [rounded(x) for x in found["parameters"]]
            found["norms"] = [
                {name: rounded(x) for name, x in norm.items()} for norm in found["norms"]
            ]
        if "activations" in self._sights:
            found["activations"] = activation_counts(run)
        found |= self._pictures(run)
        found["late"] = round(1000 * late, 1)
        return found

    def _pictures(self, run: LiveRun) -> Plain:
        found: Plain = {}
        if "plot" in self._sights:
            found |= self._change("grid_change", grid_shades(run))
            found |= _curve_levels(run)
        if "maps" in self._sights:
            found |= self._change("maps_change", map_shades(run))
        return found

    def _change(self, name: str, shades: bytes | None) -> Plain:
        """The change of all levels since the event before, if any, under `name`."""
        if shades is None:
            return {}
        levels = shades.translate(_LEVEL_OF)
        before = self._levels.get(name) or bytes(len(levels))
        self._levels[name] = levels
        return {} if levels == before else {name: change(levels, before)}


def change(levels: bytes, before: bytes) -> str:
    """The differences of levels modulo LEVELS, as letters.

    All bytes are subtracted at once, as one integer: with LEVELS added, none borrows from the next.
    """
    count = len(levels)
    added = int.from_bytes(levels, "little") + int.from_bytes(bytes([LEVELS]) * count, "little")
    differences = added - int.from_bytes(before, "little")
    return differences.to_bytes(count, "little").translate(_LETTER_OF).decode("ascii")


def rounded(x: float | str | None) -> float | str | None:
    """A number to DIGITS significant digits; the text of one that is not finite stays."""
    return x if x is None or isinstance(x, str) else float(f"{x:.{DIGITS}g}")


def _curve_levels(run: LiveRun) -> Plain:
    seen = run.sample_points
    if seen.curve is None or seen.bounds is None:
        return {}
    low, high = seen.bounds[2:]
    outputs: Iterable[Iterable[float]] = run.kernel.grid(run.look_at(seen.curve))
    return {"curve_levels": [[_level(y, low, high) for y in ys] for ys in outputs]}


def _level(y: float, low: float, high: float) -> int | None:
    if math.isnan(y):
        return None
    return round(max(-BEYOND, min(HEIGHT + BEYOND, HEIGHT * (y - low) / (high - low))))
