"""The data of Train's page: the run of an address at a step, for the template."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.train import address, doctor, space, state, step_check, tables
from app.train.address import Pairs, TrainView
from app.train.changes import Removable, more_steps, removable
from app.train.edits import changed
from app.train.form import SettingsForm, form_of
from app.train.landscape import axes_of, panel
from app.train.links import Links
from app.train.opening import EXPLORE
from app.train.pictures.chart import loss_svg, penalties
from app.train.pictures.network import network_svg, network_words, strongest
from app.train.presets import STARTING, grouped
from app.train.runs import TrainingRuns
from engine.cancellation import IsCancelled
from engine.numbers import brief, compact, to_json
from engine.program import Limits
from engine.training.fields import SpecError
from engine.training.spec import TrainLimits, TrainSpec

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Results:
    """A run at a step: its plain data, also as JSON for the scripts, and its presentation.

    `pictures`, `tables` and `links` are by name, as the template reads them; `changed` are the
    manual edits, `changes` those of settings in mid-run, `rate` the learning rate of the next
    update, `more_steps` those of "train on", `limits` those of runs; `outcome` compares a run that
    makes a mistake with the one without, `doctor` has the verdicts; these, the `landscape`, the
    `space` and the `check` are None if they were not requested.
    """

    setup: Plain
    state: Plain
    setup_json: str
    state_json: str
    pictures: Plain
    tables: Plain
    links: Plain
    changed: Sequence[Removable]
    changes: Sequence[Removable]
    rate: str
    more_steps: int
    outcome: str
    limits: TrainLimits
    doctor: Plain | None
    landscape: Plain | None
    space: Plain | None
    check: Plain | None

    @property
    def ailment(self) -> Plain | None:
        """The verdict that is seen without the list."""
        return self.doctor["grave"] if self.doctor else None


@dataclass(frozen=True, slots=True)
class TrainPage:
    """The template context of train.html; `results` is None if the run is refused."""

    form: SettingsForm
    results: Results | None = None
    page: str = "train"

    def context(self) -> dict[str, Any]:
        """The page's parts by name, for the template."""
        parts = {"form": self.form, "results": self.results, "page": self.page}
        return {**parts, "presets": grouped()}


def read(
    runs: TrainingRuns,
    pairs: Pairs,
    limits: TrainLimits,
    is_cancelled: IsCancelled,
    explore: Limits = EXPLORE,
) -> TrainPage:
    """The page of an address; an invalid run is reported in its form.

    An address that names no run shows STARTING. The doctor is the slowest part and scripts request
    it separately: it is included only with `doctor=1`.
    """
    if not address.names_a_run(pairs):
        pairs = [*address.run_pairs(STARTING), *pairs]
    try:
        view = address.read(pairs, limits, held=True)  # the form may have reduced the steps
        wants_diagnosis = address.switch(pairs, "doctor")
        wants_landscape = address.text_of(pairs, "plane") is not None
        axes_of(pairs, view.spec)
        wants_space = address.text_of(pairs, "space") is not None
        space.layer_of(pairs, view.spec)
        wants_check = address.switch(pairs, "check")
    except SpecError as error:
        return TrainPage(form_of(pairs, None, error))
    with runs.hold(view.spec, view.edits, is_cancelled) as run:
        now = state.state(run, view.step, losses=True)
        examined = None
        if wants_diagnosis:
            found = doctor.examination(run, view.step, limits, is_cancelled)
            examined = doctor.view(run, found)
        drawn = panel(run, view, pairs, limits, is_cancelled) if wants_landscape else None
        carried = space.panel(run, view, pairs) if wants_space else None
        checked = step_check.panel(run, view.step, is_cancelled) if wants_check else None
    right = view.without_mistakes()
    beside = _beside(runs, view, right, is_cancelled)
    setup = state.setup(view.spec, view.edits, explore)
    links = Links(pairs, view.spec, view.run_query(), now["step"])
    results = Results(
        setup=setup,
        state=now,
        setup_json=_json(setup),
        state_json=_json(now),
        pictures=_pictures(setup, now, beside),
        tables=_tables(setup, now, view.spec),
        links=_links(links, right, limits, setup["opening"]),
        changed=tuple(changed(view.spec, view.edits, links.page_pairs())),
        changes=tuple(removable(view.spec, [*address.edit_pairs(view.edits), *links.page_pairs()])),
        rate=compact(float(now["learning_rate"])),
        more_steps=more_steps(view.spec.total_steps),
        outcome=_outcome(now, beside),
        limits=limits,
        doctor=examined,
        landscape=drawn,
        space=carried,
        check=checked,
    )
    return TrainPage(form_of(pairs, view.spec), results)


def _beside(
    runs: TrainingRuns, view: TrainView, right: TrainSpec, is_cancelled: IsCancelled
) -> list[Any]:
    """The losses of the same run without its mistakes; [] if it makes none."""
    if right == view.spec:
        return []
    with runs.hold(right, view.edits, is_cancelled) as run:
        losses: list[Any] = state.history(run, 0, view.step)["losses"]
        return [*losses, to_json(run.kernel.snapshot().loss)]


def _outcome(state: Plain, beside: Sequence[Any]) -> str:
    """The losses of a run with a mistake and of the correct run, as a sentence."""
    if not beside:
        return ""
    losses = f"{brief(state['loss'])} here, {brief(beside[-1])} in the correct run"
    return f"Loss at step {state['step']:,}: {losses}."


def _json(data: Plain) -> str:
    return json.dumps(data, allow_nan=False, separators=(",", ":"), ensure_ascii=False)


def _losses(setup: Plain, state: Plain) -> tuple[list[Any], list[Any]]:
    """Training and test losses of all steps so far, the current one included."""
    losses = [*state["losses"], state["loss"]]
    return losses, [*state["test_losses"], state["test_loss"]] if tables.has_test(setup) else []


def _pictures(setup: Plain, state: Plain, beside: Sequence[Any]) -> Plain:
    """The inline pictures, and a description of the network for screen readers."""
    losses, test_losses = _losses(setup, state)
    return {
        "network": Markup(network_svg(setup, state, page=True)),  # noqa: S704  # of numbers
        "network_words": f"{network_words(setup)} {strongest(setup, state)}",
        "chart": Markup(loss_svg(setup, losses, test_losses, True, beside, penalties(state))),  # noqa: S704
    }


def _tables(setup: Plain, state: Plain, spec: TrainSpec) -> Plain:
    """Figures, tables and text alternatives of the pictures.

    `unlisted` is the number of samples omitted from the table of predictions, which is without
    dropout also if the run `has_dropout`.
    """
    losses, test_losses = _losses(setup, state)
    return {
        "stats": tables.stats(setup, state),
        "steps_words": f"step {state['step']} of {spec.total_steps}",
        "epoch_words": tables.epoch_words(spec, state["step"]),
        "loss_words": tables.course_words(setup, losses, test_losses, state),
        "plot_title": tables.plot_title(setup),
        "plot_words": tables.plot_words(setup, state, spec),
        "predictions": tuple(tables.predictions(spec, state)),
        "unlisted": max(0, len(state["predictions"]) - tables.MOST_ROWS),
        "has_dropout": tables.has_dropout(setup),
        "is_partial": tables.is_partial(setup),
        "has_penalty": tables.has_penalty(setup),
        "confusion": tables.confusion(spec, state),
        "norms": tables.norms(state),
        "loss_rows": tuple(tables.loss_rows(state, losses, test_losses)),
    }


def _links(links: Links, right: TrainSpec, limits: TrainLimits, opened: Plain) -> Plain:
    """Links to other steps, files of the run, Explore, and runs with one setting changed."""
    return {
        "steps": tuple(links.steps()),
        "pictures": links.pictures(),
        "exports": tuple(links.exports()),
        "sources": tuple(links.sources()),
        "open_href": links.below("open"),
        "parts": tuple(links.parts(opened)),
        "open_fields": links.pairs(),
        "doctor_href": links.with_panel("doctor", "doctor", "1"),
        "landscape_href": links.with_panel("landscape", "plane", "main"),
        "space_href": links.with_panel("space", "space", "last"),
        "check_href": links.with_panel("check", "check", "1"),
        "mistakes": tuple(links.mistakes(right)),
        "large_href": links.too_fast(limits),
        "on_href": links.on(),
        "race_href": links.race(),
    }
