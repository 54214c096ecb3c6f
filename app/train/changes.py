"""Changes of settings in mid-run: the segments of a run as plain data, and changes in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.train.address import PLAIN, run_pairs
from engine.numbers import plain
from engine.training.segments import segments
from engine.training.settings import FIELDS
from engine.training.spec import TrainSpec

SHORT = {"learning_rate": "rate", "l1": "L1", "l2": "L2"}
"""Short names of settings, for marks on the chart."""
LIVE = tuple(name for name, entry in FIELDS.items() if entry.mid_run)
"""The settings that may change in mid-run."""


class Removable(NamedTuple):
    """A change in words, and the address of the run without it."""

    words: str
    href: str


def parts(spec: TrainSpec) -> list[dict[str, Any]]:
    """The segments of a run for pages: begin, words of the change, batches, settings in force."""
    changed = {step: words(settings) for step, settings in spec.at}
    return [
        {
            "start": segment.start,
            "words": changed.get(segment.start, ""),
            "batch": segment.settings.batch_size,
            "drawn_since": segment.drawn_since,
            "steps_per_epoch": segment.steps_per_epoch,
            "epochs": segment.epochs,
            "partial": segment.is_partial,
            "penalty": segment.settings.l1 > 0 or segment.settings.l2 > 0,
            "settings": {
                name: FIELDS[name].kind.plain(getattr(segment.settings, name)) for name in LIVE
            },
        }
        for segment in segments(spec)
    ]


def words(settings: Iterable[tuple[str, Any]]) -> str:
    """A change as the mark on the chart: "rate 0.05, batch 8", "train on to 600"."""
    return ", ".join(
        f"train on to {value:,}" if name == "steps" else setting_words(name, value)
        for name, value in settings
    )


def setting_words(name: str, value: Any) -> str:
    """A setting in words: "rate 0.05", "adam"."""
    if name in ("data", "optimizer"):
        return str(value).replace("_", " ")
    text = plain(value) if isinstance(value, float) else FIELDS[name].kind.text(value)
    return f"{SHORT.get(name, name.replace('_', ' '))} {text}"


def removable(spec: TrainSpec, kept: Iterable[tuple[str, str]]) -> Iterator[Removable]:
    """The changes of a run; `kept` are the other parameters of the page.

    Without a change, steps and later changes that need it go as well.
    """
    kept = list(kept)
    for i, (step, settings) in enumerate(spec.at):
        rest = [*spec.at[:i], *spec.at[i + 1 :]]
        if any(name == "steps" for name, _ in settings):
            rest = list(spec.at[:i])
        query = urlencode([*run_pairs(replace(spec, at=tuple(rest))), *kept], safe=PLAIN)
        yield Removable(f"{words(settings)} from step {step:,} on", f"/train?{query}")


def more_steps(steps: int) -> int:
    """The number of steps by which "train on" extends a run of `steps`: about half of them."""
    size: int = 10 ** max(0, len(str(steps)) - 2)
    return max(1, steps // (2 * size) * size)
