"""A run for a browser to carry on: the kernel with its memory, and all that a page must know of it.

Code and memory are compressed, and the memory is without what the reader writes itself: the points
at which it evaluates the network, the results, and the indices 0, 1, … of `identity`.
"""

from __future__ import annotations

import gzip
import math
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from app.train.live_run import LiveRun
from app.train.runs import TrainingRuns
from engine.cancellation import IsCancelled
from engine.kernel.hand_over import parts
from engine.kernel.layout import INDEX, LOGGED, POINTS, Layout
from engine.training.fields import Number, Percentage, SpecError
from engine.training.limits import TrainLimits, check_limits, work_of
from engine.training.segments import segments
from engine.training.settings import FIELDS
from engine.training.spec import TrainSpec

Plain = dict[str, Any]

LAYOUT = (
    "size", "saved", "parameter", "parameters", "gradient", "rate", "loss_sum", "losses", "hits",
    "records", "record", "weights", "identity", "pairs", "row", "shade", "map",
    "map_bytes", "count",
)  # fmt: skip
"""Attributes of a Layout that pages need under the same name."""
PENALTIES = ("l1", "l2")
"""Settings whose code is there only if they are not 0."""


class Pool:
    """Bytes of several kernels, those that they have in common once."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self._size = 0

    def put(self, data: bytes) -> list[int]:
        """Where the bytes stand in the pool: start and size."""
        if data not in self._places:
            self._places[data] = self._size
            self._size += len(data)
        return [self._places[data], len(data)]

    def put_spans(self, memory: bytes) -> list[list[int]]:
        """The parts of a memory that are not 0: address, and start and size in the pool."""
        return [[found.start(), *self.put(found[0])] for found in _SPAN.finditer(memory)]

    def text(self) -> str:
        """All bytes, compressed."""
        return _text(gzip.compress(b"".join(self._places), mtime=0))


_SPAN = re.compile(rb"[^\0](?:[^\0]|\0{1,63}(?=[^\0]))*")


def kernels(
    runs: TrainingRuns, spec: TrainSpec, limits: TrainLimits, is_cancelled: IsCancelled
) -> Plain:
    """The kernels of a run with a neuron more or less in a hidden layer, at their first step.

    Code and memory are places in `pool`, which has what they share once. Raises Cancelled.
    """
    pool, found = Pool(), []
    for other in neighbours(spec, limits):
        with runs.hold(other, (), is_cancelled) as run:
            run.seek(0)
            found.append({"layers": other.layers, **kernel(run, limits, pool)})
    return {"kernels": found, "pool": pool.text()}


def neighbours(spec: TrainSpec, limits: TrainLimits) -> Iterator[TrainSpec]:
    """The run with a neuron more or less in each hidden layer, within the limits."""
    if spec.initial:
        return  # weights of this network alone
    for by in (1, -1):
        for i in range(1, len(spec.layers) - 1):
            layers = list(spec.layers)
            layers[i] += by
            with suppress(SpecError):
                other = replace(spec, layers=tuple(layers))
                check_limits(other, limits)
                yield other


def kernel(run: LiveRun, limits: TrainLimits, pool: Pool | None = None) -> Plain:
    """The module, its memory at the current step, and the addresses of the data that pages show.

    A fresh instance of the module with this memory continues exactly from here. A run with changes
    in mid-run has `parts`, see `_parts`. With a pool, code and memory are places in it, and the
    maps of the inputs are left out.
    """
    found = {
        **_packed(run.kernel.code, run.kernel.memory(), run.kernel.layout, pool),
        "settings": _settings(run, limits),
        **({} if pool is not None else {"inputs": _text(run.sample_points.inputs)}),
    }
    return {**found, "parts": _parts(run, pool)} if run.spec.at else found


def _parts(run: LiveRun, pool: Pool | None) -> list[Plain]:
    """The segments of a run with changes in mid-run, each with its memory at its first step.

    `copies` are the parts of its state that it takes over: address before, address here, size.
    """
    return [
        {
            "start": part.segment.start,
            "copies": part.copies,
            **_packed(part.code, part.memory, part.layout, pool),
        }
        for part in parts(run.spec)
    ]


def _packed(code: bytes, memory: bytes, layout: Layout, pool: Pool | None) -> Plain:
    """Code, memory and layout, or their places in a pool."""
    rest = bytearray(memory)
    for start, stop in _written_by_reader(layout):
        rest[start:stop] = bytes(stop - start)
    if pool is not None:
        memory_spans = pool.put_spans(bytes(rest))
        return {"code": pool.put(code), "memory": memory_spans, "layout": _layout(layout)}
    packed = gzip.compress(rest, mtime=0)
    code = gzip.compress(code, mtime=0)
    return {"code": _text(code), "memory": _text(packed), "layout": _layout(layout)}


def _text(data: bytes) -> str:
    return b64encode(data).decode()


def _written_by_reader(layout: Layout) -> Iterator[tuple[int, int]]:
    """Parts of the memory that no step reads before it, or its reader, has written them."""
    yield layout.identity, layout.identity + INDEX * layout.count
    yield layout.records["points"], layout.kept if layout.shape.dropout else layout.size


def _layout(layout: Layout) -> Plain:
    """Addresses and sizes in bytes; see `engine.kernel.layout` and `Run` for their use."""
    return {
        **{name: getattr(layout, name) for name in LAYOUT},
        "step": Layout.STEP,
        "test_losses": layout.test_losses if layout.shape.tests else None,
        "penalties": layout.penalties if layout.shape.penalty else None,
        "neurons": layout.active[1],
        "outputs": layout.active[-1],
        "logged": LOGGED,
        "points": POINTS,
    }


# Settings that the kernel takes as numbers


def _settings(run: LiveRun, limits: TrainLimits) -> list[Plain]:
    """The settings that can change from step 0 on without another kernel.

    Each has its range, and the places in memory with the factor by which its value is written
    there. A run with changes in mid-run has none: its settings are those of one part of it.
    """
    if len(segments(run.spec)) > 1:
        return []
    places = dict(_places(run.spec, run.kernel.layout))
    return [
        {"name": name, "writes": writes, **_range(run.spec, name, limits)}
        for name, writes in places.items()
    ]


def _places(spec: TrainSpec, layout: Layout) -> Iterator[tuple[str, list[tuple[int, float]]]]:
    for name in ("momentum", "weight_decay", *PENALTIES):
        if name not in PENALTIES or getattr(spec, name) > 0:
            yield name, [(layout.setting[name], 1.0)]
    yield "steps", [(layout.setting["steps"], 1.0)]
    share = spec.schedule_end
    end = [(layout.setting["end"], Percentage.of(share, 1.0))] if isinstance(share, str) else []
    yield "learning_rate", [(layout.setting["rate"], 1.0), *end]


def _range(spec: TrainSpec, name: str, limits: TrainLimits) -> Plain:
    """The values that a setting takes: from `least` to `most`, whole or not, above 0 or not."""
    entry = FIELDS[name]
    most = float(getattr(limits, entry.limit)) if entry.limit else math.inf
    if name == "steps":
        least, most = 1.0, min(most, limits.work // (work_of(spec) // spec.steps))
    else:
        least = entry.kind.least if isinstance(entry.kind, Number) else 0.0
    if isinstance(entry.kind, Number) and entry.kind.below < most:
        most = math.nextafter(entry.kind.below, 0.0)
    return {
        "least": least,
        "most": most if math.isfinite(most) else None,
        "whole": name == "steps",
        "positive": name in PENALTIES,
    }
