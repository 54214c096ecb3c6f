"""Downloads of a run: its metrics as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from app.train.live_run import LiveRun


def losses_csv(run: LiveRun) -> str:
    """A line for each step with the metrics before its update, and one for the final state."""
    last = run.spec.total_steps
    run.seek(last)
    end = run.kernel.snapshot()
    penalties = run.kernel.penalty_log
    columns: dict[str, Sequence[float]] = {
        "step": range(last + 1),
        "loss": [*run.kernel.losses[:last], end.loss],
        "accuracy": [*run.kernel.accuracies(0, last), *_there(end.accuracy)],
        "test_loss": [*run.kernel.test_log[:last], *_there(end.test_loss)],
        "penalty": [*penalties[:last], end.penalty] if penalties else [],
    }
    columns = {name: column for name, column in columns.items() if column}
    rows = (",".join(map(repr, row)) for row in zip(*columns.values(), strict=True))
    return "\n".join([",".join(columns), *rows]) + "\n"


def _there(x: float | None) -> list[float]:
    return [] if x is None else [x]
