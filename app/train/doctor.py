"""The doctor's verdicts on a run up to a step; at the last step, those of the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.train.live_run import LiveRun
from engine.doctor.illnesses import diagnose
from engine.runs.run import STATES
from engine.training.snapshot import Snapshot


def verdicts(run: LiveRun, step: int) -> list[dict[str, Any]]:
    """The verdicts on the first `step` updates of a run, as plain data."""
    run.seek(step)
    losses = run.kernel.losses[:step]
    return [verdict.to_json() for verdict in diagnose(_states(run, step), run.spec, losses)]


def _states(run: LiveRun, last: int) -> Iterator[Snapshot]:
    """States spread over the run, at the steps that `engine.runs.run.history` keeps."""
    for step in (*range(0, last, -(-last // (STATES - 1)) or 1), last):
        run.seek(step)
        yield run.kernel.snapshot()
