"""Changes of settings in mid-run, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.numbers import plain
from engine.training.settings import FIELDS

SHORT = {"learning_rate": "rate", "l1": "L1", "l2": "L2"}
"""Short names of settings, for marks on the chart."""


def words(settings: Iterable[tuple[str, Any]]) -> str:
    """A change as the mark on the chart: "rate 0.05, batch 8", "train on to 600"."""
    return ", ".join(_words(name, value) for name, value in settings)


def _words(name: str, value: Any) -> str:
    if name == "steps":
        return f"train on to {value:,}"
    if name == "optimizer":
        return str(value)
    text = plain(value) if isinstance(value, float) else FIELDS[name].kind.text(value)
    return f"{SHORT.get(name, name.replace('_', ' '))} {text}"
