"""Limits on the size of a run, and an estimate of its work."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine import parser_lock
from engine.caches import cached
from engine.formulas import FUNCTIONS
from engine.nn import LINEAR
from engine.ops import OPS

from .features import FEATURES
from .fields import SpecError, Whole, refusal, shown
from .segments import segments
from .settings import FIELDS, MANY, RunSettings

CHEAP, CALL = 3, 25  # cost of an activation and of each call of SLOW, in units of one parameter
MASK = 5  # cost of drawing and applying a neuron's dropout mask, in the same unit
SLOW = frozenset({"exp", "log", "log1p", "sin", "cos", "tan", "tanh", "erfc"})


@dataclass(frozen=True, slots=True)
class TrainLimits:
    """Upper bounds on a run."""

    samples: int = 2_000
    columns: int = 16
    neurons: int = 128
    layers: int = 8
    parameters: int = 20_000
    steps: int = 100_000
    work: int = 10_000_000_000
    rate: int = 10_000
    trials: int = 1_000_000_000
    """The work of the runs that the doctor tries beside one, and of that one for it to try any."""


def check_counts(given: Mapping[str, object], limits: TrainLimits) -> None:
    """Raise SpecError for values of a spec that are no counts, naming the limit as the largest."""
    for name, entry in FIELDS.items():
        if name not in given or not isinstance(entry.kind, Whole) or not entry.limit:
            continue
        try:
            entry.kind.read(name, given[name])
        except SpecError:
            replace(entry.kind, most=getattr(limits, entry.limit)).read(name, given[name])
            raise


def check_limits(spec: RunSettings, limits: TrainLimits) -> None:
    """Raise SpecError if a spec exceeds the limits, in any of its segments."""
    for segment in segments(spec):
        for name, entry in FIELDS.items():
            if entry.limit:
                value = getattr(segment.settings, name)
                _bounded(name, value, entry.limit, getattr(limits, entry.limit))
    _within("layers", len(spec.layers) - 1, limits.layers, "layers behind the input")
    _within("layers", max(spec.layers[1:]), limits.neurons, "neurons a layer")
    columns = max(spec.layers[0], *(len(row) - 1 for row in spec.rows[:1]), 1)
    _within("rows" if spec.rows else "layers", columns, limits.columns, "inputs")
    _within("layers", spec.parameter_count, limits.parameters, "parameters")
    work = work_of(spec)
    if work > limits.work:
        most = limits.work * spec.total_steps // work
        why = f"is a run of {work:,}, counted in parameters that see a sample"
        bound = f"at most {limits.work:,} are taken: give at most {most:,} steps"
        seen = f"{spec.total_steps:,} steps"
        raise SpecError("steps", shown(spec.total_steps), f"{seen} {why}; {bound}.")


def _bounded(name: str, value: float | str | tuple[object, ...], limit: str, most: int) -> None:
    """Check a setting against its limit: a count, or a rate."""
    if isinstance(value, str):
        return  # a share of another setting
    if isinstance(value, tuple):
        _within(name, len(value), most, name)
    elif limit != "rate":
        _within(name, int(value), most, name)
    elif value > most:
        raise refusal(name, value, f"; the largest rate is {most:,}.")


def _within(field: str, reached: int, most: int, what: str) -> None:
    if reached > most:
        seen = f"{reached:,}" if reached < MANY else shown(reached)
        raise SpecError(field, seen, f"{field} asks for {seen} {what}; at most {most:,} are taken.")


# Work


def work_of(spec: RunSettings) -> int:
    """The work of a run, in parameters × samples."""
    found = segments(spec)
    return sum(_work_of_step(each.settings) * (each.stop - each.start) for each in found)


def _work_of_step(spec: RunSettings) -> int:
    """The work of one update.

    A forward pass over the test set before each step counts a third; a neuron counts as `_cost`
    parameters, an update as four samples.
    """
    samples = max(spec.batch_size, 2) + -(-spec.test_samples // 3)
    neurons = zip(spec.layers[1:], spec.activations, strict=True)
    network = spec.parameter_count + sum(size * _cost(name) for size, name in neurons)
    network += sum(_calls(FEATURES[name].formula) for name in spec.features)
    if spec.dropout:
        network += MASK * sum(spec.layers[1:-1])
    return samples * network + 4 * spec.parameter_count


@cached("costs of activations")
def _cost(activation: str) -> int:
    """The cost of a neuron's activation, forward and backward, in units of one parameter."""
    if activation == LINEAR:
        return CHEAP
    op = OPS[activation]
    return CHEAP + sum(map(_calls, (op.formula, *op.partials)))


def _calls(text: str) -> int:
    """The cost of the function calls in a formula of the op table."""
    names = (node.id for node in ast.walk(parser_lock.module(text)) if isinstance(node, ast.Name))
    return sum(
        _cost(name) if name in OPS and name not in FUNCTIONS else CALL * (name in SLOW)
        for name in names
    )
