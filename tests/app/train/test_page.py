"""The page of Train: its form, its words and tables, and that nothing typed is lost."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from functools import cache
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from app.pages import PAGES
from app.train.choices import DEPENDENT, uses
from app.train.form import STARTING, form_of
from app.train.hiding import GROUPS, HIDEABLE, WITHOUT_CONTROL
from app.train.thumbnails import thumbnail
from engine.kernel import Run
from engine.training.datasets import DATASETS
from engine.training.fields import SpecError
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.samples import load
from engine.training.spec import DEFAULTS, FIELDS, TrainSpec
from tests.support.learning import CURVE, DIVERGING, MINIBATCH, SPECS, THREE, WIDE
from tests.support.pages import Element, Html, client, read
from tests.support.places import ROOT

Pairs = list[tuple[str, str]]

ODD = TrainSpec(
    data="rows", rows=((0.5, -1.0, 0.0), (1.25, 2.0, 1.0), (0.0, 3.0, 2.0)), layers=(2, 3, 4, 3),
    activation=("tanh", "relu"), output_activation="sigmoid", init="he", loss="cross_entropy",
    l1=0.001, l2=0.02, optimizer="nesterov", learning_rate=0.05, momentum=0.5, weight_decay=0.1,
    schedule="cosine", schedule_end=0.001, batch=2, shuffle=False, steps=7, seed=2**63,
    zero_grad=False, accumulate=False,
)  # fmt: skip
"""A spec whose every field is another than by default, but for those that go without saying."""

HOSTILE = '"><img src=x onerror=alert(1)></textarea><script>alert(1)</script>'


@cache
def page(pairs: tuple[tuple[str, str], ...] = (), status: int = 200) -> Html:
    """The page at an address."""
    answer = client().get(f"/train?{urlencode(pairs)}")
    assert answer.status_code == status, answer.text[:300]
    return read(answer.text)


def of(spec: TrainSpec, **more: str) -> Html:
    """The page of a run."""
    pairs = spec.to_query() or [("data", spec.data)]
    return page((*pairs, *more.items()))


def controls(found: Html) -> list[Element]:
    """The controls of the form, hidden ones included."""
    form = found.one("form", id="spec")
    return [e for e in found.within(form).elements if e.tag in ("input", "select", "textarea")]


def control(found: Html, name: str) -> Element:
    """The only control of the form with a name."""
    (one,) = [c for c in controls(found) if c.attributes.get("name") == name]
    return one


def sent(found: Html) -> Pairs:
    """What a browser sends when the form is submitted as it is."""
    pairs: Pairs = []
    for one in controls(found):
        name, kind = one.attributes.get("name", ""), one.attributes.get("type", "")
        if one.tag == "textarea":
            pairs.append((name, one.text))
        elif one.tag == "select":
            options = found.within(one).all("option")
            (chosen,) = [o for o in options if "selected" in o.attributes] or options[:1]
            pairs.append((name, chosen.attributes["value"]))
        elif kind not in ("radio", "checkbox") or "checked" in one.attributes:
            pairs.append((name, one.attributes["value"]))
    return pairs


def spec_of(pairs: Pairs) -> TrainSpec:
    return TrainSpec.from_query(pairs, ignore=("step", "hide", "right"))


# The run to start with


def test_page_starts_with_a_run_that_learns_within_a_second() -> None:
    assert spec_of(sent(page())) == STARTING
    run = Run(STARTING)
    run.advance(STARTING.steps)
    assert run.evaluate().accuracy == 1.0
    assert run.evaluate("test").accuracy == 1.0


def test_page_is_found_from_every_other() -> None:
    for path in (other.path for other in PAGES if other.name != "train"):
        assert read(client().get(path).text).one("a", href="/train").text == "Train"
    page().one("a", href="/train", aria_current="page")


# The form


@pytest.mark.parametrize("spec", [*SPECS.values(), STARTING, ODD], ids=[*SPECS, "starting", "odd"])
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


@pytest.mark.parametrize(
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
        assert card.attributes["title"] == row.help
        found.within(card).one("svg", class_="thumbnail")
        assert thumbnail(row.name) in client().get("/train").text


def test_controls_that_only_matter_with_some_choice_say_so() -> None:
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


# What is refused


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("samples", "abc"), ("noise", "-1"), ("test_share", "2"), ("layers", "two"),
        ("layers", "2-6-5"), ("activation", "tanhh"), ("output_activation", "x"), ("init", "me"),
        ("loss", "nope"), ("optimizer", ""), ("learning_rate", "1e999"), ("momentum", "1"),
        ("schedule", "up"), ("schedule_end", "-2"), ("batch", "1000"), ("l1", "x"), ("l2", "nan"),
        ("steps", "0"), ("steps", "999999999"), ("seed", "-1"), ("shuffle", "perhaps"),
        ("zero_grad", "no"), ("rows", "1,2;3"), ("data", "nope"), ("samples", HOSTILE),
        ("activation", HOSTILE), ("rows", HOSTILE), ("layers", "2 → 4 → 1 → "),
    ],
)  # fmt: skip
def test_what_is_refused_stays_typed_with_its_message_beside_it(name: str, text: str) -> None:
    other = ("seed", "77") if name != "seed" else ("l1", "0.25")
    found = page((("data", "moons"), other, (name, text)), 422)
    message = found.one("p", id=f"error-{name}")
    assert "hidden" not in message.attributes
    assert message.text
    assert [e for e in found.all(class_="field-error") if "hidden" not in e.attributes] == [message]
    typed = dict(sent(found))
    assert typed[other[0]] == other[1]
    if name not in ("data", "shuffle", "zero_grad"):
        assert typed[name].strip() == text.replace(";", "\n").strip()
        field = control(found, name)
        assert field.attributes["aria-invalid"] == "true"
        assert f"error-{name}" in field.attributes["aria-describedby"].split()
    assert found.one("h2").text == "Nothing to train yet"
    assert not found.all("img")


def test_message_of_a_control_that_needs_a_choice_is_seen_without_it() -> None:
    found = page((("momentum", "5"), ("optimizer", "sgd")), 422)
    field = found.one("input", name="momentum").around[-1]
    assert field.has(class_="refused")


@pytest.mark.parametrize("pairs", [(("nope", "1"),), (("seed", "1"), ("seed", "2"))])
def test_what_belongs_to_no_control_is_said_above_the_form(pairs: tuple[tuple[str, str]]) -> None:
    found = page((("data", "moons"), *pairs), 422)
    message = found.one("p", id="error-spec")
    if pairs[0][0] == "nope":
        assert "nope" in message.text
        assert "hidden" not in message.attributes


def test_refused_page_opens_the_settings_of_a_small_screen() -> None:
    found = page((("data", "moons"), ("steps", "0")), 422)
    assert "checked" in found.one("input", id="show-spec").attributes
    assert "checked" not in page().one("input", id="show-spec").attributes


def test_message_of_a_hidden_control_stands_above() -> None:
    error = SpecError("seed", "-1", "seed is -1; no.")
    context = form_of([("hide", "seed"), ("seed", "-1")], None, error)
    assert context.top_error == "seed is -1; no."
    assert form_of([("seed", "-1")], None, error).top_error == ""
    assert form_of([("hide", "training")], None, error).top_error == "seed is -1; no."


# What is hidden


def test_hidden_controls_keep_their_values() -> None:
    found = of(replace(ODD, seed=5), hide="data,mistakes,seed,layers")
    assert [legend.text for legend in found.all("legend")] == ["Network", "Training"]
    for name in ("seed", "layers", "zero_grad", "rows", "samples"):
        assert control(found, name).attributes["type"] == "hidden"
    assert spec_of(sent(found)) == replace(ODD, seed=5)
    assert ("hide", "data,mistakes,seed,layers") in sent(found)


def test_hidden_switch_that_is_not_off_sends_nothing() -> None:
    found = of(MINIBATCH, hide="mistakes,shuffle")
    assert spec_of(sent(found)) == MINIBATCH
    assert not found.all(name="zero_grad")


def test_group_of_which_all_is_hidden_has_no_legend() -> None:
    found = of(MINIBATCH, hide="zero_grad,accumulate,learning_rate")
    assert "Try a mistake" not in [legend.text for legend in found.all("legend")]


@pytest.mark.parametrize(
    ("word", "gone"),
    [
        ("predictions", "predictions"), ("losses", "losses"), ("norms", "norms"),
        ("doctor", "doctor"), ("code", "code"), ("sweep", "sweep"), ("export", "exports"),
        ("open", "open"), ("play", "player"), ("chart", "loss"), ("boundary", "plot"),
        ("stats", "stats"), ("local", "local"),
    ],
)  # fmt: skip
def test_parts_of_the_page_can_be_hidden(word: str, gone: str) -> None:
    assert page().all(id=gone)
    assert not of(MINIBATCH, hide=word).all(id=gone)


def test_links_to_steps_keep_what_is_hidden() -> None:
    found = of(MINIBATCH, hide="data", step="5")
    for link in _steps(found):
        assert ("hide", "data") in parse_qsl(urlsplit(link).query)


# Steps


def _steps(found: Html) -> list[str]:
    nav = found.one("nav", aria_label="Step")
    return [a.attributes["href"] for a in found.within(nav).all("a")]


@pytest.mark.parametrize(
    ("step", "leads_to"),
    [(0, [1, 10, 40]), (5, [0, 0, 4, 6, 15, 40]), (40, [0, 30, 39])],
)
def test_steps_without_scripts_are_links(step: int, leads_to: list[int]) -> None:
    links = [dict(parse_qsl(urlsplit(a).query)) for a in _steps(of(MINIBATCH, step=str(step)))]
    assert [int(link["step"]) for link in links] == leads_to
    for link in links:
        assert spec_of(list(link.items())) == MINIBATCH


def test_default_run_is_not_taken_for_none() -> None:
    """Nothing of it differs from the defaults, but no parameter at all means the starting run."""
    found = of(TrainSpec())
    assert spec_of(sent(found)) == TrainSpec()
    for link in _steps(found):
        assert spec_of(sent(read(client().get(link).text))) == TrainSpec()


def test_form_asks_for_the_last_step_where_the_page_is_at_the_first() -> None:
    assert control(of(MINIBATCH), "step").attributes["value"] == "40"
    assert control(of(MINIBATCH, step="7"), "step").attributes["value"] == "7"


# What is seen


def test_figures_words_and_tables_say_the_same() -> None:
    found = of(MINIBATCH, step="40")
    run = Run(MINIBATCH)
    run.advance(40)
    snapshot = run.snapshot()
    assert found.one("output", id="stat-step").text == "40"
    assert found.one("output", id="stat-loss").text == f"{snapshot.loss:.4f}"
    words = found.one("p", id="loss-words").text
    assert re.fullmatch(
        r"loss [\d.]+ → [\d.]+ after 40 steps; test loss [\d.]+; accuracy [\d.]+%", words
    )
    assert f"→ {snapshot.loss:.4f} after" in words
    rows = _rows(found, "losses-body")
    assert [int(row[0]) for row in rows] == [4 * i for i in range(11)]
    assert rows[-1][1] == f"{snapshot.loss:.4f}"
    assert rows[0][1] == f"{run.losses[0]:.4f}" or float(rows[0][1]) == pytest.approx(
        run.losses[0], rel=1e-3
    )


def _rows(found: Html, body: str) -> list[list[str]]:
    table = found.one("tbody", id=body)
    rows = found.within(table).all("tr")
    return [[c.text for c in found.within(row).elements if c.tag in ("th", "td")] for row in rows]


def test_predictions_stand_against_targets() -> None:
    found = of(MINIBATCH, step="40")
    run = Run(MINIBATCH)
    run.advance(40)
    rows = _rows(found, "predictions-body")
    targets = load(MINIBATCH)[0].targets
    for i, (row, outputs) in enumerate(zip(rows, run.predictions(), strict=True)):
        assert row[0] == str(i + 1)
        assert float(row[2].replace("−", "-")) == targets[i][0]
        assert float(row[3].replace("−", "-")) == pytest.approx(outputs[0], abs=1e-4)
        assert row[4] == ("✓" if outputs[0] * targets[i][0] > 0 else "✗")


def test_predictions_of_numbers_say_how_far_they_are_off() -> None:
    rows = _rows(of(CURVE, step="12"), "predictions-body")
    for _, _, target, output, off in rows:
        numbers = [float(x.replace("−", "-")) for x in (target, output, off)]
        assert numbers[1] - numbers[0] == pytest.approx(numbers[2], abs=2e-3)


def test_predictions_of_classes_name_them() -> None:
    assert {row[2] for row in _rows(of(THREE), "predictions-body")} == {
        "class 0", "class 1", "class 2",
    }  # fmt: skip


def test_many_predictions_are_counted() -> None:
    found = of(TrainSpec(samples=450, layers=(2, 2, 1), steps=2))
    assert len(_rows(found, "predictions-body")) == 200
    assert "and 250 more" in [p.text for p in found.all("p", class_="words")]


def test_every_sample_opens_in_explore() -> None:
    found = of(MINIBATCH, step="3")
    form = found.one("form", id="open-form")
    fields = {e.attributes["name"]: e.attributes["value"] for e in found.within(form).all("input")}
    assert fields.pop("step") == "3"
    assert spec_of(list(fields.items())) == MINIBATCH
    buttons = found.all("button", form="open-form")
    assert [b.attributes["value"] for b in buttons] == [str(i) for i in range(15)]
    assert buttons[4].attributes["aria-label"] == "Sample 5: open in Explore"


def test_figures_that_a_run_has_not_are_hidden() -> None:
    curve = of(CURVE)
    assert "hidden" in curve.one(id="stat-accuracy-box").attributes
    assert "hidden" in curve.one(id="stat-test-box").attributes
    assert "hidden" not in of(MINIBATCH).one(id="stat-test-box").attributes


def test_plot_is_named_by_what_it_shows() -> None:
    plane = TrainSpec(data="plane", layers=(2, 3, 1), loss="mse", samples=9, steps=2)
    titles = [of(s).one(id="plot-title").text for s in (MINIBATCH, CURVE, plane)]
    assert titles == ["Decision boundary", "Fitted curve", "Predicted plane"]
    assert "hidden" in of(WIDE).one(id="plot").attributes
    assert not of(WIDE).all("img")
    assert "open" in of(WIDE).one("details", id="predictions").attributes


def test_pictures_have_words() -> None:
    found = of(MINIBATCH, step="40")
    for image in found.all("img"):
        assert re.fullmatch(
            r"Decision boundary\. \d+ of 15 training samples on the correct side of the boundary\.",
            image.attributes["alt"],
        )
    for picture in ("network-picture", "loss-picture"):
        assert found.one("svg", class_=picture).attributes["aria-label"]
    off = re.compile(r"Predictions are at most [\d.e−]+ from their targets\.")
    assert off.fullmatch(of(CURVE).one(id="plot-words").text)


def test_run_that_diverged_has_a_page() -> None:
    found = of(DIVERGING, step="60")
    assert found.one("output", id="stat-loss").text == "nan"
    assert "nan" in found.one("p", id="loss-words").text


def test_mistake_is_explained_beside_the_right_run() -> None:
    wrong = replace(MINIBATCH, zero_grad=False, accumulate=False)
    found = of(wrong, step="10")
    notices = [p for p in found.all("p", class_="warning") if p.text]
    assert [re.split(r"\.", p.text.strip())[0] for p in notices[-2:]] == [
        "Forget to zero the gradients",
        "Assign (=) instead of accumulate (+=)",
    ]
    outcome = r"Loss at step 10: \S+ here, \S+ in the correct run\."
    assert all(re.search(outcome, p.text) for p in notices[-2:])
    (first, second) = [a for a in found.all("a") if a.text == "See the correct run"]
    assert _spec_at(first) == replace(wrong, zero_grad=True)
    assert _spec_at(second) == replace(wrong, accumulate=True)
    assert 'class="curve beside"' in client().get(f"/train?{urlencode(wrong.to_query())}").text
    assert not [a for a in of(MINIBATCH).all("a") if a.text == "See the correct run"]


def _spec_at(link: Element) -> TrainSpec:
    return spec_of(parse_qsl(urlsplit(link.attributes["href"]).query))


def test_rate_far_too_large_is_a_link() -> None:
    link = of(MINIBATCH).one("a", id="large-rate")
    assert _spec_at(link) == replace(MINIBATCH, learning_rate=1.5)
    assert link.attributes["data-factor"] == "30"


def test_doctor_is_asked_by_a_link_and_answers_on_the_page() -> None:
    (ask,) = [a for a in of(DIVERGING, step="60").all("a") if a.text == "Ask the doctor"]
    answer = read(client().get(ask.attributes["href"]).text)
    box = answer.one("details", id="doctor")
    assert "open" in box.attributes
    assert "not a number" in box.text
    (ask,) = [a for a in of(MINIBATCH).all("a") if a.text == "Ask the doctor"]
    well = read(client().get(ask.attributes["href"]).text)
    assert "open" in well.one("details", id="doctor").attributes


# For scripts and for everyone


def test_page_carries_setup_and_state_for_scripts() -> None:
    found = of(MINIBATCH, step="7")
    setup, state = (json.loads(found.one("pre", id=name).text) for name in ("setup", "state"))
    assert TrainSpec.from_json(setup["spec"]) == MINIBATCH
    assert state["step"] == 7
    assert len(state["losses"]) == 7


REGIONS = {
    *("spec", "network", "stats", "loss", "boundary", "points", "plot", "predictions", "norms"),
    *("doctor", "code", "pins", "sweep", "play", "reset", "back", "step", "epoch", "speed"),
    *("scrub", "where", "open", "phases", "local", "log-scale", "pin", "unzoom", "edit-points"),
    *("inspector", "tip", "notice", "announcer", "gist", "sweep-open", "sweep-rates"),
    *("sweep-seeds", "sweep-run", "sweep-result", "copy-link", "code-as", "code-text"),
    *("predictions-body", "norms-body", "norms-canvas", "losses-body", "doctor-list"),
    *("csv-link", "svg-link", "png-link", "network-link", "own-data", "mistake"),
}


def test_page_has_every_region_once() -> None:
    ids = [e.attributes["id"] for e in page().elements if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    assert set(ids) >= REGIONS


def test_landmarks_and_headings() -> None:
    found = page()
    assert len(found.all("main")) == len(found.all("h1")) == 1
    regions = {s.attributes.get("aria-label") for s in found.all("section")}
    assert {"Network", "Results", "Tables", "Steps"} <= regions
    for link in found.all("a", class_="skip"):
        found.one(id=link.attributes["href"][1:])
    for table in found.all("table"):
        assert all(
            th.has(scope="col") or th.has(scope="row") for th in found.within(table).all("th")
        )


@pytest.mark.parametrize("spec", [MINIBATCH, CURVE, WIDE, ODD], ids=["two", "one", "three", "odd"])
def test_nothing_on_the_page_is_styled_or_run_in_place(spec: TrainSpec) -> None:
    found = of(spec, step="2")
    ids = {e.attributes["id"] for e in found.elements if "id" in e.attributes}
    for element in found.elements:
        for name, value in element.attributes.items():
            assert name not in ("style", "srcset")
            assert not name.startswith("on")
            if name in ("for", "form", "aria-describedby", "aria-labelledby"):
                assert set(value.split()) <= ids, f"<{element.tag} {name}={value!r}>"
        if element.tag == "script":
            assert element.attributes["src"]


def test_hostile_text_is_only_text() -> None:
    pairs = [("data", "moons"), ("layers", HOSTILE), ("hide", HOSTILE), ("seed", HOSTILE)]
    text = client().get(f"/train?{urlencode(pairs)}").text
    assert HOSTILE not in text
    assert html.escape(HOSTILE).replace("&quot;", "&#34;") in text
    assert not [e for e in read(text).all("img") if e.attributes.get("src") == "x"]


def test_defaults_of_the_form_are_those_of_the_spec() -> None:
    context = form_of([], None, SpecError("x", "", "no"))
    values = {c.name: c.value for group in context.groups for c in group.controls}
    kept = TrainSpec.from_query([(name, text) for name, text in values.items() if name != "rows"])
    assert kept == TrainSpec()
    assert set(values) == set(DEFAULTS) - set(WITHOUT_CONTROL)


@pytest.mark.parametrize("spec", [MINIBATCH, CURVE, WIDE], ids=["two", "one", "three"])
def test_every_address_of_the_page_leads_somewhere(spec: TrainSpec) -> None:
    for address in set(of(spec, step="2").addresses()):
        if address.startswith("#"):
            continue
        assert re.match(r"/(?!/)", address)
        assert client().get(address).status_code == 200, address


def test_unknown_name_to_hide_is_refused_and_nothing_else_is_lost() -> None:
    answer = client().get("/train?seed=77&hide=play,plya")
    assert answer.status_code == 422
    found = read(answer.text)
    assert "did you mean play? it knows data, network" in found.one("p", id="error-spec").text
    assert found.one("input", id="field-seed").attributes["value"] == "77"
    assert ("hide", "play") in sent(found)


def test_readme_and_reference_name_what_can_be_hidden() -> None:
    rows = read(client().get("/reference").text)
    text = (ROOT / "docs/train.md").read_text("utf-8")
    for name, words in HIDEABLE.items():
        assert f"`{name}`" in text
        assert words in [cell.text for cell in rows.all("td")]


EDITED = "/train?layers=2-3-1&steps=20&set=3:3,1:-0.5&at=7&set=11:1&at=9&step=12&hide=sweep"


def test_what_was_changed_by_hand_is_listed_and_can_be_taken_back() -> None:
    found = read(client().get(EDITED).text)
    rows = found.within(found.one("ul", id="edits-list")).all("li")
    assert [re.sub(r"\s+", " ", row.text).strip() for row in rows] == [
        "layer 1, neuron 2, weight 1 is 3 from step 7 on Remove",
        "layer 1, neuron 1, weight 2 is -0.5 from step 7 on Remove",
        "layer 2, neuron 1, weight 3 is 1 from step 9 on Remove",
    ]
    links = [a.attributes["href"] for a in found.all("a") if a.text == "Remove"]
    left = parse_qsl(urlsplit(links[0]).query)
    assert [pair for pair in left if pair[0] not in ("layers", "steps")] == [
        ("set", "1:-0.5"), ("at", "7"), ("set", "11:1.0"), ("at", "9"), ("hide", "sweep"),
        ("step", "12"),
    ]  # fmt: skip
    assert "set" not in of(MINIBATCH).one("section", id="edits").text
    assert "hidden" in of(MINIBATCH).one("section", id="edits").attributes


def test_code_names_what_it_leaves_out() -> None:
    code = client().get("/train/code?layers=2-3-1&steps=20&set=2:3&at=7&as=pytorch").text
    said = "# Left out, as it was changed by hand: layer 1, neuron 1, bias is 3 from step 7 on.\n"
    assert code.startswith(said)


def test_a_rate_that_is_too_large_is_a_mistake_beside_the_right_run() -> None:
    page = read(
        client()
        .get("/train?samples=20&layers=2-3-1&steps=20&learning_rate=30&right=0.5&step=20")
        .text
    )
    box = page.one("div", id="mistake")
    assert "The rate is too large" in box.text
    assert "overshoots the minimum" in box.text
    assert "in the correct run" in box.text
    (link,) = page.within(box).all("a")
    assert "learning_rate=0.5" in link.attributes["href"]
    assert (
        not read(
            client().get("/train?samples=20&layers=2-3-1&steps=20&learning_rate=0.5&right=0.5").text
        )
        .one("div", id="mistake")
        .text.strip()
    )


def test_the_way_to_a_rate_that_is_too_large_knows_the_right_one() -> None:
    page = read(client().get("/train?samples=20&layers=2-3-1&steps=20&learning_rate=0.25").text)
    href = page.one("a", id="large-rate").attributes["href"]
    assert "learning_rate=7.5" in href
    assert "right=0.25" in href
