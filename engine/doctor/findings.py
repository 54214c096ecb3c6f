"""Findings, thresholds, and texts shared by several illnesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.training.spec import TrainSpec

from .evidence import rounded


class Threshold(NamedTuple):
    """The limit of a symptom, and the reason for its value."""

    value: float
    why: str


class Found(NamedTuple):
    """The result of a check: a Verdict without its name."""

    step: int
    layer: int | None
    message: str
    advice: str


Thresholds = Mapping[str, Threshold]


MEASURE = "root mean square, median over the run"
"""The measure of gradients' sizes, as quoted in messages."""


def mistake(spec: TrainSpec) -> str:
    """Advice against a spec's deliberate mistake; empty if it makes none."""
    if not spec.accumulate:
        return "Accumulate the contributions to a gradient: each one overwrites the last."
    if not spec.zero_grad:
        return "Set the gradients to 0 before each backward pass: those of all steps accumulate."
    return ""


def slower(spec: TrainSpec) -> str:
    lower = f"Try a tenth of the learning rate, {rounded(spec.learning_rate / 10)}."
    return mistake(spec) or lower
