"""The doctor's examination of a run up to a step; at the last step, that of the whole run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from app.train.address import PLAIN, run_pairs
from app.train.live_run import LiveRun
from app.train.pictures.trial import trial_svg
from engine.cancellation import IsCancelled
from engine.doctor.diagnosis import Diagnosis
from engine.doctor.illnesses import ILLNESSES
from engine.numbers import brief, percent
from engine.runs.examination import Examination, Seen, Treated, TrialCurve, examined
from engine.runs.history import STATES
from engine.training.fields import SpecError
from engine.training.spec import TrainLimits, TrainSpec


def examination(
    run: LiveRun, step: int, limits: TrainLimits, is_cancelled: IsCancelled
) -> Examination:
    """The examination of the first `step` updates of a run, whose end is looked at if affordable.

    Raises Cancelled.
    """
    last = run.spec.total_steps
    now = _seen(run, step)
    end: Seen | None = now
    if step < last:
        end = _seen(run, last) if run.spec.work <= limits.trials else None
    return examined(run.spec, now, end, limits, is_cancelled)


Plain = dict[str, Any]
TOO_COSTLY = "No cure was tried, as the run is too large to be trained again beside itself."


def view(run: LiveRun, found: Examination) -> Plain:
    """An examination as the page shows it: verdicts, or what is to be expected without any.

    `grave` is the first verdict that leaves nothing of the run, which is seen without the list.
    """
    verdicts = [_view(run.spec, each, found.patient) for each in found.found]
    learned, message, advice = found.outlook
    well = f"{message} {advice}".rstrip()
    if learned:
        well = f"Nothing is wrong with this run so far. {message}"
    grave = next((verdict for verdict in verdicts if verdict["grave"]), None)
    return {"verdicts": verdicts, "well": well, "grave": grave}


def _view(spec: TrainSpec, treated: Treated, patient: TrialCurve | None) -> Plain:
    """A verdict as the page shows it.

    `cured` is the query of the cured run, "" without one; then `note` is why. `picture` has its
    loss beside that of the run, and `outcome` what both ended with.
    """
    verdict = treated.verdict
    picture, outcome = Markup(), ""
    if treated.cured is not None and patient is not None:
        outcome = _outcome(patient, treated.cured)
        on_test = ILLNESSES[verdict.name].on_test
        made = trial_svg(patient, treated.cured, outcome, on_test)
        picture = Markup(made)  # noqa: S704  # of numbers
    is_untried = treated.spared and treated.cured is None
    return {
        "title": verdict.name.replace("_", " "),
        "message": verdict.message,
        "advice": verdict.advice,
        "grave": verdict.grave,
        "cured": cured(spec, verdict),
        "picture": picture,
        "outcome": outcome,
        "note": TOO_COSTLY if is_untried else "",
    }


def _outcome(patient: TrialCurve, cured: TrialCurve) -> str:
    """What a run and the cured one ended with, in a sentence."""
    pairs = [("loss", brief(cured.losses[-1]), brief(patient.losses[-1]))]
    if patient.test_loss is not None:
        pairs.append(("test loss", brief(cured.test_loss), brief(patient.test_loss)))
    for name in ("accuracy", "test_accuracy"):
        share = getattr(patient, name)
        if share is not None:
            words = name.replace("_", " ")
            pairs.append((words, percent(getattr(cured, name)), percent(share)))
    told = ", ".join(f"{name} {after} instead of {before}" for name, after, before in pairs)
    return f"Trained to the end beside this run: {told}."


def verdicts(run: LiveRun, found: Examination) -> list[dict[str, Any]]:
    """The verdicts of an examination as plain data.

    `cured` is the query of the run with the cure, from its first step and without manual edits; it
    is empty if no setting is a cure.
    """
    return [
        {**each.to_json(found.patient), "cured": cured(run.spec, each.verdict)}
        for each in found.found
    ]


def cured(spec: TrainSpec, verdict: Diagnosis) -> str:
    """The query of a run with the cure of a verdict; "" if it has none."""
    if not verdict.cure:
        return ""
    try:
        return urlencode(run_pairs(replace(spec, **verdict.cure)), safe=PLAIN)
    except SpecError:
        return ""  # a change in mid-run that the cured settings do not allow


def _seen(run: LiveRun, last: int) -> Seen:
    """States spread over the run, at the steps that `engine.runs.history` keeps."""
    states, sights = [], {}
    for step in (*range(0, last, -(-last // (STATES - 1)) or 1), last):
        run.seek(step)
        states.append(run.kernel.snapshot())
        sights[step] = run.kernel.sight()
    return Seen(states, list(run.kernel.losses[:last]), sights)
