"""What a check finds, what may help, thresholds, and texts shared by several illnesses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.training.settings import MISTAKES
from engine.training.spec import TrainSpec

Cure = Mapping[str, Any]
"""Settings that remedy an illness, by name; empty if no setting does."""

NO_CURE: Cure = MappingProxyType({})


class SymptomLimit(NamedTuple):
    """The limit of a symptom, and the reason for its value."""

    value: float
    why: str


class Found(NamedTuple):
    """The result of a check: the first step that shows it, the layer, and the evidence."""

    step: int
    layer: int | None
    message: str


class Treatment(NamedTuple):
    """What may help: in words, and the settings to try, if settings can."""

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
