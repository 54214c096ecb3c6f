"""Defaults that belong to the data: what a spec that names little learns, and what it means."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from engine.kernel import Run
from engine.runs.history import history
from engine.training.datasets import DATASETS
from engine.training.fitting import defaults, refit
from engine.training.losses import LOSSES
from engine.training.settings import FIELDS
from engine.training.spec import DEFAULTS, TrainSpec
from tests.support.each import for_each

SEEDS = (1337, *range(19))
DRAWN = [name for name in DATASETS if name != "rows"]
NUMBERS = [[x / 8, (x / 8) ** 2 - 2.5] for x in range(-8, 9)]


@pytest.mark.parametrize("data", DRAWN)
def test_every_data_set_is_learnt_by_a_spec_that_names_it_alone(data: str) -> None:
    """At least 90 % of the classes, a tenth of the first loss elsewhere, from every seed."""
    for seed in SEEDS:
        spec = TrainSpec(data=data, seed=seed)
        found = Run(spec).history([])
        if spec.classifies:
            assert found.accuracy is not None
            assert found.accuracy >= 0.9, seed
        else:
            assert found.loss <= found.losses[0] / 10, seed


def test_numbers_of_ones_own_are_learnt() -> None:
    for seed in SEEDS:
        found = Run(TrainSpec.from_json({"data": "rows", "rows": NUMBERS, "seed": seed})).history(
            []
        )
        assert found.loss <= found.losses[0] / 10, seed


@for_each("data", DRAWN)
def test_page_json_and_python_have_the_same_defaults(data: str) -> None:
    spec = TrainSpec(data=data)
    assert spec == TrainSpec.from_json({"data": data}) == TrainSpec.from_query([("data", data)])
    assert {name: getattr(spec, name) for name in FIELDS} == defaults({"data": data})


def test_a_data_set_changes_known_settings_only() -> None:
    for data in DATASETS.values():
        assert set(data.defaults) <= set(DEFAULTS) - {"data", "rows", "initial", "seed"}


def test_the_output_activation_of_a_data_set_belongs_to_its_own_loss() -> None:
    assert TrainSpec(data="four_points").output_activation == "tanh"
    assert TrainSpec(data="four_points", loss="bce").output_activation == "linear"


@for_each("loss", LOSSES)
@for_each("data", DRAWN)
def test_a_link_names_what_a_data_set_makes_different(data: str, loss: str) -> None:
    """So that it keeps its meaning when a data set is given other defaults."""
    if not DATASETS[data].classes and not LOSSES[loss].regression:
        return
    spec = TrainSpec(data=data, loss=loss)
    named = dict(spec.to_query())
    assert TrainSpec.from_query(named) == spec
    assert all(name in named for name, value in DEFAULTS.items() if getattr(spec, name) != value)


def test_an_omitted_setting_is_not_null() -> None:
    assert (
        repr(inspect.signature(TrainSpec).parameters["steps"].default) == "the default for the data"
    )
    with pytest.raises(ValueError, match="steps is null"):
        TrainSpec.from_json({"steps": None})


# Other data in a form


def _changed(before: dict[str, Any], **changes: str) -> dict[str, Any]:
    """The settings of a form with other data, after they were fitted."""
    form = {name: FIELDS[name].kind.text(x) for name, x in before.items()} | changes
    fit = {name: FIELDS[name].kind.text(x) for name, x in refit(form, "data", [before]).items()}
    spec = TrainSpec.from_query({n: text for n, text in (form | fit).items() if text})
    return {name: getattr(spec, name) for name in FIELDS}


@for_each("before", DRAWN)
@for_each("data", DRAWN)
def test_a_form_that_nobody_changed_takes_the_defaults_of_other_data(
    data: str, before: str
) -> None:
    assert _changed(defaults({"data": before}), data=data) == defaults({"data": data})


def test_a_setting_that_was_changed_stays_if_it_fits() -> None:
    found = _changed(
        defaults({"data": "moons"}), data="spiral", activation="gelu", layers="2-7-1", l1="0.001"
    )
    own = defaults({"data": "spiral"})
    assert found == {**own, "activation": "gelu", "layers": (2, 7, 1), "l1": 0.001}
    found = _changed(defaults({"data": "moons"}), data="sine", loss="bce", steps="77")
    assert (found["loss"], found["layers"], found["steps"]) == ("mse", (1, 8, 8, 1), 77)


def test_a_spiral_of_which_a_part_is_held_out_takes_the_samples_that_predict_it() -> None:
    held_out = {**defaults({"data": "moons"}), "test_share": 0.2}
    found = _changed(held_out, data="spiral")
    assert found["samples"] == DATASETS["spiral"].enough
    last = history(TrainSpec.from_json(found)).states[-1]
    assert last.test_accuracy is not None
    assert last.test_accuracy >= 0.9
    assert _changed(found, data="moons") == held_out
    assert _changed(held_out, data="spiral", samples="500")["samples"] == 500
