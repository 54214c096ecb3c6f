"""The doctor's verdicts on a run up to a step; at the last step, those of the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from app.train.address import PLAIN, run_pairs
from app.train.live_run import LiveRun
from engine.doctor.illnesses import Diagnosis, diagnose
from engine.runs.run import STATES
from engine.training.fields import SpecError
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec


def verdicts(run: LiveRun, step: int) -> list[dict[str, Any]]:
    """The verdicts on the first `step` updates of a run, as plain data.

    `cured` is the query of the run with the cure, from its first step and without manual edits; it
    is empty if no setting is a cure.
    """
    run.seek(step)
    losses = run.kernel.losses[:step]
    found = diagnose(_states(run, step), run.spec, losses)
    return [{**verdict.to_json(), "cured": _cured(run.spec, verdict)} for verdict in found]


def _cured(spec: TrainSpec, verdict: Diagnosis) -> str:
    if not verdict.cure:
        return ""
    try:
        return urlencode(run_pairs(replace(spec, **verdict.cure)), safe=PLAIN)
    except SpecError:
        return ""  # a change in mid-run that the cured settings do not allow


def _states(run: LiveRun, last: int) -> Iterator[Snapshot]:
    """States spread over the run, at the steps that `engine.runs.run.history` keeps."""
    for step in (*range(0, last, -(-last // (STATES - 1)) or 1), last):
        run.seek(step)
        yield run.kernel.snapshot()
