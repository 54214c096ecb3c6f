"""A training run as plain data for pages: its constants, and its state at a step.

Non-finite numbers are the strings "nan", "inf" and "-inf".
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from app.train.address import PLAIN, run_pairs
from app.train.changes import parts
from app.train.live_run import Edits, LiveRun
from app.train.opening import EXPLORE, opening
from app.train.presets import BY_SPEC
from app.train.sample_points import GRID, MAP, map_kind, sample_points
from engine.numbers import to_json, whole_to_json
from engine.program import Limits
from engine.training.features import input_names
from engine.training.losses import LOSSES
from engine.training.samples import Samples, load, rows_of_samples, scales_of
from engine.training.segments import segment_at
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec

Plain = dict[str, Any]

BINS = 32
"""Bins of a histogram of activations."""
_BIN_OF = bytes([BINS, *(min((byte - 1) * BINS // 255, BINS - 1) for byte in range(1, 256))])
"""The bin of each shade; 0 is nan."""


def setup(spec: TrainSpec, edits: Edits = (), limits: Limits = EXPLORE) -> Plain:
    """The constants of a run; `limits` are those of Explore."""
    training, test = load(spec)
    seen = sample_points(spec, training, test)
    return {
        "spec": for_scripts(spec),
        "query": urlencode(run_pairs(spec), safe=PLAIN),
        "edits": [list(edit) for edit in edits],
        "segments": parts(spec),
        "parameter_count": spec.parameter_count,
        "inputs": spec.inputs,
        "input_names": input_names(spec),
        "outputs": spec.outputs,
        "no": LOSSES[spec.loss].no,
        "threshold": spec.threshold if spec.classifies else 0.0,
        "kind": "classes" if spec.classifies else "regression",
        "classes": spec.classes,
        "class_names": list(spec.class_names) if spec.data == "rows" else [],
        "steps": spec.total_steps,
        "steps_per_epoch": -(-spec.train_samples // spec.batch_size),
        "layers": list(spec.layers),
        "activations": list(spec.activations),
        "samples": [*_samples(training, False), *_samples(test, True)],
        "order": rows_of_samples(spec) if test.labels else [],
        "scales": [list(scale) for scale in scales_of(spec)],
        "bounds": list(seen.bounds) if seen.bounds else None,
        "grid": GRID,
        "map": MAP,
        "map_kind": map_kind(spec.inputs),
        "limit": seen.limits[-1],
        "map_limits": list(seen.limits),
        "preset": preset.to_json() if (preset := BY_SPEC.get(spec)) and not edits else None,
        "opening": opening(spec, limits),
    }


def for_scripts(spec: TrainSpec) -> Plain:
    """The settings of a run, seeds beyond the integers of JavaScript as text."""
    plain_spec = spec.to_json()
    seeds = {name: x for name, x in plain_spec.items() if name.endswith("seed")}
    return plain_spec | {name: whole_to_json(x) for name, x in seeds.items()}


def _samples(samples: Samples, test: bool) -> list[Plain]:
    rows = zip(samples.inputs, samples.labels, strict=True)
    return [{"x": list(x), "y": y, "test": test} for x, y in rows]


def state(run: LiveRun, step: int, losses: bool = False) -> Plain:
    """The state of a run after `step` updates; with `losses`, also the history up to it."""
    past = _whole_history(run, step) if losses else {}
    run.seek(step)
    snapshot = run.kernel.snapshot()
    return {
        **measures(run, snapshot),
        "gradient": plain(snapshot.gradient),
        "predictions": [plain(outputs) for outputs in run.kernel.predictions()],
        "batch": run.kernel.batch_of(step),
        "activations": activation_counts(run),
        **pictures(run),
        **past,
    }


def _whole_history(run: LiveRun, stop: int) -> Plain:
    """The metrics of all steps before `stop`, with the penalties if there are any."""
    found = history(run, 0, stop)
    penalties = run.kernel.penalty_log[:stop]
    return {**found, "penalties": plain(penalties)} if penalties else found


def history(run: LiveRun, start: int, stop: int) -> Plain:
    """The metrics of the steps from `start` to before `stop`; leaves the run at `stop`."""
    run.seek(stop)
    return {
        "losses_from": start,
        "losses": plain(run.kernel.losses[start:stop]),
        "test_losses": plain(run.kernel.test_log[start:stop]),
        "accuracies": run.kernel.accuracies(start, stop),
    }


def measures(run: LiveRun, snapshot: Snapshot) -> Plain:
    """The metrics and the parameters of a state."""
    return {
        "step": snapshot.step,
        "loss": to_json(snapshot.loss),
        "accuracy": snapshot.accuracy,
        "test_loss": None if snapshot.test_loss is None else to_json(snapshot.test_loss),
        "test_accuracy": snapshot.test_accuracy,
        "penalty": to_json(snapshot.penalty),
        "learning_rate": to_json(snapshot.learning_rate),
        **whole(run),
        "parameters": plain(snapshot.parameters),
        "norms": norms(run, snapshot),
    }


def whole(run: LiveRun) -> Plain:
    """Loss and accuracy over all training data, without dropout, if those of the step differ."""
    if not segment_at(run.spec, run.kernel.step).is_partial:
        return {}
    score = run.kernel.evaluate()
    return {"train_loss": to_json(score.loss), "train_accuracy": score.accuracy}


def norms(run: LiveRun, snapshot: Snapshot) -> list[Plain]:
    """The Euclidean norm of each layer's parameters, gradient and last update, biases included.

    `updates` are what the step before has added to the parameters, changes by hand included; None
    at step 0.
    """
    found: list[Plain] = []
    updates, end = run.last_update(), 0
    for layer, (nin, nout) in enumerate(pairwise(run.spec.layers), 1):
        start, end = end, end + (nin + 1) * nout
        found.append(
            {
                "layer": layer,
                "weights": to_json(math.hypot(*snapshot.parameters[start:end])),
                "gradients": to_json(math.hypot(*snapshot.gradient[start:end])),
                "updates": None if updates is None else to_json(math.hypot(*updates[start:end])),
            }
        )
    return found


def activation_counts(run: LiveRun) -> list[list[int]]:
    """How often a neuron's activation for a training sample falls in each bin, by layer.

    The bins divide -limit to limit evenly, with the limits of the maps. The first and the last one
    count what lies beyond as well, and nan is not counted.
    """
    limits, end, found = run.sample_points.limits[1:], 0, list[list[int]]()
    shades = {limit: run.kernel.training_shades(limit) for limit in set(limits)}
    for size, limit in zip(run.spec.layers[1:], limits, strict=True):
        start, end = end, end + size
        counts = Counter(b"".join(shades[limit][start:end]).translate(_BIN_OF))
        found.append([counts[place] for place in range(BINS)])
    return found


def pictures(run: LiveRun) -> Plain:
    """The network over the input space: boundary or curve, and a map of each neuron."""
    return {"grid": _text(grid_shades(run)), "curve": _curve(run), "maps": _text(map_shades(run))}


def grid_shades(run: LiveRun) -> bytes | None:
    """The boundary, output by output and cell by cell."""
    seen = run.sample_points
    if seen.grid is None:
        return None
    return b"".join(run.kernel.shades(run.look_at(seen.grid), seen.limits[-1], last=True))


def _curve(run: LiveRun) -> list[list[Any]] | None:
    places = run.sample_points.curve
    if places is None:
        return None
    xs = [x for (x,) in places.points]
    return [xs, *(plain(ys) for ys in run.kernel.grid(run.look_at(places)))]


def map_shades(run: LiveRun) -> bytes | None:
    """The maps of all neurons, with one call of the kernel per distinct limit."""
    seen = run.sample_points
    if seen.map is None:
        return None
    points = run.look_at(seen.map)
    by_limit = {limit: run.kernel.shades(points, limit) for limit in dict.fromkeys(seen.limits[1:])}
    found, end = [seen.inputs], 0
    for size, limit in zip(run.spec.layers[1:], seen.limits[1:], strict=True):
        start, end = end, end + size
        found += [row * seen.repeat for row in by_limit[limit][start:end]]
    return b"".join(found)


def _text(shades: bytes | None) -> str | None:
    return None if shades is None else b64encode(shades).decode()


def plain(numbers: Sequence[float]) -> list[Any]:
    """Numbers for JSON, non-finite ones as strings."""
    if math.isfinite(sum(numbers)):  # then all of them are finite
        return list(numbers)
    return [to_json(x) for x in numbers]
