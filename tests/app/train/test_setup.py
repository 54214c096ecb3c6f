"""The setup of a form, and of one whose settings no longer fit."""

from __future__ import annotations

from app.train.presets import STARTING
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.learning import (
    SMALL,
    found,
    refused,
)
from tests.support.train_pages import spec_of


def test_setup_has_the_texts_of_the_controls() -> None:
    spec = TrainSpec(data="rows", rows=((0.5, 1.0), (-2.0, -1.0)), layers=(1, 4, 1), l1=1e-7)
    controls = found("/setup", spec)["controls"]
    assert controls["rows"] == "0.5, 1\n-2, -1"
    assert controls["layers"] == "1 → 4 → 1"
    assert controls["shuffle"] == "true"
    assert TrainSpec.from_query(list(controls.items())) == spec
    assert "fitted" not in found("/setup", spec)


def test_setup_makes_the_rest_fit_what_was_changed() -> None:
    told = found("/setup", SMALL, data="sine", loss="hinge", fit="data")
    assert told["fitted"] == {"loss": "mse", "layers": "1 → 3 → 1"}
    pairs = {**dict(SMALL.to_query()), "data": "sine", "loss": "mse", "layers": "1-3-1"}
    right = TrainSpec.from_query(pairs)
    says = (
        "Sine: numbers to predict, which hinge cannot take. The loss is now mse, the output linear."
    )
    assert told["fitted_says"] == f"{says} Fitted to sine: layers."
    more = {name: told[name] for name in ("fitted", "fitted_says")}
    assert told == {**found("/setup", right), **more}
    assert found("/setup", SMALL, fit="loss")["fitted"] == {}


def test_a_card_takes_the_opening_run_to_the_defaults_of_its_data() -> None:
    told = found("/setup", STARTING, data="spiral", fit="data", was="moons")
    kept = {name: getattr(STARTING, name) for name in ("noise", "test_share", "seed")}
    spiral = TrainSpec(data="spiral", samples=300, **kept)
    assert spec_of(list(told["controls"].items())) == spiral
    assert found("/setup", STARTING, data="circles", fit="data", was="moons")["fitted"] == {}
    assert found("/setup", STARTING, data="moons", fit="data", was="moons")["fitted"] == {}


def test_refused_run_gets_fitted_settings_too() -> None:
    told = refused("/setup", data="three_spirals", layers="2-4-1", learning_rate="much", fit="data")
    assert told["field"] == "learning_rate"
    assert told["fitted"] == {"layers": "2 → 4 → 3"}
    assert "fitted" not in refused("/setup", data="three_spirals", layers="2-4-1")


def test_only_decisive_settings_can_be_fitted_to() -> None:
    assert refused("/setup", fit="seed")["field"] == "fit"


@for_each("loss", LOSSES)
def test_setup_says_the_target_of_the_other_class(loss: str) -> None:
    classes = LOSSES[loss].least_outputs
    spec = TrainSpec(loss=loss, layers=(2, 3, classes))
    assert found("/setup", spec)["no"] == {"bce": 0, "cross_entropy": 0}.get(loss, -1)
