"""The form of Train: a control for every field, with help, formula and label."""

from __future__ import annotations

from dataclasses import replace

from app.train.choices import DEPENDENT, uses
from app.train.form import form_of
from app.train.hiding import GROUPS, WITHOUT_CONTROL
from app.train.presets import STARTING
from app.train.thumbnails import thumbnail
from engine.training.datasets import DATASETS
from engine.training.fields import SpecError
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.spec import DEFAULTS, FIELDS, TrainSpec
from tests.support.each import for_each
from tests.support.learning import MINIBATCH, SPECS, THREE, WIDE
from tests.support.pages import client
from tests.support.train_pages import ODD, control, controls, of, page, sent, spec_of


@for_each("spec", [*SPECS.values(), STARTING, ODD], ids=[*SPECS, "starting", "odd"])
def test_form_sends_the_run_that_the_page_shows(spec: TrainSpec) -> None:
    assert spec_of(sent(of(spec))) == spec


def test_given_parameters_are_handed_on() -> None:
    spec = replace(WIDE, initial=(0.5,) * WIDE.parameter_count)
    assert spec_of(sent(of(spec))) == spec


def test_every_field_has_a_control() -> None:
    names = [c.attributes.get("name") for c in controls(page())]
    assert set(FIELDS) - set(names) == set(WITHOUT_CONTROL)
    assert {c for c in names if names.count(c) > 1} == {"data"}


def test_groups_have_legends() -> None:
    legends = [legend.text for legend in page().all("legend")]
    assert legends == list(GROUPS.values())
    assert legends == ["Data", "Network", "Training", "Try a mistake"]


@for_each(
    ("name", "table"),
    [("init", INITS), ("loss", LOSSES), ("optimizer", OPTIMIZERS), ("schedule", SCHEDULES)],
)
def test_choices_are_the_tables_with_help_and_formula(name: str, table: dict[str, object]) -> None:
    found = page()
    options = found.within(found.one("select", name=name)).all("option")
    assert [o.attributes["value"] for o in options] == list(table)
    for option, row in zip(options, table.values(), strict=True):
        assert option.attributes["data-help"] == row.help  # type: ignore[attr-defined]
        assert option.attributes["data-formula"] == row.formula  # type: ignore[attr-defined]


def test_data_sets_are_cards_with_pictures() -> None:
    found = page()
    radios = found.all("input", type="radio", name="data")
    assert [radio.attributes["value"] for radio in radios] == list(DATASETS)
    for radio in radios:
        card = radio.around[-1]
        row = DATASETS[radio.attributes["value"]]
        assert card.tag == "label"
        assert card.attributes["title"].endswith(row.help)
        known = {0: "Regression", 2: "Classification, 2 classes", 3: "Classification, 3 classes"}
        if row.name != "rows":
            assert card.attributes["title"].startswith(f"{known[row.classes]}: ")
        found.within(card).one("svg", class_="thumbnail")
        assert thumbnail(row.name) in client().get("/train").text


def test_dependent_controls_name_their_choices() -> None:
    assert uses(OPTIMIZERS["sgd"]) == uses(OPTIMIZERS["adam"]) == ()
    assert uses(OPTIMIZERS["momentum"]) == uses(OPTIMIZERS["nesterov"]) == ("momentum",)
    assert uses(OPTIMIZERS["adamw"]) == ("weight_decay",)
    assert uses(SCHEDULES["constant"]) == ()
    assert uses(SCHEDULES["cosine"]) == ("schedule_end",)
    assert uses(DATASETS["four_points"]) == ()
    assert uses(DATASETS["moons"]) == ("samples", "noise")
    assert {e.attributes["data-for"] for e in page().all(class_="depends")} == DEPENDENT


def test_style_sheet_shows_what_a_choice_uses() -> None:
    css = client().get(page().one("link", rel="stylesheet", href=_sheet()).attributes["href"]).text
    for name in DEPENDENT:
        assert f'.spec:has([data-uses~="{name}"]:checked) [data-for="{name}"]' in css


def _sheet() -> str:
    (found,) = [a for a in page().addresses() if a.endswith("train.css")]
    return found


def test_chosen_loss_and_optimizer_are_explained() -> None:
    found = page()
    for name, row in (("loss", LOSSES["mse"]), ("optimizer", OPTIMIZERS["sgd"])):
        hint = found.one("p", id=f"hint-{name}")
        assert row.help in hint.text
        assert row.formula in hint.text
        assert f"hint-{name}" in found.one("select", name=name).attributes["aria-describedby"]


def test_every_control_has_a_label_and_a_place_for_its_message() -> None:
    found = page()
    for one in controls(found):
        name = one.attributes["name"]
        if one.attributes.get("type") == "hidden" or name == "step":
            continue
        labelled = found.all("label", for_=one.attributes.get("id", "-"))
        labelled += [e for e in one.around if e.tag == "label"]
        assert labelled, name
        found.one("p", id=f"error-{name}", hidden="")
        if name != "data":
            assert f"error-{name}" in one.attributes["aria-describedby"].split()


def test_ticked_mistakes_send_false_and_others_nothing() -> None:
    for name in ("zero_grad", "accumulate", "shuffle"):
        box = page().one("input", type="checkbox", name=name)
        assert box.attributes["value"] == "false"
        assert "checked" not in box.attributes
        off = of(replace(MINIBATCH, **{name: False}))  # type: ignore[arg-type]
        assert "checked" in off.one("input", type="checkbox", name=name).attributes


def test_own_rows_stand_in_the_form_line_by_line() -> None:
    assert of(ODD).one("textarea", name="rows").text == "0.5, -1, 0\n1.25, 2, 1\n0, 3, 2"


def test_layers_are_written_with_arrows() -> None:
    assert control(of(THREE), "layers").attributes["value"] == "2 → 4 → 3"


def test_defaults_of_the_form_are_those_of_the_spec() -> None:
    context = form_of([], None, SpecError("x", "", "no"))
    values = {c.name: c.value for group in context.groups for c in group.controls}
    kept = TrainSpec.from_query([(name, text) for name, text in values.items() if name != "rows"])
    assert kept == TrainSpec()
    assert set(values) == set(DEFAULTS) - set(WITHOUT_CONTROL)
