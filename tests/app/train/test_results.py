"""Results on Train's page: figures, words, tables, and the doctor's answer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from engine.kernel import Run
from engine.training.samples import load
from engine.training.spec import TrainSpec
from engine.training.textbook import evaluate, network, textbook
from tests.support.learning import CURVE, DIVERGING, MINIBATCH, THREE, WIDE
from tests.support.pages import Element, Html, client, read
from tests.support.train_pages import of, spec_of


def test_figures_words_and_tables_say_the_same() -> None:
    found = of(MINIBATCH, step="40")
    run = Run(MINIBATCH)
    run.advance(40)
    snapshot = run.snapshot()
    assert found.one("output", id="stat-step").text == "40"
    assert found.one("output", id="stat-batch").text == f"{snapshot.loss:.4f}"
    words = found.one("p", id="loss-words").text
    assert re.fullmatch(
        r"batch loss [\d.]+ → [\d.]+ after 40 steps; test loss [\d.]+;"
        r" over all training data [\d.]+; penalty \S+, part of the loss; accuracy [\d.]+%",
        words,
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
    """And the confusion matrix counts them."""
    found, names = of(THREE, step="9"), ["class 0", "class 1", "class 2"]
    rows = _rows(found, "predictions-body")
    assert {row[2] for row in rows} == set(names)
    told = []
    for row in rows:
        outputs = [float(x.replace("−", "-")) for x in row[3].split(", ")]
        told.append((row[2], names[outputs.index(max(outputs))]))
    table = found.within(found.one("table", id="confusion"))
    counts = [c.text for c in table.elements if c.tag == "td"][1:]  # the corner is empty
    assert counts == [str(told.count((target, said))) for target in names for said in names]


@pytest.mark.parametrize(
    ("changes", "parted"),
    [({"dropout": 0.5}, True), ({"batch": 5}, True), ({"batch": "all"}, False)],
)
def test_the_loss_of_a_batch_is_told_apart_from_that_of_all_training_data(
    changes: dict[str, Any], parted: bool
) -> None:
    spec = replace(MINIBATCH, **changes)
    found = of(spec, step="40")
    *_, last = textbook(replace(spec, steps=40))
    whole = evaluate(spec, network(spec, last.parameters), load(spec)[0])
    assert whole[0] is not None
    assert found.one("output", id="stat-loss").text == f"{whole[0] + last.penalty:.4f}"
    assert found.one("output", id="stat-batch").text == f"{last.loss:.4f}"
    hidden = "hidden" in found.one(id="stat-batch-box").attributes
    assert hidden == ("hidden" in found.one(id="key-batch").attributes) == (not parted)
    words = found.one("p", id="loss-words").text
    assert words.startswith("batch loss") == ("over all training data" in words) == parted
    title = found.one(id="stat-batch-box").attributes.get("title", "")
    assert ("with dropout" in title) == (spec.dropout > 0)
    assert ("without dropout" in found.one(id="predictions-aside").text) == (spec.dropout > 0)


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


def test_link_requests_a_diagnosis_on_the_page() -> None:
    (ask,) = [a for a in of(DIVERGING, step="60").all("a") if a.text == "Ask the doctor"]
    answer = read(client().get(ask.attributes["href"]).text)
    box = answer.one("details", id="doctor")
    assert "open" in box.attributes
    assert "not a number" in box.text
    (ask,) = [a for a in of(MINIBATCH).all("a") if a.text == "Ask the doctor"]
    well = read(client().get(ask.attributes["href"]).text)
    assert "open" in well.one("details", id="doctor").attributes


def test_a_rate_that_is_too_large_is_a_mistake_beside_the_right_run() -> None:
    page = read(
        client()
        .get("/train?samples=20&layers=2-3-1&steps=20&learning_rate=30&right=0.5&step=20")
        .text
    )
    box = page.one("div", id="mistake")
    assert "The learning rate is too large" in box.text
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


def test_epochs_stand_beside_steps_where_a_step_is_not_one() -> None:
    def words(query: str) -> str:
        page = read(client().get(f"/train?samples=20&layers=2-2-1&steps=12&{query}").text)
        return page.one(id="epochs").text

    assert words("batch=8&step=7") == "2 epochs"
    assert words("batch=8&step=5&at=4:batch=10") == "2 epochs"  # one of them cut short
    assert words("batch=8&step=3") == "1 epoch"
    assert words("batch=all&step=7") == ""
