"""Everything that the template of Train names, from a run's plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from app.train import tables as tables
from app.train.edits import changed
from app.train.figures import figure
from app.train.form import Pairs, form_context
from app.train.links import Links
from app.train.live_run import Edits
from app.train.pictures.chart import loss_svg
from app.train.pictures.network import network_svg, network_words, strongest
from engine.training.fields import SpecError
from engine.training.spec import TrainLimits, TrainSpec

Plain = Mapping[str, Any]


def page_context(
    pairs: Pairs,
    spec: TrainSpec | None,
    error: SpecError | None = None,
    *,
    setup: Plain | None = None,
    state: Plain | None = None,
    query: str = "",
    verdicts: Sequence[Plain] | None = None,
    beside: Sequence[Any] = (),
    right: TrainSpec | None = None,
    limits: TrainLimits | None = None,
) -> dict[str, Any]:
    """What train.html names.

    `pairs` are those of the address; `spec`, `setup` and `state`, the last with its losses, are
    None where the run is refused with `error`. `query` is the run's own, edits included, without
    step or what is hidden. `verdicts` are the doctor's, None where it was not asked; `beside` are
    the losses of `right`, the run without a mistake.
    """
    form = form_context(pairs, spec, error)
    if spec is None or setup is None or state is None:
        nothing = dict.fromkeys(("setup", "state", "exports", "large_href", "network_words"))
        return form | nothing
    links = Links(pairs, spec, query, state["step"])
    return {
        **form,
        **_data(setup, state),
        **_pictures(setup, state, beside),
        **_tables(setup, state, spec),
        **_links(links, right or spec, limits or TrainLimits()),
        "changed": list(changed(spec, _edits(setup), links.page_pairs())),
        "outcome": _outcome(state, beside),
        "verdicts": verdicts,
    }


def _outcome(state: Plain, beside: Sequence[Any]) -> str:
    """How far a run with a mistake has come, and how far the right one."""
    if not beside:
        return ""
    losses = f"{figure(state['loss'])} here, {figure(beside[-1])} in the right run"
    return f"Loss at step {state['step']:,}: {losses}."


def _edits(setup: Plain) -> Edits:
    return tuple((step, place, number) for step, place, number in setup["edits"])


def _data(setup: Plain, state: Plain) -> dict[str, Any]:
    return {
        "setup": setup,
        "state": state,
        "setup_json": _json(setup),
        "state_json": _json(state),
    }


def _json(data: Plain) -> str:
    return json.dumps(data, allow_nan=False, separators=(",", ":"), ensure_ascii=False)


def _losses(setup: Plain, state: Plain) -> tuple[list[Any], list[Any]]:
    """The losses of all steps so far, the present one included: of training and of testing."""
    losses = [*state["losses"], state["loss"]]
    return losses, [*state["test_losses"], state["test_loss"]] if tables.has_test(setup) else []


def _pictures(setup: Plain, state: Plain, beside: Sequence[Any]) -> dict[str, Any]:
    losses, test_losses = _losses(setup, state)
    return {
        "network": Markup(network_svg(setup, state, page=True)),  # noqa: S704  # of numbers
        "network_words": f"{network_words(setup)} {strongest(setup, state)}",
        "chart": Markup(loss_svg(setup, losses, test_losses, True, beside)),  # noqa: S704
    }


def _tables(setup: Plain, state: Plain, spec: TrainSpec) -> dict[str, Any]:
    losses, test_losses = _losses(setup, state)
    return {
        "stats": tables.stats(setup, state),
        "steps_words": f"step {state['step']} of {spec.steps}",
        "loss_words": tables.course_words(losses, test_losses, state),
        "plot_title": tables.plot_title(setup),
        "plot_words": tables.plot_words(setup, state, spec),
        "predictions": list(tables.predictions(spec, state)),
        "unlisted": max(0, len(state["predictions"]) - tables.MOST_ROWS),
        "norms": tables.norms(state),
        "loss_rows": list(tables.loss_rows(state, losses, test_losses)),
    }


def _links(links: Links, right: TrainSpec, limits: TrainLimits) -> dict[str, Any]:
    return {
        "links": list(links.steps()),
        "pictures": links.pictures(),
        "exports": list(links.exports()),
        "sources": list(links.sources()),
        "open_href": links.below("open", ("sample", "0")),
        "open_fields": links.pairs(),
        "doctor_href": links.with_doctor(),
        "mistakes": list(links.mistakes(right)),
        "large_href": links.too_fast(limits),
    }
