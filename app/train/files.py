"""Downloads of a run: its metrics as CSV, and the kernel with its memory for a browser."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from app.train.live_run import LiveRun
from engine.kernel.hand_over import parts
from engine.kernel.layout import LOGGED, POINTS, Layout

LAYOUT = (
    "size", "saved", "parameter", "parameters", "gradient", "rate", "loss_sum", "losses", "hits",
    "records", "record", "weights", "identity", "pairs", "row", "shade", "map",
    "map_bytes",
)  # fmt: skip
"""Attributes of a Layout that pages need under the same name."""


def losses_csv(run: LiveRun) -> str:
    """A line for each step with the metrics before its update, and one for the final state."""
    last = run.spec.total_steps
    run.seek(last)
    end = run.kernel.snapshot()
    columns: dict[str, Sequence[float]] = {
        "step": range(last + 1),
        "loss": [*run.kernel.losses[:last], end.loss],
        "accuracy": [*run.kernel.accuracies(0, last), *_there(end.accuracy)],
        "test_loss": [*run.kernel.test_log[:last], *_there(end.test_loss)],
    }
    columns = {name: column for name, column in columns.items() if column}
    rows = (",".join(map(repr, row)) for row in zip(*columns.values(), strict=True))
    return "\n".join([",".join(columns), *rows]) + "\n"


def _there(x: float | None) -> list[float]:
    return [] if x is None else [x]


def kernel(run: LiveRun) -> dict[str, Any]:
    """The module, its memory at the current step, and the addresses of the data that pages show.

    A fresh instance of the module with this memory continues exactly from here. The memory, which
    is mostly zeros, is compressed.
    """
    if run.sample_points.grid is not None:
        run.look_at(run.sample_points.grid)
    found = {
        "code": b64encode(run.kernel.code).decode(),
        "memory": _packed(run.kernel.memory()),
        "layout": _layout(run.kernel.layout),
    }
    return {**found, "parts": _parts(run)} if run.spec.at else found


def _packed(memory: bytes) -> str:
    return b64encode(gzip.compress(memory, 1, mtime=0)).decode()


def _parts(run: LiveRun) -> list[dict[str, Any]]:
    """The segments of a run with changes in mid-run, each with its memory at its first step.

    `copies` are the parts of its state that it takes over: address before, address here, size.
    """
    return [
        {
            "start": part.segment.start,
            "code": b64encode(part.code).decode(),
            "memory": _packed(part.memory),
            "layout": _layout(part.layout),
            "copies": part.copies,
        }
        for part in parts(run.spec)
    ]


def _layout(layout: Layout) -> dict[str, Any]:
    """Addresses and sizes in bytes; see `engine.kernel.layout` and `Run` for their use."""
    return {
        **{name: getattr(layout, name) for name in LAYOUT},
        "step": Layout.STEP,
        "test_losses": layout.test_losses if layout.shape.tests else None,
        "neurons": layout.active[1],
        "outputs": layout.active[-1],
        "logged": LOGGED,
        "points": POINTS,
    }
