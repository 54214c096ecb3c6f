"""A finding, the thresholds that it was measured against, and words that illnesses share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.training.spec import TrainSpec

from .evidence import said


class Threshold(NamedTuple):
    """A number from which on something is an illness, and why this one."""

    value: float
    why: str


class Found(NamedTuple):
    """What a check finds: a Verdict that has no name yet."""

    step: int
    layer: int | None
    message: str
    advice: str


Thresholds = Mapping[str, Threshold]


MEASURE = "root mean square, median over the run"
"""How sizes of gradients are measured."""


def mistake(spec: TrainSpec) -> str:
    """What to do about the mistake that a spec makes on purpose; nothing if it makes none."""
    if not spec.accumulate:
        return "Let contributions to a gradient add up: without, each replaces the one before it."
    if not spec.zero_grad:
        return "Set the gradients to 0 before each backward pass: those of all steps add up."
    return ""


def slower(spec: TrainSpec) -> str:
    lower = f"Try a tenth of the learning rate, {said(spec.learning_rate / 10)}."
    return mistake(spec) or lower
