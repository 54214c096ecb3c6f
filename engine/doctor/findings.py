"""Findings, thresholds, and texts shared by several illnesses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.training.fitting import defaults
from engine.training.settings import MISTAKES
from engine.training.spec import TrainSpec

from .evidence import rounded

Cure = Mapping[str, Any]
"""Settings that remedy an illness, by name; empty if no setting does."""

NO_CURE: Cure = MappingProxyType({})


class SymptomLimit(NamedTuple):
    """The limit of a symptom, and the reason for its value."""

    value: float
    why: str


class Found(NamedTuple):
    """The result of a check: a Verdict without its name."""

    step: int
    layer: int | None
    message: str
    advice: str
    cure: Cure = NO_CURE


Thresholds = Mapping[str, SymptomLimit]


MEASURE = "root mean square, median over the run"
"""The measure of gradients' sizes, as quoted in messages."""


def mistake(spec: TrainSpec) -> str:
    """Advice against a spec's deliberate mistake; empty if it makes none."""
    if not spec.accumulate:
        return "Accumulate the contributions to a gradient: each one overwrites the last."
    if not spec.zero_grad:
        return "Set the gradients to 0 before each backward pass: those of all steps accumulate."
    return ""


def repaired(spec: TrainSpec) -> Cure:
    """The settings without the mistakes; empty if the spec makes none."""
    return {name: right for name, right in MISTAKES.items() if getattr(spec, name) != right}


def slower(spec: TrainSpec) -> str:
    """Advice to take a tenth of the learning rate or the data's default, or against a mistake."""
    rate = rounded(_slow_rate(spec))
    lower = f"Try a tenth of the learning rate, {rate}."
    if _slow_rate(spec) < spec.learning_rate / 10:
        lower = f"Try the learning rate {rate}, the default of the data."
    return mistake(spec) or lower


def slowed(spec: TrainSpec) -> Cure:
    """The settings of `slower`."""
    return repaired(spec) or {"learning_rate": float(f"{_slow_rate(spec):.3g}")}


def _slow_rate(spec: TrainSpec) -> float:
    """A tenth of the learning rate, and no more than the default of the data."""
    default = defaults({"data": spec.data, "rows": spec.rows, "loss": spec.loss})
    return min(spec.learning_rate / 10, float(default["learning_rate"]))
