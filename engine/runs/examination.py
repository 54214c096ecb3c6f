"""The examination of a run: its diagnosis, and what was tried beside it against each illness.

A cure is offered only after the run was trained with it to the end, from the same start, and has
ended better. Some illnesses are suspected until a cure proves them. What a run shows on its way is
held against it only if it has not recovered by its end.

Trials cost as much as the run, so that they have a limit, `TrainLimits.trials`; a run beyond it has
advice without a cure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.caches import store
from engine.cancellation import IsCancelled, never_cancelled
from engine.doctor.diagnosis import Diagnosis, Report, report
from engine.doctor.evidence import rounded
from engine.doctor.findings import Cure, Treatment
from engine.doctor.illnesses import BETTER, HALVED, ILLNESSES
from engine.doctor.learning import scale_of
from engine.doctor.outlook import Outlook
from engine.numbers import to_json
from engine.training.fields import SpecError
from engine.training.limits import TrainLimits
from engine.training.snapshot import History, Sight, Snapshot
from engine.training.spec import TrainSpec

from .history import history

ABOUT = 0.05
"""The share of the sick run's loss by which a likelier cure may end above the best one."""
LONGER = 3
"""Times the steps after which a run that seemed to have settled is looked at again."""


class TrialCurve(NamedTuple):
    """A run to its end: the loss over all training data, without penalties, at some steps.

    `tests` are the losses on test data, [] without a test set. The last loss is the one it ended
    with; so are the others, None without classes or a test set.
    """

    steps: Sequence[int]
    losses: Sequence[float]
    tests: Sequence[float]
    accuracy: float | None
    test_loss: float | None
    test_accuracy: float | None

    @property
    def loss(self) -> float:
        """The loss at the end; infinite if it is not a number."""
        last = self.losses[-1]
        return last if math.isfinite(last) else math.inf

    def to_json(self) -> dict[str, Any]:
        """What the run ended with, as plain data."""
        return {
            "loss": to_json(self.losses[-1]),
            "accuracy": self.accuracy,
            "test_loss": None if self.test_loss is None else to_json(self.test_loss),
            "test_accuracy": self.test_accuracy,
        }


class Treated(NamedTuple):
    """A verdict with the run that its cure has made, None if no cure was tried and better.

    `tried` are the numbers of cures tried, and `spared` whether some were not, for their cost.
    """

    verdict: Diagnosis
    cured: TrialCurve | None
    tried: int
    spared: bool

    def to_json(self, patient: TrialCurve | None) -> dict[str, Any]:
        """The verdict, and what the sick and the cured run ended with, as plain data."""
        trial = None
        if self.cured is not None and patient is not None:
            trial = {"patient": patient.to_json(), "cured": self.cured.to_json()}
        return {**self.verdict.to_json(), "trial": trial}


class Examination(NamedTuple):
    """What is wrong with a run and was tried against it, and what is to be expected of it.

    `patient` is the run to its end, None where that was too costly.
    """

    found: list[Treated]
    outlook: Outlook
    patient: TrialCurve | None


@dataclass(frozen=True, slots=True)
class Seen:
    """States of a run with the losses before each of its steps, and the sights of the states."""

    states: Sequence[Snapshot]
    losses: Sequence[float]
    sights: dict[int, Sight]

    def report(self, spec: TrainSpec) -> Report:
        """The diagnosis of the run of `spec` so far."""
        return report(self.states, spec, self.losses, self.sights)

    def curve(self, spec: TrainSpec) -> TrialCurve:
        """The run to its last state."""
        last, scale = self.states[-1], scale_of(spec)
        kept = [state for state in self.states if state.step in self.sights]
        known = [state.step for state in kept]
        return TrialCurve(
            known,
            [self.sights[step].loss * scale for step in known],
            [state.test_loss for state in kept if state.test_loss is not None],
            self.sights[known[-1]].accuracy,
            last.test_loss,
            last.test_accuracy,
        )


def examined(
    spec: TrainSpec,
    now: Seen,
    end: Seen | None,
    limits: TrainLimits,
    is_cancelled: IsCancelled = never_cancelled,
) -> Examination:
    """The examination of a run as far as `now`; `end` is the whole run, None if not affordable.

    Raises Cancelled.
    """
    found = now.report(spec)
    if end is None or not end.sights:
        untried = [Treated(_uncured(each, 0), None, 0, True) for each in found.found]
        return Examination(untried, found.outlook, None)
    patient = end.curve(spec)
    last = found if end is now else end.report(spec)
    standing = [each for each in found.found if _lasts(each, last)]
    trials = CureTrials(spec, patient, limits.trials, is_cancelled)
    treated, outlook = list(_treated(standing, trials)), found.outlook
    longer = trials.longer() if any(ILLNESSES[each.verdict.name].last for each in treated) else None
    if longer is not None:
        steps, curve = longer
        treated = [each for each in treated if not ILLNESSES[each.verdict.name].last]
        advice = f"Train for more steps: after {steps:,} the loss is {rounded(curve.loss)}."
        outlook = outlook._replace(advice=advice)
    return Examination(treated, outlook, patient)


def _lasts(verdict: Diagnosis, end: Report) -> bool:
    """Whether a verdict on the way is one on the whole run, or the run ends ill otherwise."""
    names = {each.name for each in end.found}
    if verdict.name in names:
        return True
    return bool(names) and not end.outlook.learned and not ILLNESSES[verdict.name].last


class CureTrials:
    """The trials of one examination, within a budget of work."""

    def __init__(
        self, spec: TrainSpec, patient: TrialCurve, budget: int, is_cancelled: IsCancelled
    ) -> None:
        self.spec = spec
        self.patient = patient
        self._budget = budget
        self._is_cancelled = is_cancelled

    def of(self, verdict: Diagnosis) -> tuple[list[tuple[Treatment, TrialCurve]], bool]:
        """The runs with each cure of a verdict, and whether some were too costly."""
        runs, spared = [], False
        for treatment in verdict.treatments:
            cured = self.cured(treatment.cure)
            if cured is None:
                continue
            if cured.work > self._budget:
                spared = True
                continue
            self._budget -= cured.work
            runs.append((treatment, curve_of(cured, self._is_cancelled)))
        return runs, spared

    def longer(self) -> tuple[int, TrialCurve] | None:
        """A longer run, if it ends better: then this one had not settled."""
        cured = self.cured({"steps": LONGER * self.spec.steps})
        if cured is None or cured.work > self._budget:
            return None
        curve = curve_of(cured, self._is_cancelled)
        return (cured.steps, curve) if is_better(curve, self.patient) else None

    def cured(self, cure: Cure) -> TrainSpec | None:
        """The run with a cure from its first step; None if it has none or is not possible."""
        try:
            return replace(self.spec, **cure) if cure else None
        except SpecError:
            return None  # a change in mid-run that the cured settings do not allow


def _treated(verdicts: Sequence[Diagnosis], trials: CureTrials) -> Iterator[Treated]:
    proven = named = explained = False
    for verdict in verdicts:
        illness = ILLNESSES[verdict.name]
        if (proven and not illness.despite) or (named and illness.last):
            continue
        runs, spared = trials.of(verdict)
        best = _best(runs, trials.patient, illness.on_test)
        sick = trials.patient.loss
        halves = best is not None and best[1].loss <= HALVED * sick < math.inf
        if illness.proof is not None:
            if best is None or best[1].loss > illness.proof * sick:
                continue
            proven = proven or (illness.suspected and halves)
        if explained and best is None and not illness.despite:
            continue  # it follows from what is cured
        named = True
        if best is None:
            yield Treated(_uncured(verdict, len(runs)), None, len(runs), spared)
            continue
        (advice, cure), curve = best
        explained = explained or halves
        yield Treated(replace(verdict, advice=advice, cure=cure), curve, len(runs), spared)


def _uncured(verdict: Diagnosis, tried: int) -> Diagnosis:
    """A verdict without a cure: what was tried without gain is not advised."""
    if not tried:
        return replace(verdict, cure={})
    changes = "the change" if tried == 1 else f"none of {tried} changes"
    ends = "ended no better" if tried == 1 else "ended better"
    advice = f"Tried to the end, {changes} {ends}: the fault may lie in several settings at once."
    return replace(verdict, advice=advice, cure={})


def _best(
    runs: Sequence[tuple[Treatment, TrialCurve]],
    patient: TrialCurve,
    on_test: bool,
) -> tuple[Treatment, TrialCurve] | None:
    """The likeliest cure of those that end about best, and better than the run."""
    better = [(t, curve) for t, curve in runs if is_better(curve, patient, on_test)]
    least = min((_measure(curve, on_test) for _, curve in better), default=0.0)
    worst = least + min(ABOUT * _measure(patient, on_test), least)
    return next((run for run in better if _measure(run[1], on_test) <= worst), None)


def is_better(cured: TrialCurve, patient: TrialCurve, on_test: bool = False) -> bool:
    """Whether a run has ended better than another: on test data, or on all there are."""
    end = _measure(cured, on_test)
    if not (math.isfinite(end) and end <= BETTER * _measure(patient, on_test)):
        return False
    right = [one.test_accuracy if on_test else one.accuracy for one in (cured, patient)]
    if (right[0] or 0.0) < (right[1] or 0.0):
        return False
    return patient.test_loss is None or _measure(cured, True) <= _measure(patient, True)


def _measure(curve: TrialCurve, on_test: bool) -> float:
    found = curve.test_loss if on_test and curve.test_loss is not None else curve.loss
    return found if math.isfinite(found) else math.inf


_CURVES = store("curves of trials")


def curve_of(spec: TrainSpec, is_cancelled: IsCancelled = never_cancelled) -> TrialCurve:
    """A run to its end. Raises Cancelled."""
    kept = _CURVES.get(spec)
    if kept is None:
        kept = seen(history(spec, is_cancelled)).curve(spec)
        _CURVES.put(spec, kept)
    found: TrialCurve = kept
    return found


def seen(found: History) -> Seen:
    """What a history holds for an examination."""
    return Seen(found.states, found.losses, dict(found.sights))


def examination(
    spec: TrainSpec,
    found: History,
    limits: TrainLimits,
    is_cancelled: IsCancelled = never_cancelled,
) -> Examination:
    """The examination of a whole run from its history. Raises Cancelled."""
    whole = seen(found)
    return examined(spec, whole, whole, limits, is_cancelled)
