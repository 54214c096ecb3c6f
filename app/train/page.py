"""The page of Train from its address: the run, its state with all losses, its twin, the doctor."""

from __future__ import annotations

from typing import Any

from app.serving import computing
from app.train import address, doctor, state
from app.train.address import Pairs, TrainView
from app.train.form import STARTING
from app.train.page_context import page_context
from app.train.runs import Runs
from engine.numbers import to_json
from engine.training.fields import SpecError
from engine.training.spec import TrainLimits


def context(
    runs: Runs, pairs: Pairs, limits: TrainLimits, stopped: computing.Stopped
) -> dict[str, Any]:
    """Everything that the page's template names; what is refused is there with the reason.

    An address that names no run is that of the run to start with. The doctor takes longer than all
    else, and scripts ask for it by themselves: it is asked with `doctor=1`.
    """
    if not address.names_a_run(pairs):
        pairs = [*address.run_pairs(STARTING), *pairs]
    try:
        view = address.read(pairs, limits, held=True)  # for a form whose run got shorter
        asked = address.switch(pairs, "doctor")
    except SpecError as error:
        return page_context(pairs, None, error, limits=limits)
    with runs.hold(view.spec, view.edits, stopped) as run:
        shown: dict[str, Any] = {
            "state": state.state(run, view.step, losses=True),
            "verdicts": doctor.verdicts(run, view.step) if asked else None,
        }
    shown |= {
        "setup": state.setup(view.spec, view.edits),
        "query": view.run_query(),
        "beside": _beside(runs, view, stopped),
        "right": view.without_mistakes(),
    }
    return page_context(pairs, view.spec, limits=limits, **shown)


def _beside(runs: Runs, view: TrainView, stopped: computing.Stopped) -> list[Any]:
    """The losses of the same run without its mistakes; nothing if it makes none."""
    right = view.without_mistakes()
    if right == view.spec:
        return []
    with runs.hold(right, view.edits, stopped) as run:
        losses: list[Any] = state.history(run, 0, view.step)["losses"]
        return [*losses, to_json(run.snapshot().loss)]
