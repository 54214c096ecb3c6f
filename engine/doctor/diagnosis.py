"""The diagnosis of a run from its states: its illnesses, and whether it has learnt.

`diagnose(snapshots, spec)` checks each illness of ILLNESSES and reports evidence, first step,
layers and what may help. The snapshots may be a subset of the run's, such as every tenth; memory
and work are bounded (`engine.doctor.evidence`).

Nothing is held against a run that has learnt its data, and nothing but what shows despite that
against one whose loss is still falling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.training.settings import FIELDS
from engine.training.snapshot import NO_SIGHTS, Sight, Snapshot
from engine.training.spec import TrainSpec

from .evidence import RunEvidence
from .findings import Cure, Found, Treatment, mistake, repaired
from .illness import Illness
from .illnesses import ILLNESSES, STEPS
from .outlook import Outlook, outlook_of

WELL = 1.0
"""The loss, as a share of that of the best constant answer, from which a fall is progress."""
NOTHING = 0.9
"""The loss, as a share of that of the best constant answer, above which nothing was learnt."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One illness of a run.

    `step` is the first one that shows it. `layers` count from 1, the first after the input, and
    `layer` is the first of them; () and None if no single layer is the cause. `message` states the
    evidence, `treatments` what may help, the likeliest first; `advice` and `cure` are those of the
    first, and after trials those of the best. A run with a `grave` illness is worthless: it has
    diverged, has learnt nothing or nothing that holds for new data.
    """

    name: str
    step: int
    layers: tuple[int, ...]
    message: str
    treatments: tuple[Treatment, ...]
    advice: str
    cure: Cure
    grave: bool

    @property
    def layer(self) -> int | None:
        """The first layer that shows it."""
        return self.layers[0] if self.layers else None

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "name": self.name,
            "step": self.step,
            "layer": self.layer,
            "layers": list(self.layers),
            "message": self.message,
            "advice": self.advice,
            "cure": {name: FIELDS[name].kind.plain(x) for name, x in self.cure.items()},
            "grave": self.grave,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The illnesses of a run, and what is to be expected of it."""

    found: list[Diagnosis]
    outlook: Outlook


def diagnose(
    snapshots: Iterable[Snapshot],
    spec: TrainSpec,
    losses: Sequence[float] = (),
    sights: Mapping[int, Sight] = NO_SIGHTS,
) -> list[Diagnosis]:
    """The illnesses of a run of `spec`, or of a part of it, in the order of the table.

    The snapshots are in the order of their steps; those after the first non-finite one are ignored.
    `losses`, of the steps 0, 1, …, supplements those of the snapshots, and `sights` spare the
    computation of activations.
    """
    return report(snapshots, spec, losses, sights).found


def report(
    snapshots: Iterable[Snapshot],
    spec: TrainSpec,
    losses: Sequence[float] = (),
    sights: Mapping[int, Sight] = NO_SIGHTS,
) -> Report:
    """The diagnosis as `diagnose` gives it, and the outlook."""
    evidence = RunEvidence(snapshots, spec, losses, sights)
    found = list(_diagnoses(evidence))
    return Report(found, outlook_of(evidence))


def _diagnoses(evidence: RunEvidence) -> Iterator[Diagnosis]:
    is_named = False
    is_sound = not mistake(evidence.spec) and evidence.broken is None and evidence.looks
    can_tell = is_sound and evidence.span >= STEPS.value
    for illness in ILLNESSES.values():
        if (is_named and illness.last) or _is_excused(evidence, illness):
            continue
        if illness.sound and not can_tell:
            continue
        if is_named and mistake(evidence.spec):
            return  # whatever else there is follows from it
        found = list(illness.check(evidence, illness.thresholds))
        if found:
            is_named = is_named or illness.proof is None
            yield _verdict(evidence, illness, found)


def _is_excused(evidence: RunEvidence, illness: Illness) -> bool:
    """Whether a run is too well for an illness: it has learnt its data, or its loss is falling."""
    if illness.despite or evidence.broken is not None or not evidence.looks:
        return False
    if evidence.learning.is_done:
        return True
    course = evidence.course
    return course.is_falling and course.level <= WELL and not illness.suspected


def _verdict(evidence: RunEvidence, illness: Illness, found: Sequence[Found]) -> Diagnosis:
    """One verdict on what one or several layers show."""
    first = found[0]
    layers = tuple(each.layer for each in found if each.layer is not None)
    treatments = tuple(_treatments(evidence, illness, first))
    grave = illness.grave or evidence.broken is not None or _is_nothing_learnt(evidence)
    return Diagnosis(
        illness.name, first.step, layers, _message(found), treatments, *treatments[0], grave
    )


def _message(found: Sequence[Found]) -> str:
    """The message on the first layer, with the others that show the same."""
    first, *others = found
    if not others:
        return first.message
    *some, last = (str(each.layer) for each in others)
    rest = f"layers {', '.join(some)} and {last}" if some else f"layer {last}"
    return f"{first.message[:-1]}, and {rest} likewise."


def _treatments(evidence: RunEvidence, illness: Illness, found: Found) -> Iterator[Treatment]:
    """What may help, as settings that differ from the run's; against a mistake, nothing else."""
    spec = evidence.spec
    if mistake(spec):
        yield Treatment(mistake(spec), repaired(spec))
        return
    for advice, cure in illness.treatments(evidence, found):
        changed = {name: x for name, x in cure.items() if getattr(spec, name) != x}
        yield Treatment(advice, changed)


def _is_nothing_learnt(evidence: RunEvidence) -> bool:
    return evidence.span >= STEPS.value and evidence.learning.share >= NOTHING
